import { checkCondition, type RuleCondition } from '@zhugong/contract/rules/conditions'
import { expect, test } from 'vitest'
import { type Comparable, compareConditions, compareRules, isAtLeastAsStrict, type Strictness } from './strictness.ts'

const valid = (raw: object): RuleCondition => {
  const { condition, problems } = checkCondition(raw)
  if (!condition) throw new Error(JSON.stringify(problems))
  return condition
}
const threshold = (more: object = {}) => ({ type: 'threshold', metric: 'v', op: '>=', value: 10, ...more })
const range = (more: object = {}) => ({ type: 'range', metric: 'v', low: 10, high: 20, clearMargin: 1, ...more })
const fence = (mode: string, more: object = {}) => ({ type: 'geofence', mode, fence: 'site', confirmSamples: 2, bufferMeters: 50, ...more })
const count = (more: object = {}) => ({ type: 'countInWindow', metric: 'v', op: '>', value: 1, count: 3, windowSeconds: 60, ...more })
const crane = (more: object = {}) => ({ type: 'craneClearance', op: '<', value: 5, predictSeconds: 10, clearValue: 6, ...more })
const all = (...of: object[]) => ({ type: 'and', of })
const not = (of: object) => ({ type: 'not', of: [of] })

/** Each pair is also tested with its sides swapped. */
test.each<[string, object, object, Strictness]>([
  ['the same', threshold(), threshold(), 'same'],
  ['a lower limit', threshold(), threshold({ value: 9 }), 'stricter'],
  ['a lower one from below is looser', threshold({ op: '<=' }), threshold({ op: '<=', value: 9 }), 'looser'],
  ['a size', threshold({ op: 'abs>' }), threshold({ op: 'abs>', value: 9 }), 'stricter'],
  ['a size from below', threshold({ op: 'abs<' }), threshold({ op: 'abs<', value: 9 }), 'looser'],
  ['equality cannot be compared', threshold({ op: '==' }), threshold({ op: '==', value: 9 }), 'different'],
  ['a factor', threshold({ param: 'p', factor: 0.9 }), threshold({ param: 'p', factor: 0.8 }), 'stricter'],
  ['a default', threshold({ param: 'p', default: 9 }), threshold({ param: 'p', default: 8 }), 'stricter'],
  ['another parameter', threshold({ param: 'p' }), threshold({ param: 'q' }), 'different'],
  ['another metric', threshold(), threshold({ metric: 'w' }), 'different'],
  ['another operator', threshold(), threshold({ op: '>' }), 'different'],
  ['a factor that was not there', threshold({ param: 'p' }), threshold({ param: 'p', factor: 0.8 }), 'different'],
  ['a lower clear value holds longer', threshold({ clearValue: 8 }), threshold({ clearValue: 7 }), 'stricter'],
  ['a clear value that is worked out', threshold(), threshold({ clearValue: 7 }), 'same'],
  ['less coverage', threshold({ windowSeconds: 60, minCoverage: 0.75 }), threshold({ windowSeconds: 60, minCoverage: 0.5 }), 'stricter'],
  ['another window', threshold({ windowSeconds: 60 }), threshold({ windowSeconds: 30 }), 'different'],
  [
    'a lower limit with less coverage the other way',
    threshold({ windowSeconds: 60, minCoverage: 0.5 }),
    threshold({ windowSeconds: 60, minCoverage: 0.75, value: 9 }),
    'looser',
  ],
  [
    'a rate',
    { type: 'rate', metric: 'v', op: '>', value: 3, perSeconds: 60 },
    { type: 'rate', metric: 'v', op: '>', value: 2, perSeconds: 60 },
    'stricter',
  ],
  ['a crowd', { type: 'countInArea', op: '>', value: 3 }, { type: 'countInArea', op: '>', value: 2 }, 'stricter'],
  ['cranes farther apart', crane(), crane({ value: 5.5 }), 'stricter'],
  ['looking ahead longer', crane(), crane({ predictSeconds: 12 }), 'stricter'],
  ['letting go later', crane(), crane({ clearValue: 7 }), 'stricter'],
  ['a higher lower end', range(), range({ low: 11 }), 'stricter'],
  ['a lower upper end', range(), range({ high: 19 }), 'stricter'],
  ['a wider margin', range(), range({ clearMargin: 2 }), 'stricter'],
  ['a higher lower end of what is forbidden', range({ inside: true }), range({ inside: true, low: 11 }), 'looser'],
  ['a lower upper end of what is forbidden', range({ inside: true }), range({ inside: true, high: 19 }), 'looser'],
  ['a wider margin of what is forbidden', range({ inside: true }), range({ inside: true, clearMargin: 2 }), 'stricter'],
  ['one end higher and one higher', range(), range({ low: 11, high: 21 }), 'looser'],
  ['constant for less', { type: 'constant', metric: 'v', seconds: 60 }, { type: 'constant', metric: 'v', seconds: 30 }, 'stricter'],
  ['silence for less', { type: 'noData', seconds: 60 }, { type: 'noData', seconds: 30 }, 'stricter'],
  ['a stay for less', { type: 'dwell', fence: 'a', seconds: 60 }, { type: 'dwell', fence: 'a', seconds: 30 }, 'stricter'],
  [
    'a smaller jump',
    { type: 'ratioToAverage', metrics: ['v'], samples: 3, factor: 2, minAbs: 5 },
    { type: 'ratioToAverage', metrics: ['v'], samples: 3, factor: 1.5, minAbs: 5 },
    'stricter',
  ],
  [
    'of a smaller size',
    { type: 'ratioToAverage', metrics: ['v'], samples: 3, factor: 2, minAbs: 5 },
    { type: 'ratioToAverage', metrics: ['v'], samples: 3, factor: 2, minAbs: 4 },
    'stricter',
  ],
  [
    'other metrics',
    { type: 'ratioToAverage', metrics: ['v'], samples: 3, factor: 2 },
    { type: 'ratioToAverage', metrics: ['w'], samples: 3, factor: 2 },
    'different',
  ],
  [
    'a smaller deviation',
    { type: 'deviationFromHistory', metric: 'v', by: 'p', samples: 3, absolute: 2 },
    { type: 'deviationFromHistory', metric: 'v', by: 'p', samples: 3, absolute: 1 },
    'stricter',
  ],
  [
    'without a record for less',
    { type: 'noRecord', record: 'r', withinSeconds: 60 },
    { type: 'noRecord', record: 'r', withinSeconds: 30 },
    'stricter',
  ],
  ['more days before', { type: 'dueDate', param: 'p', daysBefore: 30 }, { type: 'dueDate', param: 'p', daysBefore: 40 }, 'stricter'],
  ['fewer of them', count(), count({ count: 2 }), 'stricter'],
  ['within longer', count(), count({ windowSeconds: 90 }), 'stricter'],
  ['of more', count(), count({ value: 2 }), 'different'],
  ['a fence sooner', fence('enter'), fence('enter', { confirmSamples: 1 }), 'stricter'],
  ['a wider fence', fence('enter'), fence('enter', { bufferMeters: 60 }), 'stricter'],
  ['a wider fence to be in', fence('inside'), fence('inside', { bufferMeters: 60 }), 'stricter'],
  ['a wider fence to be out of', fence('outside'), fence('outside', { bufferMeters: 60 }), 'looser'],
  ['a wider route', fence('outsideRoute'), fence('outsideRoute', { bufferMeters: 60 }), 'looser'],
  ['another fence', fence('enter'), fence('enter', { fence: 'danger' }), 'different'],
  [
    'a wider margin about a zone',
    { type: 'craneZone', zone: 'z', marginMeters: 5 },
    { type: 'craneZone', zone: 'z', marginMeters: 6 },
    'stricter',
  ],
  ['another kind', threshold(), range(), 'different'],
  ['another state', { type: 'state', metric: 'v', equals: 1 }, { type: 'state', metric: 'v', equals: 2 }, 'different'],
  ['another list', { type: 'inList', metric: 'v', list: 'a' }, { type: 'inList', metric: 'v', list: 'b' }, 'different'],
  ['within a group', all(threshold(), range()), all(threshold({ value: 9 }), range()), 'stricter'],
  ['within a group, both ways', all(threshold(), range()), all(threshold({ value: 9 }), range({ low: 9 })), 'looser'],
  ['a group of another size', all(threshold(), range()), all(threshold()), 'different'],
  ['denied', not(threshold()), not(threshold({ value: 9 })), 'looser'],
  ['denied the other way', not(threshold()), not(threshold({ value: 11 })), 'stricter'],
  ['denied alike', not(threshold()), not(threshold()), 'same'],
  ['denied and not comparable', not(threshold()), not(threshold({ metric: 'w' })), 'different'],
])('%s', (_name, before, now, expected) => {
  expect(compareConditions(valid(before), valid(now))).toBe(expected)
  if (expected === 'stricter') expect(compareConditions(valid(now), valid(before))).toBe('looser')
  if (expected === 'same' || expected === 'different') expect(compareConditions(valid(now), valid(before))).toBe(expected)
})

