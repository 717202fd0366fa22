import { teamRankList } from '@zhugong/contract/attendance/stats'
import { DataTable } from '#kit/data-table.tsx'
import { Card } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo } from '#kit/page.tsx'
import { Count } from './count-link.tsx'
import type { Behind } from './people-drawer.tsx'
import type { Unit } from './stats-query.ts'
import { steadiness, type UnitDays } from './stats-words.ts'

export function Ranking({
  query,
  units,
  onTeam,
}: {
  query: { projectCode: string; startDate: string; endDate: string; workRole: string | undefined; workType?: string }
  units: readonly UnitDays[]
  onTeam: (unit: Unit, state: Behind['state'], words: string) => void
}) {
  const go = useGo()
  const list = useListPage(teamRankList, { scope: query, inUrl: false })
  const steady = new Map(units.map((u) => [u.teamSysNo, steadiness(u.days)]))
  const unitOf = (r: { code: string; corpCode: string | null; name: string | null }): Unit => ({
    corpCode: r.corpCode,
    teamSysNo: r.code,
    name: r.name ?? '',
  })
  return (
    <Card title="排名" remark="稳定率 = 平均到场 ÷ 最多到场；只在同工种之间比较" flush className="wide att-rank">
      <DataTable
        list={list}
        rowKey="code"
        unit="个"
        name="attendance-team-rank"
        exportTitle="班组考勤统计"
        emptyHint="这段时间没有班组在场"
        columns={[
          { key: 'rank', width: 56, align: 'right', locked: true, value: (r) => r.rank },
          {
            key: 'name',
            width: 130,
            locked: true,
            value: (r) => (
              <button type="button" className="zg-bare zg-link" onClick={() => onTeam(unitOf(r), 'inPlace', '在册')}>
                {r.name}
              </button>
            ),
          },
          { key: 'corpName', width: 180, weak: true, value: (r) => r.corpName },
          { key: 'inPlace', width: 64, align: 'right', value: (r) => thousands(r.inPlace) },
          { key: 'expected', width: 84, align: 'right', value: (r) => thousands(r.expected) },
          { key: 'arrived', width: 84, align: 'right', value: (r) => thousands(r.arrived) },
          { key: 'rate', width: 84, align: 'right', value: (r) => (r.rate === null ? '--' : r.rate.toFixed(2)) },
          { key: 'steady', width: 76, align: 'right', value: (r) => steady.get(r.code)?.toFixed(0) },
          { key: 'days', width: 84, align: 'right', value: (r) => thousands(r.days) },
          { key: 'hoursADay', width: 92, align: 'right', value: (r) => r.hoursADay?.toFixed(1) },
          {
            key: 'overlong',
            width: 84,
            align: 'right',
            value: (r) => <Count n={r.overlong} onClick={() => onTeam(unitOf(r), 'overlong', '单日超过 11 小时')} />,
          },
          { key: 'correctedPercent', width: 92, align: 'right', value: (r) => r.correctedPercent?.toFixed(1) },
          { key: 'latePercent', width: 92, align: 'right', value: (r) => r.latePercent?.toFixed(1) },
        ]}
        actions={(r) => [
          { label: '月表', onClick: () => go('/attendance', { unit: `${r.corpCode ?? ''}|${r.code}`, month: query.endDate.slice(0, 7) }) },
          { label: '当日', onClick: () => go('/checkingList', { corpCode: r.corpCode ?? '', teamSysNo: r.code, date: query.endDate }) },
        ]}
      />
    </Card>
  )
}
