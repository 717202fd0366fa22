import type { Family } from '@zhugong/contract/telemetry/families'
import { pick } from '#kit/pick'
import { markOf, orderedText } from '../readings/public.ts'
import { Budget } from './budget.ts'
import { nextTurn } from './conditions.ts'
import {
  type AlarmEvent,
  advance,
  dropWaiting,
  end,
  isNothing,
  nothingKept,
  type Outcome,
  type RuleState,
  takeReading,
  takeSilence,
  takeSound,
} from './evaluate.ts'
import type { RehearsalSample } from './given-records.ts'
import { GivenRecords } from './given-records.ts'
import { Memory, type Sample } from './history.ts'
import type { Facts, Moment } from './moment.ts'
import { isNight, periodStart } from './schedule.ts'
import { type Clock, type Placing, Timeline } from './timeline.ts'
import { maxGapMsOf, pointOf, type ReadyTrigger, watchOf } from './trigger.ts'

export interface RehearsalEvent {
  event: string
  time: number
  level?: number
  startTime?: number
  fireTime?: number
  reason?: string
  point?: string
  historical?: boolean
  /** For `stale`: when readings resumed. */
  until?: number
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

/** State of a monitoring point. */
interface Subject {
  readonly point: string
  readonly stored: Sample[]
  timeline: Timeline
  held: RuleState
  past: RuleState
  pastLast: number | undefined
  stale: boolean
  /** Time at which the clock alone may decide something. */
  turn: number | undefined
  values: Readonly<Record<string, unknown>>
}

/** State of a running rehearsal. */
interface Run {
  readonly trigger: ReadyTrigger
  readonly unitOf: Moment['unitOf']
  readonly intervalMs: number
  readonly gap: number
  readonly staleMs: number
  readonly goesStale: boolean
  readonly facts: Facts
  readonly budget: Budget
  readonly records: GivenRecords
  readonly subjects: Map<string, Subject>
  readonly events: RehearsalEvent[]
  /** Restarts still to come, the next one first. */
  readonly restarts: number[]
  params: Readonly<Record<string, unknown>>
  heardAt: number | undefined
  evaluated: number
}

/**
 * Simulates a rule over given samples in the order received, with the same steps as for live readings. A restart drops the memory and
 * continues from stored state and readings.
 */
export function rehearse(input: RehearsalInput): Rehearsal {
  const run = begin(input)
  for (const given of input.samples) take(run, given)
  const newest = Math.max(...input.samples.map(receivedAtOf), Number.NEGATIVE_INFINITY)
  if (input.until !== undefined && input.until > newest) {
    if (isRestartDue(run, input.until)) restart(run)
    pass(run, input.until)
  }
  const { events, evaluated } = run
  events.sort((a, b) => a.time - b.time)
  const opened = events.filter((e) => e.event === 'open' && !e.historical)
  return { events, evaluated, opens: opened.length, nights: opened.filter((e) => isNight(e.fireTime ?? e.time)).length }
}

function begin(input: RehearsalInput): Run {
  const { trigger, family } = input
  const gap = maxGapMsOf(input.intervalSeconds, trigger.maxGapSeconds)
  const records = new GivenRecords(trigger)
  return {
    trigger,
    unitOf: (metric) => family?.metric(metric)?.unit,
    intervalMs: input.intervalSeconds * 1000,
    gap,
    staleMs: Math.max(gap, 1000 * (input.staleSeconds ?? Math.max(3 * input.intervalSeconds, 60))),
    // Alarms about records end by themselves, and rules about silence handle silence themselves.
    goesStale: !trigger.isAboutSilence && trigger.on === undefined,
    facts: { ...records.facts, ...input.facts },
    budget: new Budget(),
    records,
    subjects: new Map(),
    events: [],
    restarts: [...(input.restarts ?? [])].sort((a, b) => a - b),
    params: input.params ?? {},
    heardAt: undefined,
    evaluated: 0,
  }
}

const receivedAtOf = (given: RehearsalSample) => given.receivedAt ?? given.time

/** Processes one sample in the order received: presence, time order, evaluation. */
function take(run: Run, given: RehearsalSample): void {
  const { trigger, events } = run
  const receivedAt = receivedAtOf(given)
  while (isRestartDue(run, receivedAt)) {
    run.restarts.shift()
    restart(run)
  }
  if (given.params) takeParams(run, given.params, given.time)
  if (!isReading(run, given)) return
  hear(run, receivedAt)
  const values = { ...given.data }
  const subject = subjectOf(run, trigger.isAboutSilence || trigger.isAboutDates ? '' : pointOf(values, trigger.on !== undefined))
  for (const one of run.subjects.values()) apply(run, one, takeSound(trigger, one.held, receivedAt))
  if (trigger.minConfidence !== undefined && !(Number(values.confidence) >= trigger.minConfidence)) {
    events.push({ event: 'ignored', time: given.time, reason: 'confidence' })
    return
  }
  // Samples without `seq` are distinguished by content, like those of devices.
  const mark = given.seq ?? markOf(0, orderedText([values, given.quality]))
  const sample: Sample = { time: given.time, mark, values, quality: given.quality }
  const placing = subject.timeline.place(sample, given.receivedAt)
  const { place } = placing
  if (place !== 'live') events.push({ event: 'ignored', time: given.time, reason: place })
  if (place === 'duplicate' || place === 'future') return
  subject.stored.push(sample)
  if (place === 'late') return
  run.evaluated++
  const moment = momentOf(run, subject, given.time, values)
  if (place === 'backlog') takePast(trigger, subject, moment, (list) => tell(run, subject, list, true))
  else takeLive(run, subject, moment, placing)
}

/** Values before and after a parameter change are not comparable. */
function takeParams(run: Run, params: Readonly<Record<string, unknown>>, at: number): void {
  if (JSON.stringify(params) !== JSON.stringify(run.params)) {
    for (const subject of run.subjects.values()) subject.timeline.memory.comparableSince = at
  }
  run.params = params
}

/** Whether the rule evaluates this sample. Records are kept for conditions that use them. */
function isReading({ trigger, records }: Run, given: RehearsalSample): boolean {
  const record = given.record ?? trigger.on
  if (record !== undefined) records.add(record, given)
  return record === trigger.on
}

function hear(run: Run, receivedAt: number): void {
  const { trigger, heardAt } = run
  if (heardAt !== undefined && receivedAt <= heardAt) return
  // Silence is reported before the message that ends it.
  if (heardAt !== undefined) {
    for (const subject of run.subjects.values()) apply(run, subject, takeSilence(trigger, subject.held, heardAt, receivedAt - 1))
  }
  run.heardAt = receivedAt
}

function takeLive(run: Run, subject: Subject, moment: Moment, { rebased, last: before }: Placing): void {
  const { trigger, events } = run
  const { time, values } = moment
  if (before !== undefined && !rebased) {
    turn(run, subject, time)
    // Changes decided by the clock since the last reading.
    apply(run, subject, advance(trigger, subject.held, time - 1, before))
    if (subject.held.open && !subject.stale && time - before > run.staleMs && run.goesStale) goStale(run, subject, before, time)
  }
  subject.stale = false
  endPast(trigger, subject, (list) => tell(run, subject, list, true))
  if (rebased) {
    subject.held = dropWaiting(subject.held)
    events.push({ event: 'clockRebase', time })
  }
  apply(run, subject, takeReading(trigger, subject.held, moment, before))
  if (trigger.isTimed) {
    subject.values = values
    subject.turn = turnOf(run, moment)
  }
}

/** Evaluates the times before `before` at which the passage of time alone changes the result. */
function turn(run: Run, subject: Subject, before: number): void {
  const { trigger } = run
  for (let at = subject.turn; at !== undefined && at < before; at = subject.turn) {
    const last = subject.timeline.lastTime
    const moment = momentOf(run, subject, at, subject.values)
    apply(run, subject, advance(trigger, subject.held, at - 1, last))
    apply(run, subject, takeReading(trigger, subject.held, moment, last))
    subject.turn = turnOf(run, moment)
  }
}

/** Advances the clock to a receive time without readings. */
function pass(run: Run, now: number): void {
  const { trigger, heardAt } = run
  for (const subject of run.subjects.values()) {
    const last = subject.timeline.lastTime
    turn(run, subject, now + 1)
    apply(run, subject, advance(trigger, subject.held, now, last))
    if (heardAt !== undefined) apply(run, subject, takeSilence(trigger, subject.held, heardAt, now))
    if (subject.held.open && !subject.stale && last !== undefined && now - last >= run.staleMs && run.goesStale) {
      subject.stale = true
      goStale(run, subject, last)
    }
  }
}

function goStale({ events, staleMs }: Run, { point }: Subject, last: number, until?: number): void {
  events.push({ event: 'stale', time: last + staleMs, point: point || undefined, until })
}

const isRestartDue = ({ restarts }: Run, at: number) => restarts[0] !== undefined && restarts[0] <= at

/** Simulates a restart: stored state survives, the memory is filled from stored samples. */
function restart(run: Run): void {
  for (const subject of run.subjects.values()) {
    const written = JSON.parse(JSON.stringify({ held: subject.held, past: subject.past, clock: subject.timeline.clock })) as {
      held: RuleState
      past: RuleState
      clock: Clock
    }
    const memory = newMemory(run)
    memory.comparableSince = subject.timeline.memory.comparableSince
    for (const sample of subject.stored) memory.add(sample)
    if (written.clock.rebasedAt !== undefined && written.clock.lastTime !== undefined) memory.dropAfter(written.clock.lastTime)
    subject.timeline = new Timeline(memory, written.clock)
    subject.held = written.held
    subject.past = written.past
  }
}

const newMemory = ({ trigger, gap }: Run) => new Memory(watchOf([trigger], gap), gap)

function subjectOf(run: Run, point: string): Subject {
  const known = run.subjects.get(point)
  if (known) return known
  const subject: Subject = {
    point,
    stored: [],
    timeline: new Timeline(newMemory(run)),
    held: nothingKept(run.trigger),
    past: nothingKept(run.trigger),
    pastLast: undefined,
    stale: false,
    turn: undefined,
    values: {},
  }
  run.subjects.set(point, subject)
  return subject
}

/** Creates a moment with its own budget, as for live readings. */
function momentOf(run: Run, subject: Subject, time: number, values: Readonly<Record<string, unknown>>): Moment {
  run.budget.begin()
  return {
    time,
    memory: subject.timeline.memory,
    values,
    ...pick(run, 'params', 'intervalMs', 'facts', 'budget', 'unitOf'),
    maxGapMs: run.gap,
    periodStart: periodStart(run.trigger.schedule, time),
  }
}

const turnOf = ({ trigger }: Run, moment: Moment) => soonest(trigger.levels.map((l) => nextTurn(l.condition, moment)))

function apply(run: Run, subject: Subject, out: Outcome): void {
  subject.held = out.held
  tell(run, subject, out.events)
}

function tell({ events }: Run, { point }: Subject, list: readonly AlarmEvent[], historical = false): void {
  for (const e of list) {
    if (e.event === 'source' || e.event === 'again') continue
    events.push({
      ...pick(e, 'event', 'time', 'level'),
      startTime: e.event === 'open' ? e.startTime : undefined,
      fireTime: e.event === 'open' ? e.fireTime : undefined,
      reason: e.event === 'clear' ? e.reason : undefined,
      point: point || undefined,
      historical: historical || undefined,
    })
  }
}

/** The earliest of several optional times. */
export function soonest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((at) => at !== undefined)
  return known.length ? Math.min(...known) : undefined
}

/** Evaluates a late reading for historical alarms only, in its own order. */
export function takePast(
  trigger: ReadyTrigger,
  subject: { held: RuleState; past: RuleState; pastLast: number | undefined },
  moment: Moment,
  tell: (events: readonly AlarmEvent[]) => void,
): void {
  if (subject.pastLast !== undefined && moment.time < subject.pastLast) return
  // The open alarm already covers this reading.
  if (subject.held.open && subject.held.open.startTime <= moment.time) return
  const out = takeReading(trigger, subject.past, moment, subject.pastLast)
  subject.past = out.held
  subject.pastLast = moment.time
  tell(out.events)
}

/** Readings are live again: closes what the late readings left open. */
export function endPast(
  trigger: ReadyTrigger,
  subject: { past: RuleState; pastLast: number | undefined },
  tell: (events: readonly AlarmEvent[]) => void,
): void {
  if (subject.pastLast === undefined) return
  if (!isNothing(subject.past)) tell(end(trigger, subject.past, subject.pastLast, 'recovered').events)
  subject.past = nothingKept(trigger)
  subject.pastLast = undefined
}
