import type { Site } from '@zhugong/contract/monitoring/site'
import { useMemo } from 'react'
import { dark } from '#kit/colors.ts'
import { Bearings, Ground, GroundNames, PlanView, pathOf, Words } from '../plan-view.tsx'
import { Hit } from './pit-section.tsx'
import { type Outline, type Placed, type PointShape, pointWord, stateColors, symbolOf } from './pit-state.ts'

interface PitPlanProps {
  site: Site
  placed: readonly Placed[]
  outline: Outline
  selected: string
  onSelect: (deviceId: string) => void
}
/** Metres on the plan per millimetre of movement: magnified 200 times. */
export const magnified = 200
const around = 14

/** Pit from above: points by shape and state, horizontal movements as arrows into the pit. */
export function PitPlan({ site, placed, outline, selected, onSelect }: PitPlanProps) {
  const bounds = useMemo(() => {
    const [xs, ys] = [placed.map((one) => one.at[0]), placed.map((one) => one.at[1])]
    return {
      left: Math.min(...xs) - around,
      right: Math.max(...xs) + around,
      bottom: Math.min(...ys) - around,
      top: Math.max(...ys) + around,
    }
  }, [placed])
  const middle = [(outline.left + outline.right) / 2, (outline.bottom + outline.top) / 2] as const
  const label = `基坑平面：${placed.map(({ point }) => `${point.pointCode} ${pointWord(point)}`).join('，')}`
  return (
    <PlanView bounds={bounds} label={label} padding={34}>
      {(projection) => {
        const { at } = projection
        const box = [
          [outline.left, outline.bottom],
          [outline.right, outline.bottom],
          [outline.right, outline.top],
          [outline.left, outline.top],
        ] as const
        return (
          <>
            <Ground site={site} projection={projection} />
            <path d={pathOf(box.map(at), true)} fill={dark.deep} stroke={dark.edge} strokeWidth={6} opacity=".85" />
            <Words at={at(middle)} color={dark.label} size={12}>
              基坑
            </Words>
            <GroundNames site={site} projection={projection} />
            {placed.map(({ point, at: place }) => {
              const [px, py] = at(place)
              const on = point.deviceId === selected
              const moves = (point.pointType === 'topHorizontal' || point.pointType === 'deepHorizontal') && point.cumulative !== null
              const length = Math.hypot(middle[0] - place[0], middle[1] - place[1]) || 1
              const metres = ((point.cumulative ?? 0) / 1000) * magnified
              const tip = at([place[0] + ((middle[0] - place[0]) / length) * metres, place[1] + ((middle[1] - place[1]) / length) * metres])
              return (
                <Hit key={point.deviceId} point={point} text={`${point.pointCode} ${pointWord(point)}`} onSelect={onSelect}>
                  {moves && (
                    <line x1={px} y1={py} x2={tip[0]} y2={tip[1]} stroke={dark.limitWarning} strokeWidth={2.4} strokeLinecap="round" />
                  )}
                  <Shape symbol={symbolOf(point.pointType)} x={px} y={py} color={stateColors[point.state]} on={on} />
                  <Words at={[px, py - 11]} size={12} weight={on ? 600 : 400} color={on ? dark.accent : dark.text}>
                    {point.pointCode} {pointWord(point)}
                  </Words>
                </Hit>
              )
            })}
            <Bearings projection={projection} />
          </>
        )
      }}
    </PlanView>
  )
}

function Shape({ symbol, x, y, color, on }: { symbol: PointShape; x: number; y: number; color: string; on: boolean }) {
  const r = on ? 8 : 6
  const paths: Readonly<Record<PointShape, string>> = {
    circle: `M ${x - r} ${y} a ${r} ${r} 0 1 0 ${2 * r} 0 a ${r} ${r} 0 1 0 ${-2 * r} 0 z`,
    square: `M ${x - r} ${y - r} h ${2 * r} v ${2 * r} h ${-2 * r} z`,
    diamond: `M ${x} ${y - r - 1} l ${r + 1} ${r + 1} l ${-r - 1} ${r + 1} l ${-r - 1} ${-r - 1} z`,
    triangle: `M ${x - r} ${y - r} h ${2 * r} l ${-r} ${2 * r} z`,
    bar: `M ${x - r - 4} ${y - 3} h ${2 * r + 8} v 6 h ${-2 * r - 8} z`,
  }
  return <path d={paths[symbol]} fill={color} stroke={on ? dark.accent : dark.deep} strokeWidth={on ? 2.5 : 1.2} />
}
