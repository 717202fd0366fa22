import { corpStats } from '@zhugong/contract/attendance/stats'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { Card, Empty, ErrorPanel } from '#kit/feedback.tsx'
import type { Period } from './stats-period.tsx'
import { most, queryOf } from './stats-query.ts'

/** Trades shown separately in a bar; the rest are combined. */
const mostTrades = 6

export function Trades({
  period,
  onTrade,
}: {
  period: Period
  onTrade: (corpCode: string, name: string, workType: string, trade: string) => void
}) {
  const { data, error, refetch } = useCall(
    corpStats.byWorkType,
    { query: { ...queryOf(period), size: most } },
    { quiet: true, keepPrevious: true },
  )
  const rows = useMemo(() => data?.list ?? [], [data])
  const { option, names, trades } = useMemo(() => {
    const sums = new Map<string, { name: string; days: number }>()
    for (const r of rows) {
      const existing = sums.get(r.workType) ?? { name: r.workTypeName ?? '未填工种', days: 0 }
      sums.set(r.workType, { ...existing, days: existing.days + r.personDays })
    }
    const order = [...sums].toSorted(([, a], [, b]) => b.days - a.days)
    const main = order.slice(0, mostTrades)
    const units = [...Map.groupBy(rows, (r) => r.corpCode ?? '')].toReversed()
    const option: ChartOption = {
      grid: { left: 8, right: 24, top: 36, bottom: 8, containLabel: true },
      legend: { top: 0, type: 'scroll' },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', name: '人天' },
      yAxis: { type: 'category', data: units.map(([, list]) => list[0]?.corpName ?? ''), axisLabel: { width: 120, overflow: 'truncate' } },
      series: [
        ...main.map(([code, { name }]) => ({
          type: 'bar',
          stack: 'all',
          barMaxWidth: 18,
          name,
          data: units.map(([, list]) => list.find((r) => r.workType === code)?.personDays ?? 0),
        })),
        ...(order.length > mostTrades
          ? [
              {
                type: 'bar',
                stack: 'all',
                barMaxWidth: 18,
                name: '其他工种',
                data: units.map(([, list]) =>
                  list.filter((r) => !main.some(([code]) => code === r.workType)).reduce((n, r) => n + r.personDays, 0),
                ),
              },
            ]
          : []),
      ],
    }
    return {
      option,
      names: units.map(([code, list]) => ({ code, name: list[0]?.corpName ?? code })),
      trades: main.map(([code, { name }]) => ({ code, name })),
    }
  }, [rows])
  return (
    <Card scrolls title="工种构成" remark="出勤人天；点色块看人" className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : rows.length === 0 ? (
        <Empty small text="这段时间没有数据" />
      ) : (
        <Chart
          height={Math.max(200, 40 + names.length * 30)}
          label="各单位出勤人天按工种"
          option={option}
          onClick={({ seriesName, dataIndex }) => {
            const unit = names[dataIndex]
            const trade = trades.find((t) => t.name === seriesName)
            if (unit && trade) onTrade(unit.code, unit.name, trade.code, trade.name)
          }}
        />
      )}
    </Card>
  )
}
