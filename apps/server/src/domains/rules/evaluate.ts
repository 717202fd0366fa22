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
 * Derives the life of an alarm from a sequence of readings. Pure: no clock, no database. Time is the device's own; state is passed in and
 * returned. Silence never counts as recovery, and an unknown result changes nothing.
 */
export interface RuleLevel {
  level: 1 | 2 | 3 | 4
  condition: RuleCondition
  forSeconds?: number
  clearForSeconds?: number
  /** A separate condition for the end; without it the opening condition's clear value applies. */
  clear?: RuleCondition
}

export interface Trigger {
  levels: readonly RuleLevel[]
  schedule: Schedule | null
  /** Conditions that must also be true; unknown counts as false. */
  onlyWhen: readonly RuleCondition[]
  confirmSamples?: number | undefined
  /** Opens only after the condition has been true this long on one day. */
  daySeconds?: number | undefined
  /** For rules about records: each record is an occurrence, and the alarm ends this long after the last one. */
  endsAfterMs?: number | undefined
}

export type EndReason = 'recovered' | 'schedule' | 'ruleChanged' | 'ruleDisabled' | 'deviceRemoved'

/** State of one subject: a device's point under one rule. Plain data, so that it can be stored. */
export interface RuleState {
  levels: LevelState[]
  /** The device reports the alarm itself since then. */
  device?: { since: number; level: number }
  /** Level of the open alarm. */
  open?: { level: number; startTime: number }
  /** Times of recent openings. */
  opens?: number[]
  /** It opened and cleared so often that it is kept open as one alarm. */
  flapping?: boolean
  /** While flapping: no level has been active since then. */
  calmSince?: number
  /** Until when the last reading is valid, while waiting for the end of flapping or of occurrences. */
  freshUntil?: number
  /** Time of the last occurrence, for rules about records. */
  lastHit?: number
}

export type AlarmEvent =
  | { event: 'open'; level: number; startTime: number; fireTime: number; time: number; source: 'platform' | 'device' }
  | { event: 'upgrade' | 'downgrade'; level: number; time: number }
  | { event: 'clear'; level: number; time: number; reason: EndReason }
  | { event: 'flapping'; level: number; time: number }
  /** Opened again while flapping: counted, but no notification. */
  | { event: 'again'; level: number; time: number }
  | { event: 'source'; level: number; time: number; source: 'platform' | 'device' }

export interface Outcome {
  held: RuleState
  events: AlarmEvent[]
}

export const nothingKept = (trigger: Pick<Trigger, 'levels'>): RuleState => ({ levels: trigger.levels.map(() => ({})) })
export const isNothing = (state: RuleState) =>
  !state.open && !state.device && !state.flapping && !state.opens?.length && state.levels.every(isIdle)
export const waits = (state: RuleState) => state.levels.some(waitsForClock) || state.calmSince !== undefined || state.lastHit !== undefined

const flappingOpens = 4
const flappingWithinMs = 10 * 60_000
const calmMs = 5 * 60_000

interface Change {
  time: number
  level: number
  kind: 'open' | 'clear'
  startTime: number
}

/** When a flapping alarm has been inactive for long enough, if data covers that time; otherwise infinity. */
function calmEnd({
  flapping,
  open,
  calmSince,
  freshUntil,
}: {
  [K in 'flapping' | 'open' | 'calmSince' | 'freshUntil']?: RuleState[K] | undefined
}): number {
  if (!flapping || !open || calmSince === undefined) return Number.POSITIVE_INFINITY
  const due = calmSince + calmMs
  return due <= (freshUntil ?? Number.NEGATIVE_INFINITY) ? due : Number.POSITIVE_INFINITY
}

/**
 * Turns changes of the levels into events of the subject's alarm. Flapping that ended before `until` closes the alarm at its own time,
 * whether or not the clock ran in between.
 */
