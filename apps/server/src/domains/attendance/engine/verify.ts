import { dayMs } from '@zhugong/contract/kit/time'
import { entryHash, genesisHash, type Root, rootDateOf, rootHash } from './ledger.ts'
import { isIncluded, MerkleBuilder } from './merkle.ts'
import { addDays, startOf } from './time.ts'

export const findingKinds = {
  altered: '内容与哈希不符',
  missing: '缺少条目',
  inserted: '多出条目',
  reordered: '次序被改',
  rootDiffers: '日根值不符',
  rowDiffers: '考勤记录与台账不符',
} as const
export type FindingKind = keyof typeof findingKinds

/** A75: an error in the ledger, with its position. */
export interface Finding {
  projectCode: string
  /** Calendar date of receipt; null if the entry that contains it is missing. */
  day: string | null
  seq: number | null
  /** Last number of a run of missing entries. */
  toSeq?: number
  /** Id of the record row, for kind `rowDiffers`. */
  row?: string
  kind: FindingKind
  note: string
}

/** An entry as stored. */
export interface StoredEntry {
  seq: number
  canonical: string
  hash: string
  /** The canonical entry rebuilt from the record row. Omitted = not compared; null = the row is missing. */
  rebuilt?: string | null
  rowId?: string
}

export interface Verified {
  entries: number
  lastSeq: number
  lastHash: string
  findings: Finding[]
  /** Figures of the entries by date. */
  dates: Map<string, DateFigures>
}

export interface DateFigures {
  count: number
  firstSeq: number
  lastSeq: number
  lastHash: string
  merkleRoot: string
}

interface Parsed {
  seq: number | null
  receivedAt: number | null
}

/**
 * Reads both numbers from the text by pattern: quotes inside JSON strings are escaped, so the patterns cannot match there. Full parsing
 * of a million entries would take half the available time.
 */
function parse(canonical: string): Parsed {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(canonical)
    return found ? Number(found[1]) : null
  }
  return { seq: number(/[{,]"seq":(\d{1,15})[,}]/), receivedAt: number(/[{,]"receivedAt":(\d{1,15})[,}]/) }
}

/** More findings add no information. */
const maxFindings = 1000

/** Start of a walk that does not begin at entry 1, taken from a trusted root. */
export interface Start {
  seq: number
  hash: string
}

/**
 * A75: verifies the chain in one pass in the order of `seq`, holding two entries at a time. Each entry is checked against the stored
 * hash of the previous one, so that one change gives one finding and the walk continues.
 */
export class ChainVerifier {
  private readonly projectCode: string
  private readonly findings: Finding[] = []
  private readonly dates = new Map<string, DateFigures & { tree: MerkleBuilder }>()
  private lastDate: string | undefined
  private date = ''
  private dateBegins = Number.POSITIVE_INFINITY
  /** Entries whose own number differs from their position; if together they form a permutation, entries were swapped. */
  private readonly displaced: { seq: number; claims: number; day: string | null; linked: boolean }[] = []
  private previousHash: string
  private previousSeq: number
  private previousReceivedAt = Number.NEGATIVE_INFINITY
  /** Own number minus position, after entries were removed or inserted and the positions renumbered. */
  private shift = 0
  /** The previous entry was wrong, so its stored hash proves nothing about this one. */
  private doubtful = false
  private current: StoredEntry | undefined
  private entries = 0

  constructor(projectCode: string, start?: Start) {
    this.projectCode = projectCode
    this.previousHash = start?.hash ?? genesisHash(projectCode)
    this.previousSeq = start?.seq ?? 0
  }

  add(entry: StoredEntry): void {
    if (this.current) this.check(this.current, entry)
    this.current = entry
  }

  finish(): Verified {
    if (this.current) this.check(this.current, undefined)
    this.current = undefined
    this.judgeDisplaced()
    const dates = new Map<string, DateFigures>()
    for (const [date, { tree, ...figures }] of this.dates) dates.set(date, { ...figures, merkleRoot: tree.root() })
    this.findings.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    return { entries: this.entries, lastSeq: this.previousSeq, lastHash: this.previousHash, findings: this.findings, dates }
  }

