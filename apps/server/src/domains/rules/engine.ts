import type pg from 'pg'
import { newId } from '#kit/ids'
import { type ClearReason, openAlarms } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import { type Facts, type FenceName, limitOf, type Moment, metricsOf, nextTurn } from './conditions.ts'
import type { Effects } from './effects.ts'
import {
  type AlarmEvent,
  advance,
  changeRule,
  dropWaiting,
  end,
  type Held,
  isNothing,
  nothingHeld,
  type RuleLevel,
  speaks,
  takeFlag,
  takeReading,
  takeSilence,
  takeSound,
  waits,
} from './evaluate.ts'
import { Memory, type Sample } from './history.ts'
import { comparable } from './in-force.ts'
import { People } from './people.ts'
import { Plates } from './plates.ts'
import { RecordLog, recordsOf } from './record-log.ts'
import { endPast, soonest, takePast } from './rehearse.ts'
import { inSchedule, periodStart } from './schedule.ts'
import { narrowest } from './scope.ts'
import { readBack, readDrills, readRecords, readRules, readSuppressions, type StoredRule, type Suppression } from './stored.ts'
import { isAtLeastAsStrict } from './strictness.ts'
import { type Clock, Timeline } from './timeline.ts'
import { maxGapMsOf, pointOf, type ReadyTrigger, readyTrigger, watchOf } from './trigger.ts'
import { inWords } from './words.ts'

/** A rule as it is in force. */
interface Rule extends Omit<StoredRule, 'levels' | 'schedule'> {
  stored: Pick<StoredRule, 'levels' | 'schedule' | 'options'>
  ready: ReadyTrigger
}

export interface EngineReading {
  time: number
  receivedAt: number
  seq?: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}
export interface EngineRecord {
  record: string
  time: number
  receivedAt: number
  seq: number
  data: Readonly<Record<string, unknown>>
}
/** An alarm the device decided by itself. */
export interface EngineFlag {
  type: string
  state: 'start' | 'end'
  time: number
  receivedAt: number
}

/** Other domains' answers to what rules ask. Whatever is not given stays unknown, and what is unknown opens nothing. */
export interface RulePorts {
  /** Told of every reading in order, before it is judged. */
  seen?(device: { id: string }, reading: EngineReading): void
  clearanceAt?(deviceId: string, at: number, predictSeconds: number): { meters: number; complete: boolean } | undefined
  zoneDistanceAt?(deviceId: string, zone: string, at: number): number | undefined
  fence?(
    device: { projectCode: string; params: Readonly<Record<string, unknown>> },
    fence: FenceName,
  ): ReturnType<NonNullable<Facts['fence']>>
  isListed?(projectCode: string, list: string, value: unknown): boolean | undefined
  isRegistered?(projectCode: string, metric: string, value: unknown): boolean | undefined
  workerIs?(projectCode: string, state: string, values: Readonly<Record<string, unknown>>, at: number): boolean | undefined
  stateSince?(projectCode: string, state: string, values: Readonly<Record<string, unknown>>, at: number): number | null | undefined
}

interface HeldAlarm {
  id: string
  level: number
  peak: number | null
}

interface Subject {
  rule: Rule
  point: string
  held: Held
  alarm: HeldAlarm | undefined
  past: Held
  pastLast: number | undefined
  pastId: string | undefined
}

/** A rule that the clock may make true for a device's point, and when. */
interface Turn {
  state: DeviceState
  rule: Rule
  point: string
  at: number
}

/** What `rule_state` holds of a subject. */
interface WrittenSubject {
  version: number
  held: Held
  past?: Held
  pastLast?: number
  pastId?: string
}

interface Live {
  rule: Rule
  key: string
  /** None: asked at every reading. */
  metrics: readonly string[]
}

interface Plan {
  rules: readonly Rule[]
  /** Rules about readings, with the key of their subject. Few: those of one family that hold for this device. */
  live: readonly Live[]
  silence: readonly Rule[]
  byRecord: ReadonlyMap<string, readonly Rule[]>
  watched: ReadonlyMap<string, number>
  maxGapMs: number
  /** Record kinds somebody asks about. */
  records: ReadonlyMap<string, number>
  /** Alarm keys by bit of the device's own alarm word. */
  bits: readonly { bit: number; rule: Rule; key: string }[]
}

interface DeviceState {
  device: FleetDevice
  projectCode: string
  params: FleetDevice['params']
  paramsText: string
  /** Receive time minus device time of the newest reading: carries the device's clock to now. */
  skewMs: number
  lines: Map<string, Timeline>
  plans: Map<string, Plan>
  subjects: Map<string, Subject>
  records: RecordLog
  /** What rules ask of the world, by rule. */
  facts: Map<Rule, Facts>
  unitOf(metric: string): string | undefined
}

const clockRow = '~clock'
const areaReadMs = 60_000
const compareMs = 30_000
/** Readings on their way at a moment are waited for this long before the clock speaks for it. */
const turnGraceMs = 2_000
/** What is open by the clock is looked at again this often, and so are dates. */
const lookMs = 60_000
const lateMs = 10 * 60_000
const [passage, vehiclePassage] = ['attendance', 'accessRecord']
/** Plates and people a gate remembers the order of. */
const mostLines = 5_000

/**
 * Holds every device's rules to account. State lives in memory and, in the transaction of the reading that changed it, in `rule_state`;
 * windows are filled from the stored readings. After a restart it goes on where it was.
 */
export class RuleEngine {
  private readonly ports: RulePorts
  private readonly rules = new Map<string, Rule>()
  private readonly byFamily = new Map<string, Set<Rule>>()
  private readonly devices = new Map<string, DeviceState>()
  /** Subjects with something pending: what the clock alone may decide. */
  private readonly waiting = new Map<Subject, DeviceState>()
  private suppressions = new Map<string, Suppression[]>()
  private drills: { id: string; deviceId: string; endsAt: number }[] = []
  /** What was found out of step when it was loaded, to be put right in the next transaction. */
  private readonly unsettled = new Map<string, { deviceId: string; settle(effects: Effects): void }>()
  private readonly people = new People()
  private readonly plates = new Plates()
  /** By device, alarm key and point. */
  private readonly turns = new Map<string, Turn>()
  private nextTurnAt = Number.POSITIVE_INFINITY
  private pool: pg.Pool | undefined
  private comparedAt = 0
  private deviceOf: (id: string) => FleetDevice | undefined = () => undefined
  private everyDevice: () => Iterable<FleetDevice> = () => []
  /** When each device's dates and open spells were last looked at by the clock. */
  private readonly lookedAt = new Map<string, number>()

