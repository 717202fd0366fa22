import { expect, test } from 'vitest'
import { seriesOf } from './device-history.tsx'

const point = (time: number, v: [number, number, number]) => ({ time, n: 1, v: { m: v } })

test('mean over its band, open where nothing came', () => {
  const { mean, low, spread } = seriesOf([point(0, [5, 4, 7]), point(10, [6, 5, 8]), point(100, [7, 7, 7])], 'm', 30)
  expect(mean).toEqual([
    [0, 5],
    [10, 6],
    [11, null],
    [100, 7],
  ])
  expect(low[0]).toEqual([0, 4])
  expect(spread[0]).toEqual([0, 3])
})
