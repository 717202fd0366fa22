import { findLiftDays, liftDayList } from '@zhugong/contract/monitoring/lift/lift-lists'
import { liftStatus } from '@zhugong/contract/monitoring/lift/lift-live'
import { cageNames } from '@zhugong/contract/monitoring/lift/lift-runs'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { badCount, deviceColumn, noDriverMinutes, projectColumn } from '../cycles/columns.tsx'
import { dayColumns, useDayRows } from '../family-day.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { dueSoonDays, ExpiryWords } from './expiry.tsx'

/** One row per lift and day. */
export default function LiftDayPage() {
  const scope = useFamilyScope({ family: 'lifter', usual: '7' })
  const days = useDayRows(scope, '请核查升降机监测数据上报、开门运行与防坠器标定情况，整改后答复。', {
    readings: '/equipment/monitor',
    cycles: { label: '运行循环', path: '/equipment/handling' },
  })
  const fixed = { ...scope.query, groupBy: 'day' as const }
  const list = useListPage(liftDayList, { scope: fixed, own: scope.own, defaultSort: '-doorOpenRuns' })
  const now = useCall(liftStatus, { query: { projectCode: scope.projectCode, size: 1 } }, { quiet: true })
  const count = (query: Partial<Record<'doorOpenRuns' | 'overPersonRuns', string>>) => ({ query: { ...fixed, ...query, size: 1 } })
  const doors = useCall(findLiftDays, count({ doorOpenRuns: '1,' }), { quiet: true, keepPrevious: true })
  const overs = useCall(findLiftDays, count({ overPersonRuns: '1,' }), { quiet: true, keepPrevious: true })
  const columns: ColumnOf<typeof liftDayList>[] = [
    ...projectColumn(scope, 176),
    deviceColumn(132),
    { key: 'cage', width: 72, hidden: true, value: (r) => cageNames[r.cage] ?? r.cage },
    dayColumns.day,
    dayColumns.reportPercent,
    { key: 'runs', width: 76, align: 'right', sort: true, value: (r) => thousands(r.runs) },
    { key: 'persons', width: 84, align: 'right', value: (r) => thousands(r.persons) },
    {
      key: 'overPersonRuns',
      width: 92,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => badCount(r.overPersonRuns),
    },
    {
      key: 'doorOpenRuns',
      width: 100,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => badCount(r.doorOpenRuns),
    },
    { key: 'maxLoadPercent', width: 112, align: 'right', sort: true, value: (r) => measure(r.maxLoadPercent, 0) },
    noDriverMinutes,
    { key: 'alarmCount', width: 72, align: 'right', value: (r) => r.alarmCount },
    { key: 'safetyDeviceExpiry', width: 168, value: (r) => <ExpiryWords date={r.safetyDeviceExpiry} days={r.expiryDays} /> },
    { key: 'expiryDays', width: 92, align: 'right', sort: true, filter: 'numeric-range', hidden: true, value: (r) => r.expiryDays },
    days.column,
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
      <DataTable list={list} columns={columns} emptyHint="范围内没有在用的升降机" {...days.table} />
      {days.form}
    </FamilyRecord>
  )
}
