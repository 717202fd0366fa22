import { corpStats } from '@zhugong/contract/attendance/stats'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { shiftDate } from './sheet-mark.ts'
import type { Period } from './stats-period.tsx'
import { most, queryOf } from './stats-query.ts'
import { isRest, type UnitDays, unitsOf } from './stats-words.ts'

export function DailyLines({
  period,
  compared,
  chooser,
  onDay,
}: {
  period: Period
  compared: readonly { code: string; name: string | null }[]
  chooser: React.ReactNode
  onDay: (unit: UnitDays, date: string) => void
}) {
  const { data, error, refetch } = useCall(
    corpStats.byDay,
    { query: { ...queryOf(period), size: most } },
    { quiet: true, keepPrevious: true },
  )
  const shown = useMemo(() => {
    const codes = new Set(compared.map((c) => c.code))
    return unitsOf(data?.list ?? []).filter((u) => u.corpCode !== null && codes.has(u.corpCode))
  }, [data, compared])
  const option = useMemo<ChartOption>(() => {
    const dates = [...new Set(shown.flatMap((u) => u.days.map((d) => d.date)))].sort()
    const stopped = dates.filter((date) => shown.length > 0 && shown.every((u) => u.days.some((d) => d.date === date && isRest(d))))
    return {
      grid: { left: 8, right: 16, top: 36, bottom: 8, containLabel: true },
      legend: { top: 0, type: 'scroll' },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: dates.map((d) => d.slice(5)) },
      yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: '{value} %' } },
      series: shown.map((u, i) => ({
        type: 'line',
        name: u.name,
        // There are five colours; further lines use a dashed stroke.
        lineStyle: { type: i < 5 ? 'solid' : 'dashed' },
        showSymbol: dates.length <= 40,
        connectNulls: true,
        data: dates.map((date) => {
          const d = u.days.find((one) => one.date === date)
          return d && !isRest(d) ? d.rate : null
        }),
        markArea:
          i === 0
            ? {
                silent: true,
                itemStyle: { color: colors.sunken },
                data: stopped.map((d) => [{ xAxis: d.slice(5) }, { xAxis: shiftDate(d, 1).slice(5) }]),
              }
            : undefined,
      })),
    }
  }, [shown])
  const dates = [...new Set(shown.flatMap((u) => u.days.map((d) => d.date)))].sort()
  return (
    <Card title="每日出勤率" remark="灰底为休息或停工，不画" actions={chooser} className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : shown.length === 0 ? (
        <Empty small text="这段时间没有在场单位" />
      ) : (
        <Chart
          height={280}
          label={`每日出勤率：${shown.map((u) => u.name).join('、')}`}
          option={option}
          onClick={({ seriesName, dataIndex }) => {
            const unit = shown.find((u) => u.name === seriesName)
            const date = dates[dataIndex]
            if (unit && date) onDay(unit, date)
          }}
        />
      )}
    </Card>
  )
}