  constructor(ports: RulePorts = {}) {
    this.ports = ports
  }

  async load(
    pool: pg.Pool,
    deviceOf: (id: string) => FleetDevice | undefined,
    everyDevice: () => Iterable<FleetDevice> = () => [],
  ): Promise<void> {
    this.rules.clear()
    this.byFamily.clear()
    this.devices.clear()
    this.waiting.clear()
    this.unsettled.clear()
    this.turns.clear()
    this.lookedAt.clear()
    this.deviceOf = deviceOf
    this.everyDevice = everyDevice
    this.pool = pool
    this.comparedAt = Date.now()
    await Promise.all([this.people.refresh(pool, Date.now()), this.plates.refresh(pool, Date.now())])
    for (const rule of await readRules(pool)) this.hold(rule)
    await this.readAside(pool)
    const states = await pool.query<{ device_id: string; trigger_id: string; point: string; state: WrittenSubject & Clock }>(
      'select device_id, trigger_id, point, state from rule_state where level = 0',
    )
    const clocks = new Map(states.rows.filter((r) => r.trigger_id === clockRow).map((r) => [`${r.device_id}|${r.point}`, r.state as Clock]))
    await this.remember(pool, clocks)
    for (const row of states.rows) {
      const device = deviceOf(row.device_id)
      if (!device || row.trigger_id === clockRow) continue
      const state = this.stateOf(device)
      const planned = this.planOf(state, row.point).rules.find((r) => r.id === row.trigger_id)
      if (!planned || planned.version !== row.state.version) {
        this.outOfStep(state, row.trigger_id, row.point, row.state)
        continue
      }
      const subject = this.subject(state, planned, row.point)
      subject.held = row.state.held
      subject.past = row.state.past ?? nothingHeld(planned.ready)
      subject.pastLast = row.state.pastLast
      subject.pastId = row.state.pastId
      this.noteWaiting(state, subject)
    }
    await this.takeOver(pool)
    for (const state of this.devices.values()) {
      for (const point of [...state.lines.keys()]) {
        if (point.includes(':')) continue
        for (const { rule } of this.planOf(state, point).live) this.noteTurn(state, rule, point)
      }
    }
    this.noteInside()
  }

  /** Fills memories from the stored readings and records: what windows, rates and orders go on from. */
  private async remember(pool: pg.Pool, clocks: ReadonlyMap<string, Clock>): Promise<void> {
    const latest = await pool.query<{
      device_id: string
      ts: Date
      received_at: Date
      v: Record<string, unknown>
      quality: Record<string, string> | null
    }>(`select device_id, ts, received_at, v, quality from device_latest where v <> '{}'`)
    const wanted: { id: string; family: string; since: number }[] = []
    const kinds = new Map<string, number>()
    for (const { ready } of this.rules.values()) for (const level of ready.levels) recordsOf(level.condition, ready.on, kinds)
    for (const row of latest.rows) {
      const device = this.deviceOf(row.device_id)
      if (!device) continue
      const state = this.stateOf(device)
      const plan = this.planOf(state, '')
      state.skewMs = row.received_at.getTime() - row.ts.getTime()
      const hasPoints = device.family.metric('cage') !== undefined || device.family.metric('tagId') !== undefined
      const rebased = clocks.has(`${device.id}|`)
      if (plan.watched.size === 0 && !hasPoints && !rebased) {
        const line = this.lineOf(state, '', plan)
        line.memory.add({ time: row.ts.getTime(), seq: 0, values: row.v, quality: row.quality })
        line.clock = { lastTime: row.ts.getTime() }
        continue
      }
      const back = Math.max(plan.maxGapMs, ...plan.watched.values(), rebased ? 86_400_000 : 0)
      wanted.push({ id: device.id, family: device.family.key, since: row.ts.getTime() - back })
    }
    for await (const reading of readBack(pool, wanted)) {
      const device = this.deviceOf(reading.deviceId)
      if (!device) continue
      const state = this.stateOf(device)
      const point = pointOf(reading.values)
      const line = this.lineOf(state, point, this.planOf(state, point))
      const clock = clocks.get(`${device.id}|${point}`)
      if (clock && line.clock.rebasedAt === undefined) line.clock = { ...clock }
      // Readings from before the clock was put right say nothing about the order since.
      if (clock?.rebasedAt !== undefined && reading.receivedAt < clock.rebasedAt && reading.time > (clock.lastTime ?? 0)) continue
      line.memory.add(reading)
      const isBacklog = reading.receivedAt - reading.time - (clock?.offsetMs ?? 0) > 10 * 60_000
      if (!isBacklog) line.clock.lastTime = Math.max(line.clock.lastTime ?? reading.time, reading.time)
    }
    const since = Date.now() - Math.max(0, ...kinds.values())
    for (const one of await readRecords(pool, [...kinds.keys()], since)) {
      const device = this.deviceOf(one.deviceId)
      if (device) this.stateOf(device).records.add(one.record, kinds.get(one.record) ?? 0, { time: one.time, data: one.data })
    }
  }

