import type { Jt808Frame } from './frame.ts'

/** Packages of long messages, gathered until they are whole. Pure: the clock is handed in. */
const maxPackages = 1_000
const maxBytes = 4 * 1024 * 1024
/** Of one terminal at a time: a picture, a recording, a batch, and what was begun anew. */
const maxGatherings = 16
/** What a package costs beside its bytes: an empty one is not free. */
const packageBytes = 100
/** Of all terminals together. */
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
  /** Last package, or last asking. */
  at: number
  asked: number
}

export interface Missing {
  id: number
  total: number
  /** Asked for often enough: the message is dropped. */
  givenUp: boolean
  firstSerial: number
  indexes: number[]
  is2019: boolean
}

export type Gathered = 'more' | 'repeated' | 'refused' | { whole: Jt808Frame }

/** What all connections hold of unfinished messages. */
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
    // Serials of one message follow each other and wrap at 65535.
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
    // Whatever has waited longest goes when a terminal begins more than it ends.
    for (const old of this.gatherings.keys()) {
      if (this.bytes <= maxBytes && this.gatherings.size <= maxGatherings) break
      if (old !== key) this.drop(old)
    }
    return 'more'
  }

  /** What is to be asked for again now. After three askings in vain a message is dropped. */
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

  /** The connection is over: what was begun on it goes. */
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
