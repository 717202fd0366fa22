import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, Tx } from '#kit/db'

/** A user's action on an alarm, read by the workers of notifications, linkage and notices in the order of ids. */
export interface AlarmHappening {
  alarmId: string
  projectCode: string
  event: string
  level: number
  at: number
  detail?: Record<string, unknown>
}

/** Writes an event to the outbox in the caller's transaction. Events caused by rules are written by `writeAlarmOps`. */
export async function alarmHappened(db: Tx, one: AlarmHappening): Promise<void> {
  await sql`insert into alarm_outbox (alarm_id, project_code, event, level, at, detail)
    values (${one.alarmId}, ${one.projectCode}, ${one.event}, ${one.level}, ${new Date(one.at)}, ${JSON.stringify(one.detail ?? {})}::jsonb)`.execute(
    db,
  )
  await sql`select pg_notify('zg_alarm', '1')`.execute(db)
}

/** Marks events as processed by notifications. Linkage and notices of rectification have marks of their own. */
export async function markNoticed(client: pg.ClientBase, ids: readonly number[]): Promise<void> {
  await client.query('update alarm_outbox set noticed = true where id = any ($1::bigint[])', [ids])
}
export async function markLinked(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update alarm_outbox set linked = true where id = any (${[...ids]})`.execute(db)
}
export async function markRectified(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update alarm_outbox set rectified = true where id = any (${[...ids]})`.execute(db)
}

/** Deletes events that all three workers have processed and that are older than `before`. */
export async function forgetHappenings(pool: pg.Pool, before: Date): Promise<void> {
  await pool.query('delete from alarm_outbox where noticed and linked and rectified and create_time < $1', [before])
}
