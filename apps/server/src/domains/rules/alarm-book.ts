import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import type { ClearReason } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import { shownMetric } from './conditions.ts'
import type { DeviceState, Subject, WrittenSubject } from './device-state.ts'
import type { DeviceStates } from './device-states.ts'
import type { Effects } from './effects.ts'
import { type AlarmEvent, dropWaiting, end, isNothing, type RuleLevel, type RuleState } from './evaluate.ts'
import type { EngineReading } from './heard.ts'
import { limitOf } from './limits.ts'
import type { Timeline } from './timeline.ts'
import { inWords, wordingOf } from './words.ts'
import type { RulePorts } from './world.ts'

/** A condition with all conditions nested in it. */
const partsOf = (condition: RuleCondition): RuleCondition[] =>
  'of' in condition && condition.of ? [condition.of].flat().flatMap(partsOf) : [condition]

/** Trigger id of the `rule_state` row that stores the device clock of a line instead of a rule's subject. */
export const clockRow = '~clock'

/** Turns the results of the evaluation into alarm operations and stored rule state. */
export class AlarmBook {
  private readonly states: DeviceStates
  private readonly ports: RulePorts

  constructor(states: DeviceStates, ports: RulePorts) {
    this.states = states
    this.ports = ports
  }

  setBack(state: DeviceState, point: string, line: Timeline, effects: Effects): void {
    for (const subject of state.subjects.values()) {
      if (subject.point !== point) continue
      subject.held = dropWaiting(subject.held)
      this.write(state, subject, effects)
    }
    const { rebasedAt, lastTime, offsetMs = 0 } = line.clock
    if (rebasedAt !== undefined) {
      const data = { point, deviceTime: lastTime ?? null, behindMs: offsetMs }
      effects.notes.push({ deviceId: state.device.id, item: { time: rebasedAt, id: `clock:${point}`, type: 'clockRebase', data } })
    }
    effects.state({ deviceId: state.device.id, triggerId: clockRow, point, level: 0, state: line.clock })
  }

  apply(
    state: DeviceState,
    subject: Subject,
    ruleState: RuleState,
    events: readonly AlarmEvent[],
    reading: EngineReading | undefined,
    effects: Effects,
  ): void {
    const before = subject.held
    subject.held = ruleState
    for (const event of events) this.tell(state, subject, event, reading, effects)
    if (ruleState !== before) this.write(state, subject, effects, before)
    this.states.noteWaiting(state, subject)
    if (isNothing(ruleState) && subject.pastLast === undefined && !subject.alarm)
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

  tellPast(state: DeviceState, subject: Subject, events: readonly AlarmEvent[], reading: EngineReading, effects: Effects): void {
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
    const metric = shownMetric((subject.rule.ready.levels[0] as RuleLevel).condition)
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
    const metric = shownMetric(level.condition) ?? null
    const raw = metric && reading ? reading.values[metric] : undefined
    const value = typeof raw === 'number' ? raw : null
    const id = newId()
    if (historical) subject.pastId = id
    else subject.alarm = { id, level: event.level, peak: value }
    const around = wordingOf(device.family.key, rule.ready.on, device.params)
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
      ...pick(event, 'level', 'startTime', 'fireTime', 'source'),
      metric,
      value,
      thresholdText: inWords(level, around),
      ruleId: rule.id,
      ruleVersion: rule.version,
      reopened: Math.max(0, (subject.held.opens?.length ?? 1) - 1),
      values: { ...(reading?.values ?? {}), ...this.placesIn(device.id, condition, event.fireTime), limit: limit ?? null },
      historical,
    })
  }

  /** For rules about distances: the nearest crane and zone when the alarm opened, with their names at that time. */
  private placesIn(deviceId: string, condition: RuleLevel['condition'], at: number): Record<string, unknown> {
    const parts = partsOf(condition)
    const near = parts.find((one) => one.type === 'craneClearance')
    const zone = parts.find((one) => one.type === 'craneZone')
    if (!near && !zone) return {}
    const found = this.ports.nearest?.(deviceId, at, { predictSeconds: near?.predictSeconds, zone: zone?.zone })
    const { crane, zoneName } = found ?? {}
    return {
      ...(crane ? { otherCrane: this.states.deviceOf(crane.id)?.name ?? crane.id, clearance: Math.round(crane.meters * 100) / 100 } : {}),
      ...(zoneName === undefined ? {} : { zoneName }),
    }
  }

  followPeak(subject: Subject, reading: EngineReading, effects: Effects): void {
    const { alarm } = subject
    const condition = (subject.rule.ready.levels[0] as RuleLevel).condition
    const metric = shownMetric(condition)
    if (!alarm || !metric || reading.quality?.[metric]) return
    const value = reading.values[metric]
    if (typeof value !== 'number') return
    const op = 'op' in condition ? String(condition.op ?? '') : ''
    const size = (v: number) => (op.startsWith('abs') ? Math.abs(v) : v) * (op.includes('<') ? -1 : 1)
    if (alarm.peak !== null && size(value) <= size(alarm.peak)) return
    alarm.peak = value
    effects.peak(alarm.id, value, reading.time)
  }

  end(state: DeviceState, subject: Subject, time: number, reason: ClearReason, effects: Effects): void {
    if (subject.alarm) effects.alarms.push({ op: 'clear', id: subject.alarm.id, time, reason })
    subject.alarm = undefined
    subject.held = end(subject.rule.ready, subject.held, time, 'recovered').held
    this.writeGone(state.device, subject, effects)
    this.states.waiting.delete(subject)
    state.subjects.delete(`${subject.rule.alarmKey}|${subject.point}`)
  }

  writeGone(device: FleetDevice, subject: Subject, effects: Effects): void {
    effects.state({ deviceId: device.id, triggerId: subject.rule.id, point: subject.point, level: 0, state: null })
  }

  /** Writes a subject if its state has changed. */
  write(state: DeviceState, subject: Subject, effects: Effects, before?: RuleState): void {
    const { held, past, pastLast, pastId, rule } = subject
    const gone = isNothing(held) && pastLast === undefined
    if (before && pastLast === undefined && (gone ? isNothing(before) : JSON.stringify(held) === JSON.stringify(before))) return
    const written: WrittenSubject = { version: rule.version, held }
    if (pastLast !== undefined) Object.assign(written, { past, pastLast, pastId: pastId || undefined })
    effects.state({ deviceId: state.device.id, triggerId: rule.id, point: subject.point, level: 0, state: gone ? null : written })
  }
}
