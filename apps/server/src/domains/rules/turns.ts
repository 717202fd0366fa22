import type { FleetDevice } from '../equipment/public.ts'
import type { AlarmBook } from './alarm-book.ts'
import { nextTurn } from './conditions.ts'
import { type DeviceState, lineKey, type Rule } from './device-state.ts'
import type { DeviceStates } from './device-states.ts'
import type { Effects } from './effects.ts'
import { advance } from './evaluate.ts'
import { noMemory } from './history.ts'
import type { Judge } from './judge.ts'
import type { Moment } from './moment.ts'
import { passage } from './people.ts'
import { soonest } from './rehearse.ts'
import type { Rulebook } from './rulebook.ts'
import type { World } from './world.ts'

/** A rule that the passage of time may make true for a device's point, and when. */
interface Turn {
  state: DeviceState
  rule: Rule
  point: string
  at: number
}

/** Waits this long for readings in transit before the clock decides. */
const turnGraceMs = 2_000
/** Interval for re-evaluating alarms opened by time, and due dates. */
const lookMs = 60_000

/** Evaluates what time alone decides. */
export class Turns {
  private readonly states: DeviceStates
  private readonly book: Rulebook
  private readonly world: World
  private readonly alarms: AlarmBook
  private readonly judge: Judge
  /** By device, alarm key and point. */
  readonly byKey = new Map<string, Turn>()
  private nextTurnAt = Number.POSITIVE_INFINITY
  everyDevice: () => Iterable<FleetDevice> = () => []
  /** When the due dates and time-based alarms of each device were last evaluated. */
  readonly lookedAt = new Map<string, number>()

  constructor(states: DeviceStates, book: Rulebook, world: World, alarms: AlarmBook, judge: Judge) {
    this.states = states
    this.book = book
    this.world = world
    this.alarms = alarms
    this.judge = judge
  }

  /** Schedules the time at which the clock alone may make a rule true for a point. */
  note(state: DeviceState, rule: Rule, point: string): void {
    // Due dates are evaluated for every device, whether or not it sends data.
    if (!rule.ready.isTimed || rule.ready.isAboutDates) return
    const key = `${state.device.id}|${rule.alarmKey}|${point}`
    const line = state.lines.get(lineKey(rule, point))
    const newest = line?.memory.newest
    const at =
      line &&
      newest &&
      this.turnOf(state, rule, this.world.moment(state, rule, line.memory, Math.max(newest.time, line.lastTime ?? 0), newest.values))
    if (at === undefined) this.byKey.delete(key)
    else this.wait(key, { state, rule, point, at })
  }

  private turnOf(state: DeviceState, rule: Rule, moment: Moment): number | undefined {
    return this.judge.within(state, rule, moment.time + state.skewMs, () =>
      soonest(rule.ready.levels.map((l) => nextTurn(l.condition, moment))),
    )
  }

  private wait(key: string, turn: Turn): void {
    this.byKey.set(key, turn)
    this.nextTurnAt = Math.min(this.nextTurnAt, turn.at + turn.state.skewMs)
  }

  /** Schedules people who entered before this process started: the list of people inside is loaded, their passages are not. */
  noteInside(): void {
    for (const { deviceId, workerId, since } of this.world.people.everybodyInside()) {
      const device = deviceId === null ? undefined : this.states.deviceOf(deviceId)
      if (!device) continue
      const state = this.states.stateOf(device)
      const plan = this.book.planOf(state, '')
      for (const rule of plan.byRecord.get(passage) ?? []) {
        const key = `${device.id}|${rule.alarmKey}|${workerId}`
        if (!rule.ready.isTimed || this.byKey.has(key) || state.subjects.has(`${rule.alarmKey}|${workerId}`)) continue
        const values = { workerId }
        const at = this.turnOf(state, rule, this.world.moment(state, rule, noMemory, since, values))
        if (at !== undefined) this.wait(key, { state, rule, point: workerId, at })
      }
    }
  }

  /** Evaluates what time alone has made true since the last call, each at its due time. */
  take(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    if (this.nextTurnAt > now - turnGraceMs) return
    let next = Number.POSITIVE_INFINITY
    for (const [key, turn] of this.byKey) {
      const { state, rule, point } = turn
      if (!mine(state.device)) {
        next = Math.min(next, turn.at + state.skewMs)
        continue
      }
      if (turn.at + state.skewMs > now - turnGraceMs) {
        next = Math.min(next, turn.at + state.skewMs)
        continue
      }
      this.byKey.delete(key)
      if (this.states.devices.get(state.device.id) !== state) continue
      const inForce = this.book.planOf(state, rule.ready.on === undefined ? point : '').rules.find((r) => r.alarmKey === rule.alarmKey)
      if (inForce !== rule) {
        // Another rule has replaced it; that rule is scheduled instead.
        if (inForce) this.note(state, inForce, point)
        continue
      }
      this.judge.byClock(state, rule, point, turn.at, effects)
      const line = state.lines.get(lineKey(rule, point))
      const values = line?.memory.newest?.values ?? { workerId: point }
      const at = this.turnOf(state, rule, this.world.moment(state, rule, line?.memory ?? noMemory, turn.at, values))
      if (at === undefined) continue
      this.byKey.set(key, { ...turn, at })
      next = Math.min(next, at + state.skewMs)
    }
    this.nextTurnAt = next
  }

  /** Evaluates due dates of every device, and time-based open alarms that may end without a reading. */
  look(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    for (const device of this.everyDevice()) {
      if (!device.inService || !mine(device)) continue
      const before = this.lookedAt.get(device.id)
      if (before !== undefined && now - before < lookMs) continue
      this.lookedAt.set(device.id, now)
      if (![...(this.book.byFamily.get(device.family.key) ?? [])].some((r) => r.enabled && r.ready.isTimed)) continue
      const state = this.judge.present(device, effects)
      const at = now - state.skewMs
      for (const rule of this.book.planOf(state, '').rules) {
        if (!rule.ready.isAboutDates) continue
        // A date that fell due since the last call gets its own time.
        const due =
          before === undefined ? undefined : this.turnOf(state, rule, this.world.moment(state, rule, noMemory, before - state.skewMs, {}))
        this.judge.byClock(state, rule, '', due !== undefined && due < at ? due : at, effects)
      }
      for (const { rule, held, point } of [...state.subjects.values()])
        if (held.open && rule.ready.isTimed && !(rule.ready.isAboutDates && point === ''))
          this.judge.byClock(state, rule, point, at, effects)
    }
  }

  /** Ends durations that expire while the last value is fresh, and schedule periods. */
  advance(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    for (const [subject, state] of this.states.waiting) {
      if (!mine(state.device)) continue
      const last = this.states.lastOf(state, subject)
      const out = advance(subject.rule.ready, subject.held, now - state.skewMs, last)
      if (out.held !== subject.held) {
        const reading = state.lines.get(subject.point)?.memory.newest
        this.alarms.apply(
          state,
          subject,
          out.held,
          out.events,
          reading && { ...reading, receivedAt: now, values: { ...reading.values }, quality: null },
          effects,
        )
      }
    }
  }
}
