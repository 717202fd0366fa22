import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { meterEntryKinds } from '@zhugong/contract/monitoring/meter/meter-entries'
import { findMeterReadings, meterReadingList } from '@zhugong/contract/monitoring/meter/meter-lists'
import { electricInfo } from '@zhugong/contract/monitoring/meter/meters'
import { Segmented } from 'antd'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known, Tag } from '#kit/feedback.tsx'
import { measure, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { columnsOption } from '../analysis-charts.ts'
import { FamilyRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { EntriesButton } from './meter-entries.tsx'

type Reading = OutputFor<typeof findMeterReadings>['list'][number]
const steps = { '15m': '15 分钟', hour: '小时', day: '日' } as const
type Step = keyof typeof steps
const isStep = (text: string | null): text is Step => text !== null && Object.hasOwn(steps, text)
/** Most columns drawn; the newest are kept. */
const drawnRows = 96

/** What did this meter read and use, hour by hour? */
export default function ElectricRecordPage() {
  const scope = useFamilyScope({ family: 'electricMeter', usual: '1', one: true })
  const requested = usePageQuery().get('by')
  const step: Step = isStep(requested) ? requested : 'hour'
  const fixed = { ...scope.query, kind: 'electric' as const, step }
  const known = scope.deviceId !== undefined
  const list = useListPage(meterReadingList, {
    scope: fixed,
    own: scope.own,
    defaultSort: '-time',
    enabled: known,
    waitsFor: scope.requested,
  })
  const info = useCall(electricInfo, { params: { id: scope.deviceId ?? '' } }, { quiet: true, keepPrevious: true, enabled: known })
  const drawn = useCall(
    findMeterReadings,
    { query: { ...fixed, sort: '-time', size: drawnRows } },
    { quiet: true, keepPrevious: true, enabled: known },
  )
  const rows = useMemo(() => [...(drawn.data?.list ?? [])].reverse(), [drawn.data])
  const value = (key: string, digits: number) => (r: Reading) => measure(r.values[key], digits)
  const columns: ColumnOf<typeof meterReadingList>[] = [
    { key: 'time', width: 150, locked: true, sort: true, value: (r) => time(r.time).slice(0, step === 'day' ? 10 : 16) },
    { key: 'reading', width: 112, align: 'right', value: (r) => measure(r.reading, 2) },
    {
      key: 'usage',
      width: 112,
      align: 'right',
      locked: true,
      filter: 'numeric-range',
      value: (r) => (
        <span>
          {measure(r.usage, 2)} {r.estimated && <Tag tone="warning">估算</Tag>}
          {r.entered === 'reading' && <Tag tone="fine">人工</Tag>}
        </span>
      ),
    },
    {
      key: 'estimated',
      width: 84,
      filter: 'single',
      options: [
        { value: '1', label: '估算' },
        { value: '0', label: '实抄' },
      ],
      hidden: true,
      value: (r) => (r.estimated ? '估算' : '实抄'),
    },
    {
      key: 'rollback',
      width: 112,
      value: (r) => (r.rollback ? <Tag tone="warning">{r.entered === 'change' ? '换表' : '换表或翻转'}</Tag> : null),
    },
    { key: 'entered', width: 100, hidden: true, value: (r) => (r.entered ? meterEntryKinds[r.entered] : null) },
    { key: 'activePower', width: 124, align: 'right', value: value('activePower', 2) },
    { key: 'voltageA', width: 112, align: 'right', value: value('voltageA', 1) },
    { key: 'voltageB', width: 112, align: 'right', weak: true, value: value('voltageB', 1) },
    { key: 'voltageC', width: 112, align: 'right', weak: true, value: value('voltageC', 1) },
    { key: 'currentA', width: 112, align: 'right', value: value('currentA', 2) },
    { key: 'currentB', width: 112, align: 'right', weak: true, value: value('currentB', 2) },
    { key: 'currentC', width: 112, align: 'right', weak: true, value: value('currentC', 2) },
    { key: 'powerFactor', width: 92, align: 'right', value: value('powerFactor', 3) },
    { key: 'residualCurrent', width: 128, align: 'right', value: value('residualCurrent', 0) },
    { key: 'cableTemperature', width: 124, align: 'right', value: value('cableTemperature', 1) },
  ]
  const sums = info.data
  const meter = scope.devices.find((one) => one.id === scope.deviceId)
  return (
    <FamilyRecord
      scope={scope}
      unit="电表"
      periods={['1', '7', '30', '90']}
      loading={!info.data && (known || !scope.settled)}
      figures={[
        { label: '今日用电', value: measure(sums?.todayUsage, 1), unit: 'kWh', remark: `昨日 ${measure(sums?.yesterdayUsage, 1)}` },
        {
          label: '本月用电',
          value: thousands(sums?.monthUsage === null || sums === undefined ? undefined : Math.round(sums.monthUsage)),
          unit: 'kWh',
        },
        {
          label: '月定额',
          value: sums?.quota === null || sums === undefined ? '未设置' : thousands(sums.quota),
          unit: sums?.quota ? 'kWh' : '',
        },
        { label: '倍率', value: sums ? `× ${sums.ratio}` : undefined, remark: '用量 = 读数差 × 倍率' },
      ]}
      titleActions={
        <>
          <EntriesButton
            meter={meter && { family: 'electricMeter', deviceId: meter.id, deviceName: meter.name, projectCode: meter.projectCode }}
          />
          <Segmented
            aria-label="间隔"
            value={step}
            options={Object.entries(steps).map(([key, label]) => ({ value: key, label }))}
            onChange={(key) => scope.put({ by: String(key) })}
          />
        </>
      }
      above={
        <Card title="用量与功率" remark={drawn.data && `${scope.deviceName ?? ''} 最近 ${rows.length} 个${steps[step]}间隔`}>
          {rows.length === 0 ? (
            <Known of={[scope.requested, drawn]}>
              <Empty small text="这段时间没有读数" />
            </Known>
          ) : (
            <Chart
              height={180}
              label={`${scope.deviceName ?? '电表'} 每${steps[step]}用量与平均功率`}
              option={columnsOption({
                names: rows.map((one) => time(one.time).slice(step === 'day' ? 5 : 11, step === 'day' ? 10 : 16)),
                unit: 'kWh',
                rightUnit: 'kW',
                series: [
                  { name: '用量', values: rows.map((one) => (one.estimated || one.entered ? null : one.usage)), stack: 'use' },
                  { name: '人工抄表、换表', values: rows.map((one) => (one.entered && !one.estimated ? one.usage : null)), stack: 'use' },
                  { name: '估算用量', values: rows.map((one) => (one.estimated ? one.usage : null)), stack: 'use' },
                  { name: '平均功率', values: rows.map((one) => one.values.activePower ?? null), line: true, right: true },
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
        rowKey={(row) => `${row.deviceId}${row.time}`}
        unit="条"
        emptyHint={known ? '这段时间电表没有上报' : '范围内没有电表'}
        actions={(row) => [{ label: '实时', href: hrefOf('/electric', { deviceId: row.deviceId }) }]}
      />
    </FamilyRecord>
  )
}
