import { spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { initdbAccount } from './account.ts'
import { type Binaries, cacheFolders, findBinaries } from './binaries.ts'
import { createCluster, serverEnvironment, writeConfiguration } from './cluster.ts'
import { PostgresLaunchError } from './launch-error.ts'
import { lockForLauncher } from './launcher-lock.ts'
import { markMade, type Place, removePlace, runningSocketFolder, settlePlace, socketFolder } from './place.ts'
import { readPostmaster } from './postmaster-file.ts'
import { isAlive, isNumberTaken, isPostgresOn, postgresProcessesOn, signal, waitUntil } from './processes.ts'
import { defaultSettings, type Settings } from './settings.ts'

/** Log interface that both pino and console satisfy. */
export interface LauncherLog {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}

export interface PostgresOptions {
  dataDir: string
  log: LauncherLog
  /** Override the defaults; tests switch fsync off here. */
  settings?: Settings
  /** Folder of another npm package with the PostgreSQL programs; `null`: use only the system's. */
  embedded?: string | null
  /** Called when the server exits unexpectedly (`down`) and when it accepts connections again (`up`). */
  onChange?: (state: 'down' | 'up') => void
}

export interface RunningPostgres {
  /**
   * URL for the application's owner role: owns the database `zhugong`, may create roles and databases, is not a superuser (row-level
   * security applies).
   */
  url: string
  /** URL for the login of the running product: owns nothing, and uses the role that the owner grants it (database-logins.ts). */
  runUrl: string
  /** URL for the superuser, on database `postgres`. */
  adminUrl: string
  readonly pid: number
  readonly source: Binaries['source']
  readonly version: string
  /** Whether a server left by a killed launcher was reused. */
  readonly attached: boolean
  readonly cluster: string
  stop(): Promise<void>
  /** Stops the server and deletes the database. For tests. */
  destroy(): Promise<void>
}

const APP = 'zhugong'
/** Login of the running product: owns nothing. */
const RUN = 'zhugong_run'
const PORT = 5432
const START_PATIENCE_MS = 60_000
/** Timeout of crash recovery. Recovery may take long; this limits only a server that hangs. */
const RECOVERY_PATIENCE_MS = 15 * 60_000
const FAST_STOP_MS = 15_000
const IMMEDIATE_STOP_MS = 5_000
const STEADY_AFTER_MS = 60_000
const LONGEST_PAUSE_MS = 10_000
const LOG_BYTES = 20 * 1024 * 1024

export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  if (process.platform === 'win32') {
    throw new PostgresLaunchError('Windows 上没有内置数据库，请设置 DATABASE_URL。No embedded database on Windows; set DATABASE_URL.')
  }
  mkdirSync(resolve(options.dataDir), { recursive: true, mode: 0o755 })
  const dataDir = realpathSync(resolve(options.dataDir))
  const unlock = await lockForLauncher(join(dataDir, 'postgres.lock'))
  try {
    const place = settlePlace(dataDir, (text) => options.log.warn(text))
    const caches = cacheFolders(dataDir)
    const binaries = findBinaries({
      accounts: [place.account, ...(place.major === undefined ? [initdbAccount()] : [])],
      caches,
      major: place.major,
      ...(options.embedded === undefined ? {} : { embedded: options.embedded }),
    })
    const settings = { ...defaultSettings(), ...options.settings }
    if (place.major === undefined) {
      createCluster({ place, binaries, caches: caches.filter((folder) => !folder.startsWith(dataDir)), durable: settings.fsync !== 'off' })
      markMade(dataDir, place.cluster)
    }
    mkdirSync(join(dataDir, 'log'), { recursive: true })
    const server = new Server(place, binaries, settings, join(dataDir, 'log', 'postgres.log'), options)
    const attached = await server.begin()
    const stop = () => server.stop().finally(unlock)
    return {
      url: server.url(APP, APP),
      runUrl: server.url(RUN, APP),
      adminUrl: server.url('postgres', 'postgres'),
      get pid() {
        return server.pid
      },
      source: binaries.source,
      version: binaries.version,
      attached,
      cluster: place.cluster,
      stop,
      destroy: async () => {
        await stop()
        removePlace(dataDir, place.cluster)
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

const urlOn = (sockets: string, user: string, database: string) =>
  `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(sockets)}&port=${PORT}`

/** URL for the owner role on a server that another launcher runs on this DATA_DIR; undefined when none runs. */
export function runningPostgresUrl(dataDir: string): string | undefined {
  const sockets = runningSocketFolder(realpathSync(resolve(dataDir)))
  return sockets && urlOn(sockets, APP, APP)
}

/** The server process of one cluster: starts or reuses it, monitors it, restarts it and stops it. */
class Server {
  readonly #place: Place
  readonly #binaries: Binaries
  readonly #settings: Settings
  readonly #logFile: string
  readonly #options: PostgresOptions
  readonly #sockets: string
  #pid = 0
  #watch: NodeJS.Timeout | undefined
  #steadySince = 0
  #failures = 0
  #stopping: Promise<void> | undefined
  #recovery: Promise<void> | undefined
  readonly #wake = new AbortController()

  constructor(place: Place, binaries: Binaries, settings: Settings, logFile: string, options: PostgresOptions) {
    this.#place = place
    this.#binaries = binaries
    this.#settings = settings
    this.#logFile = logFile
    this.#options = options
    this.#sockets = socketFolder(place)
  }

  get pid(): number {
    return this.#pid
  }

  /** Builds a URL for libpq and node-postgres. The host `localhost` is not used; `new URL` only needs one to parse it. */
  url(user: string, database: string): string {
    return urlOn(this.#sockets, user, database)
  }

  async begin(): Promise<boolean> {
    const attached = await this.#attach()
    try {
      if (!attached) await this.#launch()
      await this.#ensureDatabase()
    } catch (error) {
      if (this.#pid > 0) await this.#shutDown()
      throw error
    }
    this.#steadySince = performance.now()
    process.once('exit', this.#stopAtExit)
    this.#keepWatch()
    return attached
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop() {
    this.#wake.abort()
    clearInterval(this.#watch)
    await this.#recovery
    await this.#shutDown()
    process.off('exit', this.#stopAtExit)
  }

  /** Stops the server when the program exits by process.exit without stop(). */
  readonly #stopAtExit = () => {
    if (isPostgresOn(this.#pid, this.#place.cluster)) signal(this.#pid, 'SIGINT')
  }

  async #attach(): Promise<boolean> {
    const { cluster } = this.#place
    const postmaster = readPostmaster(cluster)
    if (!postmaster) return false
    if (!isPostgresOn(postmaster.pid, cluster)) return false
    this.#pid = postmaster.pid
    const usable = postmaster.socketFolder === this.#sockets && postmaster.status !== 'stopping' && (await this.#becomesReady())
    if (usable && (await this.#answers())) {
      this.#options.log.info(`the database that still runs is taken over (process ${this.#pid})`)
      return true
    }
    this.#options.log.warn(`the database left from before (process ${this.#pid}) does not answer, starting it again`)
    await this.#shutDown()
    return false
  }

  async #launch(): Promise<void> {
    const { cluster, account } = this.#place
    await this.#clearLeftovers()
    writeConfiguration(this.#place, this.#settings)
    this.#rotateLog()
    const output = openSync(this.#logFile, 'a', 0o640)
    // Use a separate session: Ctrl-C reaches the whole process group at once, but the database must stop after the processes that write to
    // it.
    const child = spawn(
      this.#binaries.postgres,
      ['-D', cluster, '-k', this.#sockets, '-p', String(PORT), '-c', 'listen_addresses=', '-c', 'unix_socket_permissions=0700'],
      { ...account, cwd: '/', env: serverEnvironment(), detached: true, stdio: ['ignore', output, output] },
    )
    closeSync(output)
    child.unref()
    let failure: string | undefined
    child.once('error', (error) => {
      failure = error.message
    })
    child.once('exit', (code, name) => {
      failure ??= `code ${code ?? name}`
    })
    this.#pid = child.pid ?? 0
    const ready = await this.#becomesReady(() => failure !== undefined)
    if (ready && (await this.#answers())) return
    const wasRunning = failure === undefined
    if (wasRunning) await this.#shutDown()
    this.#pid = 0
    throw new PostgresLaunchError(
      `数据库启动失败（${failure ?? 'timeout'}），详见 ${this.#logFile}。PostgreSQL did not start:\n${this.#lastLogLines()}`,
    )
  }

  /** Polls the status in `postmaster.pid`. This is cheaper than connecting, and it distinguishes recovery from failure. */
  async #becomesReady(failed: () => boolean = () => !isAlive(this.#pid)): Promise<boolean> {
    const status = () => {
      const postmaster = readPostmaster(this.#place.cluster)
      return postmaster?.pid === this.#pid ? postmaster.status : ''
    }
    const done = () => failed() || status() === 'ready' || status() === 'stopping'
    if (!(await waitUntil(() => done() || status() === 'starting', START_PATIENCE_MS, 5))) return false
    if (!(await waitUntil(done, 5_000, 10))) {
      this.#options.log.info('the database is recovering what was being written when it ended')
      await waitUntil(done, RECOVERY_PATIENCE_MS, 100)
    }
    return !failed() && status() === 'ready'
  }

  async #answers(): Promise<boolean> {
    for (let attempt = 0; attempt < 5; attempt++) {
      try {
        await this.#asAdmin((client) => client.query('select 1'))
        return true
      } catch {
        await sleep(200)
      }
    }
    return false
  }

  async #asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      host: this.#sockets,
      port: PORT,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
      connectionTimeoutMillis: 5_000,
    })
    // The server may exit while the client is connected; the query then fails by itself.
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  async #ensureDatabase() {
    await this.#asAdmin(async (client) => {
      const role = await client.query('select 1 from pg_roles where rolname = $1', [APP])
      if (role.rowCount === 0) await client.query(`create role ${APP} login createdb createrole`)
      const run = await client.query('select 1 from pg_roles where rolname = $1', [RUN])
      if (run.rowCount === 0) await client.query(`create role ${RUN} login`)
      const database = await client.query('select 1 from pg_database where datname = $1', [APP])
      if (database.rowCount === 0) await client.query(`create database ${APP} owner ${APP}`)
    })
  }

  #keepWatch() {
    const pid = this.#pid
    this.#watch = setInterval(() => {
      if (performance.now() - this.#steadySince > STEADY_AFTER_MS) this.#failures = 0
      if (isAlive(pid)) return this.#rotateLog()
      clearInterval(this.#watch)
      this.#options.log.error(`the database (process ${pid}) ended unexpectedly, starting it again`)
      this.#options.onChange?.('down')
      this.#recovery = this.#recover()
    }, 250)
    this.#watch.unref()
  }

  async #recover(): Promise<void> {
    while (!this.#wake.signal.aborted) {
      const pause = this.#failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#failures)
      this.#failures++
      try {
        await sleep(pause, undefined, { signal: this.#wake.signal })
        await this.#launch()
      } catch (error) {
        if (!this.#wake.signal.aborted) this.#options.log.error(error instanceof Error ? error.message : String(error))
        continue
      }
      if (this.#wake.signal.aborted) return
      this.#steadySince = performance.now()
      this.#options.log.warn(`the database is back (process ${this.#pid})`)
      this.#options.onChange?.('up')
      this.#keepWatch()
      return
    }
  }

  /**
   * Ends the remaining sessions of a killed server, which stop by themselves only after their query. A new server must not start before.
   */
  async #clearLeftovers() {
    const { cluster } = this.#place
    const left = () => postgresProcessesOn(cluster)
    for (const [name, patienceMs] of [
      [undefined, 1_000],
      ['SIGQUIT', 3_000],
      ['SIGKILL', 3_000],
    ] as const) {
      const pids = left()
      if (pids.length === 0) break
      if (name) for (const pid of pids) signal(pid, name)
      await waitUntil(() => left().length === 0, patienceMs, 50)
    }
    // PostgreSQL removes the pid file of a dead server, but refuses to start when the pid is in use by another process or a zombie.
    const dead = readPostmaster(cluster)
    if (dead && isNumberTaken(dead.pid) && !isPostgresOn(dead.pid, cluster)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
    // No server runs on this cluster, so its sockets and lock files are stale, even if another process now has the pid in them.
    for (const name of readdirSync(this.#sockets)) {
      if (name.startsWith('.s.PGSQL.')) rmSync(join(this.#sockets, name), { force: true })
    }
  }

  async #shutDown(): Promise<void> {
    const { cluster } = this.#place
    const pid = this.#pid
    const steps = [
      ['SIGINT', FAST_STOP_MS],
      ['SIGQUIT', IMMEDIATE_STOP_MS],
      ['SIGKILL', IMMEDIATE_STOP_MS],
    ] as const
    for (const [name, patienceMs] of steps) {
      // Until PostgreSQL has changed into its data folder, isPostgresOn does not recognize it; our own child is known by its pid.
      if (pid === 0 || !isPostgresOn(pid, cluster)) break
      if (name !== 'SIGINT') this.#options.log.warn(`the database did not stop in time, sending ${name}`)
      signal(pid, name)
      if (await waitUntil(() => !isPostgresOn(pid, cluster), patienceMs)) break
    }
    this.#pid = 0
  }

  /** Copies the log and truncates it in place, because the server has the file open for appending. */
  #rotateLog() {
    const size = statSync(this.#logFile, { throwIfNoEntry: false })?.size ?? 0
    if (size < LOG_BYTES) return
    copyFileSync(this.#logFile, `${this.#logFile}.1`)
    truncateSync(this.#logFile)
  }

  #lastLogLines(): string {
    try {
      return readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
    } catch {
      return ''
    }
  }
}
