import type { ConditionOf } from '@zhugong/contract/rules/conditions'
import { settled } from './digits.ts'
import { asNumber, operatorOf, usualMargin } from './limits.ts'
import { type Finding, type Moment, some, unknown } from './moment.ts'

interface Measured {
  value: number
  until: number
}

export function numeric(metric: string | undefined, m: Moment): Measured | undefined {
  if (metric === undefined) return undefined
  const known = m.memory.value(metric, m.time, m.maxGapMs)
  const value = asNumber(known?.value)
  return known && value !== undefined ? { value, until: known.time + m.maxGapMs } : undefined
}

/**
 * Values of a window, or undefined if too little of it is covered. Each reading covers at most one interval before it, however densely
 * readings arrive.
 */
export function windowOf(
  metric: string | undefined,
  seconds: number,
  minCoverage: number,
  absolute: boolean,
  m: Moment,
): number[] | undefined {
  if (metric === undefined) return undefined
  const since = Math.max(m.time - seconds * 1000, m.periodStart - 1)
  const { series, from, to } = m.memory.window(metric, since, m.time)
  m.budget.spend(to - from)
  let covered = 0
  let end = Math.max(m.time - seconds * 1000, m.periodStart)
  const values: number[] = []
  for (let i = from; i < to; i++) {
    const value = asNumber(series.values[i])
    if (value === undefined) continue
    const time = series.times[i] as number
    covered += time - Math.max(time - m.intervalMs, end)
    end = time
    values.push(absolute ? Math.abs(value) : value)
  }
  return values.length && covered >= minCoverage * seconds * 1000 ? values : undefined
}

const aggregate: Record<string, (values: readonly number[]) => number> = {
  avg: (v) => v.reduce((a, b) => a + b, 0) / v.length,
  sum: (v) => v.reduce((a, b) => a + b, 0),
  max: (v) => v.reduce((a, b) => Math.max(a, b)),
  min: (v) => v.reduce((a, b) => Math.min(a, b)),
}

export function thresholdValue(c: ConditionOf<'threshold'>, m: Moment): Measured | undefined {
  const { absolute } = operatorOf(c.op)
  if (c.windowSeconds === undefined) {
    const found = numeric(c.metric, m) ?? numeric(c.fallbackMetric, m)
    return found && absolute ? { ...found, value: Math.abs(found.value) } : found
  }
  const coverage = c.minCoverage ?? 0.75
  const values =
    windowOf(c.metric, c.windowSeconds, coverage, absolute, m) ?? windowOf(c.fallbackMetric, c.windowSeconds, coverage, absolute, m)
  return (
    values && { value: settled((aggregate[c.window ?? 'avg'] as (v: readonly number[]) => number)(values)), until: m.time + m.maxGapMs }
  )
}

export function compared(c: { op: string }, measured: Measured | undefined, limit: number | undefined, at: number): Finding {
  if (!measured || limit === undefined) return unknown(at)
  return { truth: operatorOf(c.op).compare(measured.value, limit), until: measured.until }
}

export function inRange(c: ConditionOf<'range'>, m: Moment, margin: number): Finding {
  const found = numeric(c.metric, m)
  if (!found) return unknown(m.time)
  const { value, until } = found
  const [low, high] = [c.low, c.high].map((edge, i) => (edge === undefined || margin === 0 ? edge : settled(edge + (i ? -margin : margin))))
  return { truth: (low === undefined || value >= low) && (high === undefined || value <= high), until }
}

export const rangeMargin = (c: ConditionOf<'range'>) =>
  c.clearMargin ?? (c.low !== undefined && c.high !== undefined ? (c.high - c.low) * usualMargin : 0)

function bitOf(value: unknown, bit: number): boolean | undefined {
  // A bit field is a number, or a text of 0 and 1 with bit 0 rightmost.
  if (typeof value === 'number') return Math.floor(value / 2 ** bit) % 2 === 1
  return typeof value === 'string' && /^[01]+$/.test(value) ? value[value.length - 1 - bit] === '1' : undefined
}

export function state(c: ConditionOf<'state'>, m: Moment): Finding {
  const known = m.memory.value(c.metric, m.time, m.maxGapMs)
  if (!known) return unknown(m.time)
  const value = c.bit === undefined ? known.value : bitOf(known.value, c.bit)
  if (value === undefined) return unknown(m.time)
  const wanted = c.equals ?? (c.bit === undefined ? undefined : true)
  const truth = c.notEquals !== undefined ? String(value) !== String(c.notEquals) : String(value) === String(wanted)
  return { truth, until: known.time + m.maxGapMs }
}

