import { getHomeReport } from '@zhugong/contract/home/endpoints'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { Filled, Swatch } from '#kit/filled.tsx'
import { type RiskLevel, riskLevels } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'

const days = 7
const levels = [1, 2, 3, 4] as const
const width = 320
const height = 120

/** Alarms of the week, and trades on site. */
export function TrendCards({ week }: { week: readonly { day: string }[] }) {
  const projectCode = useProjectCode()
  const { data, error, refetch } = useCall(
    getHomeReport,
    { query: { days, projectCode: projectCode === '*' ? undefined : projectCode } },
    { quiet: true, everyMs: 60_000, keepPrevious: true },
  )
  const shown = (card: React.ReactNode) => (error ? <ErrorPanel error={error} retry={refetch} /> : data ? card : <TableSkeleton rows={3} />)
  const trades = data?.trades.slice(0, 6) ?? []
  const most = Math.max(1, ...trades.map((trade) => trade.count))
  return (
    <div className="home-trends">
      <Card
        title="近 7 日告警"
        actions={
          <span className="home-legend">
            {levels.map((level) => (
              <span key={level}>
                <Swatch color={riskLevels[level].ground} /> {level} 级
              </span>
            ))}
          </span>
        }
        flush
      >
        {shown(<AlarmDays week={week} alarms={data?.alarms ?? []} />)}
      </Card>
      <Card title="在册工种" remark={`前 ${Math.max(1, trades.length)} 类`} flush>
        {shown(
          trades.length === 0 ? (
            <Empty small text="没有在册人员" />
          ) : (
            <ul className="home-trades">
              {trades.map((trade) => (
                <li key={trade.name}>
                  <span title={trade.name}>{trade.name}</span>
                  <span className="bar" aria-hidden="true">
                    <Filled part={trade.count} whole={most} />
                  </span>
                  <span className="zg-num">{trade.count}</span>
                </li>
              ))}
            </ul>
          ),
        )}
      </Card>
    </div>
  )
}

type Alarms = { day: string; level1: number; level2: number; level3: number; level4: number }
const countOf = (one: Alarms | undefined, level: RiskLevel): number => one?.[`level${level}`] ?? 0

function AlarmDays({ week, alarms }: { week: readonly { day: string }[]; alarms: readonly Alarms[] }) {
  const rows = week.map(({ day }) => ({ day, found: alarms.find((one) => one.day === day) }))
  const total = (found: Alarms | undefined) => levels.reduce<number>((n, level) => n + countOf(found, level), 0)
  const top = Math.max(4, ...rows.map(({ found }) => total(found)))
  const step = width / Math.max(1, rows.length)
  const scale = (height - 22) / top
  return (
    <svg
      className="home-alarm-days"
      viewBox={`0 0 ${width} ${height + 20}`}
      role="img"
      aria-label={`近 ${rows.length} 天告警：${rows.map(({ day, found }) => `${day.slice(5)} ${total(found)} 条`).join('，')}`}
    >
      <line x1="0" x2={width} y1={height} y2={height} stroke={colors.line} />
      {rows.map(({ day, found }, i) => {
        const x = i * step + step / 2
        let y = height
        return (
          <g key={day}>
            {[...levels].reverse().map((level) => {
              const tall = countOf(found, level) * scale
              y -= tall
              return tall > 0 ? <rect key={level} x={x - 11} y={y} width="22" height={tall} fill={riskLevels[level].ground} /> : null
            })}
            <text x={x} y={y - 5} fontSize="11" textAnchor="middle" fill={colors.text}>
              {total(found)}
            </text>
            <text x={x} y={height + 15} fontSize="11" textAnchor="middle" fill={colors.text2}>
              {i === rows.length - 1 ? '今天' : day.slice(5)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
