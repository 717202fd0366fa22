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
const seconds = 6
const warmMs = 3_000
const barePort = 27_184
/** The share of the reference's rate (measured in the same run) that the product must reach. */
const aim = 0.6

interface Shape {
  devices: number
  /** Readings per message. */
  bundle: number
  inFlight: number
  /** Messages per second of all gateways together; 0: as many as are acknowledged. */
  rate: number
}

/** Messages per second that one gateway may send. */
const perGateway = 20
/**
 * With one device and with a hundred, each gateway sends at its limit, several readings per message; the product must keep up as the
 * reference does. With thousands of devices, one reading per message and no rate limit: the usual case and the hardest.
 */
const shapes: readonly Shape[] = [
  { devices: 1, bundle: 5, inFlight: 10, rate: perGateway },
  { devices: 100, bundle: 5, inFlight: 10, rate: 100 * perGateway },
  { devices: 5_000, bundle: 1, inFlight: 10, rate: 0 },
]
const most = shapes.at(-1) as Shape
/**
 * The rate at which the costs per message are compared, the same for all, and the factor by which the cost may exceed that of few devices
 * and few rules.
 */
const comparedRate = 1_500
const growth = 1.25

interface Run {
  perSecond: number
  /** Processor time per reading in microseconds: of the process, and of the database. */
  cpu: number
  databaseCpu: number
  p99: number
  /** Start and end of the measurement, in microseconds of the monotonic clock. */
  window: [from: number, to: number]
}

/**
 * Measures acknowledged readings per second (QoS 1, all features on) from one device to thousands, with few rules and with thousands,
 * against the reference in the same run. Returns the rate of the product with the most devices.
 */
export async function benchIngest(stand: Stand, profile: boolean): Promise<number> {
  const fleets = new Map<number, LoadGateway[]>()
  for (const { devices } of shapes) fleets.set(devices, await stand.fleet(`in${devices}x`, devices))
  let best = 0
  for (const shape of shapes) {
    const fleet = fleets.get(shape.devices) ?? []
    const bare = await startProcess(join(here, 'bare-broker.ts'), [stand.postgres.url, String(barePort)])
    const limit = await measure(stand, bare.pid ?? 0, barePort, fleet, shape)
    await stopProcess(bare)
    const run = await product(stand, fleet, shape, profile && shape === most)
    const ratio = run.perSecond / limit.perSecond
    const name = `ingest, ${shape.devices} ${shape.devices === 1 ? 'device' : 'devices'}${shape.rate ? ', all they may' : ''}`
    line(name, show(run), `broker+parse+COPY ${show(limit)}`, `${ratio.toFixed(2)} (aim ${aim})`)
    best = run.perSecond
  }
  await compareCosts(stand, fleets.get(100) ?? [], fleets.get(most.devices) ?? [])
  return best
}

/** Checks that the cost of a message does not depend on the number of devices or rules. */
async function compareCosts(stand: Stand, few: LoadGateway[], all: LoadGateway[]): Promise<void> {
  let first: Run | undefined
  for (const [fleet, rules] of [
    [few, 10],
    [all, 10],
    [all, 10_000],
  ] as const) {
    await manyRules(stand, all, rules)
    const run = await product(stand, fleet, { devices: fleet.length, bundle: 1, inFlight: 10, rate: comparedRate }, false)
    first ??= run
    line(
      `${fleet.length} devices, ${rules} more rules`,
      show(run),
      `${few.length} devices, 10 more rules ${first.cpu.toFixed(1)} us (up to ${growth} x)`,
      (run.cpu / first.cpu).toFixed(2),
    )
    await stand.pool.query(`delete from rule_trigger where id like 'bench-%'`)
  }
}

const show = (r: Run) =>
  `${Math.round(r.perSecond)}/s, ${r.cpu.toFixed(1)} + ${r.databaseCpu.toFixed(1)} us CPU and database, p99 ${r.p99.toFixed(0)} ms`

