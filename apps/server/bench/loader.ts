import { connect, type Socket } from 'node:net'
import { gatewayClientId, gatewayPassword, uplinkTopic } from '@zhugong/simulator/mqtt-gateway'

export interface LoadGateway {
  gatewayId: string
  secret: string
  devices: string[]
}

export interface LoadPlan {
  host: string
  port: number
  gateways: LoadGateway[]
  /** Messages per second of all gateways together; 0: limited by `inFlight` only. */
  rate: number
  /** Unacknowledged messages per connection. */
  inFlight: number
  /** Readings per message. */
  bundle: number
  /** One device of this many exceeds its limit for ten seconds of every thirty; 0: none. */
  overloadOneIn: number
  /** Replays the past instead of sending current readings: `readings` per device, `everyMs` apart, ending at the start of the run. */
  replay?: { readings: number; everyMs: number }
}

export interface LoadState {
  connected: number
  sent: number
  acknowledged: number
  /** Readings in acknowledged messages. */
  readings: number
  reconnects: number
  /** Milliseconds from sending to PUBACK, since the previous query. */
  p50: number
  p99: number
  worst: number
  /** Time of the last PUBACK. */
  lastAnswerAt: number
  /** For replays: devices that have sent all their readings. */
  finished: number
}

const connectMs = 15_000
/** Delay before a gateway reconnects, random so that the gateways do not all reconnect at once. */
const againMs = { least: 500, spread: 2_000 }
/** A sender pauses when its socket has this many unsent bytes. */
const unsentBytes = 256 * 1024

/** Of this many readings, one has the same time as the reading before it. */
const pairEvery = 10

interface Flying {
  device: Device
  firstSeq: number
  count: number
  at: number
  packet: Buffer
}

class Device {
  readonly sn: string
  readonly index: number
  seq = 0
  lastTime = 0
  /** Indexed by seq: 1 when acknowledged. */
  acknowledged = new Uint8Array(64)

  constructor(sn: string, index: number) {
    this.sn = sn
    this.index = index
  }

  mark(seq: number): void {
    if (seq >= this.acknowledged.length) {
      const larger = new Uint8Array(Math.max(seq + 1, this.acknowledged.length * 2))
      larger.set(this.acknowledged)
      this.acknowledged = larger
    }
    this.acknowledged[seq] = 1
  }
}

/**
 * Simulates many gateways in one process with little processor time: it writes packets to plain sockets, so that the other side is what
 * limits the rate. A message is kept until its PUBACK: after a lost connection it is sent again, and counted once.
 */
export class Loader {
  readonly devices: Device[] = []
  private readonly plan: LoadPlan
  private readonly boxes: Box[]
  private readonly startedAt = Date.now()
  private latencies: number[] = []
  private credit = 0
  private creditedAt = performance.now()
  private readonly timer: NodeJS.Timeout
  private turn = 0
  rate: number
  running = true
  /** True once all gateways have been connected; nobody sends before. */
  isReady = false
  sent = 0
  answered = 0
  readings = 0
  reconnects = 0
  lastAnswerAt = 0
  closed = false

  constructor(plan: LoadPlan) {
    this.plan = plan
    this.rate = plan.rate
    this.boxes = plan.gateways.map((gateway) => {
      const own = gateway.devices.map((sn, i) => new Device(sn, this.devices.length + i))
      this.devices.push(...own)
      return new Box(this, plan, gateway, own)
    })
    for (const [i, box] of this.boxes.entries()) setTimeout(() => box.open(), i / 4)
    this.timer = setInterval(() => this.pump(), 5)
  }

  /** With a rate, the gateways send in turn; without, all send. */
  private pump(): void {
    if (!this.running) return
    this.isReady ||= this.boxes.every((b) => b.isUp)
    if (!this.isReady) return
    if (this.rate <= 0) {
      for (const box of this.boxes) box.fill()
      return
    }
    const now = performance.now()
    this.credit = Math.min(Math.max(1, this.rate / 5), this.credit + ((now - this.creditedAt) / 1000) * this.rate)
    this.creditedAt = now
    for (let missed = 0; this.credit >= 1 && missed < this.boxes.length; ) {
      const box = this.boxes[this.turn++ % this.boxes.length] as Box
      if (box.sendOne()) {
        this.credit--
        missed = 0
      } else missed++
    }
  }

