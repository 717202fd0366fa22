import type { Condition } from '@zhugong/contract/telemetry/families'

/**
 * What a rule says about one reading, and how an alarm's life follows from a row of readings. Nothing here knows a clock or a database:
 * the time is the device's own, what was held before is handed in. Silence is never recovery, and what is not known decides nothing.
 */
export interface RuleLevel {
  level: 1 | 2 | 3 | 4
  condition: Condition
  forSeconds?: number
  clearForSeconds?: number
}

export interface Reading {
  time: number
  values: Readonly<Record<string, unknown>>
  /** Only what is not good. */
  quality?: Readonly<Record<string, string>> | undefined
}

export interface Surroundings {
  /** The device's static parameters. */
  params: Readonly<Record<string, unknown>>
  /** Unit of a metric: percentages of capacity clear closer to their limit. */
  unitOf(metric: string): string | undefined
}

/** Undefined: not known. */
export type Truth = boolean | undefined

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

function operatorOf(op: unknown): Operator | undefined {
  if (typeof op !== 'string') return undefined
  const absolute = op.startsWith('abs')
  const sign = absolute ? op.slice(3).trim() : op
  const compare = comparisons[sign]
  if (!compare) return undefined
  return { absolute, compare, side: sign.startsWith('>') ? 1 : sign.startsWith('<') ? -1 : 0 }
}

/** The value of a metric when it may be used: present and good. */
function usable(reading: Reading, metric: unknown): unknown {
  if (typeof metric !== 'string' || reading.quality?.[metric]) return undefined
  const value = reading.values[metric]
  return value === null ? undefined : value
}

function numeric(reading: Reading, metric: unknown): number | undefined {
  const value = usable(reading, metric)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The limit in force: a number, a device parameter times a factor, or a number chosen by a parameter's value. */
export function limitOf(condition: Condition, around: Surroundings): number | undefined {
  const byParam = condition.byParam as Record<string, Record<string, number>> | undefined
  for (const [param, limits] of Object.entries(byParam ?? {})) {
    const chosen = limits[String(around.params[param])]
    if (typeof chosen === 'number') return chosen
  }
  if (typeof condition.param === 'string') {
    const given = Number(around.params[condition.param])
    const base = around.params[condition.param] !== undefined && Number.isFinite(given) ? given : condition.default
    return typeof base === 'number' ? base * (typeof condition.factor === 'number' ? condition.factor : 1) : undefined
  }
  return typeof condition.value === 'number' ? condition.value : undefined
}

/** Where an open alarm lets go: the rule's own value, else 5 % inside the limit (2 % for percentages of capacity). */
export function clearLimitOf(condition: Condition, around: Surroundings): number | undefined {
  if (typeof condition.clearValue === 'number') return condition.clearValue
  const limit = limitOf(condition, around)
  const side = operatorOf(condition.op)?.side ?? 0
  if (limit === undefined) return undefined
  const margin = around.unitOf(condition.metric ?? '') === '%' ? capacityMargin : usualMargin
  return limit - side * Math.abs(limit) * margin
}

interface Kind {
  holds(c: Condition, reading: Reading, around: Surroundings): Truth
  /** Whether an open alarm of this condition may close. Between the two nothing changes. */
  over(c: Condition, reading: Reading, around: Surroundings): Truth
}

const children = (c: Condition): readonly Condition[] => (Array.isArray(c.of) ? c.of : [])

/** and: false wins, then unknown. */
const every = (truths: Truth[]): Truth => (truths.includes(false) ? false : truths.includes(undefined) ? undefined : true)
/** or: true wins, then unknown. */
const some = (truths: Truth[]): Truth => (truths.includes(true) ? true : truths.includes(undefined) ? undefined : false)
const negate = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)

function threshold(c: Condition, reading: Reading, limit: number | undefined): Truth {
  const operator = operatorOf(c.op)
  const value = numeric(reading, c.metric) ?? numeric(reading, c.fallbackMetric)
  if (!operator || value === undefined || limit === undefined) return undefined
  return operator.compare(operator.absolute ? Math.abs(value) : value, limit)
}

