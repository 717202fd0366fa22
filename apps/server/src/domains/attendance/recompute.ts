import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { computePerson, type DayRow, type PresenceRow } from './day-rows.ts'
import type { Facts } from './engine/day.ts'
import { addDays, dateOf, datesFrom, startOf } from './engine/time.ts'
import { findFacts } from './facts-store.ts'

/** People whose days are replaced in one transaction; small, so that gate messages do not wait long for the lock. */
const peopleAtOnce = 200

/**
 * Recomputes queued days until none is left or `limit` are done. Safe in several processes: a lock per project is taken before the
 * facts are read, so no day is overwritten from an older state. Returns the number of replaced days.
 */
export async function recomputeDirty(db: Db, clock: Clock, limit = 20_000): Promise<number> {
  let done = 0
  const { rows } = await sql<{ projectCode: string }>`select distinct project_code from attendance_dirty order by 1`.execute(db)
  for (const { projectCode } of rows) {
    while (done < limit) {
      const n = await db.transaction().execute((tx) => recomputeSome(tx, projectCode, clock.now()))
      if (n === 0) break
      done += n
    }
  }
  return done
}

/** Class of the advisory lock for writing a project's days; the project's hash is the second key. */
export const daysLock = 4_802

/** Held until the end of the transaction. Gate messages do not take it, because they only add to the queue. */
const lockDays = (tx: Tx, projectCode: string) => sql`select pg_advisory_xact_lock(${daysLock}, hashtext(${projectCode}))`.execute(tx)

async function recomputeSome(tx: Tx, projectCode: string, now: number): Promise<number> {
  await lockDays(tx, projectCode)
  const { rows } = await sql<{ workerId: string; workDay: string }>`
    with taken as (
      delete from attendance_dirty where project_code = ${projectCode} and worker_id in (
        select distinct worker_id from attendance_dirty where project_code = ${projectCode} order by worker_id limit ${peopleAtOnce})
      returning worker_id, work_day)
    select distinct worker_id, work_day from taken`.execute(tx)
  if (rows.length === 0) return 0
  const wanted = Map.groupBy(rows, (r) => r.workerId)
  await replaceDays(tx, projectCode, new Map([...wanted].map(([id, days]) => [id, new Set(days.map((d) => d.workDay))])), now)
  return rows.length
}

/** Computes the given days of some people from the stored facts and replaces their rows. */
async function replaceDays(db: Db, projectCode: string, wanted: ReadonlyMap<string, ReadonlySet<string>>, now: number): Promise<void> {
  const all = [...wanted.values()].flatMap((days) => [...days])
  const range = { from: all.reduce((a, b) => (a < b ? a : b)), to: all.reduce((a, b) => (a > b ? a : b)) }
  const { facts } = await findFacts(db, projectCode, range, now, [...wanted.keys()])
  const chain = await db.selectFrom('attendanceChain').select('daysFrom').where('projectCode', '=', projectCode).executeTakeFirst()
  const daysFrom = chain?.daysFrom ?? '9999-12-31'
  const days: DayRow[] = []
  const presence: PresenceRow[] = []
  const reachesNow = addDays(dateOf(now), -1)
  for (const [workerId, own] of wanted) {
    const fact = facts.get(workerId)
    if (!fact) continue
    const computed = computeWanted(projectCode, fact, own)
    // Before the project keeps days, nobody counts as absent: only days with records are stored.
    days.push(...computed.days.filter((d) => d.work_day >= daysFrom || d.record_count > 0))
    // Facts that end before yesterday cannot tell who is inside now.
    if (range.to >= reachesNow) presence.push(computed.presence)
  }
  const keys = [...wanted].flatMap(([workerId, own]) => [...own].map((day) => [workerId, day] as const))
  await sql`
    delete from attendance_day d using unnest(${keys.map((k) => k[0])}::text[], ${keys.map((k) => k[1])}::date[]) as k(w, d)
    where d.project_code = ${projectCode} and d.worker_id = k.w and d.work_day = k.d`.execute(db)
  await insertDays(db, days)
  await upsertPresence(db, presence)
}

/** The days of one person: computes the range from the first to the last and returns those requested. */
function computeWanted(projectCode: string, facts: Facts, wanted: ReadonlySet<string>): { days: DayRow[]; presence: PresenceRow } {
  const sorted = [...wanted].sort()
  const { days, presence } = computePerson(projectCode, facts, sorted[0]!, sorted.at(-1)!)
  return { days: days.filter((d) => wanted.has(d.work_day)), presence }
}

export async function insertDays(db: Db, days: readonly DayRow[]): Promise<void> {
  if (days.length === 0) return
  await sql`insert into attendance_day select * from jsonb_populate_recordset(null::attendance_day, ${JSON.stringify(days)}::jsonb)`.execute(
    db,
  )
}

