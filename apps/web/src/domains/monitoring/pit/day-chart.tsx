import { dark } from '#kit/colors.ts'
import type { Point } from '../crane-geometry.ts'
import { pathOf, useSize, Words } from '../plan-view.tsx'

export interface DayValue {
  day: string
  value: number | null
}
interface DayChartProps {
  label: string
  days: readonly DayValue[]
  /** Whether the days have been loaded. */
  known?: boolean
  bars?: boolean
  /** Drawn at both signs if the value can have either. */
  limits: readonly { at: number; text: string; grave: boolean }[]
  /** Excavation stages by starting day, as bands along the bottom. */
  stages: readonly { day: string; text: string }[]
  decimals: number
  /** Days on which a new instrument continued the series. */
  joints?: readonly { day: string; text: string }[]
  /** The selected day. */
  chosen?: string | undefined
}
const [left, right, topPx, bottomPx] = [40, 12, 10, 22]

/** Daily values of a point with its limits; days without a value are marked as gaps. */
export function DayChart(props: DayChartProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-trend" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

function Drawn({
  known = true,
  label,
  days,
  bars,
  limits,
  stages,
  decimals,
  joints = [],
  chosen,
  width,
  height,
}: DayChartProps & { width: number; height: number }) {
  const values = days.flatMap((one) => (one.value === null ? [] : [one.value]))
  const reach = Math.max(1, ...limits.map((one) => one.at)) * 1.1
  const low = Math.min(0, ...values.map((one) => one * 1.15))
  const high = Math.max(0, ...values.map((one) => one * 1.15))
  // Limits are drawn on the side the point moves to.
  const falls = -low > high
  const [least, most] = falls ? [Math.min(low, -reach), high] : [low, Math.max(high, reach)]
  const step = (width - left - right) / Math.max(1, days.length)
  const x = (i: number) => left + step * (i + 0.5)
  const y = (value: number) => topPx + (1 - (value - least) / (most - least || 1)) * (height - topPx - bottomPx)
  const runs: Point[][] = []
  for (const [i, one] of days.entries()) {
    if (one.value === null) runs.push([])
    else {
      if (runs.length === 0) runs.push([])
      runs.at(-1)?.push([x(i), y(one.value)])
    }
  }
  const gaps = days.filter((one) => one.value === null).length
  const last = values.at(-1)
  const indexOf = (day: string) => days.findIndex((one) => one.day >= day)
  const every = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor(width / 90))))
  // Bars start at the bottom, so stages are drawn above them.
  const stageY = bars ? (topPx + height - bottomPx) / 2 : height - bottomPx - 4
  const lastIndex = days.findLastIndex((one) => one.value !== null)
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={`${label}，${days.length} 天，最新 ${last?.toFixed(decimals) ?? '无'}，缺测 ${gaps} 天`}
    >
      {stages.map((one, i) => {
        const at = indexOf(one.day)
        if (at < 0) return null
        return (
          <g key={one.day}>
            <rect
              x={left + step * at}
              y={topPx}
              width={Math.max(0, width - right - left - step * at)}
              height={height - topPx - bottomPx}
              fill={dark.warning}
              opacity={0.05 + i * 0.02}
            />
            <Words at={[left + step * at + 4, stageY]} anchor="start" size={12} color={dark.label}>
              {one.text}
            </Words>
          </g>
        )
      })}
      {joints.map((one) => {
        const at = indexOf(one.day)
        if (at < 0) return null
        return (
          <g key={`${one.day} ${one.text}`}>
            <line x1={x(at)} x2={x(at)} y1={topPx} y2={height - bottomPx} stroke={dark.label} strokeDasharray="2 3" />
            <Words at={[x(at) - 4, topPx + 12]} anchor="end" size={12} color={dark.label}>
              {one.text}
            </Words>
          </g>
        )
      })}
      <line x1={left} x2={width - right} y1={y(0)} y2={y(0)} stroke={dark.edge} />
      {days.map((one, i) =>
        one.value === null ? (
          <rect
            key={one.day}
            x={left + step * i}
            y={topPx}
            width={Math.max(0, step)}
            height={height - topPx - bottomPx}
            fill={dark.stale}
            opacity=".28"
          >
            <title>{one.day} 缺测</title>
          </rect>
        ) : null,
      )}
      {limits.map((one) => {
        const at = falls ? -one.at : one.at
        return (
          <g key={one.text}>
            <line
              x1={left}
              x2={width - right}
              y1={y(at)}
              y2={y(at)}
              stroke={one.grave ? dark.limit : dark.limitWarning}
              strokeDasharray="5 4"
            />
            <Words at={[left + 4, y(at) - 4]} anchor="start" size={12} color={one.grave ? dark.limit : dark.limitWarning}>
              {one.text}
            </Words>
          </g>
        )
      })}
      {bars
        ? days.map((one, i) => {
            if (one.value === null) return null
            const over = limits.some((limit) => Math.abs(one.value ?? 0) >= limit.at)
            return (
              <rect
                key={one.day}
                x={left + step * i + 1}
                width={Math.max(1, step - 2)}
                y={Math.min(y(0), y(one.value))}
                height={Math.max(1, Math.abs(y(one.value) - y(0)))}
                fill={over ? dark.warning : dark.running}
              >
                <title>{`${one.day} ${one.value.toFixed(decimals)}`}</title>
              </rect>
            )
          })
        : runs.map((run) =>
            run.length > 1 ? (
              <path key={run[0]?.[0]} d={pathOf(run)} fill="none" stroke={dark.accent} strokeWidth={2} />
            ) : run[0] ? (
              <circle key={run[0][0]} cx={run[0][0]} cy={run[0][1]} r={2} fill={dark.accent} />
            ) : null,
          )}
      {last !== undefined && (
        <>
          {!bars && <circle cx={x(lastIndex)} cy={y(last)} r={4} fill={dark.accent} />}
          <Words at={[x(lastIndex) - 6, y(last) + (falls ? 16 : -8)]} anchor="end" weight={600}>
            {last.toFixed(decimals)}
          </Words>
        </>
      )}
      {chosen !== undefined && indexOf(chosen) >= 0 && (
        <line x1={x(indexOf(chosen))} x2={x(indexOf(chosen))} y1={topPx} y2={height - bottomPx} stroke={dark.maintenance} strokeWidth={2} />
      )}
      {days.map((one, i) =>
        i % every === 0 ? (
          <Words key={one.day} at={[x(i), height - 6]} size={12} color={dark.label}>
            {one.day.slice(5)}
          </Words>
        ) : null,
      )}
      {values.length === 0 && known && (
        <Words at={[width / 2, height / 2]} color={dark.label}>
          这段时间没有数据
        </Words>
      )}
    </svg>
  )
}
