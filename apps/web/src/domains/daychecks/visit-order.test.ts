import { expect, test } from 'vitest'
import { lengthOf, visitOrder } from './visit-order.ts'

const stop = (name: string, lng: number, begun = false) => ({ name, lng, lat: 30.5, begun })
const names = (stops: readonly { name: string }[]) => visitOrder(stops as ReturnType<typeof stop>[]).map((one) => one.name)

test('goes from the running check always to the nearest place that is left', () => {
  expect(names([stop('a', 114.3), stop('b', 114.1), stop('c', 114.2, true), stop('d', 114.25)])).toEqual(['c', 'd', 'a', 'b'])
})

test('begins with the first place when no check is running', () => {
  expect(names([stop('a', 114.3), stop('b', 114.1), stop('c', 114.28)])).toEqual(['a', 'c', 'b'])
  expect(names([])).toEqual([])
})

test('the length of a route is the sum of its parts', () => {
  const [a, b, c] = [stop('a', 114), stop('b', 114.1), stop('c', 114.2)]
  expect(lengthOf([a, b, c])).toBeCloseTo(lengthOf([a, b]) + lengthOf([b, c]), 6)
  expect(lengthOf([a])).toBe(0)
})
