import type { FleetDevice } from '../equipment/public.ts'
import { asideLevel, type DeviceState, lineKey, type Plan, type Rule, type Subject, type WrittenAside } from './device-state.ts'
import type { Effects } from './effects.ts'
import { nothingKept, waits } from './evaluate.ts'
import { Memory } from './history.ts'
import { RecordLog } from './record-log.ts'
import { Timeline } from './timeline.ts'

/** Rule state of every device that has sent data. */
export class DeviceStates {
  readonly devices = new Map<string, DeviceState>()
  /** Subjects with pending changes that the clock alone may decide. */
  readonly waiting = new Map<Subject, DeviceState>()
  /** Inconsistencies found on loading, to be corrected in the next transaction. */
  readonly unsettled = new Map<string, { deviceId: string; settle(effects: Effects): void }>()
  deviceOf: (id: string) => FleetDevice | undefined = () => undefined

  stateOf(device: FleetDevice): DeviceState {
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
        setAside: new Map(),
        facts: new Map(),
        unitOf: (metric) => device.family.metric(metric)?.unit,
      }
      this.devices.set(device.id, state)
    }
    return state
  }

  lineOf(state: DeviceState, key: string, plan: Plan): Timeline {
    let line = state.lines.get(key)
    if (!line) {
      line = new Timeline(new Memory(plan.watched, plan.maxGapMs))
      state.lines.set(key, line)
    }
    return line
  }

  subject(state: DeviceState, rule: Rule, point: string): Subject {
    const key = `${rule.alarmKey}|${point}`
    let subject = state.subjects.get(key)
    if (!subject) {
      subject = {
        rule,
        point,
        held: nothingKept(rule.ready),
        alarm: undefined,
        past: nothingKept(rule.ready),
        pastLast: undefined,
        pastId: undefined,
      }
      state.subjects.set(key, subject)
    }
    return subject
  }

  /** Whether a rule is suspended on a device because it needs too many steps. */
  isAside(state: DeviceState, rule: Rule): boolean {
    return rule.ready.excess !== undefined || (state.setAside.size > 0 && state.setAside.get(rule.id) === rule.version)
  }

  /** Suspends the rule on this device until the rule is changed. The state is stored with the next write. */
  setAside(state: DeviceState, rule: Rule, together = false): void {
    const { id: deviceId } = state.device
    const written: WrittenAside = { version: rule.version, since: Date.now(), together: together || undefined }
    state.setAside.set(rule.id, rule.version)
    this.unsettled.set(`${deviceId}|${rule.id}|aside`, {
      deviceId,
      settle: (effects) => effects.state({ deviceId, triggerId: rule.id, point: '', level: asideLevel, state: written }),
    })
  }

  /** Suspends the rule on every device of a project where it is evaluated. */
  setAsideIn(projectCode: string, rule: Rule): void {
    for (const state of this.devices.values())
      if (state.projectCode === projectCode && [...state.plans.values()].some((plan) => plan.rules.includes(rule)))
        this.setAside(state, rule, true)
  }

  nowOf(state: DeviceState, point: string): number {
    return state.lines.get(point)?.lastTime ?? Date.now()
  }

  lastOf(state: DeviceState, subject: Subject): number | undefined {
    return state.lines.get(lineKey(subject.rule, subject.point))?.lastTime
  }

  noteParams(state: DeviceState, device: FleetDevice, time: number): void {
    if (device.params === state.params) return
    state.params = device.params
    const text = JSON.stringify(device.params)
    if (text === state.paramsText) return
    state.paramsText = text
    // The transformer ratio or the meter may have changed, so values before and after are not comparable.
    for (const line of state.lines.values()) line.memory.comparableSince = time
  }

  noteWaiting(state: DeviceState, subject: Subject): void {
    // With a schedule, the clock also ends an open alarm.
    if (waits(subject.held) || (subject.rule.ready.schedule && subject.held.open)) this.waiting.set(subject, state)
    else this.waiting.delete(subject)
  }
}
