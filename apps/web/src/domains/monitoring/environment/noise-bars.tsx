import { hourMs } from '@zhugong/contract/kit/time'
import type { LinePoint } from '@zhugong/contract/telemetry/model'
import { dark } from '#kit/colors.ts'
import { pathOf, useSize } from '../plan-view.tsx'

/** Equivalent noise level of each hour of today: energy mean, not mean of decibels. */
export function hourlyNoise(points: readonly LinePoint[], metric: string, dayStart: number): (number | undefined)[] {
  const sums = Array.from({ length: 24 }, () => ({ energy: 0, n: 0 }))
  for (const point of points) {
    const mean = point.v[metric]?.[0]
    const sum = sums[Math.floor((point.time - dayStart) / hourMs)]
    if (mean === undefined || !sum) continue
    sum.energy += 10 ** (mean / 10) * point.n
    sum.n += point.n
  }
  return sums.map(({ energy, n }) => (n === 0 ? undefined : 10 * Math.log10(energy / n)))
}

/** Today's hours as bars against a limit that changes at 6 and 22. */
export function NoiseBars({
  hours,
  day,
  night,
  nowHour,
}: {
  hours: readonly (number | undefined)[]
  day: number
  night: number
  nowHour: number
}) {
  const [ref, width] = useSize<HTMLDivElement>()
  const height = 84
  const left = 26
  const low = 35
  const high = Math.max(day + 6, ...hours.map((one) => one ?? 0)) + 2
  const step = (width - left - 6) / 24
  const x = (hour: number) => left + hour * step
  const y = (db: number) => height - 16 - ((Math.max(low, db) - low) / (high - low)) * (height - 24)
  const words = hours.flatMap((db, hour) => (db === undefined ? [] : [`${hour} 时 ${db.toFixed(0)}`])).join('，')
  return (
    <div ref={ref} style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`今日小时噪声 ${words || '没有数据'}，昼间限值 ${day}，夜间限值 ${night}`}
        >
          {hours.map((db, hour) =>
            db === undefined ? null : (
              <rect
                key={`${hour}h`}
                x={x(hour) + 1}
                width={Math.max(2, step - 2)}
                y={y(db)}
                height={height - 16 - y(db)}
                fill={db > (hour >= 6 && hour < 22 ? day : night) ? dark.warning : hour === nowHour ? dark.accent : dark.edge}
              />
            ),
          )}
          <path
            d={pathOf([
              [x(0), y(night)],
              [x(6), y(night)],
              [x(6), y(day)],
              [x(22), y(day)],
              [x(22), y(night)],
              [x(24), y(night)],
            ])}
            fill="none"
            stroke={dark.alarm}
            strokeDasharray="4 3"
          />
          <g fontSize={11} fill={dark.label}>
            {[night, day].map((db) => (
              <text key={db} x={left - 4} y={y(db) + 4} textAnchor="end">
                {db}
              </text>
            ))}
            {[0, 6, 12, 18, 24].map((hour) => (
              <text key={hour} x={x(hour)} y={height - 3} textAnchor={hour === 24 ? 'end' : 'middle'}>
                {hour} 时
              </text>
            ))}
          </g>
        </svg>
      )}
    </div>
  )
}
