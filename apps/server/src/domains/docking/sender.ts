import { knownErrors, notThere, type Outcome, operation, probeMinutes, upload } from '@zhugong/contract/docking/codes'
import type { MappedField } from '@zhugong/contract/docking/mapping'
import { type ObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Db, Row } from '#kit/db'
import { InFlight } from '#kit/in-flight'
import { OutgoingError } from '#kit/outgoing'
import type { Secrets } from '#kit/secret'
import type { HandedUp } from './check-received.ts'
import { convert, type Data } from './convert.ts'
import { fanOut } from './fan-out.ts'
import { valuesFor } from './known.ts'
import { fieldsFor } from './mappings.ts'
import { type Sent, writeResults } from './results.ts'
import type { SenderDependencies } from './sender-dependencies.ts'
import { findSources, openValues, type Source } from './sources.ts'
import type { Step } from './tables.ts'
import { askResult, askThere, handUp, type Line } from './upper-client.ts'

type Platform = Row<'dockingPlatform'>
type Rec = Row<'dockingRecord'>

/** Records taken at once; each is the first of its lane, so they may be sent concurrently. */
const perBatch = 100
const atOnce = 8
/** After this time, another sender may take a record whose result was never stored. A new sender takes back its own at once. */
const leaseMs = 10 * 60_000
const usualAskAgainMs = 30_000
const usualRetryMs: readonly number[] = [5_000, 30_000, 120_000, 600_000]
/** After this many consecutive failures, the upper platform is pinged. */
const troublesInARow = 3
/** Refusals not caused by the row, such as a bad key: they stop the connection instead of failing every row. */
const lineCodes: ReadonlySet<string> = new Set(['E4001'])

/** Queues records taken by a sender that ended without storing results. They are sent unchanged with the same key. */
export async function takeBack({ database, clock }: SenderDependencies): Promise<void> {
  const now = new Date(clock.now())
  await sql`update docking_record set upload_status = '0', due_at = ${now} where upload_status = '4'`.execute(database.kysely)
  await sql`update docking_record set due_at = ${now} where upload_status = '5' and due_at > ${now}`.execute(database.kysely)
}

/** One complete round: creates records from changes, then sends due records on each connection. Returns the amount of work done. */
export async function turnSending(deps: SenderDependencies): Promise<number> {
  const result = await fanOut(deps.database.kysely, deps.clock.now())
  const sent = await Promise.all((await findRunning(deps)).map((platform) => turnPlatform(deps, platform)))
  return sent.reduce((sum, n) => sum + n, result)
}

const findRunning = ({ database }: SenderDependencies): Promise<Platform[]> =>
  database.kysely.selectFrom('dockingPlatform').selectAll().where('status', '=', '01').where('paused', '=', false).orderBy('id').execute()

const lineOf = ({ profile, endpoint, appKey, secret }: Platform, secrets: Secrets): Line => ({
  profile,
  endpoint,
  appKey,
  secret: secrets.open(secret) ?? '',
})

async function turnPlatform(deps: SenderDependencies, platform: Platform): Promise<number> {
  const { clock, outgoing, secrets } = deps
  const line = lineOf(platform, secrets)
  if (platform.downSince) {
    if (platform.probeAt && platform.probeAt.getTime() > clock.now()) return 0
    const why = await askThere(outgoing, line, clock.now())
    await (why === undefined ? isUp(deps, platform) : isDown(deps, platform, why))
    return why === undefined ? 1 : 0
  }
  const rows = await take(deps, platform)
  if (rows.length === 0) return 0
  const begun = performance.now()
  const ready = await prepare(deps, platform, rows)
  const { sent, why } = await sendAll(deps, line, ready)
  await writeResults(deps, platform, sent)
  if (why !== undefined) await isDown(deps, platform, why)
  const { perSecond } = deps
  if (perSecond) await sleep((rows.length * 1_000) / perSecond - (performance.now() - begun))
  return rows.length
}

const sleep = (ms: number) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined)

async function isDown(
  { database, clock, probeMs = probeMinutes * 60_000, log }: SenderDependencies,
  platform: Platform,
  why: string,
): Promise<void> {
  const now = clock.now()
  if (!platform.downSince) log.warn({ platform: platform.id, why }, 'a platform above does not answer')
  await database.kysely
    .updateTable('dockingPlatform')
    .set({ downSince: platform.downSince ?? new Date(now), downReason: why, probeAt: new Date(now + probeMs) })
    .where('id', '=', platform.id)
    .execute()
}