function settle(trigger: Pick<Trigger, 'levels'>, before: RuleState, after: RuleState, changes: Change[], until: number): AlarmEvent[] {
  const events: AlarmEvent[] = []
  // Active levels, followed through the changes in order: an alarm that began and ended between two readings is reported too.
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
  state: RuleState,
  parts: { [K in 'open' | 'flapping' | 'calmSince' | 'opens' | 'device' | 'freshUntil' | 'lastHit']?: RuleState[K] | undefined },
) {
  for (const [key, value] of Object.entries(parts)) {
    if (value === undefined) delete state[key as keyof RuleState]
    else (state as unknown as Record<string, unknown>)[key] = value
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

/** Ends the subject: closes an open alarm and drops pending changes. */
export function end(trigger: Pick<Trigger, 'levels'>, state: RuleState, time: number, reason: EndReason): Outcome {
  const events: AlarmEvent[] = state.open ? [{ event: 'clear', level: state.open.level, time, reason }] : []
  const left = nothingKept(trigger)
  if (state.opens) left.opens = state.opens
  return { held: left, events }
}

/** Drops pending opening and closing; an open alarm stays. */
export function dropWaiting(state: RuleState): RuleState {
  const left = { ...state, levels: state.levels.map(withoutWaiting) }
  delete left.calmSince
  return left
}

/** Advances a subject to a time without a reading. `last` is the device time of its newest reading. */
export function advance(trigger: Trigger, state: RuleState, now: number, last: number | undefined): Outcome {
  const ends = trigger.schedule && last !== undefined ? periodEnd(trigger.schedule, last) : Number.POSITIVE_INFINITY
  if (ends <= now) {
    // Changes due before the end of the period still happen; the rest ends with it.
    const before = advanceWithin(trigger, state, ends - 1)
    const over = end(trigger, before.held, ends, 'schedule')
    return { held: over.held, events: [...before.events, ...over.events] }
  }
  return advanceWithin(trigger, state, now)
}

function advanceWithin(trigger: Trigger, ruleState: RuleState, now: number): Outcome {
  const changes: Change[] = []
  let levels: LevelState[] | undefined
  for (const [i, level] of trigger.levels.entries()) {
    const { state, events } = advanceLevel({ ...level, confirmSamples: trigger.confirmSamples }, ruleState.levels[i] ?? {}, now)
    if (events.length) {
      levels ??= [...ruleState.levels]
      levels[i] = state
      collect(changes, level.level, events)
    }
  }
  const after: RuleState = levels ? { ...ruleState, levels } : ruleState
  const events = changes.length ? settle(trigger, ruleState, after, changes, now) : []
  return finish(trigger, after, now, events)
}

/** Closes an alarm whose flapping has ended, or whose occurrences have stopped. */
function finish(trigger: Trigger, held: RuleState, now: number, events: AlarmEvent[]): Outcome {
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

/** Adds the time since the last reading to the day's total if both are true. `enough` tells whether the day exceeds `seconds`. */
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
 * Processes one reading that is newer than all before; the moment's memory already contains it. `last` is the device time of the previous
 * reading.
 * With `suppressed` no alarm may open, but an open one may end.
 */
export function takeReading(trigger: Trigger, given: RuleState, m: Moment, last: number | undefined, suppressed = false): Outcome {
  const earlier: AlarmEvent[] = []
  let current = given
  if (trigger.schedule) {
    const ended = last === undefined ? undefined : periodEnd(trigger.schedule, last)
    if (ended !== undefined && ended <= m.time && !isNothing(current)) {
      const out = advance(trigger, current, m.time, last)
      earlier.push(...out.events)
      current = out.held
    }
    if (!inSchedule(trigger.schedule, m.time)) return { held: current, events: earlier }
  }
  if (trigger.endsAfterMs !== undefined && current.lastHit !== undefined) {
    const out = finish(trigger, current, m.time, [])
    earlier.push(...out.events)
    current = out.held
  }
  const allowed = trigger.onlyWhen.every((c) => holds(c, m).truth === true)
  const changes: Change[] = []
  const levels: LevelState[] = []
  let known = false
  let hit = false
  for (const [i, level] of trigger.levels.entries()) {
    let before = current.levels[i] ?? {}
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
  const after: RuleState = { ...current, levels }
  const events = settle(trigger, current, after, changes, m.time)
  if (trigger.endsAfterMs !== undefined) {
    if (hit && after.open) after.lastHit = m.time
    else if (!after.open) delete after.lastHit
  }
  if (after.flapping) {
    // The calm time only counts while readings arrive.
    const calm = !after.device && after.levels.every((l) => l.activeSince === undefined)
    const broken = m.time > (current.freshUntil ?? m.time)
    if (calm && (after.calmSince === undefined || broken)) after.calmSince = m.time
    if (known) after.freshUntil = m.time + m.maxGapMs
  }
  if (after.opens && !after.open) assign(after, { opens: recent(after.opens, m.time) })
  const out = finish(trigger, after, m.time, events)
  return { held: out.held, events: [...earlier, ...out.events] }
}

/** Openings recent enough to count towards flapping. */
function recent(opens: readonly number[], now: number): number[] | undefined {
  const left = opens.filter((t) => now - t < flappingWithinMs)
  return left.length ? left : undefined
}

function withToday(state: LevelState, today: LevelState['today']): LevelState {
  const { today: _before, ...rest } = state
  return today ? { ...rest, today } : rest
}

/** Applies the device's own alarm flag. It shares one alarm with the platform's evaluation, which ends when neither reports it. */
export function takeFlag(trigger: Pick<Trigger, 'levels'>, held: RuleState, up: boolean, level: number, time: number): Outcome {
  if (up === (held.device !== undefined)) return { held, events: [] }
  const after: RuleState = { ...held }
  assign(after, { device: up ? { since: time, level } : undefined })
  const was = held.open !== undefined
  const events = settle(trigger, held, after, [{ time, level: -1, kind: 'clear', startTime: time }], time)
  if (up && was) events.push({ event: 'source', level, time, source: 'device' })
  return { held: after, events }
}

/** Applies silence, by receive time. `heardAt` is the time of the last message. */
export function takeSilence(trigger: Trigger, held: RuleState, heardAt: number, now: number): Outcome {
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
  const after: RuleState = { ...held, levels }
  return { events: settle(trigger, held, after, changes, now), held: after }
}

/** Ends silence: called for any valid message. */
export function takeSound(trigger: Trigger, held: RuleState, receivedAt: number): Outcome {
  const changes: Change[] = []
  const levels = [...held.levels]
  for (const [i, level] of trigger.levels.entries()) {
    if (level.condition.type !== 'noData' || levels[i]?.activeSince === undefined) continue
    levels[i] = {}
    changes.push({ kind: 'clear', level: level.level, time: receivedAt, startTime: receivedAt })
  }
  if (changes.length === 0) return { held, events: [] }
  const after: RuleState = { ...held, levels }
  return { events: settle(trigger, held, after, changes, receivedAt), held: after }
}

/** Whether any level's condition is true; a quick check that avoids further work for most readings. */
export function speaks(trigger: Trigger, m: Moment): boolean {
  return trigger.levels.some((level) => holds(level.condition, m).truth === true)
}

/** Whether the last value ends an alarm, by the rule's own closing condition. */
function isOver(trigger: Trigger, level: RuleLevel, m: Moment): boolean {
  if (trigger.onlyWhen.some((c) => holds(c, m).truth !== true)) return true
  if (holds(level.condition, m).truth === true) return false
  return (level.clear ? holds(level.clear, m) : over(level.condition, m)).truth === true
}

/**
 * Applies a changed rule. Pending changes are dropped. An open alarm is evaluated with the last value: it continues under the new rule, or
 * closes with the reason `ruleChanged`. Without a last value it stays open.
 */
export function changeRule(before: Pick<Trigger, 'levels'>, next: Trigger, state: RuleState, m: Moment | undefined, time: number): Outcome {
  if (!state.open) return { held: nothingKept(next), events: [] }
  const fresh = nothingKept(next)
  if (state.opens) fresh.opens = state.opens
  if (state.device) fresh.device = state.device
  const { startTime, level: openLevel } = state.open
  for (const [i, level] of next.levels.entries()) {
    const silent = level.condition.type === 'noData' && before.levels.some((l) => l.condition.type === 'noData')
    // A more serious level than the open one waits for its own duration, unless it is the only level.
    if (level.level < openLevel && next.levels.length > 1) continue
    // If there is no last value or it is unknown, the alarm stays open.
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
      held: { ...nothingKept(next), opens: state.opens },
      events: [{ event: 'clear', level: state.open.level, time, reason: 'ruleChanged' }],
    }
  }
  fresh.open = { level: worst, startTime }
  if (state.flapping) fresh.flapping = true
  const events: AlarmEvent[] =
    worst === state.open.level ? [] : [{ event: worst < state.open.level ? 'upgrade' : 'downgrade', level: worst, time }]
  return { held: fresh, events }
}
