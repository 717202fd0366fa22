import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openDatabase } from '#kit/db'
import { migrate } from '#kit/migrate'
import { type RunningPostgres, startPostgres } from '#kit/postgres/launcher'
import { createSecrets, type Secrets } from '#kit/secret'
import { deliverDefaultRules } from '../src/domains/rules/public.ts'
import type { LoadGateway } from './loader.ts'

const here = dirname(fileURLToPath(import.meta.url))
const main = join(here, '../src/main.ts')
export type Role = 'api' | 'ingest' | 'jobs'

export interface StandOptions {
  /**
   * The first of five consecutive ports: PORT, MQTT, MQTT over WebSocket, HJ 212, JT/T 808. Must be below the range of outgoing
   * connections.
   */
  firstPort: number
  /** Data folder; by default a temporary one. */
  dataDir?: string
}

/**
 * The product as in production, on its own embedded database: without the demonstration, only with the data of the benchmark. Roles are
 * started one by one and can be killed.
 */
export class Stand {
  readonly dataDir: string
  readonly postgres: RunningPostgres
  readonly pool: pg.Pool
  readonly secrets: Secrets
  readonly ports: Record<'PORT' | 'MQTT_PORT' | 'MQTT_WS_PORT' | 'HJ212_PORT' | 'JT808_PORT', string>
  readonly secretKey = 'a key for measuring of at least thirty-two characters'
  readonly said: string[] = []
  private readonly roles = new Map<Role, ChildProcess>()
  private readonly ownsFolder: boolean

  private constructor(dataDir: string, postgres: RunningPostgres, firstPort: number, ownsFolder: boolean) {
    this.dataDir = dataDir
    this.postgres = postgres
    this.ownsFolder = ownsFolder
    this.pool = new pg.Pool({ connectionString: postgres.url, max: 4, application_name: 'zhugong-measuring' })
    this.pool.on('error', () => undefined)
    this.secrets = createSecrets(this.secretKey)
    const [PORT, MQTT_PORT, MQTT_WS_PORT, HJ212_PORT, JT808_PORT] = [0, 1, 2, 3, 4].map((n) => String(firstPort + n)) as [
      string,
      string,
      string,
      string,
      string,
    ]
    this.ports = { PORT, MQTT_PORT, MQTT_WS_PORT, HJ212_PORT, JT808_PORT }
  }

