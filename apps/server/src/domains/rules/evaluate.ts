import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { holds, over } from './conditions.ts'
import type { Moment } from './moment.ts'
import { inSchedule, periodEnd, type Schedule } from './schedule.ts'
import {
  advance as advanceLevel,
  isIdle,
  type LevelEvent,
  type LevelState,
  take,
  type Verdict,
  waitsForClock,
  withoutWaiting,
} from './spell.ts'

/**
 * How an alarm's life follows from a row of readings. Nothing here knows a clock or a database: time is the device's own, what was held
 * before is handed in and what is held after is handed back. Silence is never recovery, and what is not known decides nothing.
 */
export interface RuleLevel {
  level: 1 | 2 | 3 | 4
  condition: RuleCondition
  forSeconds?: number
  clearForSeconds?: number
  /** Its own condition for the end, instead of the opening one's clear value. */
  clear?: RuleCondition
}

export interface Trigger {
  levels: readonly RuleLevel[]
  schedule: Schedule | null
  /** Conditions that must hold beside the level's own; not known counts as not. */
  onlyWhen: readonly RuleCondition[]
  confirmSamples?: number | undefined
  /** Speaks only once the condition has held this long on one day. */
  daySeconds?: number | undefined
  /** A rule about records: each is a happening, and its alarm ends by itself some time after the last. */
  endsAfterMs?: number | undefined
}

export type EndReason = 'recovered' | 'schedule' | 'ruleChanged' | 'ruleDisabled' | 'deviceRemoved'

/** What is remembered of one subject: a device's point under one rule. Plain data, so that it can be written and read again. */
export interface Held {
  levels: LevelState[]
  /** The device says so itself, since then. */
  device?: { since: number; level: number }
  /** Level of the open alarm. */
  open?: { level: number; startTime: number }
  /** When alarms of this subject opened lately. */
  opens?: number[]
  /** It opened and cleared so often that it is one alarm that stays. */
  flapping?: boolean
  /** While flapping: nothing has been wrong since then. */
  calmSince?: number
  /** Until when the last reading counts, while something waits for calm or for the end of happenings. */
  freshUntil?: number
  /** Last happening of a rule about records. */
  lastHit?: number
}

export type AlarmEvent =
  | { event: 'open'; level: number; startTime: number; fireTime: number; time: number; source: 'platform' | 'device' }
  | { event: 'upgrade' | 'downgrade'; level: number; time: number }
  | { event: 'clear'; level: number; time: number; reason: EndReason }
  | { event: 'flapping'; level: number; time: number }
  /** Opened again while flapping: counted, not told. */
  | { event: 'again'; level: number; time: number }
  | { event: 'source'; level: number; time: number; source: 'platform' | 'device' }

export interface Outcome {
  held: Held
  events: AlarmEvent[]
}

export const nothingHeld = (trigger: Pick<Trigger, 'levels'>): Held => ({ levels: trigger.levels.map(() => ({})) })
export const isNothing = (held: Held) => !held.open && !held.device && !held.flapping && !held.opens?.length && held.levels.every(isIdle)
export const waits = (held: Held) => held.levels.some(waitsForClock) || held.calmSince !== undefined || held.lastHit !== undefined

const flappingOpens = 4
const flappingWithinMs = 10 * 60_000
const calmMs = 5 * 60_000

interface Change {
  time: number
  level: number
  kind: 'open' | 'clear'
  startTime: number
}

/** When a flapping alarm has been calm for long enough, as far as somebody looked. */
function calmEnd({
  flapping,
  open,
  calmSince,
  freshUntil,
}: {
  [K in 'flapping' | 'open' | 'calmSince' | 'freshUntil']?: Held[K] | undefined
}): number {
  if (!flapping || !open || calmSince === undefined) return Number.POSITIVE_INFINITY
  const due = calmSince + calmMs
  return due <= (freshUntil ?? Number.NEGATIVE_INFINITY) ? due : Number.POSITIVE_INFINITY
}

