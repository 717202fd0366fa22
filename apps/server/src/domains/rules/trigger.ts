import type { ConditionOf, RuleCondition } from '@zhugong/contract/rules/conditions'
import { readStoredCondition } from '@zhugong/contract/rules/conditions'
import type { Family } from '@zhugong/contract/telemetry/families'
import { subjectKeys, subjectOf } from '../readings/public.ts'
import { type Calm, calmOf } from './calm.ts'
import { isTimed, lookBackOf, metricsOf, samplesOf } from './conditions.ts'
import type { RuleLevel, Trigger } from './evaluate.ts'
import { scheduleOf } from './schedule.ts'
import type { RuleOptions } from './tables.ts'

/** A trigger made ready to be judged. */
export interface ReadyTrigger extends Trigger {
  /** A record kind whose fields are the metrics; none for readings. */
  on: string | undefined
  minConfidence: number | undefined
  maxGapSeconds: number | undefined
  /** Metrics it speaks of: a reading without any of them does not touch it. */
  metrics: ReadonlySet<string>
  /** Metrics whose past it needs, in seconds, and how many readings of it. */
  lookBack: ReadonlyMap<string, number>
  samples: number
  isAboutSilence: boolean
  /** The clock has a say in it as well as readings. */
  isTimed: boolean
  /** Something falls due on a day, whether or not the device is ever heard. */
  isAboutDates: boolean
  /** The quick look at one reading: nothing of this can be true. */
  calm: Calm
  /** Why nobody judges it: it was saved before there was a limit that it exceeds. */
  excess: string | undefined
}

/** Records are happenings: an alarm about them ends by itself after this long without another. */
const happeningMs = 10 * 60_000

export interface TriggerParts {
  levels: readonly (Omit<RuleLevel, 'condition' | 'clear'> & { condition: unknown; clear?: unknown; clearValue?: number })[]
  schedule?: unknown
  options?: RuleOptions
}

/** A condition that was checked when it was saved; one that was not is worth a refusal by name. */
function conditionOf(raw: unknown, excesses: string[]): RuleCondition {
  const { condition, problems, excess } = readStoredCondition(raw)
  if (!condition) throw new Error(`condition: ${problems[0]?.message}`)
  if (excess) excesses.push(excess)
  return condition
}

/** `onlyWhen` names metrics that must have a value, or compare to one. */
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

/** What a record begins and another ends lasts in between: it is over when it is over, not some time after the record. */
const isState = (c: RuleCondition) => c.type === 'dwell' && c.state !== undefined

/** A rule that counts records is a rule about them. */
function recordOf(levels: readonly RuleLevel[]): string | undefined {
  for (const { condition } of levels) if (condition.type === 'countInWindow' && condition.record) return condition.record
  return undefined
}

/** The usual longest silence between two readings that still belong together. */
export function maxGapMsOf(intervalSeconds: number, given?: number): number {
  return 1000 * (given ?? Math.max(30, 3 * intervalSeconds))
}

/** What a device's memory has to keep for its rules. */
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

/** Fields that say whom a record is about: each has an alarm of its own. */
const identities = ['plateNo', 'workerId', 'pileNo', 'driverId']
const points = [...subjectKeys, 'tagId']

/** Families that report several points or cages through one device; records are told apart by whom they are about. */
export function pointOf(values: Readonly<Record<string, unknown>>, isRecord = false): string {
  return subjectOf(values, isRecord ? identities : points)
}

/** Metrics of a family, or fields of a record kind, by name. */
export function fieldOf(family: Family | undefined, on: string | undefined, key: string) {
  return (on === undefined ? undefined : family?.record(on)?.fields.find((f) => f.key === key)) ?? family?.metric(key)
}
