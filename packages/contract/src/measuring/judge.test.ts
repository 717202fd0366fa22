import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  burstLimits,
  isWider,
  judgeArea,
  passRateOf,
  pastedNumbers,
  reaches,
  rounded,
  type Tolerance,
  tallyOf,
  toleranceWords,
} from './judge.ts'

const rule = (more: Partial<Tolerance> = {}): Tolerance => ({
  baseValue: null,
  judgeStart: 0,
  judgeEnd: 8,
  isAbsolute: true,
  isRange: false,
  isCustomBase: false,
  pointCount: 3,
  burstFactor: 1.5,
  ...more,
})
const of = (given: Tolerance, values: (number | null)[], design: number | null = null) =>
  judgeArea(given, design, values).map((one) => one && `${one.deviation} ${one.result}`)

/** Worked by hand from the dictionary measureItem. */
describe('points by hand', () => {
  const cases: [name: string, rule: Tolerance, values: (number | null)[], expected: (string | null)[], design?: number | null][] = [
    ['表面平整度 8 mm: at the limit, over it, at the burst limit', rule(), [8, 8.01, 12], ['8 1', '8.01 2', '12 2']],
    ['beyond 1.5 times it bursts', rule(), [12.01, -12.01, -8], ['12.01 3', '12.01 3', '8 1']],
    ['垂直度 10 mm', rule({ judgeEnd: 10 }), [0, 10, 15.1], ['0 1', '10 1', '15.1 3']],
    [
      '截面尺寸 -5～10 of 300 mm keeps the direction',
      rule({ judgeStart: -5, judgeEnd: 10, isAbsolute: false, baseValue: 300 }),
      [295, 294, 292],
      ['-5 1', '-6 2', '-8 3'],
    ],
    [
      'the upper side of it',
      rule({ judgeStart: -5, judgeEnd: 10, isAbsolute: false, baseValue: 300 }),
      [310, 315, 315.5],
      ['10 1', '15 2', '15.5 3'],
    ],
    [
      '楼板厚度 with the base of the drawing',
      rule({ judgeStart: -5, judgeEnd: 10, isAbsolute: false, isCustomBase: true }),
      [118, 132, 113],
      ['-2 1', '12 2', '-7 2'],
      120,
    ],
    ['a base that is missing judges nothing', rule({ isCustomBase: true }), [118, 120, 121], [null, null, null], null],
    ['顶板水平度极差 15 mm before the last point', rule({ isRange: true, judgeEnd: 15, pointCount: 3 }), [3, 9, null], [null, null, null]],
    ['and after it', rule({ isRange: true, judgeEnd: 15, pointCount: 3 }), [3, 18, 9], ['15 1', '15 1', '15 1']],
    ['a spread too wide', rule({ isRange: true, judgeEnd: 15, pointCount: 3 }), [0, 15.5, 9], ['15.5 2', '15.5 2', '15.5 2']],
    ['a spread that bursts', rule({ isRange: true, judgeEnd: 15, pointCount: 3 }), [-10, 13, 9], ['23 3', '23 3', '23 3']],
    ['接缝高低差 0.5 mm', rule({ judgeEnd: 0.5 }), [0.5, 0.51, 0.76], ['0.5 1', '0.51 2', '0.76 3']],
    ['only downwards', rule({ judgeStart: -10, judgeEnd: 0, isAbsolute: false }), [-10, 4, 5.1], ['-10 1', '4 2', '5.1 3']],
    ['points that are missing', rule(), [null, 3, null], [null, '3 1', null]],
    ['values beyond the points of the area are not judged', rule({ pointCount: 2 }), [1, 2, 99], ['1 1', '2 1']],
    ['another factor', rule({ burstFactor: 2 }), [16, 16.01, 9], ['16 2', '16.01 3', '9 2']],
  ]
  test.each(cases)('%s', (_name, given, values, expected, design = null) => {
    expect(of(given, values, design)).toEqual(expected)
  })
})

