import { createHmac } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'

export type UplinkKind = 'telemetry' | 'event' | 'record' | 'state' | 'reply'

export const gatewayClientId = (gatewayId: string) => `gw:${gatewayId}`

/** Hex HMAC-SHA256 of client id and time, followed by the time; valid for five minutes. */
export function gatewayPassword(gatewayId: string, secret: string, timestamp: number): string {
  return `${createHmac('sha256', secret)
    .update(`${gatewayClientId(gatewayId)}|${timestamp}`)
    .digest('hex')}|${timestamp}`
}

export const uplinkTopic = (gatewayId: string, deviceSn: string, kind: UplinkKind) => `site/v1/up/${gatewayId}/${deviceSn}/${kind}`
export const commandTopic = (gatewayId: string, deviceSn: string) => `site/v1/down/${gatewayId}/${deviceSn}/command`

/** One sample, record or event of a message. Telemetry has `data`, a record also its name, an event its own fields. */
export interface UplinkItem {
  /** Epoch milliseconds of the device's clock. */
  time: number
  seq: number
  data?: Record<string, unknown>
  quality?: Record<string, string>
  record?: string
  type?: string
  state?: 'start' | 'end'
  value?: number
}

export interface GatewayCommand {
  deviceSn: string
  cmdId: string
  cmd: string
  params: Record<string, unknown>
}

export interface GatewayOptions {
  url: string
  gatewayId: string
  secret: string
  /** Maximum unacknowledged messages. */
  inFlight?: number
  /** Maximum items kept while disconnected; the oldest telemetry is dropped first, records later. */
  keep?: number
  /** Messages per second, below the platform's limit per gateway. */
  rate?: number
  onCommand?: (command: GatewayCommand) => { result: number; message?: string; data?: Record<string, unknown> }
  /** Whether this message is sent twice. */
  repeats?: () => boolean
  now?: () => number
}

export interface GatewayCounts {
  messages: number
  acknowledged: number
  items: number
  dropped: number
  connects: number
}

interface Lane {
  deviceSn: string
  kind: UplinkKind
  items: UplinkItem[]
}

const itemsPerMessage = 100

/**
 * MQTT client of a gateway: one connection, QoS 1, items are kept until their PUBACK. While disconnected, items wait in a bounded buffer
 * and are sent later in bundles with their original time.
 */
export class MqttGateway {
  readonly counts: GatewayCounts = { messages: 0, acknowledged: 0, items: 0, dropped: 0, connects: 0 }
  private readonly options: Required<Omit<GatewayOptions, 'onCommand' | 'repeats'>> & Pick<GatewayOptions, 'onCommand' | 'repeats'>
  private client: MqttClient | null = null
  private readonly lanes = new Map<string, Lane>()
  private queued = 0
  private flying = 0
  private tokens: number
  private refilledAt: number
  private timer: NodeJS.Timeout | undefined
  private messageNo = 0
  private readonly seqs = new Map<string, number>()
  private readonly boot: string
  private closed = false
  private isCut = false

  constructor(options: GatewayOptions) {
    this.options = { inFlight: 20, keep: 20_000, rate: 18, now: Date.now, ...options }
    this.tokens = 60
    this.refilledAt = this.options.now()
    this.boot = this.refilledAt.toString(36)
  }

