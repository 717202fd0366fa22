import { findLiftDays, liftDayList } from '@zhugong/contract/monitoring/lift-lists'
import { liftStatus } from '@zhugong/contract/monitoring/lift-live'
import { cageNames } from '@zhugong/contract/monitoring/lift-runs'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { dayOf, reportCell, useDayNotice } from '../family-day.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { ExpiryWords } from './expiry.tsx'

const dueSoonDays = 30

/** Which lifts report, carry too many, run with a door open, or are due for a test? */
export default function LiftDayPage() {
  const scope = useFamilyScope({ family: 'lifter', usual: '7' })
  const go = useGo()
  const notice = useDayNotice(scope.projectCode, '请核查升降机监测数据上报、开门运行与防坠器标定情况，整改后答复。')
  const fixed = { ...scope.query, groupBy: 'day' as const }
  const list = useListPage(liftDayList, { scope: fixed, own: scope.own, defaultSort: '-doorOpenRuns' })
  const now = useCall(liftStatus, { query: { projectCode: scope.projectCode, size: 1 } }, { quiet: true })
  const count = (query: Partial<Record<'doorOpenRuns' | 'overPersonRuns', string>>) => ({ query: { ...fixed, ...query, size: 1 } })
  const doors = useCall(findLiftDays, count({ doorOpenRuns: '1,' }), { quiet: true, keepPrevious: true })
  const overs = useCall(findLiftDays, count({ overPersonRuns: '1,' }), { quiet: true, keepPrevious: true })
  const columns: ColumnOf<typeof liftDayList>[] = [
    ...(scope.projectCode === '*'
      ? [{ key: 'projectName' as const, width: 176, filter: 'text' as const, value: (r: { projectName: string }) => r.projectName }]
      : []),
    { key: 'deviceName', width: 132, locked: true, filter: 'text', value: (r) => r.deviceName },
    { key: 'cage', width: 72, hidden: true, value: (r) => cageNames[r.cage] ?? r.cage },
    { key: 'day', width: 104, sort: true, filter: 'date-range', value: (r) => r.day },
    {
      key: 'reportPercent',
      width: 104,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: reportCell,
    },
    { key: 'runs', width: 76, align: 'right', sort: true, value: (r) => thousands(r.runs) },
    { key: 'persons', width: 84, align: 'right', value: (r) => thousands(r.persons) },
    {
      key: 'overPersonRuns',
      width: 92,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.overPersonRuns > 0 ? <span className="tone-danger">{r.overPersonRuns}</span> : 0),
    },
    {
      key: 'doorOpenRuns',
      width: 100,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.doorOpenRuns > 0 ? <span className="tone-danger">{r.doorOpenRuns}</span> : 0),
    },
    { key: 'maxLoadPercent', width: 112, align: 'right', sort: true, value: (r) => measure(r.maxLoadPercent, 0) },
    {
      key: 'noDriverMinutes',
      width: 128,
      align: 'right',
      filter: 'numeric-range',
      value: (r) => (r.noDriverMinutes > 0 ? <span className="tone-warning">{r.noDriverMinutes.toFixed(0)}</span> : 0),
    },
    { key: 'alarmCount', width: 72, align: 'right', value: (r) => r.alarmCount },
    { key: 'safetyDeviceExpiry', width: 168, value: (r) => <ExpiryWords date={r.safetyDeviceExpiry} days={r.expiryDays} /> },
    { key: 'expiryDays', width: 92, align: 'right', sort: true, filter: 'numeric-range', hidden: true, value: (r) => r.expiryDays },
    { key: 'notice', width: 116, value: notice.mark },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="升降机"
      periods={['1', '7', '30']}
      loading={!now.data}
      figures={[
        {
          label: '在用升降机',
          value: now.data?.total,
          unit: '台',
          remark: now.data && `运行 ${now.data.running}，停止 ${now.data.stopped}，离线 ${now.data.offline}`,
        },
        {
          label: `防坠器 ${dueSoonDays} 日内到期`,
          value: now.data?.dueIn30Days,
          unit: '台',
          remark: '含已过期',
          tone: now.data?.dueIn30Days ? 'warning' : undefined,
        },
        {
          label: '防坠试验逾期',
          value: now.data?.dropTests.overdue,
          unit: '台',
          remark: now.data && `7 日内到期 ${now.data.dropTests.soon}，未登记 ${now.data.dropTests.never}`,
          tone: now.data?.dropTests.overdue ? 'danger' : undefined,
        },
        {
          label: '有开门运行',
          value: thousands(doors.data?.total),
          unit: '台·日',
          remark: scope.words,
          tone: doors.data?.total ? 'danger' : undefined,
        },
        {
          label: '有超员',
          value: thousands(overs.data?.total),
          unit: '台·日',
          remark: scope.words,
          tone: overs.data?.total ? 'warning' : undefined,
        },
      ]}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => `${row.deviceId}${row.day}`}
        unit="台·日"
        onRow={(row) => go('/equipment/monitor', dayOf(row))}
        emptyHint="范围内没有在用的升降机"
        actions={(row) => [
          { label: '读数', href: hrefOf('/equipment/monitor', dayOf(row)) },
          { label: '运行循环', href: hrefOf('/equipment/handling', dayOf(row)) },
          notice.action(row),
        ]}
        selection={notice.selection}
      />
      {notice.form}
    </FamilyRecord>
  )
}
