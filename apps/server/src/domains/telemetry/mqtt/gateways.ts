import { createHmac, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Log } from '#kit/log'
import { type Connection, ConnectRefused, type Peer, refusals } from '#kit/mqtt/broker'
import type { Secrets } from '#kit/secret'
import type { Fleet, FleetDevice, FleetGateway, Strangers } from '../../equipment/public.ts'
import type { EventItem } from '../../readings/public.ts'
import { TokenBucket } from '../bucket.ts'
import type { Counters } from '../counters.ts'
import { decodeItems, type Kind, readEnvelope } from '../envelope.ts'
import { blanked, type FrameLog } from '../frame-log.ts'
import { type FrameVerdict, verdictOf } from '../frame-verdict.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Presence } from '../presence.ts'

export interface GatewayPeer extends Peer {
  kind: 'device'
  gatewayId: string
  /** The sealed secret it came in with: another one ends the connection. */
  sealedSecret: Buffer
  bucket: TokenBucket
}

export const maxPayloadBytes = 256 * 1024
/** PUBLISH around the largest payload: header, topic, message id. */
export const maxPacketBytes = maxPayloadBytes + 1024
export const messagesPerSecond = 20
export const burst = 100
const passwordWindowMs = 5 * 60_000
/** Refused items of a message that its line in the log names. */
const mostRejectedShown = 20

export interface GatewayDependencies {
  fleet: Fleet
  strangers: Strangers
  secrets: Secrets
  pipeline: Pipeline
  presence: Pick<Presence, 'leave'>
  counters: Counters
  frames: FrameLog
  pool: pg.Pool
  log: Log
  now(): number
}

const equal = (a: string, b: string) => {
  const left = createHmac('sha256', 'compare').update(a).digest()
  const right = createHmac('sha256', 'compare').update(b).digest()
  return timingSafeEqual(left, right)
}

/**
 * hex HMAC-SHA256(secret, `{clientId}|{timestamp}`) | timestamp; or the secret itself where the gateway's connection type says so.
 * Undefined when it fits, else what is wrong with it and, for people, by how much.
 */
export function passwordFault(
  gateway: Pick<FleetGateway, 'connectionType'>,
  secret: string,
  clientId: string,
  password: string,
  now: number,
): { reason: 'wrongPassword' | 'expired'; hint?: string } | undefined {
  // A secret that cannot be opened any more fits nothing.
  if (!secret) return { reason: 'wrongPassword' }
  if (gateway.connectionType === 'mqttPlain') return equal(password, secret) ? undefined : { reason: 'wrongPassword' }
  const [signature = '', stamp = ''] = password.split('|')
  if (!/^\d{12,14}$/.test(stamp)) return { reason: 'wrongPassword', hint: stampless }
  // The signature first: whoever does not know the secret is told nothing but that.
  if (!equal(signature.toLowerCase(), createHmac('sha256', secret).update(`${clientId}|${stamp}`).digest('hex')))
    return { reason: 'wrongPassword' }
  const ahead = Number(stamp) - now
  if (Math.abs(ahead) <= passwordWindowMs) return undefined
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return { reason: 'expired', hint: `密码里的时间戳比平台${ahead > 0 ? '快' : '慢'} ${seconds} 秒，超出 5 分钟的允许范围：请给网关校时` }
}

const stampless = '密码应为“签名|毫秒时间戳”：签名是 HMAC-SHA256(密钥, "客户端标识|时间戳") 的十六进制'

/** The MQTT side of the platform's own gateways. */
export class Gateways {
  private readonly deps: GatewayDependencies
  private readonly connected = new Map<string, Set<Connection<Peer>>>()
  private readonly seen = new Map<string, { online: boolean; ip: string; at: number }>()

  constructor(deps: GatewayDependencies) {
    this.deps = deps
    deps.fleet.onChange((change) => {
      if (change.table === 'gateway') this.checkAgain(change.id)
    })
  }