  /** Alarms that are open in the database, whoever opened them. */
  private async takeOver(pool: pg.Pool): Promise<void> {
    for (const alarm of await openAlarms(pool)) {
      const device = this.deviceOf(alarm.deviceId)
      if (!device || this.unsettled.has(`${alarm.deviceId}|${alarm.alarmKey}|${alarm.point}`)) continue
      const state = this.stateOf(device)
      const rule = this.planOf(state, alarm.point).rules.find((r) => r.alarmKey === alarm.alarmKey)
      if (!rule) {
        this.unsettled.set(`${alarm.deviceId}|${alarm.alarmKey}|${alarm.point}`, {
          deviceId: alarm.deviceId,
          settle: (effects) => effects.alarms.push({ op: 'clear', id: alarm.id, time: Date.now(), reason: 'ruleDisabled' }),
        })
        continue
      }
      const subject = this.subject(state, rule, alarm.point)
      subject.alarm = { id: alarm.id, level: alarm.level, peak: alarm.peakValue }
      if (subject.held.open) continue
      // An alarm without a state came from elsewhere; it lives on as if it had been opened here, so that it can end.
      const index = Math.max(
        0,
        rule.ready.levels.findIndex((l) => l.level === alarm.level),
      )
      const levels = [...subject.held.levels]
      levels[index] = { activeSince: alarm.startTime }
      const level = rule.ready.levels[index]?.level ?? alarm.level
      subject.held = { ...subject.held, levels, open: { level, startTime: alarm.startTime } }
    }
    // Somebody closed what a state still takes for open.
    for (const state of this.devices.values()) {
      for (const [key, subject] of state.subjects) {
        if (!subject.held.open || subject.alarm) continue
        state.subjects.delete(key)
        this.waiting.delete(subject)
        const { device } = state
        this.unsettled.set(`${device.id}|${key}`, { deviceId: device.id, settle: (effects) => this.writeGone(device, subject, effects) })
      }
    }
  }

  /** A state written under a rule that has changed since: judged anew as soon as something can be written. */
  private outOfStep(state: DeviceState, triggerId: string, point: string, written: WrittenSubject): void {
    const { device } = state
    const settle = (effects: Effects) => effects.state({ deviceId: device.id, triggerId, point, level: 0, state: null })
    this.unsettled.set(`${device.id}|${triggerId}|${point}`, { deviceId: device.id, settle })
    const old = this.rules.get(triggerId)
    const rule = old && this.planOf(state, point).rules.find((r) => r.alarmKey === old.alarmKey)
    if (!old || !rule || !written.held?.open) return
    const subject = this.subject(state, rule, point)
    const out = changeRule({ levels: [] }, rule.ready, written.held, this.lastMoment(state, rule, point), this.nowOf(state, point))
    const still = out.held.open
    subject.held = still
      ? out.held
      : {
          ...nothingHeld(rule.ready),
          levels: rule.ready.levels.map(() => ({ activeSince: written.held.open?.startTime ?? 0 })),
          open: written.held.open as Held['open'] & object,
        }
    if (!still) {
      // It ends with the first thing that can be written.
      this.unsettled.set(`${device.id}|${rule.alarmKey}|${point}|end`, {
        deviceId: device.id,
        settle: (effects) => this.end(state, subject, this.nowOf(state, point), 'ruleChanged', effects),
      })
    }
  }

  private async readAside(pool: pg.Pool): Promise<void> {
    this.suppressions = Map.groupBy(await readSuppressions(pool, Date.now()), (s) => s.deviceId)
    this.drills = await readDrills(pool)
  }

  private hold(stored: StoredRule): void {
    this.drop(stored.id)
    const { levels, schedule, ...rest } = stored
    const parts = { levels, schedule, options: stored.options }
    const rule: Rule = { ...rest, stored: parts, ready: readyTrigger(parts) }
    this.rules.set(rule.id, rule)
    let family = this.byFamily.get(rule.family)
    if (!family) {
      family = new Set()
      this.byFamily.set(rule.family, family)
    }
    family.add(rule)
  }
  private drop(id: string): string | undefined {
    const rule = this.rules.get(id)
    if (!rule) return undefined
    this.rules.delete(id)
    this.byFamily.get(rule.family)?.delete(rule)
    return rule.family
  }

  private stateOf(device: FleetDevice): DeviceState {
    let state = this.devices.get(device.id)
    if (!state) {
      state = {
        device,
        projectCode: device.projectCode,
        params: device.params,
        paramsText: JSON.stringify(device.params),
        skewMs: 0,
        lines: new Map(),
        plans: new Map(),
        subjects: new Map(),
        records: new RecordLog(),
        facts: new Map(),
        unitOf: (metric) => device.family.metric(metric)?.unit,
      }
      this.devices.set(device.id, state)
    }
    return state
  }

  /** The rules in force for a device's point: worked out once, however many rules there are elsewhere. */
  private planOf(state: DeviceState, point: string): Plan {
    const known = state.plans.get(point)
    if (known) return known
    const { device } = state
    const enabled = [...(this.byFamily.get(device.family.key) ?? [])].filter((r) => r.enabled)
    const rules = narrowest(enabled, device, point, (locked, by) =>
      isAtLeastAsStrict(comparable({ ...locked.stored }), comparable({ ...by.stored })),
    )
    const byRecord = new Map<string, Rule[]>()
    const records = new Map<string, number>()
    const push = (map: Map<string, Rule[]>, key: string, rule: Rule) => {
      const list = map.get(key)
      if (list) list.push(rule)
      else map.set(key, [rule])
    }
    for (const rule of rules) {
      for (const level of rule.ready.levels) recordsOf(level.condition, rule.ready.on, records)
      if (rule.ready.on !== undefined) push(byRecord, rule.ready.on, rule)
    }
    const live = rules.filter((r) => r.ready.on === undefined)
    const plan: Plan = {
      rules,
      live: live.flatMap((rule) => {
        if (rule.ready.isAboutSilence || !this.canKnow(rule)) return []
        const own = isAboutDevice(rule) ? '' : point
        return [{ rule, key: `${rule.alarmKey}|${own}`, metrics: [...rule.ready.metrics] }]
      }),
      silence: live.filter((r) => r.ready.levels.some((l) => l.condition.type === 'noData')),
      byRecord,
      maxGapMs: Math.max(maxGapMsOf(device.intervalSeconds), ...live.map((r) => maxGapMsOf(device.intervalSeconds, r.ready.maxGapSeconds))),
      watched: new Map(),
      records,
      // Where the platform reads the same bit as a metric of its own, one source is enough.
      bits: device.family.deviceAlarmBits.flatMap((key, bit) => {
        const rule = rules.find((r) => r.alarmKey === key && r.ready.levels.every((l) => l.condition.type !== 'state'))
        return rule ? [{ bit, rule, key: `${key}|${point}` }] : []
      }),
    }
    plan.watched = watchOf(
      live.map((r) => r.ready),
      plan.maxGapMs,
    )
    state.plans.set(point, plan)
    return plan
  }

