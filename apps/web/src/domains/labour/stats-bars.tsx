import { type RatioCell, type RatioKey, ratios } from '@zhugong/contract/labour/tables'
import { useMemo } from 'react'
import type { CallState } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'

const percent = ({ part, whole }: RatioCell) => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10)

export interface Compared {
  key: string
  name: string
  cells: Record<RatioKey, RatioCell>
}

/** Compares up to five rows by ratio, with the required minimum of each. */
export function Comparison({
  rows,
  keys,
  title,
  requested,
}: {
  rows: readonly Compared[]
  keys: readonly RatioKey[]
  title: string
  requested: CallState
}) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'category', data: keys.map((key) => ratios[key].name) },
      yAxis: { type: 'value', max: 100, axisLabel: { formatter: '{value}%' } },
      series: [
        ...rows.map((r) => ({
          type: 'bar',
          name: r.name,
          barMaxWidth: 18,
          data: keys.map((key) => percent(r.cells[key])),
        })),
        {
          type: 'scatter',
          name: '达标线',
          symbol: 'rect',
          symbolSize: [26, 2],
          itemStyle: { color: colors.text },
          data: keys.map((key) => (ratios[key].least === null ? null : ratios[key].least * 100)),
        },
      ],
    }),
    [rows, keys],
  )
  return (
    <Card title={title} remark={rows.length ? '短横为达标线' : undefined}>
      {rows.length === 0 ? (
        <Known of={requested}>
          <Empty small text="没有可比较的数据" />
        </Known>
      ) : (
        <Chart option={option} height={200} label={`${title}：各项比例`} />
      )}
    </Card>
  )
}
