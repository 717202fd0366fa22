import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { append, type ChainHead, emptyChain, type LedgerRecord, WorkerSequence } from './engine/ledger.ts'

/** A ledger entry before it gets its number. */
export interface NewEntry {
  workerId: string | null
  kind: 'event' | 'correction' | 'erasure'
  /** Id of the event or correction it records. */
  eventId: string
  receivedAt: number
  record(place: { seq: number; receivedAt: number; workerSeq: number | null }): LedgerRecord
}

export interface LockedChain extends ChainHead {
  daysFrom: string | null
}

/** A69: locks the project's chain, so that no other process appends until this transaction ends. */
export async function lockChain(db: Db, projectCode: string): Promise<LockedChain> {
  const read = () => db.selectFrom('attendanceChain').selectAll().where('projectCode', '=', projectCode).forUpdate().executeTakeFirst()
  let row = await read()
  if (!row) {
    const { hash } = emptyChain(projectCode)
    await db
      .insertInto('attendanceChain')
      .values({ projectCode, seq: 0, hash, receivedAt: null, daysFrom: null, openedTo: null })
      .onConflict((oc) => oc.doNothing())
      .execute()
    row = await read()
  }
  if (!row) throw new Error(`the chain of ${projectCode} cannot be locked`)
  return { projectCode, seq: row.seq, hash: row.hash, receivedAt: row.receivedAt?.getTime() ?? 0, daysFrom: row.daysFrom }
}

/** Last entry number of each person in the project. One index lookup per person, independent of the number of entries. */
async function lastWorkerSeqs(db: Db, projectCode: string, workerIds: readonly string[]): Promise<[string, number][]> {
  if (workerIds.length === 0) return []
  const { rows } = await sql<{ workerId: string; seq: number | null }>`
    select w.worker_id, (select l.worker_seq from attendance_ledger l where l.project_code = ${projectCode} and l.worker_id = w.worker_id
      order by l.worker_seq desc limit 1) as seq from unnest(${[...workerIds]}::text[]) as w(worker_id)`.execute(db)
  return rows.flatMap((r) => (r.seq === null ? [] : [[r.workerId, r.seq] as [string, number]]))
}

/** An entry as a database row. */
export interface EntryRow {
  project_code: string
  seq: number
  worker_id: string | null
  worker_seq: number | null
  kind: string
  received_at: string
  event_id: string
  entry: string
  hash: string
}

/** Links entries to a chain in the order given. Pure function, used both for live batches and for a whole history. */
export function linkEntries(
  head: ChainHead,
  sequence: WorkerSequence,
  entries: readonly NewEntry[],
): { head: ChainHead; rows: EntryRow[] } {
  let current = head
  const rows = entries.map((entry): EntryRow => {
    const workerSeq = sequence.next(entry.workerId)
    const appended = append(current, entry.receivedAt, (place) => entry.record({ ...place, workerSeq }))
    current = appended.head
    return {
      project_code: head.projectCode,
      seq: current.seq,
      worker_id: entry.workerId,
      worker_seq: workerSeq,
      kind: entry.kind,
      received_at: new Date(current.receivedAt).toISOString(),
      event_id: entry.eventId,
      entry: appended.canonical,
      hash: current.hash,
    }
  })
  return { head: current, rows }
}

/** Appends entries to a locked chain. Returns the rows in order. */
export async function appendEntries(db: Db, head: ChainHead, entries: readonly NewEntry[]): Promise<EntryRow[]> {
  if (entries.length === 0) return []
  const { projectCode } = head
  const people = [...new Set(entries.flatMap((e) => e.workerId ?? []))]
  const linked = linkEntries(head, new WorkerSequence(await lastWorkerSeqs(db, projectCode, people)), entries)
  await sql`insert into attendance_ledger select * from jsonb_populate_recordset(null::attendance_ledger, ${JSON.stringify(linked.rows)}::jsonb)`.execute(
    db,
  )
  await db
    .updateTable('attendanceChain')
    .set({ seq: linked.head.seq, hash: linked.head.hash, receivedAt: new Date(linked.head.receivedAt) })
    .where('projectCode', '=', projectCode)
    .execute()
  return linked.rows
}
