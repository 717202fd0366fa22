import type { ColumnType, Generated } from 'kysely'
import type { RuleLevel } from './evaluate.ts'

export type RuleScope = { kind: 'global' } | { kind: 'projects'; projectCodes: string[] } | { kind: 'devices'; deviceIds: string[] }

export interface RuleOptions {
  /** A record kind whose fields are the metrics. */
  on?: string
  onlyWhen?: Record<string, unknown>
  maxGapSeconds?: number
}

interface RuleTriggerTable {
  id: string
  name: string
  family: string
  alarmKey: string
  scope: ColumnType<RuleScope, string, string>
  projectCode: string | null
  levels: ColumnType<RuleLevel[], string, string>
  schedule: ColumnType<[number, number][] | null, string | null, string | null>
  options: ColumnType<RuleOptions, string | undefined, string>
  execIds: Generated<string[]>
  enabled: Generated<boolean>
  locked: Generated<boolean>
  templateId: string | null
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
