import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { misconfigured } from './start-fault.ts'

export interface SuperviseLog {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}

export interface ChildSpec {
  name: string
  command: string
  args: string[]
  /** Added to the environment of this process. */
  env?: Record<string, string>
  cwd?: string
  /** Called every 200 ms; the next child starts when it returns true. `'reported'`: the child calls reportReady(). */
  ready?: 'reported' | (() => Promise<boolean>)
  readyTimeoutMs?: number
  /** Starts together with the previous child; the next child waits for both. */
  beside?: boolean
}

export interface ChildStatus {
  name: string
  state: 'waiting' | 'starting' | 'ready' | 'pausing' | 'stopped'
  pid: number | undefined
  restarts: number
}

export interface Supervisor {
  /** Resolves when all children have been ready once. Rejects when a child was not ready in time, or stop() was called first. */
  readonly started: Promise<void>
  status(): ChildStatus[]
  /**
   * For development: restarts the children of these names one after another, each when the previous one is ready again. The others keep
   * running meanwhile, also when one does not come back. A further call begins again with the first name. Resolves when all are ready, or
   * when a further call or stop() has ended this one.
   */
  restart(names: readonly string[]): Promise<void>
  stop(): Promise<void>
}

const PAUSE_MS = 300
const LONGEST_PAUSE_MS = 5_000
const STEADY_AFTER_MS = 60_000
const READY_TIMEOUT_MS = 120_000
const TERM_PATIENCE_MS = 8_000
const READY_MESSAGE = 'zhugong:ready'

/**
 * Starts the children one after another (a `beside` child together with the previous one), restarts those that exit, and stops them in
 * reverse order.
 */
export function supervise(options: {
  children: ChildSpec[]
  log: SuperviseLog
  /** How long a child may take to stop before it is killed. */
  termPatienceMs?: number
  /** Receives the children's output line by line, each line a JSON object with the child's name. */
  write?: (line: string) => void
}): Supervisor {
  const write = options.write ?? ((line) => process.stdout.write(`${line}\n`))
  const children = options.children.map((spec) => new Child(spec, options.log, write, options.termPatienceMs ?? TERM_PATIENCE_MS))
  let stopping: Promise<void> | undefined
  let restarting = new AbortController()

  const startAll = async () => {
    for (const [i, child] of children.entries()) {
      if (stopping) break
      child.start()
      if (!options.children[i + 1]?.beside) await Promise.all(children.slice(0, i + 1).map((c) => c.firstReady))
    }
    if (stopping) throw new Error('stopped before all were ready')
  }
  const started = startAll()
  // Avoid an unhandled rejection when the caller does not await `started`; the failure is logged.
  started.catch(() => {})

  return {
    started,
    status: () => children.map((child) => child.status()),
    restart: async (names) => {
      restarting.abort()
      restarting = new AbortController()
      const { signal } = restarting
      for (const name of names) {
        await children.find((child) => child.status().name === name)?.restart()
        if (signal.aborted) return
      }
    },
    stop: () => {
      stopping ??= (async () => {
        restarting.abort()
        // First disable restarts of all children; with Ctrl-C they have all received the signal already.
        for (const child of children) child.retire()
        for (const child of children.toReversed()) await child.stop()
      })()
      return stopping
    },
  }
}

/** A child exited before it was ready because its configuration is wrong; its last output line gives the reason. */
export class CannotStart extends Error {}

/** Converts a line of a child's output to a JSON line: log lines are kept, other text gets the child's name. */
export function asLogLine(name: string, line: string, isError: boolean): string {
  if (line.startsWith('{') && line.endsWith('}')) return line
  return JSON.stringify({ level: isError ? 50 : 30, time: new Date().toISOString(), name, msg: line })
}

class Child {
  readonly #spec: ChildSpec
  readonly #log: SuperviseLog
  readonly #write: (line: string) => void
  readonly #termPatienceMs: number
  readonly #first = Promise.withResolvers<void>()
  readonly #retired = new AbortController()
  #process: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #state: ChildStatus['state'] = 'waiting'
  #restarts = 0
  #failures = 0
  #wasReady = false
  #isRestarting = false
  #restarted: PromiseWithResolvers<void> | undefined
  #pause = new AbortController()

  constructor(spec: ChildSpec, log: SuperviseLog, write: (line: string) => void, termPatienceMs: number) {
    this.#termPatienceMs = termPatienceMs
    this.#spec = spec
    this.#log = log
    this.#write = write
    this.#first.promise.catch(() => {})
  }

  get firstReady(): Promise<void> {
    return this.#first.promise
  }

