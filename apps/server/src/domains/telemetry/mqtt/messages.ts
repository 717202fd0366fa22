import type { Log } from '#kit/log'
import type { Fleet, FleetDevice, Strangers } from '../../equipment/public.ts'
import { type EventItem, markOf, orderedText } from '../../readings/public.ts'
import type { Counters } from '../counters.ts'
import { decodeItems, hintOfShape, type Kind, readEnvelope } from '../envelope.ts'
import type { FrameLog } from '../frame-log.ts'
import { type FrameVerdict, verdictOf } from '../frame-verdict.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Presence } from '../presence.ts'
import { type NotedMessage, noteMessage } from './message-notes.ts'

/** Most rejected items shown in a log entry. */
const mostRejectedShown = 20

export interface MessageDependencies {
  fleet: Fleet
  strangers: Strangers
  pipeline: Pipeline
  presence: Pick<Presence, 'leave'>
  counters: Counters
  frames: FrameLog
  log: Log
  now(): number
}

/** Actions on gateway connections that follow from a message. */
export interface GatewaySide {
  send(gatewayId: string, deviceSn: string, command: Record<string, unknown>): void
  /** The gateway reports that it goes online or offline. */
  said(gatewayId: string, online: boolean, address: string): void
  replied(gatewayId: string, deviceSn: string, cmdId: string, body: Record<string, unknown>): void
}

/** A message of a gateway as received. */
export interface UpMessage {
  gatewayId: string
  deviceSn: string
  kind: string
  address: string
  payload: Buffer
  /** Called once; with an error if the message must be sent again. */
  done(error?: Error): void
}

/** Processes messages of gateways: stores them through the pipeline, delivers command replies, or refuses them with a reason. */
export class Messages {
  private readonly deps: MessageDependencies
  private readonly side: GatewaySide

  constructor(deps: MessageDependencies, side: GatewaySide) {
    this.deps = deps
    this.side = side
  }

  private note(up: UpMessage, more: Omit<NotedMessage, 'gatewayId' | 'deviceSn' | 'address' | 'direction' | 'kind' | 'payload'>): void {
    const { gatewayId, deviceSn, address, kind, payload } = up
    noteMessage(this.deps, { gatewayId, deviceSn, address, direction: 'up', kind, payload, ...more })
  }

  async receive(up: UpMessage): Promise<void> {
    const { gatewayId, deviceSn, kind, payload, done } = up
    const { fleet, counters, now } = this.deps
    const receivedAt = now()
    try {
      if (deviceSn === '-' || kind === 'reply') return this.aside(up)
      if (kind !== 'telemetry' && kind !== 'record' && kind !== 'event' && kind !== 'state') {
        counters.refused('kind')
        return this.refuse(up, 'kind', receivedAt)
      }
      const key = `${gatewayId}/${deviceSn}`
      const device = fleet.byKey('mqtt', key) ?? (await fleet.seekByKey('mqtt', key))
      if (!device?.inService) return this.foreign(up, device, receivedAt)
      const body = parse(payload)
      if (kind === 'state') return this.state({ ...up, gatewayId: device.gatewayId ?? '', deviceSn: device.sn }, device, body, receivedAt)
      const envelope = body === undefined ? 'json' : readEnvelope(body)
      if (typeof envelope === 'string') {
        counters.badFrame('mqtt', envelope)
        this.deps.log.debug({ gatewayId, deviceSn, reason: envelope, head: payload.subarray(0, 256).toString('hex') }, 'message refused')
        return this.refuse(up, envelope, receivedAt, body, device)
      }
      this.items(up, kind, device, envelope, receivedAt)
    } catch (error) {
      // Happens only if the database is unavailable; the gateway keeps the message and sends it again.
      this.deps.log.debug({ err: error }, 'message not taken')
      done(error as Error)
    }
  }