/**
 * Turns what happened to the levels into what happens to the one alarm of the subject. Calm that was over before `until` ended it in its
 * own turn, whether or not the clock was asked in between.
 */
function settle(trigger: Pick<Trigger, 'levels'>, before: Held, after: Held, changes: Change[], until: number): AlarmEvent[] {
  const events: AlarmEvent[] = []
  // Which levels are up, followed through the changes in their order: a spell that began and ended between two readings is one alarm.
  const up = new Set(
    before.levels.flatMap((l, i) => (l.activeSince === undefined ? [] : [(trigger.levels[i] as RuleLevel).level as number])),
  )
  let { open, flapping, calmSince } = before
  let opens = before.opens ?? []
  const endCalm = (until: number) => {
    const due = calmEnd({ flapping, open, calmSince, freshUntil: before.freshUntil })
    if (due >= until || !open) return
    events.push({ event: 'clear', level: open.level, time: due, reason: 'recovered' })
    opens = []
    open = undefined
    flapping = undefined
    calmSince = undefined
  }
  changes.sort((a, b) => a.time - b.time)
  for (let i = 0; i < changes.length; ) {
    const { time } = changes[i] as Change
    endCalm(time)
    let startTime = time
    const alone = up.size === 0
    for (; i < changes.length && (changes[i] as Change).time === time; i++) {
      const change = changes[i] as Change
      if (change.kind === 'open') {
        up.add(change.level)
        startTime = Math.min(startTime, change.startTime)
      } else up.delete(change.level)
    }
    const worst = Math.min(...up, after.device?.level ?? Number.POSITIVE_INFINITY)
    if (!open) {
      if (!Number.isFinite(worst)) continue
      opens = [...(recent(opens, time) ?? []), time]
      open = { level: worst, startTime }
      events.push({ event: 'open', level: worst, startTime, fireTime: time, time, source: up.size ? 'platform' : 'device' })
      if (opens.length >= flappingOpens) {
        flapping = true
        calmSince = undefined
        events.push({ event: 'flapping', level: worst, time })
      }
    } else if (!Number.isFinite(worst)) {
      if (flapping) calmSince ??= time
      else {
        events.push({ event: 'clear', level: open.level, time, reason: 'recovered' })
        open = undefined
      }
    } else {
      if (flapping && calmSince !== undefined) {
        calmSince = undefined
        events.push({ event: 'again', level: worst, time })
      }
      if (alone && up.size && before.device) events.push({ event: 'source', level: worst, time, source: 'platform' })
      if (worst !== open.level) {
        events.push({ event: worst < open.level ? 'upgrade' : 'downgrade', level: worst, time })
        open = { ...open, level: worst }
      }
    }
  }
  endCalm(until)
  assign(after, { open, flapping, calmSince, opens: opens.length ? opens : undefined })
  if (!flapping) delete after.freshUntil
  return events
}

function assign(
  held: Held,
  parts: { [K in 'open' | 'flapping' | 'calmSince' | 'opens' | 'device' | 'freshUntil' | 'lastHit']?: Held[K] | undefined },
) {
  for (const [key, value] of Object.entries(parts)) {
    if (value === undefined) delete held[key as keyof Held]
    else (held as unknown as Record<string, unknown>)[key] = value
  }
}

function collect(changes: Change[], level: number, events: readonly LevelEvent[]): void {
  for (const e of events) {
    changes.push(
      e.kind === 'open'
        ? { kind: 'open', level, time: e.fireTime, startTime: e.startTime }
        : { kind: 'clear', level, time: e.time, startTime: e.time },
    )
  }
}

