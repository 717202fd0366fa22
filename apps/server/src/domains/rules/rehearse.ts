import type { Family } from '@zhugong/contract/telemetry/families'
import { Budget } from './budget.ts'
import { nextTurn } from './conditions.ts'
import {
  type AlarmEvent,
  advance,
  dropWaiting,
  end,
  type Held,
  isNothing,
  nothingHeld,
  type Outcome,
  takeReading,
  takeSilence,
  takeSound,
} from './evaluate.ts'
import { Memory, type Sample } from './history.ts'
import type { Facts, Moment } from './moment.ts'
import { passage } from './people.ts'
import { RecordLog, recordsOf } from './record-log.ts'
import { isNight, periodStart } from './schedule.ts'
import { type Clock, Timeline } from './timeline.ts'
import { maxGapMsOf, pointOf, type ReadyTrigger, watchOf } from './trigger.ts'

export interface RehearsalSample {
  time: number
  receivedAt?: number | undefined
  seq?: number | undefined
  data: Readonly<Record<string, unknown>>
  quality?: Readonly<Record<string, string>> | undefined
  /** The device's parameters from here on. */
  params?: Readonly<Record<string, unknown>> | undefined
  /** A record of this kind instead of a reading. */
  record?: string | undefined
}

export interface RehearsalEvent {
  event: string
  time: number
  level?: number
  startTime?: number
  fireTime?: number
  reason?: string
  point?: string
  historical?: boolean
}

export interface RehearsalInput {
  trigger: ReadyTrigger
  family?: Family | undefined
  params?: Readonly<Record<string, unknown>> | undefined
  intervalSeconds: number
  samples: readonly RehearsalSample[]
  restarts?: readonly number[] | undefined
  until?: number | undefined
  staleSeconds?: number | undefined
  facts?: Facts | undefined
}

export interface Rehearsal {
  events: RehearsalEvent[]
  evaluated: number
  opens: number
  nights: number
}

interface Subject {
  timeline: Timeline
  held: Held
  past: Held
  pastLast: number | undefined
  stale: boolean
  /** When the clock alone may decide something. */
  turn: number | undefined
  values: Readonly<Record<string, unknown>>
}

/**
 * What would have happened: the same steps as for live readings, over given ones, in the order they came. A restart throws away what
 * memory holds and goes on from what is written: the held state and the stored readings.
 */
