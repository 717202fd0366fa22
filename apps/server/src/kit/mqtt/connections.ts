import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { PacketGuard } from './packet-guard.ts'

/**
 * A connection that may hold this much unsent is cut: one frozen reader whose back-pressure reached the broker would stop everybody
 * (85 % undelivered, measured), so connections never report any.
 */
const maxUnsentBytes = 4 * 1024 * 1024

/** CONNACK of MQTT 5 with reason 0x84, unsupported protocol version. */
const unsupportedVersion = Buffer.from([0x20, 0x03, 0x00, 0x84, 0x00])

/**
 * Makes `read()` hand over all that has come. Node 26 answers one chunk of a paused stream, and the broker reads once per `readable`: what
 * arrived in several pieces would lie there until the sender spoke again.
 */
function readAll<S extends Duplex>(stream: S): S {
  const read = stream.read.bind(stream)
  stream.read = (size?: number | null) => read(size ?? (stream.readableLength || undefined))
  return stream
}

/** Prepares a TCP socket for the broker: packets are measured as they arrive, a slow reader is cut. */
export function guardSocket(socket: Socket, maxPacketBytes: number): Socket {
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
  return readAll(socket)
}

/** A WebSocket as the stream the broker wants. What is unsent counts in the socket, not here. */
export function webSocketStream(ws: WebSocket, maxPacketBytes: number): Duplex {
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
  return readAll(stream)
}
