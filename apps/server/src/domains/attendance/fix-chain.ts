import { randomBytes } from 'node:crypto'
import { fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Db, Row, Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { appendEntries, lockChain } from './chain.ts'
import { canonical, correctionRecord, type LedgerRecord, saltedHash } from './engine/ledger.ts'
import { dateOf } from './engine/time.ts'
import { type Finding, findingKinds } from './engine/verify.ts'
import type { CorrectionValue } from './tables.ts'

const saltBytes = 16

/** A76: appends every approved correction that is not in the ledger yet, project by project. Returns their number. */
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
  const hashes = await targetHashes(tx, projectCode, fixes)
  const salts = fixes.map(() => randomBytes(saltBytes))
  const entries = await appendEntries(
    tx,
    chain,
    fixes.map((fix, i) => ({
      workerId: fix.workerId,
      kind: 'correction' as const,
      eventId: fix.id,
      receivedAt: Math.max(now, chain.receivedAt),
      record: (place) => recordOf(fix, salts[i]!, hashes, place),
    })),
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

type Fix = Row<'attendanceCorrection'>

/** A correction as a ledger record. Reason, attachments and names stay outside; only their salted hash is included. */
function recordOf(
  fix: Fix,
  salt: Uint8Array,
  hashes: ReadonlyMap<string, string>,
  place: { seq: number; receivedAt: number; workerSeq: number | null },
): LedgerRecord {
  const value = fix.value as CorrectionValue
  return correctionRecord({
    action: fix.kind,
    approvedAt: fix.approvedAt?.getTime() ?? 0,
    approvedBy: fix.approvedBy ?? '',
    correctionId: fix.id,
    detailHash: saltedHash(salt, {
      approvals: JSON.stringify(fix.approvals),
      files: JSON.stringify(fix.files),
      reason: fix.reason ?? '',
    }),
    ...pick(value, 'direction', 'fromDay', 'time', 'toDay'),
    projectCode: fix.projectCode,
    ...pick(place, 'receivedAt', 'seq', 'workerSeq'),
    requestedAt: fix.requestedAt.getTime(),
    requestedBy: fix.requestedBy ?? '',
    target: hashes.get(value.target ?? '') ?? null,
    workerId: fix.workerId,
  })
}

/** Hashes of the corrected entries: records and earlier corrections. */
async function targetHashes(db: Db, projectCode: string, fixes: readonly Fix[]): Promise<Map<string, string>> {
  const ids = fixes.flatMap((f) => (f.value as CorrectionValue).target ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ eventId: string; hash: string }>`
    select event_id, hash from attendance_ledger where project_code = ${projectCode} and event_id = any (${ids})`.execute(db)
  return new Map(rows.map((r) => [r.eventId, r.hash]))
}

/**
 * A75 for corrections: returns corrections whose row differs from their ledger entry or is missing, because days are computed from the
 * rows.
 */
export async function fixFindings(db: Db, projectCode: string): Promise<Finding[]> {
  const fixes = await db
    .selectFrom('attendanceCorrection')
    .selectAll()
    .where('projectCode', '=', projectCode)
    .where('seq', 'is not', null)
    .execute()
  const entries = await db
    .selectFrom('attendanceLedger')
    .select(['seq', 'eventId', 'workerSeq', 'receivedAt', 'entry'])
    .where('projectCode', '=', projectCode)
    .where('kind', '=', 'correction')
    .execute()
  const hashes = await targetHashes(db, projectCode, fixes)
  const byId = new Map(fixes.map((f) => [f.id, f]))
  return entries.flatMap(({ seq, eventId, workerSeq, receivedAt, entry }): Finding[] => {
    const fix = byId.get(eventId ?? '')
    const place = { seq, receivedAt: receivedAt.getTime(), workerSeq }
    const salt = Buffer.from(fix?.salt ?? '', 'hex')
    const holds = fix?.state === fixStates.passed && salt.length === saltBytes && canonical(recordOf(fix, salt, hashes, place)) === entry
    const row = eventId === null ? {} : { row: eventId }
    return holds ? [] : [{ projectCode, day: dateOf(place.receivedAt), seq, ...row, kind: 'rowDiffers', note: findingKinds.rowDiffers }]
  })
}
