import { checkCondition, type RuleCondition } from '@zhugong/contract/rules/conditions'
import { describe, expect, test } from 'vitest'
import { Budget } from './budget.ts'
import { holds, isTimed, lookBackOf, metricsOf, nextTurn, over, samplesOf, shownMetric, thresholdsOf } from './conditions.ts'
import { Memory } from './history.ts'
import { clearLimitOf, limitOf, operatorOf } from './limits.ts'
import type { Facts, FenceName, Moment, Truth } from './moment.ts'

const valid = (raw: object): RuleCondition => {
  const { condition, problems } = checkCondition(raw)
  if (!condition) throw new Error(JSON.stringify(problems))
  return condition
}
type Row = [second: number, values: Record<string, unknown> | number | undefined, quality?: Record<string, string>]
interface About {
  at?: number
  params?: Record<string, unknown>
  facts?: Facts
  periodStart?: number
  comparableSince?: number
  unit?: string
  interval?: number
  gap?: number
  values?: Record<string, unknown>
}
const kept = ['v', 'w', 'speed', 'longitude', 'latitude', 'x', 'y', 'a', 'b']

/** The evaluation moment after the given rows of [second, value of `v` or values]. */
function after(rows: readonly Row[], about: About = {}): Moment {
  const gap = (about.gap ?? 30) * 1000
  const memory = new Memory(new Map(kept.map((metric) => [metric, 10 * 86_400_000])), gap)
  let newest: Record<string, unknown> = {}
  for (const [second, given, quality] of rows) {
    const values: Record<string, unknown> = typeof given === 'object' ? given : given === undefined ? {} : { v: given }
    memory.add({ time: second * 1000, mark: 0, values, quality })
    newest = values
  }
  if (about.comparableSince !== undefined) memory.comparableSince = about.comparableSince * 1000
  return {
    time: (about.at ?? rows.at(-1)?.[0] ?? 0) * 1000,
    memory,
    budget: new Budget(),
    values: about.values ?? newest,
    params: about.params ?? {},
    intervalMs: (about.interval ?? 10) * 1000,
    maxGapMs: gap,
    periodStart: about.periodStart === undefined ? Number.NEGATIVE_INFINITY : about.periodStart * 1000,
    facts: about.facts ?? {},
    unitOf: () => about.unit,
  }
}
/** Whether the condition holds, whether it is over, and for how many seconds each result is valid. */
function judged(raw: object, m: Moment): [Truth, Truth, number, number] {
  const c = valid(raw)
  const [now, end] = [holds(c, m), over(c, m)]
  return [now.truth, end.truth, (now.until - m.time) / 1000, (end.until - m.time) / 1000]
}
const truth = (raw: object, m: Moment) => holds(valid(raw), m).truth
const ended = (raw: object, m: Moment) => over(valid(raw), m).truth
const threshold = (op: string, value: number, more: object = {}) => ({ type: 'threshold', metric: 'v', op, value, ...more })
const each = (from: number, to: number, step: number, value: number): Row[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => [from + i * step, value])

describe('operators', () => {
  test.each<[string, boolean[], number]>([
    ['>=', [false, true, true], 1],
    ['>', [false, false, true], 1],
    ['<=', [true, true, false], -1],
    ['<', [true, false, false], -1],
    ['==', [false, true, false], 0],
    ['!=', [true, false, true], 0],
  ])('%s', (op, expected, side) => {
    const { compare, absolute } = operatorOf(op)
    expect([1, 2, 3].map((v) => compare(v, 2))).toEqual(expected)
    expect([operatorOf(op).side, absolute]).toEqual([side, false])
    expect([operatorOf(`abs${op}`).side, operatorOf(`abs${op}`).absolute]).toEqual([side, true])
    expect([1, 2, 3].map((v) => truth(threshold(op, 2), after([[0, v]])))).toEqual(expected)
    expect([-1, -2, -3].map((v) => truth(threshold(`abs${op}`, 2), after([[0, v]])))).toEqual(expected)
  })
  test('one that is none is never true', () => {
    expect(operatorOf('~').compare(1, 1)).toBe(false)
  })
})

describe('limits', () => {
  const around = (params: Record<string, unknown>, unit = 't') => ({ params, unitOf: () => unit })
  const limit = (more: object, params: Record<string, unknown> = {}) => limitOf({ op: '>=', ...more } as never, around(params))
  test('a parameter’s value chooses, else a parameter counts, else its default, else the number', () => {
    const all = { byParam: { stage: { earth: 700, '2': 600 } }, param: 'max', factor: 0.5, default: 8, value: 5 }
    expect(limit(all, { stage: 'earth', max: 10 })).toBe(700)
    expect(limit(all, { stage: 2 })).toBe(600)
    expect(limit(all, { stage: 'other', max: 10 })).toBe(5)
    expect(limit(all, { max: '12' })).toBe(6)
    expect(limit(all, {})).toBe(4)
    expect(limit({ param: 'max', value: 5 }, {})).toBe(5)
    expect(limit({ param: 'max' }, { max: 7 })).toBe(7)
    expect(limit({ param: 'max' }, {})).toBeUndefined()
  })
  test.each([
    ['', 5],
    [' ', 5],
    ['x', 5],
    [true, 5],
    [null, 5],
    [Number.NaN, 5],
    ['0', 0],
    [' 3 ', 3],
  ])('a parameter of %j', (max, expected) => {
    expect(limit({ param: 'max', value: 5 }, { max })).toBe(expected)
  })
  test.each<[string, number, string, number | undefined]>([
    ['>=', 100, 't', 95],
    ['>', -100, 't', -105],
    ['<=', 100, 't', 105],
    ['<', -100, 't', -95],
    ['==', 100, 't', 100],
    ['abs>=', 100, 't', 95],
    ['>=', 100, '%', 98],
    ['<=', 100, '%', 102],
  ])('%s %d in %s lets go at %s', (op, value, unit, expected) => {
    expect(clearLimitOf({ op, value, metric: 'v' } as never, around({}, unit))).toBeCloseTo(expected ?? 0, 9)
  })
  test('its own clear value goes before, and without a limit there is none', () => {
    expect(clearLimitOf({ op: '>=', value: 100, clearValue: 0, metric: 'v' }, around({}))).toBe(0)
    expect(clearLimitOf({ op: '>=', param: 'max' }, around({}))).toBeUndefined()
    expect(clearLimitOf({ value: 100 }, around({}))).toBeUndefined()
    const c = { type: 'threshold', metric: 'v', op: '>=', param: 'max' }
    expect(judged(c, after([[0, 5]]))).toEqual([undefined, undefined, 0, 0])
  })
})

