import { liveAlarm, type liveAlarmMessage, liveDeviceState, liveGatePass, liveTelemetry } from '@zhugong/contract/telemetry/topics'
import type { z } from 'zod'
import type { Rights } from '#kit/context'
import { type Connection, ConnectRefused, encodePublish, type Peer, refusals } from '#kit/mqtt/broker'
import { pick } from '#kit/pick'
import { codesWithin } from '#kit/reach'
import type { FleetDevice } from '../equipment/public.ts'
import {
  flags,
  hiddenKeys,
  isPersonal,
  isStranger,
  isVeiled,
  type Onlooker,
  type Reading,
  tellsHealth,
  type Worn,
  withoutKeys,
} from '../readings/public.ts'
import type { Counters } from './counters.ts'

/** What a viewer may see now, according to the database. */
export interface ViewerScope extends Onlooker {
  all: boolean
  projects: ReadonlySet<string>
  /** Project limits of permission codes that do not apply everywhere. */
  bounds: Rights['bounds']
}

export interface ViewerPeer extends Peer {
  kind: 'viewer'
  sessionHash: string
  projectCode: string
  scope: ViewerScope
  expiresAt: number
}

/** Looks up the permissions of a session; undefined if it has ended. */
export type FindViewer = (sessionHash: string, projectCode: string) => Promise<ViewerScope | undefined>

export interface LiveTicket {
  /** The client id that the connection must use. */
  clientId: string
  sessionHash: string
  projectCode: string
  expiresAt: number
}

const everyMs = 1_000
/** A device that reports once a second does not do so to the millisecond; a reading up to this much early is sent at once. */
const earlyMs = 100
const maxFilters = 200
const familyCode: Record<string, string> = { towerCrane: 'tower-crane.view', environment: 'environment.view' }
const codeOfFamily = (family: string) => familyCode[family] ?? 'device-admin.view'

interface Topic {
  project: string
  /** Whether a viewer with this scope may subscribe to it. */
  allowed(scope: ViewerScope): boolean
}

/** Parses a live topic or filter; undefined if it is not a live topic. */
export function topicOf(filter: string): Topic | undefined {
  const names = liveTelemetry.match(filter)
  if (names) {
    return {
      project: names.projectCode,
      allowed: (scope) =>
        names.family === '+'
          ? scope.codes.has('device-admin.view') || Object.values(familyCode).some((code) => scope.codes.has(code))
          : scope.codes.has(codeOfFamily(names.family)) || scope.codes.has('device-admin.view'),
    }
  }
  const alarm = liveAlarm.match(filter)
  if (alarm) return { project: alarm.projectCode, allowed: (scope) => scope.codes.has('alarm.view') }
  const device = liveDeviceState.match(filter)
  if (device)
    return {
      project: device.projectCode,
      allowed: (scope) =>
        scope.codes.has('device-admin.view') || scope.codes.has('tower-crane.view') || scope.codes.has('environment.view'),
    }
  const gate = liveGatePass.match(filter)
  if (gate)
    return { project: gate.projectCode, allowed: (scope) => scope.codes.has('attendance.view') && !scope.limited.has(gate.projectCode) }
  return undefined
}

/** The viewer's permissions in one project; for `+`, only the codes that apply everywhere. */
const at = (scope: ViewerScope, project: string): ViewerScope =>
  scope.bounds.size === 0 ? scope : { ...scope, codes: codesWithin(scope, project === '+' ? undefined : [project]) }

/** Whether a viewer may subscribe to the filter. Only viewers who see every project may subscribe to all projects at once. */
export function mayWatch(scope: ViewerScope, filter: string): boolean {
  const topic = topicOf(filter)
  if (!topic || topic.project === '#') return false
  if (topic.project === '+' ? !scope.all : !scope.all && !scope.projects.has(topic.project)) return false
  return topic.allowed(at(scope, topic.project))
}

function matches(filter: string, topic: string): boolean {
  if (filter === topic) return true
  const wanted = filter.split('/')
  const given = topic.split('/')
  return wanted.length === given.length && wanted.every((part, i) => part === '+' || part === given[i])
}

interface Waiting {
  sentAt: number
  next: { device: FleetDevice; reading: Reading } | undefined
}

