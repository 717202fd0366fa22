import type { FleetDevice } from '../equipment/public.ts'
import type { RuleState } from './evaluate.ts'
import type { Facts } from './moment.ts'
import type { RecordLog } from './record-log.ts'
import type { StoredRule } from './stored.ts'
import type { Timeline } from './timeline.ts'
import type { ReadyTrigger } from './trigger.ts'

/** A rule in its evaluated form. */
export interface Rule extends Omit<StoredRule, 'levels' | 'schedule'> {
  stored: Pick<StoredRule, 'levels' | 'schedule' | 'options'>
  ready: ReadyTrigger
}

export interface OpenAlarmState {
  id: string
  level: number
  peak: number | null
}

export interface Subject {
  rule: Rule
  point: string
  held: RuleState
  alarm: OpenAlarmState | undefined
  past: RuleState
  pastLast: number | undefined
  pastId: string | undefined
}

/** State of a subject as stored in `rule_state`. */
export interface WrittenSubject {
  version: number
  held: RuleState
  past?: RuleState
  pastLast?: number
  pastId?: string
}

export interface Live {
  rule: Rule
  key: string
  /** Metrics the rule uses; if empty, it is evaluated at every reading. */
  metrics: readonly string[]
}

export interface Plan {
  rules: readonly Rule[]
  /** Rules about readings, with the key of their subject. Only the rules of one family that apply to this device. */
  live: readonly Live[]
  silence: readonly Rule[]
  byRecord: ReadonlyMap<string, readonly Rule[]>
  watched: ReadonlyMap<string, number>
  maxGapMs: number
  /** Record kinds that some rule uses, with how long to keep them (ms). */
  records: ReadonlyMap<string, number>
  /** Rules for the bits of the device's own alarm word. */
  bits: readonly { bit: number; rule: Rule; key: string }[]
}

export interface DeviceState {
  device: FleetDevice
  projectCode: string
  params: FleetDevice['params']
  paramsText: string
  /** Receive time minus device time of the newest reading; converts the current time to device time. */
  skewMs: number
  lines: Map<string, Timeline>
  plans: Map<string, Plan>
  subjects: Map<string, Subject>
  records: RecordLog
  /** Rules suspended on this device, with the rule version that exceeded the budget. */
  setAside: Map<string, number>
  /** Access to external facts, by rule. */
  facts: Map<Rule, Facts>
  unitOf(metric: string): string | undefined
}

/** State of a suspended rule as stored in `rule_state`, in a row with the level `asideLevel`. */
export interface WrittenAside {
  version: number
  /** Epoch ms. */
  since: number
  /**
   * All rules of the project together exceeded the budget, and this was one of the most expensive; otherwise it exceeded the budget alone.
   */
  together?: true
}
export const asideLevel = 1

/** Rules about the area around a device or its documents have one subject, however many points the device reports. */
export const isAboutDevice = (rule: Rule) => rule.ready.isAboutDates || rule.ready.levels.every((l) => l.condition.type === 'countInArea')

/** The line of a device that a rule uses: its readings by point, or its records of a kind by subject. */
export const lineKey = (rule: Rule, point: string) => (rule.ready.on === undefined ? point : `${rule.ready.on}:${point}`)
