import { expect, test } from 'vitest'
import { distanceM, isPlace, type LngLat, metresFrom } from './geo.ts'
import { projectionOf } from './geo-shift.ts'

test('a thousandth of a degree of latitude is 111 m', () => {
  expect(distanceM([115, 30], [115, 30.001])).toBeCloseTo(111.2, 0)
  const [x, y] = metresFrom([115, 30], [115.001, 30.001])
  expect(x).toBeCloseTo(96.3, 0)
  expect(y).toBeCloseTo(111.2, 0)
})

test('no place is no place', () => {
  expect(isPlace([115, 30])).toBe(true)
  expect(isPlace([null, 30])).toBe(false)
  expect(isPlace([0, 0])).toBe(false)
  expect(isPlace(undefined)).toBe(false)
})

test('[coordinate-batches] satellite coordinates become those of the map here, without a service and without a limit of points', () => {
  const places = Array.from({ length: 2001 }, (_, i): LngLat => [115 + i / 10_000, 30])
  const gcj = projectionOf('gcj02')
  for (const place of places) {
    const moved = gcj.toMap(place)
    // The published offset there is about 600 m; the inverse returns the original place.
    expect(distanceM(place, moved)).toBeGreaterThan(300)
    expect(distanceM(place, moved)).toBeLessThan(900)
    expect(distanceM(place, gcj.fromMap(moved))).toBeLessThan(1)
  }
  expect(projectionOf('wgs84').toMap([115, 30])).toEqual([115, 30])
})
