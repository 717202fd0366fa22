import { dark } from '#kit/colors.ts'
import { minuteOfDay, span } from '#kit/format.ts'
import type { Point } from './crane-geometry.ts'
import { pathOf, useSize, Words } from './plan-view.tsx'

export interface TrendPoint {
  time: number
  value: number
}
export interface TrendLimit {
  at: number
  text: string
  tone: 'warning' | 'alarm'
}
export interface TrendProps {
  label: string
  points: readonly TrendPoint[]
  from: number
  to: number
  limits?: readonly TrendLimit[]
  low?: number
  high: number
  /** A longer time without a point is a gap: shown and not connected. */
  gapMs: number
  ticks?: readonly number[]
  /** Marks the maximum. */
  peak?: boolean
  decimals?: number
  /** A second, dashed line over the whole width. */
  reference?: { value: number; text: string } | undefined
  /** Spans shown as blocks along the bottom: spraying. */
  blocks?: readonly { from: number; to: number; text: string }[]
  right?: number
}

const left = 42
const topPx = 10
const bottomPx = 24

/** Runs of points without a gap. */
export function runsOf(points: readonly TrendPoint[], gapMs: number): TrendPoint[][] {
  const runs: TrendPoint[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && point.time - last.time <= gapMs) run.push(point)
    else runs.push([point])
  }
  return runs
}

const linePx = 14
/** Approximate width of a 12 px text: an ideograph is as wide as the font size, a digit a bit more than half. */
const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? 12 : 7), 0)

interface GapWords {
  from: number
  to: number
  words: string
}
/** Gap labels that fit: the longest gaps first, without overlaps. */
export function gapWords(gaps: readonly GapWords[], leftEdge: number, rightEdge: number): { at: number; words: string }[] {
  const placed: { at: number; half: number; words: string }[] = []
  for (const gap of [...gaps].sort((a, b) => b.to - b.from - (a.to - a.from))) {
    if (gap.to - gap.from <= 6) continue
    const half = widthOf(gap.words) / 2
    const at = Math.min(rightEdge - half, Math.max(leftEdge + half, (gap.from + gap.to) / 2))
    if (placed.every((one) => Math.abs(one.at - at) >= one.half + half + 4)) placed.push({ at, half, words: gap.words })
  }
  return placed.map(({ at, words }) => ({ at, words }))
}

