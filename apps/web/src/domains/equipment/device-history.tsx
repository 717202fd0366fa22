import type { getDevice } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { hourMs } from '@zhugong/contract/kit/time'
import { towerLine } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import type { FamilyView, LinePoint } from '@zhugong/contract/telemetry/model'
import { Segmented, Select } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { historyCalls } from './history-calls.ts'

type Device = OutputFor<typeof getDevice>
const periods = [
  { value: 1, label: '1 小时' },
  { value: 6, label: '6 小时' },
  { value: 24, label: '24 小时' },
  { value: 168, label: '7 天' },
]

/** Series of the mean with a band from minimum to maximum; gaps in the data stay open. */
export function seriesOf(
  points: readonly LinePoint[],
  metric: string,
  gapMs: number,
): { mean: [number, number | null][]; low: [number, number | null][]; spread: [number, number | null][] } {
  const mean: [number, number | null][] = []
  const low: [number, number | null][] = []
  const spread: [number, number | null][] = []
  let last = 0
  for (const point of points) {
    const v = point.v[metric]
    if (!v) continue
    if (last && point.time - last > gapMs) for (const one of [mean, low, spread]) one.push([last + 1, null])
    mean.push([point.time, v[0]])
    low.push([point.time, v[1]])
    spread.push([point.time, v[2] - v[1]])
    last = point.time
  }
  return { mean, low, spread }
}

export function DeviceHistory({ device, family }: { device: Device; family: FamilyView | undefined }) {
  const metrics = (family?.metrics ?? []).filter((one) => one.type === 'number')
  const [metric, setMetric] = useState<string>()
  const [hours, setHours] = useState(6)
  // The end of the range is fixed while the page is open, so that the chart does not move.
  const [now] = useState(Date.now)
  const chosen = metric ?? { towerCrane: 'momentPercent', environment: 'pm10' }[device.family] ?? metrics[0]?.key ?? ''
  const field = metrics.find((one) => one.key === chosen)
  const { data, error, isPending, refetch } = useCall(
    historyCalls[device.family] ?? towerLine,
    { query: { deviceId: device.id, startTime: time(now - hours * hourMs), endTime: time(now), metrics: chosen, points: 600 } },
    { quiet: true, enabled: chosen !== '', keepPrevious: true },
  )
  const option = useMemo<ChartOption | undefined>(() => {
    if (!data) return undefined
    const gap = Math.max(3 * device.intervalSeconds * 1000, data.bucketSeconds * 2500)
    const { mean, low, spread } = seriesOf(data.list, chosen, gap)
    if (mean.length === 0) return undefined
    const band = { type: 'line', stack: 'band', symbol: 'none', lineStyle: { opacity: 0 }, tooltip: { show: false }, silent: true }
    return {
      animation: false,
      grid: { left: 52, right: 18, top: 20, bottom: 56 },
      tooltip: {
        trigger: 'axis',
        valueFormatter: (v: unknown) => (typeof v === 'number' ? `${Number(v.toFixed(field?.precision ?? 2))} ${field?.unit ?? ''}` : '--'),
      },
      xAxis: { type: 'time', min: now - hours * hourMs, max: now },
      yAxis: { type: 'value', scale: true },
      dataZoom: [{ type: 'inside' }, { type: 'slider', height: 20, bottom: 8, showDataShadow: false }],
      series: [
        { ...band, data: low },
        { ...band, data: spread, areaStyle: { color: 'rgba(21,88,214,.14)' } },
        {
          type: 'line',
          name: field?.label ?? chosen,
          data: mean,
          symbol: 'none',
          connectNulls: false,
          lineStyle: { width: 1.8, color: colors.primary },
          itemStyle: { color: colors.primary },
        },
      ],
    }
  }, [data, chosen, device.intervalSeconds, field, hours, now])
  return (
    <Card
      title="历史曲线"
      remark={data ? `每 ${data.bucketSeconds} s 一点，色带为最小到最大，缺数据处断开` : undefined}
      actions={
        <>
          <Select
            className="zg-w-150"
            aria-label="指标"
            value={chosen}
            options={metrics.map((one) => ({ value: one.key, label: one.unit ? `${one.label}（${one.unit}）` : one.label }))}
            onChange={setMetric}
          />
          <Segmented value={hours} options={periods} onChange={setHours} />
        </>
      }
    >
      {error && !data ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : isPending ? (
        <TableSkeleton rows={6} columns={3} />
      ) : option ? (
        <Chart option={option} height={360} label={`${field?.label ?? chosen}近 ${hours} 小时的曲线`} />
      ) : (
        <Empty small text="这段时间没有数据" hint="换一个时间段或指标" />
      )}
    </Card>
  )
}