describe('a threshold', () => {
  test('is known as long as its value is fresh', () => {
    expect(judged(threshold('>=', 90), after([[0, 90]], { at: 10 }))).toEqual([true, false, 20, 20])
    expect(judged(threshold('>=', 90), after([[0, 90]], { at: 30 }))).toEqual([true, false, 0, 0])
    expect(judged(threshold('>=', 90), after([[0, 90]], { at: 30.001 }))).toEqual([undefined, undefined, 0, 0])
  })
  test('takes another metric only where its own is not known', () => {
    const c = threshold('>=', 5, { fallbackMetric: 'w' })
    expect(truth(c, after([[0, { v: 4, w: 9 }]]))).toBe(false)
    expect(truth(c, after([[0, { w: 9 }]]))).toBe(true)
    expect(truth(c, after([[0, {}]]))).toBeUndefined()
    expect(truth(c, after([[0, { v: Number.NaN, w: 9 }]]))).toBe(true)
  })
  test.each<[string, number[], number | undefined]>([
    ['avg', [1, 2, 3, 6], 3],
    ['sum', [1, 2, 3, 6], 12],
    ['max', [1, 9, 3, 6], 9],
    ['min', [4, 9, 3, 6], 3],
    ['max', [-9, -1], -1],
  ])('window %s of %j', (window, list, value) => {
    const rows = list.map((v, i): Row => [i * 10, v])
    const ask = (op: string, limit: number) => truth(threshold(op, limit, { window, windowSeconds: list.length * 10 }), after(rows))
    expect([ask('>=', value ?? 0), ask('>', value ?? 0)]).toEqual([true, false])
  })
  test('a window of sizes takes each size before it counts', () => {
    const rows: Row[] = [
      [0, -6],
      [10, 2],
    ]
    expect(truth(threshold('abs>=', 4, { windowSeconds: 20 }), after(rows))).toBe(true)
    expect(truth(threshold('abs>=', 5, { windowSeconds: 20 }), after(rows))).toBe(false)
    expect(truth(threshold('>=', -2, { windowSeconds: 20 }), after(rows))).toBe(true)
  })
  test('window coverage: each reading stands for one interval before it, however densely they came', () => {
    const c = threshold('>', 0, { windowSeconds: 40 })
    expect(truth(c, after(each(0, 20, 10, 1)))).toBe(true)
    expect(truth(c, after(each(0, 10, 10, 1)))).toBeUndefined()
    // Nine readings within a second cover one interval.
    expect(truth(c, after(each(0, 1, 0.1, 1)))).toBeUndefined()
    expect(truth(threshold('>', 0, { windowSeconds: 40, minCoverage: 0.5 }), after(each(0, 10, 10, 1)))).toBe(true)
    expect(truth(threshold('>', 0, { windowSeconds: 40, minCoverage: 0 }), after([]))).toBeUndefined()
    // A reading at the window's edge covers only its part within.
    expect(truth(c, after([[-35, 1], ...each(0, 0, 10, 1), [-20, 1]], { at: 4 }))).toBeUndefined()
  })
  test('a window forgets what is older than it, and never reaches behind its period', () => {
    const rows = [...each(0, 30, 10, 100), ...each(40, 70, 10, 0)]
    expect(truth(threshold('>', 0, { windowSeconds: 40, window: 'max' }), after(rows))).toBe(false)
    expect(truth(threshold('>', 0, { windowSeconds: 40.001, window: 'max' }), after(rows))).toBe(true)
    const quiet = threshold('>', 50, { windowSeconds: 80 })
    expect(truth(quiet, after(rows))).toBe(false)
    expect(truth(threshold('>', 40, { windowSeconds: 80 }), after(rows))).toBe(true)
    expect(truth(threshold('>', 40, { windowSeconds: 80, minCoverage: 0.3 }), after(rows, { periodStart: 40 }))).toBe(false)
    expect(truth(threshold('>', 40, { windowSeconds: 80 }), after(rows, { periodStart: 40 }))).toBeUndefined()
    expect(truth(threshold('>=', 20, { windowSeconds: 80, minCoverage: 0.3 }), after(rows, { periodStart: 30 }))).toBe(true)
  })
  test('a window is known for as long as a gap may be, and asks the other metric where it is not covered', () => {
    expect(judged(threshold('>', 0, { windowSeconds: 20 }), after(each(0, 10, 10, 1)))).toEqual([true, false, 30, 30])
    const c = threshold('>', 5, { windowSeconds: 20, fallbackMetric: 'w' })
    expect(
      truth(
        c,
        after([
          [0, { w: 9 }],
          [10, { w: 9, v: 1 }],
        ]),
      ),
    ).toBe(true)
    expect(
      truth(
        c,
        after([
          [0, { w: 9, v: 1 }],
          [10, { w: 9, v: 1 }],
        ]),
      ),
    ).toBe(false)
  })
})

test.each<[string, object, number, Truth, Truth]>([
  ['above', { low: 10, high: 20 }, 20.1, true, false],
  ['at the upper end', { low: 10, high: 20 }, 20, false, false],
  ['just inside the margin', { low: 10, high: 20 }, 19.6, false, false],
  ['inside it', { low: 10, high: 20 }, 19.5, false, true],
  ['below', { low: 10, high: 20 }, 9.9, true, false],
  ['at the lower end', { low: 10, high: 20 }, 10, false, false],
  ['inside it from below', { low: 10, high: 20 }, 10.5, false, true],
  ['a margin of its own', { low: 10, high: 20, clearMargin: 2 }, 18.1, false, false],
  ['and inside that', { low: 10, high: 20, clearMargin: 2 }, 18, false, true],
  ['only a lower end', { low: 10 }, 9, true, false],
  ['nothing above it', { low: 10 }, 1e9, false, true],
  ['at the only end', { low: 10 }, 10, false, true],
  ['only an upper end', { high: 20 }, 21, true, false],
  ['nothing below it', { high: 20 }, -1e9, false, true],
  ['within what is forbidden', { low: 10, high: 20, inside: true }, 10, true, false],
  ['at its upper end', { low: 10, high: 20, inside: true }, 20, true, false],
  ['just outside', { low: 10, high: 20, inside: true }, 20.1, false, false],
  ['outside its margin', { low: 10, high: 20, inside: true }, 20.6, false, true],
  ['outside its margin from below', { low: 10, high: 20, inside: true }, 9.4, false, true],
])('range: %s', (_name, more, value, now, end) => {
  expect(judged({ type: 'range', metric: 'v', ...more }, after([[0, value]]))).toEqual([now, end, 30, 30])
  expect(judged({ type: 'range', metric: 'v', ...more }, after([]))).toEqual([undefined, undefined, 0, 0])
})

test.each<[string, object, unknown, Truth]>([
  ['a code', { equals: '3' }, '3', true],
  ['a code as a number', { equals: 3 }, '3', true],
  ['a flag', { equals: true }, true, true],
  ['a flag that is down', { equals: false }, false, true],
  ['another', { equals: true }, false, false],
  ['not a code', { notEquals: '3' }, '3', false],
  ['not that code', { notEquals: '3' }, '4', true],
  ['bit 0', { bit: 0 }, 1, true],
  ['bit 1', { bit: 1 }, 1, false],
  ['bit 40', { bit: 40 }, 2 ** 40, true],
  ['a bit that is down', { bit: 1, equals: false }, 1, true],
  ['a bit of a text', { bit: 2 }, '100', true],
  ['a bit of a text that is down', { bit: 1 }, '100', false],
  ['a bit beyond a text', { bit: 5 }, '100', false],
  ['a bit of what is no word of bits', { bit: 0 }, '102', undefined],
  ['a bit before one', { bit: 0 }, 'x1', undefined],
  ['a bit behind one', { bit: 0 }, '1x', undefined],
  ['a bit of a flag', { bit: 0 }, true, undefined],
])('state: %s', (_name, more, value, expected) => {
  const c = { type: 'state', metric: 'v', ...more }
  expect(judged(c, after([[0, { v: value }]], { at: 10 }))).toEqual([
    expected,
    expected === undefined ? undefined : !expected,
    expected === undefined ? 0 : 20,
    expected === undefined ? 0 : 20,
  ])
  expect(truth(c, after([]))).toBeUndefined()
})

