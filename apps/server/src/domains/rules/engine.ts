import type { Condition } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { type AlarmOp, type ClearReason, openAlarms } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import {
  advance,
  holds,
  inWords,
  isOver,
  type LevelEvent,
  type LevelState,
  limitOf,
  maxGapMsOf,
  metricsOf,
  type RuleLevel,
  type Step,
  type Surroundings,
  take,
} from './evaluate.ts'
import type { RuleOptions, RuleScope } from './tables.ts'

/** A rule as it is in force. */
export interface Rule {
  id: string
  version: number
  family: string
  alarmKey: string
  scope: RuleScope
  projectCode: string | null
  levels: RuleLevel[]
  schedule: [number, number][] | null
  options: RuleOptions
  enabled: boolean
  metrics: ReadonlySet<string>
  /** Seconds of silence, for rules about silence. */
  noDataSeconds: number | undefined
}

/** A row of `rule_state` to be written; null removes it. */
export interface StateChange {
  deviceId: string
  triggerId: string
  point: string
  level: number
  state: LevelState | null
}

/** What a batch of readings did to rules and alarms, written with it. */
export class Effects {
  readonly alarms: AlarmOp[] = []
  readonly states = new Map<string, StateChange>()
  private readonly peaks = new Map<string, { value: number; time: number }>()

  state(change: StateChange): void {
    this.states.set(`${change.deviceId}|${change.triggerId}|${change.point}|${change.level}`, change)
  }
  peak(id: string, value: number, time: number): void {
    this.peaks.set(id, { value, time })
  }
  get ops(): AlarmOp[] {
    return [...this.alarms, ...[...this.peaks].map(([id, p]) => ({ op: 'peak' as const, id, ...p }))]
  }
  get isEmpty(): boolean {
    return this.alarms.length === 0 && this.states.size === 0 && this.peaks.size === 0
  }
}

export interface EngineReading {
  time: number
  receivedAt: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

interface HeldAlarm {
  id: string
  level: number
  maxLevel: number
  peak: number | null
}

interface Subject {
  rule: Rule
  point: string
  levels: LevelState[]
  /** Levels with the extra conditions of `onlyWhen` already in them. */
  held: HeldAlarm | undefined
}

interface DeviceState {
  /** Newest device time by point. */
  lastTime: Map<string, number>
  /** Receive time minus device time of the newest reading: carries the device's clock to now. */
  skewMs: number
  lastReading: Map<string, EngineReading>
  subjects: Map<string, Subject>
  /** Readings far behind the newest, ascending: a clock that was set back. */
  behind: { first: number; last: number; count: number } | undefined
}

const behindMs = 10 * 60_000
const rebaseAfter = { readings: 5, ms: 40_000 }

/** Families that report several points or cages through one device. */
export function pointOf(values: Readonly<Record<string, unknown>>): string {
  const point = values.pointCode ?? values.cage
  return typeof point === 'string' ? point.slice(0, 64) : ''
}

/**
 * Holds every device's rules to account. State lives in memory and, in the transaction of the reading that changed it, in `rule_state`;
 * after a restart it goes on where it was.
 */
export class RuleEngine {
  private readonly rules = new Map<string, Rule>()
  private readonly devices = new Map<string, DeviceState>()
  private readonly plans = new Map<string, Rule[]>()
  /** Subjects with something pending: what the clock alone may decide. */
  private readonly waiting = new Map<Subject, FleetDevice>()

