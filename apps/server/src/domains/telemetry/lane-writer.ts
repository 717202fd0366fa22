import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { asRuntime, type Tables, type Tx } from '#kit/db'
import { markHeardAgain, markStale, writeAlarmOps } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import { writeStates } from '../rules/public.ts'
import type { Batch, Job } from './batch.ts'
import type { DeferredLatest } from './deferred-latest.ts'
import { copyReadings, mergeReadings, readingKey, takeFresh, writeEvents, writeLatest, writeRecords } from './store.ts'
import type { GateRecord, OnGateRecords, Outcome, Work } from './work.ts'

/**
 * After a batch with duplicates, this many batches use the slower write that tolerates them, because a device that repeats usually goes on
 * repeating.
 */
const carefulBatches = 20

export interface WriterOptions {
  databaseUrl: string
  onGateRecords?: OnGateRecords | undefined
}

/** Result of a committed batch. */
interface Written {
  outcomes: Map<Work, Outcome>
  adopted: Awaited<ReturnType<typeof writeAlarmOps>>
  /** Callbacks to run after the commit. */
  after: (() => void | Promise<void>)[]
}
type RecordOf = Work['records'][number]

/** The database connection of one lane. Writes a batch in one transaction. */
export class LaneWriter {
  private readonly options: WriterOptions
  private readonly number: number
  private readonly latest: DeferredLatest
  private client: pg.Client | undefined
  private tx: Tx | undefined
  private careful = 0

  constructor(number: number, options: WriterOptions, latest: DeferredLatest) {
    this.number = number
    this.options = options
    this.latest = latest
  }

  get isConnected(): boolean {
    return this.client !== undefined
  }

  /** Switches to the write that tolerates duplicates. Returns false if it is already in use. */
  beCareful(): boolean {
    if (this.careful > 0) return false
    this.careful = carefulBatches
    return true
  }

  async write(batch: Batch, jobs: readonly Job[]): Promise<Written> {
    const client = await this.connect()
    const after: Written['after'] = []
    const latest = this.latest.due(batch, jobs)
    await client.query('begin')
    try {
      const fresh = await this.readings(client, batch)
      await writeLatest(client, latest)
      const { records, gate } = this.sorted(batch)
      const freshRecords = await writeRecords(client, records)
      const freshEvents = await writeEvents(client, batch.works.flatMap(eventsOf))
      await writeOnline(client, batch.cameOnline)
      await writeOffline(
        client,
        jobs.flatMap((job) => job.offline),
      )
      const adopted = await writeAlarmOps(client, batch.effects.ops)
      await writeStates(client, batch.effects.states.values())
      await writeEvents(client, batch.effects.notes)
      if (gate.length && this.options.onGateRecords && this.tx) {
        const fn = await this.options.onGateRecords(this.tx, gate)
        if (fn) after.push(fn)
      }
      await client.query('commit')
      this.latest.written(batch, latest)
      return { outcomes: this.outcomes(batch, fresh, freshRecords, freshEvents), adopted, after }
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  /** Keys of the readings that are new; undefined if all were inserted without a check for duplicates. */
  private async readings(client: pg.Client, batch: Batch): Promise<Set<string> | undefined> {
    if (batch.readings.length === 0) return undefined
    if (this.careful === 0) {
      await copyReadings(client, batch.readings)
      return undefined
    }
    const fresh = await mergeReadings(client, batch.readings)
    this.careful = fresh.size < batch.readings.length ? carefulBatches : this.careful - 1
    return fresh
  }

  private isGate(item: RecordOf): boolean {
    return item.record === 'attendance' && this.options.onGateRecords !== undefined
  }

  /** Separates records stored here from gate passages, which the attendance domain stores. */
  private sorted(batch: Batch) {
    const records: { work: Work; device: FleetDevice; item: RecordOf }[] = []
    const gate: GateRecord[] = []
    for (const work of batch.works)
      for (const item of work.records) {
        const { device } = work
        if (this.isGate(item)) gate.push(passageOf(device, item))
        else records.push({ work, device, item })
      }
    return { records, gate }
  }

  private outcomes(
    batch: Batch,
    fresh: Set<string> | undefined,
    freshRecords: Awaited<ReturnType<typeof writeRecords>>,
    freshEvents: Awaited<ReturnType<typeof writeEvents>>,
  ): Map<Work, Outcome> {
    const outcomes = new Map<Work, Outcome>()
    for (const work of batch.works) {
      const again = fresh ? work.readings.filter((r) => !fresh.has(readingKey(work.device.id, r))).length : 0
      // Duplicate gate passages are detected by the attendance domain.
      const records = work.records.filter(
        (r) => !this.isGate(r) && r.record !== 'period' && !takeFresh(freshRecords, work.device.id, r),
      ).length
      const events = work.events.filter((e) => !takeFresh(freshEvents, work.device.id, e)).length
      outcomes.set(work, { duplicated: again + records + events + (fresh ? 0 : (batch.repeated.get(work) ?? 0)) })
    }
    return outcomes
  }

  private async connect(): Promise<pg.Client> {
    if (this.client) return this.client
    const client = new pg.Client({
      connectionString: this.options.databaseUrl,
      application_name: `zhugong-ingest-${this.number}`,
      connectionTimeoutMillis: 5_000,
      ...asRuntime,
    })
    client.on('error', () => {
      if (this.client === client) this.client = undefined
    })
    await client.connect()
    this.client = client
    // The same connection for Kysely, so that the attendance domain stores gate records in this transaction.
    const single = { connect: async () => ({ query: client.query.bind(client), release: () => undefined }), end: async () => undefined }
    this.tx = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: single as never }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    }) as unknown as Tx
    return client
  }

  async disconnect(): Promise<void> {
    const { client } = this
    this.client = undefined
    await client?.end().catch(() => undefined)
  }
}

const eventsOf = (work: Work) =>
  work.events.map((item) => ({ deviceId: work.device.id, item: { ...item, data: { ...item.data, state: item.state, value: item.value } } }))

function passageOf(device: FleetDevice, { time, receivedAt, seq, id, data }: RecordOf): GateRecord {
  return {
    deviceId: device.id,
    projectCode: device.projectCode,
    deviceName: device.name,
    params: device.params,
    time,
    receivedAt,
    seq,
    id,
    data,
  }
}

async function writeOnline(client: pg.Client, cameOnline: Batch['cameOnline']): Promise<void> {
  await writeEvents(
    client,
    cameOnline.map(({ device, time }) => ({ deviceId: device.id, item: { time, id: 'online', type: 'online', data: {} } })),
  )
  if (cameOnline.length === 0) return
  await markHeardAgain(
    client,
    cameOnline.map((c) => c.device.id),
  )
}

async function writeOffline(client: pg.Client, offline: Job['offline']): Promise<void> {
  if (offline.length === 0) return
  await client.query(
    `update device_latest l set online = false, online_since = o.at::timestamptz
     from jsonb_to_recordset($1::jsonb) as o(id text, at text) where l.device_id = o.id and l.online`,
    [JSON.stringify(offline.map((o) => ({ id: o.device.id, at: new Date(o.at).toISOString() })))],
  )
  await writeEvents(
    client,
    offline.map((o) => ({ deviceId: o.device.id, item: { time: o.at, id: 'offline', type: 'offline', data: { since: o.since } } })),
  )
  await markStale(
    client,
    offline.map((o) => o.device.id),
  )
}
