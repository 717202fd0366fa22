import { corpStats, unitRankList } from '@zhugong/contract/attendance/stats'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo } from '#kit/page.tsx'
import { Count } from './count-link.tsx'
import type { Behind } from './people-drawer.tsx'
import type { Period } from './stats-period.tsx'
import { most } from './stats-query.ts'
import { changeWords } from './stats-words.ts'

export function Ranking({
  period,
  onUnit,
}: {
  period: Period
  onUnit: (code: string, name: string, state: Behind['state'], words: string) => void
}) {
  const go = useGo()
  const { projectCode, startDate, endDate, workRole, before } = period
  const list = useListPage(unitRankList, {
    scope: useMemo(() => ({ projectCode, startDate, endDate, workRole }), [projectCode, startDate, endDate, workRole]),
    inUrl: false,
  })
  const past = useCall(corpStats.rank, { query: { projectCode, ...before, workRole, size: most } }, { quiet: true, keepPrevious: true })
  const rateBefore = new Map((past.data?.list ?? []).map((u) => [u.code, u.rate]))
  return (
    <Card title="排名" remark={`与 ${before.startDate} 至 ${before.endDate} 相比；工人与管理人员请分开看`} flush className="wide att-rank">
      <DataTable
        list={list}
        rowKey="code"
        unit="家"
        name="attendance-unit-rank"
        exportTitle="单位考勤统计"
        emptyHint="这段时间没有单位在场"
        columns={[
          { key: 'rank', width: 56, align: 'right', locked: true, value: (r) => r.rank },
          {
            key: 'name',
            width: 220,
            locked: true,
            value: (r) => (
              <button type="button" className="zg-bare zg-link" onClick={() => go('/companySystem/info/basic', { corpCode: r.code })}>
                {r.name}
              </button>
            ),
          },
          { key: 'inPlace', width: 64, align: 'right', value: (r) => thousands(r.inPlace) },
          { key: 'workers', width: 64, align: 'right', value: (r) => thousands(r.workers) },
          { key: 'managers', width: 76, align: 'right', value: (r) => thousands(r.managers) },
          { key: 'expected', width: 84, align: 'right', value: (r) => thousands(r.expected) },
          { key: 'arrived', width: 84, align: 'right', value: (r) => thousands(r.arrived) },
          { key: 'rate', width: 84, align: 'right', value: (r) => (r.rate === null ? '--' : r.rate.toFixed(2)) },
          {
            key: 'change',
            width: 84,
            align: 'right',
            value: (r) => {
              const { text, tone } = changeWords(r.rate, rateBefore.get(r.code))
              return <span className={tone ? `att-change-${tone}` : 'zg-2'}>{text}</span>
            },
          },
          { key: 'days', width: 84, align: 'right', value: (r) => thousands(r.days) },
          { key: 'hours', width: 84, align: 'right', value: (r) => thousands(r.hours.toFixed(1)) },
          { key: 'hoursADay', width: 92, align: 'right', value: (r) => r.hoursADay?.toFixed(1) },
          {
            key: 'overlong',
            width: 84,
            align: 'right',
            value: (r) => <Count n={r.overlong} onClick={() => onUnit(r.code, r.name ?? '', 'overlong', '单日超过 11 小时')} />,
          },
          { key: 'correctedPercent', width: 92, align: 'right', value: (r) => r.correctedPercent?.toFixed(1) },
          { key: 'latePercent', width: 92, align: 'right', value: (r) => r.latePercent?.toFixed(1) },
        ]}
        actions={(r) => [
          { label: '缺勤', onClick: () => onUnit(r.code, r.name ?? '', 'absent', '缺勤') },
          { label: '补录', onClick: () => onUnit(r.code, r.name ?? '', 'corrected', '含补录的出勤') },
          { label: '月表', onClick: () => go('/attendance', { unit: r.code, month: endDate.slice(0, 7) }) },
        ]}
      />
    </Card>
  )
}
