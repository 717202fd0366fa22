import { checkCondition } from '@zhugong/contract/rules/conditions'
import { metersToLine, type Point } from '@zhugong/contract/rules/polygon'
import { expect, test } from 'vitest'

test('ratios that look back over too many readings are refused with words', () => {
  const ratio = (metrics: number, samples: number) =>
    checkCondition({ type: 'ratioToAverage', metrics: Array.from({ length: metrics }, (_, i) => `m${i}`), samples, factor: 2 })
  expect(ratio(20, 1000).problems).toEqual([{ path: [], message: '一条规则与均值比较的指标数乘以样本数，合计最多 3000' }])
  expect(ratio(20, 150).problems).toEqual([])
})

test('a route of the most corners costs a position less than a tenth of a millisecond', () => {
  const route = Array.from({ length: 2_000 }, (_, i): Point => [115 + i / 10_000, 30 + Math.sin(i / 50) / 100])
  const look = (times: number) => {
    const from = performance.now()
    for (let i = 0; i < times; i++) metersToLine([115.05 + i / 1e6, 30.2], route)
    return (performance.now() - from) / times
  }
  look(500)
  // The best of several measurements, because the machine is shared.
  expect(Math.min(...Array.from({ length: 20 }, () => look(50)))).toBeLessThan(0.1)
  expect(
    metersToLine(
      [115, 30.001],
      [
        [115, 30],
        [115.01, 30],
      ],
    ),
  ).toBeCloseTo(111.32, 1)
  expect(metersToLine([115, 30.001], [])).toBe(Number.POSITIVE_INFINITY)
  expect(
    metersToLine(
      [115.005, 30.004],
      [
        [115, 30],
        [115.01, 30],
        [115.01, 30.01],
      ],
      true,
    ),
  ).toBeLessThan(
    metersToLine(
      [115.005, 30.004],
      [
        [115, 30],
        [115.01, 30],
        [115.01, 30.01],
      ],
    ) + 1,
  )
})