async function upsertPresence(db: Db, rows: readonly PresenceRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into attendance_presence select * from jsonb_populate_recordset(null::attendance_presence, ${JSON.stringify(rows)}::jsonb)
    on conflict (project_code, worker_id) do update set corp_code = excluded.corp_code, direction = excluded.direction, time = excluded.time,
      gate = excluded.gate, cleared_at = excluded.cleared_at`.execute(db)
}

export interface Rebuilt {
  days: number
  /** Number of stored days that differed, were missing or were superfluous, because of a pending queue or a manual change. */
  different: number
}

/** A49: recomputes every day of a project from its events. Returns how many stored days differed from the result. */
export async function rebuildProject(tx: Tx, projectCode: string, now: number): Promise<Rebuilt> {
  await lockDays(tx, projectCode)
  await sql`delete from attendance_dirty where project_code = ${projectCode}`.execute(tx)
  const chain = await tx.selectFrom('attendanceChain').select('daysFrom').where('projectCode', '=', projectCode).executeTakeFirst()
  const before = await fingerprints(tx, projectCode)
  const { rows: seen } = await sql<{ workerId: string; workDay: string }>`
    select distinct worker_id, work_day from attendance_event
    where project_code = ${projectCode} and worker_id is not null and quarantine is null
      and coalesce(pass, '') <> '0' and coalesce(live, '') <> '2'`.execute(tx)
  const nearEvents = Map.groupBy(seen, (s) => s.workerId)
  const { rows: people } = await sql<{ workerId: string; first: string; last: string | null }>`
    select worker_id, min((entry_time at time zone 'Asia/Shanghai')::date)::text as first,
      case when bool_or(exit_time is null) then null else max((exit_time at time zone 'Asia/Shanghai')::date)::text end as last
    from project_worker where project_code = ${projectCode} group by 1 order by 1`.execute(tx)
  const today = dateOf(now)
  await sql`delete from attendance_day where project_code = ${projectCode}`.execute(tx)
  for (let i = 0; i < people.length; i += peopleAtOnce) {
    const wanted = new Map<string, Set<string>>()
    for (const { workerId, first, last } of people.slice(i, i + peopleAtOnce)) {
      const days = new Set<string>()
      for (const { workDay } of nearEvents.get(workerId) ?? []) for (const d of [-1, 0, 1]) days.add(addDays(workDay, d))
      const from = chain?.daysFrom && chain.daysFrom > first ? chain.daysFrom : chain?.daysFrom ? first : undefined
      if (from) for (const day of datesFrom(from, last !== null && last < today ? last : today)) days.add(day)
      if (days.size) wanted.set(workerId, days)
    }
    if (wanted.size) await replaceDays(tx, projectCode, wanted, now)
  }
  const after = await fingerprints(tx, projectCode)
  let different = 0
  for (const [key, hash] of after) if (before.get(key) !== hash) different++
  for (const key of before.keys()) if (!after.has(key)) different++
  return { days: after.size, different }
}

/** Hash of each stored day, without its next due time. */
async function fingerprints(db: Db, projectCode: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; hash: string }>`
    select worker_id || '|' || work_day as key, md5((to_jsonb(d) - 'due_at')::text) as hash
    from attendance_day d where project_code = ${projectCode}`.execute(db)
  return new Map(rows.map((r) => [r.key, r.hash]))
}

/** Creates rows for work days that have begun since the last run, so that absent people have a row too. */
export async function openDays(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ projectCode: string; openedTo: string; cut: string }>`
    select c.project_code, c.opened_to::text, coalesce((
      select max(greatest(s.value ->> 'dayCut', (select max(v ->> 'dayCut') from jsonb_each(case when jsonb_typeof(s.value -> 'shifts') = 'object'
        then s.value -> 'shifts' else '{}' end) as e(k, v)))) from attendance_setting s where s.project_code = c.project_code), '04:00') as cut
    from attendance_chain c where c.days_from is not null and c.opened_to < ${dateOf(now)}::date order by 1`.execute(db)
  for (const { projectCode, openedTo, cut } of rows) {
    const begins = startOf(dateOf(now)) + (Number(cut.slice(0, 2)) * 60 + Number(cut.slice(3, 5))) * 60_000
    const last = now >= begins ? dateOf(now) : addDays(dateOf(now), -1)
    if (last <= openedTo) continue
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into attendance_dirty (project_code, worker_id, work_day)
        select distinct pw.project_code, pw.worker_id, d::date
        from project_worker pw, generate_series(${addDays(openedTo, 1)}::date, ${last}::date, interval '1 day') d
        where pw.project_code = ${projectCode} and (pw.entry_time at time zone 'Asia/Shanghai')::date <= d::date
          and (pw.exit_time is null or (pw.exit_time at time zone 'Asia/Shanghai')::date >= d::date)`.execute(tx)
      await tx.updateTable('attendanceChain').set({ openedTo: last }).where('projectCode', '=', projectCode).execute()
    })
  }
}

/** Queues days that change by time: when they close, or when the search for an exit ends. */
export async function queueDueDays(db: Db, clock: Clock): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into attendance_dirty (project_code, worker_id, work_day)
    select project_code, worker_id, work_day from attendance_day d where due_at <= ${new Date(clock.now())}
      and not exists (select 1 from attendance_dirty q where q.project_code = d.project_code and q.worker_id = d.worker_id and q.work_day = d.work_day)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