  /** Rules about what nobody can tell here stay unknown whatever is measured: they are not asked. */
  private canKnow(rule: Rule): boolean {
    const { clearanceAt, zoneDistanceAt } = this.ports
    return rule.ready.levels.some(
      ({ condition: { type } }) => !(type === 'craneClearance' && !clearanceAt) && !(type === 'craneZone' && !zoneDistanceAt),
    )
  }

  private lineOf(state: DeviceState, key: string, plan: Plan): Timeline {
    let line = state.lines.get(key)
    if (!line) {
      line = new Timeline(new Memory(plan.watched, plan.maxGapMs))
      state.lines.set(key, line)
    }
    return line
  }

  private subject(state: DeviceState, rule: Rule, point: string): Subject {
    const key = `${rule.alarmKey}|${point}`
    let subject = state.subjects.get(key)
    if (!subject) {
      subject = {
        rule,
        point,
        held: nothingHeld(rule.ready),
        alarm: undefined,
        past: nothingHeld(rule.ready),
        pastLast: undefined,
        pastId: undefined,
      }
      state.subjects.set(key, subject)
    }
    return subject
  }

  /** What is held of a subject, brought under the rule that holds now: it may have changed since the last reading. */
  private known(state: DeviceState, rule: Rule, point: string, effects: Effects): Subject | undefined {
    const key = `${rule.alarmKey}|${point}`
    const subject = state.subjects.get(key)
    if (!subject || subject.rule === rule) return subject
    this.judgeAgain(state, subject, effects)
    return state.subjects.get(key)
  }

  private moment(state: DeviceState, rule: Rule, memory: Memory, time: number, values: Readonly<Record<string, unknown>>): Moment {
    const { device } = state
    return {
      time,
      memory,
      values,
      params: device.params,
      intervalMs: device.intervalSeconds * 1000,
      maxGapMs: maxGapMsOf(device.intervalSeconds, rule.ready.maxGapSeconds),
      periodStart: rule.ready.schedule ? periodStart(rule.ready.schedule, time) : Number.NEGATIVE_INFINITY,
      facts: this.facts(state, rule),
      unitOf: state.unitOf,
    }
  }

  private facts(state: DeviceState, rule: Rule): Facts {
    const known = state.facts.get(rule)
    if (known) return known
    const { ports } = this
    const { device } = state
    const { id } = device
    // A device's file may change; its id and family do not.
    const projectCode = () => state.projectCode
    const facts: Facts = {
      ...state.records.facts(rule.ready.on),
      clearanceAt: (at, seconds) => ports.clearanceAt?.(id, at, seconds),
      zoneDistanceAt: (zone, at) => ports.zoneDistanceAt?.(id, zone, at),
      fence: (fence) => ports.fence?.(state.device, fence),
      isListed: (list, value) => ports.isListed?.(projectCode(), list, value) ?? this.people.isListed(projectCode(), list, value),
      isRegistered: (metric, value) =>
        ports.isRegistered?.(projectCode(), metric, value) ??
        (metric === 'plateNo' ? this.plates.isRegistered(projectCode(), value) : undefined),
      workerIs: (name, values, at) => ports.workerIs?.(projectCode(), name, values, at) ?? this.people.is(projectCode(), name, values, at),
      stateSince: (name, values, at) =>
        ports.stateSince?.(projectCode(), name, values, at) ?? this.people.since(projectCode(), name, values, at),
      // A station that reads tags counts those it has read lately.
      countInArea: (at) => {
        let n = 0
        for (const line of state.lines.values()) if (line.lastTime !== undefined && at - line.lastTime <= areaReadMs) n++
        return device.family.metric('tagId') ? n : undefined
      },
    }
    state.facts.set(rule, facts)
    return facts
  }

  private isSuppressed(deviceId: string, point: string, alarmKey: string, time: number): boolean {
    const all = this.suppressions.get(deviceId)
    return (
      all?.some((s) => time >= s.from && time < s.until && (s.point === '' || s.point === point) && s.alarmKeys.includes(alarmKey)) ?? false
    )
  }

  /** Takes a reading; where it belongs in the order of the device's readings is decided here. */
  take(device: FleetDevice, reading: EngineReading, effects: Effects): void {
    const state = this.present(device, effects)
    const point = pointOf(reading.values)
    const plan = this.planOf(state, point)
    const line = this.lineOf(state, point, plan)
    this.noteParams(state, device, reading.time)
    const sample: Sample = { time: reading.time, seq: reading.seq ?? 0, values: reading.values, quality: reading.quality }
    const { place, rebased, last } = line.place(sample, reading.receivedAt)
    if (place !== 'live' && place !== 'backlog') return
    if (rebased) this.setBack(state, point, line, effects)
    if (place === 'live') {
      state.skewMs = reading.receivedAt - reading.time
      this.ports.seen?.(device, reading)
    }
    const { values, quality } = reading
    const { subjects } = state
    const { params } = device
    for (const { rule, key, metrics } of plan.live) {
      if (metrics.length > 0 && !speaksOfAny(metrics, values)) continue
      // Nearly every reading of nearly every rule: nothing pending and nothing wrong.
      if (rule.ready.calm(values, quality, params) && !subjects.has(key)) continue
      this.judge(state, rule, point, line.memory, reading, last, place === 'backlog', effects)
      if (place === 'live') this.noteTurn(state, rule, point)
    }
    if (place === 'live') this.takeBits(state, plan, point, reading, effects)
  }

  /** Takes a record for the rules about its kind. */
  record(device: FleetDevice, item: EngineRecord, effects: Effects): void {
    const state = this.present(device, effects)
    const plan = this.planOf(state, '')
    const keepMs = plan.records.get(item.record)
    const rules = plan.byRecord.get(item.record)
    // What comes late is found in the attendance of the site at the next look.
    if (item.record === passage && !isInner(device) && item.receivedAt - item.time <= lateMs)
      this.people.passed(device, item.data, item.time)
    if (item.record === vehiclePassage) this.plates.passed(device.projectCode, item.data)
    if (keepMs !== undefined) state.records.add(item.record, keepMs, { time: item.time, data: item.data })
    if (!rules) return
    const point = pointOf(item.data, true)
    const key = `${item.record}:${point}`
    let line = state.lines.get(key)
    if (!line) {
      line = new Timeline(new Memory(new Map(), plan.maxGapMs))
      if (state.lines.size >= mostLines) dropOldest(state.lines)
      state.lines.set(key, line)
    }
    const { place, last } = line.place({ time: item.time, seq: item.seq, values: item.data }, item.receivedAt)
    if (place !== 'live' && place !== 'backlog') return
    const reading = { time: item.time, receivedAt: item.receivedAt, values: item.data as Record<string, unknown>, quality: null }
    for (const rule of rules) {
      this.judge(state, rule, point, line.memory, reading, last, place === 'backlog', effects)
      this.noteTurn(state, rule, point)
    }
  }

