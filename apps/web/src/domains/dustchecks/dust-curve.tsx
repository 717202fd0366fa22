import type { DustDetail } from '@zhugong/contract/dustchecks/calls'
import { useMemo } from 'react'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty } from '#kit/feedback.tsx'
import { minuteOfDay } from '#kit/format.ts'

/** Hourly limit of PM10 (GB 3095-2012, class 2), as on the page of the stations. */
const limit = 150

/** PM10 around the check with spray runs and wind; where the station said nothing, the line is broken. */
export function DustCurve({ curve, sprays, at }: Pick<DustDetail, 'curve' | 'sprays'> & { at: number }) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 48, right: 48, top: 32, bottom: 28 },
      legend: { top: 0, data: ['PM10', '风速'] },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'time', axisLabel: { formatter: (value: number) => minuteOfDay(value) } },
      yAxis: [
        { type: 'value', name: 'μg/m³', min: 0 },
        { type: 'value', name: 'm/s', min: 0, splitLine: { show: false } },
      ],
      series: [
        {
          name: 'PM10',
          type: 'line',
          showSymbol: false,
          connectNulls: false,
          color: colors.primary,
          data: curve.map((one) => [one.at, one.pm10]),
          markLine: {
            symbol: 'none',
            data: [
              { xAxis: at, name: '检查', label: { formatter: '检查' } },
              { yAxis: limit, name: '限值', label: { formatter: `限值 ${limit}` } },
            ],
          },
          markArea: {
            itemStyle: { opacity: 0.15 },
            data: sprays.map((one) => [{ xAxis: one.from, name: '喷淋' }, { xAxis: Math.max(one.to, one.from + 60_000) }]),
          },
        },
        {
          name: '风速',
          type: 'line',
          yAxisIndex: 1,
          showSymbol: false,
          connectNulls: false,
          color: colors.text2,
          lineStyle: { type: 'dashed' },
          data: curve.map((one) => [one.at, one.wind]),
        },
      ],
    }),
    [curve, sprays, at],
  )
  const known = curve.filter((one) => one.pm10 !== null)
  const before = meanOf(known.filter((one) => one.at < at))
  const after = meanOf(known.filter((one) => one.at >= at))
  return (
    <Card
      title="检查前后的空气"
      remark={`检查前均值 ${before ?? '无数据'}，检查后 ${after ?? '无数据'} μg/m³，喷淋 ${sprays.length} 次；断线处没有数据`}
    >
      {known.length === 0 ? (
        <Empty text="检查前后没有监测数据" hint="监测设备离线或未安装" />
      ) : (
        <Chart option={option} height={260} label={`检查前后六小时 PM10：检查前均值 ${before ?? '无数据'}，检查后 ${after ?? '无数据'}`} />
      )}
    </Card>
  )
}

/** The mean of what was measured; null without any. */
export function meanOf(points: readonly { pm10: number | null }[]): number | null {
  const values = points.flatMap((one) => one.pm10 ?? [])
  return values.length === 0 ? null : Math.round(values.reduce((sum, one) => sum + one, 0) / values.length)
}
