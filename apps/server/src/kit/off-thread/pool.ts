import { Worker } from 'node:worker_threads'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FromThread, ToThread } from './messages.ts'

/** What a task is given beside its input. */
export interface TaskOptions {
  /** Whose work it is: groups take turns, and each may only have so much under way. */
  group: string
  /** How long the thread may work; then it is ended. Waiting in the queue does not count. */
  timeLimitMs: number
  /** The answer when that is over. */
  tooLong: string
  /** Nobody waits for it any more. */
  signal?: AbortSignal | undefined
  /** Handed over piece by piece while the task works, each when it asks for it, one ahead of its work: what is large is never whole in both threads. */
  pieces?: AsyncIterable<unknown>
}

export interface PoolOptions {
  threads: number
  /** Tasks of one group that may wait. */
  waitingPerGroup: number
  waiting: number
  memoryMb: number
  /** A thread without work ends after this. */
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
 * Work that would keep everybody else waiting, in a few threads of its own. A thread that takes too long, asks for too much memory or
 * works for somebody who has left is ended; the next task gets another. Work of one group never stands before that of all others.
 */
export class ThreadPool {
  private readonly options: PoolOptions
  private readonly threads = new Set<Thread>()
  private waiting: Job[] = []
  /** When a group's last task began: who has waited longest comes first. */
  private readonly servedAt = new Map<string, number>()
  private turn = 0

  constructor(options: PoolOptions) {
    this.options = options
  }

  /** Runs the `work` of a module in a thread. Refused when too much waits, and when it takes more than it may. */
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

  /** Ends every thread; what was under way is refused. */
  async close(): Promise<void> {
    for (const job of this.waiting.splice(0)) this.settle(job, new AppError('tooMany', busy))
    await Promise.all([...this.threads].map((t) => this.end(t, new AppError('tooMany', busy))))
  }

  private running(group: string): number {
    return [...this.threads].filter((t) => t.job?.options.group === group).length
  }

  /** One thread is always left to the others, where there is more than one. */
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
    // Whoever has not asked for long stands first again without being remembered.
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
    // A thread that waits for work keeps no process alive.
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
          // The source failed: the thread has half a task.
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