describe('a rate', () => {
  const rate = (op: string, value: number, more: object = {}) => ({ type: 'rate', metric: 'v', op, value, perSeconds: 100, ...more })
  test('goes by the newest value at least three quarters of a period older', () => {
    const rows: Row[] = [
      [0, 0],
      [25, 10],
      [26, 100],
      [100, 25],
    ]
    // From second 25: 15 in 75 s, which is 20 in 100 s.
    expect(judged(rate('>=', 20), after(rows))).toEqual([true, false, 30, 30])
    expect(truth(rate('>', 20), after(rows))).toBe(false)
    // A share of the device's own parameter; unknown until it is set.
    const own = rate('>=', 0, { value: undefined, param: 'controlRate', factor: 0.5 })
    expect(truth(own, after(rows, { params: { controlRate: 40 } }))).toBe(true)
    expect(truth(own, after(rows, { params: { controlRate: 41 } }))).toBe(false)
    expect(truth(own, after(rows))).toBeUndefined()
    expect(truth(rate('>', 0), after(rows, { periodStart: 26 }))).toBeUndefined()
    expect(truth(rate('>', 0), after(rows, { periodStart: 25 }))).toBe(true)
    expect(truth(rate('>', 0), after(rows.slice(2)))).toBeUndefined()
    expect(truth(rate('>', 0), after([[0, 1]]))).toBeUndefined()
    expect(
      truth(
        rate('>', 0),
        after([
          [0, 1],
          [100, { w: 1 }],
        ]),
      ),
    ).toBeUndefined()
  })
  test('falls as well as rises, and lets go a little inside', () => {
    const fall: Row[] = [
      [0, 100],
      [100, 80],
    ]
    expect(truth(rate('<=', -20), after(fall))).toBe(true)
    expect(truth(rate('abs>=', 20), after(fall))).toBe(true)
    expect(truth(rate('>=', 20), after(fall))).toBe(false)
    const end = (to: number, more: object = {}) =>
      ended(
        rate('abs>=', 20, more),
        after([
          [0, 100],
          [100, 100 - to],
        ]),
      )
    expect([end(19.5), end(18.9), end(18.9, { clearValue: 10 }), end(9, { clearValue: 10 })]).toEqual([false, true, false, true])
  })
  test('stays known as long as its newest value', () => {
    expect(
      judged(
        rate('>=', 20),
        after(
          [
            [0, 0],
            [100, 30],
          ],
          { at: 120 },
        ),
      ),
    ).toEqual([true, false, 10, 10])
  })
})

describe('a value that never changes', () => {
  const constant = { type: 'constant', metric: 'v', seconds: 60 }
  test('is constant when the whole time is covered without a gap', () => {
    expect(judged(constant, after(each(0, 50, 10, 5)))).toEqual([true, false, 30, 30])
    expect(truth(constant, after(each(0, 40, 10, 5)))).toBeUndefined()
    expect(truth(constant, after([[-20, 5], [-10, 4], ...each(0, 50, 10, 5)]))).toBe(false)
    expect(truth(constant, after([[-20, 5], [-10, 4], ...each(0, 60, 10, 5)]))).toBe(true)
    expect(truth(constant, after([...each(0, 40, 10, 5), [50, 6]]))).toBe(false)
    // Thirty seconds are within the gap limit, 31 are not.
    expect(truth(constant, after([...each(0, 10, 10, 5), ...each(40, 60, 10, 5)]))).toBe(true)
    expect(truth(constant, after([...each(0, 10, 10, 5), ...each(41, 61, 10, 5)]))).toBeUndefined()
    expect(truth(constant, after([]))).toBeUndefined()
    expect(truth(constant, after(each(0, 60, 10, 5), { periodStart: 20 }))).toBeUndefined()
    expect(truth(constant, after([[0, 4], ...each(10, 70, 10, 5)], { periodStart: 10 }))).toBe(true)
  })
  test('turns by the clock alone when it has been the same so long', () => {
    const turn = (rows: Row[], about: About = {}) => {
      const at = nextTurn(valid(constant), after(rows, about))
      return at === undefined ? undefined : at / 1000
    }
    expect(turn(each(0, 30, 10, 5))).toBe(50)
    expect(turn([[-10, 4], ...each(0, 30, 10, 5)])).toBe(60)
    expect(turn([[0, 5], ...each(40, 60, 10, 5)])).toBe(100)
    expect(turn([[0, 5], ...each(30, 60, 10, 5)])).toBeUndefined()
    expect(turn([...each(0, 30, 10, 5), [40, 6]])).toBe(100)
    expect(turn([])).toBeUndefined()
    expect(turn(each(0, 30, 10, 5), { periodStart: 20 })).toBe(70)
  })
})

describe('a jump against the average of the last', () => {
  const jump = (more: object = {}) => ({ type: 'ratioToAverage', metrics: ['a', 'b'], samples: 2, factor: 1.5, minAbs: 2, ...more })
  const rows = (...values: [number, number][]) => values.map(([a, b], i): Row => [i * 10, { a, b }])
  test('any of its metrics is enough, by size', () => {
    expect(judged(jump(), after(rows([10, 10], [10, 10], [15.1, 10])))).toEqual([true, false, 30, 30])
    expect(truth(jump(), after(rows([10, 10], [10, 10], [15, 10])))).toBe(false)
    expect(truth(jump(), after(rows([10, 10], [10, 10], [10, -16])))).toBe(true)
    expect(truth(jump(), after(rows([-10, 10], [10, -10], [14, -14])))).toBe(false)
    expect(truth(jump(), after(rows([1, 1], [1, 1], [1.9, 1])))).toBe(false)
    expect(truth(jump(), after(rows([1, 1], [1, 1], [2, 1])))).toBe(true)
    expect(truth(jump({ minAbs: undefined }), after(rows([0, 0], [0, 0], [0.1, 0])))).toBe(true)
    expect(truth(jump(), after(rows([10, 10], [90, 10])))).toBeUndefined()
    expect(truth(jump(), after(rows([90, 90], [10, 10], [10, 10], [16, 10])))).toBe(true)
    expect(truth(jump(), after(rows([10, 10], [10, 10], [16, 10]), { periodStart: 1 }))).toBeUndefined()
    expect(truth(jump(), after([...rows([10, 10], [10, 10]), [20, {}]], { at: 50 }))).toBeUndefined()
  })
  test('lets go a little inside', () => {
    const end = (a: number) => ended(jump(), after(rows([10, 10], [10, 10], [a, 10])))
    expect([end(14.3), end(14.2)]).toEqual([false, true])
  })
})

