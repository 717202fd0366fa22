import { liveAlarm, type liveAlarmMessage, liveDeviceState, liveGatePass, liveTelemetry } from '@zhugong/contract/telemetry/topics'
import type { z } from 'zod'
import type { Rights } from '#kit/context'
import { type Connection, ConnectRefused, encodePublish, type Peer, refusals } from '#kit/mqtt/broker'
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

/** What a viewer may see now, as the database has it. */
export interface ViewerScope extends Onlooker {
  all: boolean
  projects: ReadonlySet<string>
  /** Of codes that do not hold everywhere. */
  bounds: Rights['bounds']
}

export interface ViewerPeer extends Peer {
  kind: 'viewer'
  sessionHash: string
  projectCode: string
  scope: ViewerScope
  expiresAt: number
}

/** Finds what a session sees; undefined when it is over. */
export type FindViewer = (sessionHash: string, projectCode: string) => Promise<ViewerScope | undefined>

export interface LiveTicket {
  /** The connection it is for: the one name under which its bearer may come. */
  clientId: string
  sessionHash: string
  projectCode: string
  expiresAt: number
}

const everyMs = 1_000
/** A machine that speaks once a second does not do so to the millisecond: what comes a little early is not held back for the next. */
const earlyMs = 100
const maxFilters = 200
const familyCode: Record<string, string> = { towerCrane: 'tower-crane.view', environment: 'environment.view' }
const codeOfFamily = (family: string) => familyCode[family] ?? 'device-admin.view'

interface Topic {
  project: string
  /** Whether the scope may read it. */
  allowed(scope: ViewerScope): boolean
}

/** A live topic or filter, taken apart; undefined when it is none of ours. */
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

/** A viewer as he stands in one project; in all of them (`+`) with what holds everywhere. */
const at = (scope: ViewerScope, project: string): ViewerScope =>
  scope.bounds.size === 0 ? scope : { ...scope, codes: codesWithin(scope, project === '+' ? undefined : [project]) }

/** Whether a viewer may hold a subscription. Every project at once is for those who see every project. */
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

/** Windows of one session that are shown live values: each is sent everything once more and may hold megabytes unsent. */
export const mostLines = 10
/** A line that was admitted and never came is forgotten after this. */
const comesWithinMs = 10_000

/**
 * What browsers see as it happens: the newest reading of a device at most once a second, encoded once for all who watch, and alarms as
 * they come. Viewers are looked at again every few seconds, so that a session that ended sees nothing more.
 */
export class Live {
  private readonly viewers = new Set<Connection<Peer>>()
  /** Admitted and not connected yet. */
  private readonly coming = new Set<ViewerPeer>()
  private readonly waiting = new Map<string, Waiting>()
  private readonly find: FindViewer
  private readonly counters: Counters
  private readonly now: () => number
  /** The companies of those who wear devices, by device; looked up only while somebody watches who may not see all of them. */
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
   * A name that is taken ends the connection that had it (MQTT 3.1.1, 3.1.4): a viewer comes under his ticket's own or not at all. Two
   * windows with the same ticket add something behind it.
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
      sessionHash: ticket.sessionHash,
      projectCode: ticket.projectCode,
      scope,
      expiresAt: ticket.expiresAt,
    }
    this.coming.add(peer)
    setTimeout(() => this.coming.delete(peer), comesWithinMs).unref()
    return peer
  }

  /** Of a session, without one that is about to be replaced under its own name. */
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

  /** Whether somebody watches for whom it matters whose people wear what. */
  get asksForWearers(): boolean {
    return [...this.viewers].some((viewer) => (viewer.peer as ViewerPeer).scope.limited.size > 0)
  }
  setWearers(wearers: ReadonlyMap<string, string>): void {
    this.wearers = wearers
  }

  /** Sends to whoever watches a topic. Encoded once for all who see the same; `message` makes what is left without the keys `hidden` from them. */
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
    // That there is an alarm is everybody's to know; how high a heart beats is not.
    const isHealth = tellsHealth(message.family, message.alarmKey)
    const told = (who: Onlooker) =>
      isStranger(who, worn, this.wearers.get(worn.id)) || (isHealth && !who.codes.has('helmet.health')) ? ['value'] : []
    this.publish(
      liveAlarm.of({ projectCode }),
      (hidden) => (hidden.length ? { ...message, value: null, text: message.event === 'clear' ? message.text : message.label } : message),
      isPersonal(message.family) ? told : undefined,
    )
  }

  deviceState(device: FleetDevice, online: boolean, time: number): void {
    this.publish(liveDeviceState.of({ projectCode: device.projectCode }), () => ({ deviceId: device.id, online, time }))
  }

  gatePass(projectCode: string, message: z.infer<typeof liveGatePass.schema>): void {
    this.publish(liveGatePass.of({ projectCode }), () => message)
  }

  /** Looks at every viewer again. A session that ended is cut; a scope that shrank takes its subscriptions along. */
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
          // A subscription cannot be taken back in MQTT 3: the browser connects again and is refused there.
          viewer.close()
          break
        }
      }
    } finally {
      this.checking = false
    }
  }
}