  start(): this {
    const { gatewayId, secret, url, now } = this.options
    const client = mqtt.connect(url, {
      clientId: gatewayClientId(gatewayId),
      username: gatewayId,
      password: gatewayPassword(gatewayId, secret, now()),
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      reconnectPeriod: 3000,
      connectTimeout: 8000,
      queueQoSZero: false,
      will: { topic: uplinkTopic(gatewayId, '-', 'state'), payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
    })
    this.client = client
    // Passwords expire: each attempt signs the current time.
    client.on('reconnect', () => {
      client.options.password = gatewayPassword(gatewayId, secret, now())
    })
    client.on('connect', () => {
      this.counts.connects++
      client.publish(
        uplinkTopic(gatewayId, '-', 'state'),
        JSON.stringify({ online: true, firmware: 'ZG-GW 3.2.0', signal: 22 }),
        { qos: 1, retain: true },
        () => {},
      )
      client.subscribe(`site/v1/down/${gatewayId}/+/command`, { qos: 1 }, () => {})
      this.flush()
    })
    client.on('message', (topic, payload) => this.receive(topic, payload))
    client.on('error', () => {
      // Refused or unreachable: the client reconnects by itself.
    })
    this.timer = setInterval(() => this.flush(), 100)
    return this
  }

  get connected(): boolean {
    return this.client?.connected ?? false
  }

  /** Items not yet acknowledged by the platform. */
  get pending(): number {
    return this.queued + this.flying
  }

  telemetry(deviceSn: string, time: number, data: Record<string, unknown>, quality?: Record<string, string>): void {
    this.enqueue(deviceSn, 'telemetry', { time, seq: this.nextSeq(deviceSn), data, quality: quality || undefined })
  }

  record(deviceSn: string, record: string, time: number, data: Record<string, unknown>): void {
    this.enqueue(deviceSn, 'record', { time, seq: this.nextSeq(deviceSn), record, data })
  }

  event(deviceSn: string, type: string, state: 'start' | 'end', time: number, value: number): void {
    this.enqueue(deviceSn, 'event', { time, seq: this.nextSeq(deviceSn), type, state, value })
  }

  private nextSeq(deviceSn: string): number {
    const seq = (this.seqs.get(deviceSn) ?? 0) + 1
    this.seqs.set(deviceSn, seq)
    return seq
  }

  private enqueue(deviceSn: string, kind: UplinkKind, item: UplinkItem): void {
    if (this.closed) return
    const key = `${deviceSn}/${kind}`
    const lane = this.lanes.get(key) ?? { deviceSn, kind, items: [] }
    this.lanes.set(key, lane)
    lane.items.push(item)
    this.queued++
    this.counts.items++
    if (this.queued > this.options.keep) this.dropOldest()
    this.flush()
  }

  private dropOldest(): void {
    let oldest: Lane | undefined
    for (const lane of this.lanes.values()) {
      if (!lane.items.length) continue
      const rank = (one: Lane) => (one.kind === 'telemetry' ? 0 : 1)
      if (!oldest || rank(lane) < rank(oldest) || (rank(lane) === rank(oldest) && lane.items[0]!.time < oldest.items[0]!.time))
        oldest = lane
    }
    if (!oldest) return
    oldest.items.shift()
    this.queued--
    this.counts.dropped++
  }

  private flush(): void {
    const client = this.client
    if (!client?.connected || this.closed || this.isCut) return
    const now = this.options.now()
    this.tokens = Math.min(60, this.tokens + ((now - this.refilledAt) / 1000) * this.options.rate)
    this.refilledAt = now
    for (const [key, lane] of this.lanes) {
      while (lane.items.length && this.flying < this.options.inFlight && this.tokens >= 1) {
        const items = lane.items.splice(0, itemsPerMessage)
        this.queued -= items.length
        this.publish(client, lane, items)
      }
      if (this.flying >= this.options.inFlight || this.tokens < 1) {
        // Move the lane served last to the end, so that none starves.
        this.lanes.delete(key)
        this.lanes.set(key, lane)
        return
      }
    }
  }

  /** Disconnects and stays disconnected, or reconnects: then the backlog is sent with its original times. */
  cut(isCut: boolean): void {
    this.isCut = isCut
    if (isCut && this.client?.connected) this.client.stream.destroy()
    if (!isCut) this.flush()
  }

  private publish(client: MqttClient, lane: Lane, items: UplinkItem[]): void {
    const msgId = `${this.boot}-${(++this.messageNo).toString(36)}`
    this.flying++
    this.tokens--
    this.counts.messages++
    const topic = uplinkTopic(this.options.gatewayId, lane.deviceSn, lane.kind)
    const payload = JSON.stringify({ v: 1, msgId, items })
    if (this.options.repeats?.()) client.publish(topic, payload, { qos: 1 }, () => {})
    client.publish(topic, payload, { qos: 1 }, (error) => {
      this.flying--
      if (error) {
        // Not acknowledged: put back at the front, in order.
        lane.items.unshift(...items)
        this.queued += items.length
      } else {
        this.counts.acknowledged++
      }
      this.flush()
    })
  }

  private receive(topic: string, payload: Buffer): void {
    const deviceSn = topic.split('/')[4]
    if (!deviceSn) return
    let message: { cmdId?: unknown; cmd?: unknown; params?: unknown; expireAt?: unknown }
    try {
      message = JSON.parse(payload.toString())
    } catch {
      return
    }
    if (typeof message.cmd !== 'string' || typeof message.cmdId !== 'string') return
    const expired = typeof message.expireAt === 'number' && message.expireAt < this.options.now()
    const params = typeof message.params === 'object' && message.params !== null ? (message.params as Record<string, unknown>) : {}
    const answer = expired
      ? { result: 1, message: '指令已过期，未执行' }
      : (this.options.onCommand?.({ deviceSn, cmdId: message.cmdId, cmd: message.cmd, params }) ?? { result: 0 })
    this.client?.publish(
      uplinkTopic(this.options.gatewayId, deviceSn, 'reply'),
      JSON.stringify({
        cmdId: message.cmdId,
        result: answer.result,
        message: answer.message ?? '',
        data: 'data' in answer ? (answer.data ?? {}) : {},
      }),
      { qos: 1 },
      () => {},
    )
  }

  /** Disconnects cleanly (no will message); unacknowledged items are lost. */
  async stop(): Promise<void> {
    this.closed = true
    clearInterval(this.timer)
    const client = this.client
    if (!client) return
    if (client.connected)
      client.publish(uplinkTopic(this.options.gatewayId, '-', 'state'), '{"online":false}', { qos: 1, retain: true }, () => {})
    await Promise.race([client.endAsync(), new Promise((resolve) => setTimeout(resolve, 800))])
    client.end(true)
  }
}