/** Ends everything: a clear when an alarm was open, and what waited is dropped. */
export function end(trigger: Pick<Trigger, 'levels'>, held: Held, time: number, reason: EndReason): Outcome {
  const events: AlarmEvent[] = held.open ? [{ event: 'clear', level: held.open.level, time, reason }] : []
  const left = nothingHeld(trigger)
  if (held.opens) left.opens = held.opens
  return { held: left, events }
}

/** Drops what is pending or recovering; an open alarm stays. */
export function dropWaiting(held: Held): Held {
  const left = { ...held, levels: held.levels.map(withoutWaiting) }
  delete left.calmSince
  return left
}

/** Moves a subject to a moment without a reading. `last` is the device time of its newest reading. */
export function advance(trigger: Trigger, held: Held, now: number, last: number | undefined): Outcome {
  const ends = trigger.schedule && last !== undefined ? periodEnd(trigger.schedule, last) : Number.POSITIVE_INFINITY
  if (ends <= now) {
    // What was due before the period's end still happened; the rest ends with it.
    const before = advanceWithin(trigger, held, ends - 1)
    const over = end(trigger, before.held, ends, 'schedule')
    return { held: over.held, events: [...before.events, ...over.events] }
  }
  return advanceWithin(trigger, held, now)
}

function advanceWithin(trigger: Trigger, held: Held, now: number): Outcome {
  const changes: Change[] = []
  let levels: LevelState[] | undefined
  for (const [i, level] of trigger.levels.entries()) {
    const { state, events } = advanceLevel({ ...level, confirmSamples: trigger.confirmSamples }, held.levels[i] ?? {}, now)
    if (events.length) {
      levels ??= [...held.levels]
      levels[i] = state
      collect(changes, level.level, events)
    }
  }
  const after: Held = levels ? { ...held, levels } : held
  const events = changes.length ? settle(trigger, held, after, changes, now) : []
  return finish(trigger, after, now, events)
}

/** The end of flapping, and of happenings that have stopped. */
function finish(trigger: Trigger, held: Held, now: number, events: AlarmEvent[]): Outcome {
  const due = calmEnd(held)
  if (held.open && due <= now) {
    const calm = { ...held }
    assign(calm, { open: undefined, flapping: undefined, calmSince: undefined, opens: undefined, freshUntil: undefined })
    return { held: calm, events: [...events, { event: 'clear', level: held.open.level, time: due, reason: 'recovered' }] }
  }
  if (trigger.endsAfterMs !== undefined && held.lastHit !== undefined) {
    const due = held.lastHit + trigger.endsAfterMs
    if (due <= now) {
      const over = end(trigger, held, due, 'recovered')
      return { held: over.held, events: [...events, ...over.events] }
    }
  }
  return { held, events }
}

/** Adds the time since the last reading to the day's count when both say so; answers whether the day has had enough. */
function countDay(
  state: LevelState,
  truth: boolean | undefined,
  m: Moment,
  seconds: number,
): { today: LevelState['today']; enough: boolean } {
  const day = Math.floor((m.time + shanghaiOffsetMs) / dayMs)
  const before = state.today?.day === day ? state.today : { day, ms: 0 }
  const gap = before.at === undefined ? Number.POSITIVE_INFINITY : m.time - before.at
  const ms = before.ms + (truth && gap <= m.maxGapMs ? gap : 0)
  return { today: truth ? { day, ms, at: m.time } : ms ? { day, ms } : undefined, enough: ms > seconds * 1000 }
}

/**
 * Takes one reading, newer than all before it; the moment's memory holds it already. `last` is the device time of the reading before.
 * Suppressed: nothing may open now, what is open may end.
 */
