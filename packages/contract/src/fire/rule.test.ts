import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findingsOf } from './judge.ts'
import {
  deviationOf,
  type Finding,
  judgeAll,
  judgementWords,
  judgeSub,
  type Level,
  type Point,
  type RuleLine,
  type SubItem,
  type Verdict,
} from './rule.ts'

const points: readonly Point[] = [
  { code: 'a', level: 'A' },
  { code: 'b', level: 'B' },
  { code: 'c', level: 'C' },
]
const fits = (itemCode: string, part: string): Finding => ({ itemCode, part, result: '1', productFail: false })
const fails = (itemCode: string, part: string): Finding => ({ itemCode, part, result: '2', productFail: false })
const absent = (itemCode: string): Finding => ({ itemCode, part: '1', result: '3', productFail: false })
const whole = points.flatMap(({ code }) => ['1', '2'].map((part) => fits(code, part)))
const sub = (findings: readonly Finding[], more: Partial<SubItem> = {}): SubItem => ({
  code: '0101',
  fullCheck: false,
  points,
  findings,
  total: null,
  absentReason: null,
  ...more,
})
const withB = (extra: readonly Finding[]) => [...whole.filter((one) => one.itemCode !== 'b'), fails('b', '1'), ...extra]
const four = (result: typeof fits = fits) => ['2', '3', '4', '5'].map((part) => result('b', part))

describe('a sub-item', () => {
  test.each<[string, SubItem, Verdict, RuleLine, boolean]>([
    ['all right at two places', sub(whole), 'pass', 'passed', true],
    ['one A', sub([...whole, fails('a', '3')]), 'fail', 'critical', true],
    ['one A before everything is seen', sub([fails('a', '1')]), 'fail', 'critical', false],
    ['a product that fails', sub([...whole, { ...fits('c', '3'), productFail: true }]), 'fail', 'product', true],
    ['three C', sub([...whole, ...['3', '4', '5'].map((part) => fails('c', part))]), 'pass', 'passed', true],
    ['four C', sub([...whole, ...['3', '4', '5', '6'].map((part) => fails('c', part))]), 'fail', 'manyC', true],
    ['a first B', sub(withB([])), 'open', 'extraOpen', false],
    ['a first B with three more', sub(withB(four().slice(1))), 'open', 'extraOpen', false],
    ['a first B with four more', sub(withB(four())), 'pass', 'extraPassed', true],
    ['a second B among the four', sub(withB([...four().slice(1), fails('b', '2')])), 'fail', 'secondB', true],
    ['a first B where two places remain', sub(withB([fits('b', '2'), fits('b', '3')]), { total: 3 }), 'pass', 'extraPassed', true],
    ['a first B where none remains', sub(withB([]), { total: 1 }), 'pass', 'extraPassed', true],
    ['a point forgotten', sub(whole.filter((one) => one.itemCode !== 'c')), 'open', 'points', false],
    ['one place of many', sub(whole.filter((one) => one.part === '1')), 'open', 'samples', false],
    [
      'one place where one exists',
      sub(
        whole.filter((one) => one.part === '1'),
        { total: 1 },
      ),
      'pass',
      'passed',
      true,
    ],
    ['in full, number of places unknown', sub(whole, { fullCheck: true }), 'open', 'full', false],
    ['in full, a place left', sub(whole, { fullCheck: true, total: 3 }), 'open', 'full', false],
    ['in full', sub(whole, { fullCheck: true, total: 2 }), 'pass', 'passed', true],
    ['nothing applies, no reason', sub(points.map((one) => absent(one.code))), 'open', 'reason', false],
    [
      'nothing applies',
      sub(
        points.map((one) => absent(one.code)),
        { absentReason: '无此设施' },
      ),
      'absent',
      'absent',
      true,
    ],
    ['a point that does not apply', sub([...whole.filter((one) => one.itemCode !== 'c'), absent('c')]), 'pass', 'passed', true],
    ['nothing seen', sub([]), 'open', 'points', false],
  ])('%s', (_what, given, verdict, line, complete) => {
    expect(judgeSub(given)).toMatchObject({ verdict, line, complete })
  })

  test('names the points that caused the verdict, and what is still missing', () => {
    expect(judgeSub(sub([...whole, fails('a', '3')])).causes).toEqual(['a@3'])
    const open = judgeSub(sub(withB(four().slice(0, 2))))
    expect(judgementWords(open)).toBe('B 类 1 处不符合，需加抽 4 处，已 2 处')
    expect(open.causes).toEqual(['b@1'])
  })
})

