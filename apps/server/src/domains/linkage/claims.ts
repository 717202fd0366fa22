import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { type Run, runColumns } from './run.ts'

/** How long a claim lasts; longer than a device's answer, which takes at most eleven seconds. */
const claimMs = 60_000

type Changes = ReturnType<typeof sql>

/** A run with the token of our claim, valid until another process takes it over. */
export interface Claimed {
  run: Run
  claim: string
}

/** Claims the most urgent runs that are due and unclaimed. */
export async function claimRuns(db: Database['kysely'], most: number, now: number): Promise<Claimed[]> {
  if (most <= 0) return []
  const claim = newId(now)
  const { rows } = await sql<Run>`update linkage_run r set claim = ${claim}, claimed_until = ${new Date(now + claimMs)}, wake = false
    where r.id in (select id from linkage_run where state <> 'ended' and due_at <= ${new Date(now)} and (claimed_until is null or claimed_until <= ${new Date(now)})
      order by due_at limit ${most} for update skip locked)
    returning ${runColumns}`.execute(db)
  return rows.map((run) => ({ run, claim }))
}

/** Stores the result of a run and releases the claim. Writes nothing if another process has taken the run over. */
export function settle(
  db: Database['kysely'],
  { run, claim }: Claimed,
  changes: Changes,
  then: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`update linkage_run set ${changes}, claim = null, claimed_until = null, wake = false
      where id = ${run.id} and claim = ${claim}`.execute(tx)
    if (Number(numAffectedRows ?? 0) === 0) return false
    await then(tx)
    return true
  })
}

/**
 * Records an attempt before it is made, so that a process taking over knows that the device may have received it. Returns false if the
 * claim was lost.
 */
export async function noteTry(db: Database['kysely'], { run, claim }: Claimed, changes: Changes, now: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update linkage_run set ${changes}, claimed_until = ${new Date(now + claimMs)}
    where id = ${run.id} and claim = ${claim}`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}
