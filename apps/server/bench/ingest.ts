import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Load } from './load.ts'
import type { LoadGateway } from './loader.ts'
import { cpuSeconds, line, startProcess, stopProcess } from './measure.ts'
import type { Stand } from './stand.ts'

const here = dirname(fileURLToPath(import.meta.url))
const seconds = 8
const warmMs = 3_000
const barePort = 27_184
/** What is to be reached of the limit of the same run. */
const aim = 0.6

/**
 * How many devices, and how they speak: a gateway may send twenty messages a second, so the fewer there are the more stands in a message.
 * The last is the usual case and the hardest: a message is one reading.
 */
const shapes = [
  { devices: 1, bundle: 250, inFlight: 10 },
  { devices: 100, bundle: 20, inFlight: 20 },
  { devices: 5_000, bundle: 1, inFlight: 10 },
]

interface Run {
  perSecond: number
  /** Microseconds of processor time a reading: of the process, and of the database for it. */
  cpu: number
  databaseCpu: number
  p99: number
}

/**
 * Acknowledged readings a second, QoS 1, everything on, from one device to thousands, with few rules and with thousands, against broker,
 * parse and COPY alone in the same run. Answers what the product does with the most devices.
 */
export async function benchIngest(stand: Stand, profile: boolean): Promise<number> {
  const fleets = new Map<number, LoadGateway[]>()
  for (const { devices } of shapes) fleets.set(devices, await stand.fleet(`in${devices}x`, devices))
  let best = 0
  let few: Run | undefined
  for (const shape of shapes) {
    const fleet = fleets.get(shape.devices) ?? []
    const bare = await startProcess(join(here, 'bare-broker.ts'), [stand.postgres.url, String(barePort)])
    const limit = await measure(stand, bare.pid ?? 0, barePort, fleet, shape)
    await stopProcess(bare)
    const run = await product(stand, fleet, shape, profile && shape.devices === shapes.at(-1)?.devices)
    tell(`ingest, ${shape.devices} devices, ${shape.bundle} a message`, run, limit)
    best = run.perSecond
    few = run
  }
  const all = fleets.get(shapes.at(-1)?.devices ?? 0) ?? []
  await manyRules(stand, all, 10_000)
  const shape = shapes.at(-1)
  if (!shape || !few) return best
  const begun = performance.now()
  const many = await product(stand, all, shape, false)
  const took = (performance.now() - begun) / 1000
  line(
    'ingest, 10,000 more rules',
    `${show(many)} (${took.toFixed(0)} s with start)`,
    `delivered rules ${show(few)}`,
    `${(many.cpu / few.cpu).toFixed(2)} x CPU`,
  )
  await stand.pool.query(`delete from rule_trigger where id like 'bench-%'`)
  return best
}

const show = (r: Run) =>
  `${Math.round(r.perSecond)}/s, ${r.cpu.toFixed(1)} + ${r.databaseCpu.toFixed(1)} us CPU and database, p99 ${r.p99.toFixed(0)} ms`

function tell(name: string, run: Run, limit: Run): void {
  const ratio = run.perSecond / limit.perSecond
  line(name, show(run), `broker+parse+COPY ${show(limit)}`, `${ratio.toFixed(2)} (aim ${aim})`)
}

async function product(stand: Stand, fleet: LoadGateway[], shape: (typeof shapes)[number], profile: boolean): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'zg-profile-'))
  await stand.start('ingest', profile ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [])
  const run = await measure(stand, stand.pidOf('ingest'), stand.mqtt.port, fleet, shape)
  await stand.stop('ingest')
  if (profile) showProfile(folder)
  rmSync(folder, { recursive: true, force: true })
  return run
}

async function measure(stand: Stand, pid: number, port: number, fleet: LoadGateway[], shape: (typeof shapes)[number]): Promise<Run> {
  const load = await Load.start({
    host: '127.0.0.1',
    port,
    gateways: fleet,
    rate: 0,
    inFlight: shape.inFlight,
    bundle: shape.bundle,
    overloadOneIn: 50,
  })
  await load.connected(fleet.length, 120_000)
  await sleep(warmMs)
  const from = await load.state()
  const [cpu, databaseCpu, begun] = [cpuSeconds(pid), stand.databaseCpu(cpuSeconds), performance.now()]
  await sleep(seconds * 1_000)
  const to = await load.state()
  const readings = Math.max(1, to.readings - from.readings)
  const result = {
    perSecond: readings / ((performance.now() - begun) / 1000),
    cpu: ((cpuSeconds(pid) - cpu) / readings) * 1e6,
    databaseCpu: ((stand.databaseCpu(cpuSeconds) - databaseCpu) / readings) * 1e6,
    p99: to.p99,
  }
  await load.stop(5_000)
  return result
}

/** Rules of single devices: each has two of its own beside those that hold for all. */
async function manyRules(stand: Stand, fleet: readonly LoadGateway[], count: number): Promise<void> {
  const sns = fleet.flatMap((g) => g.devices)
  await stand.pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, levels, schedule, options)
     select 'bench-' || n, '样本 ' || n, 'towerCrane', case when n % 2 = 0 then 'windOver' else 'momentOverload' end,
       jsonb_build_object('kind', 'devices', 'deviceIds', jsonb_build_array(md5(sn))),
       jsonb_build_array(jsonb_build_object('level', 2, 'condition', jsonb_build_object('type', 'threshold',
         'metric', case when n % 2 = 0 then 'windSpeed' else 'momentPercent' end, 'op', '>', 'value', 110), 'forSeconds', 3)), null, '{}'
     from (select n, ($1::text[])[1 + n / 2 % array_length($1::text[], 1)] as sn from generate_series(0, $2::int - 1) n) r`,
    [sns, count],
  )
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

/** Where the time of the process went: functions by their own time. */
function showProfile(folder: string): void {
  for (const name of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile
    const own = new Map<number, number>()
    for (const [i, id] of profile.samples.entries()) own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas[i] ?? 0))
    const byPlace = new Map<string, number>()
    let busy = 0
    for (const { id, callFrame } of profile.nodes) {
      if (callFrame.functionName === '(idle)') continue
      const place = `${callFrame.functionName || '(anonymous)'} ${callFrame.url.split('/').slice(-3).join('/')}:${callFrame.lineNumber + 1}`
      byPlace.set(place, (byPlace.get(place) ?? 0) + (own.get(id) ?? 0))
      busy += own.get(id) ?? 0
    }
    const top = [...byPlace].sort((a, b) => b[1] - a[1]).slice(0, 40)
    for (const [place, us] of top) console.log(`  ${((us / busy) * 100).toFixed(1).padStart(5)} %  ${place}`)
  }
}
