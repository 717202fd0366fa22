import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '#kit/db'
import type { RequestTurns } from '#kit/request-turns'

/** Free bytes on the disk of DATA_DIR below which it counts as full: a few uploads. */
export const leastFreeBytes = 64 * 1024 * 1024
/** Timeout of each check: monitoring sends a request every few seconds. */
const answerMs = 2_000
/** How long a result is cached for several monitoring clients. */
const keptMs = 1_000
const lookMs = 20

export interface ReadinessOptions {
  /** The pool of requests, and the system pool. */
  requests: Database
  system: Database
  turns: RequestTurns
  dataDir: string
  migrationsFolder: string
  /** Requests the readiness of the ingest; undefined when it does not respond. */
  askIngest?: ((path: '/readyz') => Promise<{ isOk: boolean; text: string } | undefined>) | undefined
}

const parts = ['database', 'requests', 'migrations', 'ingest', 'disk'] as const
type Part = (typeof parts)[number]
export type Readiness = Record<Part, boolean> & { status: 'ready' | 'not ready'; why: string[] }

/** Checks by trying whether requests can be answered, and if not, why. `freeBytes`: free space on the disk of DATA_DIR. */
export class Readying {
  private readonly options: ReadinessOptions
  private last: { at: number; found: Promise<Readiness> } | undefined
  private isMigrated = false
  freeBytes = Number.NaN

  constructor(options: ReadinessOptions) {
    this.options = options
  }

  look(): Promise<Readiness> {
    const now = performance.now()
    if (!this.last || now - this.last.at > keptMs) this.last = { at: now, found: this.findOut() }
    return this.last.found
  }

  private async findOut(): Promise<Readiness> {
    const { system, requests } = this.options
    const [database, answers, migrations, ingest, disk] = await Promise.all([
      inTime(
        system.pool.query('select 1').then(() => undefined),
        '数据库没有应答',
      ),
      inTime(
        this.turnComes()
          .then(() => requests.pool.query('select 1'))
          .then(() => undefined),
        '请求处理不过来：2 秒内没有空闲的处理位或数据库连接',
      ),
      inTime(this.migrationsWanting(), '无法核对数据库迁移'),
      inTime(this.ingestWanting(), '接入进程没有应答'),
      inTime(this.diskWanting(), 'DATA_DIR 没有应答'),
    ])
    const wanting = { database, requests: answers, migrations, ingest, disk }
    const why = Object.values(wanting).filter((one) => one !== undefined)
    const isGood = Object.fromEntries(parts.map((part) => [part, wanting[part] === undefined])) as Record<Part, boolean>
    return { status: why.length === 0 ? 'ready' : 'not ready', ...isGood, why }
  }

  /** Waits until a request could start, without occupying a turn. */
  private async turnComes(): Promise<void> {
    const until = performance.now() + answerMs
    while (!this.options.turns.hasRoom) {
      if (performance.now() > until) throw new Error('no turn')
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  private async migrationsWanting(): Promise<string | undefined> {
    if (this.isMigrated) return undefined
    const { rows } = await this.options.system.pool.query<{ name: string }>('select name from migration')
    const applied = new Set(rows.map((row) => row.name))
    const missing = readdirSync(this.options.migrationsFolder).filter((name) => name.endsWith('.sql') && !applied.has(name))
    this.isMigrated = missing.length === 0
    return this.isMigrated ? undefined : `有 ${missing.length} 个数据库迁移没有应用`
  }

  private async ingestWanting(): Promise<string | undefined> {
    const { askIngest } = this.options
    if (!askIngest) return undefined
    const result = await askIngest('/readyz')
    if (!result) return '接入进程没有应答'
    return result.isOk ? undefined : `接入进程没有就绪：${reasonIn(result.text)}`
  }

  private async diskWanting(): Promise<string | undefined> {
    const { dataDir } = this.options
    try {
      const { bavail, bsize } = await statfs(dataDir)
      this.freeBytes = bavail * bsize
      const folder = join(dataDir, 'incoming')
      await mkdir(folder, { recursive: true, mode: 0o750 })
      const path = join(folder, `probe-${randomBytes(6).toString('hex')}`)
      await writeFile(path, 'zhugong', { mode: 0o600 })
      await unlink(path)
    } catch (error) {
      return `DATA_DIR 不可写入（${(error as { code?: string }).code ?? '未知原因'}）`
    }
    return this.freeBytes < leastFreeBytes ? `DATA_DIR 所在磁盘剩余不足 ${leastFreeBytes / 1024 / 1024} MB` : undefined
  }
}

/** Registers metrics of the readiness: 1 or 0 for each part, and the free bytes of the disk. */
export function measureReadiness(readying: Readying, metrics: Registry): void {
  new Gauge({
    name: 'zhugong_ready',
    help: 'Whether a part of what requests need is there, as /readyz tells',
    labelNames: ['part'],
    registers: [metrics],
    async collect() {
      const found = await readying.look()
      for (const part of parts) this.set({ part }, found[part] ? 1 : 0)
    },
  })
  new Gauge({
    name: 'zhugong_data_dir_free_bytes',
    help: 'Room left on the disk of DATA_DIR for attachments and exports',
    registers: [metrics],
    async collect() {
      await readying.look()
      this.set(readying.freeBytes)
    },
  })
}

function reasonIn(text: string): string {
  try {
    const { why } = JSON.parse(text) as { why?: unknown }
    return typeof why === 'string' && why !== '' ? why : '未说明'
  } catch {
    return '未说明'
  }
}

/** Returns the reason why a part is not ready, or undefined. Returns `late` on a timeout or error. */
async function inTime(requested: Promise<string | undefined>, late: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(late), answerMs)
  })
  return Promise.race([requested.catch(() => late), over]).finally(() => clearTimeout(timer))
}
