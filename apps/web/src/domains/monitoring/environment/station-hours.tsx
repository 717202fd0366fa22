import { stationHourList } from '@zhugong/contract/monitoring/environment/environment-lists'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Tag } from '#kit/feedback.tsx'
import { measure, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import type { FamilyScope } from '../family-scope.tsx'

const metricNames: Readonly<Record<string, string>> = { pm10: 'PM10', pm25: 'PM2.5', tsp: 'TSP', noise: '噪声' }
const leastMinutes = 45

/** Table of a station's hours behind the charts. */
export function StationHours({ scope }: { scope: FamilyScope }) {
  const list = useListPage(stationHourList, {
    scope: { ...scope.query, kind: 'hour' },
    defaultSort: '-time',
    inUrl: false,
    enabled: scope.deviceId !== undefined,
    waitsFor: scope.requested,
  })
  const columns: ColumnOf<typeof stationHourList>[] = [
    { key: 'time', width: 128, locked: true, sort: true, value: (r) => time(r.time).slice(0, 16) },
    { key: 'pm10', width: 116, align: 'right', value: (r) => measure(r.pm10, 1) },
    { key: 'pm10Max', width: 96, align: 'right', value: (r) => measure(r.pm10Max, 0) },
    { key: 'pm25', width: 116, align: 'right', value: (r) => measure(r.pm25, 1) },
    { key: 'tsp', width: 108, align: 'right', value: (r) => measure(r.tsp, 0) },
    { key: 'noise', width: 116, align: 'right', value: (r) => measure(r.noise, 1) },
    { key: 'windSpeed', width: 104, align: 'right', weak: true, value: (r) => measure(r.windSpeed, 1) },
    { key: 'windDirection', width: 92, align: 'right', weak: true, value: (r) => measure(r.windDirection, 0) },
    { key: 'temperature', width: 92, align: 'right', hidden: true, value: (r) => measure(r.temperature, 1) },
    { key: 'humidity', width: 92, align: 'right', hidden: true, value: (r) => measure(r.humidity, 0) },
    {
      key: 'minutes',
      width: 92,
      align: 'right',
      value: (r) => (
        <span
          className={r.minutes < leastMinutes ? 'tone-warning' : ''}
          title={r.minutes < leastMinutes ? '不足 45 分钟，不参与统计' : undefined}
        >
          {r.minutes}
        </span>
      ),
    },
    { key: 'permitNo', width: 116, hidden: true, value: (r) => r.permitNo },
    {
      key: 'over',
      width: 132,
      value: (r) =>
        r.over.length > 0 ? (
          <Tag tone={r.permitNo !== null && r.over.join() === 'noise' ? 'warning' : 'danger'}>
            {r.over.map((one) => metricNames[one] ?? one).join('、')}
            {r.permitNo !== null && r.over.includes('noise') ? '（许可期内）' : ''}
          </Tag>
        ) : null,
    },
  ]
  return (
    <Card className="wide" title="小时数据" remark="均值按五分钟值，噪声按能量平均；不足 45 分钟的小时不参与统计" flush>
      <div className="zg-table-box">
        <DataTable list={list} columns={columns} name="station-hours" exportTitle="环境小时数据" unit="小时" emptyHint="这段时间没有数据" />
      </div>
    </Card>
  )
}
