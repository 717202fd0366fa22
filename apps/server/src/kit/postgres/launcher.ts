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

/** Fits pino and console alike. */
export interface LauncherLog {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
}

export interface PostgresOptions {
  dataDir: string
  log: LauncherLog
  /** Over the defaults; tests switch fsync off here. */
  settings?: Settings
  /** The folder of another npm package with the programs; `null`: only the system's. */
  embedded?: string | null
  /** Told when the server went away by itself (`down`) and when it answers again (`up`). */
  onChange?: (state: 'down' | 'up') => void
}

export interface RunningPostgres {
  /** The application's own role: owns the database `zhugong`, may create roles and databases, is no superuser (row security holds). */
  url: string
  /** The running product's own login: owns nothing, and becomes what the owner lets it become (database-logins.ts). */
  runUrl: string
  /** The superuser, on database `postgres`. */
  adminUrl: string
  readonly pid: number
  readonly source: Binaries['source']
  readonly version: string
  /** Whether the server of a killed launcher was taken over. */
  readonly attached: boolean
  readonly cluster: string
  stop(): Promise<void>
  /** Stops and deletes the database, wherever it lies: for tests. */
  destroy(): Promise<void>
}

const APP = 'zhugong'
/** What the running product logs in as: owns nothing. */
const RUN = 'zhugong_run'
const PORT = 5432
const START_PATIENCE_MS = 60_000
/** Replaying the log after a crash goes on as long as it takes; this only bounds a server that hangs. */
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

/** The application's address of a server that another launcher keeps on this DATA_DIR now; undefined when none runs. */
export function runningPostgresUrl(dataDir: string): string | undefined {
  const sockets = runningSocketFolder(realpathSync(resolve(dataDir)))
  return sockets && urlOn(sockets, APP, APP)
}

/** One cluster's server process: started or taken over, watched, brought back, stopped. */
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

  /** Understood by libpq and by node-postgres; `localhost` only makes it an address that `new URL` can take apart and put together. */
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

  /** When the program leaves by process.exit, without stop(). */
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
    // A session of its own: Ctrl-C reaches the whole group at once, but the database goes last, after those who still write to it.
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

  /** Follows the status the server writes into its own file: cheaper than trying to connect, and it tells recovery from failure. */
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
    // The server may go away while we are connected; the query then fails by itself.
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

  /** Sessions of a killed server end by themselves, but a busy one only after its query; a new server must not start before. */
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
    // PostgreSQL itself clears the file of a dead server, but stays away when the number is taken: by a stranger, or by the zombie.
    const dead = readPostmaster(cluster)
    if (dead && isNumberTaken(dead.pid) && !isPostgresOn(dead.pid, cluster)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
    // No server is left on this cluster, so its sockets and their lock files are dead, whoever has the number in them by now.
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
      // Before PostgreSQL has changed into its folder it is not yet known as one; our own child is known by its number.
      if (pid === 0 || !isPostgresOn(pid, cluster)) break
      if (name !== 'SIGINT') this.#options.log.warn(`the database did not stop in time, sending ${name}`)
      signal(pid, name)
      if (await waitUntil(() => !isPostgresOn(pid, cluster), patienceMs)) break
    }
    this.#pid = 0
  }

  /** Truncated in place: the server holds the file open, for appending. */
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
