import { setTimeout as sleep } from 'node:timers/promises'
import { compareStored, Load } from './load.ts'
import { cpuSeconds, line } from './measure.ts'
import { mean, memoryMb, watchMemory } from './memory.ts'
import type { Stand } from './stand.ts'

const boxes = 5_000
/** Allowed memory above that with all gateways connected and idle: messages in flight and garbage not yet collected. */
const overloadMb = 1_024
/** Growth up to this share counts as none: it is garbage that is collected later. */
const flatShare = 0.1
const normalMs = 1_000

interface SteadyOptions {
  /** Readings per second that the product can take; measured if not given. */
  best?: number
  seconds: number
  overloadSeconds: number
}

/**
 * Runs at half the maximum rate for a while: memory must stay flat. Then at ten times that rate: senders must wait, memory stay bounded,
 * and every acknowledged reading be stored. Then at half again: the delays must return to normal by themselves.
 */
export async function benchSteady(stand: Stand, options: SteadyOptions): Promise<boolean> {
  const fleet = await stand.fleet('steady', boxes)
  await stand.start('ingest')
  const pid = stand.pidOf('ingest')
  const load = await Load.start({ ...stand.mqtt, gateways: fleet, rate: 1, inFlight: 20, bundle: 1, overloadOneIn: 100 })
  await load.connected(boxes, 120_000)
  await sleep(2_000)
  const idle = memoryMb(pid)
  await load.rate(0)
  const best = options.best ?? (await mostOf(load))
  const half = Math.round(best / 2)
  await load.rate(half)
  // Wait until the messages in flight at full rate are acknowledged.
  await calm(load, half, 45_000)

  const watch = watchMemory(pid)
  const from = await load.state()
  const cpu = cpuSeconds(pid)
  await sleep(options.seconds * 1_000)
  const to = await load.state()
  watch.stop()
  const third = Math.floor(watch.samples.length / 3)
  const [early, late] = [mean(watch.samples.slice(third, 2 * third)), mean(watch.samples.slice(2 * third))]
  const isFlat = late <= early * (1 + flatShare)
  line(
    `half rate, ${duration(options.seconds)}`,
    `${Math.round((to.readings - from.readings) / options.seconds)} of ${half}/s, p50 ${to.p50}, p99 ${to.p99} ms`,
    `memory ${Math.round(early)} -> ${Math.round(late)} MB, peak ${watch.peak} (limit +${flatShare * 100} %), ${((cpuSeconds(pid) - cpu) / options.seconds).toFixed(2)} cores`,
    isFlat ? 'flat' : 'GROWS',
  )

  const burst = watchMemory(pid)
  const before = await load.state()
  await load.rate(half * 10)
  await sleep(options.overloadSeconds * 1_000)
  const during = await load.state()
  await load.rate(half)
  const recovered = await calm(load, half, 90_000)
  burst.stop()
  const { state, acknowledged } = await load.stop(30_000)
  const stored = await compareStored(stand.pool, acknowledged)
  const isBounded = burst.peak <= idle + overloadMb
  line(
    `ten times that, ${duration(options.overloadSeconds)}`,
    `offered ${half * 10}/s, sent ${Math.round((during.sent - before.sent) / options.overloadSeconds)}/s, acknowledged ${Math.round((during.acknowledged - before.acknowledged) / options.overloadSeconds)}/s`,
    `memory peak ${burst.peak} MB (limit ${idle + overloadMb}), connections lost ${state.reconnects - before.reconnects}`,
    isBounded ? 'bounded' : 'NOT BOUNDED',
  )
  line(
    'after it',
    `answers in ${normalMs / 1_000} s again after ${recovered.toFixed(1)} s`,
    `acknowledged ${stored.acknowledged}, lost ${stored.lost}, stored twice ${stored.twice} (limit 0, 0); left under way ${state.flying}`,
    stored.lost + stored.twice === 0 && Number.isFinite(recovered) ? 'whole' : 'NOT WHOLE',
  )
  await stand.stop('ingest')
  return isFlat && isBounded && stored.lost + stored.twice === 0 && Number.isFinite(recovered)
}

const duration = (seconds: number) => (seconds >= 120 ? `${Math.round(seconds / 60)} min` : `${seconds} s`)

async function mostOf(load: Load): Promise<number> {
  await sleep(4_000)
  const from = await load.state()
  await sleep(8_000)
  return ((await load.state()).readings - from.readings) / 8
}

/** Waits until messages are acknowledged at the rate at which they are sent, and returns the seconds. */
async function calm(load: Load, rate: number, ms: number): Promise<number> {
  const begun = performance.now()
  await load.state()
  while (performance.now() - begun < ms) {
    await sleep(1_000)
    const { flying, p99 } = await load.state()
    if (flying < rate && p99 > 0 && p99 < normalMs) return (performance.now() - begun) / 1000 - 1
  }
  return Number.POSITIVE_INFINITY
}
