import { randomBytes } from 'node:crypto'
import { fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { appendEntries, lockChain } from './chain.ts'
import { correctionRecord, saltedHash } from './engine/ledger.ts'
import type { CorrectionValue } from './tables.ts'

const saltBytes = 16

/** A76: every approved correction that is no entry yet becomes one, project by project. Answers how many. */
export async function chainFixes(db: Db, clock: Clock): Promise<number> {
  const { rows } = await sql<{ projectCode: string }>`
    select distinct project_code from attendance_correction where state = ${fixStates.passed} and seq is null order by 1`.execute(db)
  let done = 0
  for (const { projectCode } of rows) done += await db.transaction().execute((tx) => chainProject(tx, projectCode, clock.now()))
  return done
}

async function chainProject(tx: Tx, projectCode: string, now: number): Promise<number> {
  const chain = await lockChain(tx, projectCode)
  const fixes = await tx
    .selectFrom('attendanceCorrection')
    .selectAll()
    .where('projectCode', '=', projectCode)
    .where('state', '=', fixStates.passed)
    .where('seq', 'is', null)
    .orderBy('approvedAt')
    .orderBy('id')
    .execute()
  if (fixes.length === 0) return 0
  const hashes = await targetHashes(
    tx,
    projectCode,
    fixes.flatMap((f) => (f.value as CorrectionValue).target ?? []),
  )
  const salts = fixes.map(() => randomBytes(saltBytes))
  const receivedAt = Math.max(now, chain.receivedAt)
  const entries = await appendEntries(
    tx,
    chain,
    fixes.map((f, i) => {
      const value = f.value as CorrectionValue
      // Why and with what papers stays outside the ledger; only its salted hash goes in.
      const detailHash = saltedHash(salts[i]!, {
        approvals: JSON.stringify(f.approvals),
        files: JSON.stringify(f.files),
        reason: f.reason ?? '',
      })
      return {
        workerId: f.workerId,
        kind: 'correction' as const,
        eventId: f.id,
        receivedAt,
        record: (place) =>
          correctionRecord({
            action: f.kind,
            approvedAt: f.approvedAt!.getTime(),
            approvedBy: f.approvedBy ?? '',
            correctionId: f.id,
            detailHash,
            direction: value.direction,
            fromDay: value.fromDay,
            projectCode,
            receivedAt: place.receivedAt,
            requestedAt: f.requestedAt.getTime(),
            requestedBy: f.requestedBy ?? '',
            seq: place.seq,
            target: hashes.get(value.target ?? '') ?? null,
            time: value.time,
            toDay: value.toDay,
            workerId: f.workerId,
            workerSeq: place.workerSeq,
          }),
      }
    }),
  )
  for (const [i, fix] of fixes.entries()) {
    await tx
      .updateTable('attendanceCorrection')
      .set({ seq: entries[i]!.seq, salt: salts[i]!.toString('hex') })
      .where('id', '=', fix.id)
      .execute()
  }
  return fixes.length
}

/** Hashes of the entries that are corrected: of records and of earlier corrections alike. */
async function targetHashes(tx: Tx, projectCode: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ eventId: string; hash: string }>`
    select event_id, hash from attendance_ledger where project_code = ${projectCode} and event_id = any (${[...ids]})`.execute(tx)
  return new Map(rows.map((r) => [r.eventId, r.hash]))
}