  status(): ChildStatus {
    return { name: this.#spec.name, state: this.#state, pid: this.#process?.pid, restarts: this.#restarts }
  }

  start() {
    if (this.#retired.signal.aborted) return
    const { name, command, args, env, cwd } = this.#spec
    this.#state = 'starting'
    const begun = performance.now()
    // The IPC channel closes when this process ends in any way, and the child then exits (exitWithParent).
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#process = child
    for (const stream of [child.stdout, child.stderr]) {
      if (stream)
        createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
          if (line.trim()) this.#write(asLogLine(name, line, stream === child.stderr))
        })
    }
    // A failed write to an exiting child must not end this process.
    child.on('error', (error) => this.#log.error(`${name} cannot be started or spoken to: ${error.message}`))

    const ended = Promise.withResolvers<void>()
    this.#ended = ended.promise
    const gone = new AbortController()
    child.once('close', (code, signal) => {
      gone.abort()
      this.#process = undefined
      ended.resolve()
      this.#afterEnd(performance.now() - begun, code, signal ?? `exit code ${code}`)
    })
    void this.#awaitReady(child, gone.signal)
  }

  #afterEnd(livedMs: number, code: number | null, how: string) {
    if (this.#retired.signal.aborted) {
      this.#state = 'stopped'
      return
    }
    // The child has logged the reason, and a restart would fail the same way.
    if (code === misconfigured && !this.#wasReady) {
      this.#state = 'stopped'
      this.#first.reject(new CannotStart(this.#spec.name))
      this.#endRestart()
      return
    }
    if (this.#isRestarting) {
      this.#isRestarting = false
      this.#failures = 0
      this.start()
      return
    }
    if (livedMs > STEADY_AFTER_MS) this.#failures = 0
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** this.#failures)
    this.#failures++
    this.#state = 'pausing'
    this.#log.error(`${this.#spec.name} ended unexpectedly (${how}), starting it again in ${pause / 1000} s`)
    this.#pause = new AbortController()
    sleep(pause, undefined, { signal: AbortSignal.any([this.#retired.signal, this.#pause.signal]) }).then(
      () => {
        this.#restarts++
        this.start()
      },
      () => {
        if (this.#retired.signal.aborted) this.#state = 'stopped'
        else this.start()
      },
    )
  }

  /** Resolves when the child is ready again, or has been retired. Does nothing when the child was not started yet. */
  restart(): Promise<void> {
    if (this.#retired.signal.aborted || this.#state === 'waiting' || this.#state === 'stopped') return Promise.resolve()
    this.#restarted ??= Promise.withResolvers()
    if (this.#state === 'pausing') this.#pause.abort()
    else if (this.#process && !this.#isRestarting) {
      this.#isRestarting = true
      // Not SIGTERM: a clean stop waits for open connections, and every role survives `kill -9`.
      this.#process.kill('SIGKILL')
    }
    return this.#restarted.promise
  }

  #endRestart() {
    this.#restarted?.resolve()
    this.#restarted = undefined
  }

  async #awaitReady(child: ChildProcess, gone: AbortSignal) {
    const { name, ready, readyTimeoutMs = READY_TIMEOUT_MS } = this.#spec
    let reported = ready === undefined
    if (ready === 'reported') {
      child.on('message', (message) => {
        if (message === READY_MESSAGE) reported = true
      })
    }
    const deadline = performance.now() + readyTimeoutMs
    while (!gone.aborted) {
      if (typeof ready === 'function' ? await ready().catch(() => false) : reported) {
        if (gone.aborted) return
        this.#state = 'ready'
        this.#wasReady = true
        this.#log.info(`${name} is ready (process ${child.pid})`)
        this.#first.resolve()
        // Not if this process was killed just before it became ready.
        if (!this.#isRestarting) this.#endRestart()
        return
      }
      if (performance.now() > deadline) {
        this.#log.error(`${name} was not ready within ${Math.round(readyTimeoutMs / 1000)} s`)
        this.#first.reject(new Error(`${name} did not become ready`))
        return
      }
      await sleep(ready === 'reported' ? 20 : 200)
    }
  }

  retire() {
    this.#retired.abort()
    this.#endRestart()
    this.#first.reject(new Error(`${this.#spec.name} was stopped`))
    if (!this.#process) this.#state = 'stopped'
  }

  async stop() {
    const child = this.#process
    if (!child) return
    child.kill('SIGTERM')
    const late = new AbortController()
    const inTime = await Promise.race([
      this.#ended.then(() => true),
      sleep(this.#termPatienceMs, false, { signal: late.signal }).catch(() => false),
    ])
    late.abort()
    if (inTime) return
    this.#log.warn(`${this.#spec.name} did not stop within ${this.#termPatienceMs / 1000} s, killing it`)
    child.kill('SIGKILL')
    // A grandchild may keep the output open after the child is gone: do not wait for it longer.
    await Promise.race([this.#ended, sleep(1_000)])
  }
}

/** For children: reports to the supervisor that this process is ready. */
export function reportReady(): void {
  if (process.connected) process.send?.(READY_MESSAGE)
}

/**
 * For children: ends this process when the parent is gone, even after `kill -9`. It first gets SIGTERM, so that its normal shutdown runs,
 * and exits after `graceMs` in any case. Does nothing when started without a supervisor.
 */
export function exitWithParent(graceMs = 5_000): void {
  if (!process.channel) return
  const leave = () => {
    setTimeout(() => process.exit(1), graceMs).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  if (process.connected) process.once('disconnect', leave)
  else leave()
  // The channel alone must not keep the process alive.
  process.channel.unref()
}
