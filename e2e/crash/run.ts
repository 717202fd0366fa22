import { setTimeout as sleep } from 'node:timers/promises'
import { type LoadMessage, publishers, toldAs } from '@zhugong/simulator/load'
import pg from 'pg'
import { Product } from '../product.ts'

/**
 * `npm run test:crash`: under load, kills the ingest process and the database with -9 at random, 20 times each, then the supervisor.
 * Every acknowledged reading must be stored exactly once, including several readings of one second.
 */
const kills = Number(process.argv[2] ?? 20)
/** Messages per second; half of the gateways' own limit. */
const rate = 180
const inFlight = 8
/** Fraction of messages with the same time as the message before but different values. */
const pairs = 0.2
/** A process not back after this time counts as lost. */
const patienceMs = 60_000

const product = await Product.start()
const { demo } = product
const devices = demo.gateways.flatMap((g) =>
  g.devices.slice(0, 3).map((d) => ({ gatewayId: g.gatewayId, secret: g.secret, deviceSn: d.deviceSn })),
)
const loadFrom = new Date()
const load = publishers({ url: demo.mqttUrl, devices, rate, inFlight, pairs })
await load.ready

const backAfter: Record<'ingest' | 'database', number[]> = { ingest: [], database: [] }
const victims = [
  ...Array.from({ length: kills }, () => 'ingest' as const),
  ...Array.from({ length: kills }, () => 'database' as const),
].sort(() => Math.random() - 0.5)
for (const [i, victim] of victims.entries()) {
  await sleep(400 + Math.random() * 1_600)
  const pidNow = () => (victim === 'ingest' ? product.pidOf('ingest') : product.postmasterPid)
  const pid = pidNow()
  if (!pid) throw new Error(`${victim} is not running before kill ${i + 1}`)
  process.kill(pid, 'SIGKILL')
  const begun = performance.now()
  const patient = () => performance.now() - begun < patienceMs
  // Wait for the new process: an answer on its way when the old one died proves nothing.
  while ([undefined, pid].includes(pidNow()) && patient()) await sleep(20)
  const before = load.acknowledgedCount
  // Recovered means that readings are acknowledged again, not only that a port answers.
  while (load.acknowledgedCount === before && patient()) await sleep(20)
  await product.ready()
  backAfter[victim].push((performance.now() - begun) / 1000)
  process.stdout.write(`\r${i + 1} / ${victims.length} kills, ${load.acknowledgedCount} acknowledged`)
}
await sleep(1_000)
const result = await load.stop(10_000)

process.kill(product.launcherPid, 'SIGKILL')
await sleep(1_500)
const begun = performance.now()
await product.launch()
const restart = (performance.now() - begun) / 1000

const { lost, twice } = await compare(product.databaseUrl, result.acknowledged)
const spread = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  return `median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(1)} s, worst ${sorted.at(-1)?.toFixed(1)} s`
}
console.log(`
sent ${result.sent}, acknowledged ${result.acknowledged.length}, without an answer ${result.unacknowledged.length}
acknowledged and lost: ${lost}
stored twice: ${twice}
ingest killed ${backAfter.ingest.length} times, acknowledging again after ${spread(backAfter.ingest)}
database killed ${backAfter.database.length} times, acknowledging again after ${spread(backAfter.database)}
launcher killed once, ready again ${restart.toFixed(1)} s after the next start`)
await product.remove()
const good = lost === 0 && twice === 0 && result.acknowledged.length > 0
console.log(`${good ? 1 : 0} passed, ${good ? 0 : 1} failed`)
process.exit(good ? 0 : 1)

async function compare(url: string, acknowledged: readonly LoadMessage[]): Promise<{ lost: number; twice: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ sn: string; at: number; told: string; n: number; which: string }>(
    `select d.device_sn as sn, (extract(epoch from t.ts) * 1000)::float8 as at, t.extra ->> '${toldAs}' as told, count(*)::int as n,
       string_agg(t.seq || ' ' || t.received_at, ', ') as which
     from telemetry t join device d on d.id = t.device_id where d.device_sn = any ($1)
       -- What the demonstration brought along as history came from no sender here.
       and t.received_at >= $2 and t.extra ? '${toldAs}' group by 1, 2, 3`,
    [[...new Set(acknowledged.map((m) => m.deviceSn))], loadFrom],
  )
  await client.end()
  for (const { sn, at, which } of rows.filter((r) => r.n > 1)) console.log(`\ntwice: ${sn} ${new Date(at).toISOString()}: ${which}`)
  const stored = new Map(rows.map((r) => [`${r.sn}/${r.at}/${r.told}`, r.n]))
  return {
    lost: acknowledged.filter((m) => !stored.has(`${m.deviceSn}/${m.time}/${m.seq}`)).length,
    twice: rows.filter((r) => r.n > 1).length,
  }
}