  async authenticate(asked: { clientId: string; username: string; password: string; address: string }): Promise<GatewayPeer> {
    const { fleet, secrets, pipeline, now } = this.deps
    // While nothing can be stored nobody new is let in: what waits in memory stays bounded.
    if (!pipeline.isFlowing) throw new ConnectRefused(refusals.unavailable, 'database away')
    const gateway = /^[\w-]{1,64}$/.test(asked.username) ? await fleet.seekGateway(asked.username) : undefined
    const refuse = (code: number, reason: string, hint?: string): never => {
      this.noteRefusal(asked, gateway, reason, hint)
      throw new ConnectRefused(code, reason)
    }
    if (!gateway) return refuse(refusals.wrongPassword, 'unregistered')
    if (asked.clientId !== `gw:${gateway.id}`)
      return refuse(refusals.notAllowed, 'wrongClientId', `客户端标识应为 gw:${gateway.id}，收到 ${asked.clientId.slice(0, 64)}`)
    const secret = secrets.open(gateway.sealedSecret) ?? ''
    const fault = passwordFault(gateway, secret, asked.clientId, asked.password, now())
    if (fault) return refuse(refusals.wrongPassword, fault.reason, fault.hint)
    if (!gateway.enabled) return refuse(refusals.notAllowed, 'switchedOff')
    return {
      kind: 'device',
      gatewayId: gateway.id,
      sealedSecret: gateway.sealedSecret,
      bucket: new TokenBucket(messagesPerSecond, burst, now()),
    }
  }

  /** Who was not let in stands in the list of strangers, and in the log of the gateway it named: the box itself shows nothing but a closed line. */
  private noteRefusal(
    asked: { clientId: string; username: string; address: string },
    gateway: FleetGateway | undefined,
    reason: string,
    hint: string | undefined,
  ): void {
    const { strangers, counters, frames, now } = this.deps
    counters.refused('credentials')
    const identifier = asked.username || asked.clientId
    strangers.note({ identifier, protocol: 'mqtt', address: asked.address, gatewayId: gateway?.id, reason }, now())
    const text = `client id ${asked.clientId.slice(0, 64)}, user ${asked.username.slice(0, 64)}`
    frames.note({
      time: now(),
      gatewayId: gateway?.id,
      projectCode: gateway?.projectCode,
      identifier: identifier.slice(0, 64),
      protocol: 'mqtt',
      address: asked.address,
      direction: 'up',
      kind: 'connect',
      result: reason,
      length: Buffer.byteLength(text),
      body: Buffer.from(text),
      isText: true,
      hint,
    })
  }

  maySubscribe(peer: GatewayPeer, filter: string): boolean {
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
      this.note({ device, gatewayId, deviceSn, direction: 'down', kind: 'command', result: 'sent', payload: Buffer.from(payload) })
    return true
  }

  private note(f: {
    device?: FleetDevice | undefined
    gatewayId: string
    deviceSn: string
    address?: string
    direction: 'up' | 'down'
    kind: string
    result: string
    payload: Buffer
    decoded?: Record<string, unknown> | undefined
    answer?: string
    receivedAt?: number
    hint?: string | undefined
  }): void {
    const { frames, now, fleet } = this.deps
    const identifier = f.deviceSn === '-' ? f.gatewayId : f.deviceSn
    if (!frames.wants(f.device?.id ?? identifier, f.result)) return
    const at = now()
    frames.note({
      time: f.receivedAt ?? at,
      device: f.device,
      gatewayId: f.gatewayId,
      // What comes over a known gateway concerns its project, whoever it claims to be.
      projectCode: fleet.gateway(f.gatewayId)?.projectCode,
      identifier,
      protocol: 'mqtt',
      address: f.address ?? '',
      direction: f.direction,
      kind: f.kind,
      result: f.result,
      length: f.payload.length,
      body: Buffer.from(blanked(f.payload.toString('utf8', 0, 1024))),
      isText: true,
      decoded: f.decoded,
      answer: f.answer,
      hint: f.hint,
      delayMs: f.receivedAt === undefined ? undefined : at - f.receivedAt,
    })
  }

  /** Switched off, or with a new secret: whoever is connected goes at once. */
  private checkAgain(id: string): void {
    const gateway = this.deps.fleet.gateway(id)
    for (const connection of this.connected.get(id) ?? []) {
      const { sealedSecret } = connection.peer as GatewayPeer
      if (!gateway?.enabled || !gateway.sealedSecret.equals(sealedSecret)) connection.close()
    }
  }

