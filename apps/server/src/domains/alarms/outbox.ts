import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from '#kit/db'

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

/** Two read the outbox, each with a mark of its own: whoever tells people, and whoever starts machines. */
export async function markNoticed(client: pg.ClientBase, ids: readonly number[]): Promise<void> {
  await client.query('update alarm_outbox set noticed = true where id = any ($1::bigint[])', [ids])
}
export async function markLinked(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update alarm_outbox set linked = true where id = any (${[...ids]})`.execute(db)
}

/** Forgets what both have read and is older than that. */
export async function forgetHappenings(pool: pg.Pool, before: Date): Promise<void> {
  await pool.query('delete from alarm_outbox where noticed and linked and create_time < $1', [before])
}