test('deviation from what the same one had before', () => {
  const c = { type: 'deviationFromHistory', metric: 'v', by: 'plate', samples: 2, absolute: 1 }
  const requested: unknown[] = []
  const facts = (...values: number[]): Facts => ({
    recordValues: (...args) => {
      requested.push(args)
      return values
    },
  })
  const of = (v: unknown, known: number[], plate: unknown = 'A') => judged(c, after([[7, { v, plate }]], { facts: facts(...known) }))
  expect(of(12, [10, 11])).toEqual([true, false, 30, 30])
  expect(of(11.5, [10, 11])).toEqual([false, false, 30, 30])
  expect(of(11.4, [10, 11])).toEqual([false, true, 30, 30])
  expect(of(9.4, [10, 11])).toEqual([true, false, 30, 30])
  expect(requested[0]).toEqual(['', 'v', 'plate', 'A', 7000, 2])
  for (const unknown of [of(12, [10]), of('12', [10, 11]), of(12, [10, 11], null), of(undefined, [10, 11])])
    expect(unknown).toEqual([undefined, undefined, 0, 0])
  expect(truth(c, after([[7, { v: 12 }]], { facts: facts(10, 11) }))).toBeUndefined()
  expect(truth(c, after([[7, { v: 12, plate: 'A' }]]))).toBeUndefined()
})

test.each<[string, Row[], Truth, About?]>([
  [
    'less than before',
    [
      [0, 12_000],
      [10, 11_999],
    ],
    true,
  ],
  [
    'the same',
    [
      [0, 12_000],
      [10, 12_000],
    ],
    false,
  ],
  [
    'more',
    [
      [0, 12_000],
      [10, 12_001],
    ],
    false,
  ],
  ['alone', [[0, 12_000]], undefined],
  [
    'counter roll-over at five digits',
    [
      [0, 95_000],
      [10, 5_000],
    ],
    false,
  ],
  [
    'too far below the last digit',
    [
      [0, 89_000],
      [10, 5_000],
    ],
    true,
  ],
  [
    'too far after it',
    [
      [0, 95_000],
      [10, 15_000],
    ],
    true,
  ],
  [
    'roll-over exactly at the edges',
    [
      [0, 90_000],
      [10, 10_000],
    ],
    false,
  ],
  [
    'a counter of four digits',
    [
      [0, 9_900],
      [10, 5],
    ],
    false,
  ],
  [
    'a counter of three digits is no register',
    [
      [0, 990],
      [10, 5],
    ],
    true,
  ],
  [
    'from zero',
    [
      [0, 0],
      [10, -1],
    ],
    true,
  ],
  [
    'the first number of one digit more',
    [
      [0, 10_000],
      [10, 1],
    ],
    true,
  ],
  [
    'another meter',
    [
      [0, 12_000],
      [10, 3],
    ],
    undefined,
    { comparableSince: 10 },
  ],
  [
    'the same meter',
    [
      [0, 12_000],
      [10, 3],
    ],
    true,
    { comparableSince: 0 },
  ],
  [
    'another period',
    [
      [0, 12_000],
      [10, 3],
    ],
    undefined,
    { periodStart: 10 },
  ],
  [
    'the value before is not known',
    [
      [0, { w: 1 }],
      [10, 3],
    ],
    undefined,
  ],
])('a counter: %s', (_name, rows, expected, about) => {
  expect(truth({ type: 'counterDecrease', metric: 'v' }, after(rows, about))).toBe(expected)
})
test('a counter that is no longer fresh says nothing, a fresh one as long as it is', () => {
  const c = { type: 'counterDecrease', metric: 'v' }
  expect(
    judged(
      c,
      after(
        [
          [0, 2],
          [10, 1],
        ],
        { at: 20 },
      ),
    ),
  ).toEqual([true, false, 20, 20])
  expect(
    truth(
      c,
      after(
        [
          [0, 2],
          [10, 1],
        ],
        { at: 41 },
      ),
    ),
  ).toBeUndefined()
})

describe('so often within a time', () => {
  const often = (more: object = {}) => ({ type: 'countInWindow', metric: 'v', op: '>', value: 90, count: 2, windowSeconds: 60, ...more })
  test('counts readings that say so', () => {
    expect(
      judged(
        often(),
        after([
          [0, 95],
          [10, 80],
          [20, 95],
        ]),
      ),
    ).toEqual([true, false, 30, 30])
    expect(
      judged(
        often(),
        after([
          [0, 95],
          [10, 80],
        ]),
      ),
    ).toEqual([false, true, 30, 30])
    expect(
      truth(
        often(),
        after([
          [0, 95],
          [60, 95],
        ]),
      ),
    ).toBe(false)
    expect(
      truth(
        often(),
        after([
          [0.001, 95],
          [60, 95],
        ]),
      ),
    ).toBe(true)
    expect(
      truth(
        often(),
        after(
          [
            [0, 95],
            [20, 95],
          ],
          { periodStart: 1 },
        ),
      ),
    ).toBe(false)
    expect(
      truth(
        often(),
        after(
          [
            [0, 95],
            [20, 95],
          ],
          { periodStart: 0 },
        ),
      ),
    ).toBe(true)
    expect(truth(often(), after([]))).toBe(false)
  })
  test('what may have said so leaves it open', () => {
    const of = { type: 'and', of: [threshold('>', 90), { type: 'threshold', metric: 'w', op: '>', value: 0 }] }
    const c = often({ metric: undefined, op: undefined, value: undefined, of })
    expect(
      truth(
        c,
        after([
          [0, { v: 95, w: 1 }],
          [10, { v: 95 }],
        ]),
      ),
    ).toBeUndefined()
    expect(
      truth(
        c,
        after([
          [0, { v: 95, w: 1 }],
          [10, { v: 80 }],
        ]),
      ),
    ).toBe(false)
    expect(
      truth(
        c,
        after([
          [0, { v: 95, w: 1 }],
          [10, { v: 95, w: 1 }],
        ]),
      ),
    ).toBe(true)
    expect(
      truth(
        c,
        after([
          [0, { v: 95 }],
          [10, { v: 95 }],
        ]),
      ),
    ).toBeUndefined()
    expect(
      truth(
        c,
        after([
          [0, { v: 95 }],
          [10, { v: 80, w: 1 }],
        ]),
      ),
    ).toBe(false)
  })
  test('a late reading changes an answer that was worked out before', () => {
    const c = valid(often())
    const m = after([
      [0, 95],
      [10, 80],
      [30, 80],
    ])
    expect(holds(c, m).truth).toBe(false)
    m.memory.add({ time: 20_000, mark: 1, values: { v: 95 } })
    expect(holds(c, m).truth).toBe(true)
  })
  test('days in a row count by the days of Shanghai, the last of them today', () => {
    const day = 86_400
    const first = 16 * 3600
    const c = often({ consecutiveDays: true, windowSeconds: 5 * day })
    const on = (...seconds: number[]) =>
      truth(
        c,
        after(
          seconds.map((s): Row => [s, 95]),
          { gap: 2 * day },
        ),
      )
    expect(on(first, first + day)).toBe(true)
    expect(on(first - 1, first)).toBe(true)
    expect(on(first, first + day - 1)).toBe(false)
    expect(on(first, first + 2 * day)).toBe(false)
    expect(
      truth(
        c,
        after(
          [
            [first, 95],
            [first + day, 95],
            [first + 2 * day, 80],
          ],
          { gap: 2 * day },
        ),
      ),
    ).toBe(false)
  })
  test('records count by whom they are about', () => {
    const requested: unknown[] = []
    const facts: Facts = {
      recordTimes: (...args) => {
        requested.push(args)
        return [1, 2]
      },
    }
    const c = { type: 'countInWindow', record: 'weighRecord', by: 'plate', count: 2, windowSeconds: 60 }
    expect(judged(c, after([[100, { plate: 'A' }]], { facts }))).toEqual([true, false, 30, 30])
    expect(truth({ ...c, count: 3 }, after([[100, { plate: 'A' }]], { facts }))).toBe(false)
    expect(requested[0]).toEqual(['weighRecord', 'plate', 'A', 40_000, 100_000])
    for (const plate of [undefined, null, '']) expect(truth(c, after([[100, { plate }]], { facts }))).toBeUndefined()
    expect(truth(c, after([[100, { plate: 'A' }]]))).toBeUndefined()
    expect(truth({ ...c, by: undefined }, after([[100, {}]], { facts }))).toBe(true)
    expect(requested.at(-1)).toEqual(['weighRecord', undefined, undefined, 40_000, 100_000])
    expect(truth(c, after([[100, { plate: 'A' }]], { facts, periodStart: 90 }))).toBe(true)
    expect(requested.at(-1)).toEqual(['weighRecord', 'plate', 'A', 89_999, 100_000])
  })
})

