import type pg from 'pg'
import type { FleetDevice } from '../equipment/public.ts'
import { markOf } from '../readings/public.ts'
import { AlarmBook } from './alarm-book.ts'
import { Aside } from './aside.ts'
import { recognition } from './cameras.ts'
import { DeviceStates } from './device-states.ts'
import type { Effects } from './effects.ts'
import { nothingKept, takeSilence, takeSound } from './evaluate.ts'
import type { EngineFlag, EngineReading, EngineRecord } from './heard.ts'
import { Memory, type Sample } from './history.ts'
import { Judge } from './judge.ts'
import { passage } from './people.ts'
import { vehiclePassage } from './plates.ts'
import { Recall } from './recall.ts'
import { Rulebook } from './rulebook.ts'
import { readRules } from './stored.ts'
import { Timeline } from './timeline.ts'
import { pointOf } from './trigger.ts'
import { Turns } from './turns.ts'
import { type RulePorts, World } from './world.ts'

const compareMs = 30_000
const lateMs = 10 * 60_000
/** Most record lines (plates, people) kept per device for ordering. */
const mostLines = 5_000

/**
 * Evaluates the rules of every device. State is kept in memory and written to `rule_state` in the transaction of the reading that changed
 * it. Windows are filled from stored readings, so evaluation continues after a restart.
 */
export class RuleEngine {
  private readonly world: World
  private readonly book: Rulebook
  private readonly states = new DeviceStates()
  private readonly aside = new Aside()
  private readonly alarms: AlarmBook
  private readonly judge: Judge
  private readonly turns: Turns
  private readonly recall: Recall
  private pool: pg.Pool | undefined
  private comparedAt = 0

  constructor(ports: RulePorts = {}) {
    this.world = new World(ports)
    this.alarms = new AlarmBook(this.states, ports)
    this.book = new Rulebook(this.world)
    this.judge = new Judge(this.states, this.book, this.world, this.aside, this.alarms)
    this.turns = new Turns(this.states, this.book, this.world, this.alarms, this.judge)
    this.recall = new Recall(this.states, this.book, this.alarms, this.judge)
  }

  async load(
    pool: pg.Pool,
    deviceOf: (id: string) => FleetDevice | undefined,
    everyDevice: () => Iterable<FleetDevice> = () => [],
  ): Promise<void> {
    this.book.rules.clear()
    this.book.byFamily.clear()
    this.states.devices.clear()
    this.states.waiting.clear()
    this.states.unsettled.clear()
    this.turns.byKey.clear()
    this.turns.lookedAt.clear()
    this.states.deviceOf = deviceOf
    this.turns.everyDevice = everyDevice
    this.pool = pool
    this.comparedAt = Date.now()
    const now = Date.now()
    await Promise.all([this.world.people.refresh(pool, now), this.world.plates.refresh(pool, now), this.world.cameras.refresh(pool, now)])
    for (const rule of await readRules(pool)) this.book.hold(rule)
    await this.aside.read(pool)
    await this.recall.all(pool)
    for (const state of this.states.devices.values()) {
      for (const point of [...state.lines.keys()]) {
        if (point.includes(':')) continue
        for (const { rule } of this.book.planOf(state, point).live) this.turns.note(state, rule, point)
      }
    }
    this.turns.noteInside()
  }

  /** Processes a reading; it determines the reading's place in the device's time order. */
  take(device: FleetDevice, reading: EngineReading, effects: Effects): void {
    const state = this.judge.present(device, effects)
    const point = pointOf(reading.values)
    const plan = this.book.planOf(state, point)
    const line = this.states.lineOf(state, point, plan)
    this.states.noteParams(state, device, reading.time)
    const sample: Sample = { time: reading.time, mark: reading.mark ?? 0, values: reading.values, quality: reading.quality }
    const { place, rebased, last } = line.place(sample, reading.receivedAt)
    if (place !== 'live' && place !== 'backlog') return
    if (rebased) this.alarms.setBack(state, point, line, effects)
    if (place === 'live') {
      state.skewMs = reading.receivedAt - reading.time
      this.world.ports.seen?.(device, reading)
    }
    const { values, quality } = reading
    const { subjects } = state
    const { params } = device
    for (const { rule, key, metrics } of plan.live) {
      if (metrics.length > 0 && !speaksOfAny(metrics, values)) continue
      // The usual case: nothing pending and no condition true.
      if (rule.ready.calm(values, quality, params) && !subjects.has(key)) continue
      this.judge.reading(state, rule, point, line.memory, reading, last, place === 'backlog', effects)
      if (place === 'live') this.turns.note(state, rule, point)
    }
    if (place === 'live') this.judge.bits(state, plan, point, reading, effects)
  }