/** Change per period, compared with the newest good value that is at least three quarters of a period older. */
export function rateOf(c: ConditionOf<'rate'>, m: Moment): Measured | undefined {
  const now = numeric(c.metric, m)
  if (!now) return undefined
  const time = now.until - m.maxGapMs
  const { series, to } = m.memory.window(c.metric, Number.NEGATIVE_INFINITY, time - 0.75 * c.perSeconds * 1000)
  const at = series.times[to - 1]
  const reference = asNumber(series.values[to - 1])
  if (at === undefined || reference === undefined || at < m.periodStart) return undefined
  const value = settled(((now.value - reference) / (time - at)) * c.perSeconds * 1000)
  return { value: operatorOf(c.op).absolute ? Math.abs(value) : value, until: now.until }
}

/** Since when the value has been unchanged, and whether a different value preceded it; undefined if unknown. */
export function sameSince(metric: string, m: Moment): { since: number; afterAnother: boolean } | undefined {
  const now = m.memory.value(metric, m.time, m.maxGapMs)
  if (!now) return undefined
  const { series, from, to } = m.memory.window(metric, m.periodStart - 1, m.time)
  let first = to
  while (first > from && series.values[first - 1] === now.value) {
    if (first < to && (series.times[first] as number) - (series.times[first - 1] as number) > m.maxGapMs) break
    first--
    m.budget.spend(1)
  }
  const since = series.times[first]
  return since === undefined ? undefined : { since, afterAnother: first > from }
}

export function constant(c: ConditionOf<'constant'>, m: Moment): Finding {
  const now = m.memory.value(c.metric, m.time, m.maxGapMs)
  if (!now) return unknown(m.time)
  const since = Math.max(m.time - c.seconds * 1000, m.periodStart) - 1
  const { series, from, to } = m.memory.window(c.metric, since, m.time)
  m.budget.spend(to - from)
  for (let i = to - 1; i >= from; i--) if (series.values[i] !== now.value) return { truth: false, until: now.time + m.maxGapMs }
  // All values are equal: known only if the whole time is covered without a gap.
  for (let i = to - 1; i > from; i--) {
    if ((series.times[i] as number) - (series.times[i - 1] as number) > m.maxGapMs) return unknown(m.time)
  }
  const first = series.times[from]
  const covered = first !== undefined && first <= m.time - c.seconds * 1000 + m.intervalMs
  return covered ? { truth: true, until: now.time + m.maxGapMs } : unknown(m.time)
}

export function ratioToAverage(c: ConditionOf<'ratioToAverage'>, m: Moment, factor: number): Finding {
  return some(
    c.metrics.map((metric) => {
      const now = numeric(metric, m)
      if (!now) return unknown(m.time)
      m.budget.spend(c.samples)
      const { series, from, to } = m.memory.window(metric, m.periodStart - 1, now.until - m.maxGapMs - 1)
      if (to - from < c.samples) return unknown(m.time)
      const before = series.values.slice(to - c.samples, to).map((v) => Math.abs(Number(v)))
      const average = (aggregate.avg as (v: readonly number[]) => number)(before)
      const size = Math.abs(now.value)
      return { truth: size >= (c.minAbs ?? 0) && size > settled(factor * average), until: now.until }
    }),
    m.time,
  )
}

export function deviation(c: ConditionOf<'deviationFromHistory'>, m: Moment, allowed: number): Finding {
  const value = asNumber(m.values[c.metric])
  const key = m.values[c.by]
  if (value === undefined || key === undefined || key === null) return unknown(m.time)
  const before = m.facts.recordValues?.('', c.metric, c.by, key, m.time, c.samples)
  if (!before || before.length < c.samples) return unknown(m.time)
  const mean = (aggregate.avg as (v: readonly number[]) => number)(before)
  return { truth: settled(Math.abs(value - mean)) > settled(allowed), until: m.time + m.maxGapMs }
}

const [nearlyFull, justBegun] = [0.9, 0.1]

/** A counter that decreased. An overflow of its last digit, or a replaced meter, does not count. */
export function counterDecrease(c: ConditionOf<'counterDecrease'>, m: Moment): Finding {
  const now = numeric(c.metric, m)
  if (!now) return unknown(m.time)
  const since = Math.max(m.memory.comparableSince, m.periodStart) - 1
  const { series, from, to } = m.memory.window(c.metric, since, now.until - m.maxGapMs - 1)
  const before = to > from ? asNumber(series.values[to - 1]) : undefined
  if (before === undefined) return unknown(m.time)
  const register = 10 ** Math.ceil(Math.log10(Math.max(before, 1) + 1e-9))
  const ranOver = register >= 10_000 && before >= nearlyFull * register && now.value <= justBegun * register
  return { truth: now.value < before && !ranOver, until: now.until }
}
