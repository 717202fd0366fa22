import type pg from 'pg'
import { openAlarms } from '../alarms/public.ts'
import { type AlarmBook, clockRow } from './alarm-book.ts'
import { asideLevel, type DeviceState, type WrittenAside, type WrittenSubject } from './device-state.ts'
import type { DeviceStates } from './device-states.ts'
import type { Effects } from './effects.ts'
import { nothingKept, type RuleState } from './evaluate.ts'
import type { Judge } from './judge.ts'
import { recordsOf } from './record-log.ts'
import type { Rulebook } from './rulebook.ts'
import { readBack, readRecords } from './stored.ts'
import type { Clock } from './timeline.ts'
import { pointOf } from './trigger.ts'

/** Restores the state after a restart: stored rule state, windows from stored readings, open alarms. */
export class Recall {
  private readonly states: DeviceStates
  private readonly book: Rulebook
  private readonly alarms: AlarmBook
  private readonly judge: Judge

  constructor(states: DeviceStates, book: Rulebook, alarms: AlarmBook, judge: Judge) {
    this.states = states
    this.book = book
    this.alarms = alarms
    this.judge = judge
  }

  async all(pool: pg.Pool): Promise<void> {
    await this.setAside(pool)
    const written = await pool.query<{ device_id: string; trigger_id: string; point: string; state: WrittenSubject & Clock }>(
      'select device_id, trigger_id, point, state from rule_state where level = 0',
    )
    const clocks = new Map(
      written.rows.filter((r) => r.trigger_id === clockRow).map((r) => [`${r.device_id}|${r.point}`, r.state as Clock]),
    )
    await this.remember(pool, clocks)
    for (const row of written.rows) {
      const device = this.states.deviceOf(row.device_id)
      if (!device || row.trigger_id === clockRow) continue
      const state = this.states.stateOf(device)
      const planned = this.book.planOf(state, row.point).rules.find((r) => r.id === row.trigger_id)
      if (!planned || planned.version !== row.state.version) {
        this.outOfStep(state, row.trigger_id, row.point, row.state)
        continue
      }
      const subject = this.states.subject(state, planned, row.point)
      subject.held = row.state.held
      subject.past = row.state.past ?? nothingKept(planned.ready)
      subject.pastLast = row.state.pastLast
      subject.pastId = row.state.pastId
      this.states.noteWaiting(state, subject)
    }
    await this.takeOver(pool)
  }

  /** Restores rules that were suspended on devices. */
  private async setAside(pool: pg.Pool): Promise<void> {
    const { rows } = await pool.query<{ device_id: string; trigger_id: string; state: WrittenAside }>(
      'select device_id, trigger_id, state from rule_state where level = $1',
      [asideLevel],
    )
    for (const row of rows) {
      const device = this.states.deviceOf(row.device_id)
      if (device) this.states.stateOf(device).setAside.set(row.trigger_id, row.state.version)
    }
  }

  /** Fills the memories from stored readings and records, for windows, rates and time order. */
  private async remember(pool: pg.Pool, clocks: ReadonlyMap<string, Clock>): Promise<void> {
    const latest = await pool.query<{
      device_id: string
      ts: Date
      received_at: Date
      v: Record<string, unknown>
      quality: Record<string, string> | null
      marks: string[] | null
    }>(`select device_id, ts, received_at, v, quality,
         (select array_agg(t.seq::text) from telemetry t where t.device_id = l.device_id and t.ts = l.ts) as marks
       from device_latest l where v <> '{}'`)
    const wanted: { id: string; family: string; since: number }[] = []
    const kinds = new Map<string, number>()
    for (const { ready } of this.book.rules.values()) for (const level of ready.levels) recordsOf(level.condition, ready.on, kinds)
    for (const row of latest.rows) {
      const device = this.states.deviceOf(row.device_id)
      if (!device) continue
      const state = this.states.stateOf(device)
      const plan = this.book.planOf(state, '')
      state.skewMs = row.received_at.getTime() - row.ts.getTime()
      const hasPoints = device.family.metric('cage') !== undefined || device.family.metric('tagId') !== undefined || pointOf(row.v) !== ''
      const rebased = clocks.has(`${device.id}|`)
      if (plan.watched.size === 0 && !hasPoints && !rebased) {
        const line = this.states.lineOf(state, '', plan)
        for (const mark of row.marks ?? [0])
          line.memory.add({ time: row.ts.getTime(), mark: Number(mark), values: row.v, quality: row.quality })
        line.clock = { lastTime: row.ts.getTime() }
        continue
      }
      const back = Math.max(plan.maxGapMs, ...plan.watched.values(), rebased ? 86_400_000 : 0)
      wanted.push({ id: device.id, family: device.family.key, since: row.ts.getTime() - back })
    }
    for await (const reading of readBack(pool, wanted)) {
      const device = this.states.deviceOf(reading.deviceId)
      if (!device) continue
      const state = this.states.stateOf(device)
      const point = pointOf(reading.values)
      const line = this.states.lineOf(state, point, this.book.planOf(state, point))
      const clock = clocks.get(`${device.id}|${point}`)
      if (clock && line.clock.rebasedAt === undefined) line.clock = { ...clock }
      // Readings from before the clock was corrected say nothing about the order afterwards.
      if (clock?.rebasedAt !== undefined && reading.receivedAt < clock.rebasedAt && reading.time > (clock.lastTime ?? 0)) continue
      line.memory.add(reading)
      const isBacklog = reading.receivedAt - reading.time - (clock?.offsetMs ?? 0) > 10 * 60_000
      if (!isBacklog) line.clock.lastTime = Math.max(line.clock.lastTime ?? reading.time, reading.time)
    }
    const since = Date.now() - Math.max(0, ...kinds.values())
    for (const one of await readRecords(pool, [...kinds.keys()], since)) {
      const device = this.states.deviceOf(one.deviceId)
      if (device) this.states.stateOf(device).records.add(one.record, kinds.get(one.record) ?? 0, { time: one.time, data: one.data })
    }
  }