const square = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
] as const
const at = (second: number, lng: number, lat = 1): Row => [second, { longitude: lng, latitude: lat }]
const fence = (mode: string, more: object = { polygon: square }) => ({ type: 'geofence', mode, ...more })

describe('a fence', () => {
  test.each<[string, Truth, Truth]>([
    ['inside', true, false],
    ['enter', true, false],
    ['outside', false, true],
    ['exit', false, true],
  ])('%s', (mode, within, without) => {
    expect(judged(fence(mode), after([at(0, 1)], { at: 10 }))).toEqual([within, !within, 20, 20])
    expect(truth(fence(mode), after([at(0, 3)]))).toBe(without)
  })
  test('as many positions in a row as it takes to be sure, not too far apart', () => {
    const twice = fence('enter', { polygon: square, confirmSamples: 2 })
    expect(truth(twice, after([at(0, 1)]))).toBeUndefined()
    expect(truth(twice, after([at(0, 1), at(10, 1)]))).toBe(true)
    expect(truth(twice, after([at(0, 3), at(10, 1)]))).toBe(false)
    expect(truth(twice, after([at(0, 1), at(10, 3)]))).toBe(false)
    expect(truth(twice, after([at(0, 1), at(60, 1)]))).toBe(true)
    expect(truth(twice, after([at(0, 1), at(60.001, 1)]))).toBeUndefined()
    expect(truth(twice, after([[0, { longitude: 1 }], at(10, 1)]))).toBeUndefined()
  })
  test('who leaves has been outside as often as it takes, in a row', () => {
    const inside = fence('inside', { polygon: square, confirmSamples: 2 })
    expect(ended(inside, after([at(0, 1), at(10, 3)]))).toBe(false)
    expect(ended(inside, after([at(0, 3), at(10, 3)]))).toBe(true)
    expect(ended(inside, after([at(0, 3), at(10, 1)]))).toBe(false)
    expect(ended(inside, after([at(0, 3)]))).toBeUndefined()
    const outside = fence('exit', { polygon: square, confirmSamples: 2 })
    expect(judged(outside, after([at(0, 1), at(10, 3)]))).toEqual([false, false, 30, 30])
    expect(judged(outside, after([at(0, 3), at(10, 3)]))).toEqual([true, false, 30, 30])
    expect(judged(outside, after([at(0, 1), at(10, 1)]))).toEqual([false, true, 30, 30])
  })
  test('the buffer counts for leaving only, at its edge too', () => {
    // 0.0005 degrees at the equator are about 56 m.
    const edge = (mode: string, meters: number, lng = 2.0005) =>
      judged(fence(mode, { polygon: square, bufferMeters: meters }), after([at(0, lng)])).slice(0, 2)
    expect([edge('inside', 0), edge('inside', 50), edge('inside', 60)]).toEqual([
      [false, true],
      [false, true],
      [false, false],
    ])
    expect([edge('exit', 0), edge('exit', 50), edge('exit', 60)]).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ])
    expect(edge('inside', 60, -0.0005)).toEqual([false, false])
    expect(edge('exit', 60, 1)).toEqual([false, true])
  })
  test('off its route by more than the buffer', () => {
    const route = (more: object) =>
      fence('outsideRoute', {
        route: [
          [0, 0],
          [0, 1],
        ],
        ...more,
      })
    expect(truth(route({}), after([at(0, 0, 0.5)]))).toBe(false)
    expect(truth(route({}), after([at(0, 0.001, 0.5)]))).toBe(true)
    expect(truth(route({ bufferMeters: 120 }), after([at(0, 0.001, 0.5)]))).toBe(false)
    expect(truth(route({ bufferMeters: 100 }), after([at(0, 0.001, 0.5)]))).toBe(true)
  })
  test('by name: the device’s own goes before the project’s, by id or kind', () => {
    const requested: FenceName[] = []
    const facts: Facts = {
      fence: (name) => {
        requested.push(name)
        return name.kind === 'nothing'
          ? undefined
          : {
              areas: [square],
              routes: [
                [
                  [0, 0],
                  [0, 1],
                ],
              ],
            }
      },
    }
    const named = (more: object, lng: number, params = {}) => truth(fence('inside', more), after([at(0, lng)], { facts, params }))
    expect([named({ fence: 'site' }, 1), named({ fence: 'site' }, 3)]).toEqual([true, false])
    expect(named({ fenceId: 'F1' }, 1)).toBe(true)
    expect(requested.map((a) => JSON.stringify(a))).toEqual(['{"kind":"site"}', '{"kind":"site"}', '{"id":"F1"}'])
    expect(named({ fence: 'nothing' }, 1)).toBeUndefined()
    const far = square.map(([x, y]) => [x + 10, y])
    expect(named({ fence: 'site' }, 1, { fences: { site: far } })).toBe(false)
    expect(named({ fence: 'site' }, 11, { fences: { site: [square, far] } })).toBe(true)
    expect(named({ fence: 'site' }, 1, { fences: { site: 'x' } })).toBe(true)
    expect(named({ fence: 'site' }, 1, { fences: { site: [] } })).toBe(false)
    const off = (lng: number) => truth(fence('outsideRoute', { fence: 'route', bufferMeters: 10 }), after([at(0, lng, 0.5)], { facts }))
    expect([off(0), off(1)]).toEqual([false, true])
    expect(truth(fence('inside', { fence: 'site' }), after([at(0, 1)]))).toBeUndefined()
    expect(
      truth(fence('outsideRoute', { fence: 'site' }), after([at(0, 1)], { facts: { fence: () => ({ areas: [square], routes: [] }) } })),
    ).toBeUndefined()
    expect(
      truth(fence('inside', { fence: 'site' }), after([at(0, 1)], { facts: { fence: () => ({ areas: [], routes: [square] }) } })),
    ).toBeUndefined()
  })
  test('where positions are metres in the site’s plane, so is the fence', () => {
    const requested: FenceName[] = []
    const facts: Facts = {
      fence: (name) => {
        requested.push(name)
        return { areas: [square], routes: [] }
      },
    }
    const rows: Row[] = [[0, { x: 1, y: 1 }]]
    expect(truth(fence('inside', { fence: 'area' }), after(rows, { facts }))).toBe(true)
    expect(requested).toEqual([{ kind: 'area', plane: true }])
    expect(truth(fence('inside', { fence: 'area' }), after([[0, { x: 5, y: 1 }]], { facts }))).toBe(false)
    expect(truth(fence('inside', { fence: 'area' }), after([[0, { y: 1 }]], { facts }))).toBeUndefined()
    expect(truth(fence('inside', { fence: 'area' }), after([[0, { x: 1 }]], { facts }))).toBeUndefined()
  })
  test('an old position says nothing', () => {
    expect(truth(fence('inside'), after([at(0, 1)], { at: 31 }))).toBeUndefined()
    expect(truth(fence('inside'), after([[0, { longitude: 1 }]]))).toBeUndefined()
  })
})

