import { families } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { defaultRules, isExpressible, notYetExpressible } from './defaults.ts'
import {
  canEvaluate,
  clearLimitOf,
  holds,
  inWords,
  isOver,
  type LevelState,
  limitOf,
  type RuleLevel,
  type Surroundings,
  take,
} from './evaluate.ts'

const around: Surroundings = { params: { maxLoad: 6, stage: 'structure' }, unitOf: (m) => (m === 'percent' ? '%' : 't') }
const reading = (values: Record<string, unknown>, quality?: Record<string, string>) => ({ time: 0, values, quality })
const threshold = (op: string, value: number, more: object = {}) => ({ type: 'threshold', metric: 'load', op, value, ...more })

test.each([
  ['at the limit', threshold('>=', 90), { load: 90 }, true],
  ['just below', threshold('>=', 90), { load: 89.99 }, false],
  ['strictly above', threshold('>', 90), { load: 90 }, false],
  ['below', threshold('<', 5), { load: 4 }, true],
  ['size of a negative number', threshold('abs>=', 2), { load: -2 }, true],
  ['zero is a value', threshold('<=', 0), { load: 0 }, true],
  ['missing is not zero', threshold('<=', 0), {}, undefined],
  ['null is missing', threshold('<=', 0), { load: null }, undefined],
  ['text is no number', threshold('>=', 1), { load: '3' }, undefined],
  ['a parameter as limit', { type: 'threshold', metric: 'load', op: '>', param: 'maxLoad', factor: 0.5 }, { load: 3.5 }, true],
  ['an unknown parameter', { type: 'threshold', metric: 'load', op: '>', param: 'nothing' }, { load: 3.5 }, undefined],
  ['its default', { type: 'threshold', metric: 'load', op: '>', param: 'nothing', default: 3 }, { load: 3.5 }, true],
  [
    'chosen by a parameter',
    { type: 'threshold', metric: 'load', op: '>', value: 800, byParam: { stage: { structure: 700 } } },
    { load: 750 },
    true,
  ],
  ['outside a range', { type: 'range', metric: 'load', low: 1, high: 5 }, { load: 6 }, true],
  ['inside a range', { type: 'range', metric: 'load', low: 1, high: 5, inside: true }, { load: 5 }, true],
  ['a flag', { type: 'state', metric: 'on', equals: true }, { on: true }, true],
  ['a code', { type: 'state', metric: 'on', equals: '3' }, { on: '1' }, false],
  ['not a code', { type: 'state', metric: 'on', notEquals: '3' }, { on: '1' }, true],
  ['and: false wins over unknown', { type: 'and', of: [threshold('>', 1), { type: 'state', metric: 'x', equals: 1 }] }, { load: 0 }, false],
  [
    'and: unknown wins over true',
    { type: 'and', of: [threshold('>', 1), { type: 'state', metric: 'x', equals: 1 }] },
    { load: 2 },
    undefined,
  ],
  ['or: true wins over unknown', { type: 'or', of: [threshold('>', 1), { type: 'state', metric: 'x', equals: 1 }] }, { load: 2 }, true],
  [
    'or: unknown wins over false',
    { type: 'or', of: [threshold('>', 1), { type: 'state', metric: 'x', equals: 1 }] },
    { load: 0 },
    undefined,
  ],
  ['not unknown', { type: 'not', of: [{ type: 'state', metric: 'x', equals: 1 }] }, {}, undefined],
])('%s', (_name, condition, values, expected) => {
  expect(holds(condition, reading(values), around)).toBe(expected)
})

test('what is not good is not known', () => {
  expect(holds(threshold('>=', 1), reading({ load: 5 }, { load: 'fault' }), around)).toBeUndefined()
})

test.each([
  ['its own clear value', threshold('>=', 90, { clearValue: 85 }), 85],
  ['5 % inside', threshold('>=', 100), 95],
  ['5 % inside from below', threshold('<=', -10), -9.5],
  ['2 % for percentages', { type: 'threshold', metric: 'percent', op: '>=', value: 100 }, 98],
])('clears at %s', (_name, condition, expected) => {
  expect(clearLimitOf(condition, around)).toBeCloseTo(expected)
  expect(limitOf(condition, around)).toBe(condition.value)
})

test('between threshold and clear value nothing changes', () => {
  const condition = threshold('>=', 90, { clearValue: 85 })
  expect([91, 90, 89, 85, 84.9].map((load) => isOver(condition, reading({ load }), around))).toEqual([false, false, false, false, true])
})

