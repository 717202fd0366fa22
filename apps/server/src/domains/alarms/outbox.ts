import { sql } from 'kysely'
import type { Tx } from '#kit/db'

/** What somebody did to an alarm, for whoever tells people and starts machines. Read in the order of its ids. */
export interface AlarmHappening {
  alarmId: string
  projectCode: string
  event: string
  level: number
  at: number
  detail?: Record<string, unknown>
}

/** Writes a happening in the transaction in which it happened. What the rules do to alarms is written beside it (`writeAlarmOps`). */
export async function alarmHappened(db: Tx, one: AlarmHappening): Promise<void> {
  await sql`insert into alarm_outbox (alarm_id, project_code, event, level, at, detail)
    values (${one.alarmId}, ${one.projectCode}, ${one.event}, ${one.level}, ${new Date(one.at)}, ${JSON.stringify(one.detail ?? {})}::jsonb)`.execute(
    db,
  )
  await sql`select pg_notify('zg_alarm', '1')`.execute(db)
}
