import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { PacketGuard, type Verdict } from './packet-guard.ts'

/**
 * A connection that may hold this much unsent is cut: one frozen reader whose back-pressure reached the broker would stop everybody
 * (85 % undelivered, measured), so connections never report any.
 */
const maxUnsentBytes = 4 * 1024 * 1024

/** CONNACK of MQTT 5 with reason 0x84, unsupported protocol version. */
const unsupportedVersion = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00])

/** Handed to the broker at once: some tens of messages, whatever lies there. */
const pieceBytes = 16 * 1024
/** Messages of a connection that wait for their answer; what else has come stays unread. */
const mostHeld = 100

/** A sender that tells the present has little lying unread; one that tells days at once has much. */
const littleBytes = 4 * 1024

/**
 * Whether anything may be read at all: not while more has been taken in than can be written. Whoever has little to say is let in longer and
 * comes first, so that those who tell the present do not wait behind those who tell the past.
 */
export class Intake {
  private readonly few = new Set<() => void>()
  private readonly many = new Set<() => void>()
  private readonly hasRoom: (isLittle: boolean) => boolean

  constructor(hasRoom: (isLittle: boolean) => boolean) {
    this.hasRoom = hasRoom
  }

  /** Whether a connection may read what lies there; if not it is called `again`. */
  admits(unread: number, again: () => void): boolean {
    const isLittle = unread <= littleBytes
    if (this.hasRoom(isLittle)) return true
    if (isLittle) this.few.add(again)
    else this.many.add(again)
    return false
  }

  /** Told when there may be room again. Whoever waited longest comes first, and whoever finds it full once more waits again. */
  open(): void {
    for (const [waiting, isLittle] of [
      [this.few, true],
      [this.many, false],
    ] as const) {
      for (const again of waiting) {
        if (!this.hasRoom(isLittle)) break
        waiting.delete(again)
        again()
      }
    }
  }
}

/**
 * What a connection may have unanswered. The broker counts by itself, but takes every arrival for an answer: a sender that does not wait
 * would be read without end.
 */
export class ReadGate {
  private held = 0
  private isWaiting = false
  private isAdmitted = false
  private readonly stream: Duplex
  private readonly intake: Intake

  constructor(stream: Duplex, intake: Intake) {
    this.stream = stream
    this.intake = intake
    const read = stream.read.bind(stream)
    stream.read = (size?: number | null) => {
      // Node itself asks for nothing, to set the reading going.
      if (size === 0) return read(0)
      if (!this.mayRead()) return null
      // Node 26 answers one chunk of a paused stream, and the broker reads once per `readable`: what arrived in several pieces would lie
      // there until the sender spoke again.
      const length = stream.readableLength
      if (length > pieceBytes) setImmediate(this.again)
      return read(size ?? (Math.min(length, pieceBytes) || undefined))
    }
  }

  private mayRead(): boolean {
    if (this.held >= mostHeld) {
      this.isWaiting = true
      return false
    }
    // Whoever knocks is heard in any case: a box that finds no answer would only come again.
    return !this.isAdmitted || this.intake.admits(this.stream.readableLength, this.again)
  }

  private readonly again = () => {
    if (!this.stream.destroyed) this.stream.emit('readable')
  }

  admit(): void {
    this.isAdmitted = true
  }
  hold(): void {
    this.held++
  }
  release(): void {
    this.held--
    if (!this.isWaiting || this.held > mostHeld / 2) return
    this.isWaiting = false
    setImmediate(this.again)
  }
}

/** Prepares a TCP socket for the broker: packets are measured as they arrive, a slow reader is cut. */
export function guardSocket(socket: Socket, maxPacketBytes: number, onBad: (verdict: Verdict, bytes: number) => void): void {
  const guard = new PacketGuard(maxPacketBytes)
  const push = socket.push.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  let refused = false
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (refused) return false
    if (chunk instanceof Uint8Array) {
      const verdict = guard.inspect(chunk)
      if (verdict !== 'ok') {
        refused = true
        onBad(verdict, guard.length)
        if (verdict === 'version5') socket.end(unsupportedVersion, () => socket.destroy())
        else socket.destroy()
        return false
      }
    }
    return push(chunk, encoding)
  }
  socket.write = ((...args: unknown[]) => {
    write(...args)
    if (socket.writableLength > maxUnsentBytes) socket.destroy()
    return true
  }) as Socket['write']
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
}

/** A WebSocket as the stream the broker wants. What is unsent counts in the socket, not here. */
export function webSocketStream(ws: WebSocket, maxPacketBytes: number, onBad: (verdict: Verdict, bytes: number) => void): Duplex {
  const guard = new PacketGuard(maxPacketBytes)
  const stream = new Duplex({
    read() {
      ws.resume()
    },
    write(chunk: Buffer, _encoding, done) {
      if (ws.readyState === ws.OPEN) {
        ws.send(chunk)
        if (ws.bufferedAmount > maxUnsentBytes) ws.terminate()
      }
      done()
    },
    // The packet's pieces leave in one frame.
    writev(chunks, done) {
      if (ws.readyState === ws.OPEN) {
        ws.send(Buffer.concat(chunks.map((c) => c.chunk as Buffer)))
        if (ws.bufferedAmount > maxUnsentBytes) ws.terminate()
      }
      done()
    },
    final(done) {
      ws.close()
      done()
    },
    destroy(error, done) {
      ws.terminate()
      done(error)
    },
  })
  ws.on('message', (data, isBinary) => {
    if (!isBinary || stream.destroyed) return void ws.terminate()
    const chunk = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
    const verdict = guard.inspect(chunk)
    if (verdict !== 'ok') onBad(verdict, guard.length)
    if (verdict === 'version5') {
      ws.send(unsupportedVersion, () => ws.terminate())
      return
    }
    if (verdict !== 'ok') return void ws.terminate()
    if (!stream.push(chunk)) ws.pause()
  })
  ws.on('close', () => {
    if (!stream.destroyed) stream.push(null)
    stream.destroy()
  })
  ws.on('error', () => stream.destroy())
  return stream
}