  private report(
    kind: FindingKind,
    at: { day: string | null; seq: number | null; toSeq?: number; row?: string },
    note: string = findingKinds[kind],
  ): void {
    if (this.findings.length < maxFindings) this.findings.push({ projectCode: this.projectCode, ...at, kind, note })
  }

  private check(entry: StoredEntry, next: StoredEntry | undefined): void {
    this.entries++
    const own = parse(entry.canonical)
    const day = own.receivedAt === null ? null : this.dateOf(own.receivedAt)
    const place = entry.seq
    if (!Number.isInteger(place) || place <= this.previousSeq) {
      this.report(place === this.previousSeq ? 'inserted' : 'reordered', { day, seq: place })
      return
    }
    const gap = place > this.previousSeq + 1
    if (gap) this.report('missing', { day, seq: this.previousSeq + 1, toSeq: place - 1 })

    const linked = entryHash(this.previousHash, entry.canonical) === entry.hash
    const expected = place + this.shift
    if (!linked && !gap && next && entryHash(this.previousHash, next.canonical) === next.hash) {
      const nextSeq = parse(next.canonical).seq
      if (own.seq !== null && nextSeq !== null && own.seq > nextSeq) {
        // Two neighbours were swapped: the entry that belongs here comes next.
        this.displaced.push({ seq: place, claims: own.seq - this.shift, day, linked })
        this.previousSeq = place
        this.doubtful = true
        this.tally(entry, day)
        return
      }
      this.report('inserted', { day, seq: place })
      // If positions were renumbered, this position belongs to the next entry.
      if (nextSeq !== null && nextSeq === expected && next.seq === place + 1) this.shift--
      this.previousSeq = next.seq === place ? place - 1 : place
      return
    }
    if (own.seq !== null && own.seq > expected && !linked && next && followsOn(entry, next, own.seq)) {
      this.report('missing', { day, seq: expected, toSeq: own.seq - 1 })
      this.shift = own.seq - place
    } else if (own.seq !== null && own.seq !== expected && !gap) {
      this.displaced.push({ seq: place, claims: own.seq - this.shift, day, linked })
      this.doubtful = true
      this.advance(entry, own, day)
      return
    } else if (!linked && !gap && !this.doubtful) {
      this.report('altered', { day, seq: place })
    }
    this.doubtful = false
    this.advance(entry, own, day)
  }

  /** Neighbouring entries share a date, so the last one is cached. */
  private dateOf(receivedAt: number): string {
    if (receivedAt < this.dateBegins || receivedAt >= this.dateBegins + dayMs) {
      this.date = rootDateOf(receivedAt)
      this.dateBegins = startOf(this.date)
    }
    return this.date
  }

  private advance(entry: StoredEntry, own: Parsed, day: string | null): void {
    if (own.receivedAt !== null) {
      if (own.receivedAt < this.previousReceivedAt) this.report('reordered', { day, seq: entry.seq }, '接收时间早于前一条')
      this.previousReceivedAt = Math.max(this.previousReceivedAt, own.receivedAt)
    }
    if (entry.rebuilt !== undefined && entry.rebuilt !== entry.canonical) {
      const row = entry.rowId === undefined ? {} : { row: entry.rowId }
      this.report('rowDiffers', { day, seq: entry.seq, ...row }, entry.rebuilt === null ? '考勤记录不存在' : findingKinds.rowDiffers)
    }
    this.previousHash = entry.hash
    this.previousSeq = entry.seq
    this.tally(entry, day)
  }

  private tally(entry: StoredEntry, day: string | null): void {
    // An entry without a readable date is counted on its neighbour's, so that it causes only its own finding.
    const date = day ?? this.lastDate
    if (date === undefined) return
    this.lastDate = date
    let figures = this.dates.get(date)
    if (!figures) {
      figures = { count: 0, firstSeq: entry.seq, lastSeq: entry.seq, lastHash: entry.hash, merkleRoot: '', tree: new MerkleBuilder() }
      this.dates.set(date, figures)
    }
    figures.tree.add(entry.hash)
    figures.count++
    figures.lastSeq = entry.seq
    figures.lastHash = entry.hash
  }

