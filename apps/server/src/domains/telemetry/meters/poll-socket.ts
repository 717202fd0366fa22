import type { Socket } from 'node:net'
import type { Outgoing } from '#kit/outgoing'
import type { FleetDevice } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import type { Ask, PollProtocol, Question } from './readers.ts'

const connectMs = 5_000
const lineErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: '对方拒绝连接：核对端口，或确认采集网关已开启监听',
  EHOSTUNREACH: '地址不可达：核对地址与网络路由',
  ENETUNREACH: '网络不可达：核对网络路由',
  ETIMEDOUT: '连接超时：核对地址、端口与防火墙',
  ENOTFOUND: '域名无法解析：核对地址',
  EAI_AGAIN: '域名暂时无法解析：核对 DNS',
  ECONNRESET: '连接被对方断开',
}
/** Why a connection fails, for the user who configures it. */
export function errorWords(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return (typeof code === 'string' && lineErrors[code]) || (error instanceof Error ? error.message : String(error))
}

export interface LineSettings {
  id: string
  protocol: PollProtocol
  host: string
  port: number
  timeoutMs: number
}

interface LineDependencies {
  outgoing: Outgoing
  counters: Counters
  frames: FrameLog
  now(): number
}

/** The connection to a gateway: one request at a time with a timeout; request and response are logged. */
export class PollSocket {
  private readonly deps: LineDependencies
  private readonly gateway: LineSettings
  private socket: Socket | undefined
  private stopped = false
  /** Last refusal by a device since it was cleared, for the connection's status. */
  refusal = ''

  constructor(deps: LineDependencies, gateway: LineSettings) {
    this.deps = deps
    this.gateway = gateway
  }

  /** Stops permanently; a connection that is being opened is closed as soon as it exists. */
  stop(): void {
    this.stopped = true
    this.socket?.destroy()
  }

  async open(): Promise<Socket> {
    if (this.socket && !this.socket.destroyed) return this.socket
    const socket = await this.deps.outgoing.connect(this.gateway.host, this.gateway.port)
    this.socket = socket
    // Stopped during the DNS lookup.
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
  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  /**
   * Sends a request and collects bytes until the response is complete; undefined after the timeout.
   * @throws Error when the connection fails.
   */
  readonly ask: Ask = async <T>(device: FleetDevice, { kind, bytes, reset, take, read }: Question<T>): Promise<T | undefined> => {
    const socket = await this.open()
    reset()
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
}
