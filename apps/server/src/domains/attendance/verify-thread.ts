import type { Work } from '#kit/off-thread/messages'
import type { Root } from './engine/ledger.ts'
import { ChainVerifier, type Finding, type Start, type StoredEntry, type Verified, verifyRoots } from './engine/verify.ts'

/** A chain to verify, and the roots to compare it with. */
export interface VerifyWork {
  projectCode: string
  start: Start | undefined
  roots: Root[]
  /** Hash of the root before the first one. */
  before: string | null
}

export type VerifyOutcome = Pick<Verified, 'entries' | 'lastSeq' | 'lastHash'> & { findings: Finding[] }

type StoredRow = [seq: number, entry: string, hash: string, eventId: string | null, same: boolean | null]

/** Length of a hash in hex characters. */
const hashLength = 64

/**
 * Entries arrive as text written by the database, some thousand at a time, so that a million of them need constant memory. A piece is
 * the number of its first entry, then one line for each with hash and entry, if all rows match; otherwise JSON of `StoredRow`s.
 */
export const work: Work<VerifyWork, VerifyOutcome, string> = async ({ projectCode, start, roots, before }, pieces) => {
  const verifier = new ChainVerifier(projectCode, start)
  for await (const piece of pieces) for (const entry of piece.startsWith('[') ? fromJson(piece) : fromLines(piece)) verifier.add(entry)
  const verified = verifier.finish()
  const { entries, lastSeq, lastHash } = verified
  return { entries, lastSeq, lastHash, findings: [...verified.findings, ...verifyRoots(projectCode, roots, verified, before)] }
}

function* fromLines(piece: string): Iterable<StoredEntry> {
  let end = piece.indexOf('\n')
  for (let seq = Number(piece.slice(0, end)); end >= 0; seq++) {
    const begin = end + 1
    end = piece.indexOf('\n', begin)
    yield { seq, hash: piece.slice(begin, begin + hashLength), canonical: piece.slice(begin + hashLength, end < 0 ? undefined : end) }
  }
}

function* fromJson(piece: string): Iterable<StoredEntry> {
  for (const [seq, canonical, hash, eventId, same] of JSON.parse(piece) as StoredRow[]) {
    const stored: StoredEntry = { seq, canonical, hash }
    if (eventId) stored.rowId = eventId
    if (same !== null) stored.rebuilt = same ? canonical : ''
    yield stored
  }
}
