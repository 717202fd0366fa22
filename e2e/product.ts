import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = join(dirname(fileURLToPath(import.meta.url)), '../apps/server/src/main.ts')
const patienceMs = 180_000

export interface Demo {
  url: string
  mqttUrl: string
  hj212Port: number
  accounts: { account: string; password: string; groupType: number; groupName: string; projectCode?: string; corpCode?: string }[]
  gateways: { gatewayId: string; secret: string; projectCode: string; devices: { deviceId: string; deviceSn: string; family: string }[] }[]
  hj212: { mn: string; password: string; deviceId: string; deviceSn: string }[]
  jt808: { phone: string; plateNo: string; projectCode: string; deviceId: string }[]
  gatePush: { deviceSn: string; form: 'event' | 'callback' | 'generic'; key: string; projectCode: string }[]
  simulation: { seed: number; today: string }
  samples: Record<string, string>
}

interface LaunchOptions {
  simulator?: boolean
  /** Told the ports, answers where the simulated devices are to call instead: the settings of the simulator. */
  wire?: (ports: Product['ports']) => Promise<Record<string, string>>
}

/** The whole product as somebody would start it, in a data folder and on ports of its own, without the simulator. */
export class Product {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'zg-product-'))
  readonly ports: Record<'PORT' | 'MQTT_PORT' | 'MQTT_WS_PORT' | 'HJ212_PORT' | 'JT808_PORT', string>
  output: string[] = []
  #process: ChildProcess | undefined

  private constructor(ports: Product['ports']) {
    this.ports = ports
    // The database's own account must reach its folder.
    chmodSync(this.dataDir, 0o755)
  }

  static async start(options: LaunchOptions = {}): Promise<Product> {
    const free = await Promise.all(Array.from({ length: 5 }, freePort))
    const [PORT, MQTT_PORT, MQTT_WS_PORT, HJ212_PORT, JT808_PORT] = free.map(String) as [string, string, string, string, string]
    const product = new Product({ PORT, MQTT_PORT, MQTT_WS_PORT, HJ212_PORT, JT808_PORT })
    await product.launch(options)
    return product
  }

  async launch(options: LaunchOptions = {}): Promise<void> {
    const env = {
      ...process.env,
      ...(await options.wire?.(this.ports)),
      ...this.ports,
      DATA_DIR: this.dataDir,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    }
    const args = [main, 'demo', ...(options.simulator ? [] : ['--no-simulator'])]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    this.#process = child
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => this.keep(chunk.toString()))
    await this.ready()
  }

  private keep(text: string) {
    this.output.push(text)
    if (this.output.length > 400) this.output.splice(0, 200)
  }

  get demo(): Demo {
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as Demo
  }

  /** Resolves when /readyz answers 200; throws with the last output when that takes too long. */
  async ready(): Promise<number> {
    const begun = performance.now()
    while (performance.now() - begun < patienceMs) {
      const code = this.#process?.exitCode
      if (code !== null && code !== undefined) throw new Error(`ended with code ${code}\n${this.output.slice(-40).join('')}`)
      const ok = await fetch(`http://127.0.0.1:${this.ports.PORT}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        (r) => r.status === 200,
        () => false,
      )
      if (ok) return performance.now() - begun
      await sleep(50)
    }
    throw new Error(`not ready after ${patienceMs / 1000} s\n${this.output.slice(-40).join('')}`)
  }

  get launcherPid(): number {
    return this.#process?.pid ?? 0
  }

  /** The process of a role, found below the launcher. */
  pidOf(role: 'api' | 'ingest' | 'jobs'): number | undefined {
    return processes().find((p) => p.parent === this.launcherPid && p.command.at(-1) === role)?.pid
  }

  /** The address of the embedded database, as the roles were given it. */
  get databaseUrl(): string {
    const pid = this.pidOf('api')
    const environment = pid ? readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0') : []
    return environment.find((line) => line.startsWith('DATABASE_URL='))?.slice('DATABASE_URL='.length) ?? ''
  }

  /** The database server's main process: the postgres whose parent is none of its own. */
  get postmasterPid(): number | undefined {
    const socket = new URL(this.databaseUrl.replace(/^postgresql:/, 'http:')).searchParams.get('host') ?? 'none'
    return processes().find(
      (p) => p.command[0]?.endsWith('postgres') && p.command.some((part) => part.includes(socket) || part.includes(this.dataDir)),
    )?.pid
  }

  async stop(): Promise<void> {
    const child = this.#process
    if (child?.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

function processes(): { pid: number; parent: number; command: string[] }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').filter(Boolean)
      return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command }]
    } catch {
      return [] // ended meanwhile
    }
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