/** Live connections per session. Each receives a full copy of the data and may have megabytes unsent. */
export const mostLines = 10
/** An admitted connection that does not connect within this time is forgotten. */
const comesWithinMs = 10_000

/**
 * Pushes data to browsers: the latest reading of a device at most once a second, encoded once for all viewers, and alarms immediately.
 * Viewers are checked periodically, so that an ended session receives nothing more.
 */
export class Live {
  private readonly viewers = new Set<Connection<Peer>>()
  /** Admitted connections that are not connected yet. */
  private readonly coming = new Set<ViewerPeer>()
  private readonly waiting = new Map<string, Waiting>()
  private readonly find: FindViewer
  private readonly counters: Counters
  private readonly now: () => number
  /** Company of the wearer, by device; loaded only while a viewer with limited visibility is connected. */
  private wearers: ReadonlyMap<string, string> = new Map()
  private timer: NodeJS.Timeout | undefined
  private checking = false

  constructor(find: FindViewer, counters: Counters, now: () => number) {
    this.find = find
    this.counters = counters
    this.now = now
  }

  start(): void {
    this.timer = setInterval(() => this.flush(), 100)
  }
  stop(): void {
    clearInterval(this.timer)
  }

  /**
   * Checks a live token and returns the viewer.
   * A client id already in use ends the connection that used it (MQTT 3.1.1, 3.1.4). Therefore a viewer must use the id in its token; two
   * windows with the same token append a suffix.
   * @throws ConnectRefused for an invalid token, a wrong client id, an ended session or too many connections.
   */
  async admit(clientId: string, ticket: LiveTicket | undefined): Promise<ViewerPeer> {
    if (!ticket || ticket.expiresAt < this.now()) throw new ConnectRefused(refusals.wrongPassword, 'live token not valid')
    if (clientId !== ticket.clientId && !clientId.startsWith(`${ticket.clientId}:`))
      throw new ConnectRefused(refusals.notAllowed, 'wrong client id')
    const scope = await this.find(ticket.sessionHash, ticket.projectCode)
    if (!scope) throw new ConnectRefused(refusals.notAllowed, 'session over')
    if (this.linesOf(ticket.sessionHash, clientId) >= mostLines)
      throw new ConnectRefused(refusals.unavailable, `more than ${mostLines} live lines of one session`)
    const peer: ViewerPeer = {
      kind: 'viewer',
      ...pick(ticket, 'sessionHash', 'projectCode', 'expiresAt'),
      scope,
    }
    this.coming.add(peer)
    setTimeout(() => this.coming.delete(peer), comesWithinMs).unref()
    return peer
  }

  /** Number of live connections of a session, without the one that is about to be replaced under its own client id. */
  private linesOf(sessionHash: string, but: string): number {
    let lines = 0
    for (const { clientId, peer } of this.viewers) if (clientId !== but && (peer as ViewerPeer).sessionHash === sessionHash) lines++
    for (const peer of this.coming) if (peer.sessionHash === sessionHash) lines++
    return lines
  }

  maySubscribe(viewer: Connection<Peer>, filter: string): boolean {
    return viewer.filters.size < maxFilters && mayWatch((viewer.peer as ViewerPeer).scope, filter)
  }
  onConnect(viewer: Connection<Peer>): void {
    this.coming.delete(viewer.peer as ViewerPeer)
    this.viewers.add(viewer)
  }
  onDisconnect(viewer: Connection<Peer>): void {
    this.viewers.delete(viewer)
  }
  get size(): number {
    return this.viewers.size
  }

  /** Whether a connected viewer may see the data of some companies' wearers only. */
  get asksForWearers(): boolean {
    return [...this.viewers].some((viewer) => (viewer.peer as ViewerPeer).scope.limited.size > 0)
  }
  setWearers(wearers: ReadonlyMap<string, string>): void {
    this.wearers = wearers
  }

  /**
   * Sends a message to the subscribers of a topic. It is encoded once per set of hidden keys; `message` returns the payload without the
   * keys in `hidden`.
   */
  private publish(topic: string, message: (hidden: readonly string[]) => unknown, hidden?: (who: Onlooker) => readonly string[]): void {
    const packets = new Map<string, Buffer>()
    for (const viewer of this.viewers) {
      if (viewer.filters.size === 0) continue
      let watches = false
      for (const filter of viewer.filters) {
        if (!matches(filter, topic)) continue
        watches = true
        break
      }
      if (!watches || !mayWatch((viewer.peer as ViewerPeer).scope, topic)) continue
      const keys = hidden?.(at((viewer.peer as ViewerPeer).scope, topicOf(topic)?.project ?? '+')) ?? []
      const form = keys.join()
      const packet = packets.get(form) ?? encodePublish(topic, JSON.stringify(message(keys)))
      packets.set(form, packet)
      viewer.send(packet)
      this.counters.live.inc()
    }
  }

