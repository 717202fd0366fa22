import { expect, test } from 'vitest'
import { Budget } from './budget.ts'
import { holds, over } from './conditions.ts'
import { type Evaluated, evaluateExpression, expressionLookBack, expressionMetrics, treeOf } from './expressions.ts'
import { Memory } from './history.ts'
import type { Moment } from './moment.ts'

type Row = [second: number, values: Record<string, unknown>]
const kept = ['a', 'b', 'voltageA', 'voltageB', 'voltageC', 'currentA', 'currentB', 'currentC']

function after(rows: readonly Row[], params: Record<string, unknown> = {}, more: { at?: number; periodStart?: number } = {}): Moment {
  const memory = new Memory(new Map(kept.map((metric) => [metric, 1e9])), 30_000)
  for (const [second, values] of rows) memory.add({ time: second * 1000, mark: 0, values })
  return {
    time: (more.at ?? rows.at(-1)?.[0] ?? 0) * 1000,
    memory,
    budget: new Budget(),
    values: rows.at(-1)?.[1] ?? {},
    params,
    intervalMs: 10_000,
    maxGapMs: 30_000,
    periodStart: more.periodStart === undefined ? Number.NEGATIVE_INFINITY : more.periodStart * 1000,
    facts: {},
    unitOf: () => undefined,
  }
}
const covered = (values: number[] | undefined) => ({ windowOf: () => values })
const value = (expr: string, m: Moment, easier = false): Evaluated =>
  evaluateExpression(treeOf(expr), { moment: m, easier, ...covered([1, 5, 3]) })
const judged = (expr: string, m: Moment) => {
  const c = { type: 'expression', expr } as const
  return [holds(c, m).truth, over(c, m).truth, (holds(c, m).until - m.time) / 1000]
}
const now = after([[0, { a: 4, b: -2, flag: true, code: 'x', digits: '12', odd: '1x', empty: null, endless: Number.POSITIVE_INFINITY }]], {
  max: '6',
  kind: 'k',
  on: true,
  stage: 3,
  list: [1],
  negative: '-2.5',
})

test.each<[string, Evaluated]>([
  ['1.5', 1.5],
  ['true', true],
  ["'x'", 'x'],
  ['a', 4],
  ['-a', -4],
  ['-code', undefined],
  ['-missing', undefined],
  ['flag', true],
  ['code', 'x'],
  ['digits', 12],
  ['odd', '1x'],
  ['missing', undefined],
  ['empty', undefined],
  ['param.max', 6],
  ['param.negative', -2.5],
  ['param.kind', 'k'],
  ['param.on', true],
  ['param.list', undefined],
  ['param.missing', undefined],
  // Names that are no metric may be parameters of the device.
  ['stage', 3],
  ['a + b', 2],
  ['a - b', 6],
  ['a * b', -8],
  ['a / b', -2],
  ['a / 0', undefined],
  ['a + missing', undefined],
  ['missing + a', undefined],
  ['a + code', undefined],
  ['a + flag', undefined],
  ['endless + 1', undefined],
  ['a > 3', true],
  ['a > 4', false],
  ['a >= 4', true],
  ['a >= 4.1', false],
  ['a < 4', false],
  ['a < 4.1', true],
  ['a <= 4', true],
  ['a <= 3.9', false],
  ['a == 4', true],
  ['a == 5', false],
  ['a != 5', true],
  ['a != 4', false],
  ["code == 'x'", true],
  ["code != 'x'", false],
  ["code == 'y'", false],
  ['flag == true', true],
  ["code > 'a'", undefined],
  ["a > 'a'", undefined],
  ["'a' < a", undefined],
  ['missing == 1', undefined],
  ['1 != missing', undefined],
  ['not flag', false],
  ['not (a > 5)', true],
  ['not code', undefined],
  ['not missing', undefined],
  ['a > 3 and b < 0', true],
  ['a > 3 and b > 0', false],
  ['missing > 1 and b > 0', false],
  ['b > 0 and missing > 1', false],
  ['a > 3 and missing > 1', undefined],
  ['missing > 1 and a > 3', undefined],
  ['a > 3 and code', undefined],
  ['a > 5 or b > 0', false],
  ['a > 5 or b < 0', true],
  ['missing > 1 or b < 0', true],
  ['b < 0 or missing > 1', true],
  ['a > 5 or missing > 1', undefined],
  ['missing > 1 or a > 5', undefined],
  ['avg(a, 60)', 3],
  ['max(a, 60)', 5],
  ['min(a, 60)', 1],
  ['avg(a + 1, 60)', undefined],
])('%s is %s', (expr, expected) => {
  expect(value(expr, now)).toBe(expected)
})

test('a window that is not covered says nothing', () => {
  expect(evaluateExpression(treeOf('avg(a, 60)'), { moment: now, easier: false, ...covered(undefined) })).toBeUndefined()
  const requested: unknown[] = []
  const windowOf = (...args: unknown[]) => {
    requested.push(args.slice(0, 4))
    return [1]
  }
  evaluateExpression(treeOf('max(a, 60)'), { moment: now, easier: false, windowOf })
  expect(requested).toEqual([['a', 60, 0.75, false]])
})

test('a value is fresh as long as a gap may be, and known as long as the oldest it looks at', () => {
  const rows: Row[] = [
    [0, { a: 4 }],
    [20, { b: 1 }],
  ]
  expect(judged('a > 3', after(rows, {}, { at: 30 }))).toEqual([true, false, 0])
  expect(judged('a > 3', after(rows, {}, { at: 31 }))).toEqual([undefined, undefined, 0])
  expect(judged('a > 3 and b > 0', after(rows))).toEqual([true, false, 10])
  expect(judged('b > 0', after(rows))).toEqual([true, false, 30])
  expect(judged('param.max > 5', after(rows, { max: 6 }))).toEqual([true, false, 30])
  // A number is neither true nor false.
  expect(judged('a + 1', after(rows))).toEqual([undefined, undefined, 0])
})

