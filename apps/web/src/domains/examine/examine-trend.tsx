import { examineTrend } from '@zhugong/contract/examine/calls'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { goodFrom, passedFrom, sheetMarks } from '@zhugong/contract/scoring/score'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useGo } from '#kit/page.tsx'
import { marks } from '../scoring/public.tsx'
import { paths } from './examine-words.tsx'
import './examine.css'

type Trend = OutputFor<typeof examineTrend>
const height = 180
const tens = 10

/** Scores of the last eight weeks, in all or of one sheet. */
export function ExamineTrend({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const [sheet, setSheet] = useState<string | null>(null)
  const read = useCall(examineTrend, { query: { projectCode } }, { quiet: true })
  const scores = read.data && scoresOf(read.data, sheet)
  return (
    <Card
      title="得分走势"
      remark="近 8 周；80 分优良，70 分合格"
      actions={
        <span className="examine-choice">
          <Choice
            aria-label="检查表"
            placeholder="总分"
            options={(read.data?.sheets ?? []).map((one) => ({ value: one.code, label: one.name }))}
            value={sheet}
            onChange={(code) => setSheet(code ?? null)}
          />
        </span>
      }
    >
      <Known of={read} rows={4}>
        {read.data && scores && scores.length > 0 ? (
          <Chart
            height={height}
            label={`得分走势：${scores.map((one) => `${one.day} ${one.score === null ? '未查' : `${marks(one.score)} 分`}`).join('，')}`}
            option={optionOf(scores)}
            onClick={({ dataIndex }) => {
              const id = scores[dataIndex]?.id
              if (id) go(paths.detail, { id })
            }}
          />
        ) : (
          <Empty small text="近 8 周没有提交的检查" />
        )}
      </Known>
    </Card>
  )
}

interface Point {
  id: string
  day: string
  roundName: string
  score: number | null
}
function scoresOf({ checks, sheets }: Trend, sheet: string | null): Point[] {
  const own = sheets.find((one) => one.code === sheet)
  return checks.map((one, i) => ({ ...one, score: own ? (own.scores[i] ?? null) : one.score }))
}

function optionOf(points: readonly Point[]): ChartOption {
  const known = points.flatMap(({ score }) => (score === null ? [] : [Math.floor(score / tens) * tens]))
  const line = (at: number, color: string) => ({ yAxis: at, lineStyle: { color, type: 'dashed' } })
  return {
    grid: { left: 36, right: 40, top: 16, bottom: 24 },
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => (typeof value === 'number' ? `${marks(value)} 分` : '未查') },
    xAxis: { type: 'category', data: points.map(({ day, roundName }) => `${day.slice(5)} ${roundName}`) },
    yAxis: { type: 'value', min: Math.min(60, ...known), max: sheetMarks, interval: tens },
    series: [
      {
        name: '得分',
        type: 'line',
        connectNulls: true,
        data: points.map(({ score }) => score),
        symbolSize: 7,
        itemStyle: { color: colors.primary },
        lineStyle: { color: colors.primary, width: 2 },
        markLine: { silent: true, symbol: 'none', data: [line(goodFrom, colors.fine), line(passedFrom, colors.warning)] },
      },
    ],
  }
}