  async load(pool: pg.Pool, deviceOf: (id: string) => FleetDevice | undefined): Promise<void> {
    this.rules.clear()
    this.plans.clear()
    this.devices.clear()
    this.waiting.clear()
    for (const rule of await readRules(pool)) this.rules.set(rule.id, rule)
    const latest = await pool.query<{ device_id: string; ts: Date; received_at: Date }>(
      'select device_id, ts, received_at from device_latest',
    )
    for (const row of latest.rows) {
      const state = this.deviceState(row.device_id)
      state.lastTime.set('', row.ts.getTime())
      state.skewMs = row.received_at.getTime() - row.ts.getTime()
    }
    const states = await pool.query<{ device_id: string; trigger_id: string; point: string; level: number; state: LevelState }>(
      'select device_id, trigger_id, point, level, state from rule_state',
    )
    for (const row of states.rows) {
      const rule = this.rules.get(row.trigger_id)
      const device = deviceOf(row.device_id)
      if (!rule || !device) continue
      const index = rule.levels.findIndex((l) => l.level === row.level)
      if (index < 0) continue
      const subject = this.subject(device.id, rule, row.point)
      subject.levels[index] = row.state
      this.noteWaiting(device, subject)
      const last = this.deviceState(device.id).lastTime
      if (row.state.lastAt) last.set(row.point, Math.max(row.state.lastAt, last.get(row.point) ?? 0))
    }
    for (const alarm of await openAlarms(pool)) {
      const device = deviceOf(alarm.deviceId)
      const rule = device && this.planOf(device).find((r) => r.alarmKey === alarm.alarmKey)
      if (!rule) continue
      const subject = this.subject(alarm.deviceId, rule, alarm.point)
      subject.held = { id: alarm.id, level: alarm.level, maxLevel: alarm.maxLevel, peak: alarm.peakValue }
      // An alarm without a state came from elsewhere; it lives on as if it had been opened here, so that it can end.
      const index = Math.max(
        0,
        rule.levels.findIndex((l) => l.level === alarm.level),
      )
      if (subject.levels.every((l) => l.activeSince === undefined)) subject.levels[index] = { activeSince: alarm.startTime }
    }
  }

  /** The rules in force for a device: of those for one alarm key the narrowest. */
  planOf(device: FleetDevice): readonly Rule[] {
    const known = this.plans.get(device.id)
    if (known) return known
    const best = new Map<string, { rule: Rule; narrow: number }>()
    for (const rule of this.rules.values()) {
      if (!rule.enabled || rule.family !== device.family.key || rule.options.on) continue
      const narrow = reach(rule, device)
      if (narrow < 0) continue
      const other = best.get(rule.alarmKey)
      if (!other || narrow > other.narrow) best.set(rule.alarmKey, { rule, narrow })
    }
    const plan = [...best.values()].map((b) => b.rule)
    this.plans.set(device.id, plan)
    return plan
  }

  around(device: FleetDevice): Surroundings & { labelOf(metric: string): string } {
    return {
      params: device.params,
      unitOf: (metric) => device.family.metric(metric)?.unit,
      labelOf: (metric) => device.family.metric(metric)?.label ?? metric,
    }
  }

  /** Takes a reading that is neither late nor ahead of the clock. */
  take(device: FleetDevice, reading: EngineReading, effects: Effects): void {
    const state = this.deviceState(device.id)
    const point = pointOf(reading.values)
    const last = state.lastTime.get(point)
    if (last !== undefined && reading.time <= last && !this.isSetBack(state, point, last, reading.time, device, effects)) return
    state.behind = undefined
    state.lastTime.set(point, reading.time)
    state.skewMs = reading.receivedAt - reading.time
    state.lastReading.set(point, reading)
    const around = this.around(device)
    const seen = { time: reading.time, values: reading.values, quality: reading.quality ?? undefined }
    for (const rule of this.planOf(device)) {
      if (rule.noDataSeconds !== undefined) continue
      if (!speaksOf(rule, reading.values)) continue
      const key = `${rule.id}|${point}`
      const existing = state.subjects.get(key)
      if (!inSchedule(rule.schedule, reading.time)) {
        if (existing) this.end(device, existing, reading.time, 'schedule', effects)
        continue
      }
      // Nearly every reading of nearly every rule: nothing pending and nothing wrong.
      if (!existing && !rule.levels.some((level) => holds(level.condition, seen, around) === true)) continue
      const subject = existing ?? this.subject(device.id, rule, point)
      const gap = maxGapMsOf(device.intervalSeconds, rule.options.maxGapSeconds)
      this.step(device, subject, reading, effects, (level, before) => take(level, before, seen, around, gap))
    }
  }

  /** Any valid message ends silence. */
  heard(device: FleetDevice, receivedAt: number, effects: Effects): void {
    const state = this.devices.get(device.id)
    if (!state) return
    for (const subject of state.subjects.values()) {
      if (subject.rule.noDataSeconds !== undefined) this.end(device, subject, receivedAt, 'recovered', effects)
    }
  }

