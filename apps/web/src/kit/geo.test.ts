import { expect, test } from 'vitest'
import { distanceM, isPlace, metresFrom, portions } from './geo.ts'

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

test('2001 points make three portions', () => {
  expect(portions(Array.from({ length: 2001 }, (_, i) => i)).map((one) => one.length)).toEqual([1000, 1000, 1])
})
