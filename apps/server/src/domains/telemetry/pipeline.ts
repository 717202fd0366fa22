import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { asRuntime, isConnectionLoss, isUniqueViolation, type Tables, type Tx } from '#kit/db'
import type { Log } from '#kit/log'
import { type AlarmOp, markHeardAgain, markStale, writeAlarmOps } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import { flags } from '../readings/public.ts'
import { Effects, type RuleEngine, writeStates } from '../rules/public.ts'
import type { Presence } from './presence.ts'
import {
  copyReadings,
  type Latest,
  mergeReadings,
  newerOf,
  readingKey,
  type StoredReading,
  takeFresh,
  writeEvents,
  writeLatest,
  writeRecords,
} from './store.ts'
import { type GateRecord, type OnGateRecords, type Outcome, type Work, weightOf } from './work.ts'

/** A batch ends after this many items or this long after its first. */
const batchItems = 1_000
const presentItems = (batchItems * 3) / 4
const batchMs = 10
/** A transaction costs as much as dozens of readings: a lane that is told something all the time begins one this often at most. */
const steadyMs = 40
const retryMs = { first: 100, most: 2_000 }
/** A commit that takes longer has met a database that does not answer. */
const patienceMs = 5_000
/** Newest values cost the database more than the readings themselves: in large batches a device's are written this often at most. */
const latestMs = 1_000
const smallBatch = batchItems / 8
/** After a batch with duplicates the next ones go the way that bears them: senders that repeat do so for a while. */
const carefulBatches = 20

export interface Committed {
  latest: readonly Latest[]
  stored: readonly StoredReading[]
  alarms: readonly AlarmOp[]
  cameOnline: readonly { device: FleetDevice; time: number }[]
  /** How long the transaction took. */
  ms: number
  items: number
}

export interface PipelineOptions {
  databaseUrl: string
  log: Log
  engine: RuleEngine
  presence: Presence
  onGateRecords?: OnGateRecords | undefined
  onCommitted?(committed: Committed): void
  lanes?: number
  /** For tests. */
  now?: () => number
}

interface Batch {
  works: Work[]
  effects: Effects
  readings: StoredReading[]
  latest: Map<string, Latest>
  cameOnline: { device: FleetDevice; time: number }[]
  /** Times a reading stands in this very batch more than once. */
  repeated: Map<Work, number>
}

interface Job {
  /** Rule effects without a message: the clock, changed rules, silence. */
  effects: Effects
  offline: { device: FleetDevice; since: number; at: number }[]
  done(): void
}

/**
 * Group commit. Each device belongs to one lane, a lane to one connection and one batch at a time, so that a device's readings are judged
 * in order. Whoever handed in a message hears of it only after its commit. While the database is away nothing is answered and nothing is
 * lost: the batch waits and is written when it is back, and what had been written before is known again by its key.
 */
export class Pipeline {
  private readonly lanes: Lane[]
  constructor(options: PipelineOptions) {
    this.lanes = Array.from({ length: options.lanes ?? 2 }, (_, i) => new Lane(i, options))
  }

  submit(work: Work): void {
    this.laneOf(work.device).submit(work)
  }

  laneOf(device: FleetDevice): Lane {
    return this.lanes[laneNumber(device.id, this.lanes.length)] as Lane
  }
  get all(): readonly Lane[] {
    return this.lanes
  }

  /** Items waiting for their commit. */
  get pending(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.pending, 0)
  }
  /** False while the database does not take what is handed in. */
  get isFlowing(): boolean {
    return this.lanes.every((lane) => !lane.isStuck)
  }
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()))
  }
}

export function laneNumber(deviceId: string, lanes: number): number {
  // Ids end in random hexadecimal digits.
  return (Number.parseInt(deviceId.slice(-4), 36) || 0) % lanes
}

export class Lane {
  private readonly options: PipelineOptions
  readonly number: number
  private queue: Work[] = []
  /** What devices tell of the time they were away: it drives nothing now, and whoever tells the present does not wait for it. */
  private backlog: Work[] = []
  private jobs: Job[] = []
  private weight = 0
  private inFlight = 0
  private running = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined
  private begunAt = Number.NEGATIVE_INFINITY
  private goOn: (() => void) | undefined
  private client: pg.Client | undefined
  private tx: Tx | undefined
  private careful = 0
  /** Newest values that stand back while batches are full, by device; they are stored as readings already. */
  private readonly held = new Map<string, Latest>()
  private readonly latestAt = new Map<string, number>()
  private heldTimer: NodeJS.Timeout | undefined
  private leaving = false
  private wake: (() => void) | undefined
  isStuck = false

  constructor(number: number, options: PipelineOptions) {
    this.number = number
    this.options = options
  }

