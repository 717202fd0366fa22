import { sql } from 'kysely'
import type { Row } from '#kit/db'

/** A device command started by alarms: a row of `linkage_run` without the columns of its worker's claim. */
export type Run = Omit<Row<'linkageRun'>, 'claim' | 'claimedUntil' | 'wake'>

export const runColumns = sql`r.id, r.project_code, r.exec_id, r.exec_name, r.rule_id, r.command, r.device_id, r.device_name, r.family, r.definition, r.level,
  r.simulated, r.state, r.result, r.reason, r.cmd_id, r.stop_cmd_id, r.attempts, r.stop_attempts, r.failed, r.confirm_until, r.confirmed_by, r.hold_until,
  r.stop_by, r.stop_reason, r.start_time, r.min_until, r.max_until, r.stopping_at, r.end_time, r.cooldown_until, r.pm10_before, r.pm10_after, r.due_at, r.create_time`

/** Condition: an alarm that keeps a run going. A drill's alarm ends at its scheduled time. */
export const stillOpen = (now: Date) => sql`(a.active and a.state not in ('closed', 'false', 'ignored') and not a.historical
  and (not a.simulated or exists (select 1 from alarm_drill s where s.alarm_id = a.id and s.linkage and s.ends_at > ${now})))`

/** User name of automatic commands; a stop under another name was made by a person. */
export const linkageName = '设备联动'
