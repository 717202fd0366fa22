import { hourMs } from '@zhugong/contract/kit/time'
import { dark } from '#kit/colors.ts'
import { useSize } from '../plan-view.tsx'

export interface UseOf {
  time: number
  usage: number
  estimated: boolean
}
const hours = 24
const pad = { left: 40, right: 8, top: 12, bottom: 22 }

/** Consumption by hour of today beside yesterday's; interpolated values are hatched. */
export function UseBars({
  today,
  yesterday,
  dayStart,
  unit,
  label,
}: {
  today: readonly UseOf[]
  yesterday: readonly UseOf[]
  dayStart: number
  unit: string
  label: string
}) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  const of = (list: readonly UseOf[], from: number, hour: number) => list.find((one) => Math.floor((one.time - from) / hourMs) === hour)
  const most = Math.max(0.001, ...today.map((one) => one.usage), ...yesterday.map((one) => one.usage))
  const step = (width - pad.left - pad.right) / hours
  const y = (n: number) => pad.top + (1 - n / most) * (height - pad.top - pad.bottom)
  const foot = height - pad.bottom
  const sum = today.reduce((all, one) => all + one.usage, 0)
  return (
    <div className="mon-trend" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={`${label}，今日合计 ${sum.toFixed(1)} ${unit}`}>
          <defs>
            <pattern id="meter-estimated" width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width={2} height={5} fill={dark.accent} />
            </pattern>
          </defs>
          <g fontSize={12} fill={dark.label}>
            <text x={pad.left - 6} y={y(most) + 4} textAnchor="end">
              {most >= 100 ? most.toFixed(0) : most.toFixed(1)}
            </text>
            <text x={pad.left - 6} y={foot + 4} textAnchor="end">
              0
            </text>
            {[0, 6, 12, 18].map((hour) => (
              <text key={hour} x={pad.left + hour * step} y={height - 6}>
                {hour} 时
              </text>
            ))}
          </g>
          <line x1={pad.left} x2={width - pad.right} y1={foot} y2={foot} stroke={dark.hairline} />
          {Array.from({ length: hours }, (_, hour) => hour).map((hour) => {
            const now = of(today, dayStart, hour)
            const then = of(yesterday, dayStart - 24 * hourMs, hour)
            return (
              <g key={hour}>
                {now && (
                  <rect
                    x={pad.left + hour * step + 2}
                    y={y(now.usage)}
                    width={Math.max(1, step - 4)}
                    height={Math.max(0, foot - y(now.usage))}
                    fill={now.estimated ? 'url(#meter-estimated)' : dark.accent}
                  >
                    <title>{`${hour} 时 ${now.usage.toFixed(2)} ${unit}${now.estimated ? '（估算）' : ''}`}</title>
                  </rect>
                )}
                {then && (
                  <line
                    x1={pad.left + hour * step + 1}
                    x2={pad.left + (hour + 1) * step - 1}
                    y1={y(then.usage)}
                    y2={y(then.usage)}
                    stroke={dark.gone}
                    strokeWidth={2}
                  />
                )}
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}
