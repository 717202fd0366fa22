import { sql } from 'kysely'
import type { Db, Tx } from '#kit/db'
import { lockChain } from './chain.ts'
import { canonical, dailyRoot, genesisHash, type Root, rootHash, rootRecord } from './engine/ledger.ts'
import { addDays, dateOf, startOf } from './engine/time.ts'

/** Parses a stored root record, whose text was hashed. */
export const rootOf = (record: string): Root => JSON.parse(record) as Root

/**
 * A73: closes calendar dates up to and including `date`, for every project with a chain. A date closes once: the chain's receipt time
 * is moved past its end, so that later messages get the next date. Returns the number of roots.
 */
export async function closeRoots(db: Db, date: string, now: number): Promise<number> {
  const { rows } = await sql<{ projectCode: string }>`
    select c.project_code from attendance_chain c
    where c.seq > 0 and not exists (select 1 from attendance_root r where r.project_code = c.project_code and r.date >= ${date}::date) order by 1`.execute(
    db,
  )
  let made = 0
  for (const { projectCode } of rows) made += await db.transaction().execute((tx) => closeProject(tx, projectCode, date, now))
  return made
}

async function closeProject(tx: Tx, projectCode: string, date: string, now: number): Promise<number> {
  await lockChain(tx, projectCode)
  const last = await tx
    .selectFrom('attendanceRoot')
    .select(['record', 'hash'])
    .where('projectCode', '=', projectCode)
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst()
  const before = last && rootOf(last.record)
  const firstReceived = await tx
    .selectFrom('attendanceLedger')
    .select('receivedAt')
    .where('projectCode', '=', projectCode)
    .where('seq', '=', 1)
    .executeTakeFirst()
  if (!before && !firstReceived) return 0
  let lastHash = before?.lastHash ?? genesisHash(projectCode)
  let lastSeq = before ? await lastSeqOf(tx, projectCode) : 0
  let prevRoot = last?.hash ?? null
  let made = 0
  for (let day = before ? addDays(before.date, 1) : dateOf(firstReceived!.receivedAt.getTime()); day <= date; day = addDays(day, 1)) {
    const { rows } = await sql<{ seq: number; hash: string }>`
      select seq, hash from attendance_ledger where project_code = ${projectCode} and seq > ${lastSeq}
        and received_at < ${new Date(startOf(addDays(day, 1)))} order by seq`.execute(tx)
    const root = dailyRoot(projectCode, day, rows, { lastHash, prevRoot })
    await insertRoot(tx, root, now)
    lastHash = root.lastHash
    lastSeq = root.lastSeq ?? lastSeq
    prevRoot = rootHash(root)
    made++
  }
  await sql`update attendance_chain set received_at = greatest(received_at, ${new Date(startOf(addDays(date, 1)))}) where project_code = ${projectCode}`.execute(
    tx,
  )
  return made
}

/** The last entry under any root; roots of dates without entries have none. */
async function lastSeqOf(tx: Tx, projectCode: string): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max((record::jsonb ->> 'lastSeq')::bigint) as seq from attendance_root where project_code = ${projectCode}`.execute(tx)
  return rows[0]?.seq ?? 0
}

/** Stores a root and delivers it to the groups of the authority and the general contractor, which keep copies (A74). */
async function insertRoot(tx: Tx, root: Root, now: number): Promise<void> {
  const { projectCode, date } = root
  const hash = rootHash(root)
  await tx
    .insertInto('attendanceRoot')
    .values({ projectCode, date, record: canonical(rootRecord(root)), hash, createTime: new Date(now) })
    .execute()
  await sql`
    insert into attendance_root_copy (group_id, project_code, date, hash, delivered_at)
    select t.id, ${projectCode}, ${date}::date, ${hash}, ${new Date(now)} from project p
      join tenant t on (t.type = 1 and t.code = p.supervise_org) or (t.type = 2 and t.code = p.contractor_corp_code)
    where p.project_code = ${projectCode} on conflict do nothing`.execute(tx)
}
