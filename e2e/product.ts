import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { GateForm } from '@zhugong/simulator/city-types'

const main = join(dirname(fileURLToPath(import.meta.url)), '../apps/server/src/main.ts')
const patienceMs = 180_000
/** Scenes of the demonstration's cameras (apps/server/src/demo/media/scene.ts). */
const demoClips = 4

export interface Demo {
  url: string
  mqttUrl: string
  hj212Port: number
  accounts: {
    account: string
    name: string
    password: string
    groupType: number
    groupName: string
    projectCode?: string
    corpCode?: string
  }[]
  gateways: { gatewayId: string; secret: string; projectCode: string; devices: { deviceId: string; deviceSn: string; family: string }[] }[]
  hj212: { mn: string; password: string; deviceId: string; deviceSn: string }[]
  jt808: { phone: string; plateNo: string; projectCode: string; deviceId: string }[]
  gatePush: { deviceSn: string; form: GateForm; key: string; projectCode: string }[]
  simulation: { seed: number; today: string; gatesWait: boolean }
  samples: Record<string, string>
}

interface LaunchOptions {
  simulator?: boolean
  /** Receives the ports; returns simulator settings that redirect the devices. */
  wire?: (ports: Product['ports']) => Promise<Record<string, string>>
}

/** The whole product as a user would start it, with its own data folder and ports, by default without the simulator. */
export class Product {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'zg-product-'))
  readonly ports: Record<'PORT' | 'MQTT_PORT' | 'MQTT_WS_PORT' | 'HJ212_PORT' | 'JT808_PORT', string>
  output: string[] = []
  #process: ChildProcess | undefined

  private constructor(ports: Product['ports']) {
    this.ports = ports
    // The database runs as its own user, which must reach its folder.
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

  /** Resolves when /readyz answers 200; on timeout throws with the last output. */
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

  /** Resolves when the demonstration has written its history and videos, which it does while serving the first requests. */
  async grown(): Promise<void> {
    for (const until = performance.now() + patienceMs; this.demo.simulation.gatesWait || this.clips() < demoClips; await sleep(200))
      if (performance.now() > until) throw new Error(`history not written after ${patienceMs / 1000} s\n${this.output.slice(-40).join('')}`)
  }

  private clips(): number {
    const folder = join(this.dataDir, 'media')
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.mp4')).length : 0
  }

  get launcherPid(): number {
    return this.#process?.pid ?? 0
  }

  /** Process id of a role, a child of the supervisor. */
  pidOf(role: 'api' | 'ingest' | 'jobs'): number | undefined {
    return processes().find((p) => p.parent === this.launcherPid && p.command.at(-1) === role)?.pid
  }

  /** URL of the embedded database, from the environment of the roles. */
  get databaseUrl(): string {
    const pid = this.pidOf('api')
    const environment = pid ? readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0') : []
    return environment.find((line) => line.startsWith('DATABASE_URL='))?.slice('DATABASE_URL='.length) ?? ''
  }

  /** Process id of the postmaster, found by its socket or data folder. */
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
      return [] // Ended meanwhile.
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
