import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import mqtt, { type IPublishPacket, type MqttClient, type Packet } from 'mqtt'
import type { Log } from '#kit/log'
import type { Connection, Peer } from '#kit/mqtt/broker'
import type { Fleet, FleetGateway, Strangers } from '../../equipment/public.ts'
import { TokenBucket } from '../bucket.ts'
import type { Counters } from '../counters.ts'
import type { Pipeline } from '../pipeline.ts'
import { burst, type GatewayPeer, messagesPerSecond } from './admission.ts'
import { type Gateways, maxPayloadBytes } from './gateways.ts'

export interface BridgeDependencies {
  url: string
  /** Distinguishes this process's session from others on the same broker; unchanged after a restart. */
  instance: string
  fleet: Fleet
  strangers: Strangers
  gateways: Gateways
  pipeline: Pick<Pipeline, 'isFlowing'>
  counters: Counters
  log: Log
  now(): number
}

export interface Bridge {
  readonly isConnected: boolean
  close(): Promise<void>
}

/** Several ingest processes share one subscription: each message goes to one of them. */
const shared = '$share/zhugong-ingest/site/v1/up/#'
/** Most unacknowledged messages the broker may send, so that memory stays bounded. */
const inFlight = 1_000
const sessionSeconds = 86_400
const reconnectMs = 2_000
/** A message the database refuses is requested again this often before it is dropped. */
const mostRefusals = 3
const silentGatewayMs = 180_000

type SendPacket = (packet: Packet, done?: (error?: Error) => void, ...rest: unknown[]) => void

/** State of the bridge. */
interface Bridging {
  readonly deps: BridgeDependencies
  readonly client: MqttClient
  readonly gateways: GatewaysBehind
  /** Number of refusals by the database, by hash of topic and content. */
  readonly refusals: Map<string, number>
  isClosing: boolean
}

/**
 * Uses an external broker instead of the embedded one. The ingest is its client: MQTT 5, a persistent session and a shared subscription.
 * A message is acknowledged only after the commit, so that messages of a killed process are delivered again. The external broker decides
 * who may connect and publish. The bridge also checks that the gateway is registered and enabled and that devices are bound to it.
 */
export function startBridge(deps: BridgeDependencies): Bridge {
  const { log } = deps
  const client = connect(deps)
  const bridging: Bridging = { deps, client, gateways: new GatewaysBehind(deps, client), refusals: new Map(), isClosing: false }
  const confirmation = holdConfirmations(client)
  // The client reconnects every few seconds; each kind of failure is logged once until the connection is restored.
  let said = ''
  client.on('connect', () => {
    said = ''
    log.info({ protocol: 'mqtt' }, 'external broker connected')
    client.subscribe(shared, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'external broker refuses the subscription')
    })
  })
  client.on('error', (error) => {
    const code = 'code' in error ? String(error.code) : error.name
    if (code === said) return
    said = code
    log.warn({ code, reason: error.message }, 'external broker is not reached; trying on')
  })
  client.on('message', (topic, payload, packet) => {
    const confirm = confirmation(packet)
    void take(bridging, topic, payload, confirm).catch((error: unknown) => refused(bridging, topic, payload, error as Error, confirm))
  })
  const sweeper = setInterval(() => bridging.gateways.sweep(), 10_000)
  return {
    get isConnected() {
      return client.connected
    },
    async close() {
      bridging.isClosing = true
      clearInterval(sweeper)
      // Unacknowledged messages are delivered again, to this process or another.
      await client.endAsync(true).catch(() => undefined)
    },
  }
}

const connect = ({ url, instance }: BridgeDependencies): MqttClient =>
  mqtt.connect(url, {
    protocolVersion: 5,
    clientId: `zhugong-ingest-${createHash('sha1').update(`${hostname()}|${instance}`).digest('hex').slice(0, 12)}`,
    clean: false,
    // Subscribes on every connection instead: a restarted broker may keep the session but lose the shared subscription.
    resubscribe: false,
    reconnectPeriod: reconnectMs,
    connectTimeout: 10_000,
    keepalive: 30,
    properties: { sessionExpiryInterval: sessionSeconds, receiveMaximum: inFlight, maximumPacketSize: maxPayloadBytes + 4_096 },
  })

