import { useMemo } from 'react'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty } from '#kit/feedback.tsx'

/** Weeks with problems of the series, before and since, from which on a comparison says anything. */
const leastWeeks = 3

interface EffectProps {
  /** yyyy-MM-dd: since when something is done against them. */
  startDate: string
  weeks: readonly { week: string; count: number }[]
  /** How the series is called. */
  name: string | null
}

/** Did it help? Problems of a series in each week, before and after something was done against them. */
export function SeriesEffect({ startDate, weeks: all, name }: EffectProps) {
  // Weeks before the first problem say nothing: nobody may have checked.
  const weeks = useMemo(
    () =>
      all.slice(
        Math.max(
          0,
          all.findIndex((one) => one.count > 0),
        ),
      ),
    [all],
  )
  const since = weeks.filter(({ week }) => week >= startDate)
  const before = weeks.filter(({ week }) => week < startDate)
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: weeks.map(({ week }) => week.slice(5)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          type: 'bar',
          name: '实施前',
          stack: 'all',
          barMaxWidth: 24,
          itemStyle: { color: colors.amber },
          data: weeks.map(({ week, count }) => (week < startDate ? count : null)),
        },
        {
          type: 'bar',
          name: '实施后',
          stack: 'all',
          barMaxWidth: 24,
          itemStyle: { color: colors.primary },
          data: weeks.map(({ week, count }) => (week < startDate ? null : count)),
        },
      ],
    }),
    [weeks, startDate],
  )
  const enough = since.length >= leastWeeks
  const mean = (of: typeof weeks) => (of.reduce((sum, one) => sum + one.count, 0) / Math.max(1, of.length)).toFixed(1)
  const sentence = `实施前每周 ${mean(before)} 个，实施后每周 ${mean(since)} 个`
  return (
    <Card title={`“${name}”每周问题数`} remark={enough ? sentence : undefined}>
      {!enough && <Empty small text="数据太少，看不出效果" hint={`实施满 ${leastWeeks} 周后比较；已实施 ${since.length} 周`} />}
      <Chart
        option={option}
        height={220}
        label={`每周问题数：${weeks.map(({ week, count }) => `${week} 起一周 ${count} 个`).join('，')}`}
      />
    </Card>
  )
}