  /** Silence of a device that has spoken before, measured by receive time. */
  silent(device: FleetDevice, lastReceivedAt: number, now: number, effects: Effects): void {
    for (const rule of this.planOf(device)) {
      if (rule.noDataSeconds === undefined || now - lastReceivedAt < rule.noDataSeconds * 1000) continue
      const subject = this.subject(device.id, rule, '')
      if (subject.held) continue
      subject.levels[0] = { activeSince: lastReceivedAt }
      this.writeState(device, subject, 0, effects)
      this.open(device, subject, { kind: 'open', startTime: lastReceivedAt, fireTime: now }, undefined, effects)
    }
  }

  /** What the clock alone decides: durations that are over while the last value is still fresh. */
  tick(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    for (const [subject, device] of this.waiting) {
      if (!mine(device)) continue
      const state = this.deviceState(device.id)
      const gap = maxGapMsOf(device.intervalSeconds, subject.rule.options.maxGapSeconds)
      const reading = state.lastReading.get(subject.point)
      this.step(device, subject, reading, effects, (_level, before, level) => advance(level, before, now - state.skewMs, gap))
    }
  }

  /** Reads changed rules again: what was pending is dropped, open alarms are judged anew by the last value. */
  async reload(
    pool: pg.Pool,
    ids: readonly string[],
    deviceOf: (id: string) => FleetDevice | undefined,
  ): Promise<(effects: Effects, mine: (d: FleetDevice) => boolean) => void> {
    const fresh = new Map((await readRules(pool, ids)).map((r) => [r.id, r]))
    for (const id of ids) {
      const rule = fresh.get(id)
      if (rule) this.rules.set(id, rule)
      else this.rules.delete(id)
    }
    this.plans.clear()
    return (effects, mine) => {
      for (const [deviceId, state] of this.devices) {
        const device = deviceOf(deviceId)
        if (!device || !mine(device)) continue
        for (const subject of [...state.subjects.values()]) this.judgeAgain(device, state, subject, effects)
      }
    }
  }

  private judgeAgain(device: FleetDevice, state: DeviceState, subject: Subject, effects: Effects): void {
    const inForce = this.planOf(device).find((r) => r.alarmKey === subject.rule.alarmKey)
    if (inForce && inForce.id === subject.rule.id && inForce.version === subject.rule.version) return
    const now = (state.lastTime.get(subject.point) ?? Date.now()) + 1
    if (!inForce) {
      this.end(device, subject, now, 'ruleDisabled', effects)
      return
    }
    const reading = state.lastReading.get(subject.point)
    const around = this.around(device)
    const stillWrong =
      inForce.noDataSeconds !== undefined ||
      !reading ||
      inForce.levels.some((l) => {
        const seen = { ...reading, quality: reading.quality ?? undefined }
        return isOver(l.condition, seen, around) === false
      })
    const held = subject.held
    if (!held || !stillWrong) {
      this.end(device, subject, now, 'ruleChanged', effects)
      return
    }
    this.forgetStates(device, subject, effects)
    state.subjects.delete(`${subject.rule.id}|${subject.point}`)
    this.waiting.delete(subject)
    const next = this.subject(device.id, inForce, subject.point)
    next.held = held
    for (const [i, level] of inForce.levels.entries()) {
      const seen = reading && { ...reading, quality: reading.quality ?? undefined }
      if (!seen || holds(level.condition, seen, around) !== false || inForce.levels.length === 1) {
        next.levels[i] = { activeSince: now }
        this.writeState(device, next, i, effects)
      }
    }
  }

  /** Drops a device that is gone; its open alarms are closed by whoever removed it. */
  forget(deviceId: string): void {
    const state = this.devices.get(deviceId)
    for (const subject of state?.subjects.values() ?? []) this.waiting.delete(subject)
    this.devices.delete(deviceId)
    this.plans.delete(deviceId)
  }

  /** A device's file has changed: its rules are chosen anew. */
  replan(deviceId: string): void {
    this.plans.delete(deviceId)
  }

  /** After the commit: alarms that somebody else had opened carry that one's id. */
  adopt(ids: ReadonlyMap<string, string>): void {
    if (ids.size === 0) return
    for (const state of this.devices.values()) {
      for (const subject of state.subjects.values()) {
        const real = subject.held && ids.get(subject.held.id)
        if (real && subject.held) subject.held.id = real
      }
    }
  }

