import type pg from 'pg'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import type { Sites } from '../../clearance/public.ts'
import type { Fleet, FleetChange, FleetDevice, Strangers } from '../../equipment/public.ts'
import type { RuleEngine } from '../../rules/public.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import type { Committed } from '../lane.ts'
import type { Live } from '../live.ts'
import type { CommandAnswer } from '../local.ts'
import type { Origins } from '../origins.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Presence } from '../presence.ts'
import type { StoredFiles } from '../stored-files.ts'
import type { Warnings } from '../warnings.ts'

/**
 * A part of the ingest that starts and stops by itself: a protocol, the clock of the rules, live push. A new protocol is a folder with
 * one extension, and one line in the list of `ingest.ts`.
 */
export interface Extension {
  readonly name: string
  /** Reads what it needs and opens its listeners. What it offers is called from then on. */
  start(ctx: IngestContext): Promise<Running> | Running
}

/** What all extensions share: the way of a reading, who is known, and what is written down beside it. */
export interface IngestContext {
  readonly config: Config
  readonly log: Log
  readonly database: Database
  readonly pool: pg.Pool
  readonly secrets: Secrets
  readonly counters: Counters
  readonly fleet: Fleet
  readonly sites: Sites
  readonly engine: RuleEngine
  readonly presence: Presence
  readonly strangers: Strangers
  readonly pipeline: Pipeline
  readonly live: Live
  readonly frames: FrameLog
  readonly files: StoredFiles
  readonly warnings: Warnings
  readonly origins: Origins
  /** Epoch milliseconds. */
  now(): number
  /** How commands reach devices of a protocol; undefined where they cannot be told anything. */
  sendOver(protocol: string): SendCommand | undefined
}

/** Everything is optional: a part offers what it has. */
export interface Running {
  /** TCP ports it listens on, by name; 0 = not opened. */
  readonly ports?: Partial<IngestPorts>
  /** How commands reach devices that speak its protocol. */
  readonly downlink?: { readonly protocol: FleetDevice['protocol']; readonly send: SendCommand }
  /** Calls of the local socket it answers. */
  readonly calls?: readonly LocalCall[]
  /** What it does again and again; never twice at a time. */
  readonly repeats?: readonly Repeat[]
  /** Readings, records and alarms are on disk: after each commit, in the order of the list. */
  committed?(done: Committed): void
  /** A row that is told by notification has changed. */
  changed?(change: FleetChange): void
  /** Reads again whatever is told by notification: after a time in which nobody listened. */
  catchUp?(): Promise<unknown>
  /** False while it cannot do its work. */
  isReady?(): boolean
  /** Takes nothing new from devices; what has come is still written and answered. */
  stopTaking?(): Promise<unknown> | undefined
  /** After the last commit. */
  stop?(): Promise<unknown> | undefined
}

export interface IngestPorts {
  mqtt: number
  mqttWs: number
  hj212: number
  jt808: number
}

export interface Repeat {
  readonly ms: number
  /** As the log calls it when it fails. */
  readonly name: string
  run(): Promise<unknown> | undefined
}

/** A request the api has passed on, its body measured and read. */
export interface LocalRequest {
  method: string
  /** Path and query as sent. */
  url: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Who stands at the other end of the api. */
  address: string
}

export interface LocalAnswer {
  http: number
  body: unknown
  /** Seconds. */
  retryAfter?: number | undefined
}

export interface LocalCall {
  /** The path, or what it begins with when it ends in a slash. */
  readonly path: string
  /** Undefined = not one of its paths after all. */
  answer(request: LocalRequest): Promise<LocalAnswer | undefined>
}

export interface AskedCommand {
  deviceId: string
  cmdId: string
  cmd: string
  params: Record<string, unknown>
  /** Epoch milliseconds after which it must not be carried out. */
  expireAt?: number | undefined
  by?: string | undefined
}

export type SendCommand = (command: AskedCommand, device: FleetDevice) => Promise<CommandAnswer>
