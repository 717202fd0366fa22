import { describe, expect, test } from 'vitest'
import { areaRebound, judge, oddReadings, presumedStrength, readingsPerArea, spotReadings, strengthOf } from './readings.ts'

/** Deterministic numbers between low and high. */
function numbers(seed: number, count: number, low: number, high: number): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return low + Math.round((state / 2_147_483_648) * (high - low))
  })
}

describe('rebound', () => {
  test('the three highest and the three lowest of 16 readings are dropped', () => {
    const some = [10, 11, 12, 40, 40, 40, 40, 40, 42, 42, 42, 42, 42, 90, 91, 92]
    expect(areaRebound(some)).toBe(41)
    expect(areaRebound(some.slice(1))).toBeNull()
  })
  test('whatever the readings: order does not matter, outliers do not, and the mean lies between the kept ones', () => {
    for (let seed = 1; seed < 200; seed++) {
      const some = numbers(seed, readingsPerArea, 25, 55)
      const mean = areaRebound(some) ?? Number.NaN
      const sorted = some.toSorted((a, b) => a - b)
      expect(areaRebound(sorted)).toBe(mean)
      expect(areaRebound([...sorted.slice(0, -1), 100])).toBe(mean)
      expect(areaRebound([10, ...sorted.slice(1)])).toBe(mean)
      expect(mean).toBeGreaterThanOrEqual((sorted[3] ?? 0) - 0.05)
      expect(mean).toBeLessThanOrEqual((sorted[12] ?? 0) + 0.05)
    }
  })
  test('strength rises with the rebound and falls with carbonation, which counts up to 6 mm', () => {
    expect(strengthOf(40, 0)).toBeCloseTo(44.2, 0)
    expect(strengthOf(41, 0)).toBeGreaterThan(strengthOf(40, 0))
    expect(strengthOf(40, 2)).toBeLessThan(strengthOf(40, 0))
    expect(strengthOf(40, 9)).toBe(strengthOf(40, 6))
  })
  test('fewer than ten areas: the lowest; from ten on: mean minus 1.645 standard deviations', () => {
    expect(presumedStrength([35, 33.1, 40])).toBe(33.1)
    expect(presumedStrength(Array.from({ length: 10 }, () => 36))).toBe(36)
    expect(presumedStrength([30, 32, 34, 36, 38, 30, 32, 34, 36, 38])).toBeCloseTo(34 - 1.645 * 2.981, 1)
    expect(presumedStrength([])).toBeNull()
  })
  test('a sheet is judged by its design grade', () => {
    const area = (n: number) => ({ name: `测区 ${n}`, readings: numbers(n, readingsPerArea, 38, 42), carbonation: 1 })
    const sheet = (grade: number) => ({ test: 'rebound' as const, grade, areas: [area(1), area(2)] })
    expect(judge(sheet(30))?.passed).toBe(true)
    expect(judge(sheet(50))).toMatchObject({ passed: false, design: 'C50（≥50.0 MPa）' })
  })
})

test('thickness passes from 80 percent of points on', () => {
  const points = (...deviations: number[]) => deviations.map((one, i) => ({ name: `${i}`, value: 120 + one }))
  expect(judge({ test: 'thickness', design: 120, points: points(10, -5, 0, 3, 11) })?.passed).toBe(true)
  expect(judge({ test: 'thickness', design: 120, points: points(10, -6, 0, 3, 11) })?.passed).toBe(false)
})

test('one cover beyond one and a half times the deviation fails the whole', () => {
  const points = Array.from({ length: 20 }, (_one, i) => ({ name: `${i}`, spacing: 150, cover: 15 }))
  const scan = (first: number) =>
    judge({ test: 'scan', member: 'slab', spacing: 150, cover: 15, points: [{ name: 'x', spacing: 150, cover: first }, ...points] })
  expect([scan(23), scan(25), scan(28)].map((one) => one?.passed)).toEqual([true, true, false])
})

test('a sample is judged by its laboratory', () => {
  expect(judge({ test: 'material', note: '电缆一卷' })).toBeUndefined()
})

test('readings beyond the usual are asked about, those beyond the possible are refused', () => {
  const areas = (value: number) => [{ name: '测区 1', readings: [value, ...Array.from({ length: 15 }, () => 40)], carbonation: 1 }]
  expect(oddReadings({ test: 'rebound', grade: 30, areas: areas(18) })).toEqual(['测区 1：18'])
  expect(oddReadings({ test: 'rebound', grade: 30, areas: areas(40) })).toEqual([])
  expect(spotReadings.safeParse({ test: 'rebound', grade: 30, areas: areas(120) }).success).toBe(false)
})