describe('properties', () => {
  const tolerance = fc
    .record({
      low: fc.integer({ min: -200, max: 0 }),
      high: fc.integer({ min: 1, max: 200 }),
      isAbsolute: fc.boolean(),
      isRange: fc.boolean(),
      burstFactor: fc.constantFrom(1, 1.2, 1.5, 2, 3),
      pointCount: fc.integer({ min: 1, max: 12 }),
    })
    .map(({ low, high, ...more }) => rule({ ...more, judgeStart: low / 10, judgeEnd: high / 10 }))
  const value = fc.option(fc.integer({ min: -50_000, max: 50_000 }).map((n) => n / 100))
  const values = fc.array(value, { maxLength: 14 })

  test('a point passes exactly within the tolerance, and bursts only outside the burst limits', () => {
    fc.assert(
      fc.property(tolerance, values, (given, all) => {
        const { low, high } = burstLimits(given)
        for (const one of judgeArea(given, null, all)) {
          if (!one) continue
          const inside = one.deviation >= given.judgeStart && one.deviation <= given.judgeEnd
          expect(one.result === '1').toBe(inside)
          if (one.result === '3') expect(one.deviation < rounded(low) || one.deviation > rounded(high)).toBe(true)
        }
      }),
    )
  })
  test('there is one verdict per point of the area, and one for every measured point without spread', () => {
    fc.assert(
      fc.property(tolerance, values, (given, all) => {
        const verdicts = judgeArea(given, null, all)
        expect(verdicts).toHaveLength(given.pointCount)
        if (!given.isRange)
          expect(verdicts.map((one) => one !== null)).toEqual(Array.from({ length: given.pointCount }, (_, i) => (all[i] ?? null) !== null))
      }),
    )
  })
  test('a spread is judged with the last point, the same for all, whatever the order and the height', () => {
    fc.assert(
      fc.property(
        tolerance.filter((one) => one.isRange),
        fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: -5_000, max: 5_000 }),
        (given, raw, lift) => {
          const all = raw.slice(0, given.pointCount).map((n) => n / 100)
          const whole = judgeArea(given, null, all)
          expect(whole.every((one) => one !== null && one.result === whole[0]?.result)).toBe(true)
          expect(judgeArea(given, null, all.toReversed())).toEqual(whole)
          expect(
            judgeArea(
              given,
              null,
              all.map((one) => rounded(one + lift / 100)),
            ).map((one) => one?.result),
          ).toEqual(whole.map((one) => one?.result))
          expect(judgeArea(given, null, all.slice(0, -1)).every((one) => one === null)).toBe(true)
        },
      ),
    )
  })
  test('a wider tolerance never makes a passed point fail', () => {
    fc.assert(
      fc.property(tolerance, values, fc.integer({ min: 0, max: 100 }), (given, all, more) => {
        const wide = { ...given, judgeStart: given.judgeStart - more / 10, judgeEnd: given.judgeEnd + more / 10 }
        const after = judgeArea(wide, null, all)
        for (const [i, one] of judgeArea(given, null, all).entries()) if (one?.result === '1') expect(after[i]?.result).toBe('1')
      }),
    )
  })
  test('the tally counts every verdict once; no point measured has no rate', () => {
    fc.assert(
      fc.property(tolerance, values, (given, all) => {
        const verdicts = judgeArea(given, null, all)
        const tally = tallyOf(verdicts)
        expect(tally.measured).toBe(verdicts.filter(Boolean).length)
        expect(tally.passed + tally.burst).toBeLessThanOrEqual(tally.measured)
        const rate = passRateOf(tally)
        if (tally.measured === 0) expect(rate).toBeNull()
        else expect(rate).toBeCloseTo((tally.passed / tally.measured) * 100, 1)
      }),
    )
  })
})

test('a task is done at its target, unless a point bursts', () => {
  expect(reaches({ measured: 100, passed: 90, burst: 0 }, 90)).toBe(true)
  expect(reaches({ measured: 100, passed: 89, burst: 0 }, 90)).toBe(false)
  expect(reaches({ measured: 100, passed: 99, burst: 1 }, 90)).toBe(false)
  expect(reaches({ measured: 0, passed: 0, burst: 0 }, 0)).toBe(false)
})

test('a rule wider than the norm, in words', () => {
  expect(isWider({ judgeStart: 0, judgeEnd: 9 }, { judgeStart: 0, judgeEnd: 8 })).toBe(true)
  expect(isWider({ judgeStart: -6, judgeEnd: 8 }, { judgeStart: -5, judgeEnd: 10 })).toBe(true)
  expect(isWider({ judgeStart: -4, judgeEnd: 8 }, { judgeStart: -5, judgeEnd: 10 })).toBe(false)
  expect(isWider({ judgeStart: -99, judgeEnd: 99 }, null)).toBe(false)
  expect(toleranceWords({ judgeStart: 0, judgeEnd: 8, isRange: false }, 'mm')).toBe('≤8mm')
  expect(toleranceWords({ judgeStart: -10, judgeEnd: 10, isRange: false })).toBe('±10')
  expect(toleranceWords({ judgeStart: -5, judgeEnd: 10, isRange: false })).toBe('-5 ～ 10')
  expect(toleranceWords({ judgeStart: 0, judgeEnd: 15, isRange: true })).toBe('极差 ≤15')
})

test('a pasted column', () => {
  expect(pastedNumbers('1\n2.5\n\n-3\n')).toEqual([1, 2.5, null, -3])
  expect(pastedNumbers('1\t2\r\n3')).toEqual([1, 2, 3])
  expect(pastedNumbers('1,200')).toEqual([1200])
  expect(pastedNumbers('3 mm')).toBeUndefined()
  expect(rounded(-0.004)).toBe(0)
})
