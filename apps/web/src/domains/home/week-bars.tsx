import type { MainPage } from '@zhugong/contract/home/endpoints'
import { colors } from '#kit/colors.ts'

const height = 150

/** People present on each of the last seven days, today in full blue; the pale part was registered but did not come. */
export function WeekBars({ week }: { week: MainPage['week'] }) {
  const top = Math.max(10, ...week.map((d) => d.onSite))
  const step = 640 / Math.max(1, week.length)
  const y = (n: number) => height - (n / top) * (height - 18)
  return (
    <svg
      className="home-week"
      viewBox={`0 0 640 ${height + 22}`}
      role="img"
      aria-label={`近 ${week.length} 天出勤：${week.map((d) => `${d.day.slice(5)} ${d.attended} 人`).join('，')}`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1="34" x2="640" y1={y(top * share)} y2={y(top * share)} stroke={colors.hairline} />
          <text x="28" y={y(top * share) + 4} fontSize="11" textAnchor="end" fill={colors.text2}>
            {Math.round(top * share)}
          </text>
        </g>
      ))}
      {week.map((d, i) => {
        const today = i === week.length - 1
        const x = 34 + i * ((640 - 34) / week.length) + step * 0.22
        return (
          <g key={d.day}>
            <rect x={x} y={y(d.onSite)} width="34" height={height - y(d.onSite)} fill={colors.line} />
            <rect x={x} y={y(d.attended)} width="34" height={height - y(d.attended)} fill={today ? colors.primary : colors.primarySoft} />
            <text
              x={x + 40}
              y={y(d.attended) + 10}
              fontSize="12"
              fontWeight={today ? 600 : 400}
              fill={today ? colors.primary : colors.text}
            >
              {d.attended}
            </text>
            <text
              x={x + 17}
              y={height + 16}
              fontSize="12"
              textAnchor="middle"
              fontWeight={today ? 600 : 400}
              fill={today ? colors.primary : colors.text2}
            >
              {today ? '今天' : d.day.slice(5)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
