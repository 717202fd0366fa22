import type pg from 'pg'
import type { Log } from '#kit/log'
import type { Outgoing } from '#kit/outgoing'
import { pick } from '#kit/pick'
import type { Fleet } from '../../equipment/public.ts'
import { readTelemetry } from '../../readings/public.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import type { Pipeline } from '../pipeline.ts'
import { seekDevice } from '../seek-device.ts'
import { errorWords, type LineSettings, PollSocket } from './poll-socket.ts'
import { type PolledDevice, type PollProtocol, readerFor } from './readers.ts'

interface PolledGateway extends LineSettings {
  intervalMs: number
  devices: PolledDevice[]
}

export interface PollerDependencies {
  pool: pg.Pool
  outgoing: Outgoing
  fleet: Fleet
  pipeline: Pipeline
  counters: Counters
  frames: FrameLog
  log: Log
  now(): number
}

const retryMs = 5_000

/** Polls meters and sensors behind gateways that have a network address. One connection per gateway, one request at a time. */
export class Pollers {
  private readonly deps: PollerDependencies
  private readonly lines = new Map<string, PollLine>()
  private loading = Promise.resolve()

  constructor(deps: PollerDependencies) {
    this.deps = deps
  }

  /** Reloads the gateways to poll; connections with unchanged settings continue. */
  load(): Promise<void> {
    this.loading = this.loading.then(() => this.read()).catch((error: unknown) => this.deps.log.warn({ err: error }, 'pollers'))
    return this.loading
  }

  private async read(): Promise<void> {
    const { rows } = await this.deps.pool.query<{
      id: string
      protocol: PollProtocol
      host: string
      port: number
      interval_seconds: number
      timeout_ms: number
      devices: PolledDevice[]
    }>(
      `select p.id, p.protocol, p.host, p.port, p.interval_seconds, p.timeout_ms,
         (select coalesce(jsonb_agg(jsonb_build_object('deviceId', d.id, 'address', d.address, 'registers', d.registers) order by d.address), '[]')
          from poll_device d where d.gateway_id = p.id) as devices
       from poll_gateway p join gateway g on g.id = p.id where p.enabled and g.status = '1'`,
    )
    const wanted = new Map(
      rows.map((r) => [
        r.id,
        {
          ...pick(r, 'id', 'protocol', 'host', 'port', 'devices'),
          intervalMs: Number(r.interval_seconds) * 1000,
          timeoutMs: r.timeout_ms,
        },
      ]),
    )
    for (const [id, line] of this.lines) {
      const gateway = wanted.get(id)
      if (gateway && JSON.stringify(gateway) === line.settings) continue
      line.stop()
      this.lines.delete(id)
    }
    for (const [id, gateway] of wanted) {
      if (this.lines.has(id) || gateway.devices.length === 0) continue
      this.lines.set(id, new PollLine(this.deps, gateway))
    }
  }

  stop(): void {
    for (const line of this.lines.values()) line.stop()
    this.lines.clear()
  }
}

class PollLine {
  readonly settings: string
  private readonly deps: PollerDependencies
  private readonly gateway: PolledGateway
  private readonly socket: PollSocket
  private readonly reader: ReturnType<(typeof readerFor)[PollProtocol]>
  private stopped = false
  private wake: (() => void) | undefined
  private reported = ''

  constructor(deps: PollerDependencies, gateway: PolledGateway) {
    this.deps = deps
    this.gateway = gateway
    this.settings = JSON.stringify(gateway)
    this.socket = new PollSocket(deps, gateway)
    this.reader = readerFor[gateway.protocol](this.socket.ask)
    void this.run()
  }

  stop(): void {
    this.stopped = true
    this.socket.stop()
    this.wake?.()
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const begun = Date.now()
      let wait = this.gateway.intervalMs
      try {
        // Does not poll while readings cannot be stored.
        if (this.deps.pipeline.isFlowing) {
          await this.socket.open()
          let answered = 0
          this.socket.refusal = ''
          for (const polled of this.gateway.devices) if (!this.stopped && (await this.poll(polled))) answered++
          await this.tell(answered > 0 ? '' : this.socket.refusal || '设备均无应答')
        }
      } catch (error) {
        this.socket.close()
        wait = Math.min(wait, retryMs)
        await this.tell(errorWords(error))
      }
      await this.sleep(Math.max(100, wait - (Date.now() - begun)))
    }
    this.socket.close()
  }

  private sleep(ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Stores the result of a polling round. An unchanged error is not stored again; every success is, for the time of the last success. */
  private async tell(error: string): Promise<void> {
    if (error && error === this.reported) return
    this.reported = error
    // Lost if the database is unavailable; the next round stores it again.
    await this.deps.pool
      .query(
        `with line as (update poll_gateway set last_error = $2, last_ok = case when $2::text is null then now() else last_ok end where id = $1)
         update gateway set online = $2::text is null, last_seen = case when $2::text is null then now() else last_seen end where id = $1`,
        [this.gateway.id, error || null],
      )
      .catch((failure: unknown) => this.deps.log.debug({ err: failure }, 'line not told of'))
  }

  /** Polls one device. Returns whether it returned any value. */
  private async poll(polled: PolledDevice): Promise<boolean> {
    const device = await seekDevice(this.deps.fleet, this.deps.pool, polled.deviceId)
    if (!device?.inService) return false
    if (this.gateway.protocol.startsWith('modbus') && polled.registers.length === 0) {
      this.socket.refusal = `${device.name}：没有寄存器表，没有读取，请在设备的型号中填写寄存器`
      return false
    }
    const values = await this.reader.read(device, polled)
    if (Object.keys(values).length === 0) return false
    const receivedAt = this.deps.now()
    const { accepted, rejected } = readTelemetry(device.family, { time: receivedAt, data: values }, 0, receivedAt)
    if (rejected.length) this.deps.counters.rejected(this.gateway.protocol, rejected.length)
    if (!accepted) return true
    this.deps.counters.received(this.gateway.protocol, 1)
    await new Promise<void>((resolve) => {
      this.deps.pipeline.submit({ device, receivedAt, readings: [accepted], records: [], events: [], done: () => resolve() })
    })
    return true
  }
}
