import { Worker } from 'node:worker_threads'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FromThread, ToThread } from './messages.ts'

/** Options of a task. */
export interface TaskOptions {
  /** The group that the task belongs to: groups take turns, each with a limited number of tasks. */
  group: string
  /** Longest run time; then the thread is terminated. Time in the queue does not count. */
  timeLimitMs: number
  /** Error message when `timeLimitMs` is exceeded. */
  tooLong: string
  /** Aborts the task when its result is no longer needed. */
  signal?: AbortSignal | undefined
  /**
   * Input that is sent piece by piece when the task requests it, one piece ahead. Large input is thus never completely in memory in both
   * threads.
   */
  pieces?: AsyncIterable<unknown>
}

export interface PoolOptions {
  threads: number
  /** Waiting tasks of one group. */
  waitingPerGroup: number
  waiting: number
  memoryMb: number
  /** An idle thread is terminated after this time. */
  idleMs: number
}

interface Job {
  module: string
  input: unknown
  options: TaskOptions
  resolve(value: unknown): void
  reject(error: Error): void
  onGone: () => void
}

interface Thread {
  worker: Worker
  job: Job | undefined
  pieces: AsyncIterator<unknown> | undefined
  timer: NodeJS.Timeout | undefined
}

const busy = '同时进行的计算过多，请稍后再试'
const tooMuchMemory = '数据量过大，请缩短时间范围或减少数据'

/**
 * Runs long computations in a few worker threads. A thread is terminated when it exceeds its time or memory limit, or when its client has
 * gone; the next task gets a new one. Groups take turns.
 */
export class ThreadPool {
  private readonly options: PoolOptions
  private readonly threads = new Set<Thread>()
  private waiting: Job[] = []
  /** Sequence number of each group's last started task: the group that has waited longest comes first. */
  private readonly servedAt = new Map<string, number>()
  private turn = 0

  constructor(options: PoolOptions) {
    this.options = options
  }

  /**
   * Runs the `work` of a module in a thread.
   * @throws AppError `tooMany` when too many tasks wait; `refused` when the task exceeds its limits or is aborted
   */
  run<O>(module: URL, input: unknown, options: TaskOptions): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      const ofGroup = this.waiting.filter((j) => j.options.group === options.group).length
      if (options.signal?.aborted) return reject(goneError())
      const isFull = ofGroup >= this.options.waitingPerGroup || this.waiting.length >= this.options.waiting
      if (isFull && !this.canBegin(options.group)) return reject(new AppError('tooMany', busy))
      const job: Job = { module: module.href, input, options, resolve: resolve as Job['resolve'], reject, onGone: () => this.give(job) }
      options.signal?.addEventListener('abort', job.onGone, { once: true })
      this.waiting.push(job)
      this.next()
    })
  }

  /** Terminates every thread; unfinished tasks fail with `tooMany`. */
  async close(): Promise<void> {
    for (const job of this.waiting.splice(0)) this.settle(job, new AppError('tooMany', busy))
    await Promise.all([...this.threads].map((t) => this.end(t, new AppError('tooMany', busy))))
  }

  private running(group: string): number {
    return [...this.threads].filter((t) => t.job?.options.group === group).length
  }

  /** Whether a task of the group may start. One thread is always left for other groups, if there is more than one. */
  private canBegin(group: string): boolean {
    const working = [...this.threads].filter((t) => t.job).length
    return working < this.options.threads && this.running(group) < Math.max(1, this.options.threads - 1)
  }

  private next(): void {
    const ready = this.waiting.filter((j) => this.canBegin(j.options.group))
    const since = (j: Job) => this.servedAt.get(j.options.group) ?? 0
    const [job] = ready.sort((a, b) => since(a) - since(b))
    if (!job) return
    this.waiting = this.waiting.filter((j) => j !== job)
    const thread = [...this.threads].find((t) => !t.job) ?? this.begin()
    this.servedAt.set(job.options.group, ++this.turn)
    // Groups without an entry come first, so old entries can be dropped.
    if (this.servedAt.size > 1_000) this.servedAt.clear()
    thread.job = job
    thread.worker.ref()
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => void this.end(thread, new AppError('refused', job.options.tooLong)), job.options.timeLimitMs)
    thread.pieces = job.options.pieces?.[Symbol.asyncIterator]()
    this.tell(thread, { kind: 'work', module: job.module, input: job.input })
    this.next()
  }

  private begin(): Thread {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.options.memoryMb },
    })
    const thread: Thread = { worker, job: undefined, pieces: undefined, timer: undefined }
    this.threads.add(thread)
    worker.on('message', (message: FromThread) => void this.hear(thread, message))
    worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      void this.end(thread, isMemory ? new AppError('refused', tooMuchMemory) : error)
    })
    worker.on('exit', () => void this.end(thread, new Error('the thread ended by itself')))
    // An idle thread must not keep the process alive.
    worker.unref()
    return thread
  }

  private async hear(thread: Thread, message: FromThread): Promise<void> {
    const { job } = thread
    if (!job) return
    switch (message.kind) {
      case 'done':
        return this.free(thread, message.value)
      case 'refused':
        return this.free(thread, new AppError(message.error.kind, message.error.message, message.error.detail))
      case 'failed':
        return this.free(thread, Object.assign(new Error(message.message), { stack: message.stack }))
      case 'more':
        try {
          const piece = await thread.pieces?.next()
          if (thread.job === job)
            this.tell(thread, { kind: 'piece', done: piece?.done ?? true, value: piece?.done ? undefined : piece?.value })
        } catch (error) {
          // The source of the pieces failed, so the task cannot be completed.
          if (thread.job === job) await this.end(thread, error as Error)
        }
    }
  }

  private free(thread: Thread, outcome: unknown): void {
    const { job } = thread
    thread.job = undefined
    void thread.pieces?.return?.().catch(() => undefined)
    thread.pieces = undefined
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => void this.end(thread, undefined), this.options.idleMs)
    thread.timer.unref()
    thread.worker.unref()
    if (job) this.settle(job, outcome)
    this.next()
  }

  private async end(thread: Thread, why: Error | undefined): Promise<void> {
    if (!this.threads.delete(thread)) return
    clearTimeout(thread.timer)
    const { job } = thread
    thread.job = undefined
    void thread.pieces?.return?.().catch(() => undefined)
    if (job) this.settle(job, why)
    await thread.worker.terminate()
    this.next()
  }

  private give(job: Job): void {
    const thread = [...this.threads].find((t) => t.job === job)
    if (thread) void this.end(thread, goneError())
    else {
      this.waiting = this.waiting.filter((j) => j !== job)
      this.settle(job, goneError())
    }
  }

  private settle(job: Job, outcome: unknown): void {
    job.options.signal?.removeEventListener('abort', job.onGone)
    if (outcome instanceof Error) job.reject(outcome)
    else job.resolve(outcome)
  }

  private tell(thread: Thread, message: ToThread): void {
    thread.worker.postMessage(message)
  }
}

const goneError = () => new AppError('refused', '请求已取消')