  /** Takes an alarm the device decided by itself: another source of the same alarm. */
  flag(device: FleetDevice, item: EngineFlag, effects: Effects): void {
    const state = this.present(device, effects)
    const rule = this.planOf(state, '').rules.find((r) => r.alarmKey === item.type)
    if (!rule || item.receivedAt - item.time > lateMs) return
    this.takeFlag(state, rule, '', item.state === 'start', item.time, undefined, effects)
  }

  private takeBits(state: DeviceState, plan: Plan, point: string, reading: EngineReading, effects: Effects): void {
    const word = reading.values.alarmBits
    if (plan.bits.length === 0 || typeof word !== 'string') return
    for (const { bit, rule, key } of plan.bits) {
      const up = word[word.length - 1 - bit] === '1'
      if (up || state.subjects.has(key)) this.takeFlag(state, rule, point, up, reading.time, reading, effects)
    }
  }

  private takeFlag(
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
    if (up && (this.isSuppressed(state.device.id, point, rule.alarmKey, time) || !inSchedule(rule.ready.schedule, time))) return
    const subject = existing ?? this.subject(state, rule, point)
    const level = Math.min(...rule.ready.levels.map((l) => l.level))
    const out = takeFlag(rule.ready, subject.held, up, level, time)
    this.apply(state, subject, out.held, out.events, reading, effects)
  }

  private judge(
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
    const moment = this.moment(state, rule, memory, reading.time, reading.values)
    if (!existing && !speaks(ready, moment)) return
    const subject = existing ?? this.subject(state, rule, own)
    if (isBacklog) {
      takePast(ready, subject, moment, (events) => this.tellPast(state, subject, events, reading, effects))
      this.write(state, subject, effects)
      return
    }
    if (subject.pastLast !== undefined) endPast(ready, subject, (events) => this.tellPast(state, subject, events, reading, effects))
    const suppressed = this.isSuppressed(state.device.id, own, rule.alarmKey, reading.time)
    const out = takeReading(ready, subject.held, moment, last, suppressed)
    this.apply(state, subject, out.held, out.events, reading, effects)
    if (subject.alarm && out.events.length === 0) this.followPeak(subject, reading, effects)
  }

  /** Writes down when the clock alone may make a rule true for a point. */
  private noteTurn(state: DeviceState, rule: Rule, point: string): void {
    // Dates are looked at for every device, heard or not.
    if (!rule.ready.isTimed || rule.ready.isAboutDates) return
    const key = `${state.device.id}|${rule.alarmKey}|${point}`
    const line = state.lines.get(lineKey(rule, point))
    const newest = line?.memory.newest
    const at =
      line && newest && this.turnOf(rule, this.moment(state, rule, line.memory, Math.max(newest.time, line.lastTime ?? 0), newest.values))
    if (at === undefined) this.turns.delete(key)
    else this.wait(key, { state, rule, point, at })
  }
  private turnOf(rule: Rule, moment: Moment): number | undefined {
    return soonest(rule.ready.levels.map((l) => nextTurn(l.condition, moment)))
  }
  private wait(key: string, turn: Turn): void {
    this.turns.set(key, turn)
    this.nextTurnAt = Math.min(this.nextTurnAt, turn.at + turn.state.skewMs)
  }

  /** Who went in before this process began has a turn as well: those inside are known, their passages are not read again. */
  private noteInside(): void {
    for (const { deviceId, workerId, since } of this.people.everybodyInside()) {
      const device = deviceId === null ? undefined : this.deviceOf(deviceId)
      if (!device) continue
      const state = this.stateOf(device)
      const plan = this.planOf(state, '')
      for (const rule of plan.byRecord.get(passage) ?? []) {
        const key = `${device.id}|${rule.alarmKey}|${workerId}`
        if (!rule.ready.isTimed || this.turns.has(key) || state.subjects.has(`${rule.alarmKey}|${workerId}`)) continue
        const values = { workerId }
        const at = this.turnOf(rule, this.moment(state, rule, noMemory, since, values))
        if (at !== undefined) this.wait(key, { state, rule, point: workerId, at })
      }
    }
  }

  /** Judges a rule at a moment at which nothing was heard. */
  private judgeByClock(state: DeviceState, rule: Rule, point: string, at: number, effects: Effects): void {
    const line = state.lines.get(lineKey(rule, point))
    const newest = line?.memory.newest
    const values = newest?.values ?? (rule.ready.on === passage ? { workerId: point } : {})
    const existing = this.known(state, rule, point, effects)
    if (!existing && !inSchedule(rule.ready.schedule, at)) return
    const moment = this.moment(state, rule, line?.memory ?? noMemory, at, values)
    if (!existing && !speaks(rule.ready, moment)) return
    const subject = existing ?? this.subject(state, rule, point)
    const suppressed = this.isSuppressed(state.device.id, point, rule.alarmKey, at)
    const out = takeReading(rule.ready, subject.held, moment, line?.lastTime, suppressed)
    this.apply(state, subject, out.held, out.events, { time: at, receivedAt: at, values: { ...values }, quality: null }, effects)
  }

