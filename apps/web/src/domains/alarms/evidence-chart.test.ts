import { expect, test } from 'vitest'
import { curveOf } from './evidence-chart.tsx'

const at = (time: number, value: unknown, quality: Record<string, string> | null = null) => ({
  time,
  receivedAt: time,
  values: { m: value },
  quality,
  flag: 0,
})

test('a pause is left open', () => {
  const curve = curveOf([at(0, 1), at(10_000, 2), at(20_000, 3), at(200_000, 4)], 'm')
  expect(curve).toEqual([
    [0, 1],
    [10_000, 2],
    [20_000, 3],
    [20_001, null],
    [200_000, 4],
  ])
})

test('what the device doubts is not drawn, what is no number is not there', () => {
  expect(curveOf([at(0, 1), at(1000, 99, { m: 'outOfRange' }), at(2000, 'x')], 'm')).toEqual([
    [0, 1],
    [1000, null],
  ])
})