  get pending(): number {
    return this.weight + this.inFlight
  }

  submit(work: Work): void {
    if (isBacklog(work)) this.backlog.push(work)
    else this.queue.push(work)
    this.weight += weightOf(work)
    this.schedule()
  }

  /** Effects that follow from no message. */
  run(effects: Effects, offline: Job['offline'] = []): Promise<void> {
    if (effects.isEmpty && offline.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.jobs.push({ effects, offline, done: resolve })
      this.schedule()
    })
  }

  private schedule(): void {
    if (this.weight >= batchItems) {
      if (this.running) this.goOn?.()
      else this.start()
    } else if (!this.running) this.timer ??= setTimeout(() => this.start(), Math.max(batchMs, this.dueIn()))
  }

  /** Milliseconds until the next transaction may begin. */
  private dueIn(): number {
    return this.begunAt + steadyMs - performance.now()
  }

  /** Waits for the next transaction's time, or until there is enough for one. */
  private async gather(): Promise<void> {
    const ms = Math.max(batchMs / 2, this.dueIn())
    if (this.leaving) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.goOn = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.goOn = undefined
  }

  private start(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.running) return
    this.running = true
    void this.drain()
  }

  private async drain(): Promise<void> {
    while ((this.queue.length || this.backlog.length || this.jobs.length) && !this.stopped) {
      this.begunAt = performance.now()
      const works = this.takeWorks()
      const jobs = this.jobs.splice(0)
      const batch = this.judge(works)
      for (const job of jobs) {
        batch.effects.alarms.push(...job.effects.ops)
        batch.effects.notes.push(...job.effects.notes)
        for (const state of job.effects.states.values()) batch.effects.state(state)
      }
      await this.commit(batch, jobs)
      this.inFlight = 0
      if (this.weight > 0 && this.weight < batchItems / 4) await this.gather()
    }
    this.running = false
    this.wake?.()
    if (this.held.size && !this.stopped) {
      this.heldTimer ??= setTimeout(() => {
        this.heldTimer = undefined
        void this.writeHeld()
      }, latestMs)
    }
  }

  private writeHeld(): Promise<void> {
    return new Promise((resolve) => {
      this.jobs.push({ effects: new Effects(), offline: [], done: resolve })
      this.schedule()
    })
  }

  private takeWorks(): Work[] {
    let items = 0
    const take = (from: Work[], most: number): Work[] => {
      let count = 0
      while (count < from.length && items < most) items += weightOf(from[count++] as Work)
      return from.splice(0, count)
    }
    // Some of every batch is left to the backlog, however much the present brings.
    const works = take(this.queue, this.backlog.length ? presentItems : batchItems)
    if (this.backlog.length) works.push(...take(this.backlog, batchItems))
    this.weight -= items
    this.inFlight = items
    return works
  }

  /** What the batch means for rules and newest values: worked out once, written as often as it takes. */
  private judge(works: Work[]): Batch {
    const { engine, presence } = this.options
    const batch: Batch = { works, effects: new Effects(), readings: [], latest: new Map(), cameOnline: [], repeated: new Map() }
    // By device the newest so far: what is newer still cannot have been in this batch. Keys are made only for what is not.
    const newestOf = new Map<string, number>()
    let seen: Set<string> | undefined
    for (const work of works) {
      const { device } = work
      if (presence.heard(device.id, work.receivedAt)) {
        batch.cameOnline.push({ device, time: work.receivedAt })
        engine.heard(device, work.receivedAt, batch.effects)
      }
      for (const reading of work.readings) {
        const newest = newestOf.get(device.id)
        if (newest === undefined || reading.time > newest) newestOf.set(device.id, reading.time)
        else seen ??= new Set(batch.readings.map((r) => readingKey(r.device.id, r.reading.time, r.reading.seq)))
        if (seen) {
          const key = readingKey(device.id, reading.time, reading.seq)
          if (seen.has(key)) {
            batch.repeated.set(work, (batch.repeated.get(work) ?? 0) + 1)
            continue
          }
          seen.add(key)
        }
        batch.readings.push({ device, reading })
        engine.take(device, reading, batch.effects)
      }
      for (const record of work.records) engine.record(device, record, batch.effects)
      for (const event of work.events) engine.flag(device, event, batch.effects)
      const { receivedAt } = work
      let latest = newerOf(batch.latest.get(device.id), { device, receivedAt, reading: undefined })
      for (const reading of work.readings) latest = newerOf(latest, { device, receivedAt, reading })
      batch.latest.set(device.id, latest)
    }
    return batch
  }

  private async commit(batch: Batch, jobs: Job[]): Promise<void> {
    const { log, engine, presence } = this.options
    let wait = retryMs.first
    for (;;) {
      if (this.stopped) {
        for (const work of batch.works) work.done(new Error('stopping'), { duplicated: 0 })
        return
      }
      try {
        const begun = performance.now()
        const { outcomes, adopted, after } = await this.patiently(() => this.write(batch, jobs))
        this.isStuck = false
        engine.adopt(adopted)
        for (const job of jobs) {
          for (const one of job.offline) presence.confirmOffline(one.device.id)
          job.done()
        }
        for (const work of batch.works) work.done(undefined, outcomes.get(work) ?? { duplicated: batch.repeated.get(work) ?? 0 })
        this.options.onCommitted?.({
          latest: [...batch.latest.values()],
          stored: batch.readings,
          alarms: batch.effects.ops,
          cameOnline: batch.cameOnline,
          ms: performance.now() - begun,
          items: batch.readings.length,
        })
        for (const fn of after) await Promise.resolve(fn()).catch((error: unknown) => log.error({ err: error }, 'after commit'))
        return
      } catch (error) {
        if (mayPass(error) || !this.client) {
          if (!this.isStuck) log.warn({ err: error }, 'database takes nothing: nothing is acknowledged until it does')
          this.isStuck = true
          await this.disconnect()
          await new Promise((resolve) => setTimeout(resolve, wait))
          wait = Math.min(wait * 2, retryMs.most)
          continue
        }
        if (isUniqueViolation(error) && this.careful === 0) {
          this.careful = carefulBatches
          continue
        }
        log.error({ err: error, messages: batch.works.length }, 'batch refused by the database')
        await this.oneByOne(batch, jobs, error as Error)
        return
      }
    }
  }

  /** One message the database refuses must not hold up the others: each is written by itself, the bad one is handed back. */
  private async oneByOne(batch: Batch, jobs: Job[], error: Error): Promise<void> {
    if (batch.works.length <= 1 && jobs.length === 0) {
      for (const work of batch.works) work.done(isDeviceGone(error) ? undefined : error, { duplicated: 0 })
      return
    }
    const none = (): Batch => ({ works: [], effects: new Effects(), readings: [], latest: new Map(), cameOnline: [], repeated: new Map() })
    if (jobs.length && batch.works.length) {
      // Rules first and alone: an alarm must not be lost with a message that cannot be stored.
      await this.commit({ ...none(), effects: batch.effects }, jobs)
    } else if (jobs.length) {
      for (const job of jobs) job.done()
      return
    } else {
      await this.commit({ ...none(), effects: batch.effects }, [])
    }
    for (const work of batch.works) {
      const single = { ...none(), works: [work] }
      const keys = new Set<string>()
      for (const reading of work.readings) {
        const key = readingKey(work.device.id, reading.time, reading.seq)
        if (keys.has(key)) single.repeated.set(work, (single.repeated.get(work) ?? 0) + 1)
        else single.readings.push({ device: work.device, reading })
        keys.add(key)
      }
      const latest = batch.latest.get(work.device.id)
      if (latest) single.latest.set(work.device.id, latest)
      await this.commit(single, [])
    }
  }

  /** A database that is there and does not answer is away as well: whoever asks is told so meanwhile. */
  private async patiently<T>(write: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      if (!this.isStuck) this.options.log.warn({}, 'database does not answer: nothing is acknowledged until it does')
      this.isStuck = true
    }, patienceMs)
    try {
      return await write()
    } finally {
      clearTimeout(timer)
    }
  }

  private isGate(item: Work['records'][number]): boolean {
    return item.record === 'attendance' && this.options.onGateRecords !== undefined
  }

  private async write(batch: Batch, jobs: Job[]) {
    const client = await this.connect()
    const outcomes = new Map<Work, Outcome>()
    const after: (() => void | Promise<void>)[] = []
    const latest = this.dueLatest(batch, jobs)
    await client.query('begin')
    try {
      let fresh: Set<string> | undefined
      if (batch.readings.length) {
        if (this.careful > 0) {
          fresh = await mergeReadings(client, batch.readings)
          this.careful = fresh.size < batch.readings.length ? carefulBatches : this.careful - 1
        } else {
          await copyReadings(client, batch.readings)
        }
      }
      await writeLatest(client, latest)
      const records: { work: Work; device: FleetDevice; item: Work['records'][number] }[] = []
      const gate: GateRecord[] = []
      for (const work of batch.works) {
        for (const item of work.records) {
          if (this.isGate(item)) {
            const { device } = work
            const { time, receivedAt, seq, id, data } = item
            gate.push({
              deviceId: device.id,
              projectCode: device.projectCode,
              deviceName: device.name,
              params: device.params,
              time,
              receivedAt,
              seq,
              id,
              data,
            })
          } else records.push({ work, device: work.device, item })
        }
      }
      const freshRecords = await writeRecords(client, records)
      const freshEvents = await writeEvents(
        client,
        batch.works.flatMap((work) =>
          work.events.map((item) => ({
            deviceId: work.device.id,
            item: { ...item, data: { ...item.data, state: item.state, value: item.value } },
          })),
        ),
      )
      await writeEvents(
        client,
        batch.cameOnline.map(({ device, time }) => ({ deviceId: device.id, item: { time, id: 'online', type: 'online', data: {} } })),
      )
      if (batch.cameOnline.length) {
        await markHeardAgain(
          client,
          batch.cameOnline.map((c) => c.device.id),
        )
      }
      const offline = jobs.flatMap((job) => job.offline)
      if (offline.length) {
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
      const adopted = await writeAlarmOps(client, batch.effects.ops)
      await writeStates(client, batch.effects.states.values())
      await writeEvents(client, batch.effects.notes)
      if (gate.length && this.options.onGateRecords && this.tx) {
        const fn = await this.options.onGateRecords(this.tx, gate)
        if (fn) after.push(fn)
      }
      await client.query('commit')
      this.latestWritten(batch, latest)
      for (const work of batch.works) {
        const again = fresh ? work.readings.filter((r) => !fresh.has(readingKey(work.device.id, r.time, r.seq))).length : 0
        // Passages of gates are known again by the domain that keeps them.
        const records = work.records.filter(
          (r) => !this.isGate(r) && r.record !== 'period' && !takeFresh(freshRecords, work.device.id, r),
        ).length
        const events = work.events.filter((e) => !takeFresh(freshEvents, work.device.id, e)).length
        outcomes.set(work, { duplicated: again + records + events + (fresh ? 0 : (batch.repeated.get(work) ?? 0)) })
      }
      return { outcomes, adopted, after }
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  /** Newest values that are to be written with a batch: while it is small at once, else each device's as often as it may. */
  private dueLatest(batch: Batch, jobs: readonly Job[]): Latest[] {
    const now = performance.now()
    const isDue = (id: string) => this.leaving || now - (this.latestAt.get(id) ?? Number.NEGATIVE_INFINITY) >= latestMs
    const isSmall = batch.readings.length < smallBatch
    const out = new Map<string, Latest>()
    for (const [id, one] of batch.latest) if (isSmall || isDue(id)) out.set(id, newerOf(this.held.get(id), one))
    // Whoever goes off line is written with what was heard of him last.
    const leaving = new Set(jobs.flatMap((job) => job.offline.map((o) => o.device.id)))
    for (const [id, one] of this.held) if (!batch.latest.has(id) && (isDue(id) || leaving.has(id))) out.set(id, one)
    return [...out.values()]
  }

  private latestWritten(batch: Batch, written: readonly Latest[]): void {
    const now = performance.now()
    for (const [id, one] of batch.latest) this.held.set(id, newerOf(this.held.get(id), one))
    for (const { device } of written) {
      this.held.delete(device.id)
      this.latestAt.set(device.id, now)
    }
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
    // The same connection as a typed one, for the domain that takes gate records in this transaction.
    const single = { connect: async () => ({ query: client.query.bind(client), release: () => undefined }), end: async () => undefined }
    this.tx = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: single as never }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    }) as unknown as Tx
    return client
  }

  private async disconnect(): Promise<void> {
    const { client } = this
    this.client = undefined
    await client?.end().catch(() => undefined)
  }

  /** Writes what is waiting, if the database takes it. */
  async stop(): Promise<void> {
    clearTimeout(this.heldTimer)
    this.leaving = true
    this.goOn?.()
    if (this.held.size) void this.writeHeld()
    if (!this.isStuck && (this.running || this.weight > 0 || this.jobs.length)) {
      const finished = new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.start()
      await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 3_000))])
    }
    this.stopped = true
    clearTimeout(this.timer)
    for (const work of [...this.queue.splice(0), ...this.backlog.splice(0)]) work.done(new Error('stopping'), { duplicated: 0 })
    for (const job of this.jobs.splice(0)) job.done()
    await this.disconnect()
  }
}

const isBacklog = (work: Work) =>
  work.readings.length > 0 && work.records.length + work.events.length === 0 && work.readings.every((r) => r.flag === flags.late)

/** Errors that are none of the message's: no connection, no room on the disk or in memory, a deadlock, a lock or a time limit. */
const mayPass = (error: unknown) =>
  isConnectionLoss(error) || (error instanceof pg.DatabaseError && /^(53|58|40|55P03|57014|25P0[34])/.test(error.code ?? ''))

/** A device removed while its message was on the way. */
const isDeviceGone = (error: unknown) => error instanceof pg.DatabaseError && error.code === '23503'
