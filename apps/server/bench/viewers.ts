import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '#kit/config'
import { createAdministrator } from '../src/admin.ts'
import { writeTicket } from '../src/domains/telemetry/live-access.ts'
import { Load } from './load.ts'
import type { LoadGateway } from './loader.ts'
import { cpuSeconds, line, startProcess, stopProcess } from './measure.ts'
import { memoryMb } from './memory.ts'
import type { Stand } from './stand.ts'
import type { ViewersAnswer, ViewersOrder } from './viewers-process.ts'

const here = dirname(fileURLToPath(import.meta.url))
const viewers = 1_000
const devices = 10
const seconds = 10
const barePort = 27_185

interface Seen {
  p50: number
  p99: number
  perSecond: number
  cores: number
}

/** A thousand browsers, each with its own session, watch a site of ten machines that send once per second. */
export async function benchViewers(stand: Stand): Promise<void> {
  const fleet = await stand.fleet('viewed', devices)
  const bare = await startProcess(join(here, 'pass-broker.ts'), [String(barePort)])
  const limit = await watch(bare.pid ?? 0, barePort, fleet, {
    url: `tcp://127.0.0.1:${barePort}`,
    filter: 'site/v1/up/#',
    tickets: Array.from({ length: viewers }, () => ''),
  })
  await stopProcess(bare)
  const tickets = await sessions(stand)
  await stand.start('ingest')
  const before = memoryMb(stand.pidOf('ingest'))
  const seen = await watch(stand.pidOf('ingest'), stand.mqtt.port, fleet, {
    url: `ws://127.0.0.1:${stand.ports.MQTT_WS_PORT}`,
    filter: 'live/MEASURED/+/+/telemetry',
    tickets,
  })
  const memory = memoryMb(stand.pidOf('ingest'))
  await stand.stop('ingest')
  const show = (s: Seen) =>
    `${Math.round(s.perSecond)} of ${viewers * devices} msg/s, p50 ${s.p50.toFixed(0)}, p99 ${s.p99.toFixed(0)} ms, ${s.cores.toFixed(2)} cores`
  line(
    `${viewers} viewers of ${devices} devices`,
    `${show(seen)}, ${before} -> ${memory} MB`,
    `bare broker ${show(limit)}`,
    `+${(seen.p99 - limit.p99).toFixed(0)} ms p99`,
  )
}

async function watch(pid: number, port: number, fleet: LoadGateway[], order: ViewersOrder): Promise<Seen> {
  const child = spawn(process.execPath, [join(here, 'viewers-process.ts')], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await ask(child, order)
  const load = await Load.start({ host: '127.0.0.1', port, gateways: fleet, rate: devices, inFlight: 10, bundle: 1, overloadOneIn: 0 })
  await load.connected(fleet.length)
  await sleep(2_000)
  await ask(child, 'count')
  const cpu = cpuSeconds(pid)
  await sleep(seconds * 1_000)
  const seen = await ask(child, 'count')
  const cores = (cpuSeconds(pid) - cpu) / seconds
  await load.stop()
  child.disconnect()
  return { p50: seen.p50, p99: seen.p99, perSecond: seen.count / seconds, cores }
}

function ask(child: ChildProcess, order: ViewersOrder | 'count'): Promise<ViewersAnswer> {
  return new Promise((resolve, reject) => {
    child.once('message', (answer: ViewersAnswer | { error: string }) =>
      'error' in answer ? reject(new Error(answer.error)) : resolve(answer),
    )
    child.send(order)
  })
}

/** Creates sessions of a platform administrator, and the tickets with which their browsers subscribe. */
async function sessions(stand: Stand): Promise<string[]> {
  const config = readConfig('serve', { DATABASE_URL: stand.postgres.url, SECRET_KEY: stand.secretKey, DATA_DIR: stand.dataDir })
  const log = console.log
  console.log = () => undefined
  await createAdministrator(config, ['viewer', 'Looking-On-2026']).finally(() => {
    console.log = log
  })
  const expiresAt = Date.now() + 600_000
  const hashes = Array.from({ length: viewers }, (_, i) => `viewer${i}`)
  await stand.pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
     select h, m.user_id, m.group_id, true, 'web', '127.0.0.1', $2, $2
     from unnest($1::text[]) h, member m join app_user u on u.id = m.user_id where u.account = 'viewer'`,
    [hashes, new Date(expiresAt)],
  )
  return hashes.map((sessionHash) =>
    writeTicket(stand.secrets, { sessionHash, projectCode: '*', expiresAt, clientId: `view:${sessionHash}` }),
  )
}