  /** Restores the alarms that are open in the database, whatever opened them. */
  private async takeOver(pool: pg.Pool): Promise<void> {
    for (const alarm of await openAlarms(pool)) {
      const device = this.states.deviceOf(alarm.deviceId)
      if (!device || this.states.unsettled.has(`${alarm.deviceId}|${alarm.alarmKey}|${alarm.point}`)) continue
      const state = this.states.stateOf(device)
      const rule = this.book.planOf(state, alarm.point).rules.find((r) => r.alarmKey === alarm.alarmKey)
      if (!rule) {
        this.states.unsettled.set(`${alarm.deviceId}|${alarm.alarmKey}|${alarm.point}`, {
          deviceId: alarm.deviceId,
          settle: (effects) => effects.alarms.push({ op: 'clear', id: alarm.id, time: Date.now(), reason: 'ruleDisabled' }),
        })
        continue
      }
      const subject = this.states.subject(state, rule, alarm.point)
      subject.alarm = { id: alarm.id, level: alarm.level, peak: alarm.peakValue }
      if (subject.held.open) continue
      // An alarm without state was opened elsewhere; it gets a state as if it had been opened here, so that it can end.
      const index = Math.max(
        0,
        rule.ready.levels.findIndex((l) => l.level === alarm.level),
      )
      const levels = [...subject.held.levels]
      levels[index] = { activeSince: alarm.startTime }
      const level = rule.ready.levels[index]?.level ?? alarm.level
      subject.held = { ...subject.held, levels, open: { level, startTime: alarm.startTime } }
    }
    // Drops states whose alarm was closed by a user.
    for (const state of this.states.devices.values()) {
      for (const [key, subject] of state.subjects) {
        if (!subject.held.open || subject.alarm) continue
        state.subjects.delete(key)
        this.states.waiting.delete(subject)
        const { device } = state
        this.states.unsettled.set(`${device.id}|${key}`, {
          deviceId: device.id,
          settle: (effects) => this.alarms.writeGone(device, subject, effects),
        })
      }
    }
  }

  /** Handles a state written under an older rule version: evaluates it again and stores the result with the next write. */
  private outOfStep(state: DeviceState, triggerId: string, point: string, written: WrittenSubject): void {
    const { device } = state
    const settle = (effects: Effects) => effects.state({ deviceId: device.id, triggerId, point, level: 0, state: null })
    this.states.unsettled.set(`${device.id}|${triggerId}|${point}`, { deviceId: device.id, settle })
    const old = this.book.rules.get(triggerId)
    const rule = old && this.book.planOf(state, point).rules.find((r) => r.alarmKey === old.alarmKey)
    if (!old || !rule || !written.held?.open) return
    const subject = this.states.subject(state, rule, point)
    const out = this.judge.changed(state, { levels: [] }, rule, { held: written.held, point }, this.states.nowOf(state, point))
    const still = out.held.open
    subject.held = still
      ? out.held
      : {
          ...nothingKept(rule.ready),
          levels: rule.ready.levels.map(() => ({ activeSince: written.held.open?.startTime ?? 0 })),
          open: written.held.open as RuleState['open'] & object,
        }
    if (!still) {
      // The alarm is closed with the next write.
      this.states.unsettled.set(`${device.id}|${rule.alarmKey}|${point}|end`, {
        deviceId: device.id,
        settle: (effects) => this.alarms.end(state, subject, this.states.nowOf(state, point), 'ruleChanged', effects),
      })
    }
  }
}
