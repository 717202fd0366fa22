import type { FleetDevice } from '../equipment/public.ts'
import type { AlarmBook } from './alarm-book.ts'
import type { Aside } from './aside.ts'
import { OverBudget } from './budget.ts'
import { type DeviceState, isAboutDevice, lineKey, type Plan, type Rule, type Subject } from './device-state.ts'
import type { DeviceStates } from './device-states.ts'
import type { Effects } from './effects.ts'
import { changeRule, nothingKept, type Outcome, speaks, type Trigger, takeFlag, takeReading } from './evaluate.ts'
import type { EngineReading } from './heard.ts'
import { type Memory, noMemory } from './history.ts'
import type { Moment } from './moment.ts'
import { passage } from './people.ts'
import { endPast, takePast } from './rehearse.ts'
import type { Rulebook } from './rulebook.ts'
import { inSchedule } from './schedule.ts'
import type { World } from './world.ts'

/** Evaluates one rule for one subject: for a reading, a time, the device's own alarm flag, or a changed rule. */
export class Judge {
  private readonly states: DeviceStates
  private readonly book: Rulebook
  private readonly world: World
  private readonly aside: Aside
  private readonly alarms: AlarmBook

  constructor(states: DeviceStates, book: Rulebook, world: World, aside: Aside, alarms: AlarmBook) {
    this.states = states
    this.book = book
    this.world = world
    this.aside = aside
    this.alarms = alarms
  }

  /**
   * Evaluates within the budget. A rule that exceeds it is suspended on this device; the result is undefined then and while it is
   * suspended.
   * With `now` the steps count towards the project's budget. Late readings and rule changes happen once and are not counted.
   */
  within<T>(state: DeviceState, rule: Rule, now: number | undefined, judge: () => T): T | undefined {
    if (this.states.isAside(state, rule)) return undefined
    const { budget, projects } = this.world
    budget.begin()
    try {
      return judge()
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
      this.states.setAside(state, rule)
      return undefined
    } finally {
      if (now !== undefined)
        for (const dear of projects.spend(state.projectCode, rule, budget.spent, now)) this.states.setAsideIn(state.projectCode, dear)
    }
  }

  /** The existing subject, migrated to the current version of the rule, which may have changed since the last reading. */
  private known(state: DeviceState, rule: Rule, point: string, effects: Effects): Subject | undefined {
    const key = `${rule.alarmKey}|${point}`
    const subject = state.subjects.get(key)
    if (!subject || subject.rule === rule) return subject
    this.again(state, subject, effects)
    return state.subjects.get(key)
  }

  bits(state: DeviceState, plan: Plan, point: string, reading: EngineReading, effects: Effects): void {
    const word = reading.values.alarmBits
    if (plan.bits.length === 0 || typeof word !== 'string') return
    for (const { bit, rule, key } of plan.bits) {
      const up = word[word.length - 1 - bit] === '1'
      if (up || state.subjects.has(key)) this.flag(state, rule, point, up, reading.time, reading, effects)
    }
  }

  flag(
    state: DeviceState,
    rule: Rule,
    point: string,
    up: boolean,
    time: number,
    reading: EngineReading | undefined,
    effects: Effects,
  ): void {
    const existing = this.known(state, rule, point, effects)
    if (!up && !existing?.held.device) return
    if (up && (this.aside.isSuppressed(state.device.id, point, rule.alarmKey, time) || !inSchedule(rule.ready.schedule, time))) return
    const subject = existing ?? this.states.subject(state, rule, point)
    const level = Math.min(...rule.ready.levels.map((l) => l.level))
    const out = takeFlag(rule.ready, subject.held, up, level, time)
    this.alarms.apply(state, subject, out.held, out.events, reading, effects)
  }

  reading(
    state: DeviceState,
    rule: Rule,
    point: string,
    memory: Memory,
    reading: EngineReading,
    last: number | undefined,
    isBacklog: boolean,
    effects: Effects,
  ): void {
    this.within(state, rule, isBacklog ? undefined : reading.receivedAt, () =>
      this.judgeReading(state, rule, point, memory, reading, last, isBacklog, effects),
    )
  }

