import { useMemo } from 'react'
import { dark } from '#kit/colors.ts'
import { span } from '#kit/format.ts'
import type { LngLat } from '#kit/geo.ts'
import { metresFrom } from '#kit/geo.ts'
import type { Point } from '../crane-geometry.ts'
import { Bearings, PlanView, pathOf, useSize, Words } from '../plan-view.tsx'
import { type BayPoint, metricName, pointColors, pointWords, silence } from './formwork-state.ts'

interface BayPlanProps {
  points: readonly BayPoint[]
  origin: LngLat
  selected: string
  pouring: boolean
  /** Poured share of the concrete, if known. */
  filled: number | undefined
  onSelect: (deviceId: string) => void
}
const around = 3.5

const placeOf = (one: BayPoint, origin: LngLat): Point | undefined =>
  one.x !== null && one.y !== null
    ? [one.x, one.y]
    : one.lng !== null && one.lat !== null
      ? metresFrom(origin, [one.lng, one.lat])
      : undefined

/** Bay from above: supports as circles coloured by their share of the limit, with labels. */
export function BayPlan({ points, origin, selected, pouring, filled, onSelect }: BayPlanProps) {
  const placed = useMemo(
    () =>
      points.flatMap((point) => {
        const at = placeOf(point, origin)
        return at ? [{ point, at }] : []
      }),
    [points, origin],
  )
  const bounds = useMemo(() => {
    const xs = placed.map((one) => one.at[0])
    const ys = placed.map((one) => one.at[1])
    if (xs.length === 0) return { left: 0, right: 20, bottom: 0, top: 12 }
    return {
      left: Math.min(...xs) - around,
      right: Math.max(...xs) + around,
      bottom: Math.min(...ys) - around,
      top: Math.max(...ys) + around,
    }
  }, [placed])
  const label = `高支模平面：${points.map((one) => `${one.pointCode} ${wordOf(one, pouring)}`).join('，')}`
  const axes = [...new Set(placed.map((one) => Math.round(one.at[0])))].sort((a, b) => a - b)
  return (
    <PlanView bounds={bounds} label={label} padding={40}>
      {(projection) => {
        const { at, k } = projection
        const box: Point[] = [
          [bounds.left + 1, bounds.bottom + 1],
          [bounds.right - 1, bounds.bottom + 1],
          [bounds.right - 1, bounds.top - 1],
          [bounds.left + 1, bounds.top - 1],
        ]
        const [x0, y0] = at([bounds.left + 1, bounds.top - 1])
        const [x1, y1] = at([bounds.right - 1, bounds.bottom + 1])
        return (
          <>
            <path d={pathOf(box.map(at), true)} fill={dark.head} stroke={dark.edge} strokeWidth={2} />
            {filled !== undefined && filled > 0 && (
              <rect x={x0} y={y0} width={(x1 - x0) * Math.min(1, filled)} height={y1 - y0} fill={dark.stale} opacity=".28" />
            )}
            {axes.map((x, i) => {
              const [px, top] = at([x, bounds.top - 0.4])
              return (
                <g key={x}>
                  <line x1={px} x2={px} y1={top + 8} y2={y1} stroke={dark.line} strokeDasharray="10 4 2 4" />
                  <circle cx={px} cy={top} r={9} fill="none" stroke={dark.label} />
                  <Words at={[px, top + 4]} size={12} color={dark.label}>
                    {i + 1}
                  </Words>
                </g>
              )
            })}
            {placed.map(({ point, at: place }) => {
              const [px, py] = at(place)
              const on = point.deviceId === selected
              const r = Math.max(14, Math.min(26, k * 0.8))
              const share = Math.min(1, (point.share ?? 0) / 100)
              const late = pouring && point.state !== 'silent' && (point.silentSeconds ?? 0) >= silence.doubt
              return (
                <g
                  key={point.deviceId}
                  data-hit
                  role="button"
                  tabIndex={0}
                  className="bay-hit"
                  aria-label={`${point.pointCode} ${wordOf(point, pouring)}`}
                  onClick={() => onSelect(point.deviceId)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return
                    event.preventDefault()
                    onSelect(point.deviceId)
                  }}
                >
                  <circle cx={px} cy={py} r={r} fill={dark.deep} stroke={on ? dark.accent : dark.edge} strokeWidth={on ? 3 : 1.5} />
                  <circle
                    cx={px}
                    cy={py}
                    r={r - 4}
                    fill="none"
                    stroke={late ? dark.warning : pointColors[point.state]}
                    strokeWidth={6}
                    strokeDasharray={`${2 * Math.PI * (r - 4) * share} ${2 * Math.PI * (r - 4)}`}
                    transform={`rotate(-90 ${px} ${py})`}
                  />
                  <Words at={[px, py - r - 7]} weight={600} color={on ? dark.accent : dark.text}>
                    {point.pointCode}
                  </Words>
                  {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: takes no focus; counts on every second, and is read from the label, which says it whole */}
                  <g aria-hidden="true">
                    <Words at={[px, py + r + 16]} size={12} color={late ? dark.limitWarning : pointColors[point.state]}>
                      {wordOf(point, pouring)}
                    </Words>
                  </g>
                </g>
              )
            })}
            <Bearings projection={projection} north={false} />
          </>
        )
      }}
    </PlanView>
  )
}

