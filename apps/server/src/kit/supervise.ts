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
  /** On top of our own environment. */
  env?: Record<string, string>
  cwd?: string
  /** Asked every 200 ms; the next child starts when it answers true. `'reported'`: the child calls reportReady(). */
  ready?: 'reported' | (() => Promise<boolean>)
  readyTimeoutMs?: number
  /** Starts together with the child before it; who comes after them waits for both. */
  beside?: boolean
}

export interface ChildStatus {
  name: string
  state: 'waiting' | 'starting' | 'ready' | 'pausing' | 'stopped'
  pid: number | undefined
  restarts: number
}

export interface Supervisor {
  /** Resolves when all children have been ready once; rejects when one was not in time, or stop() came first. */
  readonly started: Promise<void>
  status(): ChildStatus[]
  /** Restarts the children of these names immediately, for development. */
  restart(names: readonly string[]): void
  stop(): Promise<void>
}

const PAUSE_MS = 300
const LONGEST_PAUSE_MS = 5_000
const STEADY_AFTER_MS = 60_000
const READY_TIMEOUT_MS = 120_000
const TERM_PATIENCE_MS = 8_000
const READY_MESSAGE = 'zhugong:ready'

/** Starts the children one after another (those `beside` another together), brings back whoever ends, and stops them in the opposite order. */
export function supervise(options: {
  children: ChildSpec[]
  log: SuperviseLog
  /** How long a child may take to stop before it is killed. */
  termPatienceMs?: number
  /** Takes the children's output, a line at a time: one JSON object each, with the child's name. */
  write?: (line: string) => void
}): Supervisor {
  const write = options.write ?? ((line) => process.stdout.write(`${line}\n`))
  const children = options.children.map((spec) => new Child(spec, options.log, write, options.termPatienceMs ?? TERM_PATIENCE_MS))
  let stopping: Promise<void> | undefined

  const startAll = async () => {
    for (const [i, child] of children.entries()) {
      if (stopping) break
      child.start()
      if (!options.children[i + 1]?.beside) await Promise.all(children.slice(0, i + 1).map((c) => c.firstReady))
    }
    if (stopping) throw new Error('stopped before all were ready')
  }
  const started = startAll()
  // Whoever does not ask hears of it from the log.
  started.catch(() => {})

  return {
    started,
    status: () => children.map((child) => child.status()),
    restart: (names) => {
      for (const child of children) if (names.includes(child.status().name)) child.restart()
    },
    stop: () => {
      stopping ??= (async () => {
        // All at once learn that nobody is brought back any more; with Ctrl-C they all got the signal already.
        for (const child of children) child.retire()
        for (const child of children.toReversed()) await child.stop()
      })()
      return stopping
    },
  }
}

/** A child ended before it was ever ready because it cannot work as it is set up; its own last line says why. */
export class CannotStart extends Error {}

/** What a child printed, as one JSON object: a line of its log as it stands, anything else with its name. */
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
    // The channel is the child's lifeline: it closes with us however we end (exitWithParent).
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
    // Writing to a child that is going away is no reason to go, too.
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
    // It has said why, and would say the same again.
    if (code === misconfigured && !this.#wasReady) {
      this.#state = 'stopped'
      this.#first.reject(new CannotStart(this.#spec.name))
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

  restart() {
    if (this.#state === 'pausing') this.#pause.abort()
    else if (this.#process && !this.#isRestarting) {
      this.#isRestarting = true
      void this.stop()
    }
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
    // A grandchild may still hold the output open; the child itself is gone.
    await Promise.race([this.#ended, sleep(1_000)])
  }
}

/** For children: tells the supervisor that this process is open for work. */
export function reportReady(): void {
  if (process.connected) process.send?.(READY_MESSAGE)
}

/**
 * For children: ends this process when the parent is gone, even by kill -9. It first gets SIGTERM, so that its usual way of
 * stopping runs, and after `graceMs` it is ended for good. Does nothing when started without a supervisor.
 */
export function exitWithParent(graceMs = 5_000): void {
  if (!process.channel) return
  const leave = () => {
    setTimeout(() => process.exit(1), graceMs).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  if (process.connected) process.once('disconnect', leave)
  else leave()
  // The lifeline alone is no reason to stay.
  process.channel.unref()
}
