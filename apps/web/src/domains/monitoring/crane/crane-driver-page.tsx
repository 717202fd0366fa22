import { leastCycles } from '@zhugong/contract/monitoring/analysis'
import { craneCycleGroupList, findCycleGroups } from '@zhugong/contract/monitoring/crane/crane-lists'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { badCount } from '../cycles/columns.tsx'
import { useDriverGroups } from '../cycles/driver-groups.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { HeatBoard } from '../heat-board.tsx'

/** Cycles by driver, crane or hour of the day. */
export default function CraneDriverPage() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '30' })
  const groups = useDriverGroups(scope, {
    unit: '塔机',
    groupings: { driver: '按司机', device: '按塔机', hour: '按时段' },
    path: '/tower/handling',
    link: '看吊装循环',
  })
  const { by } = groups
  const list = useListPage(craneCycleGroupList, { scope: { ...scope.query, groupBy: by }, own: scope.own, defaultSize: 50 })
  const heat = useCall(
    findCycleGroups,
    { query: { ...scope.query, groupBy: 'weekday,hour', size: 200 } },
    { quiet: true, keepPrevious: true },
  )
  const cells = (heat.data?.list ?? []).map((one) => {
    const [weekday = '0', hour = '0'] = one.key.split('/')
    return { weekday: Number(weekday), hour: Number(hour), value: one.cycles, title: `${one.cycles} 吊，超力矩 ${one.overMoment} 吊` }
  })
  const sum = (pick: (one: { cycles: number; overMoment: number; illegal: number; unrecognised: number }) => number) =>
    heat.data?.list.reduce((total, one) => total + pick(one), 0)
  const cycles = sum((one) => one.cycles)
  const illegal = sum((one) => one.illegal)
  const columns: ColumnOf<typeof craneCycleGroupList>[] = [
    groups.columns.name(128),
    groups.columns.deviceNames(160),
    groups.columns.days,
    { key: 'cycles', width: 76, align: 'right', value: (r) => thousands(r.cycles) },
    { key: 'perHour', width: 104, align: 'right', value: (r) => measure(r.perHour, 1) },
    { key: 'overMoment', width: 104, align: 'right', value: (r) => badCount(r.overMoment) },
    { key: 'overWind', width: 104, align: 'right', value: (r) => r.overWind },
    { key: 'illegal', width: 92, align: 'right', hidden: true, value: (r) => r.illegal },
    {
      key: 'illegalPercent',
      width: 128,
      align: 'right',
      value: (r) => (r.cycles < leastCycles ? <Tag>不足 {leastCycles} 吊</Tag> : r.illegalPercent.toFixed(1)),
    },
    { key: 'maxMomentPercent', width: 112, align: 'right', value: (r) => measure(r.maxMomentPercent, 0) },
    { key: 'averageSeconds', width: 112, align: 'right', value: (r) => r.averageSeconds },
    { key: 'unrecognised', width: 128, align: 'right', hidden: by === 'driver', value: (r) => r.unrecognised },
    groups.columns.notice,
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="塔机"
      periods={['7', '30', '90']}
      loading={!heat.data}
      figures={[
        { label: '吊次', value: thousands(cycles), unit: '吊', remark: scope.words },
        { label: '超力矩吊次', value: thousands(sum((one) => one.overMoment)), unit: '吊' },
        { label: '违章率', value: cycles ? (((illegal ?? 0) / cycles) * 100).toFixed(1) : '--', unit: '%', remark: '超力矩或超风速' },
        { label: '未识别司机', value: thousands(sum((one) => one.unrecognised)), unit: '吊' },
      ]}
      titleActions={groups.control}
      above={
        <Card title="一周吊次" remark="星期 × 时段，颜色越深吊次越多；斜纹为没有吊装">
          <HeatBoard cells={cells} unit="吊" />
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        unit={groups.unit}
        emptyHint="这段时间没有吊装"
        actions={(row) => groups.actions(row, `${row.cycles} 吊，违章率 ${row.illegalPercent.toFixed(1)} %`)}
      />
      {groups.form}
    </FamilyRecord>
  )
}