test('an open alarm lets go 5 % inside each number it is compared with', () => {
  const end = (expr: string, a: number) => judged(expr, after([[0, { a }]]))[1]
  expect([end('a > 100', 95.1), end('a > 100', 95)]).toEqual([false, true])
  expect([end('a >= 100', 95), end('a >= 100', 94.9)]).toEqual([false, true])
  expect([end('a < 100', 104.9), end('a < 100', 105)]).toEqual([false, true])
  expect([end('a <= -100', -95), end('a <= -100', -94.9)]).toEqual([false, true])
  expect([end('a == 100', 100), end('a == 100', 99)]).toEqual([false, true])
  // Only for a literal on the right-hand side.
  expect([end('a > 50 * 2', 99), end('100 < a', 99)]).toEqual([true, true])
  expect(end('not (a > 100)', 99)).toBe(false)
  expect(end('a > 100 and a > 0', 96)).toBe(false)
})

const volts = (...v: (number | undefined)[]) =>
  after([[0, Object.fromEntries(['voltageA', 'voltageB', 'voltageC'].flatMap((key, i) => (v[i] === undefined ? [] : [[key, v[i]]])))]])
test.each<[string, (number | undefined)[], Evaluated]>([
  ['any(v < 50)', [220, 10, 220], true],
  ['any(v < 50)', [220, 220, 220], false],
  ['any(v < 50)', [220, undefined, 10], true],
  ['any(v < 50)', [220, undefined, 220], undefined],
  ['all(v < 50)', [10, 10, 10], true],
  ['all(v < 50)', [10, 10, 220], false],
  ['all(v < 50)', [undefined, 10, 220], false],
  ['all(v < 50)', [10, 10, undefined], undefined],
  ['any(v < 50) and not all(v < 50)', [10, 10, 10], false],
])('%s of %j', (expr, list, expected) => {
  expect(value(expr, volts(...list))).toBe(expected)
})
test('one phase where the meter has one, currents as well as voltages, and any of what has no phases', () => {
  expect(value('all(v < 50)', { ...volts(10, 220, 220), params: { phase: 1 } })).toBe(true)
  expect(value('all(v < 50)', { ...volts(10, 220, 220), params: { phase: '1' } })).toBe(true)
  expect(value('all(v < 50)', { ...volts(10, 220, 220), params: { phase: 3 } })).toBe(false)
  const m = after([[0, { a: 4, currentA: 1, currentB: 2, currentC: 90, voltageA: 220, voltageB: 220, voltageC: 1 }]])
  expect([value('any(i > 80)', m), value('any(i > 80 and v > 100)', m), value('all(a > 3)', m), value('any(a > 5)', m)]).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('any time and all the time of a window', () => {
  const window = (expr: string, rows: Row[], more: { at?: number; periodStart?: number } = {}) => judged(expr, after(rows, {}, more))[0]
  const steady = (...values: number[]): Row[] => values.map((a, i) => [i * 10, { a }])
  expect(window('any(a > 5, 40)', steady(9, 1, 1, 1))).toBe(true)
  expect(window('any(a > 5, 30)', steady(9, 1, 1, 1))).toBe(false)
  expect(window('any(a > 5, 40)', steady(1, 1, 1, 1))).toBe(false)
  expect(window('any(a > 5, 400)', steady(1, 1, 1, 1))).toBeUndefined()
  expect(window('all(a > 5, 40)', steady(9, 9, 9, 9))).toBe(true)
  expect(window('all(a > 5, 40)', steady(9, 9, 1, 9))).toBe(false)
  expect(window('all(a > 5, 400)', steady(9, 9, 9, 9))).toBeUndefined()
  expect(window('all(a > 5, 40)', steady(1, 9, 9, 9), { periodStart: 10 })).toBe(true)
  expect(window('all(a > 5, 40)', steady(1, 9, 9, 9), { periodStart: 0 })).toBe(false)
  // Values are combined only within the same reading.
  expect(
    window('any(a > 5 and b > 5, 40)', [
      [0, { a: 9, b: 1 }],
      [10, { a: 1, b: 9 }],
      [20, { a: 1, b: 1 }],
      [30, { a: 1, b: 1 }],
    ]),
  ).toBe(false)
  expect(
    window('all(a > 5 and b > 5, 40)', [
      [0, { a: 9 }],
      [10, { a: 9, b: 9 }],
      [20, { a: 9, b: 9 }],
      [30, { a: 9, b: 9 }],
    ]),
  ).toBeUndefined()
  expect(window('all(1 > 0, 40)', steady(9, 9, 9, 9))).toBeUndefined()
})

test('what an expression looks at, and how far back', () => {
  expect(expressionMetrics(treeOf('a > b and a > 0'))).toEqual(['a', 'b'])
  expect(expressionMetrics(treeOf('any(v < 50)'))).toEqual(['voltageA', 'voltageB', 'voltageC'])
  expect(expressionMetrics(treeOf('any(i < 50)'))).toEqual(['currentA', 'currentB', 'currentC'])
  expect(expressionMetrics(treeOf('param.a > 1'))).toEqual([])
  expect(expressionLookBack(treeOf('avg(a, 60) > max(b, 300)'))).toBe(300)
  expect(treeOf('a > 1')).toBe(treeOf('a > 1'))
  for (let i = 0; i < 6_000; i++) treeOf(`a > ${i}`)
  expect(treeOf('a > 1')).toEqual(treeOf('a > 1'))
})
