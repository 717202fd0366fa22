import type { ScheduleTasks } from '@zhugong/contract/schedule/calls'
import { useMemo } from 'react'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Empty } from '#kit/feedback.tsx'

/** Planned and actual share of the whole; the gap between the two is the delay. */
export function SCurve({ points }: { points: ScheduleTasks['curve'] }) {
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', boundaryGap: false, data: points.map((one) => one.day) },
      yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: '{value}%' } },
      series: [
        {
          type: 'line',
          name: '计划',
          showSymbol: false,
          lineStyle: { color: colors.navText2, type: 'dashed' },
          itemStyle: { color: colors.navText2 },
          data: points.map((one) => one.plan),
        },
        {
          type: 'line',
          name: '实际',
          showSymbol: false,
          areaStyle: { opacity: 0.12 },
          itemStyle: { color: colors.primary },
          data: points.map((one) => one.actual),
        },
      ],
    }),
    [points],
  )
  if (points.length === 0) return <Empty small text="导入计划后显示 S 曲线" />
  const now = points.findLast((one) => one.actual !== null)
  return <Chart option={option} height={240} label={`S 曲线${now ? `，${now.day} 计划 ${now.plan}%，实际 ${now.actual}%` : ''}`} />
}
