import { createSocket, type Socket as Datagrams, type RemoteInfo } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
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

/** Frames of one connection that may wait for their commit; beyond this number reading from the socket pauses. */
const maxWaiting = 16
const maxUnsentBytes = 1024 * 1024
const maxConnections = 10_000
const maxDatagramSessions = 10_000
const firstFrameMs = 60_000
const sweepMs = 1_000

/** A TCP connection, or a UDP address with the phone used there. */
interface Way {
  session: Jt808Session
  decoder: Jt808Decoder | undefined
  socket: Socket | undefined
  openedAt: number
  waiting: number
  queue: Promise<void>
}

interface Listening {
  readonly deps: Jt808Dependencies
  readonly book: TerminalBook<Jt808Session>
  readonly unproven: Unproven
  readonly connections: Set<Way>
  /** By address, port and phone. */
  readonly datagramWays: Map<string, Way>
  readonly udp: Datagrams
}

/** JT/T 808 over TCP, and over UDP on the same port. */
export async function listenJt808(deps: Jt808Dependencies): Promise<Jt808Listener> {
  const udp = createSocket('udp4')
  const listening: Listening = {
    deps,
    book: new TerminalBook<Jt808Session>(),
    unproven: new Unproven(),
    connections: new Set(),
    datagramWays: new Map(),
    udp,
  }
  const server = createServer((socket) => accept(listening, socket))
  udp.on('message', (datagram, from) => takeDatagram(listening, datagram, from))
  udp.on('error', (error) => deps.log.warn({ err: error, protocol: 'jt808' }, 'datagrams'))
  const sweeper = setInterval(() => sweep(listening), sweepMs)
  const port = await openPort(server, udp, deps)
  return {
    port,
    sessionOf: (deviceId) => listening.book.sessions.get(deviceId),
    async close() {
      clearInterval(sweeper)
      server.close()
      for (const { socket } of listening.connections) socket?.destroy()
      await new Promise<void>((resolve) => udp.close(() => resolve()))
    },
  }
}

async function openPort(server: Server, udp: Datagrams, { host, port: wanted }: Jt808Dependencies): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, host, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject)
    udp.bind(port, host, () => {
      udp.removeListener('error', reject)
      resolve()
    })
  })
  return port
}

function accept(listening: Listening, socket: Socket): void {
  const { deps, connections } = listening
  if (connections.size >= maxConnections || !deps.pipeline.isFlowing) {
    socket.destroy()
    return
  }
  const address = socket.remoteAddress ?? ''
  const proven = listening.unproven.enter(address)
  if (!proven) {
    deps.counters.refused('tooManyConnections')
    socket.destroy()
    return
  }
  const way = wayOf(listening, transportOf(socket, address, proven))
  const decoder = new Jt808Decoder({ onBad: badFrames(deps, address, () => way.session.deviceId) })
  way.decoder = decoder
  way.socket = socket
  connections.add(way)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
  socket.on('data', (chunk: Buffer) => {
    takeFrames(deps, way, decoder.push(chunk, deps.now()))
    if (decoder.isHopeless) socket.destroy()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    connections.delete(way)
    proven()
    way.session.close()
  })
}

const transportOf = (socket: Socket, address: string, proven: () => void): Transport => ({
  address,
  send(bytes) {
    if (socket.destroyed) return
    socket.write(bytes)
    if (socket.writableLength > maxUnsentBytes) socket.destroy()
  },
  // Data already written is still sent.
  close: () => socket.end(() => socket.destroy()),
  proven,
})

function takeDatagram(listening: Listening, datagram: Buffer, from: RemoteInfo): void {
  const { deps } = listening
  // While nothing can be stored, frames are ignored; the terminal retransmits unacknowledged frames.
  if (!deps.pipeline.isFlowing) return
  const onBad = badFrames(deps, from.address, () => undefined)
  for (const frame of framesOf(datagram, onBad)) {
    const way = datagramWay(listening, from, frame.phone)
    if (!way) return
    if (way.waiting <= maxWaiting) takeFrames(deps, way, [frame])
  }
}

/** Finds or creates the session of an address and phone; undefined if the session limit is reached. */
function datagramWay(listening: Listening, from: RemoteInfo, phone: string): Way | undefined {
  const { datagramWays, udp } = listening
  const key = `${from.address}:${from.port}/${phone}`
  const known = datagramWays.get(key)
  if (known) return known
  if (datagramWays.size >= maxDatagramSessions) {
    // Source addresses can be forged, so unauthenticated sessions are dropped first.
    const idle = [...datagramWays.values()].find(({ session }) => session.deviceId === undefined)
    if (idle === undefined) return undefined
    idle.session.close()
  }
  const way = wayOf(listening, {
    address: from.address,
    send: (bytes) => udp.send(bytes, from.port, from.address),
    close: () => datagramWays.delete(key),
    proven: () => undefined,
  })
  datagramWays.set(key, way)
  return way
}

const wayOf = ({ deps, book }: Listening, transport: Transport): Way => ({
  session: new Jt808Session(deps, book, transport),
  decoder: undefined,
  socket: undefined,
  openedAt: deps.now(),
  waiting: 0,
  queue: Promise.resolve(),
})

/** Processes the frames of one connection in order. Pauses reading while too many wait for their commit. */
function takeFrames({ log }: Jt808Dependencies, way: Way, list: readonly Jt808Frame[]): void {
  for (const frame of list) {
    way.waiting++
    const settled = () => {
      way.waiting--
      if (way.waiting <= maxWaiting / 2 && way.socket?.isPaused()) way.socket.resume()
    }
    way.queue = way.queue
      .then(() => way.session.take(frame, settled))
      .catch((error: unknown) => log.warn({ err: error, protocol: 'jt808' }, 'frame not taken'))
  }
  if (way.waiting > maxWaiting) way.socket?.pause()
}

/** Closes connections without a valid frame, without authentication, or silent for too long. */
function sweep({ deps, connections, datagramWays }: Listening): void {
  const at = deps.now()
  for (const way of [...connections, ...datagramWays.values()]) {
    way.decoder?.expire(at)
    const isSilent = way.decoder?.good === 0 && at - way.openedAt > firstFrameMs
    const isStranger = way.session.deviceId === undefined && at - way.openedAt > provenWithinMs
    if (isSilent || isStranger || at - way.session.heardAt > silentMs) way.session.close()
    else way.session.sweep(at)
  }
}

/** Logs frames that cannot be decoded, under the authenticated device of the connection, otherwise under the phone in the frame. */
function badFrames({ fleet, counters, frames, log, now }: Jt808Dependencies, address: string, deviceId: () => string | undefined) {
  return (kind: string, bytes: Buffer, hint: string, phone: string) => {
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
}