  /** Writes who came and went since the last time. */
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
    const [site, version, direction, gatewayId, deviceSn, kind, ...rest] = topic.split('/')
    if (site !== 'site' || version !== 'v1' || direction !== 'up' || gatewayId !== peer.gatewayId || !deviceSn || !kind || rest.length) {
      this.deps.counters.refused('topic')
      const hint = `主题应为 site/v1/up/${peer.gatewayId}/{设备序列号}/{telemetry|event|record|state|reply}，收到 ${topic.slice(0, 200)}`
      this.note({ ...ofTopic(from, peer), kind: 'topic', result: 'topic', payload, hint })
      done(new Error('topic not allowed'))
      return
    }
    if (payload.length > maxPayloadBytes) {
      this.deps.counters.badFrame('mqtt', 'tooLarge')
      this.note({ ...ofTopic(from, peer), kind, result: 'tooLarge', payload })
      done(new Error('payload too large'))
      return
    }
    // Too fast: the answer waits, and with it the reading of this connection. Nobody else waits.
    const wait = peer.bucket.take(this.deps.now())
    if (wait > 0) setTimeout(() => void this.receive(from, gatewayId, deviceSn, kind, payload, done), wait)
    else void this.receive(from, gatewayId, deviceSn, kind, payload, done)
  }

  private async receive(
    from: Connection<Peer>,
    gatewayId: string,
    deviceSn: string,
    kind: string,
    payload: Buffer,
    done: (error?: Error) => void,
  ): Promise<void> {
    const { fleet, counters, strangers, now } = this.deps
    const receivedAt = now()
    try {
      if (deviceSn === '-' || kind === 'reply') return this.aside(from, gatewayId, deviceSn, kind, payload, done)
      const refuse = (reason: string, asked: unknown, device?: FleetDevice) => {
        this.note({
          device,
          gatewayId,
          deviceSn,
          address: from.address,
          direction: 'up',
          kind,
          result: reason,
          payload,
          answer: 'PUBACK',
          receivedAt,
        })
        const { ack, msgId } = (typeof asked === 'object' && asked !== null ? asked : {}) as { ack?: unknown; msgId?: unknown }
        if (ack === true)
          this.send(gatewayId, deviceSn, {
            cmd: 'ack',
            msgId: String(msgId ?? '').slice(0, 64),
            accepted: 0,
            rejected: [{ index: 0, reason }],
          })
        done()
      }
      if (kind !== 'telemetry' && kind !== 'record' && kind !== 'event' && kind !== 'state') {
        counters.refused('kind')
        return refuse('kind', undefined)
      }
      const device = fleet.byKey('mqtt', `${gatewayId}/${deviceSn}`) ?? (await fleet.seekByKey('mqtt', `${gatewayId}/${deviceSn}`))
      if (!device?.inService) {
        const bound = device ? 'notInService' : fleetKnows(fleet, deviceSn) ? 'notBound' : 'unregistered'
        strangers.note(
          {
            identifier: deviceSn,
            protocol: 'mqtt',
            address: from.address,
            gatewayId,
            reason: bound,
            sample: payload.toString('utf8', 0, 512),
            guess: undefined,
          },
          receivedAt,
        )
        counters.refused(bound)
        return refuse(bound, parse(payload), device)
      }
      const body = parse(payload)
      if (kind === 'state') return this.state(from, device, body, payload, receivedAt, done)
      const envelope = body === undefined ? 'json' : readEnvelope(body)
      if (typeof envelope === 'string') {
        counters.badFrame('mqtt', envelope)
        this.deps.log.debug({ gatewayId, deviceSn, reason: envelope, head: payload.subarray(0, 256).toString('hex') }, 'message refused')
        return refuse(envelope, body, device)
      }
      const { work, accepted, rejected } = decodeItems(device, kind as Kind, envelope, receivedAt)
      if (rejected.length) counters.rejected('mqtt', rejected.length)
      const answer = () => {
        if (envelope.wantsAck) this.send(gatewayId, deviceSn, { cmd: 'ack', msgId: envelope.msgId, accepted, rejected })
      }
      const values = work.readings[0] ? { ...work.readings[0].values, ...work.readings[0].unknown } : work.records[0]?.data
      const note = ({ result, hint }: FrameVerdict) =>
        this.note({
          device,
          gatewayId,
          deviceSn,
          address: from.address,
          direction: 'up',
          kind,
          result,
          hint,
          payload,
          decoded: rejected.length
            ? { ...(values ?? work.events[0]?.data), rejected: rejected.slice(0, mostRejectedShown) }
            : (values ?? work.events[0]?.data),
          answer: rejected.length ? `PUBACK, ${rejected.length} rejected` : 'PUBACK',
          receivedAt,
        })
      if (accepted === 0) {
        answer()
        note({ result: rejected[0]?.reason ?? 'empty' })
        return done()
      }
      counters.received('mqtt', accepted)
      this.deps.pipeline.submit({
        ...work,
        done: (error, { duplicated }) => {
          done(error)
          if (error) return
          answer()
          note(verdictOf(device.family, work, rejected, duplicated >= accepted))
        },
      })
    } catch (error) {
      // Only a database that is away gets here: the sender keeps the message and comes again.
      this.deps.log.debug({ err: error }, 'message not taken')
      done(error as Error)
    }
  }

  /** State of the gateway itself, and replies to commands. */
  private aside(
    from: Connection<Peer>,
    gatewayId: string,
    deviceSn: string,
    kind: string,
    payload: Buffer,
    done: (error?: Error) => void,
  ): void {
    const body = parse(payload) as { cmdId?: unknown; online?: unknown } | undefined
    const device = deviceSn === '-' ? undefined : this.deps.fleet.byKey('mqtt', `${gatewayId}/${deviceSn}`)
    const result = body === undefined ? 'json' : kind === 'reply' || kind === 'state' ? 'accepted' : 'kind'
    this.note({ device, gatewayId, deviceSn, address: from.address, direction: 'up', kind, result, payload })
    // Its last will, or its own word.
    if (kind === 'state' && deviceSn === '-' && typeof body?.online === 'boolean')
      this.seen.set(gatewayId, { online: body.online && this.connected.has(gatewayId), ip: from.address, at: this.deps.now() })
    if (kind === 'reply' && typeof body?.cmdId === 'string')
      this.onReply?.(gatewayId, deviceSn, body.cmdId, body as Record<string, unknown>)
    done()
  }

  /** A device's own state: that it goes or comes, its firmware and signal. */
  private state(
    from: Connection<Peer>,
    device: FleetDevice,
    body: unknown,
    payload: Buffer,
    receivedAt: number,
    done: (error?: Error) => void,
  ): void {
    const gatewayId = device.gatewayId ?? ''
    const note = (result: string) =>
      this.note({
        device,
        gatewayId,
        deviceSn: device.sn,
        address: from.address,
        direction: 'up',
        kind: 'state',
        result,
        payload,
        receivedAt,
      })
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      this.deps.counters.badFrame('mqtt', 'format')
      note('format')
      done()
      return
    }
    const given = body as Record<string, unknown>
    if (given.online === false) {
      this.deps.presence.leave(device.id)
      note('accepted')
      done()
      return
    }
    const kept = Object.fromEntries(
      Object.entries(given).filter(
        ([key, value]) =>
          key.length <= 40 &&
          (typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 100)),
      ),
    )
    const event: EventItem = { type: 'state', state: 'start', value: null, time: receivedAt, receivedAt, id: 'state', data: kept }
    this.deps.pipeline.submit({
      device,
      receivedAt,
      readings: [],
      records: [],
      events: Object.keys(kept).length > 1 ? [event] : [],
      done: (error) => {
        done(error)
        if (!error) note('accepted')
      },
    })
  }

  /** Set by whoever sends commands. */
  onReply: ((gatewayId: string, deviceSn: string, cmdId: string, body: Record<string, unknown>) => void) | undefined
}

/** A message that is none of a device's: it stands with its gateway. */
const ofTopic = (from: Connection<Peer>, peer: GatewayPeer) =>
  ({ gatewayId: peer.gatewayId, deviceSn: '-', address: from.address, direction: 'up' }) as const

function fleetKnows(fleet: Fleet, deviceSn: string): boolean {
  for (const device of fleet.all()) if (device.sn === deviceSn) return true
  return false
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'))
  } catch {
    return undefined
  }
}
