import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { Sites } from '../../clearance/public.ts'
import { Fleet, Strangers } from '../../equipment/public.ts'
import { RuleEngine } from '../../rules/public.ts'
import { Counters } from '../counters.ts'
import { FrameLog } from '../frame-log.ts'
import type { Committed } from '../lane.ts'
import { Live } from '../live.ts'
import { findViewer } from '../live-access.ts'
import { Origins } from '../origins.ts'
import { Pipeline } from '../pipeline.ts'
import { Presence } from '../presence.ts'
import { makePartitions } from '../rollup.ts'
import { catchUpLatest } from '../store.ts'
import { StoredFiles } from '../stored-files.ts'
import { Warnings } from '../warnings.ts'
import type { GateRecord, OnGateRecords } from '../work.ts'
import type { IngestContext, Running } from './extension.ts'

export interface IngestHooks {
  /** Stores gate records in the attendance domain, in the transaction of the message that contained them. */
  onGateRecords?: (tx: Parameters<OnGateRecords>[0], records: readonly GateRecord[], live: Live) => ReturnType<OnGateRecords>
}

export interface IngestOptions {
  config: Config
  log: Log
  database: Database
  databaseUrl: string
  secrets: Secrets
  /** Opens a separate connection for LISTEN. */
  connect(): Promise<pg.Client>
  hooks: IngestHooks
  now?: () => number
}

/** Loads devices, sites, rules and presence from the database and creates the pipeline, which notifies every part after a commit. */
export async function openContext(options: IngestOptions, running: readonly Running[]): Promise<IngestContext> {
  const { config, log, database, secrets } = options
  const { pool } = database
  const now = options.now ?? Date.now
  const counters = new Counters()
  const fleet = new Fleet(pool)
  const sites = new Sites(pool)
  const engine = new RuleEngine(sites)
  const presence = new Presence()
  await makePartitions(pool)
  await fleet.loadAll()
  await sites.load(fleet.all())
  await catchUpLatest(pool, (id) => fleet.device(id))
  await presence.load(pool, now(), (id) => fleet.device(id))
  await engine.load(
    pool,
    (id) => fleet.device(id),
    () => fleet.all(),
  )
  const live = new Live((sessionHash, projectCode) => findViewer(database.kysely, sessionHash, projectCode, now()), counters, now)
  const { onGateRecords } = options.hooks
  const pipeline = new Pipeline({
    databaseUrl: options.databaseUrl,
    log,
    engine,
    presence,
    onGateRecords: onGateRecords && ((tx, records) => onGateRecords(tx, records, live)),
    onCommitted(done: Committed) {
      counters.committed(done.ms, done.items)
      for (const part of running) part.committed?.(done)
    },
  })
  return {
    config,
    log,
    database,
    pool,
    secrets,
    counters,
    fleet,
    sites,
    engine,
    presence,
    strangers: new Strangers(),
    pipeline,
    live,
    frames: new FrameLog(),
    files: new StoredFiles(pool, join(config.dataDir, 'files')),
    warnings: new Warnings(),
    origins: new Origins(pool),
    now,
    downlinkOf: (protocol) => running.find((part) => part.downlink?.protocol === protocol)?.downlink,
  }
}
