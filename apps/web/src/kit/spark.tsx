import { colors } from './colors.ts'

/** A sparkline without axes; a dot marks the last value. */
export function Spark({
  values,
  color = colors.primary,
  width = 48,
  height = 22,
}: {
  values: readonly number[]
  color?: string
  width?: number
  height?: number
}) {
  if (values.length < 2) return null
  const low = Math.min(...values)
  const range = Math.max(...values) - low || 1
  const points = values.map(
    (v, i) => [2 + (i / (values.length - 1)) * (width - 5), height - 3 - ((v - low) / range) * (height - 6)] as const,
  )
  const [lastX, lastY] = points.at(-1) ?? [0, 0]
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  return (
    <svg width={width} height={height} aria-hidden="true">
      <polygon points={`2,${height} ${line} ${lastX},${height}`} fill={color} opacity=".1" />
      <polyline points={line} fill="none" stroke={color} strokeWidth="1.5" />
      <circle cx={lastX} cy={lastY} r="2" fill={color} />
    </svg>
  )
}
