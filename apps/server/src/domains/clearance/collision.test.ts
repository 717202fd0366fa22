import fc from 'fast-check'
import { expect, test } from 'vitest'
import { careM } from './clearance.ts'
import { type Segment, segmentDistance } from './segments.ts'
import { CraneSite } from './site.ts'

/**
 * Compares whole sites with a simulation written independently from the specification. It moves every crane in steps of 0.02 s and measures
 * every part against every part of every other crane. The site's prediction must not miss an approach that the simulation finds.
 */
const sites = Number(process.env.CLEARANCE_SITES ?? 300)
const seed = 20_261_121
const fineSeconds = 0.02
const coarseSeconds = 0.1

const within = (min: number, max: number) => fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000)
const crane = fc.record({
  x: within(-90, 90),
  y: within(-90, 90),
  base: within(0, 5),
  height: within(30, 45),
  head: within(0, 8),
  jib: within(30, 65),
  counter: within(8, 16),
  luffing: fc.boolean(),
  angle: within(0, 360),
  radius: within(3, 60),
  hook: within(2, 30),
  load: fc.constantFrom(0, 0.29, 0.3, 4),
  /** Revolutions per minute, metres and metres per minute, as devices report them. */
  slew: fc.constantFrom(0, -0.6, -0.3, 0.2, 0.6),
  trolley: fc.constantFrom(0, 0, -40, 60),
  hoist: fc.constantFrom(0, -60, 80),
  /** Age of the reading at the time of the query, in seconds. */
  age: within(0, 14),
})
type Crane = typeof crane extends fc.Arbitrary<infer T> ? T : never

const minRadius = 2
/** The crane's parts this many seconds after its reading. */
function partsOf(c: Crane, seconds: number): { mast: Segment; others: Segment[] } {
  const bearing = ((c.angle + c.slew * 6 * seconds) * Math.PI) / 180
  const [ux, uy] = [Math.sin(bearing), Math.cos(bearing)]
  const r = Math.min(Math.max(c.radius + (c.trolley / 60) * seconds, minRadius), c.jib)
  const jibZ = c.base + c.height
  const reach = c.luffing ? r : c.jib
  const tipZ = c.luffing ? jibZ + Math.sqrt(c.jib ** 2 - r ** 2) : jibZ
  const top = c.luffing ? tipZ : jibZ
  const hang = Math.min(top, c.base + c.hook + (c.hoist / 60) * seconds) - (c.load >= 0.3 ? 3 : 0)
  const line = (ax: number, ay: number, az: number, bx: number, by: number, bz: number): Segment => ({ ax, ay, az, bx, by, bz })
  return {
    mast: line(c.x, c.y, c.base, c.x, c.y, jibZ + c.head),
    others: [
      line(c.x, c.y, jibZ, c.x + reach * ux, c.y + reach * uy, tipZ),
      line(c.x, c.y, jibZ, c.x - c.counter * ux, c.y - c.counter * uy, jibZ),
      line(c.x + r * ux, c.y + r * uy, top, c.x + r * ux, c.y + r * uy, Math.max(c.base, hang)),
    ],
  }
}
function distance(a: ReturnType<typeof partsOf>, b: ReturnType<typeof partsOf>): number {
  let least = Number.POSITIVE_INFINITY
  for (const p of [...a.others, a.mast])
    for (const q of [...b.others, b.mast]) if (p !== a.mast || q !== b.mast) least = Math.min(least, segmentDistance(p, q))
  return least
}
/** Upper bound of the speed of all its points, in m/s. */
const speedOf = (c: Crane) =>
  (Math.abs(c.slew) * 6 * Math.PI * Math.max(c.jib, c.counter)) / 180 + Math.abs(c.trolley / 60) + Math.abs(c.hoist / 60)

test(`no missed approach at the declared horizon: ${sites} random sites (seed ${seed}) against a brute-force simulation`, () => {
  let near = 0
  fc.assert(
    fc.property(fc.array(crane, { minLength: 2, maxLength: 5 }), fc.constantFrom(5, 10), (cranes, horizon) => {
      const site = new CraneSite()
      const at = 1_000_000_000
      for (const [i, c] of cranes.entries()) {
        site.setCrane(`c${i}`, {
          originX: c.x,
          originY: c.y,
          baseElevation: c.base,
          towerHeight: c.height,
          towerHeadHeight: c.head,
          jibLength: c.jib,
          counterJibLength: c.counter,
          craneType: c.luffing ? '1' : '0',
          minRadius,
          maxRadius: c.jib,
        })
        const heard = at - Math.round(c.age * 1000)
        const values = { slewAngle: c.angle, radius: c.radius, hookHeight: c.hook, load: c.load }
        site.take(`c${i}`, heard, { ...values, slewSpeed: c.slew, trolleySpeed: c.trolley, hoistSpeed: c.hoist })
      }
      const [own, ...others] = cranes as [Crane, ...Crane[]]
      const found = site.clearanceAt('c0', at, horizon)
      expect(found?.complete).toBe(true)
      let fine = Number.POSITIVE_INFINITY
      for (let step = 0; step * fineSeconds <= horizon + 1e-9; step++) {
        const seconds = step * fineSeconds
        const ours = partsOf(own, Math.round(own.age * 1000) / 1000 + seconds)
        for (const other of others) fine = Math.min(fine, distance(ours, partsOf(other, Math.round(other.age * 1000) / 1000 + seconds)))
      }
      const said = found?.meters ?? careM
      // The result is never below the actual minimum, and exceeds it by no more than the fastest point moves in half a step.
      expect(said).toBeGreaterThanOrEqual(Math.min(careM, fine) - 1e-6)
      const fastestOther = Math.max(...others.map(speedOf))
      const luffs = cranes.some((c) => c.luffing && c.trolley !== 0)
      const slack = ((speedOf(own) + fastestOther) * coarseSeconds) / 2
      // A steep luffing jib moves its tip faster than its hook: only the declared steps are checked then.
      if (!luffs) expect(said).toBeLessThanOrEqual(Math.min(careM, fine) + slack + 1e-6)
      if (fine < 5) near++
    }),
    { numRuns: sites, seed },
  )
  // Without near approaches, the test would prove nothing.
  expect(near).toBeGreaterThan(sites / 10)
})
