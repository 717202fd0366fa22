import { towerOnline } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { craneDayList, findCraneDays } from '@zhugong/contract/monitoring/crane/crane-lists'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { deviceColumn, noDriverMinutes, projectColumn } from '../cycles/columns.tsx'
import { dayColumns, leastReport, useDayRows } from '../family-day.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'

/** One row per crane and day. */
export default function CraneDayPage() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '7' })
  const days = useDayRows(scope, '请核查塔机监测数据上报与司机识别情况，恢复正常后答复。', {
    readings: '/tower/monitoringRecord',
    cycles: { label: '吊装循环', path: '/tower/handling' },
  })
  const fixed = { ...scope.query, groupBy: 'day' as const }
  const list = useListPage(craneDayList, { scope: fixed, own: scope.own, defaultSort: 'reportPercent' })
  const count = (query: Partial<Record<'reportPercent' | 'noDriverMinutes' | 'cycles', string>>) => ({
    query: { ...fixed, ...query, size: 1 },
  })
  const low = useCall(findCraneDays, count({ reportPercent: `,${leastReport - 0.1}` }), { quiet: true, keepPrevious: true })
  const unknown = useCall(findCraneDays, count({ noDriverMinutes: '0.1,' }), { quiet: true, keepPrevious: true })
  const online = useCall(towerOnline, { query: { projectCode: scope.projectCode, groupBy: 'device', size: 1 } }, { quiet: true })
  const columns: ColumnOf<typeof craneDayList>[] = [
    ...projectColumn(scope, 176),
    deviceColumn(104),
    { key: 'recordNo', width: 120, hidden: true, value: (r) => r.recordNo },
    dayColumns.day,
    dayColumns.reportPercent,
    { key: 'workHours', width: 92, align: 'right', sort: true, value: (r) => r.workHours.toFixed(1) },
    { key: 'cycles', width: 76, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.cycles },
    {
      key: 'maxMomentPercent',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => measure(r.maxMomentPercent, 0),
    },
    { key: 'maxWindSpeed', width: 116, align: 'right', value: (r) => measure(r.maxWindSpeed, 1) },
    {
      key: 'alarmCount',
      width: 132,
      align: 'right',
      sort: true,
      value: (r) => (
        <span>
          {r.alarmCount}
          {r.graveCount > 0 && <span className="tone-danger">（一二级 {r.graveCount}）</span>}
        </span>
      ),
    },
    { key: 'graveCount', width: 100, align: 'right', hidden: true, value: (r) => r.graveCount },
    { key: 'lateCount', width: 92, align: 'right', value: (r) => r.lateCount },
    { ...noDriverMinutes, sort: true },
    days.column,
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="塔机"
      periods={['1', '7', '30']}
      loading={!low.data}
      figures={[
        { label: '在用塔机', value: online.data ? online.data.online + online.data.offline : undefined, unit: '台' },
        { label: '当前在线', value: online.data?.online, unit: '台' },
        {
          label: `上报率不足 ${leastReport} %`,
          value: thousands(low.data?.total),
          unit: '台·日',
          remark: scope.words,
          tone: low.data?.total ? 'warning' : undefined,
        },
        {
          label: '未识别司机作业',
          value: thousands(unknown.data?.total),
          unit: '台·日',
          remark: scope.words,
          tone: unknown.data?.total ? 'warning' : undefined,
        },
      ]}
    >
      <DataTable list={list} columns={columns} emptyHint="范围内没有在用的塔机" {...days.table} />
      {days.form}
    </FamilyRecord>
  )
}
