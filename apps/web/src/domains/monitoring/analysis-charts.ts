import type { ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'

export interface Series {
  name: string
  values: readonly (number | null)[]
  color?: string
  /** Stacked with the series of the same name. */
  stack?: string
  line?: boolean
  /** Drawn dashed, for a comparison. */
  dashed?: boolean
  /** Uses the right axis. */
  right?: boolean
}
export interface Mark {
  at: number
  text: string
  tone: 'warning' | 'danger'
}

/** The series of the compared period or machine; none without a comparison. */
export const besides = <Then>(
  then: Then | undefined,
  words: string | undefined,
  valuesOf: (then: Then) => readonly (number | null)[],
  as: 'line' | 'bars',
): Series[] => {
  if (then === undefined) return []
  const shape = as === 'line' ? { line: true, dashed: true, color: colors.text3 } : { color: colors.border }
  return [{ name: words ?? '', values: valuesOf(then), ...shape }]
}

const inks = { warning: colors.orange, danger: colors.danger }

/** Up to this many names are shown in full below their columns. */
const mostNamed = 14
/** More names than this wrap earlier. */
const fewNamed = 8

/** Bars and lines over categories. Missing values are gaps, not zeros. */
export function columnsOption({
  names,
  series,
  unit,
  rightUnit,
  marks = [],
  lines,
}: {
  names: readonly string[]
  series: readonly Series[]
  unit: string
  rightUnit?: string
  marks?: readonly Mark[]
  /** Approximate number of grid lines, for low charts. */
  lines?: number
}): ChartOption {
  // A few names wrap to two lines and all are shown; of days, as many as fit.
  const named = names.length <= mostNamed && names.some((name) => !/^\d/.test(name))
  // Counts have integer steps.
  const steps = (right: boolean) =>
    series.every((one) => Boolean(one.right) !== right || one.values.every((value) => value === null || Number.isInteger(value)))
      ? { minInterval: 1 }
      : {}
  return {
    animation: false,
    grid: { left: 44, right: rightUnit === undefined ? 16 : 44, top: 34, bottom: named ? 40 : 26 },
    legend: {
      type: 'scroll',
      show: series.length > 1,
      top: 0,
      padding: [5, 5, 5, 60],
      right: rightUnit === undefined ? 0 : 64,
      itemHeight: 8,
    },
    tooltip: {
      trigger: 'axis',
      valueFormatter: (value: unknown) => (typeof value === 'number' ? String(Number(value.toFixed(2))) : '无数据'),
    },
    xAxis: {
      type: 'category',
      data: [...names],
      axisLabel: named ? { interval: 0, width: names.length > fewNamed ? 40 : 56, overflow: 'break' } : { hideOverlap: true },
    },
    yAxis: [
      { type: 'value', name: unit, splitNumber: lines ?? 5, ...steps(false) },
      ...(rightUnit === undefined
        ? []
        : [{ type: 'value', name: rightUnit, ...steps(true), position: 'right', splitLine: { show: false } }]),
    ],
    series: series.map((one, i) => ({
      type: one.line ? 'line' : 'bar',
      name: one.name,
      data: [...one.values],
      connectNulls: false,
      yAxisIndex: one.right ? 1 : 0,
      stack: one.stack || undefined,
      ...(one.color
        ? { itemStyle: { color: one.color }, lineStyle: { color: one.color, type: one.dashed ? 'dashed' : 'solid' } }
        : { lineStyle: { type: one.dashed ? 'dashed' : 'solid' } }),
      symbolSize: 4,
      showSymbol: one.values.length <= 40,
      markLine:
        i === 0 && marks.length > 0
          ? {
              symbol: 'none',
              silent: true,
              data: marks.map((mark) => ({
                yAxis: mark.at,
                lineStyle: { color: inks[mark.tone], type: 'dashed' },
                label: { formatter: mark.text, position: 'insideStartTop', color: inks[mark.tone] },
              })),
            }
          : undefined,
    })),
  }
}

/** Change in percent, like `+12 %`; empty if either value is missing. */
export function changeOf(now: number | null | undefined, then: number | null | undefined): string {
  if (now === null || now === undefined || then === null || then === undefined || then === 0) return ''
  const percent = ((now - then) / then) * 100
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(0)} %`
}

/** The change against the compared period or machine, for the remark of a figure; empty without a comparison. */
export const changeWords = (words: string | undefined) => (now: number | null | undefined, then: number | null | undefined) => {
  const change = changeOf(now, then)
  return change && words ? `，较${words} ${change}` : ''
}

/** The consecutive hours, of the given number, with the smallest sum. */
export function calmest(
  hours: readonly { hour: number; value: number }[],
  length: number,
): { from: number; to: number; value: number } | undefined {
  const runs = hours.slice(0, hours.length - length + 1).map((one, i) => ({
    from: one.hour,
    to: one.hour + length,
    value: hours.slice(i, i + length).reduce((sum, each) => sum + each.value, 0),
  }))
  return runs.sort((a, b) => a.value - b.value || a.from - b.from)[0]
}

const directions = [
  '北',
  '东北偏北',
  '东北',
  '东北偏东',
  '东',
  '东南偏东',
  '东南',
  '东南偏南',
  '南',
  '西南偏南',
  '西南',
  '西南偏西',
  '西',
  '西北偏西',
  '西北',
  '西北偏北',
]
export const directionName = (degrees: number): string => directions[Math.round(degrees / 22.5) % 16] ?? ''
