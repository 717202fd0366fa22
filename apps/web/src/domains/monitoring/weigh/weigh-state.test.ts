import { expect, test } from 'vitest'
import { heavyTone, isUneven, plateauOf, plateOf } from './weigh-state.ts'

const reading = (values: Record<string, unknown>) => ({ deviceId: 'd', at: 1, receivedAt: 1, values })

test.each([
  [{ weight: 0.02, stable: true, zero: true }, 'empty'],
  [{ weight: 18.4, stable: false, zero: false, plateNo: '鄂B32817' }, 'moving'],
  [{ weight: 38.12, stable: true, zero: false, plateNo: '鄂B32817' }, 'steady'],
  [{}, 'unknown'],
])('a plate that says %j is %s', (values, phase) => {
  expect(plateOf(reading(values)).phase).toBe(phase)
})

test('a plate without a reading knows nothing', () => {
  expect(plateOf(undefined)).toEqual({ phase: 'unknown', weight: undefined, plateNo: undefined, isStable: false, isZero: false })
})

const curve = (...values: number[]) => values.map((value, i) => ({ time: i * 2000, value }))

test('the plateau is what agrees at the end of the curve', () => {
  expect(plateauOf(curve(0, 12, 30, 38.1, 38.12, 38.14))).toEqual({ value: expect.closeTo(38.12, 5), from: 6000, to: 10_000 })
  expect(plateauOf(curve(0, 12, 30))).toBeUndefined()
  expect(plateauOf(curve(38.1, 38.1, 0.01))).toBeUndefined()
  expect(plateauOf([])).toBeUndefined()
})

test('up and down once is a lorry, more often is two of them or somebody getting off', () => {
  expect(isUneven(curve(0, 12, 38, 38, 20, 0))).toBe(false)
  expect(isUneven(curve(0, 38, 30, 38, 31, 38))).toBe(true)
})

test.each([
  [48, 100, 'fine'],
  [49.6, 100, 'warning'],
  [101, 100, 'alarm'],
  [60, null, 'warning'],
])('%d t on a bridge of %s is %s', (weight, capacity, tone) => {
  expect(heavyTone(weight, 49, capacity)).toBe(tone)
})