/** A row of [second, value] through one level; what happened as `kind@second`. */
function run(level: Partial<RuleLevel>, row: readonly (readonly [number, number | undefined])[], gapSeconds = 30): string[] {
  const whole: RuleLevel = { level: 2, condition: threshold('>=', 90, { clearValue: 85 }), ...level }
  let state: LevelState = {}
  const out: string[] = []
  for (const [second, load] of row) {
    const step = take(whole, state, { time: second * 1000, values: load === undefined ? {} : { load } }, around, gapSeconds * 1000)
    state = step.state
    for (const e of step.events) out.push(e.kind === 'open' ? `open@${e.startTime / 1000}/${e.fireTime / 1000}` : `clear@${e.time / 1000}`)
    // Going on from what was written and read again must change nothing.
    state = JSON.parse(JSON.stringify(state)) as LevelState
  }
  return out
}

test.each<[string, Partial<RuleLevel>, [number, number | undefined][], string[], number?]>([
  [
    'opens at once and clears at once',
    {},
    [
      [0, 95],
      [10, 80],
    ],
    ['open@0/0', 'clear@10'],
  ],
  [
    'stays open in between',
    {},
    [
      [0, 95],
      [10, 88],
      [20, 92],
      [30, 84],
    ],
    ['open@0/0', 'clear@30'],
  ],
  [
    'a second spell is a second alarm',
    {},
    [
      [0, 95],
      [10, 80],
      [20, 95],
    ],
    ['open@0/0', 'clear@10', 'open@20/20'],
  ],
  [
    'waits its time',
    { forSeconds: 20 },
    [
      [0, 95],
      [10, 95],
      [20, 95],
    ],
    ['open@0/20'],
  ],
  [
    'one false reading resets',
    { forSeconds: 20 },
    [
      [0, 95],
      [10, 80],
      [20, 95],
      [30, 95],
    ],
    [],
  ],
  [
    'hysteresis does not protect what is pending',
    { forSeconds: 20 },
    [
      [0, 95],
      [10, 88],
      [20, 95],
      [30, 95],
    ],
    [],
  ],
  [
    'opens between two readings while the value is fresh',
    { forSeconds: 5 },
    [
      [0, 95],
      [20, 80],
    ],
    ['open@0/5', 'clear@20'],
  ],
  [
    'a gap in pending resets',
    { forSeconds: 60 },
    [
      [0, 95],
      [100, 95],
      [120, 95],
    ],
    [],
  ],
  [
    'after a gap it counts anew',
    { forSeconds: 20 },
    [
      [0, 95],
      [100, 95],
      [120, 95],
    ],
    ['open@0/20'],
    30,
  ],
  [
    'silence never clears',
    {},
    [
      [0, 95],
      [1000, undefined],
      [2000, 95],
    ],
    ['open@0/0'],
  ],
  [
    'recovery has to last',
    { clearForSeconds: 20 },
    [
      [0, 95],
      [10, 80],
      [20, 88],
      [30, 80],
      [40, 80],
      [50, 80],
    ],
    ['open@0/0', 'clear@50'],
  ],
  [
    'recovery across a gap counts anew',
    { clearForSeconds: 60 },
    [
      [0, 95],
      [10, 80],
      [100, 80],
      [130, 80],
      [160, 80],
    ],
    ['open@0/0', 'clear@160'],
  ],
])('%s', (_name, level, row, expected, gap) => {
  expect(run(level, row, gap)).toEqual(expected)
})

test('every family’s alarms are delivered or named as not yet expressible', () => {
  const all = families.flatMap((f) => f.alarms.map((a) => `${f.key}.${a.key}`))
  expect([...defaultRules, ...notYetExpressible].map((r) => `${r.family}.${r.alarmKey}`).sort()).toEqual([...all].sort())
  for (const rule of defaultRules) for (const level of rule.levels) expect(canEvaluate(level.condition), rule.id).toBe(true)
  for (const family of families)
    for (const alarm of family.alarms.filter(isExpressible)) {
      const words = inWords(
        { level: alarm.level, condition: alarm.condition },
        { params: {}, unitOf: (m) => family.metric(m)?.unit, labelOf: (m) => family.metric(m)?.label ?? m },
      )
      expect(words, alarm.key).not.toContain('undefined')
    }
  expect(canEvaluate({ type: 'threshold', metric: 'x', op: '>=', value: 1, windowSeconds: 60 })).toBe(false)
  expect(canEvaluate({ type: 'craneClearance' })).toBe(false)
})
