import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { helmetPositions } from '@zhugong/contract/monitoring/helmet/helmets'
import { Fragment } from 'react'
import { dark } from '#kit/colors.ts'
import { span } from '#kit/format.ts'
import { useSize, Words } from '../plan-view.tsx'
import './helmet.css'
import { levelOf, metresAlong } from './helmet-state.ts'

export type Area = OutputFor<typeof helmetPositions>['areas'][number]
export const areaKey = (one: Pick<Area, 'areaName' | 'floorName'>): string => `${one.floorName}/${one.areaName}`

/** State of an area: a silent station makes it unknown, never empty. */
export function areaState({ known, count, limit }: Pick<Area, 'known' | 'count' | 'limit'>): 'unknown' | 'full' | 'fine' {
  if (!known) return 'unknown'
  return limit !== null && (count ?? 0) > limit ? 'full' : 'fine'
}

interface Box {
  area: Area
  x: number
  y: number
  width: number
  height: number
}

/** Layout of areas: a tunnel by metres, a building by floors from top to bottom. */
export function boxesOf(areas: readonly Area[], width: number, height: number): Box[] {
  const along = areas.map((one) => metresAlong(one.floorName))
  if (areas.length > 0 && along.every((one) => one !== undefined)) {
    const sorted = [...areas].sort((a, b) => (metresAlong(a.floorName) ?? 0) - (metresAlong(b.floorName) ?? 0))
    const each = (width - 40) / sorted.length
    return sorted.map((area, i) => ({ area, x: 20 + i * each, y: height * 0.3, width: each - 6, height: height * 0.4 }))
  }
  const floors = [...new Set(areas.map((one) => one.floorName))].sort((a, b) => levelOf(b) - levelOf(a))
  const each = (height - 60) / Math.max(1, floors.length)
  return floors.flatMap((floor, row) => {
    const own = areas.filter((one) => one.floorName === floor)
    const wide = (width - 120) / Math.max(1, own.length)
    return own.map((area, i) => ({ area, x: 100 + i * wide, y: 40 + row * each, width: wide - 8, height: each - 8 }))
  })
}

interface SectionProps {
  areas: readonly Area[]
  chosen: string | undefined
  onPick: (key: string) => void
}

/** Section of the underground areas with people and capacity. */
export function AreaSection(props: SectionProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-plan" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

const perRow = 10
/** In narrower boxes the count is below the names instead of beside. */
const besidePx = 170
const stateColors = { unknown: dark.stale, full: dark.limit, fine: dark.text }

function Drawn({ areas, chosen, onPick, width, height }: SectionProps & { width: number; height: number }) {
  const boxes = boxesOf(areas, width, height)
  const inside = areas.reduce((sum, one) => sum + (one.count ?? 0), 0)
  const tunnel = areas.length > 0 && areas.every((one) => metresAlong(one.floorName) !== undefined)
  return (
    <svg width={width} height={height} role="group" aria-label={`剖面，${areas.length} 个区域，${inside} 人`} className="helmet-section">
      <rect x={0} y={tunnel ? height * 0.14 : 30} width={width} height={tunnel ? height * 0.74 : height - 30} className="earth" />
      {tunnel && (
        <Words at={[20, height * 0.14 - 10]} anchor="start" size={13}>
          洞口 → 掌子面
        </Words>
      )}
      {!tunnel && (
        <Words at={[12, 22]} anchor="start" size={13}>
          ±0 地面
        </Words>
      )}
      {boxes.map(({ area, x, y, width: wide, height: high }) => {
        const state = areaState(area)
        const slim = wide < besidePx
        const inRow = Math.max(1, Math.min(perRow, Math.floor((wide - 16) / 12)))
        const key = areaKey(area)
        const count = state === 'unknown' ? '未知' : `${area.count ?? 0}`
        const words = `${area.areaName} ${area.floorName}，${count}${area.limit === null ? '' : ` / 限 ${area.limit} 人`}，最长停留 ${span(area.longestSeconds * 1000)}`
        const press = (event: React.KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          onPick(key)
        }
        return (
          <Fragment key={key}>
            <g role="button" tabIndex={0} aria-label={words} onClick={() => onPick(key)} onKeyDown={press}>
              <rect x={x} y={y} width={wide} height={high} rx={3} className="area" data-state={state} data-chosen={key === chosen} />
              {state !== 'unknown' && (
                <>
                  {Array.from({ length: Math.min(60, area.count ?? 0) }, (_, i) => i).map((i) => (
                    <circle
                      key={i}
                      cx={x + 14 + (i % inRow) * 12}
                      cy={y + (slim ? 84 : 54) + Math.floor(i / inRow) * 12}
                      r={4}
                      className="dot"
                    />
                  ))}
                  {area.limit !== null && (
                    <>
                      <rect x={x + 10} y={y + high - 14} width={wide - 20} height={6} className="room" />
                      <rect
                        x={x + 10}
                        y={y + high - 14}
                        width={(wide - 20) * Math.min(1, (area.count ?? 0) / area.limit)}
                        height={6}
                        className="bar"
                        data-state={state}
                      />
                    </>
                  )}
                </>
              )}
            </g>
            <g className="words">
              <text x={x + 10} y={y + 20} fill={dark.text} fontSize={13} fontWeight={600}>
                {area.areaName}
              </text>
              <text x={x + 10} y={y + 38} fill={dark.label} fontSize={12}>
                {area.floorName}
              </text>
              <text
                x={slim ? x + 10 : x + wide - 10}
                y={y + (slim ? 66 : 26)}
                textAnchor={slim ? 'start' : 'end'}
                fill={stateColors[state]}
                fontSize={20}
                fontWeight={600}
              >
                {count}
                <tspan fontSize={12} fill={dark.label}>
                  {area.limit === null ? ' 人' : ` / ${area.limit}`}
                </tspan>
              </text>
              {state === 'unknown' && (
                <text x={x + 10} y={y + high - 12} fill={dark.limitWarning} fontSize={12}>
                  {slim ? '基站离线' : '基站离线，人数未知'}
                </text>
              )}
            </g>
          </Fragment>
        )
      })}
    </svg>
  )
}