  private deviceState(id: string): DeviceState {
    let state = this.devices.get(id)
    if (!state) {
      state = { lastTime: new Map(), skewMs: 0, lastReading: new Map(), subjects: new Map(), behind: undefined }
      this.devices.set(id, state)
    }
    return state
  }

  private subject(deviceId: string, rule: Rule, point: string): Subject {
    const { subjects } = this.deviceState(deviceId)
    const key = `${rule.id}|${point}`
    let subject = subjects.get(key)
    if (!subject) {
      subject = { rule, point, levels: rule.levels.map(() => ({})), held: undefined }
      subjects.set(key, subject)
    }
    return subject
  }

  /** Several readings in order, all far behind: the device's clock was put right, and what it says counts from there. */
  private isSetBack(state: DeviceState, point: string, last: number, time: number, device: FleetDevice, effects: Effects): boolean {
    if (last - time < behindMs) return false
    const behind = state.behind
    state.behind =
      behind && time > behind.last ? { first: behind.first, last: time, count: behind.count + 1 } : { first: time, last: time, count: 1 }
    if (state.behind.count < rebaseAfter.readings || time - state.behind.first < rebaseAfter.ms) return false
    for (const subject of state.subjects.values()) {
      if (subject.point !== point) continue
      for (const [i, level] of subject.levels.entries()) {
        if (level.pendingSince === undefined && level.clearSince === undefined) continue
        subject.levels[i] = level.activeSince === undefined ? {} : { activeSince: level.activeSince }
        this.writeState(device, subject, i, effects)
      }
    }
    return true
  }

  private step(
    device: FleetDevice,
    subject: Subject,
    reading: EngineReading | undefined,
    effects: Effects,
    move: (level: RuleLevel, before: LevelState, own: RuleLevel) => Step,
  ): void {
    const opened: { index: number; event: Extract<LevelEvent, { kind: 'open' }> }[] = []
    let cleared: number | undefined
    for (const [i, level] of subject.rule.levels.entries()) {
      const before = subject.levels[i] ?? {}
      const { state, events } = move(level, before, level)
      if (state !== before) {
        subject.levels[i] = state
        if (!sameState(before, state)) this.writeState(device, subject, i, effects)
      }
      for (const event of events) {
        if (event.kind === 'open') opened.push({ index: i, event })
        else cleared = event.time
        // A spell that began and ended between two readings is still one alarm.
        this.settle(device, subject, event, i, reading, effects)
      }
    }
    if (opened.length === 0 && cleared === undefined) this.followPeak(subject, reading, effects)
    this.noteWaiting(device, subject)
    if (!subject.held && subject.levels.every((l) => Object.keys(l).length === 0)) {
      this.deviceState(device.id).subjects.delete(`${subject.rule.id}|${subject.point}`)
    }
  }

  /** Turns what happened to one level into what happens to the one alarm of the subject. */
  private settle(
    device: FleetDevice,
    subject: Subject,
    event: LevelEvent,
    index: number,
    reading: EngineReading | undefined,
    effects: Effects,
  ): void {
    const level = subject.rule.levels[index]
    if (!level) return
    if (event.kind === 'open') {
      if (!subject.held) this.open(device, subject, event, reading, effects, index)
      else if (level.level < subject.held.level) this.changeLevel(subject, level.level, event.fireTime, reading, effects)
      return
    }
    if (!subject.held) return
    const others = subject.rule.levels.filter((_, i) => i !== index && subject.levels[i]?.activeSince !== undefined).map((l) => l.level)
    const next = Math.min(...others)
    if (others.length === 0) {
      effects.alarms.push({ op: 'clear', id: subject.held.id, time: event.time, reason: 'recovered' })
      subject.held = undefined
    } else if (next !== subject.held.level) {
      this.changeLevel(subject, next, event.time, reading, effects)
    }
  }