/** A curve of the last minutes with its limits as bands. */
export function Trend(props: TrendProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-trend" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

function Drawn(props: TrendProps & { width: number; height: number }) {
  const {
    width,
    height,
    label,
    from,
    to,
    limits = [],
    low = 0,
    high,
    gapMs,
    ticks = [],
    peak,
    decimals = 1,
    reference,
    blocks = [],
    right = 14,
  } = props
  const x = (at: number) => left + ((at - from) / Math.max(1, to - from)) * (width - left - right)
  const y = (value: number) => topPx + (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low || 1)) * (height - topPx - bottomPx)
  const points = props.points.filter((one) => one.time >= from && one.time <= to)
  const runs = runsOf(points, gapMs)
  const gaps = runs.slice(1).map((run, i) => ({ from: runs[i]?.at(-1)?.time ?? from, to: run[0]?.time ?? to }))
  const first = points[0]
  const last = points.at(-1)
  if (last && to - last.time > gapMs) gaps.push({ from: last.time, to })
  if (first && first.time - from > gapMs) gaps.unshift({ from, to: first.time })
  const top = points.reduce<TrendPoint | undefined>((best, one) => (!best || one.value > best.value ? one : best), undefined)
  const sorted = [...limits].sort((a, b) => a.at - b.at)
  const minutes = Math.round((to - from) / 60_000)
  const stepMs = (minutes <= 12 ? 2 : minutes <= 60 ? 10 : 30) * 60_000
  // Twice the step in a narrow panel.
  const apart = ((to - from) / stepMs) * 52 > width - left - right ? stepMs * 2 : stepMs
  const marks: number[] = []
  for (let at = Math.ceil(from / apart) * apart; at <= to; at += apart) marks.push(at)
  const baseline = height - bottomPx
  const wordsY = (i: number) => y(sorted[i]?.at ?? 0) + (i === 0 && sorted.length > 1 ? 15 : -5)
  // Labels of limits close to each other are placed side by side.
  const besideLower: number[] = []
  sorted.forEach((_, i) => {
    const close = i > 0 && Math.abs(wordsY(i) - wordsY(i - 1)) < linePx
    besideLower.push(close ? (besideLower[i - 1] ?? 0) + widthOf(sorted[i - 1]?.text ?? '') + 12 : 0)
  })
  const limitWords = Math.max(0, ...sorted.map((one, i) => widthOf(one.text) + (besideLower[i] ?? 0)))
  const words = first
    ? `${label}，最新 ${last?.value.toFixed(decimals)}，最大 ${top?.value.toFixed(decimals)}，${gaps.length} 处无数据`
    : `${label}，没有数据`
  return (
    <svg width={width} height={height} role="img" aria-label={words} className="zg-block">
      {sorted.map((one, i) => {
        const next = sorted[i + 1]
        const upper = y(next ? next.at : high)
        const color = one.tone === 'alarm' ? dark.alarm : dark.warning
        return (
          <g key={one.text}>
            <rect x={left} y={upper} width={width - left - right} height={Math.max(0, y(one.at) - upper)} fill={color} opacity=".12" />
            <line x1={left} x2={width - right} y1={y(one.at)} y2={y(one.at)} stroke={color} strokeDasharray="5 4" />
          </g>
        )
      })}
      <g fontSize={12} fill={dark.label}>
        {ticks.map((one) => (
          <g key={one}>
            <line x1={left} x2={width - right} y1={y(one)} y2={y(one)} stroke={dark.hairline} />
            <text x={left - 6} y={y(one) + 4} textAnchor="end">
              {one}
            </text>
          </g>
        ))}
        {marks.map((at) => (
          <text key={at} x={x(at)} y={height - 6} textAnchor={x(at) < left + 14 ? 'start' : x(at) > width - right - 14 ? 'end' : 'middle'}>
            {minuteOfDay(at)}
          </text>
        ))}
      </g>
      {gaps.map((gap) => (
        <rect
          key={gap.from}
          x={x(gap.from)}
          y={topPx}
          width={Math.max(2, x(gap.to) - x(gap.from))}
          height={baseline - topPx}
          fill={dark.stale}
          opacity=".2"
        />
      ))}
      {gapWords(
        gaps.map((gap) => ({ from: x(gap.from), to: x(gap.to), words: `无数据 ${span(gap.to - gap.from)}` })),
        left,
        width - right,
      ).map((one) => (
        <Words key={one.at} at={[one.at, baseline - 8]} color={dark.gone} size={12}>
          {one.words}
        </Words>
      ))}
      {blocks.map((one) => (
        <rect
          key={one.from}
          x={Math.max(left, x(one.from))}
          y={baseline - 8}
          width={Math.max(2, x(Math.min(one.to, to)) - Math.max(left, x(one.from)))}
          height={8}
          fill={dark.running}
        >
          <title>{one.text}</title>
        </rect>
      ))}
      {reference && (
        <>
          <line
            x1={left}
            x2={width - right}
            y1={y(reference.value)}
            y2={y(reference.value)}
            stroke={dark.gone}
            strokeDasharray="4 5"
            strokeWidth={1.4}
          />
          <Words at={[width - right - 2, y(reference.value) - 5]} color={dark.gone} size={12} anchor="end">
            {reference.text}
          </Words>
        </>
      )}
      {runs.map((run) => {
        const drawn = run.map((one): Point => [x(one.time), y(one.value)])
        return drawn.length === 1 ? (
          <circle key={run[0]?.time} cx={drawn[0]?.[0]} cy={drawn[0]?.[1]} r={1.6} fill={dark.accent} />
        ) : (
          <path key={run[0]?.time} d={pathOf(drawn)} fill="none" stroke={dark.accent} strokeWidth={2} strokeLinejoin="round" />
        )
      })}
      {sorted.map((one, i) => (
        <Words
          key={one.text}
          at={[left + 6 + (besideLower[i] ?? 0), wordsY(i)]}
          color={one.tone === 'alarm' ? dark.limit : dark.limitWarning}
          size={12}
          anchor="start"
        >
          {one.text}
        </Words>
      ))}
      {last && <circle cx={x(last.time)} cy={y(last.value)} r={3.5} fill={dark.accent} />}
      {peak && top && sorted[0] && top.value >= sorted[0].at && (
        <>
          <circle cx={x(top.time)} cy={y(top.value)} r={4} fill="none" stroke={dark.warning} strokeWidth={2} />
          <Words
            at={[Math.min(width - right - 34, Math.max(left + limitWords + 40, x(top.time))), Math.max(12, y(top.value) - 8)]}
            color={dark.limitWarning}
            size={12}
          >
            峰值 {top.value.toFixed(decimals)}
          </Words>
        </>
      )}
      {!first && (
        <Words at={[(left + width) / 2, height / 2]} color={dark.label}>
          这段时间没有数据
        </Words>
      )}
    </svg>
  )
}