  /** What time alone has made true since the last look, each at the moment it did. */
  private takeTurns(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    if (this.nextTurnAt > now - turnGraceMs) return
    let next = Number.POSITIVE_INFINITY
    for (const [key, turn] of this.turns) {
      const { state, rule, point } = turn
      if (!mine(state.device)) {
        next = Math.min(next, turn.at + state.skewMs)
        continue
      }
      if (turn.at + state.skewMs > now - turnGraceMs) {
        next = Math.min(next, turn.at + state.skewMs)
        continue
      }
      this.turns.delete(key)
      if (this.devices.get(state.device.id) !== state) continue
      const inForce = this.planOf(state, rule.ready.on === undefined ? point : '').rules.find((r) => r.alarmKey === rule.alarmKey)
      if (inForce !== rule) {
        // It has given way to another, which has a turn of its own.
        if (inForce) this.noteTurn(state, inForce, point)
        continue
      }
      this.judgeByClock(state, rule, point, turn.at, effects)
      const line = state.lines.get(lineKey(rule, point))
      const values = line?.memory.newest?.values ?? { workerId: point }
      const at = this.turnOf(rule, this.moment(state, rule, line?.memory ?? noMemory, turn.at, values))
      if (at === undefined) continue
      this.turns.set(key, { ...turn, at })
      next = Math.min(next, at + state.skewMs)
    }
    this.nextTurnAt = next
  }

  /** Dates of every device, heard or not, and open spells that may be over without a word from their device. */
  private look(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    for (const device of this.everyDevice()) {
      if (!device.inService || !mine(device)) continue
      const before = this.lookedAt.get(device.id)
      if (before !== undefined && now - before < lookMs) continue
      this.lookedAt.set(device.id, now)
      if (![...(this.byFamily.get(device.family.key) ?? [])].some((r) => r.enabled && r.ready.isTimed)) continue
      const state = this.present(device, effects)
      const at = now - state.skewMs
      for (const rule of this.planOf(state, '').rules) {
        if (!rule.ready.isAboutDates) continue
        // What fell due since the last look did so at its own moment.
        const due = before === undefined ? undefined : this.turnOf(rule, this.moment(state, rule, noMemory, before - state.skewMs, {}))
        this.judgeByClock(state, rule, '', due !== undefined && due < at ? due : at, effects)
      }
      for (const { rule, held, point } of [...state.subjects.values()])
        if (held.open && rule.ready.isTimed && !(rule.ready.isAboutDates && point === ''))
          this.judgeByClock(state, rule, point, at, effects)
    }
  }

  /** Any valid message ends silence. */
  heard(device: FleetDevice, receivedAt: number, effects: Effects): void {
    const state = this.devices.get(device.id)
    if (!state) return
    for (const subject of state.subjects.values()) {
      if (!subject.rule.ready.levels.some((l) => l.condition.type === 'noData')) continue
      const out = takeSound(subject.rule.ready, subject.held, receivedAt)
      if (out.events.length) this.apply(state, subject, out.held, out.events, undefined, effects)
    }
  }

  /** Silence of a device that has spoken before, measured by receive time. */
  silent(device: FleetDevice, lastReceivedAt: number, now: number, effects: Effects): void {
    const state = this.present(device, effects)
    for (const rule of this.planOf(state, '').silence) {
      const existing = state.subjects.get(`${rule.alarmKey}|`)
      const held = existing?.held ?? nothingHeld(rule.ready)
      const out = takeSilence(rule.ready, held, lastReceivedAt, now)
      if (out.events.length === 0 || this.isSuppressed(device.id, '', rule.alarmKey, now)) continue
      const subject = existing ?? this.subject(state, rule, '')
      this.apply(state, subject, out.held, out.events, undefined, effects)
    }
  }

  /** What the clock alone decides: durations that are over while the last value is still fresh, periods and drills that end. */
  tick(now: number, effects: Effects, mine: (device: FleetDevice) => boolean): void {
    if (this.pool) {
      void this.people.refresh(this.pool, now).then((read) => read && this.noteInside())
      void this.plates.refresh(this.pool, now)
      if (now - this.comparedAt > compareMs) void this.catchUp(this.pool, now).catch(() => undefined)
    }
    for (const [key, one] of this.unsettled) {
      const device = this.deviceOf(one.deviceId)
      if (!device || mine(device)) {
        this.unsettled.delete(key)
        one.settle(effects)
      }
    }
    this.takeTurns(now, effects, mine)
    this.look(now, effects, mine)
    for (const [subject, state] of this.waiting) {
      if (!mine(state.device)) continue
      const last = this.lastOf(state, subject)
      const out = advance(subject.rule.ready, subject.held, now - state.skewMs, last)
      if (out.held !== subject.held) {
        const reading = state.lines.get(subject.point)?.memory.newest
        this.apply(
          state,
          subject,
          out.held,
          out.events,
          reading && { ...reading, receivedAt: now, values: { ...reading.values }, quality: null },
          effects,
        )
      }
    }
    for (const drill of this.drills.filter((d) => d.endsAt <= now)) {
      const device = this.deviceOf(drill.deviceId)
      if (device && !mine(device)) continue
      this.drills = this.drills.filter((d) => d !== drill)
      effects.alarms.push({ op: 'clear', id: drill.id, time: drill.endsAt, reason: 'simulatedEnd' })
    }
  }

  /** A word of a change may have been lost with its connection: what is held is compared with what is stored. */
  private async catchUp(pool: pg.Pool, now: number): Promise<void> {
    this.comparedAt = now
    const { rows } = await pool.query<{ id: string; version: number }>('select id, version from rule_trigger')
    const stored = new Map(rows.map((r) => [r.id, r.version]))
    const changed = [...stored].filter(([id, version]) => this.rules.get(id)?.version !== version).map(([id]) => id)
    const gone = [...this.rules.keys()].filter((id) => !stored.has(id))
    if (changed.length + gone.length === 0) return
    await this.reload(pool, [...changed, ...gone], this.deviceOf)
    for (const [deviceId, state] of this.devices) {
      if (state.subjects.size === 0) continue
      const settle = (effects: Effects) => {
        for (const subject of [...state.subjects.values()]) this.judgeAgain(state, subject, effects)
      }
      this.unsettled.set(`${deviceId}|rules`, { deviceId, settle })
    }
  }

