import { useId } from 'react'

const scaleOf = (most: number): number => {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= most) ?? 10) * power
}
const short = (n: number) => (n >= 10_000 ? `${Math.round(n / 1000) / 10} 万` : String(Math.round(n * 10) / 10))

interface Frame {
  width: number
  height: number
  most: number
  labels: readonly string[]
  every: number
}
const left = 44
const bottom = 22
const top = 10

function Axes({ width, height, most, labels, every }: Frame) {
  const floor = height - bottom
  const step = labels.length > 1 ? (width - left - 8) / (labels.length - 1) : 0
  return (
    <g className="wall-axes">
      {[0, 0.5, 1].map((share) => {
        const y = floor - share * (floor - top)
        return (
          <g key={share}>
            <path d={`M${left} ${y}H${width}`} />
            <text x={left - 8} y={y + 4} textAnchor="end">
              {short(most * share)}
            </text>
          </g>
        )
      })}
      {labels.map((label, i) =>
        i % every === 0 ? (
          <text key={label} x={left + step * i} y={height - 4} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
    </g>
  )
}

interface Line {
  name: string
  values: readonly (number | null)[]
  tone: 'accent' | 'muted' | 'fine' | 'warning'
  area?: boolean
  dashed?: boolean
}

/** Line chart; missing values are gaps. */
export function Curves({
  lines,
  labels,
  width,
  height,
  label,
  every = 1,
}: {
  lines: readonly Line[]
  labels: readonly string[]
  width: number
  height: number
  label: string
  every?: number
}) {
  const id = useId()
  const most = scaleOf(Math.max(0, ...lines.flatMap(({ values }) => values.map((v) => v ?? 0))))
  const floor = height - bottom
  const step = labels.length > 1 ? (width - left - 8) / (labels.length - 1) : 0
  const at = (i: number, v: number) => `${(left + step * i).toFixed(1)} ${(floor - (v / most) * (floor - top)).toFixed(1)}`
  const strokes = (values: Line['values']) =>
    values.map((v, i) => (v === null ? '' : `${values[i - 1] === null || values[i - 1] === undefined ? 'M' : 'L'}${at(i, v)}`)).join('')
  return (
    <svg className="wall-curves" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" className="wall-stop-high" />
        <stop offset="1" className="wall-stop-low" />
      </linearGradient>
      <Axes width={width} height={height} most={most} labels={labels} every={every} />
      {lines.map(({ name, values, tone, area, dashed }) => {
        const last = values.findLastIndex((v) => v !== null)
        const whole = values.slice(0, last + 1)
        return (
          <g key={name}>
            {area && last > 0 && (
              <path d={`${strokes(whole)}L${(left + step * last).toFixed(1)} ${floor}L${left} ${floor}Z`} fill={`url(#${id})`} />
            )}
            <path
              className={`wall-line-${tone}`}
              d={strokes(values)}
              fill="none"
              strokeWidth={area ? 2.2 : 1.6}
              strokeDasharray={dashed ? '4 4' : undefined}
            />
            {area && last >= 0 && (
              <circle className="wall-dot" cx={left + step * last} cy={floor - ((values[last] ?? 0) / most) * (floor - top)} r="3.5" />
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** Stacked columns by day; level 1 is at the bottom. */
export function Stacks({
  days,
  width,
  height,
  label,
}: {
  days: readonly { day: string; parts: readonly number[] }[]
  width: number
  height: number
  label: string
}) {
  const most = scaleOf(Math.max(0, ...days.map(({ parts }) => parts.reduce((a, b) => a + b, 0))))
  const floor = height - bottom
  const room = (width - left - 8) / Math.max(1, days.length)
  const wide = Math.min(22, room * 0.62)
  return (
    <svg className="wall-curves" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <Axes width={width} height={height} most={most} labels={[]} every={1} />
      {days.map(({ day, parts }, i) => {
        const x = left + room * (i + 0.5) - wide / 2
        let y = floor
        return (
          <g key={day}>
            {parts.map((n, level) => {
              const tall = (n / most) * (floor - top)
              y -= tall
              return tall > 0 ? (
                <rect key={level} className={`wall-level-fill-${level + 1}`} x={x} y={y} width={wide} height={Math.max(1, tall - 1)} />
              ) : null
            })}
            {(days.length < 9 || i % 3 === 0) && (
              <text className="wall-day" x={x + wide / 2} y={height - 4} textAnchor="middle">
                {day.slice(5)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
