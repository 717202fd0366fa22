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

/** A rule that the clock may make true for a device's point, and when. */
interface Turn {
  state: DeviceState
  rule: Rule
  point: string
  at: number
}

/** Readings on their way at a moment are waited for this long before the clock speaks for it. */
const turnGraceMs = 2_000
/** What is open by the clock is looked at again this often, and so are dates. */
const lookMs = 60_000

/** What the clock alone decides. */
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
  /** When each device's dates and open spells were last looked at by the clock. */
  readonly lookedAt = new Map<string, number>()

  constructor(states: DeviceStates, book: Rulebook, world: World, alarms: AlarmBook, judge: Judge) {
    this.states = states
    this.book = book
    this.world = world
    this.alarms = alarms
    this.judge = judge
  }

  /** Writes down when the clock alone may make a rule true for a point. */
  note(state: DeviceState, rule: Rule, point: string): void {
    // Dates are looked at for every device, heard or not.
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

  /** Who went in before this process began has a turn as well: those inside are known, their passages are not read again. */
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

  /** What time alone has made true since the last look, each at the moment it did. */
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
        // It has given way to another, which has a turn of its own.
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

  /** Dates of every device, heard or not, and open spells that may be over without a word from their device. */
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
        // What fell due since the last look did so at its own moment.
        const due =
          before === undefined ? undefined : this.turnOf(state, rule, this.world.moment(state, rule, noMemory, before - state.skewMs, {}))
        this.judge.byClock(state, rule, '', due !== undefined && due < at ? due : at, effects)
      }
      for (const { rule, held, point } of [...state.subjects.values()])
        if (held.open && rule.ready.isTimed && !(rule.ready.isAboutDates && point === ''))
          this.judge.byClock(state, rule, point, at, effects)
    }
  }

  /** Durations that are over while the last value is still fresh, and periods that end. */
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
