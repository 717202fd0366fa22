import type { MainPage } from '@zhugong/contract/home/endpoints'
import { colors } from '#kit/colors.ts'

const width = 312
const height = 96

/** Passages at the gates by hour of the work day (from 04:00), compared with the same day last week. */
export function HourCurve({ hours }: { hours: MainPage['hours'] }) {
  const top = Math.max(5, ...hours.flatMap((h) => [h.today ?? 0, h.lastWeek]))
  const x = (i: number) => 8 + (i / Math.max(1, hours.length - 1)) * (width - 16)
  const y = (n: number) => height - 18 - (n / top) * (height - 30)
  const today = hours.flatMap((h, i) => (h.today === null ? [] : [`${x(i).toFixed(1)},${y(h.today).toFixed(1)}`]))
  const before = hours.map((h, i) => `${x(i).toFixed(1)},${y(h.lastWeek).toFixed(1)}`)
  return (
    <svg className="home-hours" viewBox={`0 0 ${width} ${height}`} role="img" aria-label="今日每小时进场人数">
      <line x1="8" x2={width - 8} y1={y(0)} y2={y(0)} stroke={colors.line} />
      <polyline points={before.join(' ')} fill="none" stroke={colors.border} strokeWidth="1.5" />
      {today.length > 1 && <polyline points={today.join(' ')} fill="none" stroke={colors.primary} strokeWidth="2" />}
      {hours.map((h, i) =>
        i % 4 === 0 ? (
          <text key={h.hour} x={x(i)} y={height - 4} fontSize="11" textAnchor="middle" fill={colors.text2}>
            {h.hour}:00
          </text>
        ) : null,
      )}
    </svg>
  )
}
