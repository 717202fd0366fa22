import { leastCycles } from '@zhugong/contract/telemetry/analysis'
import { craneCycleGroupList, findCycleGroups } from '@zhugong/contract/telemetry/crane-lists'
import { Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FamilyRecord } from './family-record.tsx'
import { useFamilyScope } from './family-scope.tsx'
import { HeatBoard } from './heat-board.tsx'
import { useTalkNotice } from './talk-notice.tsx'

const groupings = { driver: '按司机', device: '按塔机', hour: '按时段' } as const
type Grouping = keyof typeof groupings
const isGrouping = (text: string | null): text is Grouping => text !== null && Object.hasOwn(groupings, text)

/** Which driver or crane lifts badly, and which works most? */
export default function CraneDriverPage() {
  const scope = useFamilyScope({ family: 'towerCrane', usual: '30' })
  const notice = useTalkNotice(scope.projectCode, '塔机')
  const asked = usePageQuery().get('by')
  const by = isGrouping(asked) ? asked : 'driver'
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
    {
      key: 'name',
      title: by === 'driver' ? '司机' : by === 'device' ? '塔机' : '时段',
      width: 128,
      locked: true,
      value: (r) => (by === 'driver' && r.name === '未识别' ? <span className="tone-warning">未识别</span> : r.name),
    },
    { key: 'deviceNames', width: 160, hidden: by === 'device', value: (r) => r.deviceNames.join('、') },
    { key: 'days', width: 92, align: 'right', value: (r) => r.days },
    { key: 'cycles', width: 76, align: 'right', value: (r) => thousands(r.cycles) },
    { key: 'perHour', width: 104, align: 'right', value: (r) => measure(r.perHour, 1) },
    {
      key: 'overMoment',
      width: 104,
      align: 'right',
      value: (r) => (r.overMoment > 0 ? <span className="tone-danger">{r.overMoment}</span> : 0),
    },
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
    {
      key: 'notice',
      width: 116,
      hidden: by !== 'driver',
      value: (r) => (by === 'driver' ? notice.mark(r) : null),
    },
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
      titleActions={
        <Segmented
          aria-label="分组"
          value={by}
          options={Object.entries(groupings).map(([value, label]) => ({ value, label }))}
          onChange={(value) => scope.put({ by: value === 'driver' ? undefined : String(value) })}
        />
      }
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
        unit={by === 'driver' ? '人' : by === 'device' ? '台' : '时段'}
        emptyHint="这段时间没有吊装"
        actions={(row) => [
          by !== 'hour' && {
            label: '看吊装循环',
            href: hrefOf('/tower/handling', {
              period: scope.period.text,
              ...(by === 'device'
                ? { deviceId: row.key }
                : row.name === '未识别'
                  ? { deviceId: scope.deviceId }
                  : { deviceId: scope.deviceId, driverName: row.name }),
            }),
          },
          by === 'driver' && row.name !== '未识别' && notice.action(row, `${row.cycles} 吊，违章率 ${row.illegalPercent.toFixed(1)} %`),
        ]}
      />
      {notice.form}
    </FamilyRecord>
  )
}
