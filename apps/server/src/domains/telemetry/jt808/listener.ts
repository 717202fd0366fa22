import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import { provenWithinMs, Unproven } from '../unproven.ts'
import { framesOf, Jt808Decoder, type Jt808Frame } from './frame.ts'
import type { Transport } from './line.ts'
import { blankedHex } from './secrecy.ts'
import { Jt808Session, type SessionDependencies, silentMs } from './session.ts'
import { TerminalBook } from './terminal-book.ts'

export interface Jt808Dependencies extends SessionDependencies {
  host: string
  port: number
}

export interface Jt808Listener {
  readonly port: number
  /** The session of a device that is connected and authenticated. */
  sessionOf(deviceId: string): Jt808Session | undefined
  close(): Promise<void>
}

/** Frames of one connection that may wait for their commit; beyond it the connection is not read. */
const maxWaiting = 16
const maxUnsentBytes = 1024 * 1024
const maxConnections = 10_000
const maxDatagramSessions = 10_000
const firstFrameMs = 60_000
const sweepMs = 1_000

interface Line {
  session: Jt808Session
  decoder: Jt808Decoder | undefined
  socket: Socket | undefined
  openedAt: number
  waiting: number
  queue: Promise<void>
}

/** JT/T 808 over TCP, and over UDP on the same port. */
export async function listenJt808(deps: Jt808Dependencies): Promise<Jt808Listener> {
  const { fleet, pipeline, counters, frames, log, now } = deps
  const book = new TerminalBook()
  const unproven = new Unproven()
  const lines = new Set<Line>()
  const datagramLines = new Map<string, Line>()

  /** Of the terminal that is authenticated on the line; else of the one whose phone can be read in the frame. */
  const onBad = (address: string, deviceId: () => string | undefined) => (kind: string, bytes: Buffer, hint: string, phone: string) => {
    counters.badFrame('jt808', kind)
    const known = deviceId()
    const device = known === undefined ? fleet.byKey('jt808', phone) : fleet.device(known)
    const shown = blankedHex(bytes)
    log.info({ protocol: 'jt808', address, kind, head: shown }, 'bad frame')
    frames.note({
      time: now(),
      device,
      identifier: device?.accessKey ?? (phone || address),
      hint,
      protocol: 'jt808',
      address,
      direction: 'up',
      kind: 'frame',
      result: kind,
      length: bytes.length,
      body: Buffer.from(shown, 'hex'),
      isText: false,
    })
  }

  function takeFrames(line: Line, list: readonly Jt808Frame[]): void {
    for (const frame of list) {
      line.waiting++
      const settled = () => {
        line.waiting--
        if (line.waiting <= maxWaiting / 2 && line.socket?.isPaused()) line.socket.resume()
      }
      line.queue = line.queue
        .then(() => line.session.take(frame, settled))
        .catch((error: unknown) => log.warn({ err: error, protocol: 'jt808' }, 'frame not taken'))
    }
    if (line.waiting > maxWaiting) line.socket?.pause()
  }

  const server = createServer((socket) => {
    if (lines.size >= maxConnections || !pipeline.isFlowing) {
      socket.destroy()
      return
    }
    const address = socket.remoteAddress ?? ''
    const proven = unproven.enter(address)
    if (!proven) {
      counters.refused('tooManyConnections')
      socket.destroy()
      return
    }
    const transport: Transport = {
      address,
      send(bytes) {
        if (socket.destroyed) return
        socket.write(bytes)
        if (socket.writableLength > maxUnsentBytes) socket.destroy()
      },
      // What was answered last is still sent.
      close: () => socket.end(() => socket.destroy()),
      proven,
    }
    const session = new Jt808Session(deps, book, transport)
    const decoder = new Jt808Decoder({ onBad: onBad(address, () => session.deviceId) })
    const line: Line = {
      session,
      decoder,
      socket,
      openedAt: now(),
      waiting: 0,
      queue: Promise.resolve(),
    }
    lines.add(line)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    socket.on('data', (chunk: Buffer) => {
      takeFrames(line, decoder.push(chunk, now()))
      if (decoder.isHopeless) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      lines.delete(line)
      proven()
      line.session.close()
    })
  })

  const udp = createSocket('udp4')
  udp.on('message', (datagram, from) => {
    // While nothing can be stored nothing is taken: the terminal repeats what is not answered.
    if (!pipeline.isFlowing) return
    const address = from.address
    for (const frame of framesOf(
      datagram,
      onBad(address, () => undefined),
    )) {
      const key = `${from.address}:${from.port}/${frame.phone}`
      let line = datagramLines.get(key)
      if (!line) {
        if (datagramLines.size >= maxDatagramSessions) {
          // Addresses are cheap to invent: those that have authenticated nobody go first.
          const idle = [...datagramLines.values()].find((l) => l.session.deviceId === undefined)
          if (idle === undefined) return
          idle.session.close()
        }
        const transport: Transport = {
          address,
          send: (bytes) => udp.send(bytes, from.port, from.address),
          close: () => datagramLines.delete(key),
          proven: () => undefined,
        }
        line = {
          session: new Jt808Session(deps, book, transport),
          decoder: undefined,
          socket: undefined,
          openedAt: now(),
          waiting: 0,
          queue: Promise.resolve(),
        }
        datagramLines.set(key, line)
      }
      if (line.waiting <= maxWaiting) takeFrames(line, [frame])
    }
  })
  udp.on('error', (error) => log.warn({ err: error, protocol: 'jt808' }, 'datagrams'))

  const sweeper = setInterval(() => {
    const at = now()
    for (const line of [...lines, ...datagramLines.values()]) {
      line.decoder?.expire(at)
      const isSilent = line.decoder?.good === 0 && at - line.openedAt > firstFrameMs
      const isStranger = line.session.deviceId === undefined && at - line.openedAt > provenWithinMs
      if (isSilent || isStranger || at - line.session.heardAt > silentMs) line.session.close()
      else line.session.sweep(at)
    }
  }, sweepMs)

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(deps.port, deps.host, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject)
    udp.bind(port, deps.host, () => {
      udp.removeListener('error', reject)
      resolve()
    })
  })
  return {
    port,
    sessionOf: (deviceId) => book.sessions.get(deviceId),
    async close() {
      clearInterval(sweeper)
      server.close()
      for (const line of lines) line.socket?.destroy()
      await new Promise<void>((resolve) => udp.close(() => resolve()))
    },
  }
}
