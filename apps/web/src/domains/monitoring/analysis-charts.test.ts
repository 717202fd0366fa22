import { expect, test } from 'vitest'
import { calmest, changeOf, columnsOption, directionName } from './analysis-charts.ts'

test.each([
  [112, 100, '+12 %'],
  [75, 100, '−25 %'],
  [10, 0, ''],
  [null, 10, ''],
  [10, undefined, ''],
] as const)('%s against %s is %s', (now, then, words) => expect(changeOf(now, then)).toBe(words))

test('the calmest hours are the first of the least', () => {
  const hours = [3, 1, 1, 5, 1, 1].map((value, hour) => ({ hour, value }))
  expect(calmest(hours, 2)).toEqual({ from: 1, to: 3, value: 2 })
  expect(calmest([], 2)).toBeUndefined()
})

test.each([
  [0, '北'],
  [90, '东'],
  [225, '西南'],
  [359, '北'],
])('%s degrees are %s', (degrees, name) => expect(directionName(degrees)).toBe(name))

test('what was not measured stays open', () => {
  const { series } = columnsOption({ names: ['a', 'b'], unit: '', series: [{ name: 's', values: [1, null], line: true }] }) as {
    series: { data: unknown[]; connectNulls: boolean }[]
  }
  expect(series[0]).toMatchObject({ data: [1, null], connectNulls: false })
})
