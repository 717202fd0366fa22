import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  append,
  type ChainHead,
  canonical,
  dailyRoot,
  emptyChain,
  entryHash,
  erasureRecord,
  eventRecord,
  genesisHash,
  ledgerScore,
  type Root,
  rootHash,
  rootRecord,
  saltedHash,
  WorkerSequence,
} from './ledger.ts'
import { inclusionPath, isIncluded, MerkleBuilder, merkleRoot } from './merkle.ts'
import { compareRoots, type Proof, type StoredEntry, verifyChain, verifyChainStream, verifyProof, verifyRoots } from './verify.ts'

const projectCode = '420202260101010001'
const workerId = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
const known = [
  `{"attendType":"001","channel":"1号门","clockOffsetMs":null,"direction":"01","kind":"event","live":"1","pass":"1","pictureHash":"2dabd364013897cccceb7b1526cffb689610f8202cff6b4a8c387525982ad437","pointHash":null,"projectCode":"420202260101010001","receivedAt":1772406003000,"recordId":"1001","score":9530,"seq":1,"source":"1","terminalCode":"GATE-A-01","time":1772406000000,"v":1,"workerId":"0a1b2c3d4e5f60718293a4b5c6d7e8f9","workerSeq":1}`,
  `{"attendType":"006","channel":null,"clockOffsetMs":null,"direction":"02","kind":"event","live":null,"pass":"1","pictureHash":null,"pointHash":null,"projectCode":"420202260101010001","receivedAt":1772445602000,"recordId":null,"score":null,"seq":2,"source":"1","terminalCode":"GATE-A-01","time":1772445600000,"v":1,"workerId":"0a1b2c3d4e5f60718293a4b5c6d7e8f9","workerSeq":2}`,
] as const
const knownHashes = [
  'b1734ec26ea8f8ce47dc687aaf4efbcb5ee13325f5db1df10e159e7c9e82b754',
  '83bf1a76c1e9afde510ed2dbab30a99fffb65ede17d4bf45c3cc3aa3e6672674',
] as const

describe('A70 canonical form', () => {
  test('A70 the first known line is what its fields give, in whatever order they are written', () => {
    const record = eventRecord({
      workerSeq: 1,
      workerId,
      time: 1772406000000,
      terminalCode: 'GATE-A-01',
      source: '1',
      seq: 1,
      score: ledgerScore(95.3),
      recordId: '1001',
      receivedAt: 1772406003000,
      projectCode,
      pointHash: null,
      pictureHash: '2dabd364013897cccceb7b1526cffb689610f8202cff6b4a8c387525982ad437',
      pass: '1',
      live: '1',
      direction: '01',
      clockOffsetMs: null,
      channel: '1号门',
      attendType: '001',
    })
    expect(canonical(record)).toBe(known[0])
    expect(canonical(Object.fromEntries(Object.entries(record).reverse()))).toBe(known[0])
  })
  test('A70 escapes as RFC 8785, keys by UTF-16 units', () => {
    expect(canonical({ b: '\u20ac$\u000f\nA\'B"\\\\"/', a: null, '\u{1F600}': 1, '\uFB33': 2, '1': -0 })).toBe(
      '{"1":0,"a":null,"b":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/","😀":1,"\uFB33":2}',
    )
  })
  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('A70 %s does not enter', (v) => {
    expect(() => canonical({ v })).toThrow()
  })
  test('A70 half a surrogate pair has no form', () => expect(() => canonical({ v: '\ud800' })).toThrow())
  test('A70 scores in hundredths', () => {
    expect([95.3, 80, 99.995, 0, null].map(ledgerScore)).toEqual([9530, 8000, 10000, 0, null])
  })
})

