import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LoadDevice, publishers } from '@zhugong/simulator/load'

/** Publishes as fast as the other side acknowledges, for so many seconds, and prints what was acknowledged. */
const [url = '', devicesFile = '', seconds = '10', inFlight = '10'] = process.argv.slice(2)
const devices = JSON.parse(readFileSync(devicesFile, 'utf8')) as LoadDevice[]
const load = publishers({ url, devices, rate: 0, inFlight: Number(inFlight) })
await load.ready
const warm = load.acknowledgedCount
await sleep(2_000)
const before = load.acknowledgedCount
const begun = performance.now()
await sleep(Number(seconds) * 1_000)
const acknowledged = load.acknowledgedCount - before
const perSecond = acknowledged / ((performance.now() - begun) / 1000)
const result = await load.stop(5_000)
console.log(JSON.stringify({ perSecond, acknowledged, warm, total: result.acknowledged.length, latency: result.latency }))
process.exit(0)
