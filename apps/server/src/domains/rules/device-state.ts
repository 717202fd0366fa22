import type { FleetDevice } from '../equipment/public.ts'
import type { Held } from './evaluate.ts'
import type { Facts } from './moment.ts'
import type { RecordLog } from './record-log.ts'
import type { StoredRule } from './stored.ts'
import type { Timeline } from './timeline.ts'
import type { ReadyTrigger } from './trigger.ts'

/** A rule as it is in force. */
export interface Rule extends Omit<StoredRule, 'levels' | 'schedule'> {
  stored: Pick<StoredRule, 'levels' | 'schedule' | 'options'>
  ready: ReadyTrigger
}

export interface HeldAlarm {
  id: string
  level: number
  peak: number | null
}

export interface Subject {
  rule: Rule
  point: string
  held: Held
  alarm: HeldAlarm | undefined
  past: Held
  pastLast: number | undefined
  pastId: string | undefined
}

/** What `rule_state` holds of a subject. */
export interface WrittenSubject {
  version: number
  held: Held
  past?: Held
  pastLast?: number
  pastId?: string
}

export interface Live {
  rule: Rule
  key: string
  /** None: asked at every reading. */
  metrics: readonly string[]
}

export interface Plan {
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

export interface DeviceState {
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
  /** Rules set aside on this device, with the version that asked for too much. */
  setAside: Map<string, number>
  /** What rules ask of the world, by rule. */
  facts: Map<Rule, Facts>
  unitOf(metric: string): string | undefined
}

/** What `rule_state` holds of a rule that is set aside on a device, in a row of the level `asideLevel`. */
export interface WrittenAside {
  version: number
  /** Epoch ms. */
  since: number
  /** All rules of the project together asked for too much, and this was among the dearest; else it did so by itself. */
  together?: true
}
export const asideLevel = 1

/** Rules that count what is around a device, or about its papers, have one subject however many points it reports. */
export const isAboutDevice = (rule: Rule) => rule.ready.isAboutDates || rule.ready.levels.every((l) => l.condition.type === 'countInArea')

/** Of a device's lines, the one a rule reads: its readings by point, or its records of a kind by whom they are about. */
export const lineKey = (rule: Rule, point: string) => (rule.ready.on === undefined ? point : `${rule.ready.on}:${point}`)