  private open(
    device: FleetDevice,
    subject: Subject,
    event: Extract<LevelEvent, { kind: 'open' }>,
    reading: EngineReading | undefined,
    effects: Effects,
    index = 0,
  ): void {
    const level = subject.rule.levels[index]
    if (!level) return
    const kind = device.family.alarm(subject.rule.alarmKey)
    const metric = metricsOf(level.condition)[0] ?? null
    const raw = metric && reading ? reading.values[metric] : undefined
    const value = typeof raw === 'number' ? raw : null
    const id = newId()
    subject.held = { id, level: level.level, maxLevel: level.level, peak: value }
    const around = this.around(device)
    effects.alarms.push({
      op: 'open',
      id,
      projectCode: device.projectCode,
      deviceId: device.id,
      deviceName: device.name,
      point: subject.point,
      family: device.family.key,
      alarmKey: subject.rule.alarmKey,
      label: kind?.label ?? subject.rule.alarmKey,
      level: level.level,
      startTime: event.startTime,
      fireTime: event.fireTime,
      metric,
      value,
      thresholdText: inWords(level, around),
      ruleId: subject.rule.id,
      ruleVersion: subject.rule.version,
      source: 'platform',
      values: { ...(reading?.values ?? {}), limit: limitOf(level.condition, around) ?? null },
    })
  }

  private changeLevel(subject: Subject, level: number, time: number, reading: EngineReading | undefined, effects: Effects): void {
    const held = subject.held
    if (!held) return
    const up = level < held.level
    const metric = metricsOf(subject.rule.levels[0]?.condition ?? { type: '' })[0]
    const raw = metric && reading ? reading.values[metric] : undefined
    effects.alarms.push({
      op: up ? 'upgrade' : 'downgrade',
      id: held.id,
      level,
      time,
      value: typeof raw === 'number' ? raw : null,
      text: `${up ? '升级' : '降级'}：${held.level} 级 → ${level} 级`,
    })
    held.level = level
    held.maxLevel = Math.min(held.maxLevel, level)
  }

  private followPeak(subject: Subject, reading: EngineReading | undefined, effects: Effects): void {
    const held = subject.held
    const condition = subject.rule.levels[0]?.condition
    const metric = condition && metricsOf(condition)[0]
    if (!held || !metric || !reading || reading.quality?.[metric]) return
    const value = reading.values[metric]
    if (typeof value !== 'number') return
    const op = String(condition.op ?? '')
    const size = (v: number) => (op.startsWith('abs') ? Math.abs(v) : v) * (op.includes('<') ? -1 : 1)
    if (held.peak !== null && size(value) <= size(held.peak)) return
    held.peak = value
    effects.peak(held.id, value, reading.time)
  }

  private end(device: FleetDevice, subject: Subject, time: number, reason: ClearReason, effects: Effects): void {
    if (subject.held) effects.alarms.push({ op: 'clear', id: subject.held.id, time, reason })
    subject.held = undefined
    this.forgetStates(device, subject, effects)
    this.waiting.delete(subject)
    this.deviceState(device.id).subjects.delete(`${subject.rule.id}|${subject.point}`)
  }

  private forgetStates(device: FleetDevice, subject: Subject, effects: Effects): void {
    for (const [i, level] of subject.levels.entries()) {
      if (Object.keys(level).length === 0) continue
      subject.levels[i] = {}
      this.writeState(device, subject, i, effects)
    }
  }

  private writeState(device: FleetDevice, subject: Subject, index: number, effects: Effects): void {
    const state = subject.levels[index] ?? {}
    effects.state({
      deviceId: device.id,
      triggerId: subject.rule.id,
      point: subject.point,
      level: subject.rule.levels[index]?.level ?? 0,
      state: Object.keys(state).length ? state : null,
    })
  }

