import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from './load.ts'
import { cpuSeconds, line } from './measure.ts'
import type { Stand } from './stand.ts'

const cranes = 30
const perSecond = 5
const seconds = 20
/** Processor time that the ingest may use, in cores. */
const limit = 0.25

/**
 * One site with many cranes whose jibs overlap. Each crane sends five readings per second, and every reading predicts the distances of all
 * its pairs.
 */
export async function benchCranes(stand: Stand): Promise<void> {
  // A grid of six by five cranes, 35 m apart, with jibs of 55 m: each crane overlaps with eight or more others.
  const fleet = await stand.fleet('crane', cranes, 1, (i) => ({
    originX: (i % 6) * 35,
    originY: Math.floor(i / 6) * 35,
    jibLength: 55,
    counterJibLength: 14,
    towerHeight: 40 + (i % 5) * 6,
    towerHeadHeight: 7,
    craneType: '0',
    minRadius: 3,
    maxRadius: 55,
  }))
  await stand.start('ingest')
  const pid = stand.pidOf('ingest')
  const idle = await coresOf(pid, 4)
  const load = await Load.start({ ...stand.mqtt, gateways: fleet, rate: cranes * perSecond, inFlight: 10, bundle: 1, overloadOneIn: 0 })
  await load.connected(cranes)
  await sleep(4_000)
  const from = await load.state()
  const cores = await coresOf(pid, seconds)
  const to = await load.state()
  await load.stop()
  await stand.stop('ingest')
  const { rows } = await stand.pool.query<{ n: number }>(`select count(*)::int as n from alarm where alarm_key like '%ollision%'`)
  line(
    `${cranes} cranes at ${perSecond} Hz, one site`,
    `${cores.toFixed(3)} cores (${idle.toFixed(3)} idle), ${Math.round((to.readings - from.readings) / seconds)}/s, p99 ${to.p99} ms`,
    `limit ${limit} cores; ${rows[0]?.n ?? 0} collision alarms`,
    (cores / limit).toFixed(2),
  )
}

async function coresOf(pid: number, forSeconds: number): Promise<number> {
  const before = cpuSeconds(pid)
  await sleep(forSeconds * 1_000)
  return (cpuSeconds(pid) - before) / forSeconds
}
