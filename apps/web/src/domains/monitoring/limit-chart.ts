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
/** Spans without a value are not joined: longer than this many spans of the curve is a gap. */
const gapSpans = 2.5

/** A metric's means (or greatest values) over time, open where nothing good was measured. */
export function curveWithGaps(points: readonly LinePoint[], metric: string, bucketSeconds: number, of: 'mean' | 'high' = 'mean'): Pair[] {
  const told = points.flatMap((one): [number, number][] => {
    const value = one.v[metric]?.[of === 'mean' ? 0 : 2]
    return typeof value === 'number' ? [[one.time, value]] : []
  })
  return told.flatMap((pair, i): Pair[] => {
    const last = told[i - 1]
    return last && pair[0] - last[0] > bucketSeconds * 1000 * gapSpans ? [[last[0] + 1, null], pair] : [pair]
  })
}

/** A name takes about this share of the picture's width. */
const nameShare = 0.12

/** Shaded spans with the names that have room: of those that would lie on each other the first keeps its own. */
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
  /** Blocks on the ground of the picture: a run of a spray. */
  blocks?: readonly (Span & { text: string })[]
}

/** A curve or several of one unit, with the limits of the first drawn across and alarms as shaded spans. */
export function limitOption({ points, bucketSeconds, metrics, limits, alarms = [], span, blocks = [] }: LimitChart): ChartOption {
  const [first] = metrics
  const own = limits.filter((one) => one.metric === first?.key && one.value !== null)
  const units = [...new Set(metrics.map((one) => one.unit))]
  const series = metrics.map((one) => ({ one, data: curveWithGaps(points, one.key, bucketSeconds) }))
  const values = series.flatMap(({ data }) => data.flatMap(([, value]) => (value === null ? [] : [value])))
  const high = Math.max(0, ...values)
  // A limit far above the curve would press it flat: it is drawn where it is within reach.
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
      // Beside the picture, where no limit has its word.
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
                  // Inside the picture: above it stands the legend.
                  // At the right edge its word stands to the left of it.
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