function inRange(c: Condition, reading: Reading, margin: number): Truth {
  const value = numeric(reading, c.metric)
  const { low, high } = c as { low?: number; high?: number }
  if (value === undefined) return undefined
  const inside = (low === undefined || value >= low + margin) && (high === undefined || value <= high - margin)
  return inside
}

const rangeMargin = (c: Condition) => {
  const { low, high, clearMargin } = c as { low?: number; high?: number; clearMargin?: number }
  return clearMargin ?? (low !== undefined && high !== undefined ? (high - low) * usualMargin : 0)
}

function state(c: Condition, reading: Reading): Truth {
  const value = usable(reading, c.metric)
  if (value === undefined) return undefined
  return 'notEquals' in c ? String(value) !== String(c.notEquals) : String(value) === String(c.equals)
}

const kinds: Record<string, Kind> = {
  threshold: {
    holds: (c, r, a) => threshold(c, r, limitOf(c, a)),
    over: (c, r, a) => negate(threshold(c, r, clearLimitOf(c, a))),
  },
  range: {
    holds: (c, r) => (c.inside === true ? inRange(c, r, 0) : negate(inRange(c, r, 0))),
    over: (c, r) => (c.inside === true ? negate(inRange(c, r, -rangeMargin(c))) : inRange(c, r, rangeMargin(c))),
  },
  state: { holds: (c, r) => state(c, r), over: (c, r) => negate(state(c, r)) },
  and: {
    holds: (c, r, a) => every(children(c).map((one) => holds(one, r, a))),
    over: (c, r, a) => some(children(c).map((one) => isOver(one, r, a))),
  },
  or: {
    holds: (c, r, a) => some(children(c).map((one) => holds(one, r, a))),
    over: (c, r, a) => every(children(c).map((one) => isOver(one, r, a))),
  },
  not: {
    holds: (c, r, a) => negate(holds(children(c)[0] ?? { type: 'never' }, r, a)),
    over: (c, r, a) => holds(children(c)[0] ?? { type: 'never' }, r, a),
  },
  always: { holds: () => true, over: () => undefined },
}

export const holds = (c: Condition, reading: Reading, around: Surroundings): Truth => kinds[c.type]?.holds(c, reading, around)
export const isOver = (c: Condition, reading: Reading, around: Surroundings): Truth => kinds[c.type]?.over(c, reading, around)

const deepest = 4
const beyondOneReading = ['windowSeconds', 'minCoverage', 'window']

/** Whether this version can evaluate a condition; others are shown as not yet expressible, never silently dropped. */
export function canEvaluate(c: Condition, depth = 0): boolean {
  if (c.type === 'noData') return depth === 0 && typeof c.seconds === 'number'
  if (!Object.hasOwn(kinds, c.type) || depth > deepest) return false
  if (beyondOneReading.some((name) => c[name] !== undefined)) return false
  if (c.type === 'threshold' && (!operatorOf(c.op) || typeof c.metric !== 'string')) return false
  return children(c).every((one) => canEvaluate(one, depth + 1))
}

/** Metrics a condition speaks of. */
export function metricsOf(c: Condition): string[] {
  const own = [c.metric, c.fallbackMetric].filter((m): m is string => typeof m === 'string')
  return [...own, ...children(c).flatMap(metricsOf)]
}

/** What one level of one rule remembers. Empty when nothing is going on. */
export interface LevelState {
  /** The condition has been true since then, without a break. */
  pendingSince?: number
  /** Start of the breach of the open alarm. */
  activeSince?: number
  /** The clear condition has held since then. */
  clearSince?: number
  /** Device time of the last reading that decided something; kept while something is pending. */
  lastAt?: number
}

export type LevelEvent = { kind: 'open'; startTime: number; fireTime: number } | { kind: 'clear'; time: number }
export interface Step {
  state: LevelState
  events: LevelEvent[]
}