  /** Time of a reading: the present, and later than the previous reading. Every tenth reading has the time of the previous one. */
  timeOf(device: Device, seq: number, left: number): number {
    const { replay } = this.plan
    if (seq % pairEvery === 0) return device.lastTime
    const time = replay ? this.startedAt - (replay.readings - seq + 1) * replay.everyMs : Math.max(device.lastTime + 1, Date.now() - left)
    device.lastTime = time
    return time
  }

  isOver(device: Device, time: number): boolean {
    const { overloadOneIn } = this.plan
    return overloadOneIn > 0 && device.index % overloadOneIn === 0 && Math.floor(time / 10_000) % 3 === 2
  }

  wants(device: Device): number {
    const { replay, bundle } = this.plan
    return replay ? Math.min(bundle, replay.readings - device.seq) : bundle
  }

  acknowledged(flying: Flying): void {
    const now = performance.now()
    this.answered++
    this.readings += flying.count
    this.lastAnswerAt = Date.now()
    if (this.latencies.length < 500_000) this.latencies.push(now - flying.at)
    for (let i = 0; i < flying.count; i++) flying.device.mark(flying.firstSeq + i)
  }

  get state(): LoadState {
    const sorted = Float64Array.from(this.latencies).sort()
    this.latencies = []
    const part = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
    const { replay } = this.plan
    return {
      connected: this.boxes.filter((b) => b.isUp).length,
      sent: this.sent,
      acknowledged: this.answered,
      readings: this.readings,
      reconnects: this.reconnects,
      p50: part(0.5),
      p99: part(0.99),
      worst: part(1),
      lastAnswerAt: this.lastAnswerAt,
      finished: replay ? this.boxes.filter((b) => b.isDone(replay.readings)).length : 0,
    }
  }

  get flying(): number {
    return this.boxes.reduce((n, box) => n + box.flying.size, 0)
  }

  /** Stops sending and waits for the messages in flight. */
  async settle(ms: number): Promise<void> {
    this.running = false
    const until = performance.now() + ms
    while (this.flying && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  close(): void {
    this.closed = true
    clearInterval(this.timer)
    for (const box of this.boxes) box.close()
  }
}

class Box {
  readonly flying = new Map<number, Flying>()
  private readonly loader: Loader
  private readonly plan: LoadPlan
  private readonly gateway: LoadGateway
  private readonly devices: Device[]
  private socket: Socket | undefined
  private rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  private id = 0
  private turn = 0
  private opened = false
  isUp = false

  constructor(loader: Loader, plan: LoadPlan, gateway: LoadGateway, devices: Device[]) {
    this.loader = loader
    this.plan = plan
    this.gateway = gateway
    this.devices = devices
  }

  isDone(readings: number): boolean {
    return this.flying.size === 0 && this.devices.every((d) => d.seq >= readings)
  }

  open(): void {
    if (this.loader.closed) return
    const { gatewayId, secret } = this.gateway
    const socket = connect(this.plan.port, this.plan.host)
    this.socket = socket
    this.rest = Buffer.alloc(0)
    socket.setNoDelay(true)
    const patience = setTimeout(() => socket.destroy(), connectMs)
    socket.once('connect', () => {
      const part = (text: string) => {
        const bytes = Buffer.from(text)
        return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
      }
      const body = Buffer.concat([
        part('MQTT'),
        // Protocol level 4 (MQTT 3.1.1), clean session with user name and password, keep-alive 0.
        Buffer.from([4, 0xc2, 0, 0]),
        part(gatewayClientId(gatewayId)),
        part(gatewayId),
        part(gatewayPassword(gatewayId, secret, Date.now())),
      ])
      socket.write(Buffer.concat([Buffer.from([0x10]), remaining(body.length), body]))
    })
    socket.on('data', (chunk: Buffer) => this.read(chunk, patience))
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(patience)
      this.isUp = false
      if (this.loader.closed) return
      this.loader.reconnects++
      setTimeout(() => this.open(), againMs.least + Math.random() * againMs.spread)
    })
  }