  /** Reads changed rules again: what was pending is dropped, open alarms are judged anew by the last value. */
  async reload(
    pool: pg.Pool,
    ids: readonly string[],
    deviceOf: (id: string) => FleetDevice | undefined,
  ): Promise<(effects: Effects, mine: (d: FleetDevice) => boolean) => void> {
    const fresh = await readRules(pool, ids)
    await this.readAside(pool)
    const families = new Set<string>()
    for (const id of ids) {
      const family = this.drop(id)
      if (family) families.add(family)
    }
    for (const rule of fresh) {
      this.hold(rule)
      families.add(rule.family)
    }
    for (const state of this.devices.values()) if (families.has(state.device.family.key)) this.replanState(state)
    return (effects, mine) => {
      for (const [deviceId, state] of this.devices) {
        const device = deviceOf(deviceId)
        if (!device || !mine(device) || !families.has(device.family.key)) continue
        for (const subject of [...state.subjects.values()]) this.judgeAgain(state, subject, effects)
      }
    }
  }

  private replanState(state: DeviceState): void {
    state.plans.clear()
    state.facts.clear()
    for (const [point, line] of state.lines) {
      if (point.includes(':')) continue
      const plan = this.planOf(state, point)
      line.memory.watch(plan.watched, plan.maxGapMs)
    }
  }

  private judgeAgain(state: DeviceState, subject: Subject, effects: Effects): void {
    const next = this.planOf(state, subject.point).rules.find((r) => r.alarmKey === subject.rule.alarmKey)
    if (next && next.id === subject.rule.id && next.version === subject.rule.version) {
      subject.rule = next
      return
    }
    const now = this.nowOf(state, subject.point) + 1
    if (!next) {
      this.end(state, subject, now, 'ruleDisabled', effects)
      return
    }
    const before = subject.rule
    const out = changeRule(before.ready, next.ready, subject.held, this.lastMoment(state, next, subject.point), now)
    if (before.id !== next.id) this.writeGone(state.device, subject, effects)
    subject.rule = next
    subject.past = nothingHeld(next.ready)
    subject.pastLast = undefined
    this.apply(state, subject, out.held, out.events, undefined, effects)
    this.write(state, subject, effects)
  }

  private lastMoment(state: DeviceState, rule: Rule, point: string): Moment | undefined {
    const memory = state.lines.get(point)?.memory
    const newest = memory?.newest
    return memory && newest && this.moment(state, rule, memory, newest.time, newest.values)
  }
  private nowOf(state: DeviceState, point: string): number {
    return state.lines.get(point)?.lastTime ?? Date.now()
  }
  private lastOf(state: DeviceState, subject: Subject): number | undefined {
    return state.lines.get(lineKey(subject.rule, subject.point))?.lastTime
  }

  /** Drops a device that is gone; its open alarms are closed by whoever removed it. */
  forget(deviceId: string): void {
    const state = this.devices.get(deviceId)
    for (const subject of state?.subjects.values() ?? []) this.waiting.delete(subject)
    this.devices.delete(deviceId)
    this.lookedAt.delete(deviceId)
  }

  /** A device's file has changed: its rules are chosen anew. When it has gone to another project its alarms stay behind, ended. */
  replan(deviceId: string): void {
    const state = this.devices.get(deviceId)
    const device = this.deviceOf(deviceId)
    if (!state || !device) return
    state.plans.clear()
    this.unsettled.set(`${deviceId}|moved`, {
      deviceId,
      settle: (effects) => {
        const present = this.present(device, effects)
        this.replanState(present)
        for (const subject of [...present.subjects.values()]) this.judgeAgain(present, subject, effects)
      },
    })
  }

  /** The state of a device as it is now; what belonged to another project has ended there. */
  private present(device: FleetDevice, effects: Effects): DeviceState {
    const state = this.stateOf(device)
    if (state.device === device) return state
    state.device = device
    if (state.projectCode !== device.projectCode) {
      for (const subject of [...state.subjects.values()])
        this.end(state, subject, this.nowOf(state, subject.point), 'deviceRemoved', effects)
      state.projectCode = device.projectCode
    }
    state.plans.clear()
    return state
  }

  private noteParams(state: DeviceState, device: FleetDevice, time: number): void {
    if (device.params === state.params) return
    state.params = device.params
    const text = JSON.stringify(device.params)
    if (text === state.paramsText) return
    state.paramsText = text
    // Another ratio, another meter: values from before do not compare with those from now on.
    for (const line of state.lines.values()) line.memory.comparableSince = time
  }

  /** After the commit: alarms that somebody else had opened carry that one's id. */
  adopt(ids: ReadonlyMap<string, string>): void {
    if (ids.size === 0) return
    for (const state of this.devices.values()) {
      for (const subject of state.subjects.values()) {
        const real = subject.alarm && ids.get(subject.alarm.id)
        if (real && subject.alarm) subject.alarm.id = real
      }
    }
  }

  private setBack(state: DeviceState, point: string, line: Timeline, effects: Effects): void {
    for (const subject of state.subjects.values()) {
      if (subject.point !== point) continue
      subject.held = dropWaiting(subject.held)
      this.write(state, subject, effects)
    }
    effects.state({ deviceId: state.device.id, triggerId: clockRow, point, level: 0, state: line.clock })
  }

  private apply(
    state: DeviceState,
    subject: Subject,
    held: Held,
    events: readonly AlarmEvent[],
    reading: EngineReading | undefined,
    effects: Effects,
  ): void {
    const before = subject.held
    subject.held = held
    for (const event of events) this.tell(state, subject, event, reading, effects)
    if (held !== before) this.write(state, subject, effects, before)
    this.noteWaiting(state, subject)
    if (isNothing(held) && subject.pastLast === undefined && !subject.alarm)
      state.subjects.delete(`${subject.rule.alarmKey}|${subject.point}`)
  }

  private tell(state: DeviceState, subject: Subject, event: AlarmEvent, reading: EngineReading | undefined, effects: Effects): void {
    if (event.event === 'open') {
      this.open(state, subject, event, reading, false, effects)
      return
    }
    const { alarm } = subject
    if (!alarm) return
    const { id } = alarm
    switch (event.event) {
      case 'clear':
        effects.alarms.push({ op: 'clear', id, time: event.time, reason: event.reason })
        subject.alarm = undefined
        return
      case 'upgrade':
      case 'downgrade':
        effects.alarms.push({
          op: event.event,
          id,
          level: event.level,
          time: event.time,
          value: this.shown(subject, reading),
          text: `${event.event === 'upgrade' ? '升级' : '降级'}：${alarm.level} 级 → ${event.level} 级`,
        })
        alarm.level = event.level
        return
      case 'flapping':
        effects.alarms.push({ op: 'flapping', id, time: event.time })
        return
      case 'again':
        effects.alarms.push({ op: 'again', id, time: event.time })
        return
      case 'source':
        effects.alarms.push({ op: 'source', id, time: event.time, source: event.source })
    }
  }

