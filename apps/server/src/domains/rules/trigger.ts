import type { ConditionOf, RuleCondition } from '@zhugong/contract/rules/conditions'
import { readStoredCondition } from '@zhugong/contract/rules/conditions'
import type { Family } from '@zhugong/contract/telemetry/families'
import { subjectKeys, subjectOf } from '../readings/public.ts'
import { type Calm, calmOf } from './calm.ts'
import { isTimed, lookBackOf, metricsOf, samplesOf } from './conditions.ts'
import type { RuleLevel, Trigger } from './evaluate.ts'
import { scheduleOf } from './schedule.ts'
import type { TriggerParts } from './trigger-parts.ts'

/** A rule prepared for evaluation. */
export interface ReadyTrigger extends Trigger {
  /** A record kind whose fields are the metrics; undefined for readings. */
  on: string | undefined
  minConfidence: number | undefined
  maxGapSeconds: number | undefined
  /** Metrics it uses; a reading without any of them does not affect it. */
  metrics: ReadonlySet<string>
  /** Metrics whose history it needs, with the seconds of history. `samples` is the number of readings needed. */
  lookBack: ReadonlyMap<string, number>
  samples: number
  isAboutSilence: boolean
  /** Time as well as readings may change the result. */
  isTimed: boolean
  /** A due date, which applies whether or not the device sends data. */
  isAboutDates: boolean
  /** Pre-check of one reading: whether no level can be true. */
  calm: Calm
  /** Why it is not evaluated: it was saved before a limit existed that it exceeds. */
  excess: string | undefined
}

/** An alarm about records ends this long after the last record. */
const happeningMs = 10 * 60_000

/**
 * Parses a stored condition.
 * @throws Error naming the problem, if the condition is invalid.
 */
function conditionOf(raw: unknown, excesses: string[]): RuleCondition {
  const { condition, problems, excess } = readStoredCondition(raw)
  if (!condition) throw new Error(`condition: ${problems[0]?.message}`)
  if (excess) excesses.push(excess)
  return condition
}

/** `onlyWhen` lists metrics with a required value or comparison. */
function onlyWhenOf(given: Record<string, unknown> | undefined): RuleCondition[] {
  return Object.entries(given ?? {}).flatMap(([metric, wanted]): RuleCondition[] =>
    typeof wanted === 'object' && wanted !== null
      ? Object.entries(wanted).map(([op, value]) => ({
          type: 'threshold',
          metric,
          op: op as ConditionOf<'threshold'>['op'],
          value: Number(value),
        }))
      : [{ type: 'state', metric, equals: wanted as string | number | boolean }],
  )
}

export function readyTrigger(parts: TriggerParts): ReadyTrigger {
  const options = parts.options ?? {}
  const excesses: string[] = []
  const levels = parts.levels.map(({ condition: raw, clear, clearValue, ...rest }): RuleLevel => {
    const condition = conditionOf(raw, excesses)
    const withClear = clearValue !== undefined && 'clearValue' in { clearValue, ...condition } && !('of' in condition)
    return {
      ...rest,
      condition: withClear ? ({ ...condition, clearValue } as RuleCondition) : condition,
      ...(clear === undefined ? {} : { clear: conditionOf(clear, excesses) }),
    }
  })
  const onlyWhen = onlyWhenOf(options.onlyWhen)
  const all = [...levels.flatMap((l) => (l.clear ? [l.condition, l.clear] : [l.condition])), ...onlyWhen]
  const lookBack = new Map<string, number>()
  for (const condition of all) lookBackOf(condition, lookBack)
  const record = recordOf(levels)
  const on = options.on ?? record
  return {
    levels,
    schedule: scheduleOf(parts.schedule),
    onlyWhen,
    confirmSamples: options.confirmSamples,
    daySeconds: options.daySeconds,
    endsAfterMs: on === undefined || levels.every((l) => isState(l.condition)) ? undefined : happeningMs,
    on,
    minConfidence: options.minConfidence,
    maxGapSeconds: options.maxGapSeconds,
    metrics: new Set(levels.flatMap((l) => metricsOf(l.condition))),
    lookBack,
    samples: Math.max(1, ...all.map(samplesOf)),
    isAboutSilence: levels.every((l) => l.condition.type === 'noData'),
    isTimed: levels.some((l) => isTimed(l.condition)),
    isAboutDates: levels.some((l) => l.condition.type === 'dueDate'),
    calm: calmOf({ type: 'and', of: [{ type: 'or', of: levels.map((l) => l.condition) }, ...onlyWhen] }),
    excess: excesses[0],
  }
}

/** A state that one record starts and another ends, such as a stay: its alarm closes when the state ends, not after a fixed time. */
const isState = (c: RuleCondition) => c.type === 'dwell' && c.state !== undefined

/** A rule that counts records is a rule about records. */
function recordOf(levels: readonly RuleLevel[]): string | undefined {
  for (const { condition } of levels) if (condition.type === 'countInWindow' && condition.record) return condition.record
  return undefined
}

/** Longest usual gap between two consecutive readings, in milliseconds. */
export function maxGapMsOf(intervalSeconds: number, given?: number): number {
  return 1000 * (given ?? Math.max(30, 3 * intervalSeconds))
}

/** History that a device's memory must keep for its rules (ms per metric). */
export function watchOf(triggers: Iterable<ReadyTrigger>, maxGapMs: number): Map<string, number> {
  const watched = new Map<string, number>()
  for (const trigger of triggers) {
    for (const [metric, seconds] of trigger.lookBack) {
      const ms = seconds * 1000 + trigger.samples * maxGapMs
      watched.set(metric, Math.max(watched.get(metric) ?? 0, ms))
    }
  }
  return watched
}

/** Fields that identify the subject of a record; each subject has its own alarm. */
const identities = ['plateNo', 'workerId', 'pileNo', 'driverId']
const points = [...subjectKeys, 'tagId']

/** The point of a reading, for families that report several points or cages through one device; for records the subject. */
export function pointOf(values: Readonly<Record<string, unknown>>, isRecord = false): string {
  return subjectOf(values, isRecord ? identities : points)
}

/** A metric of the family, or a field of a record kind, by key. */
export function fieldOf(family: Family | undefined, on: string | undefined, key: string) {
  return (on === undefined ? undefined : family?.record(on)?.fields.find((f) => f.key === key)) ?? family?.metric(key)
}
