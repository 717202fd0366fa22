import { connect, type Socket } from 'node:net'
import type { Faults } from './faults.ts'
import {
  answerBody,
  authenticationBody,
  batchBody,
  type Clip,
  clipListBody,
  type Jt808Identity,
  type Jt808Message,
  Jt808Reader,
  jt808Frame,
  jt808Packages,
  type Location,
  locationBody,
  registerBody,
  type Vehicle,
} from './jt808-frame.ts'

const up = {
  answer: 0x0001,
  heartbeat: 0x0002,
  register: 0x0100,
  authenticate: 0x0102,
  parameters: 0x0104,
  location: 0x0200,
  asked: 0x0201,
  batch: 0x0704,
  clips: 0x1205,
} as const
const down = { answer: 0x8001, registered: 0x8100, askParameters: 0x8104, askPosition: 0x8201, askClips: 0x9205 } as const

export interface Jt808ClientOptions {
  host: string
  port: number
  identity: Jt808Identity
  vehicle: Vehicle
  /** Flash memory of the terminal: without the stored code it would have to register again, which the platform refuses. */
  memory: { load(): string | undefined; save(code: string | undefined): void }
  clips?: (from: number, to: number) => Clip[]
  heartbeatMs?: number
  answerMs?: number
  reconnectMs?: number
  /** Maximum positions kept while disconnected; the oldest are dropped. */
  keep?: number
  faults?: Faults
}

export interface Jt808Counts {
  sent: number
  acknowledged: number
  refilled: number
  dropped: number
  connects: number
  refused: number
}

const batchSize = 20

/** Truck terminal: registers once, authenticates on every connection, and keeps unsent positions. */
export class Jt808Client {
  readonly counts: Jt808Counts = { sent: 0, acknowledged: 0, refilled: 0, dropped: 0, connects: 0, refused: 0 }
  private readonly options: Required<Omit<Jt808ClientOptions, 'faults' | 'clips'>> & Pick<Jt808ClientOptions, 'faults' | 'clips'>
  private socket: Socket | null = null
  private state: 'down' | 'registering' | 'authenticating' | 'up' = 'down'
  private serial = 0
  private closed = false
  private reconnectTimer: NodeJS.Timeout | undefined
  private answerTimer: NodeJS.Timeout | undefined
  private heartbeat: NodeJS.Timeout | undefined
  private readonly waiting: Location[] = []
  private flying: { serial: number; locations: Location[]; isRefill: boolean } | null = null
  private last: Location | undefined

  constructor(options: Jt808ClientOptions) {
    this.options = { heartbeatMs: 60_000, answerMs: 10_000, reconnectMs: 15_000, keep: 2_000, ...options }
  }

  start(): this {
    this.open()
    return this
  }

  get online(): boolean {
    return this.state === 'up'
  }
  get pending(): number {
    return this.waiting.length + (this.flying?.locations.length ?? 0)
  }

  report(location: Location): void {
    if (this.closed) return
    this.last = location
    this.waiting.push(location)
    if (this.waiting.length > this.options.keep) {
      this.waiting.shift()
      this.counts.dropped++
    }
    this.next()
  }