async function product(stand: Stand, fleet: LoadGateway[], shape: Shape, profile: boolean): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'zg-profile-'))
  // To try V8 options: BENCH_NODE_ARGS=--max-semi-space-size=32
  const more = process.env.BENCH_NODE_ARGS?.split(' ') ?? []
  await stand.start('ingest', profile ? [...more, '--cpu-prof', `--cpu-prof-dir=${folder}`] : more)
  const run = await measure(stand, stand.pidOf('ingest'), stand.mqtt.port, fleet, shape)
  await stand.stop('ingest')
  if (profile) showProfile(folder, run.window)
  rmSync(folder, { recursive: true, force: true })
  return run
}

async function measure(stand: Stand, pid: number, port: number, fleet: LoadGateway[], shape: Shape): Promise<Run> {
  const load = await Load.start({
    host: '127.0.0.1',
    port,
    gateways: fleet,
    rate: shape.rate,
    inFlight: shape.inFlight,
    bundle: shape.bundle,
    overloadOneIn: 50,
  })
  await load.connected(fleet.length, 120_000)
  await sleep(warmMs)
  const from = await load.state()
  const [cpu, databaseCpu, begun] = [cpuSeconds(pid), stand.databaseCpu(cpuSeconds), performance.now()]
  const since = machineMicros()
  await sleep(seconds * 1_000)
  const to = await load.state()
  const readings = Math.max(1, to.readings - from.readings)
  const result = {
    perSecond: readings / ((performance.now() - begun) / 1000),
    cpu: ((cpuSeconds(pid) - cpu) / readings) * 1e6,
    databaseCpu: ((stand.databaseCpu(cpuSeconds) - databaseCpu) / readings) * 1e6,
    p99: to.p99,
    window: [since, machineMicros()] satisfies Run['window'],
  }
  await load.stop(5_000)
  return result
}

/** Creates rules of single devices: each device has two of its own, besides the rules for all devices. */
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

const machineMicros = () => Number(process.hrtime.bigint() / 1_000n)

interface Profile {
  startTime: number
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

/** Prints where the process spent its time during the measurement: by part of the program, then by function (self time). */
function showProfile(folder: string, [from, to]: Run['window']): void {
  for (const name of readdirSync(folder)) {
    const profile = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile
    const own = new Map<number, number>()
    let at = profile.startTime
    for (const [i, id] of profile.samples.entries()) {
      at += profile.timeDeltas[i] ?? 0
      if (at >= from && at <= to) own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas[i] ?? 0))
    }
    const parts = new Map<string, number>()
    const places = new Map<string, number>()
    let busy = 0
    const add = (map: Map<string, number>, key: string, us: number) => map.set(key, (map.get(key) ?? 0) + us)
    for (const { id, callFrame } of profile.nodes) {
      const us = own.get(id) ?? 0
      if (us === 0 || callFrame.functionName === '(idle)') continue
      add(parts, partOf(callFrame.url, callFrame.functionName), us)
      add(
        places,
        `${callFrame.functionName || '(anonymous)'} ${callFrame.url.split('/').slice(-3).join('/')}:${callFrame.lineNumber + 1}`,
        us,
      )
      busy += us
    }
    const show = (map: Map<string, number>, count: number) => {
      for (const [key, us] of [...map].sort((a, b) => b[1] - a[1]).slice(0, count))
        console.log(`  ${((us / busy) * 100).toFixed(1).padStart(5)} %  ${key}`)
    }
    show(parts, 12)
    console.log('  of single functions:')
    show(places, 25)
  }
}

function partOf(url: string, name: string): string {
  if (name === '(garbage collector)') return name
  const own = /apps\/server\/src\/(?:domains\/)?([^/]+)/.exec(url)?.[1]
  if (own) return own
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? (url.startsWith('node:') ? 'node' : 'system calls and built-ins')
}
