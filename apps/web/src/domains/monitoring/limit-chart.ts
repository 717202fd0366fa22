import { dayMs } from '@zhugong/contract/kit/time'
import type { Limit, LinePoint } from '@zhugong/contract/telemetry/model'
import type { ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { minuteOfDay, riskLevels, time } from '#kit/format.ts'
import type { Span } from './replay.ts'

export interface Drawn {
  key: string
  label: string
  unit: string
}
export interface DrawnAlarm {
  startTime: number
  clearTime: number | null
  level: number
  label: string
}

type Pair = [number, number | null]
/** Points further apart than this many intervals are a gap and not connected. */
const gapSpans = 2.5

/** Means (or maxima) of a metric over time, with gaps where there was no good value. */
export function curveWithGaps(points: readonly LinePoint[], metric: string, bucketSeconds: number, of: 'mean' | 'high' = 'mean'): Pair[] {
  const shown = points.flatMap((one): [number, number][] => {
    const value = one.v[metric]?.[of === 'mean' ? 0 : 2]
    return typeof value === 'number' ? [[one.time, value]] : []
  })
  return shown.flatMap((pair, i): Pair[] => {
    const last = shown[i - 1]
    return last && pair[0] - last[0] > bucketSeconds * 1000 * gapSpans ? [[last[0] + 1, null], pair] : [pair]
  })
}

/** Width of a name as a share of the chart's width. */
const nameShare = 0.12

/** Shaded spans; of names that would overlap only the first is shown. */
export function named<Area extends { from: number; name: string }>(areas: readonly Area[], { from, to }: Span): Area[] {
  let free = Number.NEGATIVE_INFINITY
  return [...areas]
    .sort((a, b) => a.from - b.from)
    .map((area) => {
      const start = Math.max(from, area.from)
      if (start < free) return { ...area, name: '' }
      free = start + (to - from) * nameShare
      return area
    })
}

const toneOf = (level: number) => riskLevels[(level in riskLevels ? level : 4) as keyof typeof riskLevels]

interface LimitChart {
  points: readonly LinePoint[]
  bucketSeconds: number
  metrics: readonly Drawn[]
  limits: readonly Limit[]
  alarms?: readonly DrawnAlarm[]
  span: Span
  /** Blocks along the bottom: spray runs. */
  blocks?: readonly (Span & { text: string })[]
}

/** Curves with the limits of the first metric as lines and alarms as shaded spans. */
export function limitOption({ points, bucketSeconds, metrics, limits, alarms = [], span, blocks = [] }: LimitChart): ChartOption {
  const [first] = metrics
  const own = limits.filter((one) => one.metric === first?.key && one.value !== null)
  const units = [...new Set(metrics.map((one) => one.unit))]
  const series = metrics.map((one) => ({ one, data: curveWithGaps(points, one.key, bucketSeconds) }))
  const values = series.flatMap(({ data }) => data.flatMap(([, value]) => (value === null ? [] : [value])))
  const high = Math.max(0, ...values)
  // Limits far above the curve are omitted, because they would flatten it.
  const near = own.filter((one) => (one.value ?? 0) <= high * 1.6 || high === 0)
  const shaded = [
    ...alarms.map((one) => ({
      from: one.startTime,
      to: one.clearTime ?? span.to,
      color: toneOf(one.level).line,
      name: one.label,
      opacity: 0.12,
    })),
    ...blocks.map((one) => ({ from: one.from, to: one.to, color: colors.primary, name: one.text, opacity: 0.14 })),
  ]
  return {
    animation: false,
    grid: { left: 48, right: 20, top: 30, bottom: 28 },
    legend: { show: metrics.length > 1, top: 0, right: units.length > 1 ? 40 : 0, itemHeight: 8 },
    tooltip: {
      trigger: 'axis',
      valueFormatter: (value: unknown) => (typeof value === 'number' ? `${Number(value.toFixed(2))}` : '无数据'),
    },
    xAxis: {
      type: 'time',
      min: span.from,
      max: span.to,
      axisLabel: {
        hideOverlap: true,
        formatter: (at: number) => (span.to - span.from > dayMs * 1.5 ? time(at).slice(5, 10) : minuteOfDay(at)),
      },
    },
    yAxis: units.slice(0, 2).map((unit, i) => ({
      type: 'value',
      name: unit,
      position: i === 0 ? 'left' : 'right',
      splitLine: { show: i === 0 },
      // Aligned away from the limit labels.
      nameTextStyle: { align: i === 0 ? 'right' : 'left' },
    })),
    series: series.map(({ one, data }, i) => ({
      type: 'line',
      name: one.label,
      data,
      yAxisIndex: Math.min(1, units.indexOf(one.unit)),
      connectNulls: false,
      showSymbol: data.length <= 60,
      symbolSize: 4,
      lineStyle: { width: 1.8 },
      ...(i === 0
        ? {
            markLine: {
              symbol: 'none',
              silent: true,
              data: near.map((limit) => ({
                yAxis: limit.value,
                lineStyle: { color: toneOf(limit.level).line, type: 'dashed', width: 1.2 },
                label: { formatter: `${limit.label} ${limit.value}`, color: toneOf(limit.level).text, position: 'insideStartTop' },
              })),
            },
            markArea: {
              silent: true,
              data: named(shaded, span).map((area) => [
                {
                  xAxis: area.from,
                  name: area.name,
                  itemStyle: { color: area.color, opacity: area.opacity },
                  // Inside the chart, because the legend is above. Near the right edge the name is placed to the left.
                  label: {
                    color: colors.text2,
                    fontSize: 11,
                    position: area.from > span.to - (span.to - span.from) * nameShare ? 'insideTopRight' : 'insideTopLeft',
                  },
                },
                { xAxis: area.to },
              ]),
            },
          }
        : {}),
    })),
  }
}