  /** Processes a record with the rules about its kind. */
  record(device: FleetDevice, item: EngineRecord, effects: Effects): void {
    const state = this.judge.present(device, effects)
    if (item.record === recognition && this.world.cameras.isOnlyKept(device.id, item.data, item.time)) return
    const plan = this.book.planOf(state, '')
    const keepMs = plan.records.get(item.record)
    const rules = plan.byRecord.get(item.record)
    // Late passages are found in the site's attendance at the next refresh.
    if (item.record === passage && !isInner(device) && item.receivedAt - item.time <= lateMs)
      this.world.people.passed(device, item.data, item.time)
    if (item.record === vehiclePassage) this.world.plates.passed(device.projectCode, item.data)
    const data = item.record === vehiclePassage ? this.world.plates.seen(device.projectCode, item.data) : item.data
    if (keepMs !== undefined) state.records.add(item.record, keepMs, { time: item.time, data })
    if (!rules) return
    const point = pointOf(item.data, true)
    const key = `${item.record}:${point}`
    let line = state.lines.get(key)
    if (!line) {
      line = new Timeline(new Memory(new Map(), plan.maxGapMs))
      if (state.lines.size >= mostLines) dropOldest(state.lines)
      state.lines.set(key, line)
    }
    const { place, last } = line.place({ time: item.time, mark: markOf(0, item.id), values: data }, item.receivedAt)
    if (place !== 'live' && place !== 'backlog') return
    const reading = { time: item.time, receivedAt: item.receivedAt, values: data as Record<string, unknown>, quality: null }
    for (const rule of rules) {
      this.judge.reading(state, rule, point, line.memory, reading, last, place === 'backlog', effects)
      this.turns.note(state, rule, point)
    }
  }

  /** Processes an alarm decided by the device itself, which is another source of the same alarm. */
  flag(device: FleetDevice, item: EngineFlag, effects: Effects): void {
    const state = this.judge.present(device, effects)
    const ruleAt = (point: string) => this.book.planOf(state, point).rules.find((r) => r.alarmKey === item.type)
    if (item.receivedAt - item.time > lateMs) return
    const isUp = item.state === 'start'
    // An end without a point ends all alarms the device started under this name.
    const ended = [...state.subjects.values()].filter((one) => one.rule.alarmKey === item.type && one.held.device).map((one) => one.point)
    const points = isUp || item.point || ended.length === 0 ? [item.point] : ended
    for (const point of points) {
      const rule = ruleAt(point)
      if (rule) this.judge.flag(state, rule, point, isUp, item.time, undefined, effects)
    }
  }

  /** Ends silence: called for any valid message. */
  heard(device: FleetDevice, receivedAt: number, effects: Effects): void {
    const state = this.states.devices.get(device.id)
    if (!state) return
    for (const subject of state.subjects.values()) {
      if (!subject.rule.ready.levels.some((l) => l.condition.type === 'noData')) continue
      const out = takeSound(subject.rule.ready, subject.held, receivedAt)
      if (out.events.length) this.alarms.apply(state, subject, out.held, out.events, undefined, effects)
    }
  }

  /** Applies the rules about silence to a device that has sent data before, by receive time. */
  silent(device: FleetDevice, lastReceivedAt: number, now: number, effects: Effects): void {
    const state = this.judge.present(device, effects)
    for (const rule of this.book.planOf(state, '').silence) {
      const existing = state.subjects.get(`${rule.alarmKey}|`)
      const ruleState = existing?.held ?? nothingKept(rule.ready)
      const out = takeSilence(rule.ready, ruleState, lastReceivedAt, now)
      if (out.events.length === 0 || this.aside.isSuppressed(device.id, '', rule.alarmKey, now)) continue
      const subject = existing ?? this.states.subject(state, rule, '')
      this.alarms.apply(state, subject, out.held, out.events, undefined, effects)
    }
  }

  /** Processes what depends on time alone: durations that end while the last value is fresh, schedule periods and drills that end. */
  tick(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    if (this.pool) {
      void this.world.people.refresh(this.pool, now).then((read) => read && this.turns.noteInside())
      void this.world.plates.refresh(this.pool, now)
      void this.world.cameras.refresh(this.pool, now)
      if (now - this.comparedAt > compareMs) void this.catchUp(this.pool, now).catch(() => undefined)
    }
    for (const [key, one] of this.states.unsettled) {
      const device = this.states.deviceOf(one.deviceId)
      if (!device || mine(device)) {
        this.states.unsettled.delete(key)
        one.settle(effects)
      }
    }
    this.turns.take(now, effects, mine)
    this.turns.look(now, effects, mine)
    this.turns.advance(now, effects, mine)
    this.aside.endDrills(now, this.states.deviceOf, effects, mine)
  }

