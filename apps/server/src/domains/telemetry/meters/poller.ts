import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Log } from '#kit/log'
import type { Outgoing } from '#kit/outgoing'
import type { Fleet, FleetDevice } from '../../equipment/public.ts'
import { readTelemetry } from '../../readings/public.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import type { Pipeline } from '../pipeline.ts'
import { seekDevice } from '../seek-device.ts'
import * as cjt from './cjt188.ts'
import * as dlt from './dlt645.ts'
import {
  exceptionTexts,
  type ModbusAnswer,
  planReads,
  type Register,
  RtuDecoder,
  rtuRead,
  TcpDecoder,
  tcpRead,
  valuesOf,
} from './modbus.ts'

/** The commoner one first. */
const idOrdersTried: readonly cjt.IdOrder[] = ['asWritten', 'lowFirst']

export type PollProtocol = 'modbusTcp' | 'modbusRtu' | 'dlt645' | 'cjt188'

interface PolledDevice {
  deviceId: string
  address: string
  registers: Register[]
}
interface PolledGateway {
  id: string
  protocol: PollProtocol
  host: string
  port: number
  intervalMs: number
  timeoutMs: number
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

const connectMs = 5_000
const retryMs = 5_000
/** An answer in several frames is asked on so often. */
const mostParts = 4

const lineErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: '对方拒绝连接：核对端口，或确认采集网关已开启监听',
  EHOSTUNREACH: '地址不可达：核对地址与网络路由',
  ENETUNREACH: '网络不可达：核对网络路由',
  ETIMEDOUT: '连接超时：核对地址、端口与防火墙',
  ENOTFOUND: '域名无法解析：核对地址',
  EAI_AGAIN: '域名暂时无法解析：核对 DNS',
  ECONNRESET: '连接被对方断开',
}
function errorWords(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return (typeof code === 'string' && lineErrors[code]) || (error instanceof Error ? error.message : String(error))
}

/** Devices that speak when they are asked: meters and sensors behind a gateway with an address. One line, one question at a time. */
export class Pollers {
  private readonly deps: PollerDependencies
  private readonly lines = new Map<string, PollLine>()
  private loading = Promise.resolve()

  constructor(deps: PollerDependencies) {
    this.deps = deps
  }

  /** Reads again what is to be polled; lines whose settings have not changed go on. */
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
          id: r.id,
          protocol: r.protocol,
          host: r.host,
          port: r.port,
          intervalMs: Number(r.interval_seconds) * 1000,
          timeoutMs: r.timeout_ms,
          devices: r.devices,
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

type Values = Record<string, unknown>

/** How an answer stands in the log: what it holds, or why it is a refusal. */
interface Said {
  result?: string
  hint?: string
  decoded?: Record<string, unknown>
}

class PollLine {
  readonly settings: string
  private readonly deps: PollerDependencies
  private readonly gateway: PolledGateway
  private readonly rtu = new RtuDecoder()
  private readonly tcp = new TcpDecoder()
  private readonly electric = new dlt.Dlt645Decoder()
  private readonly water = new cjt.Cjt188Decoder()
  private socket: Socket | undefined
  private transaction = 0
  /** How each water meter writes the data id, by its address. */
  private readonly waterOrders = new Map<string, cjt.IdOrder>()
  private stopped = false
  private wake: (() => void) | undefined
  private told = ''
  /** What a device said no with in this round, for whoever reads what became of the line. */
  private refusal = ''

  constructor(deps: PollerDependencies, gateway: PolledGateway) {
    this.deps = deps
    this.gateway = gateway
    this.settings = JSON.stringify(gateway)
    void this.run()
  }

  stop(): void {
    this.stopped = true
    this.socket?.destroy()
    this.wake?.()
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const begun = Date.now()
      let wait = this.gateway.intervalMs
      try {
        // Nothing is asked that could not be stored.
        if (this.deps.pipeline.isFlowing) {
          await this.open()
          let answered = 0
          this.refusal = ''
          for (const polled of this.gateway.devices) if (!this.stopped && (await this.poll(polled))) answered++
          await this.tell(answered > 0 ? '' : this.refusal || '设备均无应答')
        }
      } catch (error) {
        this.close()
        wait = Math.min(wait, retryMs)
        await this.tell(errorWords(error))
      }
      await this.sleep(Math.max(100, wait - (Date.now() - begun)))
    }
    this.close()
  }

