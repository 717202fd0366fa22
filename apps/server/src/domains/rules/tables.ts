import type { OnlyWhen } from '@zhugong/contract/rules/model'
import type { ColumnType, Generated } from 'kysely'
import type { TriggerParts } from './trigger.ts'

/** Which devices a trigger is for. The narrower wins: points, devices, gateways (a group of devices), projects, global. */
export type RuleScope =
  | { kind: 'global' }
  | { kind: 'projects'; projectCodes: string[] }
  | { kind: 'gateways'; gatewayIds: string[] }
  | { kind: 'devices'; deviceIds: string[] }
  | { kind: 'points'; points: { deviceId: string; point: string }[] }

export interface RuleOptions {
  /** A record kind whose fields are the metrics. */
  on?: string
  onlyWhen?: OnlyWhen
  maxGapSeconds?: number
  minConfidence?: number
  confirmSamples?: number
  /** Speaks once the condition has held this long on one day. */
  daySeconds?: number
  noDataSeconds?: number
  /** The alarm is switched off for this scope: wins over wider rules and never speaks. */
  off?: boolean
}

export type StoredLevel = TriggerParts['levels'][number]
export type StoredSchedule = [number, number][] | 'workHours' | null

interface RuleTriggerTable {
  id: string
  name: string
  family: string
  alarmKey: string
  scope: ColumnType<RuleScope, string, string>
  projectCode: string | null
  levels: ColumnType<StoredLevel[], string, string>
  schedule: ColumnType<StoredSchedule, string | null, string | null>
  options: ColumnType<RuleOptions, string | undefined, string>
  execIds: Generated<string[]>
  enabled: Generated<boolean>
  locked: Generated<boolean>
  templateId: string | null
  templateVersion: number | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface RuleStateTable {
  deviceId: string
  triggerId: string
  point: Generated<string>
  level: number
  state: ColumnType<Record<string, unknown>, string, string>
}

declare module '#kit/db' {
  interface Tables {
    ruleTrigger: RuleTriggerTable
    ruleState: RuleStateTable
  }
}
