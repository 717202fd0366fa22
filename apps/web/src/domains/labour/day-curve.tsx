import { useMemo } from 'react'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Empty } from '#kit/feedback.tsx'

/** People expected and arrived by day; the gap between the two curves is what matters. */
export function DayCurve({ days, height = 220 }: { days: readonly { day: string; expected: number; arrived: number }[]; height?: number }) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', boundaryGap: false, data: days.map((d) => d.day.slice(5)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          type: 'line',
          name: '应到',
          step: 'middle',
          showSymbol: false,
          lineStyle: { color: colors.navText2, type: 'dashed' },
          itemStyle: { color: colors.navText2 },
          data: days.map((d) => d.expected),
        },
        {
          type: 'line',
          name: '实到',
          showSymbol: false,
          areaStyle: { opacity: 0.12 },
          itemStyle: { color: colors.primary },
          data: days.map((d) => d.arrived),
        },
      ],
    }),
    [days],
  )
  if (days.length === 0) return <Empty small text="近 30 日没有考勤" />
  return <Chart option={option} height={height} label="近 30 日应到与实到人数" />
}
