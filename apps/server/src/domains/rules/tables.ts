import type { ColumnType, Generated } from 'kysely'
import type { JsonGiven } from '#kit/columns'
import type { RuleOptions, TriggerParts } from './trigger-parts.ts'

/** The devices a rule applies to. The narrowest scope wins: points, devices, gateways (a group of devices), projects, global. */

export type RuleScope =
  | { kind: 'global' }
  | { kind: 'projects'; projectCodes: string[] }
  | { kind: 'gateways'; gatewayIds: string[] }
  | { kind: 'devices'; deviceIds: string[] }
  | { kind: 'points'; points: { deviceId: string; point: string }[] }

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
  schedule: ColumnType<StoredSchedule | null, string | null, string | null>
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

interface AlarmDrillTable {
  alarmId: string
  projectCode: string
  deviceId: string
  notify: boolean
  linkage: boolean
  endsAt: Date
  byName: string | null
  createTime: Generated<Date>
}
interface RuleExecTable {
  id: string
  name: string
  kind: string
  projectCode: string | null
  groupId: string | null
  definition: JsonGiven<unknown>
  secret: Buffer | null
  enabled: Generated<boolean>
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface RuleLevelTable {
  groupId: Generated<string>
  level: number
  name: string
  label: string
  color: string
  sound: string
  plan: JsonGiven<unknown>
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface RuleTemplateTable {
  id: string
  groupId: string | null
  name: string
  family: string
  standard: string | null
  remark: string | null
  triggers: JsonGiven<unknown>
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface RuleTriggerVersionTable {
  triggerId: string
  version: number
  content: JsonGiven<unknown>
  at: Date
  byName: string | null
}

declare module '#kit/db' {
  interface Tables {
    ruleTrigger: RuleTriggerTable
    ruleState: RuleStateTable
    alarmDrill: AlarmDrillTable
    ruleExec: RuleExecTable
    ruleLevel: RuleLevelTable
    ruleTemplate: RuleTemplateTable
    ruleTriggerVersion: RuleTriggerVersionTable
  }
}
