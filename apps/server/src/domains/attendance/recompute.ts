import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { computePerson, type DayRow, type PresenceRow } from './day-rows.ts'
import type { Facts } from './engine/day.ts'
import { addDays, dateOf, datesFrom, startOf } from './engine/time.ts'
import { findFacts } from './facts-store.ts'

/** People whose days are replaced in one transaction: short enough that a gate's message never waits long for it. */
const peopleAtOnce = 200

/**
 * Computes queued days anew until none waits or `limit` are done. Several processes may do so: a project's days are written by one at a
 * time, and read after its turn came, so that no day is overwritten by an older view of the facts. Answers how many days were replaced.
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

/** Any fixed number: with the project's hash it is the lock under which its days are written. */
export const daysLock = 4_802

/** Held to the end of the transaction. Messages do not take it: they only add to the queue. */
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

/** Computes the wanted days of some people from the stored facts and replaces their rows as a whole. */
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
    // Before the keeping of days began nobody is absent: a day is there only where something was recorded.
    days.push(...computed.days.filter((d) => d.work_day >= daysFrom || d.record_count > 0))
    // Facts that end before yesterday say nothing of who is inside now.
    if (range.to >= reachesNow) presence.push(computed.presence)
  }
  const keys = [...wanted].flatMap(([workerId, own]) => [...own].map((day) => [workerId, day] as const))
  await sql`
    delete from attendance_day d using unnest(${keys.map((k) => k[0])}::text[], ${keys.map((k) => k[1])}::date[]) as k(w, d)
    where d.project_code = ${projectCode} and d.worker_id = k.w and d.work_day = k.d`.execute(db)
  await insertDays(db, days)
  await upsertPresence(db, presence)
}

/** Days of one person: all between the first and the last wanted are computed, the wanted ones kept. */
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
  /** Days that were stored otherwise, missing or too many: the queue had not been worked off, or somebody wrote by hand. */
  different: number
}

/**
 * A49: every day of a project anew from its events. What is stored must be what comes out; the answer says how many days were not.
 */
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

/** What each stored day says; when it is due next is no part of it. */
async function fingerprints(db: Db, projectCode: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; hash: string }>`
    select worker_id || '|' || work_day as key, md5((to_jsonb(d) - 'due_at')::text) as hash
    from attendance_day d where project_code = ${projectCode}`.execute(db)
  return new Map(rows.map((r) => [r.key, r.hash]))
}

/** Work days that have begun for everybody since the last look get their rows: who does not come has a day too. */
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

/** Days that the passing of time changes now: they close, or an entry is given up. */
export async function queueDueDays(db: Db, clock: Clock): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into attendance_dirty (project_code, worker_id, work_day)
    select project_code, worker_id, work_day from attendance_day d where due_at <= ${new Date(clock.now())}
      and not exists (select 1 from attendance_dirty q where q.project_code = d.project_code and q.worker_id = d.worker_id and q.work_day = d.work_day)`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