  private judgeDisplaced(): void {
    const places = new Set(this.displaced.map((d) => d.seq))
    const claims = new Set(this.displaced.map((d) => d.claims))
    const swapped = places.size === claims.size && [...places].every((seq) => claims.has(seq))
    for (const d of this.displaced) this.report(swapped || d.linked ? 'reordered' : 'altered', { day: d.day, seq: d.seq })
  }
}

const followsOn = (entry: StoredEntry, next: StoredEntry, ownSeq: number) =>
  parse(next.canonical).seq === ownSeq + 1 && entryHash(entry.hash, next.canonical) === next.hash

export function verifyChain(projectCode: string, entries: Iterable<StoredEntry>, start?: Start): Verified {
  const verifier = new ChainVerifier(projectCode, start)
  for (const entry of entries) verifier.add(entry)
  return verifier.finish()
}

export async function verifyChainStream(projectCode: string, entries: AsyncIterable<StoredEntry>, start?: Start): Promise<Verified> {
  const verifier = new ChainVerifier(projectCode, start)
  for await (const entry of entries) verifier.add(entry)
  return verifier.finish()
}

/**
 * A75: compares the stored roots, or the copies delivered to the authority, with the chain and with each other. Each root must name the
 * previous record, and dates must have no gaps. `before` is the hash of the record before the first one. A truncated chain is
 * consistent in itself; only the roots reveal it.
 */
export function verifyRoots(
  projectCode: string,
  roots: readonly Root[],
  verified: Pick<Verified, 'dates'>,
  before: string | null = null,
): Finding[] {
  const findings: Finding[] = []
  const differs = (day: string, seq: number | null, note: string) => {
    findings.push({ projectCode, day, seq, kind: 'rootDiffers', note })
  }
  let previous: Root | undefined
  for (const root of [...roots].sort((a, b) => (a.date < b.date ? -1 : 1))) {
    const made = verified.dates.get(root.date)
    if (root.projectCode !== projectCode) differs(root.date, null, '日根值属于其他项目')
    if (previous && root.date !== addDays(previous.date, 1)) differs(root.date, null, '缺少前一日的日根值')
    if (root.prevRoot !== (previous ? rootHash(previous) : before)) differs(root.date, null, '与前一日的日根值不相接')
    if (!made) {
      if (root.count > 0) {
        findings.push({
          projectCode,
          day: root.date,
          seq: root.firstSeq,
          ...(root.lastSeq === null ? {} : { toSeq: root.lastSeq }),
          kind: 'missing',
          note: '该日条目全部缺失',
        })
      } else if (root.merkleRoot !== new MerkleBuilder().root()) differs(root.date, null, findingKinds.rootDiffers)
    } else if (made.count < root.count && root.lastSeq !== null && made.lastSeq < root.lastSeq) {
      findings.push({ projectCode, day: root.date, seq: made.lastSeq + 1, toSeq: root.lastSeq, kind: 'missing', note: '该日末尾条目缺失' })
    } else if (
      made.merkleRoot !== root.merkleRoot ||
      made.count !== root.count ||
      made.firstSeq !== root.firstSeq ||
      made.lastSeq !== root.lastSeq ||
      made.lastHash !== root.lastHash
    ) {
      differs(root.date, root.firstSeq, findingKinds.rootDiffers)
    }
    previous = root
  }
  const rooted = new Set(roots.map((r) => r.date))
  const [first, last] = [roots.map((r) => r.date).sort()[0], previous?.date]
  for (const [date, made] of verified.dates) {
    if (first !== undefined && last !== undefined && date >= first && date <= last && !rooted.has(date))
      differs(date, made.firstSeq, '该日没有日根值')
  }
  return findings
}

/** A75: compares the project's own roots with the copies stored elsewhere. */
export function compareRoots(projectCode: string, own: readonly Root[], delivered: readonly { date: string; hash: string }[]): Finding[] {
  const byDate = new Map(own.map((r) => [r.date, r]))
  return delivered.flatMap(({ date, hash }): Finding[] => {
    const root = byDate.get(date)
    if (root && rootHash(root) === hash) return []
    const note = root ? '与送达的日根值不符' : '送达过的日根值已不存在'
    return [{ projectCode, day: date, seq: root?.firstSeq ?? null, kind: 'rootDiffers', note }]
  })
}

// ---------- proof for one person ----------

