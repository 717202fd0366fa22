import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { affectedByMove, affectedByState } from './engine/affected.ts'
import { addDays, dateOf } from './engine/time.ts'

/** Queues days for recomputation, in the transaction of the fact: a process that sees the queue row also sees the fact. */
export async function markDays(db: Db, projectCode: string, days: Iterable<readonly [workerId: string, workDay: string]>): Promise<void> {
  const keys = new Map<string, readonly [string, string]>()
  for (const day of days) keys.set(`${day[0]}|${day[1]}`, day)
  if (keys.size === 0) return
  const list = [...keys.values()]
  await sql`
    insert into attendance_dirty (project_code, worker_id, work_day)
    select ${projectCode}, w, d from unnest(${list.map((k) => k[0])}::text[], ${list.map((k) => k[1])}::date[]) as k(w, d)`.execute(db)
}

/** Queues the days of a range for everyone in place on them, from the first day the project's days are kept. Returns the number of days. */
export async function markEverybody(db: Db, projectCode: string, range: { from: string; to: string }): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into attendance_dirty (project_code, worker_id, work_day)
    select distinct pw.project_code, pw.worker_id, d::date
    from project_worker pw join attendance_chain c using (project_code),
      generate_series(greatest(${range.from}::date, c.days_from), ${range.to}::date, interval '1 day') d
    where pw.project_code = ${projectCode} and (pw.entry_time at time zone 'Asia/Shanghai')::date <= d::date
      and (pw.exit_time is null or (pw.exit_time at time zone 'Asia/Shanghai')::date >= d::date)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * A40: queues days after a stay was entered, moved, revoked or assigned to another unit. Code that changes `project_worker` calls this
 * in the same transaction, with the old and the new time (null = open end or no row).
 */
export async function markStayChanged(
  db: Db,
  stay: { projectCode: string; workerId: string; before: number | null; after: number | null },
  now: number,
): Promise<void> {
  const range = affectedByMove(stay.before, stay.after, dateOf(now))
  const { projectCode, workerId } = stay
  // Days already kept, and days that will be kept because the project keeps days since then.
  await sql`
    insert into attendance_dirty (project_code, worker_id, work_day)
    select ${projectCode}, ${workerId}, day from (
      select g.day::date as day from attendance_chain c, generate_series(greatest(${range.from}::date, c.days_from),
          least(${range.to}::date, ${addDays(dateOf(now), 1)}::date), interval '1 day') as g(day)
        where c.project_code = ${projectCode} and c.days_from is not null
      union select d.work_day from attendance_day d where d.project_code = ${projectCode} and d.worker_id = ${workerId}
        and d.work_day between ${range.from}::date and ${range.to}::date) days`.execute(db)
}

/** A48: queues days after a change of the project's state. Code that changes `project_state_log` calls this in the same transaction. */
export async function markStateChanged(db: Db, projectCode: string, from: number, until: number | null, now: number): Promise<void> {
  await markEverybody(db, projectCode, affectedByState(from, until, dateOf(now)))
}