describe('A71 chain', () => {
  test('A71 known answers', () => {
    const first = entryHash(genesisHash(projectCode), known[0])
    expect(first).toBe(knownHashes[0])
    expect(entryHash(first, Buffer.from(known[1]))).toBe(knownHashes[1])
  })
  test('A69 numbers from 1 without gaps, receivedAt never falls', () => {
    const make = (place: { seq: number; receivedAt: number }) => ({ kind: 'event', ...place })
    const one = append(emptyChain(projectCode), 2000, make)
    const two = append(one.head, 1000, make)
    expect([one.head.seq, two.head.seq]).toEqual([1, 2])
    expect(two.head.receivedAt).toBe(2000)
    expect(two.canonical).toBe('{"kind":"event","receivedAt":2000,"seq":2}')
    expect(two.head.hash).toBe(entryHash(one.head.hash, two.canonical))
  })
  test('A72 a person, not a stranger, has numbers of their own', () => {
    const seq = new WorkerSequence([['b', 7]])
    expect([seq.next('a'), seq.next(null), seq.next('a'), seq.next('b')]).toEqual([1, null, 2, 8])
  })
  test('A76 details are hashed behind 16 random bytes', () => {
    expect(saltedHash(new Uint8Array(16), { reason: '闸机故障' })).not.toBe(saltedHash(new Uint8Array(16).fill(1), { reason: '闸机故障' }))
    expect(() => saltedHash(new Uint8Array(8), {})).toThrow()
  })
})

const hashes = (n: number) => Array.from({ length: n }, (_, i) => entryHash(genesisHash('x'), String(i)))

