import { useMemo } from 'react'
import type { CallState } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { Card, Empty, Known } from '#kit/feedback.tsx'

interface TradeRow {
  workType: string
  workTypeName: string | null
  teamSysNo: string | null
  teamName: string | null
  personDays: number
  workHours: number
  inPlace: number
  rate: number | null
}

/** Compares teams of one trade; teams of different trades are not comparable. */
export function SameTrade({ requested, rows, chosen }: { requested: CallState; rows: readonly TradeRow[]; chosen: readonly string[] }) {
  const trade = useMemo(() => {
    const groups = [...Map.groupBy(rows, (r) => r.workType)].filter(([code]) => code !== 'manager')
    const wanted = groups.filter(([code]) => chosen.length === 0 || chosen.includes(code))
    return wanted.toSorted(
      ([, a], [, b]) => b.length - a.length || b.reduce((n, r) => n + r.inPlace, 0) - a.reduce((n, r) => n + r.inPlace, 0),
    )[0]
  }, [rows, chosen])
  const teams = useMemo(() => (trade?.[1] ?? []).toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0)), [trade])
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 40, top: 28, bottom: 8, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: [
        { type: 'value', max: 100, axisLabel: { formatter: '{value} %' } },
        { type: 'value', name: '小时/人天', position: 'top', splitLine: { show: false } },
      ],
      yAxis: { type: 'category', data: teams.map((t) => t.teamName ?? '') },
      series: [
        { type: 'bar', name: '出勤率', barMaxWidth: 14, data: teams.map((t) => t.rate) },
        {
          type: 'scatter',
          name: '人均日工时',
          xAxisIndex: 1,
          symbolSize: 10,
          data: teams.map((t) => (t.personDays ? Math.round((t.workHours / t.personDays) * 10) / 10 : null)),
        },
      ],
    }),
    [teams],
  )
  return (
    <Card title="同工种班组对比" remark={trade ? (trade[1][0]?.workTypeName ?? '未填工种') : undefined}>
      {teams.length === 0 ? (
        <Known of={requested}>
          <Empty small text="没有同工种的班组" />
        </Known>
      ) : (
        <Chart height={Math.max(200, 60 + teams.length * 34)} label="同工种班组的出勤率与人均日工时" option={option} />
      )}
    </Card>
  )
}
