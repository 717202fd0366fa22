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

/** A75: what is wrong, and where. */
export interface Finding {
  projectCode: string
  /** Calendar date of receipt; null where the entry that would tell is gone. */
  day: string | null
  seq: number | null
  /** Last of a run of missing entries. */
  toSeq?: number
  /** Id of the record row, for rowDiffers. */
  row?: string
  kind: FindingKind
  note: string
}

/** An entry as stored. */
export interface StoredEntry {
  seq: number
  canonical: string
  hash: string
  /** The canonical entry made anew from the record row; left out = not compared. Null = the row is gone. */
  rebuilt?: string | null
  rowId?: string
}

export interface Verified {
  entries: number
  lastSeq: number
  lastHash: string
  findings: Finding[]
  /** What the entries of each date add up to. */
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
 * Both numbers straight from the text: a quote inside a JSON string has a backslash before it, so neither pattern can occur in one.
 * Parsing a million entries wholly would take half of the time there is.
 */
function parse(canonical: string): Parsed {
  const number = (pattern: RegExp) => {
    const found = pattern.exec(canonical)
    return found ? Number(found[1]) : null
  }
  return { seq: number(/[{,]"seq":(\d{1,15})[,}]/), receivedAt: number(/[{,]"receivedAt":(\d{1,15})[,}]/) }
}

/** Findings beyond this are one disaster, not more information. */
const maxFindings = 1000

/** Where a walk that does not begin at entry 1 stands, taken from a root that is trusted. */
export interface Start {
  seq: number
  hash: string
}

/**
 * A75: walks the chain once, in order of `seq`, holding two entries at a time. Every entry is checked against the stored hash of the
 * one before it, so that a single change is a single finding and the walk goes on behind it.
 */
export class ChainVerifier {
  private readonly projectCode: string
  private readonly findings: Finding[] = []
  private readonly dates = new Map<string, DateFigures & { tree: MerkleBuilder }>()
  private lastDate: string | undefined
  private date = ''
  private dateBegins = Number.POSITIVE_INFINITY
  /** Entries whose own number is not that of their place: swapped when together they are a permutation. */
  private readonly displaced: { seq: number; claims: number; day: string | null; linked: boolean }[] = []
  private previousHash: string
  private previousSeq: number
  private previousReceivedAt = Number.NEGATIVE_INFINITY
  /** Own number less place, after entries were taken out or put in and the places renumbered. */
  private shift = 0
  /** The entry before was found wrong: its stored hash proves nothing about this one. */
  private doubtful = false
  private held: StoredEntry | undefined
  private entries = 0

  constructor(projectCode: string, start?: Start) {
    this.projectCode = projectCode
    this.previousHash = start?.hash ?? genesisHash(projectCode)
    this.previousSeq = start?.seq ?? 0
  }

  add(entry: StoredEntry): void {
    if (this.held) this.check(this.held, entry)
    this.held = entry
  }

  finish(): Verified {
    if (this.held) this.check(this.held, undefined)
    this.held = undefined
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
        // Two neighbours changed places: the one that belongs here comes next.
        this.displaced.push({ seq: place, claims: own.seq - this.shift, day, linked })
        this.previousSeq = place
        this.doubtful = true
        this.tally(entry, day)
        return
      }
      this.report('inserted', { day, seq: place })
      // Its place belongs to the next entry, if places were numbered anew.
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

  /** Neighbours share their date: it is worked out once for each. */
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
    // An entry that no longer tells its date is counted where its neighbour stands, so that only its own finding remains.
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
 * A75: the stored roots, or the copies delivered to the authority, against what the chain gives now, and against one another:
 * each names the record before it, dates follow without gaps. `before` is the hash of the record before the first one given.
 * Cutting off the end of a chain leaves it sound in itself; the roots are what shows it.
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

/** A75: the project's own roots against the copies kept elsewhere. */
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
  /** Hash of the entry before, which may be another person's: it tells nothing of them. */
  previousHash: string
  hash: string
  /** Date of the root it stands under, and where. */
  date: string
  index: number
  path: string[]
}

/** A77: what a person takes to court. It can be checked without the database and shows nothing of others. */
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
 * A77. `trusted` are hashes of root records from elsewhere (the authority's copies) by date: without them the proof is only sound in itself.
 * `from` is the first workerSeq it must begin with: 1, unless it is an excerpt of a known period.
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
