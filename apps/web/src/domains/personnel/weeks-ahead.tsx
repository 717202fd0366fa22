import { Chart } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card } from '#kit/feedback.tsx'

interface Week {
  from: string
  to: string
  required: number
  other: number
}

/** Certificates that expire, by week; a click lists those of the week. */
export function WeeksAhead({ weeks, onWeek }: { weeks: readonly Week[]; onWeek: (week: Week) => void }) {
  return (
    <Card title="未来 13 周到期" remark="点一周看当周的人；蓝色为本工种或岗位必需" flush>
      <Chart
        height={132}
        label={weekWords(weeks)}
        onClick={({ dataIndex }) => {
          const week = weeks[dataIndex]
          if (week) onWeek(week)
        }}
        option={{
          grid: { left: 36, right: 16, top: 24, bottom: 24 },
          legend: { top: 0, right: 16, itemWidth: 10, itemHeight: 10 },
          tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
          xAxis: { type: 'category', data: weeks.map((w) => w.from.slice(5)) },
          yAxis: { type: 'value', minInterval: 1 },
          series: [
            {
              name: '必需',
              type: 'bar',
              stack: 'all',
              barMaxWidth: 28,
              color: colors.primary,
              data: weeks.map((w) => w.required),
            },
            {
              name: '非必需',
              type: 'bar',
              stack: 'all',
              barMaxWidth: 28,
              color: colors.navText2,
              data: weeks.map((w) => w.other),
            },
          ],
        }}
      />
    </Card>
  )
}

const weekWords = (weeks: readonly Week[]): string =>
  `未来 13 周每周到期的证件：${weeks.map((w) => `${w.from} 起 ${w.required + w.other} 项`).join('，') || '没有'}`
