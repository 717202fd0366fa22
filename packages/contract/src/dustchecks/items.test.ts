import { expect, test } from 'vitest'
import { dictionaryOf } from '../settings/dictionaries.ts'
import { coreItems, dustItems, passRateOf, responseMeasures } from './items.ts'

test('the items are those of the dictionary, six of them core', () => {
  expect(dustItems.map((one) => one.code)).toEqual(dictionaryOf('dustCheckItem')?.items.map((one) => one.code))
  expect(coreItems.map((one) => one.code)).toEqual(['01', '02', '03', '04', '05', '06'])
})

test.each([
  [[], null],
  [['3', '3'], null],
  [['1', '1', '3'], 100],
  [['1', '2'], 50],
  [['1', '1', '2'], 66.67],
  [['2', '4'], 0],
] as const)('of %j the rate is %s', (results, rate) => {
  expect(passRateOf(results.map((result) => ({ result })))).toBe(rate)
})

test('a rate lies between 0 and 100, and items that were not judged do not change it', () => {
  for (let n = 0; n < 200; n++) {
    const items = Array.from({ length: n % 15 }, (_, i) => ({ result: String(((n * 7 + i * 3) % 4) + 1) }))
    const rate = passRateOf(items)
    if (rate !== null) expect(rate >= 0 && rate <= 100).toBe(true)
    expect(passRateOf([...items, { result: '3' }, { result: '4' }])).toBe(rate)
  }
})

test('a stricter response asks for more than the mildest', () => {
  expect(responseMeasures['2']?.length).toBeGreaterThan(responseMeasures['3']?.length ?? 0)
})
