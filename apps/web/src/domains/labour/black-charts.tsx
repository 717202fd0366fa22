import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { laborBlackFigures } from '@zhugong/contract/labour/black-lists'
import { useMemo } from 'react'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, DetailSkeleton, Empty } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'

type Figures = OutputFor<typeof laborBlackFigures>

/** Entries by reason, by proposing group and by month: new, ended, and people or companies kept out. */
export function BlackCharts({ figures, hitWord }: { figures: Figures | undefined; hitWord: string }) {
  const months = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: (figures?.byMonth ?? []).map((m) => m.month.slice(2)) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          type: 'bar',
          name: '列入',
          barMaxWidth: 18,
          itemStyle: { color: colors.danger },
          data: (figures?.byMonth ?? []).map((m) => m.listed),
        },
        {
          type: 'bar',
          name: '移出',
          barMaxWidth: 18,
          itemStyle: { color: colors.fine },
          data: (figures?.byMonth ?? []).map((m) => m.ended),
        },
        { type: 'line', name: hitWord, itemStyle: { color: colors.primary }, data: (figures?.byMonth ?? []).map((m) => m.hits) },
      ],
    }),
    [figures, hitWord],
  )
  const reasons = useMemo<ChartOption>(() => {
    const rows = [...(figures?.byReason ?? [])].reverse()
    return {
      grid: { left: 8, right: 24, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0, right: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', minInterval: 1 },
      yAxis: { type: 'category', data: rows.map((r) => r.name) },
      series: [
        {
          type: 'bar',
          stack: 'all',
          name: '生效中',
          barMaxWidth: 16,
          itemStyle: { color: colors.danger },
          data: rows.map((r) => r.effective),
        },
        {
          type: 'bar',
          stack: 'all',
          name: '其他状态',
          barMaxWidth: 16,
          itemStyle: { color: colors.navText2 },
          data: rows.map((r) => r.all - r.effective),
        },
      ],
    }
  }, [figures])
  if (!figures) return <DetailSkeleton />
  if (figures.byReason.length === 0) return <Empty text="还没有可统计的记录" />
  const most = Math.max(1, ...figures.byGroup.map((g) => g.count))
  return (
    <div className="lab-charts">
      <Card title="按月" remark="近 12 个月">
        <Chart option={months} height={260} label={`近 12 个月列入、移出与${hitWord}次数`} />
      </Card>
      <Card title="按原因">
        <Chart option={reasons} height={260} label="各原因的记录数，生效中与其他状态" />
      </Card>
      <Card title="按提出单位">
        {figures.byGroup.map((g) => (
          <div className="lab-bar" key={g.name}>
            <span>{g.name}</span>
            <span className="track">
              <Filled part={g.count} whole={most} />
            </span>
            <span className="zg-num">{g.count}</span>
          </div>
        ))}
      </Card>
    </div>
  )
}
