import { dayMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { type ConditionOf, innerOf, type RuleCondition } from '@zhugong/contract/rules/conditions'
import {
  allOnSide,
  clearance,
  clearanceClear,
  dwell,
  isAboutInside,
  lasting,
  place,
  places,
  plane,
  zone,
  zoneMeters,
} from './condition-places.ts'
import {
  compared,
  constant,
  counterDecrease,
  deviation,
  inRange,
  rangeMargin,
  rateOf,
  ratioToAverage,
  sameSince,
  state,
  thresholdValue,
  windowOf,
} from './condition-values.ts'
import { evaluateExpression, expressionLookBack, expressionMetrics, treeOf } from './expressions.ts'
import type { Memory } from './history.ts'
import { clearLimitOf, limitOf, usualMargin } from './limits.ts'
import { every, type Finding, type Moment, negate, some, type Truth, unknown } from './moment.ts'

/** Results of nested conditions at past readings, cached until the past changes. */
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

/** A view of the memory in which `value` returns the value at exactly the given past time. */
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

function dueAt(c: ConditionOf<'dueDate'>, m: Moment): number | undefined {
  const day = m.params[c.param]
  const at = typeof day === 'string' ? Date.parse(`${day.slice(0, 10)}T00:00:00+08:00`) : Number.NaN
  return Number.isNaN(at) ? undefined : at - c.daysBefore * dayMs
}

function dueDate(c: ConditionOf<'dueDate'>, m: Moment): Finding {
  const at = dueAt(c, m)
  return at === undefined ? unknown(m.time) : { truth: m.time >= at, until: m.time + m.maxGapMs }
}

/** The time from which no record of the kind has arrived for too long. */
function missedAt(c: ConditionOf<'noRecord'>, m: Moment): number | undefined {
  const last = m.facts.lastRecord?.(c.record, c.result, m.time)
  return last === null ? Number.NEGATIVE_INFINITY : last === undefined ? undefined : last + c.withinSeconds * 1000 + 1
}

function noRecord(c: ConditionOf<'noRecord'>, m: Moment): Finding {
  const at = missedAt(c, m)
  return at === undefined ? unknown(m.time) : { truth: m.time >= at, until: m.time + m.maxGapMs }
}

function expression(c: ConditionOf<'expression'>, m: Moment, easier: boolean): Finding {
  const value = evaluateExpression(treeOf(c.expr), { moment: m, windowOf, easier })
  return value === undefined || typeof value !== 'boolean' ? unknown(m.time) : { truth: value, until: expressionUntil(c, m) }
}

/** The result is valid as long as the oldest reading it uses is fresh. */
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
  /** Whether an open alarm of this condition may close. If neither `holds` nor `over` is true, the alarm stays as it is. */
  over?(c: C, m: Moment): Finding
  lookBackSeconds?(c: C): number
  metrics?(c: C): readonly string[]
  /** When the condition becomes true by the passage of time alone; undefined if it does not. */
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
    // The reference is the newest value that is old enough; one older value is always kept for it.
    lookBackSeconds: (c) => c.perSeconds,
    metrics: (c) => [c.metric],
  },
  constant: {
    holds: constant,
    lookBackSeconds: (c) => c.seconds,
    metrics: (c) => [c.metric],
    turnsAt: (c, m) => {
      const same = sameSince(c.metric, m)
      // The first reading also covers the interval before it, unless a different value is known there.
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
  // Silence is measured by the clock, not by readings: a device that sends a reading is not silent.
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
    // Opening and closing need the same number of positions, so that one wrong fix does neither.
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
    over: (c, m) => negate(clearance(c, m, clearanceClear(c), true)),
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

/** The next time at which the condition may become true without a new reading; undefined if there is none. */
export function nextTurn(c: RuleCondition, m: Moment): number | undefined {
  const moments = [kindOf(c).turnsAt?.(c, m), ...innerOf(c).map((one) => nextTurn(one, m))]
  const ahead = moments.filter((at): at is number => at !== undefined && at > m.time)
  return ahead.length ? Math.min(...ahead) : undefined
}

/** Whether the condition can become true by the passage of time. */
export const isTimed = (c: RuleCondition): boolean => kindOf(c).turnsAt !== undefined || innerOf(c).some(isTimed)

/** The metric whose value and peak an alarm shows; none for conditions about locations. */
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

/** Metrics used by a condition. */
export function metricsOf(c: RuleCondition): string[] {
  return [...(kindOf(c).metrics?.(c) ?? []), ...innerOf(c).flatMap(metricsOf)]
}

/** Metrics whose history a condition needs, with the seconds of history. */
export function lookBackOf(c: RuleCondition, into = new Map<string, number>(), outer = 0): Map<string, number> {
  const own = kindOf(c).lookBackSeconds?.(c)
  const whole = outer + (own ?? 0)
  if (own !== undefined && (own > 0 || c.type !== 'threshold')) {
    for (const metric of kindOf(c).metrics?.(c) ?? []) into.set(metric, Math.max(into.get(metric) ?? 0, whole))
  } else if (outer > 0) for (const metric of kindOf(c).metrics?.(c) ?? []) into.set(metric, Math.max(into.get(metric) ?? 0, outer))
  for (const one of innerOf(c)) lookBackOf(one, into, whole)
  return into
}

/** Number of past readings needed by conditions that count readings instead of seconds. */
export function samplesOf(c: RuleCondition): number {
  const own = c.type === 'ratioToAverage' ? c.samples + 1 : c.type === 'geofence' ? (c.confirmSamples ?? 1) : 0
  return Math.max(own, ...innerOf(c).map(samplesOf))
}

/** All thresholds in a condition; gauges display them. */
export function thresholdsOf(c: RuleCondition): ConditionOf<'threshold'>[] {
  return c.type === 'threshold' ? [c] : innerOf(c).flatMap(thresholdsOf)
}