describe('time spent', () => {
  const stay = { type: 'dwell', fence: 'area', seconds: 60 }
  const here: Facts = { fence: () => ({ areas: [square], routes: [] }) }
  const track = (...rows: [number, number][]) =>
    after(
      rows.map(([second, lng]) => at(second, lng)),
      { facts: here },
    )
  test('in an area, without leaving it', () => {
    expect(truth(stay, track([0, 1], [30, 1], [60, 1]))).toBe(true)
    expect(truth(stay, track([0, 1], [30, 1], [59, 1]))).toBe(false)
    expect(truth(stay, track([0, 1], [20, 3], [40, 1], [60, 1]))).toBe(false)
    expect(truth(stay, track([0, 1], [30, 1], [60, 1], [70, 3]))).toBe(false)
    expect(truth(stay, track([0, 1], [31, 1], [61, 1]))).toBe(false)
    expect(truth(stay, after([at(0, 1), at(60, 1)]))).toBeUndefined()
    expect(truth(stay, after([]))).toBeUndefined()
    expect(judged(stay, track([0, 1], [30, 1], [60, 1]))).toEqual([true, false, 30, 30])
  })
  test('goes on between two readings, as long as the last is fresh', () => {
    const later = (second: number) => truth(stay, { ...track([0, 1], [30, 1], [50, 1]), time: second * 1000 })
    expect([later(59.999), later(60), later(80), later(80.001)]).toEqual([false, true, true, undefined])
    expect(nextTurn(valid(stay), track([0, 1], [30, 1]))).toBe(60_000)
    expect(nextTurn(valid(stay), track([0, 1], [30, 3]))).toBeUndefined()
    expect(nextTurn(valid(stay), track([0, 1], [30, 1], [60, 1]))).toBeUndefined()
  })
  const driving = { type: 'dwell', state: 'driving', seconds: 60, resetRestSeconds: 20 }
  const drive = (...rows: [number, number][]) => after(rows.map(([second, speed]): Row => [second, { speed }]))
  test('driving, where short rests do not count as one', () => {
    expect(truth(driving, drive([0, 40], [30, 40], [60, 40]))).toBe(true)
    expect(truth(driving, drive([0, 40], [28, 40], [30, 0], [40, 0], [45, 40], [60, 40]))).toBe(true)
    expect(truth(driving, drive([0, 40], [28, 40], [30, 0], [50, 0], [55, 40], [60, 40]))).toBe(false)
    // 0.5 km/h counts as standing.
    expect(truth(driving, drive([0, 0.5], [30, 0.5], [60, 0.5]))).toBe(false)
    expect(truth(driving, drive([0, 0.6], [30, 0.6], [60, 0.6]))).toBe(true)
    // At the start of a rest the driving before it counts, but not the rest itself.
    expect(truth(driving, drive([0, 40], [30, 40], [60, 40], [70, 0]))).toBe(true)
    expect(truth(driving, drive([0, 40], [30, 40], [55, 40], [65, 0]))).toBe(false)
    expect(truth(driving, drive([0, 40], [30, 40], [60, 40], [70, 0], [90, 0]))).toBe(false)
    // A silence as long as a rest or the gap limit may have been a rest.
    expect(truth(driving, drive([0, 40], [31, 40], [61, 40]))).toBe(false)
    expect(truth({ ...driving, resetRestSeconds: 40 }, drive([0, 40], [31, 40], [61, 40]))).toBe(true)
    expect(truth(driving, { ...drive([0, 40], [30, 40], [60, 40]), periodStart: 30_000 })).toBe(false)
    expect(truth(driving, drive([0, 0]))).toBe(false)
  })
  test('in a state somebody else knows of', () => {
    const c = { type: 'dwell', state: 'onSite', seconds: 60 }
    const since = (value: number | null | undefined) => after([[100, { workerId: 'w' }]], { facts: { stateSince: () => value } })
    expect(judged(c, since(40_000))).toEqual([true, false, 30, 30])
    expect(judged(c, since(40_001))).toEqual([false, true, 30, 30])
    expect([truth(c, since(null)), truth(c, since(undefined)), truth(c, after([[100, {}]]))]).toEqual([false, undefined, undefined])
    const requested: unknown[] = []
    const facts: Facts = { stateSince: (...args) => void requested.push(args) as undefined }
    truth(c, after([[100, { workerId: 'w' }]], { facts }))
    expect(requested).toEqual([['onSite', { workerId: 'w' }, 100_000]])
    expect(nextTurn(valid(c), since(90_000))).toBe(150_000)
    expect(nextTurn(valid(c), since(null))).toBeUndefined()
  })
})

test('a day that falls due: from its first moment in Shanghai, so many days before', () => {
  const due = { type: 'dueDate', param: 'until', daysBefore: 30 }
  const on = (instant: string, until: unknown = '2026-12-31') => after([], { at: Date.parse(instant) / 1000, params: { until } })
  expect(judged(due, on('2026-12-01T00:00:00+08:00'))).toEqual([true, false, 30, 30])
  expect(judged(due, on('2026-11-30T23:59:59+08:00'))).toEqual([false, true, 30, 30])
  expect(truth(due, on('2026-12-01T00:00:00+08:00', '2026-12-31T10:00:00Z'))).toBe(true)
  expect(nextTurn(valid(due), on('2026-11-01T00:00:00+08:00'))).toBe(Date.parse('2026-12-01T00:00:00+08:00'))
  expect(nextTurn(valid(due), on('2026-12-01T00:00:00+08:00'))).toBeUndefined()
  for (const none of [null, '', 'soon', 20261231]) {
    const m = on('2026-12-01T00:00:00+08:00', none)
    expect([truth(due, m), nextTurn(valid(due), m)]).toEqual([undefined, undefined])
  }
})

