import { type ConditionOf, innerOf, type RuleCondition } from '@zhugong/contract/rules/conditions'
import { isInside, metersToLine, type Point } from '@zhugong/contract/rules/polygon'
import { dayMs } from '#kit/clock'
import type { Budget } from './budget.ts'
import { settled } from './digits.ts'
import { evaluateExpression, expressionLookBack, expressionMetrics, treeOf } from './expressions.ts'
import type { Memory } from './history.ts'
import { startOfShanghaiDay } from './schedule.ts'

/** Undefined: not known. What is not known decides nothing. */
export type Truth = boolean | undefined

/** A truth, and how long it stays known when nothing more is heard. */
export interface Finding {
  truth: Truth
  until: number
}

export interface FenceName {
  id?: string
  kind?: string
  /** Positions are metres in the site's plane instead of longitude and latitude. */
  plane?: boolean
}

/** What a rule may ask about the world beside the device's own readings. Whatever is absent is unknown. */
export interface Facts {
  /** Time of the newest record of a kind, null when there is none. */
  lastRecord?(record: string, result: string | undefined, at: number): number | null | undefined
  /** Times of records of a kind within a window, by the value of one of their fields. */
  recordTimes?(record: string, by: string | undefined, key: unknown, since: number, until: number): readonly number[]
  /** Last values of a record's field before a moment, newest first. */
  recordValues?(record: string, metric: string, by: string, key: unknown, before: number, most: number): readonly number[]
  isListed?(list: string, value: unknown): Truth
  isRegistered?(metric: string, value: unknown): Truth
  workerIs?(state: string, values: Readonly<Record<string, unknown>>, at: number): Truth
  /** Areas and routes behind a name or id of the project, in its site's plane where positions are; undefined when there is none. */
  fence?(fence: FenceName): { areas: readonly (readonly Point[])[]; routes: readonly (readonly Point[])[] } | undefined
  countInArea?(at: number): number | undefined
  /** Since when somebody or something has been in a state (onSite), null when it is not. */
  stateSince?(state: string, values: Readonly<Record<string, unknown>>, at: number): number | null | undefined
  /** Smallest distance to another crane within the next seconds, in metres, and whether all of them are known. */
  clearanceAt?(at: number, predictSeconds: number): { meters: number; complete: boolean } | undefined
  /** Distance to the nearest zone of a kind, zero inside. */
  zoneDistanceAt?(zone: string, at: number): number | undefined
}

/** What a condition is judged by: a moment of device time and all that is known then. */
export interface Moment {
  time: number
  memory: Memory
  /** The reading that just came; a record's fields when the rule is about records. */
  values: Readonly<Record<string, unknown>>
  params: Readonly<Record<string, unknown>>
  intervalMs: number
  maxGapMs: number
  /** Windows never reach behind it. */
  periodStart: number
  facts: Facts
  /** What this judgement may still cost. */
  budget: Budget
  unitOf(metric: string): string | undefined
}

const comparisons: Record<string, (value: number, limit: number) => boolean> = {
  '>=': (v, l) => v >= l,
  '>': (v, l) => v > l,
  '<=': (v, l) => v <= l,
  '<': (v, l) => v < l,
  '==': (v, l) => v === l,
  '!=': (v, l) => v !== l,
}
const usualMargin = 0.05
const capacityMargin = 0.02

interface Operator {
  absolute: boolean
  compare: (value: number, limit: number) => boolean
  /** +1 when large values are bad, -1 when small ones are, 0 for equality. */
  side: 1 | -1 | 0
}

export function operatorOf(op: string): Operator {
  const absolute = op.startsWith('abs')
  const sign = absolute ? op.slice(3) : op
  return { absolute, compare: comparisons[sign] ?? (() => false), side: sign.startsWith('>') ? 1 : sign.startsWith('<') ? -1 : 0 }
}

const unknown = (at: number): Finding => ({ truth: undefined, until: at })
const negate = ({ truth, until }: Finding): Finding => ({ truth: truth === undefined ? undefined : !truth, until })