describe('A73 daily root', () => {
  test('A73 known root of the two entries', () => {
    expect(merkleRoot(knownHashes)).toBe('27506c9b0afa383d229c5011724c55e7830213a2ef334e67d3816aca9026e7c9')
  })
  test('A73 empty = SHA-256 of nothing', () => {
    expect(merkleRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
  test('A73 building leaf by leaf gives the recursive root; every leaf has a path and no other place', () => {
    for (let n = 1; n <= 33; n++) {
      const all = hashes(n)
      const root = merkleRoot(all)
      const builder = new MerkleBuilder()
      for (const h of all) builder.add(h)
      expect(builder.count).toBe(n)
      for (let i = 0; i < n; i++) {
        const path = inclusionPath(all, i)
        expect(isIncluded(all[i]!, i, n, path, root)).toBe(true)
        for (let other = 0; other < n; other++) if (other !== i) expect(isIncluded(all[i]!, other, n, path, root)).toBe(false)
        expect(isIncluded(knownHashes[0], i, n, path, root)).toBe(false)
        expect(isIncluded(all[i]!, i, n, [...path, root], root)).toBe(false)
        if (path.length > 0) expect(isIncluded(all[i]!, i, n, path.slice(1), root)).toBe(false)
      }
    }
  })
  test('A73 a root record names the one before; a date without entries has count 0 and null numbers', () => {
    const first = dailyRoot(
      projectCode,
      '2026-03-02',
      knownHashes.map((hash, i) => ({ seq: i + 1, hash })),
      { lastHash: genesisHash(projectCode), prevRoot: null },
    )
    expect(first).toMatchObject({ count: 2, firstSeq: 1, lastSeq: 2, lastHash: knownHashes[1] })
    const second = dailyRoot(projectCode, '2026-03-03', [], { lastHash: first.lastHash, prevRoot: rootHash(first) })
    expect(second).toMatchObject({ count: 0, firstSeq: null, lastSeq: null, prevRoot: rootHash(first) })
    expect(canonical(rootRecord(second))).toBe(
      `{"count":0,"date":"2026-03-03","firstSeq":null,"kind":"root","lastHash":"${knownHashes[1]}","lastSeq":null,"merkleRoot":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","prevRoot":"${rootHash(first)}","projectCode":"${projectCode}","v":1}`,
    )
  })
})

// ---------- a chain of several days and persons ----------

const begin = Date.parse('2026-03-02T07:00:00+08:00')
function chainOf(length: number, perDay = 10) {
  const entries: StoredEntry[] = []
  const sequence = new WorkerSequence()
  let head: ChainHead = emptyChain(projectCode)
  for (let i = 0; i < length; i++) {
    const person = i % 3 === 0 ? workerId : i % 3 === 1 ? 'other' : null
    const made = append(head, begin + Math.floor(i / perDay) * 86_400_000 + (i % perDay) * 1000, ({ seq, receivedAt }) =>
      eventRecord({
        attendType: '001',
        channel: null,
        clockOffsetMs: null,
        direction: '01',
        live: '1',
        pass: '1',
        pictureHash: null,
        pointHash: null,
        projectCode,
        receivedAt,
        recordId: String(i),
        score: 9000,
        seq,
        source: '1',
        terminalCode: 'G1',
        time: receivedAt,
        workerId: person,
        workerSeq: sequence.next(person),
      }),
    )
    entries.push({ seq: made.head.seq, canonical: made.canonical, hash: made.head.hash })
    head = made.head
  }
  return entries
}
function rootsOf(entries: readonly StoredEntry[]): Root[] {
  const roots: Root[] = []
  const dates = [...verifyChain(projectCode, entries).dates.keys()]
  let before: { lastHash: string; prevRoot: string | null } = { lastHash: genesisHash(projectCode), prevRoot: null }
  for (const date of dates) {
    const ofDate = entries.filter(
      (e) =>
        (JSON.parse(e.canonical) as { receivedAt: number }).receivedAt + shanghaiOffsetMs >= Date.parse(date) &&
        (JSON.parse(e.canonical) as { receivedAt: number }).receivedAt + shanghaiOffsetMs < Date.parse(date) + 86_400_000,
    )
    const root = dailyRoot(projectCode, date, ofDate, before)
    roots.push(root)
    before = { lastHash: root.lastHash, prevRoot: rootHash(root) }
  }
  return roots
}
const chain = chainOf(45)
const roots = rootsOf(chain)
const kindsOf = (entries: readonly StoredEntry[]) =>
  verifyChain(projectCode, entries).findings.map((f) => `${f.kind} ${f.seq}${f.toSeq && f.toSeq !== f.seq ? `-${f.toSeq}` : ''}`)
const renumbered = (entries: readonly StoredEntry[]) => entries.map((e, i) => ({ ...e, seq: i + 1 }))

test('A78 taking a picture away is an entry of its own; the chain holds without the picture, and not without the entry', () => {
  const last = chain.at(-1)!
  const head = { projectCode, seq: last.seq, hash: last.hash, receivedAt: begin + 30 * 86_400_000 }
  const erased = append(head, head.receivedAt, ({ seq, receivedAt }) =>
    erasureRecord({
      at: receivedAt,
      count: 3,
      fromSeq: 1,
      projectCode,
      receivedAt,
      rule: 'two years',
      seq,
      toSeq: 7,
      what: 'picture',
      workerId,
      workerSeq: 16,
    }),
  )
  const after = append(erased.head, erased.head.receivedAt + 1000, ({ seq, receivedAt }) =>
    erasureRecord({
      at: receivedAt,
      count: 0,
      fromSeq: 1,
      projectCode,
      receivedAt,
      rule: 'x',
      seq,
      toSeq: 1,
      what: 'x',
      workerId: null,
      workerSeq: null,
    }),
  )
  const entries = [erased, after].map((made) => ({ seq: made.head.seq, canonical: made.canonical, hash: made.head.hash }))
  expect(kindsOf([...chain, ...entries])).toEqual([])
  expect(JSON.parse(erased.canonical)).toMatchObject({ kind: 'erasure', count: 3, workerId })
  expect(kindsOf([...chain, entries[1]!])).toEqual([`missing ${last.seq + 1}`])
})

describe('A75 verify', () => {
  test('A75 an untouched chain and its roots hold, streamed too', async () => {
    const verified = verifyChain(projectCode, chain)
    expect(verified).toMatchObject({ entries: 45, lastSeq: 45, findings: [] })
    expect(verifyRoots(projectCode, roots, verified)).toEqual([])
    expect(
      compareRoots(
        projectCode,
        roots,
        roots.map((r) => ({ date: r.date, hash: rootHash(r) })),
      ),
    ).toEqual([])
    const streamed = verifyChainStream(
      projectCode,
      (async function* () {
        yield* chain
      })(),
    )
    expect((await streamed).findings).toEqual([])
  })
  test('A75 one byte anywhere in one entry is one finding at its number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 44 }), fc.nat(), (i, at) => {
        const text = chain[i]!.canonical
        const p = at % text.length
        const changed = text.slice(0, p) + (text[p] === '7' ? '8' : '7') + text.slice(p + 1)
        const findings = verifyChain(projectCode, chain.with(i, { ...chain[i]!, canonical: changed })).findings
        return (
          findings.length > 0 &&
          findings.every((f) => f.seq === i + 1 || f.note === '接收时间早于前一条') &&
          findings.some((f) => f.kind === 'altered' && f.seq === i + 1)
        )
      }),
      { numRuns: 300 },
    )
  })
  test('A75 an altered stored hash is found', () => {
    const broken = verifyChain(projectCode, chain.with(10, { ...chain[10]!, hash: knownHashes[0] })).findings
    expect(broken[0]).toMatchObject({ kind: 'altered', seq: 11, day: '2026-03-03', projectCode })
  })
  test.each([
    ['numbers left as they were', (e: StoredEntry[]) => e],
    ['numbered anew', renumbered],
  ])('A75 a missing entry, %s', (_, number) => {
    expect(kindsOf(number(chain.toSpliced(20, 1)))).toEqual(['missing 21'])
    expect(kindsOf(number(chain.toSpliced(20, 5)))).toEqual(['missing 21-25'])
    expect(kindsOf(number(chain.toSpliced(0, 2)))).toEqual(['missing 1-2'])
  })
  test.each([
    ['under a number already taken', (e: StoredEntry[]) => e],
    ['numbered anew', renumbered],
  ])('A75 an inserted entry, %s', (_, number) => {
    const foreign = { seq: 21, canonical: chain[20]!.canonical.replace('"01"', '"02"'), hash: knownHashes[0] }
    expect(kindsOf(number(chain.toSpliced(20, 0, foreign)))).toEqual(['inserted 21'])
    expect(kindsOf(number(chain.toSpliced(21, 0, chain[20]!)))).toEqual([`inserted ${number === renumbered ? 22 : 21}`])
  })
  test('A75 two entries that changed places', () => {
    const swap = (a: number, b: number) => renumbered(chain.with(a, chain[b]!).with(b, chain[a]!))
    expect(kindsOf(swap(20, 21)).filter((f) => f.startsWith('reordered'))).toEqual(expect.arrayContaining(['reordered 21', 'reordered 22']))
    expect(kindsOf(swap(20, 30))).toEqual(expect.arrayContaining(['reordered 21', 'reordered 31']))
    expect(kindsOf(swap(20, 30)).every((f) => f.startsWith('reordered'))).toBe(true)
  })
  test('A75 a chain hashed anew throughout is sound in itself: the roots show it', () => {
    let head = emptyChain(projectCode)
    const forged = chain.map((e, i) => {
      const text = i === 3 ? e.canonical.replace('"direction":"01"', '"direction":"02"') : e.canonical
      head = { ...head, hash: entryHash(head.hash, text) }
      return { seq: e.seq, canonical: text, hash: head.hash }
    })
    const verified = verifyChain(projectCode, forged)
    expect(verified.findings).toEqual([])
    expect(verifyRoots(projectCode, roots, verified)[0]).toMatchObject({ kind: 'rootDiffers', day: '2026-03-02' })
    expect(
      compareRoots(
        projectCode,
        rootsOf(forged),
        roots.map((r) => ({ date: r.date, hash: rootHash(r) })),
      ),
    ).toHaveLength(5)
  })
  test('A75 an end cut off is missing, by the roots', () => {
    expect(verifyRoots(projectCode, roots, verifyChain(projectCode, chain.slice(0, 43)))).toMatchObject([
      { kind: 'missing', seq: 44, toSeq: 45, day: '2026-03-06' },
    ])
    expect(verifyRoots(projectCode, roots, verifyChain(projectCode, chain.slice(0, 40)))).toMatchObject([
      { kind: 'missing', seq: 41, toSeq: 45 },
    ])
  })
  test('A75 a root changed, dropped or of another chain', () => {
    const verified = verifyChain(projectCode, chain)
    expect(verifyRoots(projectCode, roots.with(1, { ...roots[1]!, count: 9 }), verified).map((f) => f.day)).toContain('2026-03-03')
    expect(verifyRoots(projectCode, roots.toSpliced(2, 1), verified).length).toBeGreaterThan(0)
    expect(verifyRoots(projectCode, roots, verified, knownHashes[0])[0]?.note).toContain('不相接')
    expect(compareRoots(projectCode, roots.slice(1), [{ date: '2026-03-02', hash: rootHash(roots[0]!) }])[0]?.note).toContain('不存在')
  })
  test('A75 a record row that differs from its entry is named', () => {
    const rows = chain.map((e, i) => ({
      ...e,
      rowId: `r${i}`,
      rebuilt: i === 7 ? e.canonical.replace('"01"', '"02"') : i === 9 ? null : e.canonical,
    }))
    expect(verifyChain(projectCode, rows).findings).toMatchObject([
      { kind: 'rowDiffers', seq: 8, row: 'r7' },
      { kind: 'rowDiffers', seq: 10, row: 'r9' },
    ])
  })
  test('A75 a period is verified from the root before it', () => {
    expect(verifyChain(projectCode, chain.slice(10), { seq: 10, hash: chain[9]!.hash }).findings).toEqual([])
    expect(verifyChain(projectCode, chain.slice(10), { seq: 10, hash: knownHashes[0] }).findings).toMatchObject([
      { kind: 'altered', seq: 11 },
    ])
  })
  test('A75 one byte in 100,000 entries', () => {
    const long = chainOf(100_000, 20_000)
    const findings = verifyChain(
      projectCode,
      long.with(61_801, { ...long[61_801]!, canonical: long[61_801]!.canonical.replace('9000', '9001') }),
    ).findings
    expect(findings).toMatchObject([{ kind: 'altered', seq: 61_802 }])
  })
})

