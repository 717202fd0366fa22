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
  /** Tells this process's session from others of the same broker; the same after a restart. */
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
/** Messages the broker may have given us without having been told that they are stored: what waits in memory stays bounded. */
const inFlight = 1_000
const sessionSeconds = 86_400
const reconnectMs = 2_000
/** A message the database refuses is asked for again so often before it is given up. */
const mostRefusals = 3
const silentGatewayMs = 180_000

type SendPacket = (packet: Packet, done?: (error?: Error) => void, ...rest: unknown[]) => void

/**
 * An external broker in place of the embedded one: the ingest is its client, with MQTT 5, a session that outlives it and a shared
 * subscription. It tells the broker that it has a message after the commit and not before, so that what a killed process had in its
 * hands comes again to the next. Who may connect and publish where is the external broker's to say; that a gateway is known and switched
 * on, and its devices bound to it, is looked after here as well.
 */
export function startBridge(deps: BridgeDependencies): Bridge {
  const { fleet, gateways, counters, log, now } = deps
  const known = new Map<string, { connection: Connection<Peer>; heardAt: number; sealedSecret: Buffer }>()
  const refusals = new Map<string, number>()
  const client: MqttClient = mqtt.connect(deps.url, {
    protocolVersion: 5,
    clientId: `zhugong-ingest-${createHash('sha1').update(`${hostname()}|${deps.instance}`).digest('hex').slice(0, 12)}`,
    clean: false,
    // Asked for again on every connection: a broker that restarts may keep a session and lose its part in a shared subscription.
    resubscribe: false,
    reconnectPeriod: reconnectMs,
    connectTimeout: 10_000,
    keepalive: 30,
    properties: { sessionExpiryInterval: sessionSeconds, receiveMaximum: inFlight, maximumPacketSize: maxPayloadBytes + 4_096 },
  })
  const confirmation = holdConfirmations(client)

  client.on('connect', () => {
    log.info({ protocol: 'mqtt' }, 'external broker connected')
    client.subscribe(shared, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'external broker refuses the subscription')
    })
  })
  client.on('error', (error) => log.warn({ err: error }, 'external broker'))
  client.on('message', (topic, payload, packet) => {
    const confirm = confirmation(packet)
    void take(topic, payload, confirm).catch((error: unknown) => refused(topic, payload, error as Error, confirm))
  })

  async function take(topic: string, payload: Buffer, confirm: () => void): Promise<void> {
    const [, , , gatewayId = ''] = topic.split('/')
    const gateway = /^[\w-]{1,64}$/.test(gatewayId) ? await fleet.seekGateway(gatewayId) : undefined
    if (!gateway?.enabled || payload.length > maxPayloadBytes || topic.split('/').length !== 6) {
      const reason = !gateway ? 'unregistered' : !gateway.enabled ? 'notInService' : 'topic'
      counters.refused(reason)
      deps.strangers.note(
        { identifier: gatewayId.slice(0, 64) || topic.slice(0, 64), protocol: 'mqtt', address: 'broker', gatewayId: gateway?.id, reason },
        now(),
      )
      // It would be no better the next time.
      confirm()
      return
    }
    gateways.onPublish(connectionOf(gateway), topic, payload, (error) => {
      if (error) refused(topic, payload, error, confirm)
      else confirm()
    })
  }

  /** Not stored. The broker gives it again on the next connection; what is refused again and again is given up, and told. */
  function refused(topic: string, payload: Buffer, error: Error, confirm: () => void): void {
    if (closing || !deps.pipeline.isFlowing) return
    const key = createHash('sha1').update(topic).update(payload).digest('hex')
    const times = (refusals.get(key) ?? 0) + 1
    if (times >= mostRefusals) {
      refusals.delete(key)
      log.error({ err: error, topic }, 'message given up')
      confirm()
      return
    }
    if (refusals.size > 1_000) refusals.clear()
    refusals.set(key, times)
    log.warn({ err: error, topic }, 'message not stored, asking for it again')
    client.reconnect()
  }

  /** A gateway behind the external broker, as if it were connected here. */
  function connectionOf(gateway: FleetGateway): Connection<Peer> {
    const before = known.get(gateway.id)
    if (before?.sealedSecret.equals(gateway.sealedSecret)) {
      before.heardAt = now()
      return before.connection
    }
    if (before) forget(gateway.id)
    const peer: GatewayPeer = {
      kind: 'device',
      gatewayId: gateway.id,
      sealedSecret: gateway.sealedSecret,
      bucket: new TokenBucket(messagesPerSecond, burst, now()),
    }
    const connection: Connection<Peer> = {
      clientId: `gw:${gateway.id}`,
      address: 'broker',
      peer,
      filters: new Set(),
      send: () => undefined,
      publish: (topic, payload) => {
        client.publish(topic, payload, { qos: 1 }, (error) => {
          if (error) log.debug({ err: error, topic }, 'not sent down')
        })
      },
      close: () => forget(gateway.id),
    }
    known.set(gateway.id, { connection, heardAt: now(), sealedSecret: gateway.sealedSecret })
    gateways.onConnect(connection)
    return connection
  }
  function forget(gatewayId: string): void {
    const one = known.get(gatewayId)
    if (!one) return
    known.delete(gatewayId)
    gateways.onDisconnect(one.connection)
  }

  const sweeper = setInterval(() => {
    const at = now()
    for (const [id, one] of known) if (at - one.heardAt > silentGatewayMs) forget(id)
  }, 10_000)
  let closing = false

  return {
    get isConnected() {
      return client.connected
    },
    async close() {
      closing = true
      clearInterval(sweeper)
      // What was not confirmed comes again, to this process or another.
      await client.endAsync(true).catch(() => undefined)
    },
  }
}

/**
 * The client library confirms a message as soon as its listener has returned. Here its PUBACK is held back: the library goes on to the
 * next message, and the confirmation leaves when the caller says so, if the connection is still the one the message came over.
 */
function holdConfirmations(client: MqttClient): (packet: IPublishPacket) => () => void {
  const inner = client as unknown as { _sendPacket: SendPacket }
  const send = inner._sendPacket.bind(client)
  let epoch = 0
  const held = new Map<number, { packet?: Packet; confirmed: boolean }>()
  client.on('close', () => {
    epoch++
    held.clear()
  })
  inner._sendPacket = (packet, done, ...rest) => {
    const waiting = packet.cmd === 'puback' && packet.messageId !== undefined ? held.get(packet.messageId) : undefined
    if (!waiting || waiting.confirmed) {
      if (waiting && packet.messageId !== undefined) held.delete(packet.messageId)
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
    held.set(messageId, entry)
    return () => {
      if (own !== epoch || entry.confirmed) return
      entry.confirmed = true
      if (!entry.packet) return
      held.delete(messageId)
      send(entry.packet)
    }
  }
}