export function rehearse(input: RehearsalInput): Rehearsal {
  const { trigger } = input
  const gap = maxGapMsOf(input.intervalSeconds, trigger.maxGapSeconds)
  const intervalMs = input.intervalSeconds * 1000
  const staleMs = Math.max(gap, 1000 * (input.staleSeconds ?? Math.max(3 * input.intervalSeconds, 60)))
  let params = input.params ?? {}
  const subjects = new Map<string, Subject>()
  const stored: { sample: Sample; point: string }[] = []
  const records = new GivenRecords(trigger)
  const events: RehearsalEvent[] = []
  const restarts = [...(input.restarts ?? [])].sort((a, b) => a - b)
  // Happenings end by themselves, and silence is what a rule about it is for.
  const goesStale = !trigger.isAboutSilence && trigger.on === undefined
  let evaluated = 0
  let heardAt: number | undefined

  const budget = new Budget()
  const facts: Facts = { ...records.facts, ...input.facts }
  const newMemory = () => new Memory(watchOf([trigger], gap), gap)
  const subjectOf = (point: string): Subject => {
    let subject = subjects.get(point)
    if (!subject) {
      subject = {
        timeline: new Timeline(newMemory()),
        held: nothingHeld(trigger),
        past: nothingHeld(trigger),
        pastLast: undefined,
        stale: false,
        turn: undefined,
        values: {},
      }
      subjects.set(point, subject)
    }
    return subject
  }
  /** Each moment is judged within a budget of its own, as live readings are. */
  const momentOf = (subject: Subject, time: number, values: Readonly<Record<string, unknown>>): Moment => {
    budget.begin()
    return momentWithin(subject, time, values)
  }
  const momentWithin = (subject: Subject, time: number, values: Readonly<Record<string, unknown>>): Moment => ({
    time,
    memory: subject.timeline.memory,
    values,
    params,
    intervalMs,
    maxGapMs: gap,
    periodStart: periodStart(trigger.schedule, time),
    facts,
    budget,
    unitOf: (metric) => input.family?.metric(metric)?.unit,
  })
  const tell = (point: string, list: readonly AlarmEvent[], historical = false) => {
    for (const e of list) {
      if (e.event === 'source' || e.event === 'again') continue
      events.push({
        event: e.event,
        time: e.time,
        level: e.level,
        startTime: e.event === 'open' ? e.startTime : undefined,
        fireTime: e.event === 'open' ? e.fireTime : undefined,
        reason: e.event === 'clear' ? e.reason : undefined,
        point: point || undefined,
        historical: historical || undefined,
      })
    }
  }
  const apply = (subject: Subject, point: string, out: Outcome) => {
    subject.held = out.held
    tell(point, out.events)
  }
  const restart = () => {
    for (const [point, subject] of subjects) {
      const written = JSON.parse(JSON.stringify({ held: subject.held, past: subject.past, clock: subject.timeline.clock })) as {
        held: Held
        past: Held
        clock: Clock
      }
      const memory = newMemory()
      memory.comparableSince = subject.timeline.memory.comparableSince
      for (const one of stored) if (one.point === point) memory.add(one.sample)
      if (written.clock.rebasedAt !== undefined && written.clock.lastTime !== undefined) memory.dropAfter(written.clock.lastTime)
      subject.timeline = new Timeline(memory, written.clock)
      subject.held = written.held
      subject.past = written.past
    }
  }
  const turnOf = (moment: Moment) => soonest(trigger.levels.map((l) => nextTurn(l.condition, moment)))
  /** What time alone made true before a moment. */
  const turn = (subject: Subject, point: string, before: number) => {
    for (let at = subject.turn; at !== undefined && at < before; at = subject.turn) {
      const last = subject.timeline.lastTime
      const moment = momentOf(subject, at, subject.values)
      apply(subject, point, advance(trigger, subject.held, at - 1, last))
      apply(subject, point, takeReading(trigger, subject.held, moment, last))
      subject.turn = turnOf(moment)
    }
  }
  /** The clock alone, up to a moment by receive time. */
  const pass = (now: number) => {
    for (const [point, subject] of subjects) {
      const last = subject.timeline.lastTime
      turn(subject, point, now + 1)
      apply(subject, point, advance(trigger, subject.held, now, last))
      if (heardAt !== undefined) apply(subject, point, takeSilence(trigger, subject.held, heardAt, now))
      if (subject.held.open && !subject.stale && last !== undefined && now - last >= staleMs && goesStale) {
        subject.stale = true
        events.push({ event: 'stale', time: last + staleMs, point: point || undefined })
      }
    }
  }

  for (const given of input.samples) {
    const receivedAt = given.receivedAt ?? given.time
    while (restarts.length && (restarts[0] as number) <= receivedAt) {
      restarts.shift()
      restart()
    }
    if (given.params) {
      if (JSON.stringify(given.params) !== JSON.stringify(params)) {
        for (const subject of subjects.values()) subject.timeline.memory.comparableSince = given.time
      }
      params = given.params
    }
    if (given.record !== undefined) {
      records.add(given.record, given)
      if (trigger.on !== given.record) continue
    } else if (trigger.on !== undefined) records.add(trigger.on, given)
    if (heardAt === undefined || receivedAt > heardAt) {
      // Silence is told before the message that ends it.
      if (heardAt !== undefined) {
        for (const [point, subject] of subjects) apply(subject, point, takeSilence(trigger, subject.held, heardAt, receivedAt - 1))
      }
      heardAt = receivedAt
    }
    const values = { ...given.data }
    const point = trigger.isAboutSilence || trigger.isAboutDates ? '' : pointOf(values, trigger.on !== undefined)
    const subject = subjectOf(point)
    for (const [name, one] of subjects) apply(one, name, takeSound(trigger, one.held, receivedAt))
    if (trigger.minConfidence !== undefined && !(Number(values.confidence) >= trigger.minConfidence)) {
      events.push({ event: 'ignored', time: given.time, reason: 'confidence' })
      continue
    }
    // Samples without a number of their own are told apart by their time alone.
    const sample: Sample = { time: given.time, seq: given.seq ?? 0, values, quality: given.quality }
    const { place, rebased, last: before } = subject.timeline.place(sample, given.receivedAt)
    if (place === 'duplicate' || place === 'future') {
      events.push({ event: 'ignored', time: given.time, reason: place })
      continue
    }
    stored.push({ sample, point })
    if (place === 'late' || place === 'backlog') events.push({ event: 'ignored', time: given.time, reason: place })
    if (place === 'late') continue
    evaluated++
    const moment = momentOf(subject, given.time, values)
    if (place === 'backlog') {
      takePast(trigger, subject, moment, (list) => tell(point, list, true))
      continue
    }
    if (before !== undefined && !rebased) {
      turn(subject, point, given.time)
      // What the clock decided since the last reading.
      apply(subject, point, advance(trigger, subject.held, given.time - 1, before))
      if (subject.held.open && !subject.stale && given.time - before > staleMs && goesStale) {
        events.push({ event: 'stale', time: before + staleMs, point: point || undefined })
      }
    }
    subject.stale = false
    endPast(trigger, subject, (list) => tell(point, list, true))
    if (rebased) {
      subject.held = dropWaiting(subject.held)
      events.push({ event: 'clockRebase', time: given.time })
    }
    apply(subject, point, takeReading(trigger, subject.held, moment, before))
    if (trigger.isTimed) {
      subject.values = values
      subject.turn = turnOf(moment)
    }
  }
  const newest = Math.max(...input.samples.map((s) => s.receivedAt ?? s.time), Number.NEGATIVE_INFINITY)
  if (input.until !== undefined && input.until > newest) {
    if (restarts.length && (restarts[0] as number) <= input.until) restart()
    pass(input.until)
  }
  events.sort((a, b) => a.time - b.time)
  const opened = events.filter((e) => e.event === 'open' && !e.historical)
  return { events, evaluated, opens: opened.length, nights: opened.filter((e) => isNight(e.fireTime ?? e.time)).length }
}

