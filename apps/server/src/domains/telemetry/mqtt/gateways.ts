import type pg from 'pg'
import { type Connection, ConnectRefused, type Peer, refusals } from '#kit/mqtt/broker'
import type { FleetDevice } from '../../equipment/public.ts'
import type { Pipeline } from '../pipeline.ts'
import type { StoredFiles } from '../stored-files.ts'
import { type AdmissionDependencies, admitGateway, type GatewayPeer } from './admission.ts'
import { type FaceTopic, faceTopicOf, isFaceFilter, receiveFace } from './face-gates.ts'
import { noteMessage } from './message-notes.ts'
import { type MessageDependencies, Messages } from './messages.ts'

export const maxPayloadBytes = 256 * 1024
/** Largest PUBLISH packet: largest payload plus header, topic and message id. */
export const maxPacketBytes = maxPayloadBytes + 1024
/** Connections of one gateway: its own, and those of the face gates that use its password. */
const mostConnections = 100
export interface GatewayDependencies extends AdmissionDependencies, MessageDependencies {
  pipeline: Pipeline
  pool: pg.Pool
  files: StoredFiles
}

/** MQTT connections of gateways. */
export class Gateways {
  private readonly deps: GatewayDependencies
  private readonly connected = new Map<string, Set<Connection<Peer>>>()
  private readonly seen = new Map<string, { online: boolean; ip: string; at: number }>()

  private readonly messages: Messages

  constructor(deps: GatewayDependencies) {
    this.deps = deps
    this.messages = new Messages(deps, {
      send: (gatewayId, deviceSn, command) => this.send(gatewayId, deviceSn, command),
      // From a last will or a state message. A gateway with another open connection is still online.
      said: (gatewayId, online, ip) => this.seen.set(gatewayId, { online: online && this.connected.has(gatewayId), ip, at: deps.now() }),
      replied: (...reply) => this.onReply?.(...reply),
    })
    deps.fleet.onChange((change) => {
      if (change.table === 'gateway') this.checkAgain(change.id)
    })
  }

  async authenticate(requested: Parameters<typeof admitGateway>[1]): Promise<GatewayPeer> {
    const peer = await admitGateway(this.deps, requested)
    if ((this.connected.get(peer.gatewayId)?.size ?? 0) >= mostConnections)
      throw new ConnectRefused(refusals.unavailable, 'too many connections of one gateway')
    return peer
  }

  maySubscribe(peer: GatewayPeer, filter: string): boolean {
    // Replies go to the connection that sent the record only, so the subscription itself gives nothing away.
    if (isFaceFilter(filter)) return true
    const [site, version, direction, gatewayId, deviceSn, kind, ...rest] = filter.split('/')
    return (
      site === 'site' &&
      version === 'v1' &&
      direction === 'down' &&
      gatewayId === peer.gatewayId &&
      deviceSn !== undefined &&
      ((deviceSn === '#' && kind === undefined) || (deviceSn !== '#' && (kind === '#' || kind === 'command' || kind === '+'))) &&
      rest.length === 0
    )
  }

  onConnect(connection: Connection<Peer>): void {
    const { gatewayId } = connection.peer as GatewayPeer
    const all = this.connected.get(gatewayId) ?? new Set()
    this.connected.set(gatewayId, all.add(connection))
    this.seen.set(gatewayId, { online: true, ip: connection.address, at: this.deps.now() })
  }

  onDisconnect(connection: Connection<Peer>): void {
    const { gatewayId } = connection.peer as GatewayPeer
    const all = this.connected.get(gatewayId)
    all?.delete(connection)
    if (all?.size) return
    this.connected.delete(gatewayId)
    this.seen.set(gatewayId, { online: false, ip: connection.address, at: this.deps.now() })
  }

  isConnected(gatewayId: string): boolean {
    return this.connected.has(gatewayId)
  }

  /** Sends a command to a device behind a connected gateway. */
  send(gatewayId: string, deviceSn: string, command: Record<string, unknown>, device?: FleetDevice): boolean {
    const all = this.connected.get(gatewayId)
    if (!all?.size) return false
    const payload = JSON.stringify(command)
    for (const connection of all) connection.publish(`site/v1/down/${gatewayId}/${deviceSn}/command`, payload)
    if (device)
      noteMessage(this.deps, {
        device,
        gatewayId,
        deviceSn,
        direction: 'down',
        kind: 'command',
        result: 'sent',
        payload: Buffer.from(payload),
      })
    return true
  }

  /** Closes the connections of a gateway that was disabled or has a new secret. */
  private checkAgain(id: string): void {
    const gateway = this.deps.fleet.gateway(id)
    for (const connection of this.connected.get(id) ?? []) {
      const { sealedSecret } = connection.peer as GatewayPeer
      if (!gateway?.enabled || !gateway.sealedSecret.equals(sealedSecret)) connection.close()
    }
  }

