import type { RunResult, RunState } from '@zhugong/contract/linkage/codes'
import type { Linkage } from '@zhugong/contract/rules/exec-model'
import { sql } from 'kysely'

/** A device carrying out a command for alarms, as it stands in the table. */
export interface Run {
  id: string
  projectCode: string
  execId: string
  execName: string
  ruleId: string | null
  command: string
  deviceId: string
  deviceName: string
  family: string
  definition: Linkage
  level: number
  simulated: boolean
  state: RunState
  result: RunResult | null
  reason: string
  cmdId: string
  stopCmdId: string
  attempts: number
  stopAttempts: number
  failed: boolean
  confirmUntil: Date | null
  confirmedBy: string | null
  holdUntil: Date | null
  stopBy: string | null
  stopReason: string | null
  startTime: Date | null
  minUntil: Date | null
  maxUntil: Date | null
  stoppingAt: Date | null
  endTime: Date | null
  cooldownUntil: Date | null
  pm10Before: number | null
  pm10After: number | null
  dueAt: Date
  createTime: Date
}

export const runColumns = sql`r.id, r.project_code, r.exec_id, r.exec_name, r.rule_id, r.command, r.device_id, r.device_name, r.family, r.definition, r.level,
  r.simulated, r.state, r.result, r.reason, r.cmd_id, r.stop_cmd_id, r.attempts, r.stop_attempts, r.failed, r.confirm_until, r.confirmed_by, r.hold_until,
  r.stop_by, r.stop_reason, r.start_time, r.min_until, r.max_until, r.stopping_at, r.end_time, r.cooldown_until, r.pm10_before, r.pm10_after, r.due_at, r.create_time`

/** An alarm that keeps a run going. A drill's ends with its time, whoever looks. */
export const stillOpen = (now: Date) => sql`(a.active and a.state not in ('closed', 'false', 'ignored') and not a.historical
  and (not a.simulated or exists (select 1 from alarm_drill s where s.alarm_id = a.id and s.linkage and s.ends_at > ${now})))`

/** Commands of ours carry this name; a stop under any other name was a person's. */
export const linkageName = '设备联动'
