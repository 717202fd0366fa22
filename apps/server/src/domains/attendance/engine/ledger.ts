import { createHash, hash } from 'node:crypto'
import { MerkleBuilder } from './merkle.ts'
import { dateOf } from './time.ts'

/*
 * The ledger of a project: every fact in the order of receipt, each entry hashed together with the previous hash. With one daily root
 * anyone can detect later whether any earlier byte was changed.
 */

export type LedgerValue = string | number | null
export type LedgerRecord = Readonly<Record<string, LedgerValue>>

/**
 * A70: canonical JSON (RFC 8785) for ledger records. Only strings and integers are allowed, because languages format fractions
 * differently. Keys sort by UTF-16 code units, as JavaScript compares.
 */
export function canonical(record: LedgerRecord): string {
  const members = Object.keys(record)
    .sort()
    .map((key) => `${canonicalText(key)}:${canonicalValue(key, record[key])}`)
  return `{${members.join(',')}}`
}

function canonicalValue(key: string, v: LedgerValue | undefined): string {
  if (v === null) return 'null'
  if (typeof v === 'string') return canonicalText(v)
  if (typeof v === 'number' && Number.isSafeInteger(v)) return String(v === 0 ? 0 : v)
  throw new TypeError(`ledger key ${key} holds neither text, integer nor null`)
}

function canonicalText(v: string): string {
  if (!v.isWellFormed()) throw new TypeError('text with half a surrogate pair has no canonical form')
  return JSON.stringify(v)
}

/** A71: the hash before entry 1. */
export const genesisHash = (projectCode: string): string => hash('sha256', `zhugong-ledger-v1:${projectCode}`)

// One shared buffer: a digest object per entry takes twice as long for a million entries.
let scratch = Buffer.alloc(4096)

/** A71 */
export function entryHash(previousHash: string, canonicalEntry: string | Uint8Array): string {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  const room = 32 + canonicalEntry.length * (typeof canonicalEntry === 'string' ? 3 : 1)
  if (scratch.length < room) scratch = Buffer.alloc(room * 2)
  if (scratch.write(previousHash, 0, 32, 'hex') !== 32) throw new TypeError('the previous hash is not 32 bytes of hex')
  if (typeof canonicalEntry !== 'string') scratch.set(canonicalEntry, 32)
  const length = typeof canonicalEntry === 'string' ? scratch.write(canonicalEntry, 32, 'utf8') : canonicalEntry.length
  return hash('sha256', scratch.subarray(0, 32 + length), 'hex')
}

export interface EventEntry {
  attendType: string
  channel: string | null
  clockOffsetMs: number | null
  direction: string | null
  live: string | null
  pass: string | null
  pictureHash: string | null
  pointHash: string | null
  projectCode: string
  receivedAt: number
  recordId: string | null
  /** x 100 */
  score: number | null
  seq: number
  source: string
  terminalCode: string | null
  time: number
  workerId: string | null
  workerSeq: number | null
}

/** A70: exactly these keys, whatever else the row contains. Direction as received. */
export const eventRecord = (e: EventEntry): LedgerRecord => ({
  attendType: e.attendType,
  channel: e.channel,
  clockOffsetMs: e.clockOffsetMs,
  direction: e.direction,
  kind: 'event',
  live: e.live,
  pass: e.pass,
  pictureHash: e.pictureHash,
  pointHash: e.pointHash,
  projectCode: e.projectCode,
  receivedAt: e.receivedAt,
  recordId: e.recordId,
  score: e.score,
  seq: e.seq,
  source: e.source,
  terminalCode: e.terminalCode,
  time: e.time,
  v: 1,
  workerId: e.workerId,
  workerSeq: e.workerSeq,
})

/** A score as stored in the ledger: hundredths, rounded half up. */
export const ledgerScore = (score: number | null): number | null => (score === null ? null : Math.floor(score * 100 + 0.5 + 1e-9))

export interface CorrectionEntry {
  action: string
  approvedAt: number
  approvedBy: string
  correctionId: string
  detailHash: string
  direction: string | null
  fromDay: string | null
  projectCode: string
  receivedAt: number
  requestedAt: number
  requestedBy: string
  seq: number
  /** Hash of the corrected entry. */
  target: string | null
  time: number | null
  toDay: string | null
  workerId: string | null
  workerSeq: number | null
}

