import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { inspectionTrend } from '@zhugong/contract/scoring/inspections'
import { goodFrom, passedFrom, sheetMarks } from '@zhugong/contract/scoring/score'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { useGo } from '#kit/page.tsx'
import { marks } from './score-words.tsx'

type Trend = OutputFor<typeof inspectionTrend>
const height = 208

/** Scores of one site over time, and where points are lost now compared with the month before. */
export function InspectionCharts({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const read = useCall(inspectionTrend, { query: { projectCode } }, { quiet: true })
  return (
    <div className="scoring-charts">
      <Card title="历次得分" remark="80 分优良，70 分合格；没有巡检的月份断开">
        <Known of={read} rows={4}>
          {read.data &&
            (read.data.checks.length === 0 ? (
              <Empty small text="还没有提交的巡检" />
            ) : (
              <Chart
                height={height}
                label={`历次得分：${read.data.checks.map(({ day, score }) => `${day} ${score === null ? '无' : `${marks(score)} 分`}`).join('，')}`}
                option={trendOption(read.data)}
                onClick={({ dataIndex }) => {
                  const id = read.data?.checks[dataIndex]?.id
                  if (id) go('/safetyInspection/details', { id })
                }}
              />
            ))}
        </Known>
      </Card>
      <Card title="分类得分" remark={comparedWords(read.data)}>
        <Known of={read} rows={4}>
          {read.data &&
            (read.data.latestDay === null ? (
              <Empty small text="还没有提交的巡检" />
            ) : (
              <Chart height={height} label={radarLabel(read.data)} option={radarOption(read.data)} />
            ))}
        </Known>
      </Card>
    </div>
  )
}

const comparedWords = (trend: Trend | undefined) =>
  trend?.latestDay ? `${trend.latestDay}${trend.beforeDay ? `，与 ${trend.beforeDay} 相比` : ''}；未查的类别不画` : undefined

function trendOption({ checks }: Trend): ChartOption {
  const band = (from: number, to: number, color: string) => [{ yAxis: from, itemStyle: { color } }, { yAxis: to }]
  const least = Math.min(60, ...checks.flatMap(({ score }) => (score === null ? [] : [Math.floor(score / 10) * 10])))
  return {
    grid: { left: 36, right: 16, top: 16, bottom: 24 },
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => (typeof value === 'number' ? `${marks(value)} 分` : '没有巡检') },
    xAxis: { type: 'category', data: checks.map(({ day, score }) => (score === null ? day.slice(0, 7) : day.slice(5))) },
    yAxis: { type: 'value', min: least, max: sheetMarks, interval: 10 },
    series: [
      {
        name: '得分',
        type: 'line',
        data: checks.map(({ score }) => score),
        symbolSize: 8,
        itemStyle: { color: colors.primary },
        lineStyle: { color: colors.primary, width: 2 },
        label: {
          show: checks.length <= 16,
          position: 'top',
          formatter: ({ value }: { value: unknown }) => String(value),
          fontSize: 11,
          color: colors.text2,
        },
        markArea: {
          silent: true,
          data: [
            band(goodFrom, sheetMarks, colors.fineSoft),
            band(passedFrom, goodFrom, colors.warningSoft),
            band(least, passedFrom, colors.dangerSoft),
          ],
        },
      },
    ],
  }
}

const checked = ({ categories }: Trend) => categories.filter(({ latest }) => latest !== null)

function radarOption(trend: Trend): ChartOption {
  const shown = checked(trend)
  const series = (name: string, value: (number | null)[], color: string, dashed: boolean) => ({
    name,
    value,
    itemStyle: { color },
    lineStyle: { color, type: dashed ? 'dashed' : 'solid' },
    areaStyle: { color, opacity: dashed ? 0 : 0.12 },
  })
  return {
    tooltip: {},
    legend: { left: 0, top: 0, orient: 'vertical', itemWidth: 14 },
    radar: {
      center: ['56%', '54%'],
      radius: '66%',
      indicator: shown.map(({ name }) => ({ name, max: sheetMarks, min: 0 })),
      axisName: { color: colors.text2, fontSize: 11 },
    },
    series: [
      {
        type: 'radar',
        data: [
          series(
            '本次',
            shown.map(({ latest }) => latest),
            colors.primary,
            false,
          ),
          ...(trend.beforeDay
            ? [
                series(
                  '上月',
                  shown.map(({ before }) => before),
                  colors.text3,
                  true,
                ),
              ]
            : []),
        ],
      },
    ],
  }
}

const radarLabel = (trend: Trend) =>
  `分类得分：${checked(trend)
    .map(({ name, latest, before }) => `${name} ${marks(latest)} 分${before === null ? '' : `，上月 ${marks(before)} 分`}`)
    .join('；')}`
