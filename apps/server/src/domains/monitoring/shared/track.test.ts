import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleaned, distanceKm, metersBetween, type Position, simplify, split, staysOf, stopsOf, thinned, tipsOf, tripsOf } from './track.ts'

const t0 = Date.parse('2026-11-20T08:00:00+08:00')
const meter = 1 / 111_320
const at = (second: number, east: number, north: number, more: Partial<Position> = {}): Position => ({
  time: t0 + second * 1000,
  lng: 115 + (east * meter) / Math.cos((30 * Math.PI) / 180),
  lat: 30 + north * meter,
  speed: 30,
  direction: null,
  accuracy: null,
  late: false,
  load: '0',
  cover: '1',
  lift: '0',
  accOn: true,
  ...more,
})
const drive = (from: number, to: number, pace: number, metersPerSecond: number, north = 0) =>
  Array.from({ length: Math.floor((to - from) / pace) }, (_, i) => at(from + i * pace, (from + i * pace) * metersPerSecond, north))

test('a jump nobody can drive is left out and counted; a real move is believed after three', () => {
  const { points, jumps } = cleaned([at(0, 0, 0), at(30, 200, 0), at(60, 9_000, 0), at(90, 600, 0)], 1000, 150)
  expect([points.length, jumps]).toEqual([3, 1])
  const moved = cleaned([at(0, 0, 0), ...[30, 60, 90, 120, 150].map((s) => at(s, 50_000, s))], 1000, 150)
  expect(moved.points.length).toBeGreaterThan(2)
})
test('at most one point per five seconds', () => {
  expect(cleaned(drive(0, 60, 1, 1), 5_000, 60).points).toHaveLength(12)
})
test('ten minutes of silence split the line and add no distance', () => {
  const points = [...drive(0, 300, 30, 10), ...drive(2_000, 2_300, 30, 10)]
  const segments = split(points)
  expect(segments.map((s) => s.length)).toEqual([10, 10])
  expect(distanceKm(segments)).toBeCloseTo(5.4, 1)
})
test('five minutes within forty metres are a stop', () => {
  const stops = stopsOf([
    ...drive(0, 120, 30, 10),
    ...Array.from({ length: 20 }, (_, i) => at(120 + i * 30, 1_200 + (i % 3) * 8, 0)),
    ...drive(720, 900, 30, 10),
  ])
  expect(stops).toHaveLength(1)
  expect(stops[0]?.seconds).toBeGreaterThanOrEqual(540)
})
describe('thinning', () => {
  test('a straight line needs two points, and a moment on it stays', () => {
    const line = drive(0, 3_000, 10, 10)
    expect(simplify(line, 1)).toHaveLength(2)
    const moment = line[100]?.time ?? 0
    expect(thinned([line], 10, [moment])[0]?.map((p) => p.time)).toContain(moment)
  })
  test('keeps within the tolerance, whatever the shape', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 })), { minLength: 3, maxLength: 60 }),
        (shape) => {
          const points = shape.map(([x, y], i) => at(i * 10, x, y))
          const kept = simplify(points, 20)
          expect(kept[0]).toBe(points[0])
          expect(kept.at(-1)).toBe(points.at(-1))
          for (const p of points) {
            const next = kept.findIndex((k) => k.time >= p.time)
            const [a, b] = [kept[Math.max(0, next - 1)] as Position, kept[next] as Position]
            expect(Math.min(metersBetween(p, a), metersBetween(p, b), away(p, a, b))).toBeLessThanOrEqual(20.5)
          }
        },
      ),
    )
  })
  test('what jitters about is thinned as well, however long it does', () => {
    const jitter = Array.from({ length: 200_000 }, (_, i) => at(i * 5, i / 10, (i % 2) * (100 + i / 1_000)))
    const total = thinned([jitter], 5_000).flat().length
    expect(total).toBeLessThanOrEqual(5_000)
    expect(total).toBeGreaterThan(1)
  })
  test('a week is thinned to what was asked for', () => {
    const week = Array.from({ length: 20_160 }, (_, i) => at(i * 30, Math.sin(i / 40) * 3_000, i * 3))
    const total = thinned(split(week), 5_000).reduce((sum, s) => sum + s.length, 0)
    expect(total).toBeLessThanOrEqual(5_000)
    expect(total).toBeGreaterThan(500)
  })
})

function away(p: Position, a: Position, b: Position): number {
  const flat = (q: Position) => [(q.lng - 115) * Math.cos((30 * Math.PI) / 180), q.lat - 30] as const
  const [[ax, ay], [bx, by], [px, py]] = [flat(a), flat(b), flat(p)]
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const share = length ? Math.min(1, Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length)) : 0
  return Math.hypot(px - ax - share * (bx - ax), py - ay - share * (by - ay)) / meter
}

test('trips lie between long stays and know what they carried', () => {
  const rest = (from: number, east: number) => Array.from({ length: 60 }, (_, i) => at(from + i * 30, east, 0, { speed: 0 }))
  const loaded = drive(1_800, 2_400, 30, 10).map((p) => ({ ...p, load: '3', cover: '0' }))
  const points = [...rest(0, 18_000), ...loaded, ...rest(2_400, 24_000)]
  const tips = tipsOf([...points.slice(0, -30), ...points.slice(-30).map((p, i) => ({ ...p, lift: i < 4 ? '1' : '0' }))])
  expect(tips).toHaveLength(1)
  const trips = tripsOf(points, stopsOf(points), [])
  expect(trips).toHaveLength(1)
  expect(trips[0]).toMatchObject({ maxSpeed: 30 })
  expect(trips[0]?.fullMinutes).toBeGreaterThan(9)
  expect(trips[0]?.uncoveredMinutes).toBeGreaterThan(9)
})

describe('stays at base stations', () => {
  const reads = (station: string, from: number, to: number, battery = 80) =>
    Array.from({ length: Math.floor((to - from) / 5) }, (_, i) => ({ time: t0 + (from + i * 5) * 1000, stationId: station, battery }))
  test('two reads enter, a minute of silence leaves, a flicker is no move', () => {
    const all = [
      ...reads('A', 0, 120),
      { time: t0 + 121_000, stationId: 'B', battery: 80 },
      ...reads('A', 123, 200),
      ...reads('B', 400, 500),
    ]
    const stays = staysOf(all, t0 + 900_000)
    expect(stays.map((s) => [s.stationId, (s.enterTime - t0) / 1000, ((s.leaveTime ?? 0) - t0) / 1000])).toEqual([
      ['A', 0, 193],
      ['B', 400, 495],
    ])
  })
  test('an empty battery is lost, not left; who is heard now is still in', () => {
    expect(staysOf(reads('A', 0, 60, 3), t0 + 600_000)[0]?.lost).toBe(true)
    expect(staysOf(reads('A', 0, 60), t0 + 70_000)[0]?.leaveTime).toBeNull()
  })
})