describe('A77 proof for one person', () => {
  const proof: Proof = {
    projectCode,
    workerId,
    rulesVersion: '1',
    roots,
    entries: chain.flatMap((e, i) => {
      const own = JSON.parse(e.canonical) as { workerId: string | null }
      if (own.workerId !== workerId) return []
      const root = roots.find((r) => r.firstSeq! <= e.seq && e.seq <= r.lastSeq!)!
      const index = e.seq - root.firstSeq!
      const ofDate = chain.slice(root.firstSeq! - 1, root.lastSeq!).map((x) => x.hash)
      return [
        {
          canonical: e.canonical,
          hash: e.hash,
          previousHash: i === 0 ? genesisHash(projectCode) : chain[i - 1]!.hash,
          date: root.date,
          index,
          path: inclusionPath(ofDate, index),
        },
      ]
    }),
  }
  const trusted = new Map(roots.map((r) => [r.date, rootHash(r)]))
  test('A77 holds without the database and names nobody else', () => {
    expect(verifyProof(proof, { trusted })).toEqual([])
    expect(JSON.stringify(proof)).not.toContain('"other"')
    expect(proof.entries).toHaveLength(15)
  })
  test('A77 a left-out entry makes it incomplete', () => {
    expect(verifyProof({ ...proof, entries: proof.entries.toSpliced(4, 1) })).toMatchObject([{ kind: 'incomplete', workerSeq: 6 }])
  })
  test('A77 an excerpt says where it begins', () => {
    expect(verifyProof({ ...proof, entries: proof.entries.slice(4) }, { from: 5 })).toEqual([])
    expect(verifyProof({ ...proof, entries: proof.entries.slice(4) })).toMatchObject([{ kind: 'incomplete' }])
  })
  test('A77 altered, misplaced, foreign entries and foreign roots are found', () => {
    const first = proof.entries[0]!
    const kinds = (p: Proof, t?: Map<string, string>) => verifyProof(p, t ? { trusted: t } : {}).map((f) => f.kind)
    expect(kinds({ ...proof, entries: proof.entries.with(0, { ...first, canonical: first.canonical.replace('"01"', '"02"') }) })).toEqual([
      'altered',
    ])
    expect(kinds({ ...proof, entries: proof.entries.with(0, { ...first, index: 1 }) })).toEqual(['notUnderRoot'])
    expect(kinds({ ...proof, entries: proof.entries.with(0, { ...first, canonical: 'x' }) })).toContain('altered')
    expect(kinds({ ...proof, workerId: 'other' }).every((k) => k === 'foreign')).toBe(true)
    expect(kinds(proof, new Map(trusted).set('2026-03-04', knownHashes[0]))).toEqual(['rootDiffers'])
    expect(kinds(proof, new Map())).toHaveLength(5)
  })
})
