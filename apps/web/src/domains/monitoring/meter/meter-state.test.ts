import { describe, expect, test } from 'vitest'
import { branchesOf, lossWords, nextToSettle, supplyOf, unbalanceOf } from './meter-state.ts'

const meter = (deviceId: string, parentId: string | null, usage: number) => ({
  deviceId,
  deviceName: deviceId,
  parentId,
  area: null,
  usage,
})

test('what the main meter counted beyond those behind it is lost', () => {
  const [main, alone] = branchesOf([
    meter('main', null, 1000),
    meter('a', 'main', 600),
    meter('b', 'main', 300),
    meter('c', 'elsewhere', 50),
  ])
  expect(main?.below.map((one) => one.deviceId)).toEqual(['a', 'b'])
  expect(main?.lossPercent).toBeCloseTo(10)
  expect(alone).toMatchObject({ meter: { deviceId: 'c' }, below: [], lossPercent: undefined })
})

test('more behind the main than through it is no loss but a doubt', () => {
  expect(lossWords(3.24)).toBe('损耗 3.2 %')
  expect(lossWords(-12)).toBe('分表合计多出 12.0 %，先查表计')
})

test.each([
  [{ voltageA: 229, voltageB: 230, voltageC: 228, switchStatus: '1' }, 'on'],
  [{ voltageA: 229, voltageB: 3, voltageC: 228, switchStatus: '1' }, 'phaseLost'],
  [{ voltageA: 0, voltageB: 1, voltageC: 0, switchStatus: '1' }, 'off'],
  [{ voltageA: 229, voltageB: 230, voltageC: 228, switchStatus: '0' }, 'tripped'],
  [{}, 'unknown'],
])('%j is %s', (values, supply) => {
  expect(supplyOf(values)).toBe(supply)
})

test('phases apart', () => {
  expect(unbalanceOf([100, 100, 100])).toBe(0)
  expect(unbalanceOf([90, 100, 110])).toBeCloseTo(10)
  expect(unbalanceOf([0, 0, 0])).toBeUndefined()
  expect(unbalanceOf([undefined, 5, undefined])).toBeUndefined()
})

describe('the month that is settled next', () => {
  test('is the one after the last that was settled', () => expect(nextToSettle('2026-12', '2027-03')).toBe('2027-01'))
  test('is the one that ended last when none was settled', () => expect(nextToSettle(undefined, '2026-01')).toBe('2025-12'))
})