  private noteWaiting(device: FleetDevice, subject: Subject): void {
    const waits = subject.levels.some((l) => (l.pendingSince !== undefined && l.activeSince === undefined) || l.clearSince !== undefined)
    if (waits) this.waiting.set(subject, device)
    else this.waiting.delete(subject)
  }
}

function sameState(a: LevelState, b: LevelState): boolean {
  return a.pendingSince === b.pendingSince && a.activeSince === b.activeSince && a.clearSince === b.clearSince && a.lastAt === b.lastAt
}

function speaksOf(rule: Rule, values: Record<string, unknown>): boolean {
  for (const metric of rule.metrics) if (values[metric] !== undefined) return true
  return rule.metrics.size === 0
}

/** How narrowly a rule's scope names a device; below zero when it does not. */
function reach(rule: Rule, device: FleetDevice): number {
  if (rule.projectCode !== null && rule.projectCode !== device.projectCode) return -1
  const own = rule.projectCode === null ? 0 : 1
  switch (rule.scope.kind) {
    case 'devices':
      return rule.scope.deviceIds.includes(device.id) ? 4 + own : -1
    case 'projects':
      return rule.scope.projectCodes.includes(device.projectCode) ? 2 + own : -1
    case 'global':
      return own
  }
}

const offsetMs = 8 * 3_600_000
const dayMs = 86_400_000

/** Whether a moment lies in one of the [from, to) seconds of the day in Asia/Shanghai. */
export function inSchedule(schedule: readonly (readonly [number, number])[] | null, time: number): boolean {
  if (!schedule) return true
  const second = ((time + offsetMs) % dayMs) / 1000
  return schedule.some(([from, to]) => second >= from && second < to)
}

interface RuleRow {
  id: string
  version: number
  family: string
  alarm_key: string
  scope: RuleScope
  project_code: string | null
  levels: RuleLevel[]
  schedule: [number, number][] | null
  options: RuleOptions
  enabled: boolean
}

async function readRules(pool: pg.Pool, ids?: readonly string[]): Promise<Rule[]> {
  const { rows } = await pool.query<RuleRow>(
    `select id, version, family, alarm_key, scope, project_code, levels, schedule, options, enabled from rule_trigger ${ids ? 'where id = any ($1)' : ''}`,
    ids ? [ids] : [],
  )
  return rows.map((row) => {
    const noData = row.levels[0]?.condition.type === 'noData' ? row.levels[0].condition.seconds : undefined
    const levels = row.levels.map((l) => ({ ...l, condition: withOnlyWhen(l.condition, row.options.onlyWhen) }))
    return {
      id: row.id,
      version: row.version,
      family: row.family,
      alarmKey: row.alarm_key,
      scope: row.scope,
      projectCode: row.project_code,
      levels,
      schedule: row.schedule,
      options: row.options,
      enabled: row.enabled,
      metrics: new Set(levels.flatMap((l) => metricsOf(l.condition))),
      noDataSeconds: typeof noData === 'number' ? noData : undefined,
    }
  })
}

/** `onlyWhen` names metrics that must have a value, or compare to one; the condition itself stays first, as its metric is the alarm's. */
export function withOnlyWhen(condition: Condition, onlyWhen: Record<string, unknown> | undefined): Condition {
  if (!onlyWhen) return condition
  const extra = Object.entries(onlyWhen).flatMap(([metric, wanted]): Condition[] =>
    typeof wanted === 'object' && wanted !== null
      ? Object.entries(wanted).map(([op, value]) => ({ type: 'threshold', metric, op, value: Number(value) }))
      : [{ type: 'state', metric, equals: wanted }],
  )
  return { type: 'and', of: [condition, ...extra] }
}

/** Writes what rules remember; in the sample's own transaction. */
export async function writeStates(client: pg.ClientBase, changes: Iterable<StateChange>): Promise<void> {
  const all = [...changes]
  const gone = all.filter((c) => c.state === null)
  const kept = all.filter((c) => c.state !== null)
  const rows = (list: StateChange[]) =>
    JSON.stringify(list.map((c) => ({ device_id: c.deviceId, trigger_id: c.triggerId, point: c.point, level: c.level, state: c.state })))
  if (gone.length) {
    await client.query(
      `delete from rule_state s using jsonb_to_recordset($1::jsonb) as g(device_id text, trigger_id text, point text, level smallint)
       where s.device_id = g.device_id and s.trigger_id = g.trigger_id and s.point = g.point and s.level = g.level`,
      [rows(gone)],
    )
  }
  if (kept.length) {
    await client.query(
      `insert into rule_state (device_id, trigger_id, point, level, state)
       select device_id, trigger_id, point, level, state
       from jsonb_to_recordset($1::jsonb) as r(device_id text, trigger_id text, point text, level smallint, state jsonb)
       on conflict (device_id, trigger_id, point, level) do update set state = excluded.state`,
      [rows(kept)],
    )
  }
}