const level = (value: number, more: object = {}) => ({ level: 2 as const, condition: valid(threshold({ value })), ...more })
const rule = (more: Partial<Comparable> = {}): Comparable => ({
  levels: [level(10)],
  schedule: null,
  onlyWhen: [],
  enabled: true,
  off: false,
  ...more,
})
const some = valid(threshold({ metric: 'w' }))

test.each<[string, Partial<Comparable>, Partial<Comparable>, Strictness]>([
  ['the same', {}, {}, 'same'],
  ['switched off', {}, { enabled: false }, 'looser'],
  ['off for its scope', {}, { off: true }, 'looser'],
  ['off as before', { enabled: false }, { enabled: false }, 'same'],
  ['off for its scope as before', { off: true }, { enabled: false }, 'same'],
  ['a lower limit', {}, { levels: [level(9)] }, 'stricter'],
  ['a higher limit', {}, { levels: [level(11)] }, 'looser'],
  ['waits longer', { levels: [level(10, { forSeconds: 5 })] }, { levels: [level(10, { forSeconds: 6 })] }, 'looser'],
  ['waits where it did not', {}, { levels: [level(10, { forSeconds: 6 })] }, 'looser'],
  ['waits no longer', { levels: [level(10, { forSeconds: 5 })] }, {}, 'stricter'],
  ['recovers longer', { levels: [level(10, { clearForSeconds: 5 })] }, { levels: [level(10, { clearForSeconds: 6 })] }, 'stricter'],
  ['recovers at once', { levels: [level(10, { clearForSeconds: 5 })] }, {}, 'looser'],
  ['recovers longer than at once', {}, { levels: [level(10, { clearForSeconds: 6 })] }, 'stricter'],
  ['more serious', {}, { levels: [level(10, { level: 1 })] }, 'stricter'],
  ['less serious', {}, { levels: [level(10, { level: 3 })] }, 'looser'],
  ['one level more', {}, { levels: [level(10), level(20, { level: 1 })] }, 'stricter'],
  ['one level less', { levels: [level(10), level(20, { level: 1 })] }, {}, 'looser'],
  ['the same among others', { levels: [level(10)] }, { levels: [level(30, { level: 1 }), level(10)] }, 'stricter'],
  ['one stricter among looser ones', { levels: [level(10)] }, { levels: [level(30, { level: 1 }), level(9)] }, 'stricter'],
  ['only looser ones', { levels: [level(10)] }, { levels: [level(30, { level: 1 }), level(20)] }, 'looser'],
  ['no longer always', {}, { schedule: [[0, 3600]] }, 'looser'],
  ['always now', { schedule: [[0, 3600]] }, {}, 'stricter'],
  ['a longer period', { schedule: [[100, 200]] }, { schedule: [[50, 250]] }, 'stricter'],
  ['a shorter period', { schedule: [[50, 250]] }, { schedule: [[100, 200]] }, 'looser'],
  ['a period that begins later', { schedule: [[50, 250]] }, { schedule: [[60, 300]] }, 'looser'],
  [
    'one period of two',
    {
      schedule: [
        [0, 10],
        [20, 30],
      ],
    },
    { schedule: [[0, 10]] },
    'looser',
  ],
  [
    'two periods of one',
    { schedule: [[0, 10]] },
    {
      schedule: [
        [0, 10],
        [20, 30],
      ],
    },
    'stricter',
  ],
  ['only when', {}, { onlyWhen: [some] }, 'different'],
  ['no longer only when', { onlyWhen: [some] }, {}, 'stricter'],
  ['only when, as before', { onlyWhen: [some] }, { onlyWhen: [some] }, 'same'],
  ['stricter here and looser there', {}, { levels: [level(9)], schedule: [[0, 3600]] }, 'looser'],
])('a rule: %s', (_name, before, now, expected) => {
  expect(compareRules(rule(before), rule(now))).toBe(expected)
  expect(isAtLeastAsStrict(rule(before), rule(now))).toBe(expected === 'same' || expected === 'stricter')
})