export function takeReading(trigger: Trigger, given: Held, m: Moment, last: number | undefined, suppressed = false): Outcome {
  const earlier: AlarmEvent[] = []
  let held = given
  if (trigger.schedule) {
    const ended = last === undefined ? undefined : periodEnd(trigger.schedule, last)
    if (ended !== undefined && ended <= m.time && !isNothing(held)) {
      const out = advance(trigger, held, m.time, last)
      earlier.push(...out.events)
      held = out.held
    }
    if (!inSchedule(trigger.schedule, m.time)) return { held, events: earlier }
  }
  if (trigger.endsAfterMs !== undefined && held.lastHit !== undefined) {
    const out = finish(trigger, held, m.time, [])
    earlier.push(...out.events)
    held = out.held
  }
  const allowed = trigger.onlyWhen.every((c) => holds(c, m).truth === true)
  const changes: Change[] = []
  const levels: LevelState[] = []
  let known = false
  let hit = false
  for (const [i, level] of trigger.levels.entries()) {
    let before = held.levels[i] ?? {}
    if (level.condition.type === 'noData') {
      levels.push(before)
      continue
    }
    if (suppressed) before = withoutWaiting(before)
    const judge = (isOpen: boolean): Verdict => {
      if (!isOpen) {
        if (!allowed) return { truth: false, until: m.time }
        if (suppressed) return { truth: undefined, until: m.time }
        const found = holds(level.condition, m)
        if (trigger.daySeconds === undefined) return note(found)
        const { today, enough } = countDay(before, found.truth, m, trigger.daySeconds)
        counted = today
        return note(found.truth && !enough ? { truth: false, until: found.until } : found)
      }
      if (!allowed) return note({ truth: true, until: m.time + m.maxGapMs })
      return note(level.clear ? holds(level.clear, m) : over(level.condition, m), true)
    }
    const note = (found: Verdict, opposite = false): Verdict => {
      if (found.truth !== undefined) known = true
      if (found.truth === !opposite) hit = true
      return found
    }
    let counted = before.today
    const { state, events } = take({ ...level, confirmSamples: trigger.confirmSamples }, before, m.time, judge)
    levels.push(trigger.daySeconds === undefined ? state : withToday(state, counted))
    collect(changes, level.level, events)
  }
  const after: Held = { ...held, levels }
  const events = settle(trigger, held, after, changes, m.time)
  if (trigger.endsAfterMs !== undefined) {
    if (hit && after.open) after.lastHit = m.time
    else if (!after.open) delete after.lastHit
  }
  if (after.flapping) {
    // Calm counts only as long as somebody looks.
    const calm = !after.device && after.levels.every((l) => l.activeSince === undefined)
    const broken = m.time > (held.freshUntil ?? m.time)
    if (calm && (after.calmSince === undefined || broken)) after.calmSince = m.time
    if (known) after.freshUntil = m.time + m.maxGapMs
  }
  if (after.opens && !after.open) assign(after, { opens: recent(after.opens, m.time) })
  const out = finish(trigger, after, m.time, events)
  return { held: out.held, events: [...earlier, ...out.events] }
}

/** Openings that still count towards flapping. */
function recent(opens: readonly number[], now: number): number[] | undefined {
  const left = opens.filter((t) => now - t < flappingWithinMs)
  return left.length ? left : undefined
}

function withToday(state: LevelState, today: LevelState['today']): LevelState {
  const { today: _before, ...rest } = state
  return today ? { ...rest, today } : rest
}

/** The device's own flag goes up or down. One alarm with the platform's: it ends when neither says so any more. */
export function takeFlag(trigger: Pick<Trigger, 'levels'>, held: Held, up: boolean, level: number, time: number): Outcome {
  if (up === (held.device !== undefined)) return { held, events: [] }
  const after: Held = { ...held }
  assign(after, { device: up ? { since: time, level } : undefined })
  const was = held.open !== undefined
  const events = settle(trigger, held, after, [{ time, level: -1, kind: 'clear', startTime: time }], time)
  if (up && was) events.push({ event: 'source', level, time, source: 'device' })
  return { held: after, events }
}

