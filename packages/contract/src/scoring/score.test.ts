import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grades, type ItemResult, itemResults, type ScoredItem, type ScoredSheet, scoreAll, scoreSheet } from './score.ts'

const item = (maxScore: number, lost: number | 'n/a' | 'open', guarantee = false, name = '项'): ScoredItem => ({
  name,
  maxScore,
  guarantee,
  result:
    lost === 'n/a' ? itemResults.notApplicable : lost === 'open' ? itemResults.unchecked : lost ? itemResults.wrong : itemResults.right,
  deduction: typeof lost === 'number' ? lost : 0,
})
/** Six 保证项目 of 10 points and four others of 10: the deductions in this order. */
const sheet = (category: string, lost: readonly (number | 'n/a' | 'open')[], name = category): ScoredSheet => ({
  name,
  category,
  notApplicable: false,
  items: lost.map((one, i) => item(10, one, i < 6, `第 ${i + 1} 项`)),
})
const none = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
const categories = [
  { code: 'A', name: '甲', weight: 10 },
  { code: 'B', name: '乙', weight: 15 },
  { code: 'C', name: '丙', weight: 5 },
]
const total = (...sheets: ScoredSheet[]) => scoreAll(sheets, categories)

describe('a sheet, computed by hand', () => {
  test.each<[what: string, lost: readonly (number | 'n/a' | 'open')[], score: number, zero: boolean]>([
    ['without deductions', none, 100, false],
    ['three deductions of 2, 3 and 5.5', [2, 0, 3, 0, 0, 0, 5.5, 0, 0, 0], 89.5, false],
    ['a deduction above full marks counts as full marks', [0, 0, 0, 0, 0, 0, 25, 0, 0, 0], 90, false],
    ['two items do not apply: 71 of 80', [4, 0, 0, 0, 0, 0, 5, 0, 'n/a', 'n/a'], 88.75, false],
    ['thirds: 65 of 90', [5, 5, 5, 0, 0, 0, 5, 5, 0, 'n/a'], 72.22, false],
    ['half up: 87.5 of 90 is 97.222…, 78.5 of 90 is 87.222…', [2.5, 0, 0, 0, 0, 0, 0, 0, 9, 'n/a'], 87.22, false],
    ['a 保证项目 without points', [10, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0, true],
    ['保证项目 39.9 of 60', [4, 4, 4, 4, 4, 0.1, 0, 0, 0, 0], 0, true],
    ['保证项目 exactly 40 of 60', [4, 4, 4, 4, 4, 0, 0, 0, 0, 0], 80, false],
    ['保证项目 scaled: 26.6 of 40 is 39.9 of 60', [3.4, 3.4, 3.3, 3.3, 'n/a', 'n/a', 0, 0, 0, 0], 0, true],
    ['no 保证项目 applies, so their rule does not', ['n/a', 'n/a', 'n/a', 'n/a', 'n/a', 'n/a', 9, 9, 9, 9], 10, false],
    ['items not checked yet do not count', [2, 'open', 'open', 'open', 'open', 'open', 'open', 'open', 'open', 'open'], 80, false],
  ])('%s', (_what, lost, score, zero) => {
    const answer = scoreSheet(sheet('A', lost))
    expect(answer?.score).toBe(score)
    expect(answer?.zero !== null).toBe(zero)
  })
  test('with nothing checked it has no score', () => {
    expect(
      scoreSheet(
        sheet(
          'A',
          Array.from({ length: 10 }, () => 'n/a' as const),
        ),
      ),
    ).toBeNull()
    expect(scoreSheet({ ...sheet('A', none), notApplicable: true })).toBeNull()
  })
  test('exact halves are rounded up: 7.005 % of the marks', () => {
    // 140.1 of 2000 points = 7.005.
    expect(scoreSheet({ notApplicable: false, items: [item(2000, 1859.9)] })?.score).toBe(7.01)
  })
})

describe('the whole, computed by hand', () => {
  test('weighted: (90 x 10 + 80 x 15 + 70 x 5) / 30 = 81.666…', () => {
    const answer = total(
      sheet('A', [0, 0, 0, 0, 0, 0, 10, 0, 0, 0]),
      sheet('B', [0, 0, 0, 0, 0, 0, 10, 10, 0, 0]),
      sheet('C', [0, 0, 0, 0, 0, 0, 10, 10, 10, 0]),
    )
    expect(answer).toMatchObject({ score: 81.67, grade: grades.good, weakest: { code: 'C' } })
    expect(answer.categories.map(({ score, points }) => [score, points])).toEqual([
      [90, 9],
      [80, 12],
      [70, 3.5],
    ])
    expect(answer.reason).toBe('汇总得分 81.67 分，不低于 80 分且无零分表，评为优良')
  })
  test('scaled to the categories that were checked: (75 x 10 + 70 x 15) / 25 = 72', () => {
    const answer = total(sheet('A', [0, 0, 0, 0, 0, 0, 10, 10, 5, 0]), sheet('B', [0, 0, 0, 0, 0, 0, 10, 10, 10, 0]))
    expect(answer).toMatchObject({ score: 72, grade: grades.passed })
    expect(answer.categories[2]).toMatchObject({ score: null, points: null })
  })
  test('sheets of one category are averaged: ((90 + 80 + 70) / 3 x 10 + 100 x 15) / 25 = 92', () => {
    const answer = total(
      sheet('A', [0, 0, 0, 0, 0, 0, 10, 0, 0, 0]),
      sheet('A', [0, 0, 0, 0, 0, 0, 10, 10, 0, 0]),
      sheet('A', [0, 0, 0, 0, 0, 0, 10, 10, 10, 0]),
      sheet('B', none),
    )
    expect(answer.score).toBe(92)
  })
  test('one zero sheet fails the whole however high the rest is', () => {
    const answer = total(sheet('A', [10, 0, 0, 0, 0, 0, 0, 0, 0, 0], '塔式起重机'), sheet('B', none), sheet('C', none))
    expect(answer).toMatchObject({ score: 66.67, grade: grades.failed })
    expect(answer.reason).toBe('“塔式起重机”检查表得零分（保证项目“第 1 项”得零分），评为不合格')
    const many = Array.from({ length: 9 }, () => sheet('A', none))
    expect(total(...many, sheet('A', [10, ...none.slice(1)]), sheet('B', none))).toMatchObject({ score: 96, grade: grades.failed })
  })
  test('graded before rounding: 79.996 is shown as 80.00 and is 合格', () => {
    const just = { name: '甲', category: 'A', notApplicable: false, items: [item(2500, 500.1)] }
    expect(scoreAll([just], categories)).toMatchObject({ score: 80, grade: grades.passed })
    expect(scoreAll([just], categories).reason).toContain('修约前不足 80 分')
  })
  test('exactly 80 and 70 reach their grades', () => {
    expect(total(sheet('A', [0, 0, 0, 0, 0, 0, 10, 10, 0, 0])).grade).toBe(grades.good)
    expect(total(sheet('A', [0, 0, 0, 0, 0, 0, 10, 10, 10, 0])).grade).toBe(grades.passed)
    expect(total(sheet('A', [0, 0, 0, 0, 0, 0.1, 10, 10, 10, 0])).grade).toBe(grades.failed)
  })
  test('nothing checked: no score', () => {
    expect(total()).toMatchObject({ score: null, grade: null, weakest: null })
  })
})

const results = fc.constantFrom<ItemResult>('1', '2', '3', '4')
const items = fc.array(
  fc.record({
    name: fc.constant('项'),
    maxScore: fc.integer({ min: 1, max: 20 }),
    guarantee: fc.boolean(),
    result: results,
    deduction: fc.integer({ min: 0, max: 300 }).map((tenths) => tenths / 10),
  }),
  { maxLength: 12 },
)
const sheets = fc.array(
  fc.record({ name: fc.constant('表'), category: fc.constantFrom('A', 'B', 'C'), notApplicable: fc.boolean(), items }),
  { maxLength: 8 },
)

test('for any results: within 0 and 100, no order counts, and a further deduction never raises the score', () => {
  fc.assert(
    fc.property(sheets, (given) => {
      const answer = scoreAll(given, categories)
      expect(scoreAll(given.toReversed(), categories)).toMatchObject({ score: answer.score, grade: answer.grade })
      if (answer.score === null) return
      expect(answer.score).toBeGreaterThanOrEqual(0)
      expect(answer.score).toBeLessThanOrEqual(100)
      expect(Math.round(answer.score * 100)).toBeCloseTo(answer.score * 100, 6)
      const hasZero = given.some((one) => scoreSheet(one)?.zero)
      if (hasZero) expect(answer.grade).toBe(grades.failed)
      const worse = given.map((one) => ({
        ...one,
        items: one.items.map((it) => (it.result === '2' ? { ...it, deduction: it.deduction + 1 } : it)),
      }))
      expect(scoreAll(worse, categories).score ?? 0).toBeLessThanOrEqual(answer.score)
    }),
  )
})