function wordOf(point: BayPoint, pouring: boolean): string {
  if (point.state === 'unset') return pointWords.unset
  if (point.state === 'silent' || (pouring && (point.silentSeconds ?? 0) >= silence.doubt))
    return point.silentSeconds === null ? '无数据' : `${span(point.silentSeconds * 1000)}无数据`
  return `${metricName(point.worstMetric)} ${Math.round(point.share ?? 0)} %`
}

/** Width reserved for labels, px. */
const wordsPx = 108

/** Side view of a point's support: height and levels, settlement and tilt magnified. */
export function BaySide({ point }: { point: BayPoint | undefined }) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  const high = point?.supportHeight ?? 8
  const lean = (point?.horizontalDisplacement ?? 0) * 3
  const sink = Math.min(16, Math.abs(point?.settlement ?? 0) * 2)
  const levels = Math.max(2, Math.round(high / 1.8))
  const [foot, head] = [height - 24, 34]
  // Labels have a strip of their own on the right.
  const room = width - wordsPx
  const posts = [0.36, 0.54, 0.72, 0.9].map((share) => share * room)
  const at = (level: number) => foot - ((foot - head) * level) / levels
  const lost = point
    ? `支撑高 ${high} m，位移 ${point.horizontalDisplacement ?? '--'} mm，沉降 ${point.settlement ?? '--'} mm，倾斜 ${point.tilt ?? '--'}°`
    : '没有测点'
  return (
    <div className="mon-trend" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={`支架侧面：${lost}`}>
          <line x1={room * 0.26} x2={room} y1={foot} y2={foot} stroke={dark.label} strokeWidth={2} />
          {posts.map((x) => (
            <path key={x} d={`M ${x} ${foot} L ${x + lean} ${head + sink}`} stroke={dark.running} strokeWidth={3} />
          ))}
          {Array.from({ length: levels - 1 }, (_, i) => i + 1).map((level) => (
            <line
              key={level}
              x1={(posts[0] ?? 0) + (lean * level) / levels}
              x2={(posts.at(-1) ?? 0) + (lean * level) / levels}
              y1={at(level)}
              y2={at(level)}
              stroke={dark.edge}
              strokeWidth={2}
            />
          ))}
          <rect x={room * 0.3 + lean} y={head - 12 + sink} width={room * 0.66} height={12} fill={dark.stale} />
          <line x1={room * 0.26} x2={room} y1={head} y2={head} stroke={dark.limitWarning} strokeDasharray="4 4" />
          <Words at={[12, (foot + head) / 2]} size={12} color={dark.label} anchor="start">
            H {high} m
          </Words>
          <Words at={[width - 12, head + 4]} size={12} color={dark.limitWarning} anchor="end">
            沉降 {point?.settlement ?? '--'} mm
          </Words>
          <Words at={[width - 12, head + 22]} size={12} color={dark.text} anchor="end">
            位移 {point?.horizontalDisplacement ?? '--'} mm
          </Words>
          <Words at={[width - 12, head + 40]} size={12} color={dark.text} anchor="end">
            倾斜 {point?.tilt ?? '--'}°
          </Words>
        </svg>
      )}
    </div>
  )
}