  /** Writes the connection changes since the last call. */
  async flush(): Promise<void> {
    if (this.seen.size === 0) return
    const rows = [...this.seen].map(([id, s]) => ({ id, online: s.online, ip: s.ip, at: new Date(s.at).toISOString() }))
    this.seen.clear()
    await this.deps.pool.query(
      `update gateway g set online = r.online, ip = r.ip, last_seen = r.at::timestamptz
       from jsonb_to_recordset($1::jsonb) as r(id text, online boolean, ip text, at text) where g.id = r.id`,
      [JSON.stringify(rows)],
    )
  }

  onPublish(from: Connection<Peer>, topic: string, payload: Buffer, done: (error?: Error) => void): void {
    const peer = from.peer as GatewayPeer
    const face = faceTopicOf(topic)
    if (face) {
      this.onFace(from, peer, face, payload, done)
      return
    }
    const [site, version, direction, gatewayId, deviceSn, kind, ...rest] = topic.split('/')
    if (site !== 'site' || version !== 'v1' || direction !== 'up' || gatewayId !== peer.gatewayId || !deviceSn || !kind || rest.length) {
      this.deps.counters.refused('topic')
      const hint = `主题应为 site/v1/up/${peer.gatewayId}/{设备序列号}/{telemetry|event|record|state|reply}，收到 ${topic.slice(0, 200)}`
      this.refusedMessage(from, peer, 'topic', 'topic', payload, hint)
      done(new Error('topic not allowed'))
      return
    }
    if (payload.length > maxPayloadBytes) {
      this.deps.counters.badFrame('mqtt', 'tooLarge')
      this.tooLarge(from, peer, kind, payload.length, payload)
      done(new Error('payload too large'))
      return
    }
    const up = { gatewayId, deviceSn, kind, address: from.address, payload, done }
    this.inTurn(peer, () => void this.messages.receive(up))
  }

  /** Over the rate limit the acknowledgement is delayed, and with it reading from this connection. Other connections are not affected. */
  private inTurn(peer: GatewayPeer, receive: () => void): void {
    const wait = peer.bucket.take(this.deps.now())
    if (wait > 0) setTimeout(receive, wait)
    else receive()
  }

  private onFace(from: Connection<Peer>, peer: GatewayPeer, topic: FaceTopic, payload: Buffer, done: (error?: Error) => void): void {
    if (payload.length > maxPayloadBytes) {
      this.deps.counters.badFrame('mqtt', 'tooLarge')
      this.tooLarge(from, peer, topic.kind, payload.length, payload)
      done(new Error('payload too large'))
      return
    }
    const reply = (deviceSn: string, body: Record<string, unknown>) => from.publish(`mqtt/face/${deviceSn}`, JSON.stringify(body))
    const message = { gatewayId: peer.gatewayId, topic, address: from.address, payload, reply, done }
    this.inTurn(peer, () => void receiveFace(this.deps, message))
  }

  /** Logs why a packet closed the connection, because the device will send the same packet again. */
  onBadPacket(from: Connection<Peer>, reason: string, bytes: number): void {
    const peer = from.peer as GatewayPeer
    if (reason === 'tooLarge') this.tooLarge(from, peer, 'message', bytes, Buffer.alloc(0))
    else this.refusedMessage(from, peer, 'message', reason, Buffer.alloc(0), undefined)
  }

  private tooLarge(from: Connection<Peer>, peer: GatewayPeer, kind: string, bytes: number, payload: Buffer): void {
    const hint = `消息 ${bytes} 字节，上限 ${maxPayloadBytes} 字节（256 KiB），没有保存，连接已断开：请分成几条发送，图片先上传文件再引用编号`
    this.refusedMessage(from, peer, kind, 'tooLarge', payload, hint)
  }

  /** Logs a refused message of a gateway and counts it as a refusal. */
  private refusedMessage(
    from: Connection<Peer>,
    peer: GatewayPeer,
    kind: string,
    result: string,
    payload: Buffer,
    hint: string | undefined,
  ): void {
    noteMessage(this.deps, { ...ofTopic(from, peer), kind, result, payload, hint })
    const { gatewayId } = peer
    this.deps.strangers.note(
      { identifier: gatewayId, protocol: 'mqtt', address: from.address, gatewayId, reason: result, sample: hint },
      this.deps.now(),
    )
  }

  /** Receives the replies to commands; set by `GatewayRequests`. */
  onReply: ((gatewayId: string, deviceSn: string, cmdId: string, body: Record<string, unknown>) => void) | undefined
}

/** Log fields of a message that belongs to the gateway, not to a device. */
const ofTopic = (from: Connection<Peer>, peer: GatewayPeer) =>
  ({ gatewayId: peer.gatewayId, deviceSn: '-', address: from.address, direction: 'up' }) as const
