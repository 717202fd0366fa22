import { Budget } from './budget.ts'
import { Cameras } from './cameras.ts'
import type { DeviceState, Rule } from './device-state.ts'
import type { EngineReading } from './heard.ts'
import type { Memory } from './history.ts'
import type { Facts, FenceName, Moment } from './moment.ts'
import { People } from './people.ts'
import { Plates } from './plates.ts'
import { ProjectBudget } from './project-budget.ts'
import { periodStart } from './schedule.ts'
import { maxGapMsOf } from './trigger.ts'

/** Data from other domains that rules use. A missing function means unknown, and unknown opens no alarm. */
export interface RulePorts {
  /** Called with every reading in order, before it is evaluated. */
  seen?(device: { id: string }, reading: EngineReading): void
  clearanceAt?(deviceId: string, at: number, predictSeconds: number): { meters: number; complete: boolean; unheard?: number } | undefined
  zoneDistanceAt?(deviceId: string, zone: string, at: number): number | undefined
  /** The nearest crane and zone, stored with an alarm that opens. */
  nearest?(
    deviceId: string,
    at: number,
    requested: { predictSeconds?: number | undefined; zone?: string | undefined },
  ): { crane?: { id: string; meters: number } | undefined; zoneName?: string | undefined }
  fence?(
    device: { projectCode: string; params: Readonly<Record<string, unknown>> },
    fence: FenceName,
  ): ReturnType<NonNullable<Facts['fence']>>
  isListed?(projectCode: string, list: string, value: unknown): boolean | undefined
  isRegistered?(projectCode: string, metric: string, value: unknown): boolean | undefined
  workerIs?(projectCode: string, state: string, values: Readonly<Record<string, unknown>>, at: number): boolean | undefined
  stateSince?(projectCode: string, state: string, values: Readonly<Record<string, unknown>>, at: number): number | null | undefined
}

const areaReadMs = 60_000

/** External data used by rules: machines nearby, fences, people, plates, camera settings. */
export class World {
  readonly ports: RulePorts
  readonly people = new People()
  readonly plates = new Plates()
  readonly cameras = new Cameras()
  /** Budget of the current evaluation; there is only one at a time. */
  readonly budget = new Budget()
  /** Budget of all live evaluations, by project. */
  readonly projects = new ProjectBudget()

  constructor(ports: RulePorts) {
    this.ports = ports
  }

  moment(state: DeviceState, rule: Rule, memory: Memory, time: number, values: Readonly<Record<string, unknown>>): Moment {
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
      budget: this.budget,
      unitOf: state.unitOf,
    }
  }

  private facts(state: DeviceState, rule: Rule): Facts {
    const known = state.facts.get(rule)
    if (known) return known
    const { ports } = this
    const { device } = state
    const { id } = device
    // The project of a device may change; its id and family do not.
    const projectCode = () => state.projectCode
    const facts: Facts = {
      ...state.records.facts(rule.ready.on),
      clearanceAt: (at, seconds) => ports.clearanceAt?.(id, at, seconds),
      zoneDistanceAt: (zone, at) => ports.zoneDistanceAt?.(id, zone, at),
      fence: (fence) => ports.fence?.(state.device, fence),
      isListed: (list, value) =>
        ports.isListed?.(projectCode(), list, value) ??
        this.people.isListed(projectCode(), list, value) ??
        this.plates.isListed(projectCode(), list, value),
      isRegistered: (metric, value) =>
        ports.isRegistered?.(projectCode(), metric, value) ??
        (metric === 'plateNo' ? this.plates.isRegistered(projectCode(), value) : undefined),
      workerIs: (name, values, at) => ports.workerIs?.(projectCode(), name, values, at) ?? this.people.is(projectCode(), name, values, at),
      stateSince: (name, values, at) =>
        ports.stateSince?.(projectCode(), name, values, at) ?? this.people.since(projectCode(), name, values, at),
      // A positioning station counts the tags it has read recently.
      countInArea: (at) => {
        let n = 0
        for (const line of state.lines.values()) if (line.lastTime !== undefined && at - line.lastTime <= areaReadMs) n++
        return device.family.metric('tagId') ? n : undefined
      },
    }
    state.facts.set(rule, facts)
    return facts
  }
}