  async stop(): Promise<void> {
    this.closed = true
    this.quiet()
    clearTimeout(this.reconnectTimer)
    const { socket } = this
    if (!socket || socket.destroyed) return
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      socket.destroy()
    })
  }

  /** Disconnects, as in a tunnel; the client reconnects by itself. */
  cut(): void {
    this.socket?.destroy()
  }

  private quiet(): void {
    clearTimeout(this.answerTimer)
    clearInterval(this.heartbeat)
  }

  private open(): void {
    const reader = new Jt808Reader()
    const socket = connect({ host: this.options.host, port: this.options.port })
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('connect', () => {
      this.counts.connects++
      this.introduce()
    })
    socket.on('data', (chunk) => {
      for (const message of reader.push(Buffer.from(chunk))) this.receive(message)
    })
    socket.on('error', () => {
      // Handled by the close event that follows.
    })
    socket.on('close', () => {
      this.state = 'down'
      this.quiet()
      if (this.flying) this.waiting.unshift(...this.flying.locations)
      this.flying = null
      if (!this.closed) this.reconnectTimer = setTimeout(() => this.open(), this.options.reconnectMs)
    })
  }

  private send(id: number, body: Buffer): number {
    const serial = this.serial
    const frames = jt808Packages(this.options.identity, id, () => this.serial++ & 0xffff, body)
    for (const frame of frames) this.write(frame)
    return serial & 0xffff
  }

  private write(frame: Buffer): void {
    const { socket } = this
    if (!socket?.writable) return
    const { faults } = this.options
    if (faults) faults.write(socket, frame)
    else socket.write(frame)
  }

  private introduce(): void {
    const { identity, vehicle, memory } = this.options
    const code = memory.load()
    this.state = code ? 'authenticating' : 'registering'
    if (code) this.send(up.authenticate, authenticationBody(identity.edition, code))
    else this.send(up.register, registerBody(identity.edition, vehicle))
    this.expect()
  }

  private expect(): void {
    clearTimeout(this.answerTimer)
    this.answerTimer = setTimeout(() => this.socket?.destroy(), this.options.answerMs)
  }

  private receive(message: Jt808Message): void {
    if (message.id === down.registered) this.registered(message.body)
    else if (message.id === down.answer) this.answered(message.body)
    else this.obey(message)
  }

  private registered(body: Buffer): void {
    const code = body[2] === 0 ? body.subarray(3).toString('latin1') : ''
    if (!code) {
      // Unknown, or registered with a code that is lost: the platform must allow a new registration.
      this.counts.refused++
      this.socket?.destroy()
      return
    }
    this.options.memory.save(code)
    this.introduce()
  }

  private answered(body: Buffer): void {
    if (body.length < 5) return
    const serial = body.readUInt16BE(0)
    const id = body.readUInt16BE(2)
    const isFine = body[4] === 0
    if (id === up.authenticate && this.state === 'authenticating') {
      clearTimeout(this.answerTimer)
      if (!isFine) {
        this.counts.refused++
        this.options.memory.save(undefined)
        this.socket?.destroy()
        return
      }
      this.state = 'up'
      this.heartbeat = setInterval(() => this.send(up.heartbeat, Buffer.alloc(0)), this.options.heartbeatMs)
      this.next()
      return
    }
    const { flying } = this
    if (!flying || flying.serial !== serial) return
    clearTimeout(this.answerTimer)
    this.flying = null
    if (isFine) {
      this.counts.acknowledged += flying.locations.length
      if (flying.isRefill) this.counts.refilled += flying.locations.length
    } else this.counts.refused++
    this.next()
  }

  /** Sends one report at a time; a backlog goes in batches. */
  private next(): void {
    if (this.state !== 'up' || this.flying || this.waiting.length === 0) return
    const isRefill = this.waiting.length > 1
    const locations = this.waiting.splice(0, isRefill ? batchSize : 1)
    const first = locations[0]
    if (!first) return
    this.counts.sent += locations.length
    const serial = isRefill ? this.send(up.batch, batchBody(locations, true)) : this.send(up.location, locationBody(first))
    this.flying = { serial, locations, isRefill }
    this.expect()
  }

  private obey({ id, serial, body }: Jt808Message): void {
    if (id === down.askPosition && this.last) {
      const requested = Buffer.alloc(2)
      requested.writeUInt16BE(serial)
      this.send(up.asked, Buffer.concat([requested, locationBody(this.last)]))
      return
    }
    if (id === down.askClips) {
      const [from, to] = [readClock(body.subarray(1, 7)), readClock(body.subarray(7, 13))]
      this.send(up.clips, clipListBody(serial, this.options.clips?.(from, to) ?? []))
      return
    }
    if (id === down.askParameters) {
      const heartbeat = Buffer.from([0, 0, 0, 0x01, 4, 0, 0, 0, 60])
      const requested = Buffer.alloc(3)
      requested.writeUInt16BE(serial)
      requested[2] = 1
      this.send(up.parameters, Buffer.concat([requested, heartbeat]))
      return
    }
    this.send(up.answer, answerBody(serial, id, 0))
  }

  /** For tests: builds a frame without sending it. */
  frame(id: number, body: Buffer): Buffer {
    return jt808Frame(this.options.identity, id, this.serial++ & 0xffff, body)
  }
}

function readClock(bytes: Buffer): number {
  const d = bytes.toString('hex')
  const at = Date.parse(`20${d.slice(0, 2)}-${d.slice(2, 4)}-${d.slice(4, 6)}T${d.slice(6, 8)}:${d.slice(8, 10)}:${d.slice(10, 12)}+08:00`)
  return Number.isNaN(at) ? Date.now() : at
}