/** A76 @public */
export const correctionRecord = (c: CorrectionEntry): LedgerRecord => ({
  action: c.action,
  approvedAt: c.approvedAt,
  approvedBy: c.approvedBy,
  correctionId: c.correctionId,
  detailHash: c.detailHash,
  direction: c.direction,
  fromDay: c.fromDay,
  kind: 'correction',
  projectCode: c.projectCode,
  receivedAt: c.receivedAt,
  requestedAt: c.requestedAt,
  requestedBy: c.requestedBy,
  seq: c.seq,
  target: c.target,
  time: c.time,
  toDay: c.toDay,
  v: 1,
  workerId: c.workerId,
  workerSeq: c.workerSeq,
})

export interface ErasureEntry {
  at: number
  count: number
  fromSeq: number
  projectCode: string
  receivedAt: number
  rule: string
  seq: number
  toSeq: number
  what: string
  workerId: string | null
  workerSeq: number | null
}

/** A78 @public */
export const erasureRecord = (e: ErasureEntry): LedgerRecord => ({
  at: e.at,
  count: e.count,
  fromSeq: e.fromSeq,
  kind: 'erasure',
  projectCode: e.projectCode,
  receivedAt: e.receivedAt,
  rule: e.rule,
  seq: e.seq,
  toSeq: e.toSeq,
  v: 1,
  what: e.what,
  workerId: e.workerId,
  workerSeq: e.workerSeq,
})

/** A76: hash of the content stored outside the ledger (reason, attachments, position). The random salt prevents guessing short contents. */
export function saltedHash(salt: Uint8Array, details: LedgerRecord): string {
  if (salt.length !== 16) throw new RangeError('16 random bytes')
  return createHash('sha256').update(salt).update(canonical(details)).digest('hex')
}

export interface ChainHead {
  projectCode: string
  /** 0 before the first entry. */
  seq: number
  hash: string
  receivedAt: number
}

export const emptyChain = (projectCode: string): ChainHead => ({ projectCode, seq: 0, hash: genesisHash(projectCode), receivedAt: 0 })

export interface Appended {
  head: ChainHead
  canonical: string
}

/**
 * A69: the next entry. `make` gets its number and receipt time. Receipt times never decrease within a chain: if a server's clock lags,
 * the entry gets the time of the previous one.
 */
export function append(head: ChainHead, receivedAt: number, make: (place: { seq: number; receivedAt: number }) => LedgerRecord): Appended {
  const place = { seq: head.seq + 1, receivedAt: Math.max(head.receivedAt, receivedAt) }
  const text = canonical(make(place))
  return { head: { projectCode: head.projectCode, ...place, hash: entryHash(head.hash, text) }, canonical: text }
}

/** A72: numbers the entries of each person, including corrections. Strangers get no number. */
export class WorkerSequence {
  private readonly last: Map<string, number>

  constructor(last: Iterable<readonly [string, number]> = []) {
    this.last = new Map(last)
  }

  next(workerId: string | null): number | null {
    if (workerId === null) return null
    const seq = (this.last.get(workerId) ?? 0) + 1
    this.last.set(workerId, seq)
    return seq
  }
}

// ---------- daily roots ----------

export interface Root {
  count: number
  /** Calendar date of `receivedAt`, so late data never reopen a root. */
  date: string
  firstSeq: number | null
  /** Last hash of the chain on the date; without entries, that of the previous date. */
  lastHash: string
  lastSeq: number | null
  merkleRoot: string
  /** Hash of the previous root record; null for the first. */
  prevRoot: string | null
  projectCode: string
}

/** A73 */
export const rootRecord = (r: Root): LedgerRecord => ({
  count: r.count,
  date: r.date,
  firstSeq: r.firstSeq,
  kind: 'root',
  lastHash: r.lastHash,
  lastSeq: r.lastSeq,
  merkleRoot: r.merkleRoot,
  prevRoot: r.prevRoot,
  projectCode: r.projectCode,
  v: 1,
})

export const rootHash = (r: Root): string => hash('sha256', canonical(rootRecord(r)))

/** The date whose root covers an entry. */
export const rootDateOf = (receivedAt: number): string => dateOf(receivedAt)

/** A73: the root of one date. `entries` are those of the date in order; `before` is the state of the chain and the roots before it. */
export function dailyRoot(
  projectCode: string,
  date: string,
  entries: Iterable<{ seq: number; hash: string }>,
  before: { lastHash: string; prevRoot: string | null },
): Root {
  const tree = new MerkleBuilder()
  let firstSeq: number | null = null
  let lastSeq: number | null = null
  let lastHash = before.lastHash
  for (const entry of entries) {
    tree.add(entry.hash)
    firstSeq ??= entry.seq
    lastSeq = entry.seq
    lastHash = entry.hash
  }
  return { count: tree.count, date, firstSeq, lastHash, lastSeq, merkleRoot: tree.root(), prevRoot: before.prevRoot, projectCode }
}