  static async open(options: StandOptions): Promise<Stand> {
    // An interrupted run leaves no database behind: the launcher stops it when this process exits normally.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      if (process.listenerCount(name) === 0) process.once(name, () => process.exit(130))
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'zg-stand-'))
    // The operating-system account of PostgreSQL must be able to reach the folder.
    chmodSync(dataDir, 0o755)
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const postgres = await startPostgres({ dataDir, log })
    const database = openDatabase(postgres.url, { max: 2, owner: true })
    await migrate(database.pool, join(here, '../migrations'))
    await deliverDefaultRules(database.kysely)
    await database.close()
    const stand = new Stand(dataDir, postgres, options.firstPort, options.dataDir === undefined)
    await stand.project('MEASURED')
    return stand
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.PORT}`
  }
  pidOf(role: Role): number {
    return this.roles.get(role)?.pid ?? 0
  }
  get mqtt() {
    return { host: '127.0.0.1', port: Number(this.ports.MQTT_PORT) }
  }

  async start(role: Role, nodeArgs: string[] = [], more: Record<string, string> = {}): Promise<ChildProcess> {
    const child = spawn(process.execPath, [...nodeArgs, main, role], {
      env: {
        ...process.env,
        ...this.ports,
        HOST: '127.0.0.1',
        DATABASE_URL: this.postgres.url,
        SECRET_KEY: this.secretKey,
        DATA_DIR: this.dataDir,
        LOG_LEVEL: 'warn',
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.said.push(chunk.toString())
        if (this.said.length > 400) this.said.splice(0, 200)
      })
    this.roles.set(role, child)
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve())
      child.once('exit', (code) => reject(new Error(`${role} ended with ${code} before it was ready\n${this.said.slice(-20).join('')}`)))
    })
    return child
  }

  async stop(role: Role, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.roles.get(role)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  /** Requests a path of the ingest's local socket. */
  async ask(path: '/readyz' | '/metrics', ms = 5_000): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const requested = request({ socketPath: join(this.dataDir, 'ingest.sock'), path, timeout: ms }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      requested.on('timeout', () => requested.destroy(new Error('no answer')))
      requested.on('error', reject)
      requested.end()
    })
  }

  /** A counter of the ingest, summed over all its labels. */
  async metric(name: string, label = ''): Promise<number> {
    const { text } = await this.ask('/metrics')
    return text
      .split('\n')
      .filter((l) => (l.startsWith(`${name}{`) || l.startsWith(`${name} `)) && l.includes(label))
      .reduce((sum, l) => sum + Number(l.slice(l.lastIndexOf(' '))), 0)
  }

  async project(code: string, sitePlan: object | null = null): Promise<void> {
    await this.pool.query(
      `insert into project (id, project_code, name, category, prj_status, area_code, address, lng, lat, property_num, invest, start_date, complete_date, link_man, site_plan)
       values (md5($1), $1, $1, '01', '003', '420100', '—', 114, 30, '1', 1, '2026-01-01', '2027-01-01', '—', $2) on conflict do nothing`,
      [code, sitePlan && JSON.stringify(sitePlan)],
    )
  }

  /** Creates gateways with `perGateway` cranes each. */
  async fleet(name: string, gateways: number, perGateway = 1, params: (index: number) => object = () => ({})): Promise<LoadGateway[]> {
    const secret = 'a-secret-of-enough-length-for-all-1'
    const sealed = this.secrets.seal(secret)
    const list = Array.from({ length: gateways }, (_, g) => {
      const id = `${name}${String(g).padStart(5, '0')}`
      return { gatewayId: id, secret, devices: Array.from({ length: perGateway }, (_, d) => `${id}-${d}`) }
    })
    await this.pool.query(
      `insert into gateway (id, project_code, name, connection_type, secret)
       select id, 'MEASURED', id, 'mqtt', $2 from unnest($1::text[]) as u(id) on conflict do nothing`,
      [list.map((g) => g.gatewayId), sealed],
    )
    const rows = list.flatMap((g, n) => g.devices.map((sn, i) => ({ sn, gateway: g.gatewayId, params: params(n * perGateway + i) })))
    await this.pool.query(
      `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, gateway_id, params, interval_seconds, status)
       select md5(sn), 'MEASURED', sn, sn, 'towerCrane', jsonb_build_object('protocol', 'mqtt', 'gatewayId', gateway), 'mqtt', gateway || '/' || sn, gateway, params, 1, '1'
       from jsonb_to_recordset($1::jsonb) as r(sn text, gateway text, params jsonb) on conflict do nothing`,
      [JSON.stringify(rows)],
    )
    return list
  }

  /** Processor time of all processes of the database, in seconds. */
  databaseCpu(cpuSeconds: (pid: number) => number): number {
    let sum = 0
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        if (parent === this.postgres.pid || Number(name) === this.postgres.pid) sum += cpuSeconds(Number(name))
      } catch {
        // The process has ended meanwhile.
      }
    }
    return sum
  }

  async close(): Promise<void> {
    for (const role of ['jobs', 'api', 'ingest'] as const) await this.stop(role)
    await this.pool.end()
    await this.postgres.destroy()
    if (this.ownsFolder && existsSync(this.dataDir)) rmSync(this.dataDir, { recursive: true, force: true })
  }
}

/** Waits until a condition is true. */
export async function until(what: () => Promise<boolean> | boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  for (;;) {
    if (await Promise.resolve(what()).catch(() => false)) return true
    if (performance.now() > end) return false
    await sleep(100)
  }
}