/** false wins, then unknown. */
function every(all: readonly Finding[], at: number): Finding {
  const no = all.find((f) => f.truth === false)
  if (no) return no
  if (all.some((f) => f.truth === undefined)) return unknown(at)
  return { truth: true, until: Math.min(...all.map((f) => f.until)) }
}
/** true wins, then unknown. */
function some(all: readonly Finding[], at: number): Finding {
  const yes = all.find((f) => f.truth === true)
  if (yes) return yes
  if (all.some((f) => f.truth === undefined)) return unknown(at)
  return { truth: false, until: Math.min(...all.map((f) => f.until)) }
}

interface Measured {
  value: number
  until: number
}

const asNumber = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

function numeric(metric: string | undefined, m: Moment): Measured | undefined {
  if (metric === undefined) return undefined
  const known = m.memory.value(metric, m.time, m.maxGapMs)
  const value = asNumber(known?.value)
  return known && value !== undefined ? { value, until: known.time + m.maxGapMs } : undefined
}

/** Values of a window with enough of it covered: each reading stands for one interval before it, however densely they came. */
function windowOf(metric: string | undefined, seconds: number, minCoverage: number, absolute: boolean, m: Moment): number[] | undefined {
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

function thresholdValue(c: ConditionOf<'threshold'>, m: Moment): Measured | undefined {
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

type Limited = Pick<ConditionOf<'threshold'>, 'op' | 'value' | 'param' | 'factor' | 'default' | 'byParam' | 'clearValue'> & {
  metric?: string
}
type Around = Pick<Moment, 'params' | 'unitOf'>

const paramNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return asNumber(number)
}

/** The limit in force: chosen by a parameter's value, a device parameter times a factor, or a plain number. */
export function limitOf(c: Partial<Limited>, around: Around): number | undefined {
  for (const [param, limits] of Object.entries(c.byParam ?? {})) {
    const chosen = String(around.params[param])
    if (Object.hasOwn(limits, chosen)) return limits[chosen]
  }
  if (c.param !== undefined) {
    const base = paramNumber(around.params[c.param]) ?? c.default
    if (base !== undefined) return c.factor === undefined ? base : settled(base * c.factor)
  }
  return c.value
}

/** Where an open alarm lets go: the rule's own value, else 5 % inside the limit (2 % for percentages of capacity). */
export function clearLimitOf(c: Partial<Limited>, around: Around): number | undefined {
  const limit = limitOf(c, around)
  if (limit === undefined || c.op === undefined) return c.clearValue
  const { side } = operatorOf(c.op)
  // A limit that comes from a device may lie beyond the rule's own value: there the alarm lets go at the limit and not while it still holds.
  if (c.clearValue !== undefined) return (limit - c.clearValue) * side < 0 ? limit : c.clearValue
  const margin = around.unitOf(c.metric ?? '') === '%' ? capacityMargin : usualMargin
  return settled(limit - operatorOf(c.op).side * Math.abs(limit) * margin)
}

function compared(c: { op: string }, measured: Measured | undefined, limit: number | undefined, at: number): Finding {
  if (!measured || limit === undefined) return unknown(at)
  return { truth: operatorOf(c.op).compare(measured.value, limit), until: measured.until }
}

function inRange(c: ConditionOf<'range'>, m: Moment, margin: number): Finding {
  const found = numeric(c.metric, m)
  if (!found) return unknown(m.time)
  const { value, until } = found
  const [low, high] = [c.low, c.high].map((edge, i) => (edge === undefined || margin === 0 ? edge : settled(edge + (i ? -margin : margin))))
  return { truth: (low === undefined || value >= low) && (high === undefined || value <= high), until }
}
const rangeMargin = (c: ConditionOf<'range'>) =>
  c.clearMargin ?? (c.low !== undefined && c.high !== undefined ? (c.high - c.low) * usualMargin : 0)

function bitOf(value: unknown, bit: number): boolean | undefined {
  // A word of bits comes as a number or as a text of 0 and 1, bit 0 right-most.
  if (typeof value === 'number') return Math.floor(value / 2 ** bit) % 2 === 1
  return typeof value === 'string' && /^[01]+$/.test(value) ? value[value.length - 1 - bit] === '1' : undefined
}

function state(c: ConditionOf<'state'>, m: Moment): Finding {
  const known = m.memory.value(c.metric, m.time, m.maxGapMs)
  if (!known) return unknown(m.time)
  const value = c.bit === undefined ? known.value : bitOf(known.value, c.bit)
  if (value === undefined) return unknown(m.time)
  const wanted = c.equals ?? (c.bit === undefined ? undefined : true)
  const truth = c.notEquals !== undefined ? String(value) !== String(c.notEquals) : String(value) === String(wanted)
  return { truth, until: known.time + m.maxGapMs }
}

/** Change per period against the newest good value at least three quarters of a period older. */
function rateOf(c: ConditionOf<'rate'>, m: Moment): Measured | undefined {
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

/** When the value began to be what it is, and whether another is known before it; undefined while it is not known. */
function sameSince(metric: string, m: Moment): { since: number; afterAnother: boolean } | undefined {
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

function constant(c: ConditionOf<'constant'>, m: Moment): Finding {
  const now = m.memory.value(c.metric, m.time, m.maxGapMs)
  if (!now) return unknown(m.time)
  const since = Math.max(m.time - c.seconds * 1000, m.periodStart) - 1
  const { series, from, to } = m.memory.window(c.metric, since, m.time)
  m.budget.spend(to - from)
  for (let i = to - 1; i >= from; i--) if (series.values[i] !== now.value) return { truth: false, until: now.time + m.maxGapMs }
  // All alike: known only when the whole time is covered without a gap.
  for (let i = to - 1; i > from; i--) {
    if ((series.times[i] as number) - (series.times[i - 1] as number) > m.maxGapMs) return unknown(m.time)
  }
  const first = series.times[from]
  const covered = first !== undefined && first <= m.time - c.seconds * 1000 + m.intervalMs
  return covered ? { truth: true, until: now.time + m.maxGapMs } : unknown(m.time)
}

function ratioToAverage(c: ConditionOf<'ratioToAverage'>, m: Moment, factor: number): Finding {
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

function deviation(c: ConditionOf<'deviationFromHistory'>, m: Moment, allowed: number): Finding {
  const value = asNumber(m.values[c.metric])
  const key = m.values[c.by]
  if (value === undefined || key === undefined || key === null) return unknown(m.time)
  const before = m.facts.recordValues?.('', c.metric, c.by, key, m.time, c.samples)
  if (!before || before.length < c.samples) return unknown(m.time)
  const mean = (aggregate.avg as (v: readonly number[]) => number)(before)
  return { truth: settled(Math.abs(value - mean)) > settled(allowed), until: m.time + m.maxGapMs }
}

const [nearlyFull, justBegun] = [0.9, 0.1]

/** A counter that went down; one that ran over its last digit, or was changed for another, did not. */
function counterDecrease(c: ConditionOf<'counterDecrease'>, m: Moment): Finding {
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

/** Answers to `of` at past readings, worked out once while the past stays as it is. */
const remembered = new WeakMap<Memory, { revision: number; answers: Map<RuleCondition, Map<number, Truth>> }>()

function truthThen(c: RuleCondition, at: number, m: Moment): Truth {
  let of = remembered.get(m.memory)
  if (!of || of.revision !== m.memory.revision) {
    of = { revision: m.memory.revision, answers: new Map() }
    remembered.set(m.memory, of)
  }
  let answers = of.answers.get(c)
  if (!answers) {
    answers = new Map()
    of.answers.set(c, answers)
  }
  if (!answers.has(at)) answers.set(at, holds(c, { ...m, time: at, memory: pastOf(m.memory) }).truth)
  if (answers.size > 20_000) answers.clear()
  return answers.get(at)
}

/** A view on the kept series that also answers for single past values. */
function pastOf(memory: Memory): Memory {
  return Object.create(memory, {
    value: {
      value: (metric: string, at: number) => {
        const { series, to } = memory.window(metric, Number.NEGATIVE_INFINITY, at)
        return series.times[to - 1] === at ? { value: series.values[to - 1], time: at } : undefined
      },
    },
  }) as Memory
}

function countInWindow(c: ConditionOf<'countInWindow'>, m: Moment, needed: number): Finding {
  const since = Math.max(m.time - c.windowSeconds * 1000, m.periodStart - 1)
  const until = m.time + m.maxGapMs
  if (c.record !== undefined) {
    const key = c.by === undefined ? undefined : m.values[c.by]
    if (c.by !== undefined && (key === undefined || key === null || key === '')) return unknown(m.time)
    const times = m.facts.recordTimes?.(c.record, c.by, key, since, m.time)
    return times ? { truth: times.length >= needed, until } : unknown(m.time)
  }
  const inner: RuleCondition | undefined =
    c.of ?? (c.metric && c.op ? { type: 'threshold', metric: c.metric, op: c.op, value: c.value } : undefined)
  const metric = inner && metricsOf(inner)[0]
  if (!inner || metric === undefined) return unknown(m.time)
  const { series, from, to } = m.memory.window(metric, since, m.time)
  m.budget.spend(to - from)
  const days = new Set<number>()
  let [yes, open] = [0, 0]
  for (let i = from; i < to; i++) {
    const time = series.times[i] as number
    const truth = truthThen(inner, time, m)
    if (truth) {
      yes++
      days.add(startOfShanghaiDay(time))
    } else if (truth === undefined) open++
  }
  if (c.consecutiveDays) {
    const today = startOfShanghaiDay(m.time)
    for (let day = 0; day < needed; day++) if (!days.has(today - day * dayMs)) return { truth: false, until }
    return { truth: true, until }
  }
  if (yes >= needed) return { truth: true, until }
  return yes + open >= needed ? unknown(m.time) : { truth: false, until }
}

const [longitude, latitude] = ['longitude', 'latitude']
const place = [longitude, latitude] as const
/** Metres in the site's plane, as stations that locate tags report. */
const plane = ['x', 'y'] as const
const axesOf = (m: Moment) => (m.memory.window(longitude, Number.NEGATIVE_INFINITY, m.time).to > 0 ? place : plane)

const cornersOf = (lines: readonly (readonly Point[])[]) => lines.reduce((sum, line) => sum + line.length, 0)

/** Whether a position lies in the fence, widened by a buffer; undefined when there is no fence to lie in. */
function insideFence(c: ConditionOf<'geofence'>, p: Point, buffer: number, m: Moment): Truth {
  const named =
    c.polygon || c.route ? undefined : fenceOf({ ...(c.fenceId ? { id: c.fenceId } : {}), ...(c.fence ? { kind: c.fence } : {}) }, m)
  if (c.mode === 'outsideRoute') {
    const routes = c.route ? [c.route as readonly Point[]] : (named?.routes ?? [])
    m.budget.spend(cornersOf(routes))
    return routes.length ? routes.some((route) => metersToLine(p, route) <= buffer) : undefined
  }
  const areas = c.polygon ? [c.polygon as readonly Point[]] : (named?.areas ?? [])
  m.budget.spend(cornersOf(areas))
  return areas.length ? areas.some((area) => isInside(p, area) || (buffer > 0 && metersToLine(p, area, true) <= buffer)) : undefined
}

function fenceOf(fence: FenceName, m: Moment) {
  // A fence that is drawn for the device itself goes before the project's.
  const own = (m.params.fences as Record<string, unknown> | undefined)?.[fence.id ?? fence.kind ?? '']
  if (!Array.isArray(own)) return m.facts.fence?.(axesOf(m) === plane ? { ...fence, plane: true } : fence)
  const lines = (Array.isArray(own[0]?.[0]) ? own : [own]) as Point[][]
  return { areas: lines, routes: lines }
}

/**
 * Whether the last positions, as many as it takes to be sure, all lie on one side. Who leaves has to be beyond the buffer, who enters is in
 * when inside the fence itself; a route is as wide as its buffer, on the way in as on the way out.
 */
function allOnSide(c: ConditionOf<'geofence'>, inside: boolean, m: Moment): Finding {
  const wanted = c.confirmSamples ?? 1
  const buffer = inside && c.mode !== 'outsideRoute' ? 0 : (c.bufferMeters ?? 0)
  const [across, up] = axesOf(m)
  const now = numeric(across, m)
  if (!now || !numeric(up, m)) return unknown(m.time)
  const { series, to } = m.memory.window(across, Number.NEGATIVE_INFINITY, m.time)
  let truth: Truth = true
  for (let i = to - 1, seen = 0; seen < wanted; i--, seen++) {
    const time = series.times[i]
    // Fewer positions than it takes to be sure, or too far apart.
    if (time === undefined || m.time - time > wanted * m.maxGapMs) return unknown(m.time)
    const lats = m.memory.window(up, time - 1, time)
    const p: Point = [Number(series.values[i]), Number(lats.series.values[lats.to - 1])]
    if (Number.isNaN(p[1])) return unknown(m.time)
    const at = insideFence(c, p, buffer, m)
    if (at === undefined) return unknown(m.time)
    if (at !== inside) {
      truth = false
      break
    }
  }
  return { truth, until: now.until }
}
/** Which side an alarm is about. */
const isAboutInside = (c: ConditionOf<'geofence'>) => c.mode === 'enter' || c.mode === 'inside'

const moving = 0.5

/** Since when an area or a state has lasted without a rest, null when it does not; rests shorter than `resetRestSeconds` do not count as one. */
function lasting(c: ConditionOf<'dwell'>, m: Moment): { since: number; upTo: number } | null | undefined {
  if (c.state !== undefined && c.state !== 'driving') {
    const since = m.facts.stateSince?.(c.state, m.values, m.time)
    return since === undefined || since === null ? since : { since, upTo: m.time }
  }
  const metric = c.state === 'driving' ? 'speed' : axesOf(m)[0]
  const { series, from, to } = m.memory.window(metric, m.periodStart - 1, m.time)
  if (to === from || m.time - (series.times[to - 1] as number) > m.maxGapMs) return undefined
  const restMs = (c.resetRestSeconds ?? 0) * 1000
  let start: number | undefined
  let upTo = m.time
  let restEnd: number | undefined
  for (let i = to - 1; i >= from; i--) {
    const time = series.times[i] as number
    m.budget.spend(1)
    const within = c.state === 'driving' ? Number(series.values[i]) > moving : isThere(c.fence ?? '', i, series, m)
    if (within === undefined) return undefined
    if (within) {
      // A silence as long as a rest may have been one.
      if (start !== undefined && start - time > Math.max(m.maxGapMs, restMs)) break
      if (start === undefined && restEnd !== undefined) upTo = time
      start = time
      restEnd = undefined
    } else {
      if (start === undefined && restMs === 0) return null
      restEnd ??= start ?? m.time
      if (restEnd - time >= restMs) break
    }
  }
  return start === undefined ? null : { since: start, upTo }
}

function dwell(c: ConditionOf<'dwell'>, m: Moment): Finding {
  const found = lasting(c, m)
  if (found === undefined) return unknown(m.time)
  return { truth: found !== null && found.upTo - found.since >= c.seconds * 1000, until: m.time + m.maxGapMs }
}

function isThere(fence: string, index: number, series: { times: readonly number[]; values: readonly unknown[] }, m: Moment): Truth {
  const time = series.times[index] as number
  const lats = m.memory.window(axesOf(m)[1], time - 1, time)
  const lat = lats.series.values[lats.to - 1]
  const areas = fenceOf({ kind: fence }, m)?.areas
  if (!areas?.length || lat === undefined) return undefined
  m.budget.spend(cornersOf(areas))
  return areas.some((area) => isInside([Number(series.values[index]), Number(lat)], area))
}

function dueAt(c: ConditionOf<'dueDate'>, m: Moment): number | undefined {
  const day = m.params[c.param]
  const at = typeof day === 'string' ? Date.parse(`${day.slice(0, 10)}T00:00:00+08:00`) : Number.NaN
  return Number.isNaN(at) ? undefined : at - c.daysBefore * dayMs
}
function dueDate(c: ConditionOf<'dueDate'>, m: Moment): Finding {
  const at = dueAt(c, m)
  return at === undefined ? unknown(m.time) : { truth: m.time >= at, until: m.time + m.maxGapMs }
}

/** The moment from which too long has passed without a record of the kind. */
function missedAt(c: ConditionOf<'noRecord'>, m: Moment): number | undefined {
  const last = m.facts.lastRecord?.(c.record, c.result, m.time)
  return last === null ? Number.NEGATIVE_INFINITY : last === undefined ? undefined : last + c.withinSeconds * 1000 + 1
}
function noRecord(c: ConditionOf<'noRecord'>, m: Moment): Finding {
  const at = missedAt(c, m)
  return at === undefined ? unknown(m.time) : { truth: m.time >= at, until: m.time + m.maxGapMs }
}

/** Distances are looked ahead in tenths of a second. */
const predictedPerSecond = 10
function clearance(c: ConditionOf<'craneClearance'>, m: Moment, limit: number): Finding {
  m.budget.spend(c.predictSeconds * predictedPerSecond)
  const found = m.facts.clearanceAt?.(m.time, c.predictSeconds)
  const known = compared(c, found && { value: settled(found.meters), until: m.time + m.maxGapMs }, limit, m.time)
  // One machine too near is enough; that none is takes knowing them all.
  return found && !found.complete && known.truth === false ? unknown(m.time) : known
}
const clearanceClear = (c: ConditionOf<'craneClearance'>) =>
  c.clearValue ?? settled(c.value - operatorOf(c.op).side * Math.abs(c.value) * usualMargin)

const zoneMeters = 1
function zone(c: ConditionOf<'craneZone'>, m: Moment, margin: number): Finding {
  const meters = m.facts.zoneDistanceAt?.(c.zone, m.time)
  return meters === undefined ? unknown(m.time) : { truth: settled(meters) <= margin, until: m.time + m.maxGapMs }
}

function expression(c: ConditionOf<'expression'>, m: Moment, easier: boolean): Finding {
  const value = evaluateExpression(treeOf(c.expr), { moment: m, windowOf, easier })
  return value === undefined || typeof value !== 'boolean' ? unknown(m.time) : { truth: value, until: expressionUntil(c, m) }
}

/** An expression is known as long as the oldest of the readings it looks at. */
function expressionUntil(c: ConditionOf<'expression'>, m: Moment): number {
  let until = m.time + m.maxGapMs
  for (const metric of expressionMetrics(treeOf(c.expr))) {
    const known = m.memory.value(metric, m.time, m.maxGapMs)
    if (known) until = Math.min(until, known.time + m.maxGapMs)
  }
  return until
}

interface Kind<C> {
  holds(c: C, m: Moment): Finding
  /** Whether an open alarm of this condition may close. Between the two nothing changes. */
  over?(c: C, m: Moment): Finding
  lookBackSeconds?(c: C): number
  metrics?(c: C): readonly string[]
  /** When time alone will make it true, as far as can be told now; undefined when it will not. */
  turnsAt?(c: C, m: Moment): number | undefined
}
type Group = { type: string; of: readonly RuleCondition[] }
type Groups = 'and' | 'or' | 'not'
type Kinds = { [T in Exclude<RuleCondition['type'], Groups>]: Kind<ConditionOf<T>> } & { [T in Groups]: Kind<Group> }

const list = (values: readonly unknown[]) => values.filter((v): v is string => typeof v === 'string')
const position = [...place, ...plane]

const kinds: Kinds = {
  threshold: {
    holds: (c, m) => compared(c, thresholdValue(c, m), limitOf(c, m), m.time),
    over: (c, m) => negate(compared(c, thresholdValue(c, m), clearLimitOf(c, m), m.time)),
    lookBackSeconds: (c) => c.windowSeconds ?? 0,
    metrics: (c) => list([c.metric, c.fallbackMetric]),
  },
  range: {
    holds: (c, m) => (c.inside ? inRange(c, m, 0) : negate(inRange(c, m, 0))),
    over: (c, m) => (c.inside ? negate(inRange(c, m, -rangeMargin(c))) : inRange(c, m, rangeMargin(c))),
    metrics: (c) => [c.metric],
  },
  state: { holds: state, metrics: (c) => [c.metric] },
  rate: {
    holds: (c, m) => compared(c, rateOf(c, m), limitOf(c, m), m.time),
    over: (c, m) => negate(compared(c, rateOf(c, m), clearLimitOf(c, { params: m.params, unitOf: () => undefined }), m.time)),
    // The reference is the newest good value old enough: one older than this stays kept as well.
    lookBackSeconds: (c) => c.perSeconds,
    metrics: (c) => [c.metric],
  },
  constant: {
    holds: constant,
    lookBackSeconds: (c) => c.seconds,
    metrics: (c) => [c.metric],
    turnsAt: (c, m) => {
      const same = sameSince(c.metric, m)
      // The first reading stands for the interval before it, unless that is known to have been otherwise.
      return same && same.since + c.seconds * 1000 - (same.afterAnother ? 0 : m.intervalMs)
    },
  },
  ratioToAverage: {
    holds: (c, m) => ratioToAverage(c, m, c.factor),
    over: (c, m) => negate(ratioToAverage(c, m, c.factor * (1 - usualMargin))),
    lookBackSeconds: () => 0,
    metrics: (c) => c.metrics,
  },
  deviationFromHistory: {
    holds: (c, m) => deviation(c, m, c.absolute),
    over: (c, m) => negate(deviation(c, m, c.absolute * (1 - usualMargin))),
    metrics: (c) => [c.metric],
  },
  counterDecrease: { holds: counterDecrease, lookBackSeconds: () => 1, metrics: (c) => [c.metric] },
  // Silence is measured by the clock, not by readings: whoever is heard is not silent.
  noData: { holds: (_c, m) => ({ truth: false, until: m.time }) },
  noRecord: { holds: noRecord, turnsAt: missedAt },
  dueDate: { holds: dueDate, turnsAt: dueAt },
  inList: {
    holds: (c, m) => {
      const value = m.values[c.metric]
      return { truth: value === undefined || value === null ? undefined : m.facts.isListed?.(c.list, value), until: m.time + m.maxGapMs }
    },
    metrics: (c) => [c.metric],
  },
  notInRegistry: {
    holds: (c, m) => {
      const value = m.values[c.metric]
      const known = value === undefined || value === null ? undefined : m.facts.isRegistered?.(c.metric, value)
      return { truth: known === undefined ? undefined : !known, until: m.time + m.maxGapMs }
    },
    metrics: (c) => [c.metric],
  },
  workerState: { holds: (c, m) => ({ truth: m.facts.workerIs?.(c.state, m.values, m.time), until: m.time + m.maxGapMs }) },
  always: { holds: (_c, m) => ({ truth: true, until: m.time + m.maxGapMs }), over: (_c, m) => unknown(m.time) },
  geofence: {
    holds: (c, m) => allOnSide(c, isAboutInside(c), m),
    // Both ways take as many positions: one stray fix neither opens nor closes.
    over: (c, m) => allOnSide(c, !isAboutInside(c), m),
    lookBackSeconds: () => 600,
    metrics: () => position,
  },
  dwell: {
    holds: dwell,
    lookBackSeconds: (c) => c.seconds + (c.resetRestSeconds ?? 0) + 600,
    metrics: (c) => (c.state === 'driving' ? ['speed'] : c.state ? [] : position),
    turnsAt: (c, m) => {
      const found = lasting(c, m)
      return found ? found.since + c.seconds * 1000 : undefined
    },
  },
  countInArea: {
    holds: (c, m) => {
      const n = m.facts.countInArea?.(m.time)
      return compared(c, n === undefined ? undefined : { value: n, until: m.time + m.maxGapMs }, limitOf(c, m), m.time)
    },
  },
  craneClearance: {
    holds: (c, m) => clearance(c, m, c.value),
    over: (c, m) => negate(clearance(c, m, clearanceClear(c))),
    metrics: () => ['slewAngle', 'radius', 'hookHeight', 'elevation'],
  },
  craneZone: {
    holds: (c, m) => zone(c, m, c.marginMeters),
    over: (c, m) => negate(zone(c, m, c.marginMeters + zoneMeters)),
    metrics: () => ['slewAngle', 'radius', 'hookHeight', 'elevation'],
  },
  countInWindow: {
    holds: (c, m) => countInWindow(c, m, c.count),
    lookBackSeconds: (c) => c.windowSeconds,
    metrics: (c) => list([c.metric, c.by]),
  },
  expression: {
    holds: (c, m) => expression(c, m, false),
    over: (c, m) => negate(expression(c, m, true)),
    lookBackSeconds: (c) => expressionLookBack(treeOf(c.expr)),
    metrics: (c) => expressionMetrics(treeOf(c.expr)),
  },
  and: {
    holds: (c, m) =>
      every(
        c.of.map((one) => holds(one, m)),
        m.time,
      ),
    over: (c, m) =>
      some(
        c.of.map((one) => over(one, m)),
        m.time,
      ),
  },
  or: {
    holds: (c, m) =>
      some(
        c.of.map((one) => holds(one, m)),
        m.time,
      ),
    over: (c, m) =>
      every(
        c.of.map((one) => over(one, m)),
        m.time,
      ),
  },
  not: {
    holds: (c, m) => negate(holds(c.of[0] as RuleCondition, m)),
    over: (c, m) => holds(c.of[0] as RuleCondition, m),
  },
}

const kindOf = (c: RuleCondition) => kinds[c.type] as unknown as Kind<RuleCondition>

export function holds(c: RuleCondition, m: Moment): Finding {
  m.budget.spend(1)
  return kindOf(c).holds(c, m)
}
export function over(c: RuleCondition, m: Moment): Finding {
  m.budget.spend(1)
  const kind = kindOf(c)
  return kind.over ? kind.over(c, m) : negate(kind.holds(c, m))
}

/** The next moment after this one at which a condition may become true with nothing else heard; undefined when time alone changes nothing. */
export function nextTurn(c: RuleCondition, m: Moment): number | undefined {
  const moments = [kindOf(c).turnsAt?.(c, m), ...innerOf(c).map((one) => nextTurn(one, m))]
  const ahead = moments.filter((at): at is number => at !== undefined && at > m.time)
  return ahead.length ? Math.min(...ahead) : undefined
}
/** Whether the clock has a say in it. */
export const isTimed = (c: RuleCondition): boolean => kindOf(c).turnsAt !== undefined || innerOf(c).some(isTimed)

const places: ReadonlySet<RuleCondition['type']> = new Set(['geofence', 'dwell', 'craneClearance', 'craneZone'])

/** The metric whose value an alarm shows and follows: where a machine stands is no peak of anything. */
export function shownMetric(c: RuleCondition): string | undefined {
  if (places.has(c.type)) return undefined
  const [own] = kindOf(c).metrics?.(c) ?? []
  if (own !== undefined) return own
  for (const inner of innerOf(c)) {
    const found = shownMetric(inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** Metrics a condition speaks of. */
export function metricsOf(c: RuleCondition): string[] {
  return [...(kindOf(c).metrics?.(c) ?? []), ...innerOf(c).flatMap(metricsOf)]
}

/** Metrics whose past a condition needs, with how many seconds of it. */
export function lookBackOf(c: RuleCondition, into = new Map<string, number>(), outer = 0): Map<string, number> {
  const own = kindOf(c).lookBackSeconds?.(c)
  const whole = outer + (own ?? 0)
  if (own !== undefined && (own > 0 || c.type !== 'threshold')) {
    for (const metric of kindOf(c).metrics?.(c) ?? []) into.set(metric, Math.max(into.get(metric) ?? 0, whole))
  } else if (outer > 0) for (const metric of kindOf(c).metrics?.(c) ?? []) into.set(metric, Math.max(into.get(metric) ?? 0, outer))
  for (const one of innerOf(c)) lookBackOf(one, into, whole)
  return into
}

/** How many readings of the past a condition counts, where it counts readings and not seconds. */
export function samplesOf(c: RuleCondition): number {
  const own = c.type === 'ratioToAverage' ? c.samples + 1 : c.type === 'geofence' ? (c.confirmSamples ?? 1) : 0
  return Math.max(own, ...innerOf(c).map(samplesOf))
}

/** Every threshold in a condition: what gauges mark. */
export function thresholdsOf(c: RuleCondition): ConditionOf<'threshold'>[] {
  return c.type === 'threshold' ? [c] : innerOf(c).flatMap(thresholdsOf)
}
