import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import { type Connection, ConnectRefused, type Peer, refusals, startBroker } from '#kit/mqtt/broker'
import { createOutgoing } from '#kit/outgoing'
import type { Secrets } from '#kit/secret'
import type { AlarmOp } from '../alarms/public.ts'
import { Sites } from '../clearance/public.ts'
import { Fleet, followFleet, Strangers } from '../equipment/public.ts'
import { Effects, RuleEngine } from '../rules/public.ts'
import { AlarmMessages } from './alarm-messages.ts'
import { Commands } from './commands.ts'
import { Counters } from './counters.ts'
import { dropOldFrames, FrameLog } from './frame-log.ts'
import { GatePush } from './gates/push.ts'
import { Gateways, maxPacketBytes } from './gateways.ts'
import { Guesses } from './guesses.ts'
import { listenHj212 } from './hj212/listener.ts'
import { Stations } from './hj212/stations.ts'
import { listenJt808 } from './jt808/listener.ts'
import { Terminals } from './jt808/terminals.ts'
import { Live, type ViewerPeer } from './live.ts'
import { findViewer, readTicket } from './live-access.ts'
import { Pollers } from './meters/poller.ts'
import { startBridge } from './mqtt-bridge.ts'
import { OpenApi } from './open-api.ts'
import { Origins } from './origins.ts'
import { findWearers } from './personal.ts'
import { type Committed, laneNumber, Pipeline } from './pipeline.ts'
import { Presence } from './presence.ts'
import { DirtyBuckets, dropOldReadings, makePartitions, rollUp, rollUpAll } from './rollup.ts'
import { catchUpLatest } from './store.ts'
import { StoredFiles } from './stored-files.ts'
import { Warnings } from './warnings.ts'
import type { GateRecord, OnGateRecords } from './work.ts'

export interface IngestHooks {
  /** The domain that keeps attendance takes gate records here, in the transaction of the message that brought them. */
  onGateRecords?: (tx: Parameters<OnGateRecords>[0], records: readonly GateRecord[], live: Live) => ReturnType<OnGateRecords>
}

export interface IngestOptions {
  config: Config
  log: Log
  database: Database
  databaseUrl: string
  secrets: Secrets
  /** A connection of one's own, for listening. */
  connect(): Promise<pg.Client>
  hooks: IngestHooks
  now?: () => number
}