  reading(device: FleetDevice, reading: Reading): void {
    if (reading.flag === flags.late || this.viewers.size === 0) return
    const now = this.now()
    let entry = this.waiting.get(device.id)
    if (!entry) {
      entry = { sentAt: 0, next: undefined }
      this.waiting.set(device.id, entry)
    }
    if (entry.next && entry.next.reading.time > reading.time) return
    entry.next = { device, reading }
    if (now - entry.sentAt >= everyMs - earlyMs) this.send(entry, now)
  }

  private flush(): void {
    const now = this.now()
    for (const [id, entry] of this.waiting) {
      if (entry.next && now - entry.sentAt >= everyMs) this.send(entry, now)
      else if (!entry.next && now - entry.sentAt > 60_000) this.waiting.delete(id)
    }
  }

  private send(entry: Waiting, now: number): void {
    if (!entry.next) return
    const { device, reading } = entry.next
    entry.next = undefined
    entry.sentAt = now
    const family = device.family.key
    const values = { ...reading.standing, ...reading.values, ...(reading.unknown ?? {}) }
    const worn: Worn = { id: device.id, family, projectCode: device.projectCode }
    this.publish(
      liveTelemetry.of({ projectCode: device.projectCode, family, deviceId: device.id }),
      (hidden) => ({
        d: device.id,
        t: reading.time,
        r: reading.receivedAt,
        v: withoutKeys(family, values, hidden),
        q:
          reading.quality || reading.flag === flags.clockAhead
            ? { ...(reading.quality ?? {}), ...(reading.flag === flags.clockAhead ? { time: 'clockSkew' } : {}) }
            : undefined,
      }),
      isVeiled(family) ? (who) => hiddenKeys(who, worn, this.wearers.get(device.id), 'now') : undefined,
    )
  }

  alarm(projectCode: string, message: z.infer<typeof liveAlarmMessage>): void {
    const worn: Worn = { id: message.deviceId, family: message.family, projectCode }
    // All viewers may see that there is an alarm; the health value needs a permission.
    const isHealth = tellsHealth(message.family, message.alarmKey)
    const reported = (who: Onlooker) =>
      isStranger(who, worn, this.wearers.get(worn.id)) || (isHealth && !who.codes.has('helmet.health')) ? ['value'] : []
    this.publish(
      liveAlarm.of({ projectCode }),
      (hidden) => (hidden.length ? { ...message, value: null, text: message.event === 'clear' ? message.text : message.label } : message),
      isPersonal(message.family) ? reported : undefined,
    )
  }

  deviceState(device: FleetDevice, online: boolean, time: number): void {
    this.publish(liveDeviceState.of({ projectCode: device.projectCode }), () => ({ deviceId: device.id, online, time }))
  }

  gatePass(projectCode: string, message: z.infer<typeof liveGatePass.schema>): void {
    this.publish(liveGatePass.of({ projectCode }), () => message)
  }

  /** Reloads the permissions of every viewer. Closes connections of ended sessions and of viewers who may no longer see a subscription. */
  async checkViewers(): Promise<void> {
    if (this.checking) return
    this.checking = true
    try {
      const known = new Map<string, Promise<ViewerScope | undefined>>()
      for (const viewer of [...this.viewers]) {
        const peer = viewer.peer as ViewerPeer
        const key = `${peer.sessionHash}|${peer.projectCode}`
        const found = known.get(key) ?? this.find(peer.sessionHash, peer.projectCode)
        known.set(key, found)
        const scope = await found
        if (!scope) {
          viewer.close()
          continue
        }
        peer.scope = scope
        for (const filter of viewer.filters) {
          if (mayWatch(scope, filter)) continue
          // MQTT 3 cannot revoke a subscription: the client reconnects and its subscription is refused.
          viewer.close()
          break
        }
      }
    } finally {
      this.checking = false
    }
  }
}