/** Moves a state to the time `now` without a reading: what was pending opens at the first moment it may, if its value is still fresh then. */
export function advance(level: RuleLevel, state: LevelState, now: number, maxGapMs: number): Step {
  const freshUntil = Math.min(now, (state.lastAt ?? Number.NEGATIVE_INFINITY) + maxGapMs)
  if (state.activeSince === undefined && state.pendingSince !== undefined) {
    const due = state.pendingSince + (level.forSeconds ?? 0) * 1000
    if (due <= freshUntil) {
      return {
        state: { activeSince: state.pendingSince },
        events: [{ kind: 'open', startTime: state.pendingSince, fireTime: due }],
      }
    }
  }
  if (state.activeSince !== undefined && state.clearSince !== undefined) {
    const due = state.clearSince + (level.clearForSeconds ?? 0) * 1000
    if (due <= freshUntil) return { state: {}, events: [{ kind: 'clear', time: due }] }
  }
  return { state, events: [] }
}

/** Takes one reading, newer than all before it. */
export function take(level: RuleLevel, before: LevelState, reading: Reading, around: Surroundings, maxGapMs: number): Step {
  // What became due between the last reading and this one happened before it. Only for waits: without one, things happen at the reading.
  const due = advance(level, before, reading.time - 1, maxGapMs)
  const events = [...due.events]
  let state = due.state
  const broken = state.lastAt !== undefined && reading.time - state.lastAt > maxGapMs
  if (state.activeSince === undefined) {
    const truth = holds(level.condition, reading, around)
    if (truth === undefined) return { state: broken ? {} : state, events }
    if (!truth) return { state: {}, events }
    state = { pendingSince: broken ? reading.time : (state.pendingSince ?? reading.time), lastAt: reading.time }
  } else {
    const over = isOver(level.condition, reading, around)
    if (over === undefined) return { state: broken ? { activeSince: state.activeSince } : state, events }
    if (!over) return { state: { activeSince: state.activeSince }, events }
    state = {
      activeSince: state.activeSince,
      clearSince: broken ? reading.time : (state.clearSince ?? reading.time),
      lastAt: reading.time,
    }
  }
  const now = advance(level, state, reading.time, maxGapMs)
  return { state: now.state, events: [...events, ...now.events] }
}

/** The usual longest silence between two readings that still belong together. */
export function maxGapMsOf(intervalSeconds: number, given?: number): number {
  return 1000 * (given ?? Math.max(30, 3 * intervalSeconds))
}

const words: Record<string, string> = {
  '>=': '≥',
  '>': '>',
  '<=': '≤',
  '<': '<',
  '==': '=',
  '!=': '≠',
}

/** A condition in words, as pages show it: 力矩百分比 ≥ 90 %，持续 2 秒，回落 85 % 解除. */
export function inWords(level: RuleLevel, around: Surroundings & { labelOf(metric: string): string }): string {
  const c = level.condition
  const describe = (one: Condition): string => {
    const unit = one.metric ? ` ${around.unitOf(one.metric) ?? ''}`.trimEnd() : ''
    const label = one.metric ? around.labelOf(one.metric) : ''
    switch (one.type) {
      case 'threshold': {
        const absolute = String(one.op).startsWith('abs')
        const sign = words[String(one.op).replace('abs', '').trim()] ?? one.op
        return `${absolute ? `|${label}|` : label} ${sign} ${limitOf(one, around) ?? '未设置'}${unit}`
      }
      case 'range':
        return `${label} ${one.inside ? '在' : '超出'} ${one.low ?? '-∞'}～${one.high ?? '+∞'}${unit}${one.inside ? ' 内' : ''}`
      case 'state':
        return 'notEquals' in one ? `${label} 不为 ${one.notEquals}` : `${label} 为 ${one.equals === true ? '是' : one.equals}`
      case 'noData':
        return `${one.seconds} 秒无数据`
      case 'and':
      case 'or':
        return children(one)
          .map(describe)
          .join(one.type === 'and' ? ' 且 ' : ' 或 ')
      case 'not':
        return `非（${children(one).map(describe).join('')}）`
      default:
        return label || one.type
    }
  }
  const parts = [describe(c)]
  if (level.forSeconds) parts.push(`持续 ${level.forSeconds} 秒`)
  if (c.type === 'threshold') {
    const clear = clearLimitOf(c, around)
    if (clear !== undefined && clear !== limitOf(c, around)) {
      parts.push(`回落 ${Math.round(clear * 1000) / 1000}${` ${around.unitOf(c.metric ?? '') ?? ''}`.trimEnd()} 解除`)
    }
  }
  return parts.join('，')
}
