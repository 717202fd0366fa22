import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Aedes, type AedesOptions, type AuthenticateError, type Client, type PublishPacket } from 'aedes'
import { WebSocketServer } from 'ws'
import type { Log } from '../log.ts'
import { guardSocket, Intake, ReadGate, webSocketStream } from './connections.ts'

/** Return codes of CONNACK. */
export const refusals = { unavailable: 3, wrongPassword: 4, notAllowed: 5 } as const

/** Bytes buffered per connection while it is not read. Further data stays in the system's buffers and then with the sender. */
const unreadBytes = 16 * 1024

export class ConnectRefused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A connected client, as identified by the user of the broker. */
export interface Peer {
  /** Viewers receive live messages and may not publish; devices publish and receive commands. */
  kind: 'viewer' | 'device'
}

export interface Connection<P extends Peer> {
  readonly clientId: string
  readonly address: string
  readonly peer: P
  /** Topic filters of a viewer. */
  readonly filters: Set<string>
  /** Sends an encoded packet unchanged. */
  send(packet: Buffer): void
  publish(topic: string, payload: string): void
  close(): void
}

export interface BrokerOptions<P extends Peer> {
  host: string
  /** Undefined: no TCP listener. */
  port: number | undefined
  wsPort: number
  log: Log
  maxPacketBytes: number
  /**
   * The client id under which a connecting client is known, before it is authenticated. Two clients of one id take over each other's
   * connection, so ids that clients choose freely must be made unique per user.
   */
  clientIdOf?(clientId: string, username: string): string
  /** @throws ConnectRefused */
  authenticate(requested: { clientId: string; username: string; password: string; address: string }): Promise<P>
  /** `done` acknowledges to the sender (PUBACK); with an error the connection is closed. */
  onPublish(from: Connection<P>, topic: string, payload: Buffer, done: (error?: Error) => void): void
  maySubscribe(who: Connection<P>, filter: string): boolean
  /**
   * Whether a message may be read from a sender with little or much waiting data. While false, connections are not read; call `readOn` when
   * it may have changed.
   */
  hasRoom?(isLittle: boolean): boolean
  /**
   * Called for data that is not MQTT, of another version, or too large; the connection is then closed. `from` is undefined before
   * authentication.
   */
  onBadPacket?(reason: string, bytes: number, from: Connection<P> | undefined): void
  onConnect?(who: Connection<P>): void
  onDisconnect?(who: Connection<P>): void
}

export interface Broker<P extends Peer> {
  /** 0 without a TCP listener. */
  readonly port: number
  readonly wsPort: number
  readonly connections: ReadonlySet<Connection<P>>
  readOn(): void
  close(): Promise<void>
}

/** Messages of devices are stored by the ingest and have no subscribers, so the broker's own distribution is skipped for them. */
class UplinkBroker extends Aedes {
  override publish(packet: PublishPacket, second: Client | null | ((error?: Error) => void), third?: (error?: Error) => void): void {
    const fromClient = typeof second !== 'function' && second !== null
    if (fromClient) return void third?.()
    const base = Aedes.prototype as unknown as { publish(p: PublishPacket, c: unknown, d?: unknown): void }
    base.publish.call(this, packet, second, third)
  }
}

/** Encodes a live message (PUBLISH, QoS 0) once for any number of subscribers. */
export function encodePublish(topic: string, payload: string): Buffer {
  const topicBytes = Buffer.byteLength(topic)
  const length = 2 + topicBytes + Buffer.byteLength(payload)
  const head = [0x30]
  for (let rest = length; ; ) {
    const digit = rest % 128
    rest = Math.floor(rest / 128)
    head.push(rest > 0 ? digit | 0x80 : digit)
    if (rest === 0) break
  }
  const packet = Buffer.allocUnsafe(head.length + length)
  packet.set(head)
  packet.writeUInt16BE(topicBytes, head.length)
  packet.write(topic, head.length + 2)
  packet.write(payload, head.length + 2 + topicBytes)
  return packet
}

/** State per connection. Before authentication the key is the connection's stream, later the client. */
interface Doors<P extends Peer> {
  readonly options: BrokerOptions<P>
  readonly connections: Set<Connection<P>>
  readonly byClient: WeakMap<Client, Connection<P>>
  readonly addresses: WeakMap<object, string>
  /** Authenticated connections by their stream. */
  readonly byStream: WeakMap<object, Connection<P>>
  readonly gates: WeakMap<object, ReadGate>
  readonly intake: Intake
}

export async function startBroker<P extends Peer>(options: BrokerOptions<P>): Promise<Broker<P>> {
  const doors: Doors<P> = {
    options,
    connections: new Set(),
    byClient: new WeakMap(),
    addresses: new WeakMap(),
    byStream: new WeakMap(),
    gates: new WeakMap(),
    intake: new Intake(options.hasRoom ?? (() => true)),
  }
  const broker = new UplinkBroker({
    concurrency: 2000,
    connectTimeout: 10_000,
    maxClientsIdLength: 128,
    queueLimit: 200,
    drainTimeout: 0,
    ...answersOf(doors),
  })
  await broker.listen()
  followClients(broker, doors)
  const sockets = new Set<Socket>()
  const tcp = overTcp(broker, doors, sockets)
  const http = createHttpServer((_request, response) => response.writeHead(426).end())
  const wss = overWebSocket(broker, doors, http)
  if (options.port !== undefined) await listen(tcp, options.port, options.host)
  await listen(http, options.wsPort, options.host)
  return {
    port: portOf(tcp),
    wsPort: portOf(http),
    connections: doors.connections,
    readOn: () => doors.intake.open(),
    async close() {
      tcp.close()
      http.close()
      await new Promise<void>((resolve) => broker.close(resolve))
      for (const ws of wss.clients) ws.terminate()
      for (const socket of sockets) socket.destroy()
      http.closeAllConnections()
    },
  }
}

