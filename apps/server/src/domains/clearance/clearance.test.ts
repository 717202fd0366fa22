import fc from 'fast-check'
import { expect, test } from 'vitest'
import { careM, distanceAfter, isPair, leastAhead, stepSeconds } from './clearance.ts'
import type { CraneShape } from './crane.ts'
import { isInside, type Point, planDistance, type Segment, segmentDistance } from './segments.ts'
import { CraneSite, shapeFrom, turn } from './site.ts'

// In millimetres, as machines are surveyed; results must be exact to a millimetre.
const coordinate = fc.integer({ min: -60_000, max: 60_000 }).map((mm) => mm / 1000)
const exactM = 0.001
const segment = fc.record({ ax: coordinate, ay: coordinate, az: coordinate, bx: coordinate, by: coordinate, bz: coordinate })

/** Brute force: the closest of many sample points of both segments. */
function sampled(p: Segment, q: Segment, n = 120): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i <= n; i++) {
    const x = p.ax + ((p.bx - p.ax) * i) / n
    const y = p.ay + ((p.by - p.ay) * i) / n
    const z = p.az + ((p.bz - p.az) * i) / n
    const ux = q.bx - q.ax
    const uy = q.by - q.ay
    const uz = q.bz - q.az
    const l = ux * ux + uy * uy + uz * uz
    const t = l === 0 ? 0 : Math.min(1, Math.max(0, ((x - q.ax) * ux + (y - q.ay) * uy + (z - q.az) * uz) / l))
    least = Math.min(least, Math.hypot(x - q.ax - t * ux, y - q.ay - t * uy, z - q.az - t * uz))
  }
  return least
}