/** The first of several moments, of those there are. */
export function soonest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length ? Math.min(...known) : undefined
}

/** What comes late is judged for the record only, in its own order. */
export function takePast(
  trigger: ReadyTrigger,
  subject: { held: Held; past: Held; pastLast: number | undefined },
  moment: Moment,
  tell: (events: readonly AlarmEvent[]) => void,
): void {
  if (subject.pastLast !== undefined && moment.time <= subject.pastLast) return
  // What an open alarm covers is on file already.
  if (subject.held.open && subject.held.open.startTime <= moment.time) return
  const out = takeReading(trigger, subject.past, moment, subject.pastLast)
  subject.past = out.held
  subject.pastLast = moment.time
  tell(out.events)
}

/** Readings are live again: what the backlog left open ends with it. */
export function endPast(
  trigger: ReadyTrigger,
  subject: { past: Held; pastLast: number | undefined },
  tell: (events: readonly AlarmEvent[]) => void,
): void {
  if (subject.pastLast === undefined) return
  if (!isNothing(subject.past)) tell(end(trigger, subject.past, subject.pastLast, 'recovered').events)
  subject.past = nothingHeld(trigger)
  subject.pastLast = undefined
}

const [entering, leaving] = ['0', '1']

/** Records given among the samples answer the questions about records, as those of a device do. */
class GivenRecords {
  private readonly log = new RecordLog()
  private readonly kinds = new Map<string, number>()
  private readonly passages = new Map<unknown, { time: number; direction: unknown }[]>()
  readonly facts: Facts

  constructor({ levels, on }: ReadyTrigger) {
    for (const level of levels) recordsOf(level.condition, on, this.kinds)
    this.facts = { ...this.log.facts(on), stateSince: (state, values, at) => this.insideSince(state, values.workerId, at) }
  }

  add(record: string, { time, data }: RehearsalSample): void {
    const keepMs = this.kinds.get(record)
    if (keepMs !== undefined) this.log.add(record, keepMs, { time, data })
    if (record !== passage) return
    const known = this.passages.get(data.workerId)
    const one = { time, direction: data.direction }
    if (known) known.push(one)
    else this.passages.set(data.workerId, [one])
  }

  /** Passages of a gate say since when somebody is inside. */
  private insideSince(state: string, workerId: unknown, at: number): number | null | undefined {
    if (state !== 'onSite') return undefined
    let since: number | null = null
    for (const { time, direction } of this.passages.get(workerId) ?? []) {
      if (time > at) continue
      if (direction === leaving) since = null
      else if (direction === entering) since = time
    }
    return since
  }
}
