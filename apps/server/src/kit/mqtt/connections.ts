import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { PacketGuard, type Verdict } from './packet-guard.ts'

/**
 * A connection with more unsent bytes than this is closed. Connections never report back-pressure to the broker: one frozen reader would
 * stop all others (85 % undelivered, measured).
 */
const maxUnsentBytes = 4 * 1024 * 1024

/** CONNACK of MQTT 5 with reason 0x84, unsupported protocol version. */
const unsupportedVersion = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00])

/** Bytes passed to the broker at a time: some tens of messages, even if more are waiting. */
const pieceBytes = 16 * 1024
/** Messages of a connection without acknowledgement; beyond this number it is not read. */
const mostKept = 100

/** A sender of current values has at most this many bytes unread; one that sends days of stored data has more. */
const littleBytes = 4 * 1024

/**
 * Limits reading over all connections: nothing is read while more was received than can be written. Connections with little unread data
 * have a higher limit and come first, so that current values do not wait behind stored ones.
 */
export class Intake {
  private readonly few = new Set<() => void>()
  private readonly many = new Set<() => void>()
  private readonly hasRoom: (isLittle: boolean) => boolean

  constructor(hasRoom: (isLittle: boolean) => boolean) {
    this.hasRoom = hasRoom
  }

  /** Whether a connection may read its `unread` bytes; if not, `again` is called later. */
  admits(unread: number, again: () => void): boolean {
    const isLittle = unread <= littleBytes
    if (this.hasRoom(isLittle)) return true
    if (isLittle) this.few.add(again)
    else this.many.add(again)
    return false
  }

  /** Called when there may be room again. The longest waiting connections come first; a connection that finds no room waits again. */
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
 * Limits the unacknowledged messages of a connection. The broker's own limit counts every arrival as acknowledged, so it would read a
 * sender that does not wait without end.
 */
export class ReadGate {
  private current = 0
  private isWaiting = false
  private isAdmitted = false
  private readonly stream: Duplex
  private readonly intake: Intake

  constructor(stream: Duplex, intake: Intake) {
    this.stream = stream
    this.intake = intake
    const read = stream.read.bind(stream)
    stream.read = (size?: number | null) => {
      // Node calls read(0) to start reading.
      if (size === 0) return read(0)
      if (!this.mayRead()) return null
      // Node 26 returns one chunk of a paused stream, and the broker reads once per `readable`. Without another call, data that arrived in
      // several pieces would stay unread until the sender sent more.
      const length = stream.readableLength
      if (length > pieceBytes) setImmediate(this.again)
      return read(size ?? (Math.min(length, pieceBytes) || undefined))
    }
  }

  private mayRead(): boolean {
    if (this.current >= mostKept) {
      this.isWaiting = true
      return false
    }
    // An unauthenticated connection is always read: a device without a response would only connect again.
    return !this.isAdmitted || this.intake.admits(this.stream.readableLength, this.again)
  }

  private readonly again = () => {
    if (!this.stream.destroyed) this.stream.emit('readable')
  }

  admit(): void {
    this.isAdmitted = true
  }
  hold(): void {
    this.current++
  }
  release(): void {
    this.current--
    if (!this.isWaiting || this.current > mostKept / 2) return
    this.isWaiting = false
    setImmediate(this.again)
  }
}

/** Prepares a TCP socket for the broker: checks packets as they arrive and closes the connection of a slow reader. */
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

/** Wraps a WebSocket in the stream that the broker expects. Unsent bytes are counted in the WebSocket, not in the stream. */
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
    // Send the pieces of a packet in one frame.
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
