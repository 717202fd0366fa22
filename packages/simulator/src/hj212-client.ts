import { connect, type Socket } from 'node:net'
import type { Faults } from './faults.ts'
import { answerFrame, Hj212Reader, type StationIdentity } from './hj212-frame.ts'

export interface Hj212ClientOptions {
  host: string
  port: number
  station: StationIdentity
  /** Timeout after which an unanswered frame is repeated. */
  answerMs?: number
  tries?: number
  reconnectMs?: number
  /** Maximum frames kept while disconnected; the oldest are dropped. */
  keep?: number
  faults?: Faults
}

export interface Hj212Counts {
  sent: number
  repeated: number
  answered: number
  /** Frames given up after the last attempt or dropped from the full buffer. */
  lost: number
}

/** Client of a dust station: one frame at a time, repeated with the same QN until 9014 arrives or three attempts have failed. */
export class Hj212Client {
  readonly counts: Hj212Counts = { sent: 0, repeated: 0, answered: 0, lost: 0 }
  private readonly options: Required<Omit<Hj212ClientOptions, 'faults'>> & Pick<Hj212ClientOptions, 'faults'>
  private socket: Socket | null = null
  private connected = false
  private closed = false
  private timer: NodeJS.Timeout | undefined
  private reconnectTimer: NodeJS.Timeout | undefined
  private readonly waiting: { qn: string; frame: Buffer; tries: number }[] = []
  private inFlight = false

  constructor(options: Hj212ClientOptions) {
    this.options = { answerMs: 5000, tries: 3, reconnectMs: 4000, keep: 500, ...options }
  }

  start(): this {
    this.open()
    return this
  }

  /** Queues a frame; its QN and data time do not change, however late it is sent. */
  send(qn: string, frame: Buffer): void {
    if (this.closed) return
    if (this.waiting.length >= this.options.keep) {
      this.waiting.splice(this.inFlight ? 1 : 0, 1)
      this.counts.lost++
    }
    this.waiting.push({ qn, frame, tries: 0 })
    this.next()
  }

  get pending(): number {
    return this.waiting.length
  }

  /** Disconnects; the client reconnects by itself and repeats unanswered frames. */
  cut(): void {
    this.socket?.destroy()
  }

  async stop(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    clearTimeout(this.reconnectTimer)
    const socket = this.socket
    if (!socket || socket.destroyed) return
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      socket.destroy()
    })
  }

  private open(): void {
    const reader = new Hj212Reader()
    const socket = connect({ host: this.options.host, port: this.options.port })
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('connect', () => {
      this.connected = true
      this.next()
    })
    socket.on('data', (chunk) => {
      for (const message of reader.push(Buffer.from(chunk))) this.receive(message.cn, message.qn)
    })
    socket.on('error', () => {
      // Handled by the close event that follows.
    })
    socket.on('close', () => {
      this.connected = false
      this.inFlight = false
      clearTimeout(this.timer)
      const head = this.waiting[0]
      // A broken connection is not a failed attempt: the frame is repeated after reconnecting.
      if (head) head.tries = 0
      if (!this.closed) this.reconnectTimer = setTimeout(() => this.open(), this.options.reconnectMs)
    })
  }

  private receive(cn: string, qn: string): void {
    if (cn === '9014') {
      if (this.waiting[0]?.qn !== qn || !this.inFlight) return
      this.counts.answered++
      this.settle()
      return
    }
    if (cn === '9013' || cn === '') return
    // Accept a command of the platform and report it done.
    this.socket?.write(answerFrame(this.options.station, qn, '9011', 1))
    this.socket?.write(answerFrame(this.options.station, qn, '9012', 1))
  }

  private settle(): void {
    clearTimeout(this.timer)
    this.inFlight = false
    this.waiting.shift()
    this.next()
  }

  private next(): void {
    const head = this.waiting[0]
    if (!head || this.inFlight || !this.connected) return
    this.inFlight = true
    head.tries++
    this.counts.sent++
    if (head.tries > 1) this.counts.repeated++
    if (this.socket && this.options.faults) this.options.faults.write(this.socket, head.frame)
    else this.socket?.write(head.frame)
    this.timer = setTimeout(() => {
      this.inFlight = false
      if (head.tries >= this.options.tries) {
        this.counts.lost++
        this.waiting.shift()
      }
      this.next()
    }, this.options.answerMs)
  }
}
