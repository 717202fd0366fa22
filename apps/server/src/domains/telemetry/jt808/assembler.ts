import type { Jt808Frame } from './frame.ts'

/** Reassembles messages that were sent in packages. Pure: the caller passes the clock. */
const maxPackages = 1_000
const maxBytes = 4 * 1024 * 1024
/** Unfinished messages per terminal: a picture, a recording, a batch, and restarted ones. */
const maxGatherings = 16
/** Memory overhead per package, since even an empty one uses memory. */
const packageBytes = 100
/** Limit for all terminals together. */
export const maxBytesOfAll = 256 * 1024 * 1024
const askAfterMs = 60_000
const asks = 3

interface Gathering {
  id: number
  is2019: boolean
  firstSerial: number
  total: number
  parts: Map<number, Buffer>
  bytes: number
  /** Time of the last package or of the last resend request. */
  at: number
  asked: number
}

export interface Missing {
  id: number
  total: number
  /** The resend limit is reached: the message is dropped. */
  givenUp: boolean
  firstSerial: number
  indexes: number[]
  is2019: boolean
}

export type Gathered = 'more' | 'repeated' | 'refused' | { whole: Jt808Frame }

/** Memory used by the unfinished messages of all connections. */
export class AssemblyRoom {
  readonly most: number
  held = 0
  constructor(most = maxBytesOfAll) {
    this.most = most
  }
}

export class Assembler {
  private readonly gatherings = new Map<string, Gathering>()
  private readonly room: AssemblyRoom
  private bytes = 0

  constructor(room = new AssemblyRoom()) {
    this.room = room
  }

  get size(): number {
    return this.gatherings.size
  }
  get heldBytes(): number {
    return this.bytes
  }

  take(frame: Jt808Frame, now: number): Gathered {
    const { part } = frame
    if (!part) return { whole: frame }
    if (part.total > maxPackages) return 'refused'
    // Serial numbers of one message are consecutive and wrap at 65535.
    const firstSerial = (frame.serial - part.index + 1) & 0xffff
    const key = `${frame.phone}/${frame.id}/${firstSerial}`
    let gathering = this.gatherings.get(key)
    if (gathering && gathering.total !== part.total) {
      this.drop(key)
      gathering = undefined
    }
    if (!gathering) {
      gathering = { id: frame.id, is2019: frame.is2019, firstSerial, total: part.total, parts: new Map(), bytes: 0, at: now, asked: 0 }
      this.gatherings.set(key, gathering)
    }
    if (gathering.parts.has(part.index)) return 'repeated'
    gathering.parts.set(part.index, frame.body)
    gathering.bytes += frame.body.length
    this.bytes += frame.body.length
    this.room.held += frame.body.length + packageBytes
    gathering.at = now
    if (gathering.bytes > maxBytes || this.room.held > this.room.most) {
      this.drop(key)
      return 'refused'
    }
    if (gathering.parts.size === gathering.total) {
      const { parts, total } = gathering
      this.drop(key)
      const body = Buffer.concat(Array.from({ length: total }, (_, i) => parts.get(i + 1) ?? Buffer.alloc(0)))
      return { whole: { ...frame, serial: frame.serial, part: undefined, body } }
    }
    // The oldest unfinished message is dropped when a terminal starts more than the limits allow.
    for (const old of this.gatherings.keys()) {
      if (this.bytes <= maxBytes && this.gatherings.size <= maxGatherings) break
      if (old !== key) this.drop(old)
    }
    return 'more'
  }

  /** Packages to request again now. A message is dropped after three unsuccessful requests. */
  overdue(now: number): Missing[] {
    const missing: Missing[] = []
    for (const [key, g] of this.gatherings) {
      if (now - g.at < askAfterMs) continue
      const indexes = Array.from({ length: g.total }, (_, i) => i + 1).filter((i) => !g.parts.has(i))
      const givenUp = g.asked >= asks
      missing.push({ id: g.id, total: g.total, givenUp, firstSerial: g.firstSerial, indexes, is2019: g.is2019 })
      if (givenUp) {
        this.drop(key)
        continue
      }
      g.asked++
      g.at = now
    }
    return missing
  }

  /** Drops all unfinished messages when the connection ends. */
  clear(): void {
    for (const key of [...this.gatherings.keys()]) this.drop(key)
  }

  private drop(key: string): void {
    const gathering = this.gatherings.get(key)
    if (!gathering) return
    this.bytes -= gathering.bytes
    this.room.held -= gathering.bytes + gathering.parts.size * packageBytes
    this.gatherings.delete(key)
  }
}
