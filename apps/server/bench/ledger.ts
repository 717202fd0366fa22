import { once } from 'node:events'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openDatabase } from '#kit/db'
import { linkEntries, type NewEntry } from '../src/domains/attendance/chain.ts'
import { emptyChain, eventRecord, WorkerSequence } from '../src/domains/attendance/engine/ledger.ts'
import { closeRoots } from '../src/domains/attendance/roots.ts'
import { line } from './measure.ts'
import { memoryMb } from './memory.ts'
import { ownerOf } from './people-rows.ts'

const site = 'BENCHLEDGER00001'
const entries = 1_000_000
const people = 2_000
const writtenAtOnce = 20_000
const firstDay = Date.parse('2026-08-01T06:00:00+08:00')
/** One gate record every 8 s: the rows cover about three months. */
const everyMs = 8_000
/** Limit for the check of the largest ledger. */
const limitSeconds = 10

export interface LedgerBench {
  databaseUrl: string
  url: string
  apiPid: number
  login(account: string): Promise<string>
}

interface Checked {
  ok: boolean
  entries: number
  words: string
  findings: { day: string | null; seq: number | null; kindName: string; row: string | null }[]
}

/**
 * Changes one byte in a ledger of a million rows and measures how long the product's check takes to name the day and the row. Returns false
 * when it does not.
 */
export async function benchLedger(b: LedgerBench): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerOf(b.databaseUrl) })
  client.on('error', () => undefined)
  await client.connect()
  const begun = performance.now()
  await fillLedger(client, b.databaseUrl)
  console.log(`(a ledger of ${entries} entries made in ${((performance.now() - begun) / 1000).toFixed(0)} s)`)
  const token = await b.login('admin')
  const check = async (name: string, expected: { day: string; seq: number } | undefined): Promise<boolean> => {
    const before = memoryMb(b.apiPid)
    const started = performance.now()
    const answer = (await fetch(`${b.url}/api/v1/attendance/ledger/verify?projectCode=${site}`, { headers: { token, group: '*' } }).then(
      (r) => r.json(),
    )) as { status: number; message: string; data: Checked }
    if (answer.status !== 0) throw new Error(`ledger: ${answer.message}`)
    const seconds = (performance.now() - started) / 1000
    const { findings, words } = answer.data
    const isRight = expected
      ? findings.length > 0 && findings.every((f) => f.day === expected.day && f.seq === expected.seq)
      : findings.length === 0
    const verdict = isRight && seconds <= limitSeconds ? 'ok' : isRight ? `slower than ${limitSeconds} s` : 'NOT FOUND'
    line(
      `ledger, ${name}`,
      `${seconds.toFixed(1)} s, ${Math.round(answer.data.entries / seconds)} rows/s`,
      words,
      `${verdict}, api ${before} -> ${memoryMb(b.apiPid)} MB`,
    )
    return isRight
  }
  let isSound = await check('untouched', undefined)
  const seq = 765_432
  const day = new Date(firstDay + seq * everyMs + shanghaiOffsetMs).toISOString().slice(0, 10)
  const turn = (table: string, column: string, from: string, to: string) =>
    client.query(`update ${table} set ${column} = replace(${column}, $3, $4) where project_code = $1 and seq = $2`, [site, seq, from, to])
  await turn('attendance_ledger', 'entry', '"channel":"1"', '"channel":"2"')
  isSound = (await check('a byte of the ledger', { day, seq })) && isSound
  await turn('attendance_ledger', 'entry', '"channel":"2"', '"channel":"1"')
  await turn('attendance_event', 'channel', '1', '2')
  isSound = (await check('a byte of a record', { day, seq })) && isSound
  await turn('attendance_event', 'channel', '2', '1')
  await client.end()
  return isSound
}

async function fillLedger(client: pg.Client, databaseUrl: string): Promise<void> {
  await client.query(`set synchronous_commit = off`)
  await client.query(
    `insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man)
     values (md5($1), $1, '台账样本', '01', '005', '420202', '样本', 115, 30, '001', 1, '2026-01-01', '2027-01-01', '样本') on conflict do nothing`,
    [site],
  )
  let head = emptyChain(site)
  const sequence = new WorkerSequence([])
  for (let at = 0; at < entries; at += writtenAtOnce) {
    const linked = linkEntries(
      head,
      sequence,
      Array.from({ length: writtenAtOnce }, (_, i) => passage(at + i + 1)),
    )
    head = linked.head
    if (at === 0)
      await client.query(`insert into attendance_chain (project_code, seq, hash, received_at) values ($1, 0, $2, null)`, [
        site,
        emptyChain(site).hash,
      ])
    await copy(
      client,
      'attendance_event',
      'project_code, id, dedup_key, worker_id, time, received_at, direction, attend_type, terminal_code, channel, score, live, pass, source, record_id, seq',
      linked.rows.map((row) => {
        const time = new Date(Date.parse(row.received_at) - 2_000).toISOString()
        return [
          site,
          row.event_id,
          row.event_id,
          row.worker_id,
          time,
          row.received_at,
          '01',
          '1',
          'GATE1',
          '1',
          '0.95',
          '1',
          '1',
          'gate',
          row.event_id,
          String(row.seq),
        ]
      }),
    )
    await copy(
      client,
      'attendance_ledger',
      'project_code, seq, worker_id, worker_seq, kind, received_at, event_id, entry, hash',
      linked.rows.map((r) => [site, String(r.seq), r.worker_id, String(r.worker_seq), r.kind, r.received_at, r.event_id, r.entry, r.hash]),
    )
  }
  await client.query(`update attendance_chain set seq = $2, hash = $3, received_at = $4 where project_code = $1`, [
    site,
    head.seq,
    head.hash,
    new Date(head.receivedAt),
  ])
  for (const table of ['attendance_event', 'attendance_ledger']) await client.query(`vacuum analyze ${table}`)
  const database = openDatabase(databaseUrl, { max: 2 })
  await closeRoots(database.kysely, new Date(head.receivedAt + shanghaiOffsetMs).toISOString().slice(0, 10), Date.now())
  await database.close()
}

function passage(n: number): NewEntry {
  const receivedAt = firstDay + n * everyMs
  const workerId = `ledger${String(n % people).padStart(26, '0')}`
  const eventId = `event${String(n).padStart(27, '0')}`
  return {
    workerId,
    kind: 'event',
    eventId,
    receivedAt,
    record: ({ seq, receivedAt, workerSeq }) =>
      eventRecord({
        attendType: '1',
        channel: '1',
        clockOffsetMs: null,
        direction: '01',
        live: '1',
        pass: '1',
        pictureHash: null,
        pointHash: null,
        projectCode: site,
        receivedAt,
        recordId: eventId,
        score: 95,
        seq,
        source: 'gate',
        terminalCode: 'GATE1',
        time: receivedAt - 2_000,
        workerId,
        workerSeq,
      }),
  }
}

/** Writes rows with COPY. A table under row-level security accepts COPY only through another table. */
async function copy(client: pg.Client, table: string, columns: string, rows: readonly (readonly (string | null)[])[]): Promise<void> {
  await client.query(`create temp table fresh (like ${table} including defaults)`)
  const stream = client.query(copyFrom(`copy fresh (${columns}) from stdin`))
  // The values contain no tabs or line breaks, but JSON contains backslashes.
  const text = rows.map((row) => row.map((v) => (v === null ? '\\N' : v.replaceAll('\\', '\\\\'))).join('\t')).join('\n')
  stream.end(`${text}\n`)
  await once(stream, 'finish')
  await client.query(`insert into ${table} (${columns}) select ${columns} from fresh; drop table fresh`)
}