export interface ProofEntry {
  canonical: string
  /** Hash of the previous entry, which may be another person's; it reveals nothing about that person. */
  previousHash: string
  hash: string
  /** Date of the root that covers the entry; `index` is its position there. */
  date: string
  index: number
  path: string[]
}

/** A77: evidence for one person, for example in court. It can be checked without the database and reveals nothing about others. */
export interface Proof {
  projectCode: string
  workerId: string
  entries: ProofEntry[]
  roots: Root[]
  rulesVersion: string
}

export interface ProofFinding {
  kind: 'altered' | 'foreign' | 'incomplete' | 'notUnderRoot' | 'rootDiffers'
  seq: number | null
  workerSeq: number | null
  note: string
}

/**
 * A77. `trusted` are hashes of root records from an independent source (the authority's copies) by date; without them the proof is only
 * consistent in itself. `from` is the first `workerSeq` required: 1, unless it is an excerpt of a known period.
 */
export function verifyProof(proof: Proof, options: { trusted?: ReadonlyMap<string, string>; from?: number } = {}): ProofFinding[] {
  const findings: ProofFinding[] = []
  const roots = new Map(proof.roots.map((r) => [r.date, r]))
  for (const root of proof.roots) {
    const before = roots.get(addDays(root.date, -1))
    const trusted = options.trusted?.get(root.date)
    if (root.projectCode !== proof.projectCode)
      findings.push({ kind: 'rootDiffers', seq: null, workerSeq: null, note: `${root.date} 的日根值属于其他项目` })
    if (before && root.prevRoot !== rootHash(before))
      findings.push({ kind: 'rootDiffers', seq: null, workerSeq: null, note: `${root.date} 的日根值与前一日不相接` })
    if (trusted !== undefined && trusted !== rootHash(root)) {
      findings.push({ kind: 'rootDiffers', seq: null, workerSeq: null, note: `${root.date} 的日根值与监管端留存不符` })
    }
    if (options.trusted && trusted === undefined) {
      findings.push({ kind: 'rootDiffers', seq: null, workerSeq: null, note: `监管端没有 ${root.date} 的日根值` })
    }
  }
  let expected = options.from ?? 1
  for (const entry of proof.entries) {
    const own = ownOf(entry.canonical)
    const place = { seq: own?.seq ?? null, workerSeq: own?.workerSeq ?? null }
    if (!own || entryHash(entry.previousHash, entry.canonical) !== entry.hash) {
      findings.push({ kind: 'altered', ...place, note: findingKinds.altered })
    }
    if (own && (own.workerId !== proof.workerId || own.projectCode !== proof.projectCode)) {
      findings.push({ kind: 'foreign', ...place, note: '条目不属于此人或此项目' })
    }
    const root = roots.get(entry.date)
    const fits = root && own && rootDateOf(own.receivedAt) === entry.date && own.seq === (root.firstSeq ?? Number.NaN) + entry.index
    if (!root || !fits || !isIncluded(entry.hash, entry.index, root.count, entry.path, root.merkleRoot)) {
      findings.push({ kind: 'notUnderRoot', ...place, note: '条目不在该日日根值之下' })
    }
    if (own && own.workerSeq !== expected) {
      findings.push({ kind: 'incomplete', ...place, note: `缺少第 ${expected} 条个人序号，证明不完整` })
    }
    expected = (own?.workerSeq ?? expected) + 1
  }
  return findings
}

function ownOf(
  canonical: string,
): { seq: number; workerSeq: number | null; workerId: string | null; projectCode: string; receivedAt: number } | undefined {
  try {
    const v = JSON.parse(canonical) as { [key in 'seq' | 'receivedAt' | 'projectCode' | 'workerSeq' | 'workerId']?: unknown } | null
    if (typeof v?.seq !== 'number' || typeof v.receivedAt !== 'number' || typeof v.projectCode !== 'string') return undefined
    return {
      seq: v.seq,
      receivedAt: v.receivedAt,
      projectCode: v.projectCode,
      workerSeq: typeof v.workerSeq === 'number' ? v.workerSeq : null,
      workerId: typeof v.workerId === 'string' ? v.workerId : null,
    }
  } catch {
    return undefined
  }
}