test('nobody recognised for so long', () => {
  const c = { type: 'noRecord', record: 'r', result: '1', withinSeconds: 60 }
  const requested: unknown[] = []
  const last = (value: number | null | undefined) =>
    after([[100, {}]], {
      facts: {
        lastRecord: (...args) => {
          requested.push(args)
          return value
        },
      },
    })
  expect(judged(c, last(40_000))).toEqual([false, true, 30, 30])
  expect(judged(c, last(39_999))).toEqual([true, false, 30, 30])
  expect([truth(c, last(null)), truth(c, last(undefined)), truth(c, after([]))]).toEqual([true, undefined, undefined])
  expect(requested[0]).toEqual(['r', '1', 100_000])
  expect([nextTurn(valid(c), last(50_000)), nextTurn(valid(c), last(null)), nextTurn(valid(c), last(39_000))]).toEqual([
    110_001,
    undefined,
    undefined,
  ])
})

test('lists, registers and workers are asked for what the reading says', () => {
  const requested: unknown[] = []
  const facts = (answer: Truth): Facts => {
    const say = (...args: unknown[]) => {
      requested.push(args)
      return answer
    }
    return { isListed: say, isRegistered: say, workerIs: say }
  }
  const list = { type: 'inList', metric: 'plate', list: 'L' }
  const registry = { type: 'notInRegistry', metric: 'plate' }
  const worker = { type: 'workerState', state: 'exited' }
  const m = (answer: Truth, plate: unknown = 'A') => after([[5, { plate }]], { facts: facts(answer) })
  expect(judged(list, m(true))).toEqual([true, false, 30, 30])
  expect(judged(registry, m(true))).toEqual([false, true, 30, 30])
  expect(judged(worker, m(true))).toEqual([true, false, 30, 30])
  expect([requested[0], requested[2], requested[4]]).toEqual([
    ['L', 'A'],
    ['plate', 'A'],
    ['exited', { plate: 'A' }, 5000],
  ])
  for (const c of [list, registry, worker]) expect(truth(c, m(undefined))).toBeUndefined()
  for (const c of [list, registry])
    expect([truth(c, m(true, null)), truth(c, after([[5, {}]], { facts: facts(true) }))]).toEqual([undefined, undefined])
  for (const c of [list, registry, worker]) expect(truth(c, after([[5, { plate: 'A' }]]))).toBeUndefined()
})

test('a happening is one whenever it happens, and is never over by itself', () => {
  expect(judged({ type: 'always' }, after([]))).toEqual([true, undefined, 30, 0])
  expect(judged({ type: 'noData', seconds: 60 }, after([]))).toEqual([false, true, 0, 0])
})