export interface Ingest {
  readonly ports: { mqtt: number; mqttWs: number; hj212: number; jt808: number }
  readonly counters: Counters
  readonly live: Live
  /** Answers the api on the local socket. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  stop(): Promise<void>
}

/** Stands for the id of no rule: maintenance and drills are read anew with whatever rules are. */
const asideOnly = ''
const gatePath = '/api/v1/open/gate/'
const everyMs = {
  tick: 1_000,
  presence: 2_000,
  viewers: 2_000,
  flush: 1_000,
  rollup: 60_000,
  reload: 60_000,
  frames: 600_000,
  housekeeping: 3_600_000,
}
/** Items taken in and not yet written: about a second's. With more of them nothing is read, and senders wait. */
const mostPending = { inAll: 20_000, ofThePresent: 30_000 }
/** What may have been waiting for its five-minute value when the process ended. */
const rollUpAfterRestartMs = 15 * 60_000

/** Builds the ingest on a migrated database and opens its listeners. */
export async function createIngest(options: IngestOptions): Promise<Ingest> {
  const { config, log, database, secrets } = options
  const { pool } = database
  const now = options.now ?? Date.now
  const counters = new Counters()
  const fleet = new Fleet(pool)
  const sites = new Sites(pool)
  const engine = new RuleEngine(sites)
  const presence = new Presence()
  const strangers = new Strangers()
  const dirty = new DirtyBuckets()
  await makePartitions(pool)
  await fleet.loadAll()
  await sites.load(fleet.all())
  await catchUpLatest(pool, (id) => fleet.device(id))
  await presence.load(pool, now())
  await engine.load(
    pool,
    (id) => fleet.device(id),
    () => fleet.all(),
  )

  const live = new Live((sessionHash, projectCode) => findViewer(database.kysely, sessionHash, projectCode, now()), counters, now)
  const alarmMessages = new AlarmMessages(pool, live, log)
  const { onGateRecords } = options.hooks
  const pipeline = new Pipeline({
    databaseUrl: options.databaseUrl,
    log,
    engine,
    presence,
    onGateRecords: onGateRecords && ((tx, records) => onGateRecords(tx, records, live)),
    onCommitted: committed,
  })

  function committed(done: Committed): void {
    counters.committed(done.ms, done.items)
    broker.readOn()
    for (const { device, reading } of done.latest) {
      if (!reading) continue
      live.reading(device, reading)
    }
    for (const { device, reading } of done.stored) dirty.note(device.id, reading.time)
    for (const { device, time } of done.cameOnline) live.deviceState(device, true, time)
    tellAlarms(done.alarms)
  }
  function tellAlarms(ops: readonly AlarmOp[]): void {
    if (ops.length) void alarmMessages.send(ops)
  }

  const frames = new FrameLog()
  const files = new StoredFiles(pool, join(config.dataDir, 'files'))
  const terminals = new Terminals(pool)
  const warnings = new Warnings()
  const origins = new Origins(pool)
  await origins.load()
  const guesses = { hj212: new Guesses(), jt808: new Guesses() }
  const gateways = new Gateways({ fleet, strangers, secrets, pipeline, presence, counters, frames, pool, log, now })
  const openApi = new OpenApi({ fleet, strangers, secrets, pipeline, presence, counters, frames, files, pool, now })
  const gates = new GatePush({ pool, fleet, pipeline, counters, frames, files, now })
  await gates.load()
  // Two ways in would be two orders of one device's readings, and rules of access that only one of them keeps.
  const admitGateway: typeof gateways.authenticate = async (asked) => {
    if (config.mqttUrl) throw new ConnectRefused(refusals.notAllowed, 'devices connect to the external broker')
    return gateways.authenticate(asked)
  }
  const isViewer = (peer: Peer): peer is ViewerPeer => peer.kind === 'viewer'
  const broker = await startBroker<Peer>({
    host: config.host,
    // With an external broker no device comes here; browsers do, over WebSocket.
    port: config.mqttUrl ? undefined : config.mqttPort,
    wsPort: config.mqttWsPort,
    log,
    maxPacketBytes,
    authenticate: (asked) =>
      asked.username === 'live' ? live.admit(asked.clientId, readTicket(secrets, asked.password)) : admitGateway(asked),
    onPublish: (from, topic, payload, done) => gateways.onPublish(from, topic, payload, done),
    onBadPacket: (reason) => counters.badFrame('mqtt', reason),
    hasRoom: (isLittle) => pipeline.pending < (isLittle ? mostPending.ofThePresent : mostPending.inAll),
    maySubscribe: (who, filter) => (isViewer(who.peer) ? live.maySubscribe(who, filter) : gateways.maySubscribe(who.peer as never, filter)),
    onConnect: (who) => (isViewer(who.peer) ? live.onConnect(who) : gateways.onConnect(who)),
    onDisconnect: (who: Connection<Peer>) => (isViewer(who.peer) ? live.onDisconnect(who) : gateways.onDisconnect(who)),
  })
  const stations = new Stations(pool, secrets)
  await stations.load()
  const hj212 = await listenHj212({
    host: config.host,
    port: config.hj212Port,
    fleet,
    strangers,
    secrets,
    pipeline,
    counters,
    stations,
    frames,
    guesses: guesses.hj212,
    origins,
    warnings,
    log,
    now,
  })
  const pollers = new Pollers({ pool, outgoing: createOutgoing(config, 'poll'), fleet, pipeline, counters, frames, log, now })
  await pollers.load()
  const jt808 = await listenJt808({
    host: config.host,
    port: config.jt808Port,
    fleet,
    strangers,
    terminals,
    pipeline,
    presence,
    counters,
    frames,
    guesses: guesses.jt808,
    origins,
    warnings,
    files,
    log,
    now,
  })
  const commands = new Commands({
    pool,
    fleet,
    secrets,
    gateways,
    hj212: () => hj212,
    jt808: () => jt808,
    log,
    now,
  })
  live.start()

  const bridge = config.mqttUrl
    ? startBridge({ url: config.mqttUrl, instance: config.dataDir, fleet, strangers, gateways, pipeline, counters, log, now })
    : undefined
  const following = followFleet(fleet, options.connect, log, catchUp)
  /** What is told by notification beside the fleet, read as it stands. */
  async function catchUp(): Promise<void> {
    await Promise.all([sites.load(fleet.all()), stations.load(), gates.load(), pollers.load()])
    for (const id of await engine.outdated(pool)) reloadRules(id)
    reloadRules(asideOnly)
  }
  fleet.onChange((change) => {
    if ((change.table as string) === 'hj212_station')
      void stations.load(change.id).catch((error: unknown) => log.warn({ err: error }, 'station'))
    const table: string = change.table
    if (table === 'gate_push') void gates.load().catch((error: unknown) => log.warn({ err: error }, 'gates'))
    if (table === 'poll_gateway' || table === 'poll_device' || table === 'gateway') void pollers.load()
    if (change.table === 'device') {
      // Another password may hold from now on, or another plate.
      for (const one of Object.values(guesses)) one.forgive(change.id)
      const device = fleet.device(change.id)
      if (device) {
        sites.setDevice(device)
        engine.replan(change.id)
      } else {
        sites.removeDevice(change.id)
        engine.forget(change.id)
        presence.forget(change.id)
        origins.forget(change.id)
      }
    }
    if (change.table === 'rule_trigger') reloadRules(change.id)
    if (change.table === 'alarm') void alarmMessages.handled(change.id, now())
  })
  let changedRules: string[] = []
  let rulesTimer: NodeJS.Timeout | undefined
  function reloadRules(id: string): void {
    changedRules.push(id)
    rulesTimer ??= setTimeout(() => {
      rulesTimer = undefined
      const ids = changedRules
      changedRules = []
      engine
        .reload(pool, ids, (deviceId) => fleet.device(deviceId))
        .then((judge) =>
          Promise.all(
            pipeline.all.map((lane) => {
              const effects = new Effects()
              judge(effects, (device) => laneNumber(device.id, pipeline.all.length) === lane.number)
              return lane.run(effects)
            }),
          ),
        )
        .catch((error: unknown) => {
          log.warn({ err: error }, 'rules not reloaded')
          for (const one of ids) reloadRules(one)
        })
    }, 50)
  }

  const timers: NodeJS.Timeout[] = []
  const repeat = (ms: number, name: string, fn: () => Promise<unknown> | undefined) => {
    let busy = false
    timers.push(
      setInterval(() => {
        if (busy) return
        busy = true
        Promise.resolve()
          .then(fn)
          .catch((error: unknown) => log.warn({ err: error }, name))
          .finally(() => {
            busy = false
          })
      }, ms),
    )
  }
  repeat(everyMs.tick, 'rule clock', () => {
    counters.pending.set(pipeline.pending)
    broker.readOn()
    return Promise.all(
      pipeline.all.map((lane) => {
        // A lane that waits for the database has all its readings still before it.
        if (lane.isStuck) return undefined
        const effects = new Effects()
        if (lane.number === 0) effects.notes.push(...sites.notices(now()))
        engine.tick(now(), effects, (device) => laneNumber(device.id, pipeline.all.length) === lane.number)
        return lane.run(effects)
      }),
    )
  })
  repeat(everyMs.presence, 'presence', async () => {
    const at = now()
    if (!pipeline.isFlowing) return presence.deaf(at)
    const leavers = presence.leavers(fleet.all(), at)
    await Promise.all(
      pipeline.all.map(async (lane) => {
        const mine = leavers.filter((l) => laneNumber(l.device.id, pipeline.all.length) === lane.number)
        const effects = new Effects()
        for (const device of fleet.all()) {
          if (laneNumber(device.id, pipeline.all.length) !== lane.number || !device.inService) continue
          const since = presence.silentSince(device.id)
          if (since !== undefined) engine.silent(device, since, at, effects)
        }
        await lane.run(effects, mine)
        for (const { device } of mine) if (!presence.isOnline(device.id)) live.deviceState(device, false, at)
      }),
    )
  })
  repeat(everyMs.viewers, 'viewers', async () => {
    await live.checkViewers()
    if (live.asksForWearers) live.setWearers(await findWearers(database.kysely))
  })
  repeat(everyMs.flush, 'flush', () =>
    Promise.all([strangers.flush(pool), gateways.flush(), frames.flush(pool), stations.flush(), origins.flush(), warnings.flush(pool)]),
  )
  repeat(everyMs.rollup, 'five-minute values', rollUpDirty)
  // What changed while nobody listened, as between two connections.
  repeat(everyMs.reload, 'settings of access', () => Promise.all([pollers.load(), gates.load(), stations.load(), sites.load(fleet.all())]))
  repeat(everyMs.frames, 'frame log', () => dropOldFrames(pool, now()))
  repeat(everyMs.housekeeping, 'housekeeping', async () => {
    await makePartitions(pool)
    await dropOldReadings(pool, now())
  })
  void rollUpAll(pool, now() - rollUpAfterRestartMs, now()).catch((error: unknown) => log.warn({ err: error }, 'five-minute values'))
  // Who was connected to the process before this one is not connected to this one.
  await pool.query('update gateway set online = false where online')

  async function rollUpDirty(): Promise<void> {
    for (const { from, devices } of dirty.take(now())) {
      const byFamily = Map.groupBy(
        devices.flatMap((id) => fleet.device(id) ?? []),
        (d) => d.family,
      )
      try {
        for (const [family, list] of byFamily)
          await rollUp(
            pool,
            family,
            list.map((d) => d.id),
            from,
          )
      } catch (error) {
        dirty.putBack(from, devices)
        throw error
      }
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === '/readyz') {
      const database = await pool.query('select 1').then(
        () => true,
        () => false,
      )
      const ready = database && pipeline.isFlowing && (bridge?.isConnected ?? true)
      response
        .writeHead(ready ? 200 : 503, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ready, database, pending: pipeline.pending }))
      return
    }
    if (path === '/metrics') {
      response.writeHead(200, { 'content-type': counters.registry.contentType }).end(await counters.registry.metrics())
      return
    }
    const json = (http: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(http, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
    try {
      const body = await readBody(request)
      if (path === '/command' && request.method === 'POST') {
        json(200, await commands.send(JSON.parse(body.toString('utf8')) as Parameters<Commands['send']>[0]))
      } else if (path.startsWith('/api/v1/open/')) {
        const address = String(request.headers['x-forwarded-for'] ?? '')
        const [adapter, key] = path.startsWith(gatePath) ? path.slice(gatePath.length).split('/') : []
        if (adapter && key) {
          const asked = { method: request.method ?? 'POST', url: path, headers: request.headers, body, address }
          const { http, body: said, retryAfter: wait } = await gates.answer(asked, adapter, key)
          json(http, said, wait ? { 'retry-after': String(wait) } : {})
          return
        }
        const { http, retryAfter, ...answer } = await openApi.answer({
          method: request.method ?? 'GET',
          url: request.url ?? '',
          headers: request.headers,
          body,
          address,
        })
        json(http, answer, retryAfter ? { 'retry-after': String(retryAfter) } : {})
      } else response.writeHead(404).end()
    } catch (error) {
      log.error({ err: error, path }, 'local call failed')
      json(503, { status: 4, message: '暂时无法处理，请稍后重试', data: null }, { 'retry-after': '5' })
    }
  }

  return {
    ports: { mqtt: broker.port, mqttWs: broker.wsPort, hj212: hj212.port, jt808: jt808.port },
    counters,
    live,
    handle,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      clearTimeout(rulesTimer)
      live.stop()
      await following.stop()
      pollers.stop()
      const left = bridge?.close()
      // No new messages; what has come is still written and answered.
      await Promise.all([hj212.close(), jt808.close()])
      await pipeline.stop()
      await left
      await broker.close()
      await strangers.flush(pool).catch(() => undefined)
      await gateways.flush().catch(() => undefined)
    },
  }
}

/** The api has measured the body already. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