  private read(chunk: Buffer, patience: NodeJS.Timeout): void {
    const data = this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk
    let at = 0
    // CONNACK and PUBACK have four bytes each; the server sends nothing else.
    for (; at + 4 <= data.length; at += 4) {
      if (data[at] === 0x20) {
        clearTimeout(patience)
        if (data[at + 3] !== 0) {
          this.socket?.destroy()
          return
        }
        this.isUp = true
        if (this.opened) for (const one of this.flying.values()) this.socket?.write(one.packet)
        this.opened = true
      } else if (data[at] === 0x40) {
        const id = data.readUInt16BE(at + 2)
        const one = this.flying.get(id)
        if (!one) continue
        this.flying.delete(id)
        this.loader.acknowledged(one)
      }
    }
    this.rest = data.subarray(at)
    if (this.loader.rate <= 0 && this.loader.running && this.loader.isReady) this.fill()
  }

  fill(): void {
    while (this.sendOne()) {
      // as long as there is room in flight
    }
  }

  sendOne(): boolean {
    const { socket } = this
    if (!this.isUp || !socket || this.flying.size >= this.plan.inFlight || socket.writableLength > unsentBytes) return false
    let device: Device | undefined
    let count = 0
    for (let i = 0; i < this.devices.length && count <= 0; i++) {
      device = this.devices[this.turn++ % this.devices.length] as Device
      count = this.loader.wants(device)
    }
    if (!device || count <= 0) return false
    do this.id = (this.id % 65_535) + 1
    while (this.flying.has(this.id))
    const firstSeq = device.seq + 1
    const items: string[] = []
    for (let i = 0; i < count; i++) {
      const seq = ++device.seq
      const time = this.loader.timeOf(device, seq, count - 1 - i)
      items.push(itemText(time, seq, this.loader.isOver(device, time)))
    }
    const topic = Buffer.from(uplinkTopic(this.gateway.gatewayId, device.sn, 'telemetry'))
    const payload = Buffer.from(`{"v":1,"msgId":"${device.sn}-${firstSeq}","items":[${items.join(',')}]}`)
    const length = remaining(2 + topic.length + 2 + payload.length)
    const packet = Buffer.allocUnsafe(1 + length.length + 4 + topic.length + payload.length)
    packet[0] = 0x32
    let at = 1
    at += length.copy(packet, at)
    at = packet.writeUInt16BE(topic.length, at)
    at += topic.copy(packet, at)
    at = packet.writeUInt16BE(this.id, at)
    payload.copy(packet, at)
    this.flying.set(this.id, { device, firstSeq, count, at: performance.now(), packet })
    this.loader.sent++
    socket.write(packet)
    return true
  }

  close(): void {
    this.socket?.destroy()
  }
}

/** The payload of a working tower crane, as its gateway sends it. */
function itemText(time: number, seq: number, isOver: boolean): string {
  const moment = isOver ? 118 + (seq % 5) : 40 + (seq % 31)
  return `{"time":${time},"seq":${seq},"data":{"load":${2 + (seq % 17) / 10},"momentPercent":${moment},"radius":${20 + (seq % 23)},"hookHeight":${
    10 + (seq % 37)
  },"slewAngle":${(seq * 3) % 360},"windSpeed":${(seq % 70) / 10},"fall":2}}`
}

/** Encodes the remaining length of an MQTT packet. */
function remaining(length: number): Buffer {
  const out: number[] = []
  let rest = length
  do {
    const digit = rest % 128
    rest = Math.floor(rest / 128)
    out.push(rest > 0 ? digit | 0x80 : digit)
  } while (rest > 0)
  return Buffer.from(out)
}