  private tellPast(state: DeviceState, subject: Subject, events: readonly AlarmEvent[], reading: EngineReading, effects: Effects): void {
    for (const event of events) {
      if (event.event === 'open') this.open(state, subject, event, reading, true, effects)
      else if (event.event === 'clear' && subject.pastId) {
        effects.alarms.push({ op: 'endPast', id: subject.pastId, time: event.time })
        subject.pastId = undefined
      }
    }
  }

  private levelOf(subject: Subject, level: number): RuleLevel {
    return subject.rule.ready.levels.find((l) => l.level === level) ?? (subject.rule.ready.levels[0] as RuleLevel)
  }
  private shown(subject: Subject, reading: EngineReading | undefined): number | null {
    const metric = metricsOf((subject.rule.ready.levels[0] as RuleLevel).condition)[0]
    const raw = metric && reading ? reading.values[metric] : undefined
    return typeof raw === 'number' ? raw : null
  }

  private open(
    state: DeviceState,
    subject: Subject,
    event: Extract<AlarmEvent, { event: 'open' }>,
    reading: EngineReading | undefined,
    historical: boolean,
    effects: Effects,
  ): void {
    const { device } = state
    const { rule } = subject
    const level = this.levelOf(subject, event.level)
    const metric = metricsOf(level.condition)[0] ?? null
    const raw = metric && reading ? reading.values[metric] : undefined
    const value = typeof raw === 'number' ? raw : null
    const id = newId()
    if (historical) subject.pastId = id
    else subject.alarm = { id, level: event.level, peak: value }
    const around = {
      params: device.params,
      unitOf: (m: string) => device.family.metric(m)?.unit,
      labelOf: (m: string) => labelOf(device, rule, m),
    }
    const { condition } = level
    const limit = condition.type === 'threshold' ? limitOf(condition, around) : 'value' in condition ? condition.value : undefined
    effects.alarms.push({
      op: 'open',
      id,
      projectCode: device.projectCode,
      deviceId: device.id,
      deviceName: device.name,
      point: subject.point,
      family: device.family.key,
      alarmKey: rule.alarmKey,
      label: device.family.alarm(rule.alarmKey)?.label ?? rule.name,
      level: event.level,
      startTime: event.startTime,
      fireTime: event.fireTime,
      metric,
      value,
      thresholdText: inWords(level, around),
      ruleId: rule.id,
      ruleVersion: rule.version,
      source: event.source,
      reopened: Math.max(0, (subject.held.opens?.length ?? 1) - 1),
      values: { ...(reading?.values ?? {}), limit: limit ?? null },
      historical,
    })
  }

  private followPeak(subject: Subject, reading: EngineReading, effects: Effects): void {
    const { alarm } = subject
    const condition = (subject.rule.ready.levels[0] as RuleLevel).condition
    const metric = metricsOf(condition)[0]
    if (!alarm || !metric || reading.quality?.[metric]) return
    const value = reading.values[metric]
    if (typeof value !== 'number') return
    const op = 'op' in condition ? String(condition.op ?? '') : ''
    const size = (v: number) => (op.startsWith('abs') ? Math.abs(v) : v) * (op.includes('<') ? -1 : 1)
    if (alarm.peak !== null && size(value) <= size(alarm.peak)) return
    alarm.peak = value
    effects.peak(alarm.id, value, reading.time)
  }

  private end(state: DeviceState, subject: Subject, time: number, reason: ClearReason, effects: Effects): void {
    if (subject.alarm) effects.alarms.push({ op: 'clear', id: subject.alarm.id, time, reason })
    subject.alarm = undefined
    subject.held = end(subject.rule.ready, subject.held, time, 'recovered').held
    this.writeGone(state.device, subject, effects)
    this.waiting.delete(subject)
    state.subjects.delete(`${subject.rule.alarmKey}|${subject.point}`)
  }

  private writeGone(device: FleetDevice, subject: Subject, effects: Effects): void {
    effects.state({ deviceId: device.id, triggerId: subject.rule.id, point: subject.point, level: 0, state: null })
  }

  /** Writes a subject when what it remembers has changed. */
  private write(state: DeviceState, subject: Subject, effects: Effects, before?: Held): void {
    const { held, past, pastLast, pastId, rule } = subject
    const gone = isNothing(held) && pastLast === undefined
    if (before && pastLast === undefined && (gone ? isNothing(before) : JSON.stringify(held) === JSON.stringify(before))) return
    const written: WrittenSubject = { version: rule.version, held }
    if (pastLast !== undefined) Object.assign(written, { past, pastLast, ...(pastId ? { pastId } : {}) })
    effects.state({ deviceId: state.device.id, triggerId: rule.id, point: subject.point, level: 0, state: gone ? null : written })
  }

  private noteWaiting(state: DeviceState, subject: Subject): void {
    // An open alarm under a schedule ends by the clock too.
    if (waits(subject.held) || (subject.rule.ready.schedule && subject.held.open)) this.waiting.set(subject, state)
    else this.waiting.delete(subject)
  }
}

/** Rules that count what is around a device, or about its papers, have one subject however many points it reports. */
const isAboutDevice = (rule: Rule) => rule.ready.isAboutDates || rule.ready.levels.every((l) => l.condition.type === 'countInArea')

/** Doors between parts of a site: who passes them is inside already. */
const isInner = (device: FleetDevice) => device.params.role === 'inner'
const lineKey = (rule: Rule, point: string) => (rule.ready.on === undefined ? point : `${rule.ready.on}:${point}`)
const noMemory = new Memory(new Map(), 0)

/** Lines of records stand behind those of readings, the oldest first. */
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

function labelOf(device: FleetDevice, rule: Rule, key: string): string {
  const on = rule.ready.on
  const field = on === undefined ? undefined : device.family.record(on)?.fields.find((f) => f.key === key)
  return field?.label ?? device.family.metric(key)?.label ?? device.family.params.find((p) => p.key === key)?.label ?? key
}