/** Maximum entries in a connection's log, newest first. */
const mostSteps = 50
const backAgain = ({ downSince, downReason }: Pick<Platform, 'downSince' | 'downReason'>, now: Date): Step => ({
  step: '连接恢复',
  at: formatInstant(now),
  by: '系统',
  note: `自 ${downSince ? formatInstant(downSince) : ''} 起${downReason ?? '对方无响应'}，恢复后按顺序补传`,
})

/** Records that failed during the outage become due at once. */
async function isUp({ database, clock }: SenderDependencies, platform: Platform): Promise<void> {
  const now = new Date(clock.now())
  await database.kysely
    .updateTable('dockingPlatform')
    .set({
      downSince: null,
      downReason: null,
      probeAt: null,
      lastAnswer: now,
      steps: JSON.stringify([backAgain(platform, now), ...platform.steps].slice(0, mostSteps)),
    })
    .where('id', '=', platform.id)
    .execute()
  await sql`update docking_record set due_at = ${now} where platform_id = ${platform.id} and due_at > ${now} and upload_status = '0'`.execute(
    database.kysely,
  )
}

/** Takes due records in the order of their objects; those that depend on another lane are set aside. */
async function take({ database, clock }: SenderDependencies, platform: Platform): Promise<Rec[]> {
  const now = clock.now()
  return database.kysely.transaction().execute(async (tx) => {
    const { rows } = await sql<Rec>`
      update docking_record set upload_status = case upload_status when '0' then '4' else '5' end, due_at = ${new Date(now + leaseMs)}
      where id in (select id from docking_record where platform_id = ${platform.id} and due_at is not null and due_at <= ${new Date(now)}
        and upload_status in ('0', '2', '5') order by rank, seq limit ${perBatch} for update skip locked)
      returning *`.execute(tx)
    const fresh = rows.filter((row) => row.uploadStatus === upload.sending)
    const after = fresh.filter((row) => row.afterLane !== null && row.op !== operation.remove)
    const removals = fresh.filter((row) => row.op === operation.remove)
    const { rows: found } = await sql<{ id: string }>`
      update docking_record r set upload_status = '0', due_at = null, wait_lane = b.lane, wait_for = b.reason from (
        select distinct on (r.id) r.id, o.lane, case split_part(o.lane, ':', 1) when 'team' then '班组' when 'project' then '项目' else '前序' end
            || case when o.failed then '未成功' else '尚未上传' end as reason from docking_record r join docking_record o
          on o.platform_id = r.platform_id and o.lane = r.after_lane and o.seq < r.seq and o.upload_status not in ('1', '3')
        where r.id = any (${after.map((row) => row.id)}) order by r.id, o.seq) b
      where r.id = b.id returning r.id`.execute(tx)
    // A deletion is sent after those of all rows that depend on it.
    const { rows: needed } = await sql<{ id: string }>`
      update docking_record r set upload_status = '0', due_at = null, wait_lane = b.lane, wait_for = '关联数据' || case when b.failed then '未成功' else '尚未上传' end from (
        select distinct on (r.id) r.id, o.lane, o.failed from docking_record r join docking_record o
          on o.platform_id = r.platform_id and o.after_lane = r.lane and o.seq < r.seq and o.upload_status not in ('1', '3')
        where r.id = any (${removals.map((row) => row.id)}) order by r.id, o.seq) b
      where r.id = b.id returning r.id`.execute(tx)
    const waits = new Set([...found, ...needed].map((row) => row.id))
    return rows.filter((row) => !waits.has(row.id)).sort((a, b) => a.rank - b.rank || a.seq - b.seq)
  })
}

interface Ready {
  row: Rec
  /** The payload, or the reason why nothing is sent. */
  body: HandedUp | undefined
  held: { code: string; field: string; label: string } | undefined
  /** Newly built, never sent before. */
  isFresh: boolean
}