test('one failed part fails the whole, one open part leaves it open, what does not apply counts neither way', () => {
  const part = (code: string, verdict: Verdict, complete = verdict !== 'open') => ({ code, judged: { verdict, complete } })
  expect(judgeAll([part('1', 'pass'), part('2', 'absent')])).toMatchObject({ verdict: 'pass', complete: true })
  expect(judgeAll([part('1', 'pass'), part('2', 'open'), part('3', 'fail')])).toMatchObject({
    verdict: 'fail',
    causes: ['3'],
    complete: false,
  })
  expect(judgeAll([part('1', 'pass'), part('2', 'open')])).toMatchObject({ verdict: 'open', causes: ['2'] })
  expect(judgeAll([part('1', 'absent')])).toMatchObject({ verdict: 'absent', complete: true })
  expect(judgeAll([])).toMatchObject({ verdict: 'open', complete: false })
})

const finding = fc.record({
  itemCode: fc.constantFrom('a', 'b', 'c'),
  part: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  result: fc.constantFrom('1' as const, '2' as const, '3' as const),
  productFail: fc.constant(false),
})
const findings = fc.uniqueArray(finding, { selector: (one) => `${one.itemCode}${one.part}`, maxLength: 18 })

describe('for any findings', () => {
  const failed = (all: readonly Finding[], level: Level) =>
    all.filter((one) => one.result === '2' && points.some((point) => point.code === one.itemCode && point.level === level)).length

  test('nothing with a failed A, two failed B, or four failed C passes', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const { verdict } = judgeSub(sub(all))
        if (failed(all, 'A') > 0 || failed(all, 'B') > 1 || failed(all, 'C') > 3) expect(verdict).toBe('fail')
        else expect(verdict).not.toBe('fail')
      }),
    )
  })
  test('what passes has every point judged and enough places', () => {
    fc.assert(
      fc.property(findings, (all) => {
        const judged = judgeSub(sub(all))
        if (judged.verdict !== 'pass') return
        expect(points.every((point) => all.some((one) => one.itemCode === point.code))).toBe(true)
        expect(judged.sampled).toBeGreaterThanOrEqual(judged.required)
        expect(judged.complete).toBe(true)
      }),
    )
  })
  test('another failed finding never makes a failed sub-item pass', () => {
    fc.assert(
      fc.property(findings, finding, (all, one) => {
        const before = judgeSub(sub(all))
        const more = [
          ...all.filter((other) => other.itemCode !== one.itemCode || other.part !== one.part),
          { ...one, result: '2' as const },
        ]
        if (before.verdict === 'fail' && failed(more, 'A') + failed(more, 'B') >= failed(all, 'A') + failed(all, 'B'))
          expect(judgeSub(sub(more)).verdict).not.toBe('pass')
      }),
    )
  })
})

test('of a point and place the newest entry holds, in the order in which the places were first looked at', () => {
  const entry = (checkPart: string, result: '1' | '2') => ({ itemCode: 'b', checkPart, result, productFail: false })
  expect(findingsOf([entry('1', '2'), entry('2', '1'), entry('1', '1')]).map((one) => [one.part, one.result])).toEqual([
    ['1', '1'],
    ['2', '1'],
  ])
})

test('the deviation is told, not judged', () => {
  expect(deviationOf('1.40', '1.33')).toBe(-5)
  expect(deviationOf('1.40 m', '1.47')).toBe(5)
  expect(deviationOf('甲级', '1.47')).toBeNull()
})