/** Broker callbacks that authenticate clients and authorize publishing and subscribing. */
function answersOf<P extends Peer>({ options, byClient, byStream, addresses, gates }: Doors<P>): AedesOptions {
  return {
    preConnect(_client, packet, done) {
      if (options.clientIdOf) packet.clientId = options.clientIdOf(packet.clientId ?? '', packet.username ?? '')
      done(null, true)
    },
    authenticate(client, username, password, done) {
      const address = addresses.get(client.conn) ?? ''
      options
        .authenticate({ clientId: client.id, username: username ?? '', password: password?.toString('utf8') ?? '', address })
        .then((peer) => {
          const connection = connectionOf(client, peer, address)
          byClient.set(client, connection)
          byStream.set(client.conn, connection)
          gates.get(client.conn)?.admit()
          done(null, true)
        })
        .catch((error: unknown) => done(refusalOf(options.log, error, client, address), false))
    },
    authorizePublish(client, packet, done) {
      if (!client) return done()
      const from = byClient.get(client)
      if (from?.peer.kind !== 'device') return done(new Error('not allowed to publish'))
      const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
      const gate = gates.get(client.conn)
      gate?.hold()
      options.onPublish(from, packet.topic, payload, (error) => {
        gate?.release()
        done(error ?? null)
      })
    },
    authorizeSubscribe(client, subscription, done) {
      const who = byClient.get(client)
      if (!who || !options.maySubscribe(who, subscription.topic)) return done(null, null)
      who.filters.add(subscription.topic)
      // Devices receive commands with the requested QoS; live values are outdated after a second, so QoS 0 is enough.
      done(null, { ...subscription, qos: who.peer.kind === 'viewer' ? 0 : subscription.qos })
    },
  }
}

function refusalOf(log: Log, error: unknown, client: Client, address: string): AuthenticateError {
  const isRefused = error instanceof ConnectRefused
  if (isRefused) log.info({ clientId: client.id.slice(0, 80), address, reason: error.message }, 'connection refused')
  else log.error({ err: error }, 'authentication failed')
  return Object.assign(new Error('refused'), { returnCode: isRefused ? error.code : refusals.unavailable }) as AuthenticateError
}

const connectionOf = <P extends Peer>(client: Client, peer: P, address: string): Connection<P> => ({
  clientId: client.id,
  address,
  peer,
  filters: new Set(),
  send: (packet) => void client.conn.write(packet),
  publish: (topic, payload) => client.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, () => undefined),
  close: () => client.close(),
})

function followClients<P extends Peer>(broker: Aedes, { options, byClient, connections }: Doors<P>): void {
  const { log } = options
  broker.on('client', (client) => {
    const connection = byClient.get(client)
    if (!connection) return
    connections.add(connection)
    options.onConnect?.(connection)
  })
  broker.on('clientDisconnect', (client) => {
    const connection = byClient.get(client)
    if (connection && connections.delete(connection)) options.onDisconnect?.(connection)
  })
  broker.on('unsubscribe', (filters, client) => {
    for (const filter of filters) byClient.get(client)?.filters.delete(filter)
  })
  broker.on('clientError', (client, error) => log.debug({ clientId: client.id, reason: error.message }, 'connection closed'))
  broker.on('connectionError', (_client, error) => log.debug({ reason: error.message }, 'connection closed before it was known'))
}

function overTcp<P extends Peer>(broker: Aedes, { options, gates, addresses, byStream, intake }: Doors<P>, sockets: Set<Socket>): Server {
  return createServer({ highWaterMark: unreadBytes }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    guardSocket(socket, options.maxPacketBytes, (verdict, bytes) => options.onBadPacket?.(verdict, bytes, byStream.get(socket)))
    gates.set(socket, new ReadGate(socket, intake))
    addresses.set(socket, socket.remoteAddress ?? '')
    broker.handle(socket)
  })
}

function overWebSocket<P extends Peer>(
  broker: Aedes,
  { options, gates, addresses, byStream, intake }: Doors<P>,
  http: HttpServer,
): WebSocketServer {
  const wss = new WebSocketServer({
    server: http,
    maxPayload: options.maxPacketBytes + 1024,
    perMessageDeflate: false,
    handleProtocols: (available) => (available.has('mqtt') ? 'mqtt' : available.has('mqttv3.1') ? 'mqttv3.1' : false),
  })
  // It forwards errors of its HTTP server, which are handled there.
  wss.on('error', () => undefined)
  wss.on('connection', (ws, request) => {
    const stream: Duplex = webSocketStream(ws, options.maxPacketBytes, (verdict, bytes) =>
      options.onBadPacket?.(verdict, bytes, byStream.get(stream)),
    )
    gates.set(stream, new ReadGate(stream, intake))
    addresses.set(stream, request.socket.remoteAddress ?? '')
    broker.handle(stream, request)
  })
  return wss
}

function listen(server: Server | HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

function portOf(server: Server | HttpServer): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