/** Builds and stores payloads before sending, so that a retry sends the same data. */
async function prepare(deps: SenderDependencies, platform: Platform, rows: readonly Rec[]): Promise<Ready[]> {
  const { database, secrets } = deps
  const ready: Ready[] = []
  const kept: { id: string; payload: Buffer; version: number }[] = []
  const fresh = rows.filter((row) => row.payload === null && row.uploadStatus === upload.sending)
  for (const row of rows)
    if (!fresh.includes(row))
      ready.push({ row, body: row.payload ? JSON.parse(secrets.open(row.payload) ?? 'null') : undefined, held: undefined, isFresh: false })
  for (const type of new Set(fresh.map((row) => row.objectType))) {
    const mine = fresh.filter((row) => row.objectType === type)
    const { fields, version } = await fieldsFor(database.kysely, platform.id, type)
    const removals = await findRemoved(
      database.kysely,
      mine.filter((row) => row.op === operation.remove),
    )
    const sources = await findSources(
      database.kysely,
      type,
      mine.flatMap((row) => (row.op === operation.remove ? [] : [row.sourceId])),
    )
    for (const row of mine) {
      const source = sources.get(row.sourceId)
      const made =
        row.op === operation.remove
          ? { body: wrap(row, type, knownBy(type, fields, secrets.open(removals.get(row.id)))), held: undefined }
          : source
            ? bodyFrom(row, type, fields, source, secrets)
            : gone
      const payload = made.body && secrets.seal(JSON.stringify(made.body))
      if (payload) kept.push({ id: row.id, payload, version })
      ready.push({ row: { ...row, payload: payload ?? null, mappingVersion: version }, ...made, isFresh: true })
    }
  }
  if (kept.length > 0)
    await sql`
      update docking_record r set payload = k.payload, mapping_version = k.version
      from unnest(${kept.map((k) => k.id)}::text[], ${kept.map((k) => k.payload)}::bytea[], ${kept.map((k) => k.version)}::int[]) as k (id, payload, version)
      where r.id = k.id`.execute(database.kysely)
  return ready.sort((a, b) => a.row.rank - b.row.rank || a.row.seq - b.row.seq)
}

type Made = Pick<Ready, 'body' | 'held'>
const gone: Made = { body: undefined, held: { code: 'L003', field: '', label: '' } }

const movedOn: Made = { body: undefined, held: { code: 'L004', field: '', label: '' } }
/** The standard has no field for the verification state; a sent file counts as verified. */
const unverified: Made = { body: undefined, held: { code: 'L005', field: '', label: '' } }

function bodyFrom(row: Rec, type: ObjectType, fields: readonly MappedField[], source: Source, secrets: Secrets): Made {
  const values = valuesFor(row, source)
  if (!values) return movedOn
  if (source.unverified) return unverified
  const { data, problem } = convert(fields, openValues(values, secrets))
  if (problem) return { body: undefined, held: problem }
  return { body: wrap(row, type, data), held: undefined }
}

const wrap = (row: Rec, type: ObjectType, data: Data): HandedUp => ({
  object: objectOf(type).upper,
  op: row.op,
  key: `${row.id}-${row.revision}`,
  businessId: row.sourceId,
  data,
})

/** For deleted rows: the last payload sent, by record, since the source no longer exists. */
async function findRemoved(db: Db, rows: readonly Rec[]): Promise<Map<string, Buffer>> {
  if (rows.length === 0) return new Map()
  const { rows: found } = await sql<{ id: string; payload: Buffer }>`
    select distinct on (r.id) r.id, a.payload from docking_record r
      join docking_record p on p.source_id = r.source_id and p.object_type = r.object_type and p.platform_id = r.platform_id and p.seq < r.seq
      join docking_attempt a on a.record_id = p.id and a.payload is not null and a.outcome in ('stored', 'duplicate', 'locked', 'later')
    where r.id = any (${rows.map((row) => row.id)}) order by r.id, a.at desc`.execute(db)
  return new Map(found.map((one) => [one.id, one.payload]))
}

/** The key fields of a deleted row, as they were sent; no other personal data is sent again. */
function knownBy(type: ObjectType, fields: readonly MappedField[], sent: string | null | undefined): Data {
  if (!sent) return {}
  const { keys, fields: standard } = objectOf(type)
  const sources = new Set(standard.flatMap((field) => (keys.includes(field.upper) ? [field.source] : [])))
  const names = new Set([...keys, ...fields.flatMap((field) => (sources.has(field.source) ? [field.upper] : []))])
  const { data } = JSON.parse(sent) as Pick<HandedUp, 'data'>
  return Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name)))
}