/** Silence, by receive time: since when nothing has been heard. */
export function takeSilence(trigger: Trigger, held: Held, heardAt: number, now: number): Outcome {
  const changes: Change[] = []
  const levels = [...held.levels]
  for (const [i, level] of trigger.levels.entries()) {
    if (level.condition.type !== 'noData' || levels[i]?.activeSince !== undefined) continue
    const due = heardAt + (level.condition.seconds + (level.forSeconds ?? 0)) * 1000
    if (due > now || !inSchedule(trigger.schedule, due)) continue
    levels[i] = { activeSince: heardAt }
    changes.push({ kind: 'open', level: level.level, time: due, startTime: heardAt })
  }
  if (changes.length === 0) return { held, events: [] }
  const after: Held = { ...held, levels }
  return { events: settle(trigger, held, after, changes, now), held: after }
}

/** Any valid message ends silence. */
export function takeSound(trigger: Trigger, held: Held, receivedAt: number): Outcome {
  const changes: Change[] = []
  const levels = [...held.levels]
  for (const [i, level] of trigger.levels.entries()) {
    if (level.condition.type !== 'noData' || levels[i]?.activeSince === undefined) continue
    levels[i] = {}
    changes.push({ kind: 'clear', level: level.level, time: receivedAt, startTime: receivedAt })
  }
  if (changes.length === 0) return { held, events: [] }
  const after: Held = { ...held, levels }
  return { events: settle(trigger, held, after, changes, receivedAt), held: after }
}

/** Whether any level would speak now: the quick look that spares most readings everything else. */
export function speaks(trigger: Trigger, m: Moment): boolean {
  return trigger.levels.some((level) => holds(level.condition, m).truth === true)
}

/** Whether the last value ends an alarm under a rule, by the rule's own way of ending. */
function isOver(trigger: Trigger, level: RuleLevel, m: Moment): boolean {
  if (trigger.onlyWhen.some((c) => holds(c, m).truth !== true)) return true
  if (holds(level.condition, m).truth === true) return false
  return (level.clear ? holds(level.clear, m) : over(level.condition, m)).truth === true
}

/**
 * The rule has become another one. What was pending is dropped; an open alarm is judged anew by the last value: it goes on under the new
 * rule, or ends because the rule was changed. Without a last value nothing says that it is over.
 */
export function changeRule(before: Pick<Trigger, 'levels'>, next: Trigger, held: Held, m: Moment | undefined, time: number): Outcome {
  if (!held.open) return { held: nothingHeld(next), events: [] }
  const fresh = nothingHeld(next)
  if (held.opens) fresh.opens = held.opens
  if (held.device) fresh.device = held.device
  const { startTime, level: openLevel } = held.open
  for (const [i, level] of next.levels.entries()) {
    const silent = level.condition.type === 'noData' && before.levels.some((l) => l.condition.type === 'noData')
    // A level more serious than the open one has to wait its own time, unless it is the only one there is.
    if (level.level < openLevel && next.levels.length > 1) continue
    // Without a last value, or when it is not known, nothing says that it is over.
    if (silent || !m || !isOver(next, level, m)) {
      fresh.levels[i] = { activeSince: startTime }
    }
  }
  const worst = Math.min(
    ...fresh.levels.flatMap((l, i) => (l.activeSince === undefined ? [] : [(next.levels[i] as RuleLevel).level as number])),
    fresh.device?.level ?? Number.POSITIVE_INFINITY,
  )
  if (!Number.isFinite(worst) || !inSchedule(next.schedule, m?.time ?? time)) {
    return {
      held: { ...nothingHeld(next), opens: held.opens },
      events: [{ event: 'clear', level: held.open.level, time, reason: 'ruleChanged' }],
    }
  }
  fresh.open = { level: worst, startTime }
  if (held.flapping) fresh.flapping = true
  const events: AlarmEvent[] =
    worst === held.open.level ? [] : [{ event: worst < held.open.level ? 'upgrade' : 'downgrade', level: worst, time }]
  return { held: fresh, events }
}
