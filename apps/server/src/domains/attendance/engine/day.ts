import type {
  AttendanceEvent,
  Correction,
  Day,
  DayPart,
  DayResult,
  Direction,
  GateRole,
  PlaceRow,
  ProjectState,
  QuarantineReason,
} from '@zhugong/contract/attendance/facts'
import type { SettingVersion } from '@zhugong/contract/attendance/setting-model'
import { dayMs, hourMs, minuteMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import { addedEvent, covers, type Effective, effectiveCorrections, fixOf, indexOf, isQuarantined, type Refusal } from './corrections.ts'
import { dedupKey, isManual, isRefused } from './identity.ts'
import { lateness, quarantineReason } from './intake.ts'
import { assignedDay, bySequence, type Passage, passagesOf, type Sighting } from './pairing.ts'
import { outOfPlace, rowAt, type Stay } from './stay.ts'
import { cutToSecond, datesFrom, startOf } from './time.ts'
import { type Calendar, calendarOf, type Rule } from './work-day.ts'

/** Version of the rules. Stored with each day, so that it can be proved later by which rules it was computed. */
export const rulesVersion = '1'

/** All inputs for computing one person's days in one project. */
export interface Facts {
  versions: readonly SettingVersion[]
  states: readonly ProjectState[]
  gates: Readonly<Record<string, GateRole>>
  worker: {
    workerId: string
    /** Ids of files merged into this one; their events belong to this person. */
    aliases?: readonly string[]
    rows: readonly PlaceRow[]
  }
  /** Events of the person, and of strangers that a correction may have assigned; others are ignored. */
  events: readonly AttendanceEvent[]
  /** Corrections of the person, and the project's stop days. */
  corrections: readonly Correction[]
  /** Facts received later than this are ignored. */
  now: number
}

/** Why an event does not count for any day; `counted` for the others. */
export type EventStatus =
  | 'counted'
  | 'stranger'
  | 'voided'
  | QuarantineReason
  | 'refused'
  | 'cleared'
  | 'openedByHand'
  | 'noDirection'
  | 'notEntered'
  | 'exited'

export interface Traced {
  event: AttendanceEvent
  key: string
  standing: EventStatus
  /** Includes the time correction of a release. */
  time: number
  workDay: string
  /** The work day for which it counts; null if it counts for none. */
  countsOn: string | null
  direction: Direction | null
  inferred: boolean
  /** A repeated record of the same passage. */
  repeat: boolean
  inner: boolean
}

export interface Evaluation {
  calendar: Calendar
  corrections: Correction[]
  passages: Passage[]
  /** Counted records of inner gates. */
  inner: Sighting[]
  traced: Traced[]
  /** Times at which the system cleared the person (007). */
  clearedAt: number[]
  quarantined: { id: string; reason: QuarantineReason }[]
  refused: Refusal[]
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

interface Known {
  event: AttendanceEvent
  key: string
  /** Ids of all copies; a correction may name any of them. */
  ids: Set<string>
}

/** A3: keeps one event per key, the earliest received. Copies received at the same time are ordered by content. */
function withoutDuplicates(events: readonly AttendanceEvent[]): Map<string, Known> {
  const byKey = new Map<string, Known>()
  for (const event of events) {
    const key = dedupKey(event)
    const existing = byKey.get(key)
    if (!existing) {
      byKey.set(key, { event, key, ids: new Set([event.id]) })
      continue
    }
    existing.ids.add(event.id)
    const earlier = event.receivedAt - existing.event.receivedAt || compare(contentOf(event), contentOf(existing.event))
    if (earlier < 0) existing.event = event
  }
  return byKey
}

const contentOf = (e: AttendanceEvent) =>
  JSON.stringify([e.id, e.time, e.type, e.pass, e.live, e.clockOffsetMs, e.outsideFence, e.recordId, e.pictureHash])

/** The corrections that concern this person. Stop days concern everybody; assigning an event to another person removes it from this one. */
const concerning = (corrections: readonly Correction[], persons: ReadonlySet<string>) =>
  corrections.filter(
    (c) => c.workerId === null || persons.has(c.workerId) || c.kind === 'stopDay' || c.kind === 'assign' || c.kind === 'revoke',
  )

/** Evaluates the facts known at `now`: passages, presence, and the status of every event. */
export function evaluate(facts: Facts, only: (c: Correction) => boolean = () => true): Evaluation {
  const calendar = calendarOf(facts.versions, facts.worker.rows)
  const persons = new Set([facts.worker.workerId, ...(facts.worker.aliases ?? [])])
  const received = facts.events.filter((e) => e.receivedAt <= facts.now && (e.workerId === null || persons.has(e.workerId)))
  const known = withoutDuplicates(received)
  const eventsById = new Map<string, AttendanceEvent[]>()
  for (const { event, ids } of known.values()) {
    for (const id of ids) eventsById.set(id, [...(eventsById.get(id) ?? []), event])
  }
  const effective: Effective = effectiveCorrections(concerning(facts.corrections, persons), {
    now: facts.now,
    workerId: facts.worker.workerId,
    calendar,
    eventsById,
  })
  const corrections = effective.corrections.filter(only)
  for (const c of corrections) {
    if (c.kind !== 'add') continue
    const event = addedEvent(c, facts.worker.workerId)
    const key = dedupKey(event)
    // If an event has this id, the id means that event, otherwise the event added by the correction.
    known.set(key, { event, key, ids: new Set(eventsById.has(c.id) ? [] : [c.id]) })
  }

  const correctionsOf = indexOf(corrections)
  const quarantined: { id: string; reason: QuarantineReason; at: number }[] = []
  const clearedAt: number[] = []
  const perimeter: Sighting[] = []
  const inner: Sighting[] = []
  const traces = new Map<Known, Traced>()

  for (const one of known.values()) {
    const { event, key } = one
    const fix = fixOf(event, correctionsOf(event, one.ids), persons)
    const time = cutToSecond(fix.time)
    const workDay = calendar.workDayOf(time)
    const gate = Object.hasOwn(facts.gates, event.gate) ? facts.gates[event.gate] : undefined
    const direction = fix.direction ?? event.direction ?? gate?.direction ?? null
    const waiting = isQuarantined(event) && !fix.released ? quarantineReason(event) : undefined
    const isInner = gate?.role === 'inner'
    const inPlace = calendar.stayOn(workDay) !== undefined
    const trace: Traced = {
      event,
      key,
      standing: 'counted',
      time,
      workDay,
      countsOn: null,
      direction,
      inferred: false,
      repeat: false,
      inner: isInner,
    }
    traces.set(one, trace)
    if (waiting) quarantined.push({ id: event.id, reason: waiting, at: event.time })

    if (fix.voided) trace.standing = 'voided'
    else if (event.workerId === null && !fix.assigned) trace.standing = 'stranger'
    else if (waiting) trace.standing = waiting
    else if (event.type === '007') {
      trace.standing = 'cleared'
      clearedAt.push(time)
    } else if (isRefused(event)) trace.standing = 'refused'
    else if (event.type === '008') trace.standing = 'openedByHand'
    // A12: no direction is inferred for an emergency passage.
    else if (event.type === '009' && direction === null) trace.standing = 'noDirection'
    else {
      const sighting: Sighting = { event, key, time, known: direction, workDay, inPlace }
      if (!isInner) perimeter.push(sighting)
      else if (inPlace) {
        inner.push(sighting)
        trace.countsOn = workDay
      }
      if (!inPlace) trace.standing = outOfPlace(calendar.stays, workDay)
    }
  }

  const passages = passagesOf(perimeter, calendar)
  const traceByKey = new Map([...traces.values()].map((t) => [t.key, t]))
  for (const passage of passages) {
    for (const [i, record] of passage.records.entries()) {
      const trace = traceByKey.get(record.key)!
      trace.standing = 'counted'
      trace.countsOn = assignedDay(passage)
      trace.inferred = record.known === null
      trace.direction = passage.direction
      trace.repeat = i > 0
    }
  }
  return {
    calendar,
    corrections,
    passages,
    inner: inner.sort(bySequence),
    traced: [...traces.values()].sort((a, b) => a.time - b.time || compare(a.key, b.key)),
    clearedAt: clearedAt.sort((a, b) => a - b),
    quarantined: quarantined.sort((a, b) => a.at - b.at || compare(a.id, b.id)).map(({ id, reason }) => ({ id, reason })),
    refused: effective.refused,
  }
}

// ---------- one day ----------

type Span = [start: number, end: number]

/** A26: presence minus breaks, at any time of the span. */
function lessBreaks(span: Span, breaks: readonly [number, number][]): Span[] {
  let left: Span[] = [span]
  const [start, end] = span
  for (let midnight = startOfDateBefore(start); midnight < end; midnight += dayMs) {
    for (const [from, to] of breaks) left = left.flatMap((s) => without(s, [midnight + from, midnight + to]))
  }
  return left
}
const startOfDateBefore = (at: number) => startOfShanghaiDay(at) - dayMs

function without([start, end]: Span, [from, to]: Span): Span[] {
  const parts: Span[] = [
    [start, Math.min(end, from)],
    [Math.max(start, to), end],
  ]
  return from >= end || to <= start ? [[start, end]] : parts.filter(([a, b]) => a < b)
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((total, [start, end]) => total + end - start, 0)

/** A27: a day has at most 24 h; the rest is not counted. */
function capped(spans: readonly Span[]): Span[] {
  let left = dayMs
  const kept: Span[] = []
  for (const [start, end] of spans) {
    const take = Math.min(left, end - start)
    if (take > 0) kept.push([start, start + take])
    left -= take
  }
  return kept
}

/** A27: tenths of an hour, rounded half up. */
export const tenthsOf = (ms: number): number => Math.floor((Math.floor(ms / 1000) + 180) / 360)

/** A36: time between 22:00 and 06:00. */
function nightMs(spans: readonly Span[]): number {
  let total = 0
  for (const [start, end] of spans) {
    for (let midnight = startOfDateBefore(start); midnight < end; midnight += dayMs) {
      total += Math.max(0, Math.min(end, midnight + 30 * hourMs) - Math.max(start, midnight + 22 * hourMs))
    }
  }
  return total
}

/** The project's states during a half-open span. Before the first known state there is none. */
function statesDuring(states: readonly ProjectState[], [start, end]: Span): Set<string> {
  const found = new Set<string>()
  let before: ProjectState | undefined
  for (const s of states) {
    if (s.from <= start) before = s
    else if (s.from < end) found.add(s.state)
  }
  found.add(before?.state ?? '')
  return found
}

/** A38, A39. */
function partsOf(stay: Stay, spans: readonly Span[], attendDay: 0 | 1, firstAt: number | undefined): DayPart[] {
  const total = tenthsOf(lengthOf(spans))
  const units: { corpCode: string; teamSysNo: string | null; ms: number }[] = []
  for (const span of spans) {
    const instants = stay.rows.map((r) => r.entryTime).filter((at) => at > span[0] && at < span[1])
    const cuts = [span[0], ...instants.sort((a, b) => a - b), span[1]]
    for (let i = 0; i + 1 < cuts.length; i++) {
      const ms = cuts[i + 1]! - cuts[i]!
      if (ms === 0) continue
      const { corpCode, teamSysNo } = rowAt(stay, cuts[i]!)
      const unit = units.find((u) => u.corpCode === corpCode && u.teamSysNo === teamSysNo)
      if (unit) unit.ms += ms
      else units.push({ corpCode, teamSysNo, ms })
    }
  }
  if (units.length === 0) {
    if (firstAt === undefined) return []
    const { corpCode, teamSysNo } = rowAt(stay, firstAt)
    return [{ corpCode, teamSysNo, workHours: 0, attendDay }]
  }
  const most = units.reduce((best, u) => (u.ms > best.ms ? u : best))
  let left = total
  return units.map((u, i) => {
    const last = i === units.length - 1
    // Rounding up several parts must not exceed the total.
    const tenths = last ? left : Math.min(left, tenthsOf(u.ms))
    left -= tenths
    return { corpCode: u.corpCode, teamSysNo: u.teamSysNo, workHours: tenths / 10, attendDay: u === most ? attendDay : 0 }
  })
}

interface DayFacts {
  passages: Passage[]
  inner: Sighting[]
}

function groupByDay(evaluation: Evaluation): Map<string, DayFacts> {
  const byDay = new Map<string, DayFacts>()
  const of = (workDay: string) => {
    let group = byDay.get(workDay)
    if (!group) {
      group = { passages: [], inner: [] }
      byDay.set(workDay, group)
    }
    return group
  }
  for (const p of evaluation.passages) of(assignedDay(p)).passages.push(p)
  for (const s of evaluation.inner) of(s.workDay).inner.push(s)
  return byDay
}

const nothing: DayFacts = { passages: [], inner: [] }

/** All inputs of a day, to detect whether corrections changed it. */
const fingerprint = (day: DayFacts) =>
  JSON.stringify([
    day.passages.map((p) => [p.direction, p.time, p.partner?.time ?? null, p.records.map((r) => [r.key, r.time])]),
    day.inner.map((s) => [s.key, s.time]),
  ])

/**
 * The days of `from`..`to` on which the person is in place, up to today. `facts.events` must cover two days before `from` to two days
 * after `to`; more events do not change the result.
 */
export function computeDays(facts: Facts, from: string, to: string): Day[] {
  return daysOf(facts, evaluate(facts), from, to)
}

export function daysOf(facts: Facts, evaluation: Evaluation, from: string, to: string): Day[] {
  const { calendar, corrections } = evaluation
  const today = calendar.workDayOf(facts.now)
  const last = to < today ? to : today
  const byDay = groupByDay(evaluation)
  const isFix = (c: Correction) => c.kind !== 'leave'
  // A36 result 11: the same facts without corrections other than leave, to see whether the day would differ.
  const uncorrected = corrections.some(isFix) ? groupByDay(evaluate(facts, (c) => !isFix(c))) : byDay
  const states = [...facts.states].sort((a, b) => a.from - b.from || compare(a.state, b.state))
  const lastPassage = evaluation.passages.at(-1)

  const days: Day[] = []
  for (const workDay of datesFrom(from, last)) {
    const stay = calendar.stayOn(workDay)
    if (!stay) continue
    const made = byDay.get(workDay) ?? nothing
    const firstAt = made.passages[0]?.records[0]?.time ?? made.inner[0]?.time
    const rule = calendar.ruleOn(workDay, rowAt(stay, firstAt ?? startOf(workDay) + 12 * hourMs).teamSysNo)
    const corrected =
      covers(corrections, 'stopDay', workDay) ||
      (uncorrected !== byDay && fingerprint(made) !== fingerprint(uncorrected.get(workDay) ?? nothing))
    days.push(oneDay({ facts, states, calendar, corrections, stay, workDay, made, rule, firstAt, corrected, lastPassage }))
  }
  return days
}

function oneDay(given: {
  facts: Facts
  states: readonly ProjectState[]
  calendar: Calendar
  corrections: readonly Correction[]
  stay: Stay
  workDay: string
  made: DayFacts
  rule: Rule
  firstAt: number | undefined
  corrected: boolean
  lastPassage: Passage | undefined
}): Day {
  const { facts, calendar, stay, workDay, made, rule } = given
  const { now } = facts
  const entries = made.passages.filter((p) => p.direction === '01')
  const exits = made.passages.filter((p) => p.direction === '02')
  const spans = capped(entries.filter((p) => p.partner).flatMap((p) => lessBreaks([p.time, p.partner!.time], rule.breaks)))
  const worked = lengthOf(spans)
  const tenths = tenthsOf(worked)
  const records = [...made.passages.flatMap((p) => p.records), ...made.inner]
  const attendDay = records.length > 0 && (rule.minHours === 0 || tenths / 10 >= rule.minHours) ? 1 : 0

  const close = calendar.closeOf(workDay)
  const closed = now >= close
  // A29: only the last passage can still get an exit; any earlier one is already followed by another passage.
  const isPending = (p: Passage) =>
    p === given.lastPassage && now < Math.max(close, p.time + calendar.ruleOn(p.workDay, calendar.teamAt(p.records[0]!.time)).maxSpanMs)
  const unpaired = entries.filter((p) => !p.partner)
  const pending = unpaired.some(isPending)
  const settled = closed && !pending

  const shiftStart = startOf(workDay) + rule.workStartMs
  const shiftEnd = startOf(workDay) + rule.workEndMs
  const statesOfShift = statesDuring(given.states, [shiftStart, shiftEnd])
  const underConstruction = statesOfShift.size === 1 && statesOfShift.has('003')
  const leave = covers(given.corrections, 'leave', workDay)
  const stopped = statesOfShift.has('005') || covers(given.corrections, 'stopDay', workDay)
  const restDate = rule.isRest(workDay)
  const firstOfStay = workDay === stay.first
  const lastOfStay = workDay === stay.last
  const formal = stay.rows.some((r) => r.formalFrom !== null && r.formalFrom <= shiftStart)
  const paused = stay.rows.some((r) => r.pauses?.some((p) => p.from < shiftEnd && (p.until === null || p.until > shiftStart)))
  const expected = underConstruction && !restDate && !leave && formal && !paused
  const assessed = expected && !stopped

  const night = nightMs(spans) >= 3 * hourMs
  const shiftApart = night && !rule.crossMidnight
  const first = made.passages[0]
  const final = made.passages.at(-1)
  const results = new Set<DayResult>()
  if (assessed && !firstOfStay && !shiftApart && first?.direction === '01' && first.time < shiftEnd) {
    const minute = Math.floor(first.time / minuteMs) * minuteMs
    if (minute > shiftStart + rule.lateMs) results.add(2)
  }
  if (assessed && settled && !lastOfStay && !shiftApart && final?.direction === '02' && final.time > shiftStart) {
    const minute = Math.ceil(final.time / minuteMs) * minuteMs
    if (minute < shiftEnd - rule.earlyMs) results.add(3)
  }
  const missing = unpaired.some((p) => !isPending(p)) || exits.some((p) => !p.partner) || (records.length > 0 && made.passages.length === 0)
  if (closed && missing) results.add(4)
  if (assessed && settled && !firstOfStay && !lastOfStay && attendDay === 0) results.add(5)
  if (leave) results.add(6)
  if (rule.standardHours > 0 && tenths / 10 > rule.standardHours) results.add(7)
  if (stopped) results.add(8)
  if (night) results.add(9)
  if (records.some((r) => !isManual(r.event.gate) && lateness(r.event).lateData)) results.add(10)
  if (given.corrected) results.add(11)
  // Only for days on which the person would be expected, not for rest days or days on which the site was stopped.
  if (paused && underConstruction && !restDate && !leave && formal) results.add(12)
  if (settled && attendDay === 1 && !results.has(2) && !results.has(3) && !results.has(4)) results.add(1)

  const required = closed && underConstruction && !restDate && !firstOfStay && !lastOfStay
  return {
    workDay,
    firstIn: entries[0]?.time ?? null,
    lastOut: exits.length === 0 ? null : Math.max(...exits.map((p) => p.time)),
    workHours: tenths / 10,
    attendDay,
    results: [...results].sort((a, b) => a - b),
    recordCount: records.length,
    parts: partsOf(stay, spans, attendDay, given.firstAt),
    rulesVersion,
    settingVersion: rule.settingVersion,
    shift: rule.shift,
    expected,
    closed,
    settled,
    pending,
    leave,
    stopped,
    required,
    present: required && attendDay === 1 && tenths > 0,
    overtimeHours: rule.standardHours > 0 ? Math.max(0, tenths - Math.round(rule.standardHours * 10)) / 10 : 0,
  }
}

/**
 * A50: a day's figures at the moment it settled, from the facts known then; undefined while unsettled. An entry that may still get an
 * exit delays that moment.
 */
export function atClose(facts: Facts, workDay: string): Day | undefined {
  const calendar = calendarOf(facts.versions, facts.worker.rows)
  let moment = calendar.closeOf(workDay)
  while (moment <= facts.now) {
    const known: Facts = { ...facts, now: moment }
    const evaluation = evaluate(known)
    const day = daysOf(known, evaluation, workDay, workDay)[0]
    if (!day || day.settled) return day
    const open = evaluation.passages.at(-1)!
    const span = calendar.ruleOn(open.workDay, calendar.teamAt(open.records[0]!.time)).maxSpanMs
    moment = Math.max(moment + 1000, open.time + span)
  }
  return undefined
}