test('how many are in an area', () => {
  const c = { type: 'countInArea', op: '>', param: 'most' }
  const n = (count: number | undefined, most: unknown = 3) => after([], { facts: { countInArea: () => count }, params: { most } })
  expect([judged(c, n(4)), judged(c, n(3))]).toEqual([
    [true, false, 30, 30],
    [false, true, 30, 30],
  ])
  expect([truth(c, n(undefined)), truth(c, n(4, null)), truth(c, after([], { params: { most: 3 } }))]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('distance to other cranes: near is near at once, clear takes knowing them all', () => {
  const c = { type: 'craneClearance', op: '<', value: 5, predictSeconds: 10, clearValue: 6 }
  const requested: unknown[] = []
  const m = (meters: number, complete = true) =>
    after([[7, {}]], {
      facts: {
        clearanceAt: (...args) => {
          requested.push(args)
          return { meters, complete }
        },
      },
    })
  expect(judged(c, m(4.9))).toEqual([true, false, 30, 30])
  expect(judged(c, m(5))).toEqual([false, false, 30, 30])
  expect(judged(c, m(6))).toEqual([false, true, 30, 30])
  expect(judged(c, m(4.9, false))).toEqual([true, false, 30, 30])
  expect(judged(c, m(9, false))).toEqual([undefined, undefined, 0, 0])
  expect(requested[0]).toEqual([7000, 10])
  expect(judged(c, after([]))).toEqual([undefined, undefined, 0, 0])
  const without = { ...c, clearValue: undefined }
  expect([ended(without, m(5.2)), ended(without, m(5.3))]).toEqual([false, true])
})

test('distance to a zone: a metre more than its margin before it is over', () => {
  const c = { type: 'craneZone', zone: 'forbidden', marginMeters: 5 }
  const requested: unknown[] = []
  const m = (meters: number | undefined) =>
    after([[7, {}]], {
      facts: {
        zoneDistanceAt: (...args) => {
          requested.push(args)
          return meters
        },
      },
    })
  expect([judged(c, m(5)), judged(c, m(5.1)), judged(c, m(6)), judged(c, m(6.1))]).toEqual([
    [true, false, 30, 30],
    [false, false, 30, 30],
    [false, false, 30, 30],
    [false, true, 30, 30],
  ])
  expect(requested[0]).toEqual(['forbidden', 7000])
  expect([judged(c, m(undefined)), judged(c, after([]))]).toEqual([
    [undefined, undefined, 0, 0],
    [undefined, undefined, 0, 0],
  ])
})

describe('groups', () => {
  const a = { type: 'threshold', metric: 'a', op: '>=', value: 10 }
  const b = { type: 'threshold', metric: 'b', op: '>=', value: 10 }
  const m = (values: Record<string, number>) => after([[0, values]])
  test.each<[string, Record<string, number>, Truth, Truth, Truth, Truth]>([
    ['both', { a: 10, b: 10 }, true, false, true, false],
    ['one', { a: 10, b: 0 }, false, true, true, false],
    ['neither', { a: 0, b: 0 }, false, true, false, true],
    ['neither, one not far enough to be over', { a: 9.9, b: 0 }, false, true, false, false],
    ['one and one that is not known', { a: 10 }, undefined, undefined, true, false],
    ['not and one that is not known', { a: 0 }, false, true, undefined, undefined],
    ['none known', {}, undefined, undefined, undefined, undefined],
  ])('%s', (_name, values, both, bothOver, either, eitherOver) => {
    const [and, or] = [
      { type: 'and', of: [a, b] },
      { type: 'or', of: [a, b] },
    ]
    expect([truth(and, m(values)), ended(and, m(values)), truth(or, m(values)), ended(or, m(values))]).toEqual([
      both,
      bothOver,
      either,
      eitherOver,
    ])
    const turned: object = { type: 'not', of: [a] }
    expect(truth(turned, m(values))).toBe(values.a === undefined ? undefined : values.a < 10)
    expect(ended(turned, m(values))).toBe(values.a === undefined ? undefined : values.a >= 10)
  })
  test('are known as long as the first of what they stand on', () => {
    const rows: Row[] = [
      [0, { a: 10 }],
      [20, { b: 10 }],
    ]
    const until = (raw: object, values = rows) => holds(valid(raw), after(values)).until / 1000
    expect([until({ type: 'and', of: [a, b] }), until({ type: 'or', of: [a, b] })]).toEqual([30, 30])
    const low: Row[] = [
      [0, { a: 0 }],
      [20, { b: 0 }],
    ]
    expect([until({ type: 'and', of: [a, b] }, low), until({ type: 'or', of: [a, b] }, low)]).toEqual([30, 30])
    expect(until({ type: 'and', of: [a, b] }, [[20, { a: 10 }]])).toBe(20)
    expect(
      until({ type: 'or', of: [b, a] }, [
        [0, { a: 0 }],
        [20, { b: 10 }],
      ]),
    ).toBe(50)
  })
})

test.each([
  ['a threshold', { type: 'threshold', metric: 'v', op: '>', value: 1 }, 'v'],
  ['a distance to other cranes', { type: 'craneClearance', op: '<', value: 2, predictSeconds: 5 }, undefined],
  ['a fence', { type: 'geofence', mode: 'outside', fence: 'site' }, undefined],
  [
    'a fence and a speed',
    {
      type: 'and',
      of: [
        { type: 'geofence', mode: 'outside', fence: 'site' },
        { type: 'threshold', metric: 'speed', op: '>', value: 1 },
      ],
    },
    'speed',
  ],
])('what an alarm shows of %s', (_, condition, metric) => expect(shownMetric(condition as RuleCondition)).toBe(metric))

describe('what a condition needs', () => {
  const rate = { type: 'rate', metric: 'v', op: '>', value: 1, perSeconds: 100 }
  test.each<[string, object, string[], Record<string, number>, number, boolean]>([
    ['a threshold', threshold('>', 1, { fallbackMetric: 'w' }), ['v', 'w'], {}, 0, false],
    ['a window', threshold('>', 1, { windowSeconds: 60 }), ['v'], { v: 60 }, 0, false],
    ['a range', { type: 'range', metric: 'v', low: 1 }, ['v'], {}, 0, false],
    ['a state', { type: 'state', metric: 'v', equals: 1 }, ['v'], {}, 0, false],
    ['a rate', rate, ['v'], { v: 100 }, 0, false],
    ['a constant', { type: 'constant', metric: 'v', seconds: 60 }, ['v'], { v: 60 }, 0, true],
    ['a jump', { type: 'ratioToAverage', metrics: ['a', 'b'], samples: 3, factor: 2 }, ['a', 'b'], { a: 0, b: 0 }, 4, false],
    ['a deviation', { type: 'deviationFromHistory', metric: 'v', by: 'p', samples: 3, absolute: 1 }, ['v'], {}, 0, false],
    ['a counter', { type: 'counterDecrease', metric: 'v' }, ['v'], { v: 1 }, 0, false],
    ['silence', { type: 'noData', seconds: 60 }, [], {}, 0, false],
    ['no record', { type: 'noRecord', record: 'r', withinSeconds: 60 }, [], {}, 0, true],
    ['a date', { type: 'dueDate', param: 'p', daysBefore: 1 }, [], {}, 0, true],
    ['a list', { type: 'inList', metric: 'v', list: 'l' }, ['v'], {}, 0, false],
    ['a register', { type: 'notInRegistry', metric: 'v' }, ['v'], {}, 0, false],
    ['a worker', { type: 'workerState', state: 's' }, [], {}, 0, false],
    ['always', { type: 'always' }, [], {}, 0, false],
    [
      'a fence',
      fence('enter', { polygon: square, confirmSamples: 3 }),
      ['longitude', 'latitude', 'x', 'y'],
      { longitude: 600, latitude: 600, x: 600, y: 600 },
      3,
      false,
    ],
    ['a fence at once', fence('inside'), ['longitude', 'latitude', 'x', 'y'], { longitude: 600, latitude: 600, x: 600, y: 600 }, 1, false],
    [
      'a stay',
      { type: 'dwell', fence: 'area', seconds: 60, resetRestSeconds: 10 },
      ['longitude', 'latitude', 'x', 'y'],
      { longitude: 670, latitude: 670, x: 670, y: 670 },
      0,
      true,
    ],
    ['driving', { type: 'dwell', state: 'driving', seconds: 60 }, ['speed'], { speed: 660 }, 0, true],
    ['being there', { type: 'dwell', state: 'onSite', seconds: 60 }, [], {}, 0, true],
    ['a crowd', { type: 'countInArea', op: '>', value: 1 }, [], {}, 0, false],
    [
      'cranes',
      { type: 'craneClearance', op: '<', value: 5, predictSeconds: 5 },
      ['slewAngle', 'radius', 'hookHeight', 'elevation'],
      {},
      0,
      false,
    ],
    ['a zone', { type: 'craneZone', zone: 'z', marginMeters: 5 }, ['slewAngle', 'radius', 'hookHeight', 'elevation'], {}, 0, false],
    ['counting', { type: 'countInWindow', metric: 'v', op: '>', value: 1, count: 2, windowSeconds: 60 }, ['v'], { v: 60 }, 0, false],
    ['counting rates', { type: 'countInWindow', of: rate, count: 2, windowSeconds: 60 }, ['v'], { v: 160 }, 0, false],
    [
      'counting states',
      { type: 'countInWindow', of: { type: 'state', metric: 'v', equals: 1 }, count: 2, windowSeconds: 60 },
      ['v'],
      { v: 60 },
      0,
      false,
    ],
    ['an expression', { type: 'expression', expr: 'avg(a, 60) > b' }, ['a', 'b'], { a: 60, b: 60 }, 0, false],
    ['a plain expression', { type: 'expression', expr: 'a > b' }, ['a', 'b'], { a: 0, b: 0 }, 0, false],
    [
      'a group',
      {
        type: 'and',
        of: [rate, { type: 'not', of: [threshold('>', 1, { metric: 'w', windowSeconds: 30 })] }, threshold('>', 1, { windowSeconds: 500 })],
      },
      ['v', 'w', 'v'],
      { v: 500, w: 30 },
      0,
      false,
    ],
    [
      'a group with the clock in it',
      { type: 'or', of: [rate, { type: 'dueDate', param: 'p', daysBefore: 1 }] },
      ['v'],
      { v: 100 },
      0,
      true,
    ],
  ])('%s', (_name, raw, metrics, lookBack, samples, timed) => {
    const c = valid(raw)
    expect(metricsOf(c)).toEqual(metrics)
    expect(Object.fromEntries(lookBackOf(c))).toEqual(lookBack)
    expect([samplesOf(c), isTimed(c)]).toEqual([samples, timed])
  })
  test('the thresholds a gauge marks, and the first turn of a group', () => {
    const group = valid({ type: 'and', of: [threshold('>', 1), { type: 'not', of: [threshold('<', 0)] }, rate] })
    expect(thresholdsOf(group).map((t) => t.value)).toEqual([1, 0])
    const both = valid({
      type: 'or',
      of: [
        { type: 'dueDate', param: 'p', daysBefore: 0 },
        { type: 'dueDate', param: 'q', daysBefore: 0 },
      ],
    })
    expect(nextTurn(both, after([], { params: { p: '2026-12-31', q: '2026-11-30' } }))).toBe(Date.parse('2026-11-30T00:00:00+08:00'))
    expect(nextTurn(valid(threshold('>', 1)), after([]))).toBeUndefined()
  })
  test('counting says since when somebody asks by a field of a record', () => {
    expect(metricsOf(valid({ type: 'countInWindow', record: 'r', by: 'plate', count: 2, windowSeconds: 60 }))).toEqual(['plate'])
  })
})