  private nextTransaction(): number {
    this.transaction = (this.transaction + 1) & 0xffff
    return this.transaction
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

  /** What became of the line, when it changes and at least so that the last success is known. */
  private async tell(error: string): Promise<void> {
    if (error && error === this.told) return
    this.told = error
    // Lost when the database is away; the next round tells again.
    await this.deps.pool
      .query(
        `with line as (update poll_gateway set last_error = $2, last_ok = case when $2::text is null then now() else last_ok end where id = $1)
         update gateway set online = $2::text is null, last_seen = case when $2::text is null then now() else last_seen end where id = $1`,
        [this.gateway.id, error || null],
      )
      .catch((failure: unknown) => this.deps.log.debug({ err: failure }, 'line not told of'))
  }

  private async open(): Promise<Socket> {
    if (this.socket && !this.socket.destroyed) return this.socket
    const socket = await this.deps.outgoing.connect(this.gateway.host, this.gateway.port)
    this.socket = socket
    // Stopped while the name was looked up.
    if (this.stopped) socket.destroy()
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(new Error('连接超时')), connectMs)
      socket.once('connect', () => {
        clearTimeout(timer)
        resolve()
      })
      socket.once('error', reject)
      socket.once('close', () => {
        clearTimeout(timer)
        reject(new Error('连接已断开'))
      })
    })
    socket.on('error', () => undefined)
    return socket
  }
  private close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  /** Sends and gathers what comes until `take` has its answer; undefined when the time is up. */
  private async ask<T>(
    device: FleetDevice,
    kind: string,
    bytes: Buffer,
    take: (chunk: Buffer) => T | undefined,
    read: (answer: T) => Said,
  ): Promise<T | undefined> {
    const socket = await this.open()
    // What came too late for the question before must not answer this one.
    for (const decoder of [this.rtu, this.tcp, this.electric, this.water]) decoder.reset()
    const sentAt = this.deps.now()
    const heard: Buffer[] = []
    socket.write(bytes)
    const answer = await new Promise<T | undefined>((resolve, reject) => {
      const end = (value: T | undefined, error?: Error) => {
        clearTimeout(timer)
        socket.off('data', onData)
        socket.off('close', onClose)
        if (error) reject(error)
        else resolve(value)
      }
      const timer = setTimeout(() => end(undefined), this.gateway.timeoutMs)
      const onData = (chunk: Buffer) => {
        heard.push(chunk)
        const taken = take(chunk)
        if (taken !== undefined) end(taken)
      }
      const onClose = () => end(undefined, new Error('连接已断开'))
      socket.on('data', onData)
      socket.once('close', onClose)
    })
    this.note(device, 'down', kind, 'sent', bytes)
    const body = Buffer.concat(heard)
    const delayMs = this.deps.now() - sentAt
    if (answer === undefined) {
      if (body.length) this.deps.counters.badFrame(this.gateway.protocol, 'noAnswer')
      const hint = body.length
        ? `收到 ${body.length} 字节，但校验、地址或长度不符：核对地址、波特率与校验位，或有两台设备同一地址`
        : undefined
      this.note(device, 'up', kind, body.length ? 'check' : 'noAnswer', body, { delayMs, hint })
      return undefined
    }
    const { result, hint, decoded } = read(answer)
    if (hint) this.refusal = `${device.name}：${hint}`.slice(0, 200)
    this.note(device, 'up', kind, result ?? 'accepted', body, { delayMs, hint, decoded })
    return answer
  }

  private note(
    device: FleetDevice,
    direction: 'up' | 'down',
    kind: string,
    result: string,
    body: Buffer,
    more: { delayMs?: number; hint?: string | undefined; decoded?: Record<string, unknown> | undefined } = {},
  ): void {
    this.deps.frames.note({
      time: this.deps.now(),
      device,
      gatewayId: this.gateway.id,
      identifier: device.sn,
      protocol: this.gateway.protocol,
      address: `${this.gateway.host}:${this.gateway.port}`,
      direction,
      kind,
      result,
      length: body.length,
      body,
      isText: false,
      ...more,
    })
  }

  /** Whether the device has answered anything. */
  private async poll(polled: PolledDevice): Promise<boolean> {
    const device = await seekDevice(this.deps.fleet, this.deps.pool, polled.deviceId)
    if (!device?.inService) return false
    const values = await this.read(device, polled)
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

  private read(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    switch (this.gateway.protocol) {
      case 'modbusTcp':
      case 'modbusRtu':
        return this.readRegisters(device, polled)
      case 'dlt645':
        return this.readElectric(device, polled)
      case 'cjt188':
        return this.readWater(device, polled)
    }
  }

  private async readRegisters(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    const unit = Number(polled.address)
    const values: Values = {}
    for (const read of planReads(polled.registers)) {
      const transaction = this.nextTransaction()
      const isTcp = this.gateway.protocol === 'modbusTcp'
      const bytes = isTcp ? tcpRead(transaction, unit, read) : rtuRead(unit, read)
      const isMine = (a: ModbusAnswer) =>
        a.unit === unit && (isTcp ? a.transaction === transaction : a.exception !== undefined || a.data.length === read.count * 2)
      const answer = await this.ask(
        device,
        `${read.table} ${read.address}+${read.count}`,
        bytes,
        (chunk) => (isTcp ? this.tcp : this.rtu).push(chunk).find(isMine),
        ({ exception, data }) =>
          exception === undefined
            ? { decoded: valuesOf(read, data) }
            : {
                result: 'exception',
                hint: `读 ${read.table === 'input' ? '输入' : '保持'}寄存器 ${read.address} 起 ${read.count} 个，设备答异常 ${exception}：${exceptionTexts[exception] ?? '未知异常'}`,
                decoded: { exception },
              },
      )
      if (answer?.exception === undefined && answer) Object.assign(values, valuesOf(read, answer.data))
      // A unit that is silent at the first question is not asked the others.
      if (!answer) break
    }
    return values
  }

  private async readElectric(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    const values: Values = {}
    const address = polled.address.padStart(12, '0')
    const wanted = (polled.registers as unknown[]).filter((id): id is string => typeof id === 'string')
    for (const id of wanted.length ? wanted : Object.keys(dlt.meterItems)) {
      let more = true
      for (let part = 0; more && part < mostParts; part++) {
        // What follows is asked for by 12 and the number of the part.
        const bytes = part === 0 ? dlt.readMeter(address, id) : dlt.readFollowing(address, id, part)
        const answer = await this.ask(
          device,
          id,
          bytes,
          (chunk) =>
            this.electric
              .push(chunk)
              .filter((f) => f.address === address)
              .map(dlt.answerOf)
              .find((a) => a !== undefined && (a.error !== undefined || a.id === id)),
          ({ error, values: read }) =>
            error === undefined
              ? { decoded: read }
              : { result: 'exception', hint: `电表拒绝数据项 ${id}：${dlt.errorText(error)}`, decoded: { error } },
        )
        if (!answer) return values
        Object.assign(values, answer.values)
        more = answer.more
      }
    }
    return values
  }

  /** In the order the meter answered last; in both where none is known. A meter that falls silent may have been exchanged. */
  private async readWater(device: FleetDevice, polled: PolledDevice): Promise<Values> {
    const address = polled.address.padStart(14, '0')
    const known = this.waterOrders.get(address)
    this.waterOrders.delete(address)
    for (const order of known ? [known] : idOrdersTried) {
      const answer = await this.askWater(device, address, order)
      if (!answer) continue
      this.waterOrders.set(address, order)
      return waterValues(answer)
    }
    return {}
  }

  private async askWater(device: FleetDevice, address: string, order: cjt.IdOrder): Promise<cjt.WaterAnswer | undefined> {
    const read = await this.ask(
      device,
      '901F',
      cjt.readWaterMeter(address, this.nextTransaction() & 0xff, order),
      (chunk) =>
        this.water
          .push(chunk)
          .filter((f) => f.address === address)
          .map((frame) => ({ frame, answer: cjt.answerOf(frame), refusal: cjt.refusalOf(frame), unit: cjt.unitUnknown(frame) }))
          .find((a) => a.answer !== undefined || a.refusal !== undefined || a.unit),
      (a) =>
        a.answer
          ? { decoded: { ...a.answer } }
          : a.refusal
            ? { result: 'exception', hint: a.refusal }
            : { result: 'unit', hint: '水表的计量单位不是升或立方米，数值没有保存：请核对水表设置' },
    )
    return read?.answer
  }
}

function waterValues({ totalVolume, valve, batteryLow, clock, settledVolume }: cjt.WaterAnswer): Values {
  return {
    totalVolume,
    ...(valve ? { valve } : {}),
    batteryLow,
    ...(settledVolume === undefined ? {} : { settledVolume }),
    ...(clock === undefined ? {} : { meterClock: clock }),
  }
}
