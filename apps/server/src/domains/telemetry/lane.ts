import pg from 'pg'
import { isConnectionLoss, isUniqueViolation } from '#kit/db'
import type { Log } from '#kit/log'
import type { AlarmOp } from '../alarms/public.ts'
import type { FleetDevice } from '../equipment/public.ts'
import { Effects, type RuleEngine } from '../rules/public.ts'
import { alone, type Batch, batchOf, isBacklog, type Job, join, judge } from './batch.ts'
import { DeferredLatest, latestMs } from './deferred-latest.ts'
import { LaneWriter, type WriterOptions } from './lane-writer.ts'
import type { Presence } from './presence.ts'
import type { Latest, StoredReading } from './store.ts'
import { type Work, weightOf } from './work.ts'

/** A batch ends after this many items or this long after its first. */
const batchItems = 1_000
const presentItems = (batchItems * 3) / 4
const batchMs = 10
/** Shortest interval between transactions of a lane under steady load, because a transaction costs as much as dozens of readings. */
const steadyMs = 40
const retryMs = { first: 100, most: 2_000 }
/** A commit that takes longer means that the database does not respond. */
const patienceMs = 5_000
/** Batches with fewer readings than this write all latest values. */
const smallBatch = batchItems / 8

export interface Committed {
  latest: readonly Latest[]
  stored: readonly StoredReading[]
  alarms: readonly AlarmOp[]
  cameOnline: readonly { device: FleetDevice; time: number }[]
  /** Duration of the transaction. */
  ms: number
  items: number
}

export interface LaneOptions extends WriterOptions {
  log: Log
  engine: RuleEngine
  presence: Presence
  onCommitted?(committed: Committed): void
}

export class Lane {
  private readonly options: LaneOptions
  readonly number: number
  private queue: Work[] = []
  /** Late readings that devices recorded while disconnected. They change no current state, so current messages take precedence. */
  private backlog: Work[] = []
  private jobs: Job[] = []
  private weight = 0
  private inFlight = 0
  private running = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined
  private begunAt = Number.NEGATIVE_INFINITY
  private goOn: (() => void) | undefined
  private readonly latest = new DeferredLatest(smallBatch)
  private readonly writer: LaneWriter
  private keptTimer: NodeJS.Timeout | undefined
  private wake: (() => void) | undefined
  isStuck = false

  constructor(number: number, options: LaneOptions) {
    this.number = number
    this.options = options
    this.writer = new LaneWriter(number, options, this.latest)
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

  /** Writes rule effects and offline devices that come from no device message. Resolves after the commit. */
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

  /** Waits until the next transaction is due or a batch is full. */
  private async gather(): Promise<void> {
    const ms = Math.max(batchMs / 2, this.dueIn())
    if (this.latest.leaving) return
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
      const batch = judge(this.takeWorks(), this.options)
      const jobs = this.jobs.splice(0)
      join(batch, jobs)
      await this.commit(batch, jobs)
      this.inFlight = 0
      if (this.weight > 0 && this.weight < batchItems / 4) await this.gather()
    }
    this.running = false
    this.wake?.()
    if (this.latest.size && !this.stopped) {
      this.keptTimer ??= setTimeout(() => {
        this.keptTimer = undefined
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
    // A quarter of every batch is reserved for the backlog, whatever the load.
    const works = take(this.queue, this.backlog.length ? presentItems : batchItems)
    if (this.backlog.length) works.push(...take(this.backlog, batchItems))
    this.weight -= items
    this.inFlight = items
    return works
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
        const { outcomes, adopted, after } = await this.patiently(() => this.writer.write(batch, jobs))
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
        if (mayPass(error) || !this.writer.isConnected) {
          if (!this.isStuck) log.warn({ err: error }, 'database takes nothing: nothing is acknowledged until it does')
          this.isStuck = true
          await this.writer.disconnect()
          await new Promise((resolve) => setTimeout(resolve, wait))
          wait = Math.min(wait * 2, retryMs.most)
          continue
        }
        if (isUniqueViolation(error) && this.writer.beCareful()) continue
        log.error({ err: error, messages: batch.works.length }, 'batch refused by the database')
        await this.oneByOne(batch, jobs, error as Error)
        return
      }
    }
  }

  /** After a batch was refused, writes each message separately, so that one message the database refuses does not block the others. */
  private async oneByOne(batch: Batch, jobs: Job[], error: Error): Promise<void> {
    if (batch.works.length <= 1 && jobs.length === 0) {
      for (const work of batch.works) work.done(isDeviceGone(error) ? undefined : error, { duplicated: 0 })
      return
    }
    if (jobs.length && batch.works.length === 0) {
      for (const job of jobs) job.done()
      return
    }
    // Rule effects first, in their own transaction: an alarm must not be lost because a message cannot be stored.
    await this.commit({ ...batchOf(), effects: batch.effects }, jobs)
    for (const work of batch.works) await this.commit(alone(work, batch), [])
  }

  /** Marks the lane as stuck while a write takes too long, so that clients learn that the database does not respond. */
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

  /** Writes pending messages if the database accepts them, then closes the connection. */
  async stop(): Promise<void> {
    clearTimeout(this.keptTimer)
    this.latest.leaving = true
    this.goOn?.()
    if (this.latest.size) void this.writeHeld()
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
    await this.writer.disconnect()
  }
}

/** Temporary errors not caused by the message: connection loss, disk or memory full, deadlock, lock or statement timeout. */
const mayPass = (error: unknown) =>
  isConnectionLoss(error) || (error instanceof pg.DatabaseError && /^(53|58|40|55P03|57014|25P0[34])/.test(error.code ?? ''))

/** Foreign key violation: the device was deleted while its message was in progress. */
const isDeviceGone = (error: unknown) => error instanceof pg.DatabaseError && error.code === '23503'