async function take(bridging: Bridging, topic: string, payload: Buffer, confirm: () => void): Promise<void> {
  const { fleet, gateways, counters, strangers, now } = bridging.deps
  const [, , , gatewayId = ''] = topic.split('/')
  const gateway = /^[\w-]{1,64}$/.test(gatewayId) ? await fleet.seekGateway(gatewayId) : undefined
  if (!gateway?.enabled || payload.length > maxPayloadBytes || topic.split('/').length !== 6) {
    const isTooLarge = payload.length > maxPayloadBytes
    const reason = !gateway ? 'unknownGateway' : !gateway.enabled ? 'switchedOff' : isTooLarge ? 'tooLarge' : 'topic'
    counters.refused(reason)
    strangers.note(
      { identifier: gatewayId.slice(0, 64) || topic.slice(0, 64), protocol: 'mqtt', address: 'broker', gatewayId: gateway?.id, reason },
      now(),
    )
    // A retransmission would fail again, so the message is acknowledged.
    confirm()
    return
  }
  gateways.onPublish(bridging.gateways.connectionOf(gateway), topic, payload, (error) => {
    if (error) refused(bridging, topic, payload, error, confirm)
    else confirm()
  })
}

/** The message was not stored. Reconnecting makes the broker deliver it again; after several refusals it is logged and dropped. */
function refused({ deps, client, refusals, isClosing }: Bridging, topic: string, payload: Buffer, error: Error, confirm: () => void): void {
  if (isClosing || !deps.pipeline.isFlowing) return
  const key = createHash('sha1').update(topic).update(payload).digest('hex')
  const times = (refusals.get(key) ?? 0) + 1
  if (times >= mostRefusals) {
    refusals.delete(key)
    deps.log.error({ err: error, topic }, 'message given up')
    confirm()
    return
  }
  if (refusals.size > 1_000) refusals.clear()
  refusals.set(key, times)
  deps.log.warn({ err: error, topic }, 'message not stored, asking for it again')
  client.reconnect()
}

/** Gateways connected to the external broker, represented as if they were connected to this process. */
class GatewaysBehind {
  private readonly deps: BridgeDependencies
  private readonly client: MqttClient
  private readonly known = new Map<string, { connection: Connection<Peer>; heardAt: number; sealedSecret: Buffer }>()

  constructor(deps: BridgeDependencies, client: MqttClient) {
    this.deps = deps
    this.client = client
  }

  connectionOf({ id, sealedSecret }: FleetGateway): Connection<Peer> {
    const { gateways, now } = this.deps
    const before = this.known.get(id)
    if (before?.sealedSecret.equals(sealedSecret)) {
      before.heardAt = now()
      return before.connection
    }
    if (before) this.forget(id)
    const peer: GatewayPeer = { kind: 'device', gatewayId: id, sealedSecret, bucket: new TokenBucket(messagesPerSecond, burst, now()) }
    const connection: Connection<Peer> = {
      clientId: `gw:${id}`,
      address: 'broker',
      peer,
      filters: new Set(),
      send: () => undefined,
      publish: (topic, payload) => this.sendDown(topic, payload),
      close: () => this.forget(id),
    }
    this.known.set(id, { connection, heardAt: now(), sealedSecret })
    gateways.onConnect(connection)
    return connection
  }

  /** Disconnects gateways that were silent for `silentGatewayMs`. */
  sweep(): void {
    const at = this.deps.now()
    for (const [id, one] of this.known) if (at - one.heardAt > silentGatewayMs) this.forget(id)
  }

  private sendDown(topic: string, payload: string): void {
    this.client.publish(topic, payload, { qos: 1 }, (error) => {
      if (error) this.deps.log.debug({ err: error, topic }, 'not sent down')
    })
  }

  private forget(id: string): void {
    const one = this.known.get(id)
    if (!one) return
    this.known.delete(id)
    this.deps.gateways.onDisconnect(one.connection)
  }
}

/**
 * The client library acknowledges a message as soon as its listener returns. This holds the PUBACK back while the library continues with
 * the next message. The returned function sends it, if the connection is still the one the message came over.
 */
function holdConfirmations(client: MqttClient): (packet: IPublishPacket) => () => void {
  const inner = client as unknown as { _sendPacket: SendPacket }
  const send = inner._sendPacket.bind(client)
  let epoch = 0
  const existing = new Map<number, { packet?: Packet; confirmed: boolean }>()
  client.on('close', () => {
    epoch++
    existing.clear()
  })
  inner._sendPacket = (packet, done, ...rest) => {
    const waiting = packet.cmd === 'puback' && packet.messageId !== undefined ? existing.get(packet.messageId) : undefined
    if (!waiting || waiting.confirmed) {
      if (waiting && packet.messageId !== undefined) existing.delete(packet.messageId)
      return send(packet, done, ...rest)
    }
    waiting.packet = packet
    done?.()
  }
  return (packet) => {
    const { messageId } = packet
    if (packet.qos !== 1 || messageId === undefined) return () => undefined
    const own = epoch
    const entry: { packet?: Packet; confirmed: boolean } = { confirmed: false }
    existing.set(messageId, entry)
    return () => {
      if (own !== epoch || entry.confirmed) return
      entry.confirmed = true
      if (!entry.packet) return
      existing.delete(messageId)
      send(entry.packet)
    }
  }
}
