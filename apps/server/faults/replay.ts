import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../bench/load.ts'
import { watchMemory } from '../bench/memory.ts'
import { Stand, until } from '../bench/stand.ts'
import { inWords, isWhole, takeAccount } from './account.ts'
import { report } from './report.ts'

const devices = 1_000
const days = 3
const everyMs = 5 * 60_000
const patienceMs = 300_000
/** Limit of the 99th percentile for a device that sends normally meanwhile. */
const goodP99Ms = 5_000

/** The connection of a district was down for three days: all gateways return at once and send everything. */
export async function replay(firstPort: number): Promise<boolean> {
  const stand = await Stand.open({ firstPort })
  try {
    const readings = (days * 86_400_000) / everyMs
    await stand.pool.query(`select telemetry_make_day((now() at time zone 'UTC')::date - d) from generate_series(0, ${days}) d`)
    const fleet = await stand.fleet('replay', devices)
    const few = await stand.fleet('good', 20)
    await stand.start('ingest')
    const good = await Load.start({ ...stand.mqtt, gateways: few, rate: 20, inFlight: 10, bundle: 1, overloadOneIn: 5 })
    await good.connected(few.length)
    await sleep(2_000)
    const memory = watchMemory(stand.pidOf('ingest'))
    await good.state()
    const begun = performance.now()
    const load = await Load.start({
      ...stand.mqtt,
      gateways: fleet,
      rate: 0,
      inFlight: 10,
      bundle: 100,
      overloadOneIn: 50,
      replay: { readings, everyMs },
    })
    const isDone = await until(async () => (await load.state()).finished === devices, patienceMs)
    const took = (performance.now() - begun) / 1000
    const { p99 } = await good.state()
    memory.stop()
    const account = await takeAccount(stand, load)
    const present = await takeAccount(stand, good)
    return report(
      `${devices} devices replay ${days} days`,
      `${inWords(account)}; all told ${isDone ? `after ${took.toFixed(0)} s` : 'NEVER'} (${patienceMs / 1000}), ${Math.round(account.acknowledged / took)} readings/s, memory peak ${memory.peak} MB; others meanwhile: acknowledged ${present.acknowledged}, lost ${present.lost} (0), p99 ${p99} ms (${goodP99Ms})`,
      isDone && isWhole(account) && present.lost + present.twice === 0 && p99 < goodP99Ms,
    )
  } finally {
    await stand.close()
  }
}