test('the distance of two pieces is the least over their points', () => {
  fc.assert(
    fc.property(segment, segment, (p, q) => {
      const exact = segmentDistance(p, q)
      const rough = sampled(p, q)
      const grain = Math.hypot(p.bx - p.ax, p.by - p.ay, p.bz - p.az) / 120
      expect(exact).toBeLessThanOrEqual(rough + exactM)
      expect(exact).toBeGreaterThanOrEqual(rough - grain - exactM)
      expect(Math.abs(segmentDistance(q, p) - exact)).toBeLessThan(exactM)
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['crossing', [0, 0, 0, 10, 0, 0], [5, -5, 0, 5, 5, 0], 0],
  ['one above the other', [0, 0, 0, 10, 0, 0], [5, -5, 3, 5, 5, 3], 3],
  ['parallel', [0, 0, 0, 10, 0, 0], [0, 4, 0, 10, 4, 0], 4],
  ['end to end', [0, 0, 0, 1, 0, 0], [4, 0, 0, 9, 0, 0], 3],
  ['points', [1, 1, 1, 1, 1, 1], [1, 1, 3, 1, 1, 3], 2],
  ['a point beside a piece', [5, 2, 0, 5, 2, 0], [0, 0, 0, 10, 0, 0], 2],
])('pieces %s', (_name, a, b, expected) => {
  const piece = ([ax, ay, az, bx, by, bz]: number[]) => ({ ax, ay, az, bx, by, bz }) as Segment
  expect(segmentDistance(piece(a), piece(b))).toBeCloseTo(expected, 9)
})

const thousandths = (min: number, max: number) => fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000)
const shapeOf = fc.record({
  x: thousandths(-50, 50),
  y: thousandths(-50, 50),
  jibZ: thousandths(30, 60),
  jibLength: thousandths(20, 70),
  counterJibLength: thousandths(5, 20),
  luffing: fc.boolean(),
})
const poseOf = fc.record({
  angle: thousandths(0, 360),
  radius: thousandths(2, 70),
  hookZ: thousandths(0, 60),
  loaded: fc.boolean(),
  slew: thousandths(-4, 4),
  trolley: fc.oneof(fc.constant(0), thousandths(-1.5, 1.5)),
  hoist: thousandths(-2, 2),
})
const craneFrom = (
  id: string,
  s: { x: number; y: number; jibZ: number; jibLength: number; counterJibLength: number; luffing: boolean },
): CraneShape => ({
  id,
  baseZ: 0,
  headZ: s.jibZ + 8,
  minRadius: 2,
  maxRadius: s.jibLength,
  ...s,
})

test('no approach is missed at the declared horizon: looking ahead in leaps finds what every step finds, over 1500 random pairs', () => {
  fc.assert(
    fc.property(shapeOf, poseOf, shapeOf, poseOf, fc.constantFrom(5, 10), (sa, pa, sb, pb, seconds) => {
      const a = craneFrom('a', sa)
      const b = craneFrom('b', sb)
      let brute = careM
      for (let step = 0; step <= Math.round(seconds / stepSeconds); step++)
        brute = Math.min(brute, distanceAfter(a, pa, b, pb, step * stepSeconds))
      expect(leastAhead(a, pa, b, pb, seconds)).toBeCloseTo(brute, 9)
    }),
    { numRuns: 1_500 },
  )
})

test('cranes farther apart than their reach and five metres are no pair', () => {
  const at = (id: string, x: number) => craneFrom(id, { x, y: 0, jibZ: 40, jibLength: 50, counterJibLength: 12, luffing: false })
  expect(isPair(at('a', 0), at('b', 105))).toBe(true)
  expect(isPair(at('a', 0), at('b', 105.1))).toBe(false)
})

const params = (x: number, y: number, height: number) => ({
  originX: x,
  originY: y,
  jibLength: 50,
  counterJibLength: 12,
  towerHeight: height,
  minRadius: 2,
  maxRadius: 50,
})
const reading = (angle: number, more: object = {}) => ({ slewAngle: angle, radius: 20, hookHeight: 30, load: 0, ...more })

function site(...cranes: [id: string, x: number, y: number, height: number][]): CraneSite {
  const made = new CraneSite()
  for (const [id, x, y, height] of cranes) made.setCrane(id, params(x, y, height))
  return made
}

test('two jibs that swing towards each other are seen before they meet', () => {
  const s = site(['a', 0, 0, 40], ['b', 80, 0, 40.5])
  s.take('a', 1_000, reading(30, { slewSpeed: 0.5 }))
  s.take('b', 1_000, reading(330, { slewSpeed: -0.5 }))
  const now = s.clearanceAt('a', 1_000, 0)
  const ahead = s.clearanceAt('a', 1_000, 10)
  expect(now?.meters).toBeGreaterThan(10)
  expect(ahead?.meters).toBeLessThan(2)
  expect(ahead?.complete).toBe(true)
})

test('angle wrap at 0/360: 359 to 1 is two degrees, and speed by difference follows the shorter way', () => {
  expect(turn(359, 1)).toBe(2)
  expect(turn(1, 359)).toBe(-2)
  expect(turn(0, 180)).toBe(180)
  expect(turn(10, 370)).toBe(0)
  const s = site(['a', 0, 0, 40], ['b', 60, 0, 40.5])
  // Turning five degrees per second clockwise through north, the jib points east, at the neighbour, in six seconds.
  s.take('b', 9_000, reading(270))
  s.take('a', 9_000, reading(355))
  s.take('a', 10_000, reading(0))
  s.take('b', 10_000, reading(270))
  expect(s.clearanceAt('a', 10_000, 1)?.meters).toBeGreaterThan(8)
  expect(s.clearanceAt('a', 10_000, 18)?.meters).toBeLessThan(1)
})

test('a member older than 15 s makes being clear unknown, yet a near one still counts', () => {
  const s = site(['a', 0, 0, 40], ['b', 60, 0, 40.5], ['c', 0, 60, 55])
  s.take('a', 100_000, reading(90))
  s.take('b', 100_000, reading(270))
  s.take('c', 80_000, reading(180))
  expect(s.clearanceAt('a', 100_000, 5)).toMatchObject({ complete: false, meters: expect.closeTo(0, 5) })
  s.take('c', 99_000, reading(0))
  expect(s.clearanceAt('a', 100_000, 5)?.complete).toBe(true)
})

test('of a silent member stays how near it was when it was heard last', () => {
  const s = site(['a', 0, 0, 40], ['b', 60, 0, 40.5], ['c', 0, 60, 55])
  const ask = (at: number) => s.clearanceAt('a', at, 5)
  s.take('a', 100_000, reading(90))
  s.take('b', 100_000, reading(270))
  s.take('c', 100_000, reading(0))
  expect(ask(100_000)).toMatchObject({ complete: true, unheard: careM, meters: expect.closeTo(0, 5) })
  // The third crane stops reporting while far away: the earlier distance of the other two is not attributed to it.
  for (const at of [110_000, 120_000]) {
    s.take('a', at, reading(180))
    s.take('b', at, reading(90))
  }
  expect(ask(120_000)).toMatchObject({ complete: false, unheard: careM, meters: careM })
  // The other crane stops reporting while near: missing data is not a recovery.
  s.take('a', 130_000, reading(90))
  s.take('b', 130_000, reading(270))
  expect(ask(130_000)?.meters).toBeCloseTo(0, 5)
  s.take('a', 150_000, reading(180))
  expect(ask(150_000)).toMatchObject({ complete: false, meters: careM, unheard: expect.closeTo(0, 5) })
})

test('after a restart a member that is not heard counts where it stood last', () => {
  const s = site(['a', 0, 0, 40], ['b', 60, 0, 40.5], ['c', 0, 60, 55])
  s.take('b', 10_000, reading(270))
  s.take('c', 10_000, reading(0))
  s.take('a', 100_000, reading(90))
  expect(s.clearanceAt('a', 100_000, 5)).toMatchObject({ complete: false, meters: careM, unheard: expect.closeTo(0, 5) })
  const far = site(['a', 0, 0, 40], ['b', 60, 0, 40.5])
  far.take('b', 10_000, reading(90))
  far.take('a', 100_000, reading(180))
  expect(far.clearanceAt('a', 100_000, 5)).toMatchObject({ complete: false, unheard: careM })
})

test('a crane that is not known, or without the parameters geometry needs, answers nothing', () => {
  const s = site(['a', 0, 0, 40])
  expect(s.clearanceAt('a', 1_000, 5)).toBeUndefined()
  expect(s.clearanceAt('x', 1_000, 5)).toBeUndefined()
  expect(shapeFrom('a', { jibLength: 50, towerHeight: 40 })).toBeUndefined()
  s.take('a', 1_000, reading(0))
  expect(s.clearanceAt('a', 1_000, 5)).toMatchObject({ meters: careM, complete: true })
  expect(s.clearanceAt('a', 17_000, 5)).toBeUndefined()
})

test('a reading that is not newer changes nothing', () => {
  const s = site(['a', 0, 0, 40], ['b', 60, 0, 40.5])
  s.take('b', 2_000, reading(90))
  s.take('a', 2_000, reading(270))
  const before = s.clearanceAt('a', 2_000, 0)
  s.take('a', 1_000, reading(90))
  s.take('a', 2_000, reading(90))
  expect(s.clearanceAt('a', 2_000, 0)).toEqual(before)
})

test('a loaded hook hangs lower', () => {
  const s = site(['high', 0, 0, 60], ['low', 60, 0, 40])
  const gap = (load: number, time: number) => {
    s.take('low', time, reading(270, { radius: 5 }))
    // The rope hangs three metres beyond the end of the low jib and ends above it.
    s.take('high', time, reading(90, { radius: 7, hookHeight: 44, load, slewSpeed: 0, trolleySpeed: 0, hoistSpeed: 0 }))
    return s.clearanceAt('high', time, 0)?.meters ?? 0
  }
  expect(gap(0, 1_000)).toBeCloseTo(5, 6)
  expect(gap(2, 2_000)).toBeCloseTo(Math.hypot(3, 1), 6)
})

const square: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
]

test('polygon edge and vertex belong to the zone', () => {
  expect(isInside([5, 0], square)).toBe(true)
  expect(isInside([10, 10], square)).toBe(true)
  expect(isInside([10.001, 10], square)).toBe(false)
  expect(planDistance([15, 5], [15, 5], square)).toBeCloseTo(5)
  expect(planDistance([-5, 5], [15, 5], square)).toBe(0)
})

test('a no-lift zone is for the hook, a no-entry zone for the jib', () => {
  const s = site(['a', 0, 0, 40])
  s.setZones([
    { kind: 'noLift', points: square.map(([x, y]) => [x - 5, y + 30] as const) },
    { kind: 'noEntry', points: square.map(([x, y]) => [x + 30, y - 5] as const) },
  ])
  s.take('a', 1_000, reading(0, { radius: 20 }))
  expect(s.zoneDistanceAt('a', 'noLift', 1_000)).toBeCloseTo(10)
  expect(s.zoneDistanceAt('a', 'noEntry', 1_000)).toBeCloseTo(30)
  expect(s.zoneDistanceAt('a', 'forbidden', 1_000)).toBeCloseTo(10)
  s.take('a', 2_000, reading(90, { radius: 20 }))
  expect(s.zoneDistanceAt('a', 'noEntry', 2_000)).toBe(0)
})
