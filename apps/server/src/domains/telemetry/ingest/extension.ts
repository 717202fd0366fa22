import { type ListeningProtocol, listeningProtocols } from '@zhugong/contract/protocols/catalogue'
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
import type { DialectVerdict, FrameTrial, Pasted } from '../trial.ts'
import type { Warnings } from '../warnings.ts'

/**
 * A part of the ingest that starts and stops independently: a protocol, the rule clock, live push. A new protocol is a folder with one
 * extension, one line in `extensions.ts`, and its entry in the contract's `protocols/catalogue.ts`.
 */
export interface Extension {
  readonly name: string
  /** For protocols: decodes pasted frames and gives samples. */
  readonly trial?: FrameTrial
  /** Tries a pasted frame as each of its formats. */
  readonly dialects?: (pasted: Pasted) => DialectVerdict[]
  /** Loads its data and opens its listeners. The callbacks of the result are called from then on. */
  start(ctx: IngestContext): Promise<Running> | Running
}

/** Services shared by all extensions. */
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
  /** Commands to devices of a protocol; undefined if the protocol has none. */
  downlinkOf(protocol: string): Downlink | undefined
}

/** What a started extension provides. Everything is optional. */
export interface Running {
  /** TCP ports it listens on, by name; 0 = not open. */
  readonly ports?: Partial<IngestPorts>
  /** Sends commands to devices of its protocol. */
  readonly downlink?: Downlink
  /** Paths of the local socket that it handles. */
  readonly calls?: readonly LocalCall[]
  /** Periodic tasks; a task never runs twice at the same time. */
  readonly repeats?: readonly Repeat[]
  /** Called after each commit, in the order of the list. */
  committed?(done: Committed): void
  /** Called when a notification reports a changed row. */
  changed?(change: FleetChange): void
  /** Reloads everything announced by notifications, after a time without the listening connection. */
  catchUp?(): Promise<unknown>
  /** False while it cannot work. */
  isReady?(): boolean
  /** Stops accepting data from devices; data already received is still written and acknowledged. */
  stopTaking?(): Promise<unknown> | undefined
  /** Called after the last commit. */
  stop?(): Promise<unknown> | undefined
}

/** Ports of the protocols that listen, and the WebSocket port for live push; 0 = not open. */
export type IngestPorts = Record<ListeningProtocol | 'mqttWs', number>
export const closedPorts = { ...Object.fromEntries(listeningProtocols.map((key) => [key, 0])), mqttWs: 0 } as IngestPorts

export interface Downlink {
  readonly protocol: FleetDevice['protocol']
  readonly send: SendCommand
  /** Called after a device has carried out a command, to update what the platform stores of its settings. */
  readonly done?: (command: CommandRequest, device: FleetDevice) => Promise<unknown>
}

export interface Repeat {
  readonly ms: number
  /** Name in the log when it fails. */
  readonly name: string
  run(): Promise<unknown> | undefined
}

/** A request forwarded by the api process, with its body read and its size checked. */
export interface LocalRequest {
  method: string
  /** Path and query as received. */
  url: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Client address as seen by the api process. */
  address: string
}

export interface LocalAnswer {
  http: number
  /** Sent as JSON, or as it is with a `contentType` of its own. */
  body: unknown
  contentType?: string | undefined
  /** Seconds. */
  retryAfter?: number | undefined
}

export interface LocalCall {
  /** The exact path, or a prefix if it ends in a slash. */
  readonly path: string
  /** Undefined if the path does not belong to this call after all. */
  answer(request: LocalRequest): Promise<LocalAnswer | undefined>
}

export interface CommandRequest {
  deviceId: string
  cmdId: string
  cmd: string
  params: Record<string, unknown>
  /** Epoch milliseconds after which it must not be executed. */
  expireAt?: number | undefined
  by?: string | undefined
}

export type SendCommand = (command: CommandRequest, device: FleetDevice) => Promise<CommandAnswer>