  private items(
    up: UpMessage,
    kind: Kind,
    device: FleetDevice,
    envelope: Exclude<ReturnType<typeof readEnvelope>, string>,
    receivedAt: number,
  ): void {
    const { gatewayId, deviceSn, done } = up
    const { counters } = this.deps
    const { work, accepted, rejected } = decodeItems(device, kind, envelope, receivedAt)
    if (rejected.length) counters.rejected('mqtt', rejected.length)
    const answer = () => {
      if (envelope.wantsAck) this.side.send(gatewayId, deviceSn, { cmd: 'ack', msgId: envelope.msgId, accepted, rejected })
    }
    const values = work.readings[0] ? { ...work.readings[0].values, ...work.readings[0].unknown } : work.records[0]?.data
    const note = ({ result, hint }: FrameVerdict) =>
      this.note(up, {
        device,
        result,
        hint,
        decoded: rejected.length
          ? { ...(values ?? work.events[0]?.data), rejected: rejected.slice(0, mostRejectedShown) }
          : (values ?? work.events[0]?.data),
        answer: rejected.length ? `PUBACK, ${rejected.length} rejected` : 'PUBACK',
        receivedAt,
      })
    if (accepted === 0) {
      answer()
      const hint = kind === 'telemetry' ? hintOfShape(envelope.items) : undefined
      note({ result: rejected[0]?.reason ?? 'empty', ...(hint ? { hint } : {}) })
      done()
      return
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
  }

  /**
   * Refuses a message: sends the reason if the device requested an acknowledgement. The message is acknowledged so that it is not sent
   * again.
   */
  private refuse(up: UpMessage, reason: string, receivedAt: number, requested?: unknown, device?: FleetDevice): void {
    this.note(up, { device, result: reason, answer: 'PUBACK', receivedAt })
    const { ack, msgId } = (typeof requested === 'object' && requested !== null ? requested : {}) as { ack?: unknown; msgId?: unknown }
    if (ack === true)
      this.side.send(up.gatewayId, up.deviceSn, {
        cmd: 'ack',
        msgId: String(msgId ?? '').slice(0, 64),
        accepted: 0,
        rejected: [{ index: 0, reason }],
      })
    up.done()
  }

  /** Refuses a message of a device that is unknown, not bound to this gateway, or not in service. */
  private foreign(up: UpMessage, device: FleetDevice | undefined, receivedAt: number): void {
    const { fleet, strangers, counters } = this.deps
    const { gatewayId, deviceSn, address, payload } = up
    const reason = device ? 'notInService' : fleetKnows(fleet, deviceSn) ? 'notBound' : 'unregistered'
    strangers.note(
      { identifier: deviceSn, protocol: 'mqtt', address, gatewayId, reason, sample: payload.toString('utf8', 0, 512), guess: undefined },
      receivedAt,
    )
    counters.refused(reason)
    this.refuse(up, reason, receivedAt, parse(payload), device)
  }

  /** Handles states of the gateway itself and replies to commands. */
  private aside(up: UpMessage): void {
    const { gatewayId, deviceSn, kind, address, payload, done } = up
    const body = parse(payload) as { cmdId?: unknown; online?: unknown } | undefined
    const device = deviceSn === '-' ? undefined : this.deps.fleet.byKey('mqtt', `${gatewayId}/${deviceSn}`)
    const result = body === undefined ? 'json' : kind === 'reply' || kind === 'state' ? 'accepted' : 'kind'
    this.note(up, { device, result })
    // From a last will or a state message.
    if (kind === 'state' && deviceSn === '-' && typeof body?.online === 'boolean') this.side.said(gatewayId, body.online, address)
    if (kind === 'reply' && typeof body?.cmdId === 'string')
      this.side.replied(gatewayId, deviceSn, body.cmdId, body as Record<string, unknown>)
    done()
  }

  /** Handles a device's own state: online or offline, firmware, signal. */
  private state(up: UpMessage, device: FleetDevice, body: unknown, receivedAt: number): void {
    const { done } = up
    const note = (result: string) => this.note(up, { device, result, receivedAt })
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
    const event: EventItem = {
      type: 'state',
      state: 'start',
      value: null,
      time: receivedAt,
      receivedAt,
      point: '',
      id: `state:${markOf(0, orderedText(kept))}`,
      data: kept,
    }
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
}

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
