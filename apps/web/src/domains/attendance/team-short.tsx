import { listTeams } from '@zhugong/contract/labour/teams'
import { useCall } from '#kit/call.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { most } from './stats-query.ts'
import { percent, type UnitDays } from './stats-words.ts'
import { shortPercent } from './team-board.tsx'

export function ShortToday({
  short,
  date,
  projectCode,
  onTeam,
}: {
  short: readonly { unit: UnitDays; day: { expected: number; arrived: number } }[]
  date: string
  projectCode: string
  onTeam: (unit: UnitDays) => void
}) {
  const teams = useCall(listTeams, { query: { projectCode, size: most } }, { quiet: true, staleMs: 300_000 })
  const leaderOf = new Map((teams.data?.list ?? []).map((t) => [String(t.teamSysNo), t]))
  return (
    <Card title="缺员班组" remark={date} flush>
      {short.length === 0 ? (
        <Empty small text="没有缺员的班组" hint={`缺员超过 ${shortPercent} % 的班组列在这里`} />
      ) : (
        <ul className="att-short">
          {short.slice(0, 12).map(({ unit, day }) => {
            const leader = leaderOf.get(unit.teamSysNo ?? '')
            return (
              <li key={unit.key}>
                <button type="button" className="zg-bare zg-link" onClick={() => onTeam(unit)}>
                  {unit.name}
                </button>
                <b className="tone-danger">缺 {day.expected - day.arrived} 人</b>
                <span className="zg-2">
                  应到 {day.expected}，已到 {day.arrived}（{percent(day.arrived, day.expected)?.toFixed(0)} %）
                </span>
                {leader?.teamLeaderName && <span className="zg-2">班组长 {leader.teamLeaderName}</span>}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
