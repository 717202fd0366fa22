import { leastCycles } from '@zhugong/contract/monitoring/analysis'
import { findLiftRunGroups, liftRunGroupList } from '@zhugong/contract/monitoring/lift/lift-lists'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { badCount } from '../cycles/columns.tsx'
import { useDriverGroups } from '../cycles/driver-groups.tsx'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'

/** Runs by driver or lift. */
export default function LiftDriverPage() {
  const scope = useFamilyScope({ family: 'lifter', usual: '30' })
  const groups = useDriverGroups(scope, {
    unit: '升降机',
    groupings: { driver: '按司机', device: '按升降机' },
    path: '/equipment/handling',
    link: '看运行循环',
  })
  const { by } = groups
  const list = useListPage(liftRunGroupList, { scope: { ...scope.query, groupBy: by }, own: scope.own, defaultSize: 50 })
  const machines = useCall(
    findLiftRunGroups,
    { query: { ...scope.query, groupBy: 'device', size: 200 } },
    { quiet: true, keepPrevious: true },
  )
  const all = machines.data?.list ?? []
  const sum = (pick: (one: (typeof all)[number]) => number) => machines.data && all.reduce((total, one) => total + pick(one), 0)
  const [runs, doors, overs, unknown] = [
    sum((one) => one.runs),
    sum((one) => one.doorOpenRuns),
    sum((one) => one.overPersonRuns),
    sum((one) => one.noRecognitionRuns),
  ]
  const columns: ColumnOf<typeof liftRunGroupList>[] = [
    groups.columns.name(136),
    groups.columns.deviceNames(190),
    groups.columns.days,
    { key: 'runs', width: 84, align: 'right', value: (r) => thousands(r.runs) },
    { key: 'hours', width: 92, align: 'right', value: (r) => r.hours.toFixed(1) },
    { key: 'persons', width: 92, align: 'right', value: (r) => thousands(r.persons) },
    { key: 'overPersonRuns', width: 84, align: 'right', value: (r) => badCount(r.overPersonRuns) },
    { key: 'overLoadRuns', width: 84, align: 'right', value: (r) => badCount(r.overLoadRuns) },
    { key: 'doorOpenRuns', width: 92, align: 'right', value: (r) => badCount(r.doorOpenRuns) },
    { key: 'speedOver', width: 84, align: 'right', value: (r) => badCount(r.speedOver) },
    {
      key: 'illegalPercent',
      width: 128,
      align: 'right',
      value: (r) => (r.runs < leastCycles ? <Tag>不足 {leastCycles} 次</Tag> : r.illegalPercent.toFixed(1)),
    },
    { key: 'kilometers', width: 92, align: 'right', value: (r) => r.kilometers.toFixed(1) },
    { key: 'averageSeconds', width: 116, align: 'right', weak: true, value: (r) => r.averageSeconds },
    { key: 'noRecognitionRuns', width: 100, align: 'right', hidden: by === 'driver', value: (r) => r.noRecognitionRuns },
    groups.columns.notice,
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="升降机"
      periods={['7', '30', '90']}
      loading={!machines.data}
      figures={[
        { label: '运行', value: thousands(runs), unit: '次', remark: scope.words },
        { label: '开门运行', value: doors, unit: '次', tone: doors ? 'danger' : undefined },
        { label: '超员', value: overs, unit: '次', tone: overs ? 'warning' : undefined },
        {
          label: '未识别司机',
          value: unknown,
          unit: '次',
          remark: runs && unknown !== undefined ? `占 ${((unknown / runs) * 100).toFixed(1)} %` : undefined,
        },
      ]}
      titleActions={groups.control}
      above={
        <Card title="各机行程与运行" remark="左柱为行程（km），右柱为运行次数：维保按运行量安排">
          {all.length === 0 ? (
            <Known of={machines}>
              <Empty small text="这段时间没有运行" />
            </Known>
          ) : (
            <Chart
              height={190}
              label={`${all.length} 台升降机的行程与运行次数`}
              option={columnsOption({
                names: all.map((one) => one.name),
                unit: 'km',
                rightUnit: '次',
                series: [
                  { name: '行程', values: all.map((one) => one.kilometers), color: colors.primary },
                  { name: '运行', values: all.map((one) => one.runs), right: true, color: colors.orange },
                ],
              })}
            />
          )}
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        unit={groups.unit}
        emptyHint="这段时间没有运行"
        actions={(row) => groups.actions(row, `${row.runs} 次运行，违章率 ${row.illegalPercent.toFixed(1)} %`)}
      />
      {groups.form}
    </FamilyRecord>
  )
}