  /** Compares the loaded rules with the stored ones, because a change notification may be lost with its connection. */
  private async catchUp(pool: pg.Pool, now: number): Promise<void> {
    this.comparedAt = now
    const { rows } = await pool.query<{ id: string; version: number }>('select id, version from rule_trigger')
    const stored = new Map(rows.map((r) => [r.id, r.version]))
    const changed = [...stored].filter(([id, version]) => this.book.rules.get(id)?.version !== version).map(([id]) => id)
    const gone = [...this.book.rules.keys()].filter((id) => !stored.has(id))
    if (changed.length + gone.length === 0) return
    await this.reload(pool, [...changed, ...gone], this.states.deviceOf)
    for (const [deviceId, state] of this.states.devices) {
      if (state.subjects.size === 0) continue
      const settle = (effects: Effects) => {
        for (const subject of [...state.subjects.values()]) this.judge.again(state, subject, effects)
      }
      this.states.unsettled.set(`${deviceId}|rules`, { deviceId, settle })
    }
  }

  /** Ids of rules whose stored version differs from the loaded one, for `reload` after notifications may have been missed. */
  async outdated(pool: pg.Pool): Promise<string[]> {
    const stored = await readRules(pool)
    const known = new Set(stored.map((rule) => rule.id))
    return [
      ...stored.filter((rule) => !this.book.isHeld(rule)).map((rule) => rule.id),
      ...[...this.book.rules.keys()].filter((id) => !known.has(id)),
    ]
  }

  /** Reloads changed rules. Pending states are dropped; open alarms are evaluated again with the last value. */
  async reload(
    pool: pg.Pool,
    ids: readonly string[],
    deviceOf: (id: string) => FleetDevice | undefined,
  ): Promise<(effects: Effects, mine: (d: FleetDevice) => boolean) => void> {
    const fresh = await readRules(pool, ids)
    await this.aside.read(pool)
    const families = new Set<string>()
    for (const id of ids) {
      const family = this.book.drop(id)
      if (family) families.add(family)
    }
    for (const rule of fresh) {
      this.book.hold(rule)
      families.add(rule.family)
    }
    for (const state of this.states.devices.values()) if (families.has(state.device.family.key)) this.judge.replanState(state)
    return (effects, mine) => {
      for (const [deviceId, state] of this.states.devices) {
        const device = deviceOf(deviceId)
        if (!device || !mine(device) || !families.has(device.family.key)) continue
        for (const subject of [...state.subjects.values()]) this.judge.again(state, subject, effects)
      }
    }
  }

  /** After the commit: an alarm that had already been opened elsewhere gets the existing id. */
  adopt(ids: ReadonlyMap<string, string>): void {
    if (ids.size === 0) return
    for (const state of this.states.devices.values()) {
      for (const subject of state.subjects.values()) {
        const real = subject.alarm && ids.get(subject.alarm.id)
        if (real && subject.alarm) subject.alarm.id = real
      }
    }
  }

  /** Drops a deleted device; its open alarms are closed by the code that deletes it. */
  forget(deviceId: string): void {
    const state = this.states.devices.get(deviceId)
    for (const subject of state?.subjects.values() ?? []) this.states.waiting.delete(subject)
    this.states.devices.delete(deviceId)
    this.turns.lookedAt.delete(deviceId)
  }

  /** Selects the rules again after a device record changed. If the device moved to another project, its alarms there are closed. */
  replan(deviceId: string): void {
    const state = this.states.devices.get(deviceId)
    const device = this.states.deviceOf(deviceId)
    if (!state || !device) return
    state.plans.clear()
    this.states.unsettled.set(`${deviceId}|moved`, {
      deviceId,
      settle: (effects) => {
        const present = this.judge.present(device, effects)
        this.judge.replanState(present)
        for (const subject of [...present.subjects.values()]) this.judge.again(present, subject, effects)
      },
    })
  }
}

/** Doors within a site: a person who passes one is already inside. */
const isInner = (device: FleetDevice) => device.params.role === 'inner'

/** Drops the oldest line of records; lines of readings are kept. */
function dropOldest(lines: Map<string, Timeline>): void {
  for (const key of lines.keys()) {
    if (!key.includes(':')) continue
    lines.delete(key)
    return
  }
}

function speaksOfAny(metrics: readonly string[], values: Readonly<Record<string, unknown>>): boolean {
  for (const metric of metrics) if (values[metric] !== undefined) return true
  return false
}