/**
 * Sends concurrently. `why`: the reason if the upper platform is unreachable or rejects our credentials; unsent records then stay
 * unchanged.
 */
async function sendAll(deps: SenderDependencies, line: Line, ready: readonly Ready[]): Promise<{ sent: Sent[]; why: string | undefined }> {
  const sent: Sent[] = []
  let next = 0
  let troubles = 0
  let why: string | undefined
  const work = async () => {
    for (let one = ready[next++]; one; one = ready[next++]) {
      const unsent = { row: one.row, at: deps.clock.now(), outcome: undefined, isFresh: one.isFresh }
      if (why !== undefined) {
        sent.push(unsent)
        continue
      }
      const made = await sendOne(deps, line, one)
      if (made.outcome === 'refused' && lineCodes.has(made.code ?? '')) {
        why = knownErrors[made.code ?? '']?.text ?? made.message
        sent.push(unsent)
        continue
      }
      sent.push(made)
      troubles = made.outcome === 'trouble' ? troubles + 1 : made.outcome === 'held' ? troubles : 0
      if (troubles === troublesInARow) why = await askThere(deps.outgoing, line, deps.clock.now())
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { sent, why }
}

async function sendOne(
  { outgoing, clock, retryMs = usualRetryMs, askAgainMs = usualAskAgainMs }: SenderDependencies,
  line: Line,
  { row, body, held }: Ready,
): Promise<Sent> {
  const at = clock.now()
  const begun = performance.now()
  const took = () => ({ row, at, tookMs: Math.round(performance.now() - begun) })
  if (held) return { ...took(), outcome: 'held', code: held.code, field: held.field, label: held.label, text: '' }
  try {
    const answer =
      row.uploadStatus === upload.asking && row.ticket
        ? await askResult(outgoing, line, row.ticket, at)
        : body
          ? await handUp(outgoing, line, body, at)
          : undefined
    if (!answer) return { ...took(), outcome: 'held', code: 'L003', field: '', label: '', text: '' }
    if (row.op === operation.remove && answer.outcome === 'refused' && answer.code === notThere)
      return { ...took(), outcome: 'absent', text: answer.text }
    return { ...took(), ...answer, againAt: answer.outcome === 'later' ? at + askAgainMs : undefined }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const wait = retryMs[Math.min(row.attempts, retryMs.length - 1)] ?? 0
    return { ...took(), outcome: 'trouble' satisfies Outcome, message: error.message, text: error.message, againAt: clock.now() + wait }
  }
}

const idleMs = 1_000
/** Advisory lock: only one process sends. */
const senderLock = 47_110_820
/** Concurrent turns per group and in total; a slow platform delays only its own connection. */
const turnLimits = { perKey: 4, inAll: 24 }

/** Jobs role: sends continuously. Only one process sends; another takes over when it ends. */
export function startSending(deps: SenderDependencies): { stop(): Promise<void> } {
  let stopped = false
  let wake = () => {}
  const nap = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idleMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const turns = new InFlight(turnLimits, deps.log)
  const busy = new Set<string>()
  /** Starts a turn for every idle connection; one that did work gets another immediately. */
  const begin = async () => {
    for (const platform of await findRunning(deps)) {
      if (busy.has(platform.id) || turns.roomOf(platform.groupId) <= 0) continue
      busy.add(platform.id)
      turns.start(platform.groupId, async () => {
        try {
          if ((await turnPlatform(deps, platform)) > 0) wake()
        } finally {
          busy.delete(platform.id)
        }
      })
    }
  }
  const hold = async () => {
    const client = await deps.database.pool.connect()
    let lost = false
    client.on('error', () => {
      lost = true
    })
    try {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [senderLock])
      if (!rows[0]?.held) return
      await takeBack(deps)
      while (!stopped && !lost) {
        const result = await fanOut(deps.database.kysely, deps.clock.now())
        await begin()
        if (result === 0) await nap()
      }
    } finally {
      // Waits for requests in flight, since the next sender takes back unfinished records.
      await (stopped ? turns.stop() : turns.settled())
      // Closing the connection releases the lock.
      client.release(true)
    }
  }
  const running = (async () => {
    while (!stopped) {
      await hold().catch((error: unknown) => deps.log.warn({ err: error }, 'sending to platforms above'))
      if (!stopped) await nap()
    }
  })()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
