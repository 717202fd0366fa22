import type { Work } from '#kit/off-thread/messages'
import type { Root } from './engine/ledger.ts'
import { ChainVerifier, type Finding, type Start, type StoredEntry, type Verified, verifyRoots } from './engine/verify.ts'

/** A chain to be walked, and the roots it is held to. */
export interface VerifyWork {
  projectCode: string
  start: Start | undefined
  roots: Root[]
  /** Hash of the root before the first of them. */
  before: string | null
}

export type VerifyOutcome = Pick<Verified, 'entries' | 'lastSeq' | 'lastHash'> & { findings: Finding[] }

type StoredRow = [seq: number, entry: string, hash: string, eventId: string | null, same: boolean | null]

/** Entries come as JSON the way the database wrote them, some thousand at a time: a million of them pass through in constant memory. */
export const work: Work<VerifyWork, VerifyOutcome, string> = async ({ projectCode, start, roots, before }, pieces) => {
  const verifier = new ChainVerifier(projectCode, start)
  for await (const piece of pieces) for (const row of JSON.parse(piece) as StoredRow[]) verifier.add(toStored(row))
  const verified = verifier.finish()
  const { entries, lastSeq, lastHash } = verified
  return { entries, lastSeq, lastHash, findings: [...verified.findings, ...verifyRoots(projectCode, roots, verified, before)] }
}

function toStored([seq, canonical, hash, eventId, same]: StoredRow): StoredEntry {
  const stored: StoredEntry = { seq, canonical, hash }
  if (eventId) stored.rowId = eventId
  if (same !== null) stored.rebuilt = same ? canonical : ''
  return stored
}