  private judgeReading(
    state: DeviceState,
    rule: Rule,
    point: string,
    memory: Memory,
    reading: EngineReading,
    last: number | undefined,
    isBacklog: boolean,
    effects: Effects,
  ): void {
    const { ready } = rule
    if (ready.minConfidence !== undefined && !(Number(reading.values.confidence) >= ready.minConfidence)) return
    const own = isAboutDevice(rule) ? '' : point
    const existing = this.known(state, rule, own, effects)
    if (!existing && ready.schedule && !inSchedule(ready.schedule, reading.time)) return
    const moment = this.world.moment(state, rule, memory, reading.time, reading.values)
    if (!existing && !speaks(ready, moment)) return
    const subject = existing ?? this.states.subject(state, rule, own)
    if (isBacklog) {
      takePast(ready, subject, moment, (events) => this.alarms.tellPast(state, subject, events, reading, effects))
      this.alarms.write(state, subject, effects)
      return
    }
    if (subject.pastLast !== undefined) endPast(ready, subject, (events) => this.alarms.tellPast(state, subject, events, reading, effects))
    const suppressed = this.aside.isSuppressed(state.device.id, own, rule.alarmKey, reading.time)
    const out = takeReading(ready, subject.held, moment, last, suppressed)
    this.alarms.apply(state, subject, out.held, out.events, reading, effects)
    if (subject.alarm && out.events.length === 0) this.alarms.followPeak(subject, reading, effects)
  }

  /** Evaluates a rule at a time without a reading. */
  byClock(state: DeviceState, rule: Rule, point: string, at: number, effects: Effects): void {
    this.within(state, rule, at + state.skewMs, () => this.judgeByClock(state, rule, point, at, effects))
  }

  private judgeByClock(state: DeviceState, rule: Rule, point: string, at: number, effects: Effects): void {
    const line = state.lines.get(lineKey(rule, point))
    const newest = line?.memory.newest
    const values = newest?.values ?? (rule.ready.on === passage ? { workerId: point } : {})
    const existing = this.known(state, rule, point, effects)
    if (!existing && !inSchedule(rule.ready.schedule, at)) return
    const moment = this.world.moment(state, rule, line?.memory ?? noMemory, at, values)
    if (!existing && !speaks(rule.ready, moment)) return
    const subject = existing ?? this.states.subject(state, rule, point)
    const suppressed = this.aside.isSuppressed(state.device.id, point, rule.alarmKey, at)
    const out = takeReading(rule.ready, subject.held, moment, line?.lastTime, suppressed)
    this.alarms.apply(state, subject, out.held, out.events, { time: at, receivedAt: at, values: { ...values }, quality: null }, effects)
  }

  replanState(state: DeviceState): void {
    state.plans.clear()
    state.facts.clear()
    for (const [point, line] of state.lines) {
      if (point.includes(':')) continue
      const plan = this.book.planOf(state, point)
      line.memory.watch(plan.watched, plan.maxGapMs)
    }
  }

  again(state: DeviceState, subject: Subject, effects: Effects): void {
    const next = this.book.planOf(state, subject.point).rules.find((r) => r.alarmKey === subject.rule.alarmKey)
    if (next && next.id === subject.rule.id && next.version === subject.rule.version) {
      subject.rule = next
      return
    }
    const now = this.states.nowOf(state, subject.point) + 1
    if (!next) {
      this.alarms.end(state, subject, now, 'ruleDisabled', effects)
      return
    }
    const before = subject.rule
    const out = this.changed(state, before.ready, next, subject, now)
    if (before.id !== next.id) this.alarms.writeGone(state.device, subject, effects)
    subject.rule = next
    subject.past = nothingKept(next.ready)
    subject.pastLast = undefined
    this.alarms.apply(state, subject, out.held, out.events, undefined, effects)
    this.alarms.write(state, subject, effects)
  }

  /** State of a subject whose rule has changed. If the new rule is suspended, an open alarm stays open. */
  changed(state: DeviceState, before: Pick<Trigger, 'levels'>, next: Rule, subject: Pick<Subject, 'held' | 'point'>, now: number): Outcome {
    const judged = this.within(state, next, undefined, () =>
      changeRule(before, next.ready, subject.held, this.lastMoment(state, next, subject.point), now),
    )
    return judged ?? changeRule(before, next.ready, subject.held, undefined, now)
  }

  private lastMoment(state: DeviceState, rule: Rule, point: string): Moment | undefined {
    const memory = state.lines.get(lineKey(rule, point))?.memory
    const newest = memory?.newest
    return memory && newest && this.world.moment(state, rule, memory, newest.time, newest.values)
  }

  /** The current state of a device. After a move, alarms of the previous project are closed. */
  present(device: FleetDevice, effects: Effects): DeviceState {
    const state = this.states.stateOf(device)
    if (state.device === device) return state
    state.device = device
    if (state.projectCode !== device.projectCode) {
      for (const subject of [...state.subjects.values()])
        this.alarms.end(state, subject, this.states.nowOf(state, subject.point), 'deviceRemoved', effects)
      state.projectCode = device.projectCode
    }
    state.plans.clear()
    return state
  }
}
