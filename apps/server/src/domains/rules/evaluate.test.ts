import { checkCondition } from '@zhugong/contract/rules/conditions'
import { families } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { Budget } from './budget.ts'
import { holds, over } from './conditions.ts'
import { defaultRules } from './defaults.ts'
import { changeRule, nothingKept, takeReading } from './evaluate.ts'
import type { RehearsalSample } from './given-records.ts'
import { Memory } from './history.ts'
import { clearLimitOf, limitOf } from './limits.ts'
import type { Facts, Moment, Truth } from './moment.ts'
import { type RehearsalEvent, rehearse } from './rehearse.ts'
import { scheduleOf } from './schedule.ts'
import { readyTrigger } from './trigger.ts'
import type { TriggerParts } from './trigger-parts.ts'
import { inWords } from './words.ts'

const around = {
  params: { maxLoad: 6, stage: 'structure' } as Record<string, unknown>,
  unitOf: (m: string) => (m === 'percent' ? '%' : 't'),
}
const valid = (raw: unknown) => {
  const { condition, problems } = checkCondition(raw)
  if (!condition) throw new Error(JSON.stringify(problems))
  return condition
}
function moment(values: Record<string, unknown>, quality?: Record<string, string>, facts: Facts = {}): Moment {
  const memory = new Memory(
    new Map([
      ['longitude', 60_000],
      ['latitude', 60_000],
    ]),
    30_000,
  )
  memory.add({ time: 0, mark: 0, values, quality })
  return {
    time: 0,
    budget: new Budget(),
    memory,
    values,
    intervalMs: 10_000,
    maxGapMs: 30_000,
    periodStart: Number.NEGATIVE_INFINITY,
    facts,
    ...around,
  }
}
const threshold = (op: string, value: number, more: object = {}) => ({ type: 'threshold', metric: 'load', op, value, ...more })
const unknownFlag = { type: 'state', metric: 'x', equals: 1 }
const square = [
  [0, 0],
  [0, 2],
  [2, 2],
  [2, 0],
]
const fence = (mode: string, more: object = {}) => ({ type: 'geofence', mode, polygon: square, ...more })

test.each<[string, object, Record<string, unknown>, Truth]>([
  ['equal to threshold', threshold('>=', 90), { load: 90 }, true],
  ['just below', threshold('>=', 90), { load: 89.99 }, false],
  ['strictly above', threshold('>', 90), { load: 90 }, false],
  ['below', threshold('<', 5), { load: 4 }, true],
  ['negative (abs) values', threshold('abs>=', 2), { load: -2 }, true],
  ['a space in the operator', threshold('abs >=', 2), { load: -2 }, true],
  ['missing versus zero: zero is a value', threshold('<=', 0), { load: 0 }, true],
  ['missing versus zero: missing is unknown', threshold('<=', 0), {}, undefined],
  ['null is missing', threshold('<=', 0), { load: null }, undefined],
  ['text is no number', threshold('>=', 1), { load: '3' }, undefined],
  ['a parameter as limit', { type: 'threshold', metric: 'load', op: '>', param: 'maxLoad', factor: 0.5 }, { load: 3.5 }, true],
  ['an unknown parameter', { type: 'threshold', metric: 'load', op: '>', param: 'nothing' }, { load: 3.5 }, undefined],
  ['its default', { type: 'threshold', metric: 'load', op: '>', param: 'nothing', default: 3 }, { load: 3.5 }, true],
  ['chosen by a parameter', threshold('>', 800, { byParam: { stage: { structure: 700 } } }), { load: 750 }, true],
  ['another metric instead', threshold('>', 5, { metric: 'a', fallbackMetric: 'load' }), { load: 6 }, true],
  ['outside a range', { type: 'range', metric: 'load', low: 1, high: 5 }, { load: 6 }, true],
  ['inside a range', { type: 'range', metric: 'load', low: 1, high: 5, inside: true }, { load: 5 }, true],
  ['a flag', { type: 'state', metric: 'on', equals: true }, { on: true }, true],
  ['a code', { type: 'state', metric: 'on', equals: '3' }, { on: '1' }, false],
  ['not a code', { type: 'state', metric: 'on', notEquals: '3' }, { on: '1' }, true],
  ['a bit of a number', { type: 'state', metric: 'on', bit: 2 }, { on: 4 }, true],
  ['a bit of a text, right-most first', { type: 'state', metric: 'on', bit: 0 }, { on: '100' }, false],
  ['and: false wins over unknown', { type: 'and', of: [threshold('>', 1), unknownFlag] }, { load: 0 }, false],
  ['and: unknown wins over true', { type: 'and', of: [threshold('>', 1), unknownFlag] }, { load: 2 }, undefined],
  ['or: true wins over unknown', { type: 'or', of: [threshold('>', 1), unknownFlag] }, { load: 2 }, true],
  ['or: unknown wins over false', { type: 'or', of: [threshold('>', 1), unknownFlag] }, { load: 0 }, undefined],
  ['not unknown', { type: 'not', of: [unknownFlag] }, {}, undefined],
  ['inside', fence('inside'), { longitude: 1, latitude: 1 }, true],
  ['polygon edge', fence('inside'), { longitude: 0, latitude: 1 }, true],
  ['polygon vertex', fence('inside'), { longitude: 2, latitude: 2 }, true],
  ['outside', fence('outside'), { longitude: 3, latitude: 1 }, true],
  ['within the buffer, on the way in', fence('inside', { bufferMeters: 200 }), { longitude: 2.001, latitude: 1 }, false],
  ['within the buffer, on the way out', fence('exit', { bufferMeters: 200 }), { longitude: 2.001, latitude: 1 }, false],
  ['no position', fence('inside'), { longitude: 1 }, undefined],
  ['no fence', { type: 'geofence', mode: 'outside', fence: 'dumpSites' }, { longitude: 1, latitude: 1 }, undefined],
  [
    'off the route',
    {
      type: 'geofence',
      mode: 'outsideRoute',
      route: [
        [0, 0],
        [0, 1],
      ],
      bufferMeters: 100,
    },
    { longitude: 0.01, latitude: 0.5 },
    true,
  ],
  [
    'on the route',
    {
      type: 'geofence',
      mode: 'outsideRoute',
      route: [
        [0, 0],
        [0, 1],
      ],
      bufferMeters: 100,
    },
    { longitude: 0.0005, latitude: 0.5 },
    false,
  ],
  ['an expression', { type: 'expression', expr: 'load * 2 - param.maxLoad > 1 and not (load < 0)' }, { load: 4 }, true],
  ['an expression without its metric', { type: 'expression', expr: 'a > 1' }, {}, undefined],
  ['division by zero', { type: 'expression', expr: 'load / 0 > 1' }, { load: 4 }, undefined],
  ['a phase missing', { type: 'expression', expr: 'all(v<50)' }, { voltageA: 0, voltageB: 0 }, undefined],
  ['all phases', { type: 'expression', expr: 'all(v<50)' }, { voltageA: 0, voltageB: 0, voltageC: 0 }, true],
  ['any phase', { type: 'expression', expr: 'any(v<50) and not all(v<50)' }, { voltageA: 220, voltageB: 0, voltageC: 220 }, true],
])('%s', (_name, condition, values, expected) => {
  expect(holds(valid(condition), moment(values)).truth).toBe(expected)
})

test('quality flags: what is not good is not known', () => {
  expect(holds(valid(threshold('>=', 1)), moment({ load: 5 }, { load: 'fault' })).truth).toBeUndefined()
})

test('facts decide what readings cannot', () => {
  const ask = (condition: object, values: Record<string, unknown>, facts: Facts) =>
    holds(valid(condition), moment(values, undefined, facts)).truth
  const list = { type: 'inList', metric: 'plateNo', list: 'vehicleBlack' }
  expect(ask(list, { plateNo: 'A' }, { isListed: (_l, v) => v === 'A' })).toBe(true)
  expect(ask(list, { plateNo: 'A' }, {})).toBeUndefined()
  expect(ask({ type: 'notInRegistry', metric: 'plateNo' }, { plateNo: 'A' }, { isRegistered: () => false })).toBe(true)
  expect(ask({ type: 'workerState', state: 'exited' }, {}, { workerIs: () => true })).toBe(true)
  const near = { type: 'craneClearance', op: '<', value: 5, predictSeconds: 10, clearValue: 6 }
  expect(ask(near, {}, { clearanceAt: () => ({ meters: 4.9, complete: true }) })).toBe(true)
  expect(over(valid(near), moment({}, undefined, { clearanceAt: () => ({ meters: 5.5, complete: true }) })).truth).toBe(false)
  expect(ask(near, {}, {})).toBeUndefined()
  // While a neighbour is offline the clearance is unknown; an open alarm ends by the cranes it is about.
  const silent = (meters: number, unheard: number): Facts => ({ clearanceAt: () => ({ meters, complete: false, unheard }) })
  expect(ask(near, {}, silent(20, 20))).toBeUndefined()
  expect(ask(near, {}, silent(4.9, 20))).toBe(true)
  const ends = (facts: Facts) => over(valid(near), moment({}, undefined, facts)).truth
  expect([ends(silent(20, 20)), ends(silent(20, 4)), ends(silent(5.5, 20))]).toEqual([true, undefined, false])
  const zone = { type: 'craneZone', zone: 'forbidden', marginMeters: 5 }
  expect(ask(zone, {}, { zoneDistanceAt: () => 5 })).toBe(true)
  const recognised = { type: 'noRecord', record: 'driverRecognition', result: '1', withinSeconds: 60 }
  expect(ask(recognised, {}, { lastRecord: () => -60_000 })).toBe(false)
  expect(ask(recognised, {}, { lastRecord: () => -60_001 })).toBe(true)
  expect(ask(recognised, {}, { lastRecord: () => null })).toBe(true)
  expect(ask({ type: 'countInArea', op: '>', param: 'maxLoad' }, {}, { countInArea: () => 7 })).toBe(true)
})

test.each<[string, object, number]>([
  ['its own clear value', threshold('>=', 90, { clearValue: 85 }), 85],
  ['5 % inside', threshold('>=', 100), 95],
  ['5 % inside from below', threshold('<=', -10), -9.5],
  ['2 % for percentages', { type: 'threshold', metric: 'percent', op: '>=', value: 100 }, 98],
])('clears at %s', (_name, raw, expected) => {
  const condition = valid(raw) as Parameters<typeof clearLimitOf>[0]
  expect(clearLimitOf(condition, around)).toBeCloseTo(expected)
  expect(limitOf(condition, around)).toBe(condition.value)
})

test('between threshold and clear value nothing changes', () => {
  const condition = valid(threshold('>=', 90, { clearValue: 85 }))
  expect([91, 90, 89, 85, 84.9].map((load) => over(condition, moment({ load })).truth)).toEqual([false, false, false, false, true])
})

test.each<[string, unknown, string]>([
  ['an unknown kind', { type: 'telepathy' }, '不支持的条件类型'],
  ['no limit', { type: 'threshold', metric: 'load', op: '>' }, '请填写阈值'],
  ['a clear value on the wrong side', threshold('>=', 90, { clearValue: 95 }), '解除值'],
  [
    'self-crossing polygon',
    {
      type: 'geofence',
      mode: 'inside',
      polygon: [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ],
    },
    '不能相交',
  ],
  [
    'two corners',
    {
      type: 'geofence',
      mode: 'inside',
      polygon: [
        [0, 0],
        [2, 2],
        [0, 0],
      ],
    },
    '至少 3 个顶点',
  ],
  [
    'five deep',
    { type: 'not', of: [{ type: 'not', of: [{ type: 'not', of: [{ type: 'not', of: [{ type: 'not', of: [threshold('>', 1)] }] }] }] }] },
    '最多嵌套 4 层',
  ],
  ['an empty group', { type: 'and', of: [] }, '至少添加一个条件'],
  ['silence within a group', { type: 'or', of: [{ type: 'noData', seconds: 60 }] }, '只能单独使用'],
  ['code in an expression', { type: 'expression', expr: 'process.exit()' }, '不支持函数'],
  ['half an expression', { type: 'expression', expr: 'load >' }, '不完整'],
  ['another sign', { type: 'expression', expr: 'load ; 1' }, '无法识别'],
])('%s refused', (_name, raw, message) => {
  expect(
    checkCondition(raw)
      .problems.map((p) => p.message)
      .join(),
  ).toContain(message)
})

type Row = readonly [number, number | undefined, Partial<RehearsalSample>?]
interface Run extends Partial<TriggerParts> {
  level?: object
  condition?: object
  gap?: number
  interval?: number
  restarts?: number[]
  until?: number
  facts?: Facts
  metric?: string
}
const start = Date.parse('2026-11-20T10:00:00+08:00')

/** Runs rows of [second, value]; returns events as `open2@start/fire`, `clear@second`. */
function run(how: Run, rows: readonly Row[], from = start): string[] {
  const metric = how.metric ?? 'load'
  const trigger = readyTrigger({
    levels: how.levels ?? [{ level: 2, condition: how.condition ?? threshold('>=', 90, { clearValue: 85 }), ...how.level } as never],
    schedule: how.schedule,
    options: { maxGapSeconds: how.gap ?? 30, ...how.options },
  })
  const { events } = rehearse({
    trigger,
    intervalSeconds: how.interval ?? 10,
    samples: rows.map(([second, value, more]) => ({
      time: from + second * 1000,
      data: value === undefined ? {} : { [metric]: value },
      ...more,
    })),
    restarts: how.restarts?.map((s) => from + s * 1000),
    until: how.until === undefined ? undefined : from + how.until * 1000,
    facts: how.facts,
  })
  return events.map((e) => inShort(e, from))
}
function inShort(e: RehearsalEvent, from: number): string {
  const at = (ms: number | undefined) => (((ms ?? 0) - from) / 1000).toString()
  const mark = e.historical ? 'historical ' : ''
  const tail = e.reason && e.reason !== 'recovered' ? ` ${e.reason}` : ''
  return e.event === 'open'
    ? `${mark}open${e.level}@${at(e.startTime)}/${at(e.fireTime)}`
    : `${mark}${e.event}${e.event.endsWith('grade') ? e.level : ''}@${at(e.time)}${tail}`
}

const every = (from: number, to: number, step: number, value: number, more?: Partial<RehearsalSample>): Row[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => [from + i * step, value, more] as Row)

test.each<[string, Run, Row[], string[]]>([
  [
    'opens at once and clears at once',
    {},
    [
      [0, 95],
      [10, 80],
    ],
    ['open2@0/0', 'clear@10'],
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
    ['open2@0/0', 'clear@30'],
  ],
  [
    'a second spell is a second alarm',
    {},
    [
      [0, 95],
      [10, 80],
      [20, 95],
    ],
    ['open2@0/0', 'clear@10', 'open2@20/20'],
  ],
  [
    'waits its time',
    { level: { forSeconds: 20 } },
    [
      [0, 95],
      [10, 95],
      [20, 95],
    ],
    ['open2@0/20'],
  ],
  [
    'one false reading resets',
    { level: { forSeconds: 20 } },
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
    { level: { forSeconds: 20 } },
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
    { level: { forSeconds: 5 } },
    [
      [0, 95],
      [20, 80],
    ],
    ['open2@0/5', 'clear@20'],
  ],
  [
    'a gap in pending resets',
    { level: { forSeconds: 60 } },
    [
      [0, 95],
      [100, 95],
      [120, 95],
    ],
    [],
  ],
  [
    'after a gap it counts anew',
    { level: { forSeconds: 20 } },
    [
      [0, 95],
      [10, 95],
      [100, 95],
      [120, 95],
    ],
    ['open2@0/20', 'stale@70'],
  ],
  [
    'a gap exactly as long as allowed is none',
    { level: { forSeconds: 60 } },
    [
      [0, 95],
      [30, 95],
      [60, 95],
    ],
    ['open2@0/60'],
  ],
  [
    'a missing value keeps pending while the last is fresh',
    { level: { forSeconds: 20 } },
    [
      [0, 95],
      [10, undefined],
      [20, 95],
    ],
    ['open2@0/20'],
  ],
  [
    'a value that is only repeated by silence opens nothing',
    { level: { forSeconds: 40 } },
    [
      [0, 95],
      [25, undefined],
      [50, undefined],
    ],
    [],
  ],
  [
    'silence never clears',
    {},
    [
      [0, 95],
      [1000, undefined],
      [2000, 95],
    ],
    ['open2@0/0', 'stale@60', 'stale@1060'],
  ],
  [
    'recovery has to last',
    { level: { clearForSeconds: 20 } },
    [
      [0, 95],
      [10, 80],
      [20, 88],
      [30, 80],
      [40, 80],
      [50, 80],
    ],
    ['open2@0/0', 'clear@50'],
  ],
  [
    'recovery across a gap counts anew',
    { level: { clearForSeconds: 60 }, gap: 30 },
    [
      [0, 95],
      [10, 80],
      [60, 80],
      [90, 80],
      [120, 80],
    ],
    ['open2@0/0', 'clear@120'],
  ],
  [
    'restart in pending',
    { level: { forSeconds: 20 }, restarts: [15] },
    [
      [0, 95],
      [10, 95],
      [20, 95],
    ],
    ['open2@0/20'],
  ],
  [
    'restart in open',
    { restarts: [5] },
    [
      [0, 95],
      [10, 88],
      [20, 80],
    ],
    ['open2@0/0', 'clear@20'],
  ],
  [
    'restart in recovering',
    { level: { clearForSeconds: 20 }, restarts: [25] },
    [
      [0, 95],
      [10, 80],
      [20, 80],
      [30, 80],
    ],
    ['open2@0/0', 'clear@30'],
  ],
  [
    'out-of-order readings change nothing',
    {},
    [
      [0, 80],
      [20, 80],
      [10, 95],
      [30, 80],
    ],
    ['ignored@10 late'],
  ],
  [
    'a duplicate changes nothing',
    { level: { forSeconds: 20 } },
    [
      [0, 95],
      [0, 95],
      [10, 95],
      [10, 95],
      [20, 95],
    ],
    ['ignored@0 duplicate', 'ignored@10 duplicate', 'open2@0/20'],
  ],
  [
    'what else is told of a moment is judged',
    { level: { forSeconds: 20 } },
    [
      [0, 95],
      [10, 95],
      [10, 80],
      [20, 95],
      [40, 95],
    ],
    ['open2@20/40'],
  ],
  [
    'negative values',
    { condition: threshold('abs>=', 20, { clearValue: 18 }) },
    [
      [0, -20],
      [10, -19],
      [20, -17],
    ],
    ['open2@0/0', 'clear@20'],
  ],
  [
    'quality drops what is pending when it lasts',
    { level: { forSeconds: 60 } },
    [
      [0, 95],
      [20, 95, { quality: { load: 'fault' } }],
      [40, 95, { quality: { load: 'fault' } }],
      [60, 95],
      [90, 95],
    ],
    [],
  ],
  [
    'confirmed by two readings',
    { options: { confirmSamples: 2, maxGapSeconds: 30 } },
    [
      [0, 95],
      [10, 80],
      [20, 95],
      [30, 95],
    ],
    ['open2@20/30'],
  ],
  [
    'low confidence is no reading',
    { options: { minConfidence: 0.7 } },
    [
      [0, 95, { data: { load: 95, confidence: 0.6 } }],
      [10, 95, { data: { load: 95, confidence: 0.7 } }],
    ],
    ['ignored@0 confidence', 'open2@10/10'],
  ],
  [
    'only when: not known counts as not',
    { options: { onlyWhen: { worn: true }, maxGapSeconds: 30 } },
    [
      [0, 95],
      [10, 95, { data: { load: 95, worn: true } }],
      [20, 95, { data: { load: 95, worn: false } }],
    ],
    ['open2@10/10', 'clear@20'],
  ],
  [
    'only when compares',
    { options: { onlyWhen: { load: { '>': 92 } }, maxGapSeconds: 30 } },
    [
      [0, 91],
      [10, 93],
    ],
    ['open2@10/10'],
  ],
  [
    'its own end',
    { level: { clear: threshold('<', 50) } },
    [
      [0, 95],
      [10, 60],
      [20, 49],
    ],
    ['open2@0/0', 'clear@20'],
  ],
  [
    'parameter change: the limit follows',
    { condition: { type: 'threshold', metric: 'load', op: '>=', param: 'max' } },
    [
      [0, 8, { params: { max: 10 } }],
      [10, 8, { params: { max: 7 } }],
      [20, 8, { params: { max: 10 } }],
    ],
    ['open2@10/10', 'clear@20'],
  ],
])('%s', (_name, how, rows, expected) => {
  expect(run(how, rows)).toEqual(expected)
})

const four = (level: number, value: number, forSeconds = 0) => ({ level, condition: threshold('>=', value), forSeconds }) as never

test.each<[string, Run, Row[], string[]]>([
  ['several at once are one alarm at the most serious', { levels: [four(3, 90), four(1, 110)] }, [[0, 120]], ['open1@0/0']],
  [
    'upgrade at once, downgrade when the upper clears',
    { levels: [four(3, 90), four(1, 110)] },
    [
      [0, 95],
      [10, 115],
      [20, 100],
      [30, 80],
    ],
    ['open3@0/0', 'upgrade1@10', 'downgrade3@20', 'clear@30'],
  ],
  [
    'an upgrade waits its own level’s time',
    { levels: [four(3, 90), four(1, 110, 20)] },
    [
      [0, 115],
      [10, 115],
      [20, 115],
    ],
    ['open3@0/0', 'upgrade1@20'],
  ],
  [
    'the order of levels does not matter',
    { levels: [four(1, 110), four(3, 90)] },
    [
      [0, 95],
      [10, 115],
      [20, 80],
    ],
    ['open3@0/0', 'upgrade1@10', 'clear@20'],
  ],
])('levels: %s', (_name, how, rows, expected) => {
  expect(run(how, rows)).toEqual(expected)
})

test('flapping: four opens in ten minutes are one alarm that stays until five minutes of calm', () => {
  const rows: Row[] = [0, 60, 120, 180, 240].flatMap((t): Row[] => [
    [t, 95],
    [t + 20, 80],
    [t + 40, 80],
  ])
  const calm = every(300, 700, 20, 80)
  expect(run({}, [...rows, ...calm])).toEqual([
    'open2@0/0',
    'clear@20',
    'open2@60/60',
    'clear@80',
    'open2@120/120',
    'clear@140',
    'open2@180/180',
    'flapping@180',
    'clear@560',
  ])
  const silent = run({}, [...rows, [2000, undefined]])
  expect(silent.filter((e) => e.startsWith('clear'))).toHaveLength(3)
})

test.each<[string, Run, Row[], string[]]>([
  [
    'window coverage: three quarters are enough',
    { condition: threshold('>', 70, { windowSeconds: 60 }) },
    every(0, 60, 10, 80),
    ['open2@40/40'],
  ],
  ['window coverage: too little is unknown', { condition: threshold('>', 70, { windowSeconds: 60 }) }, every(0, 300, 20, 80), []],
  [
    'the window forgets',
    { condition: threshold('>', 70, { windowSeconds: 60, clearValue: 60 }) },
    [...every(0, 60, 10, 80), ...every(70, 120, 10, 20)],
    ['open2@40/40', 'clear@80'],
  ],
  [
    'a window’s maximum',
    { condition: threshold('>', 70, { windowSeconds: 60, window: 'max' }) },
    [...every(0, 50, 10, 20), [60, 80]],
    ['open2@60/60'],
  ],
  [
    'a late reading joins the window',
    { condition: threshold('>', 70, { windowSeconds: 60, clearValue: 10 }) },
    [
      [0, 60],
      [10, 60],
      [20, 60],
      [40, 60],
      [50, 60],
      [30, 500],
      [60, 60],
    ],
    ['ignored@30 late', 'open2@60/60'],
  ],
  [
    'windows survive a restart',
    { condition: threshold('>', 70, { windowSeconds: 60 }), restarts: [35] },
    every(0, 60, 10, 80),
    ['open2@40/40'],
  ],
  [
    'rate from a reading old enough',
    { condition: { type: 'rate', metric: 'load', op: 'abs>=', value: 3, perSeconds: 86_400 }, gap: 7200 },
    [
      [0, 0],
      [3600, -1],
      [64_800, -3],
    ],
    ['open2@64800/64800'],
  ],
  [
    'two readings an hour apart are no daily rate',
    { condition: { type: 'rate', metric: 'load', op: 'abs>=', value: 3, perSeconds: 86_400 }, gap: 7200 },
    [
      [0, 0],
      [3600, 2],
    ],
    [],
  ],
  ['a frozen sensor', { condition: { type: 'constant', metric: 'load', seconds: 60 } }, every(0, 60, 10, 5), ['open2@50/50']],
  [
    'a frozen sensor moves again',
    { condition: { type: 'constant', metric: 'load', seconds: 60 } },
    [...every(0, 60, 10, 5), [70, 5.1]],
    ['open2@50/50', 'clear@70'],
  ],
  [
    'counted in a window',
    { condition: { type: 'countInWindow', metric: 'load', op: '>', value: 90, count: 3, windowSeconds: 60 } },
    [
      [0, 95],
      [10, 80],
      [20, 95],
      [30, 95],
    ],
    ['open2@30/30'],
  ],
  [
    'jump against the average of the last three',
    { condition: { type: 'ratioToAverage', metrics: ['load'], samples: 3, factor: 1.5, minAbs: 2 } },
    [
      [0, 10],
      [10, 10],
      [20, 10],
      [30, 15],
      [40, 18],
    ],
    ['open2@40/40'],
  ],
  [
    'a counter that goes down',
    { condition: { type: 'counterDecrease', metric: 'load' } },
    [
      [0, 12_000],
      [10, 11_999],
      [20, 12_001],
    ],
    ['open2@10/10', 'clear@20'],
  ],
  [
    'counter roll-over is none',
    { condition: { type: 'counterDecrease', metric: 'load' } },
    [
      [0, 99_999.5],
      [10, 0.5],
    ],
    [],
  ],
  [
    'a changed meter is none',
    { condition: { type: 'counterDecrease', metric: 'load' } },
    [
      [0, 12_000],
      [10, 3, { params: { meterNo: 'B' } }],
      [20, 4],
    ],
    [],
  ],
  [
    'driving without a rest',
    { condition: { type: 'dwell', state: 'driving', seconds: 60, resetRestSeconds: 30 }, metric: 'speed' },
    [...every(0, 40, 10, 40), [50, 0], ...every(60, 70, 10, 40)],
    ['open2@60/60'],
  ],
  [
    'a rest long enough',
    { condition: { type: 'dwell', state: 'driving', seconds: 60, resetRestSeconds: 30 }, metric: 'speed' },
    [...every(0, 40, 10, 40), ...every(50, 80, 10, 0), ...every(90, 120, 10, 40)],
    [],
  ],
  [
    'hours of a day add up',
    { condition: threshold('>', 80), options: { daySeconds: 60, maxGapSeconds: 30 } },
    [...every(0, 40, 10, 90), ...every(50, 80, 10, 10), ...every(90, 130, 10, 90)],
    ['open2@120/120'],
  ],
  [
    'an expression over a window',
    { condition: { type: 'expression', expr: 'avg(load, 60) - param.base > 80' } },
    every(0, 60, 10, 90, { params: { base: 5 } }),
    ['open2@40/40'],
  ],
  [
    'any time in a window',
    { condition: { type: 'expression', expr: 'any(load > 90, 60)' } },
    [[0, 95], ...every(10, 70, 10, 10)],
    ['open2@0/0', 'clear@60'],
  ],
])('%s', (_name, how, rows, expected) => {
  expect(run(how, rows)).toEqual(expected)
})

test('three days in a row', () => {
  const day = 86_400
  const rate = { type: 'rate', metric: 'load', op: 'abs>=', value: 2.1, perSeconds: day }
  const sustained = { type: 'countInWindow', of: rate, count: 3, consecutiveDays: true, windowSeconds: 3 * day }
  const rows = Array.from({ length: 5 }, (_, i): Row => [i * day, i * 2.5])
  expect(run({ condition: sustained, gap: 2 * day }, rows)).toEqual([`open2@${3 * day}/${3 * day}`])
  expect(
    run({ condition: sustained, gap: 2 * day }, [
      [0, 0],
      [day, 2.5],
      [2 * day, 2.6],
      [3 * day, 5.2],
      [4 * day, 7.8],
    ]),
  ).toEqual([])
})

test('three millimetres in exactly a day are three a day, opening and clearing alike', () => {
  const day = 86_400
  const rate = (more: object = {}) => ({
    condition: { type: 'rate', metric: 'load', op: '>=', value: 3, perSeconds: day, ...more },
    gap: 2 * day,
  })
  expect(
    run(rate(), [
      [0, 1.5],
      [day, 4.5],
    ]),
  ).toEqual([`open2@${day}/${day}`])
  const falling = run(rate({ value: 0.3, clearValue: 0.2 }), [
    [0, 0.1],
    [day, 0.4],
    [2 * day, 0.6],
    [3 * day, 0.79],
  ])
  expect(falling).toEqual([`open2@${day}/${day}`, `clear@${3 * day}`])
})

test.each([
  ['a share of a parameter', { op: '>=', param: 'rated', factor: 0.7 }, { rated: 30 }, 21, true],
  ['a share of a parameter that is no binary number', { op: '>=', param: 'rated', factor: 1.1 }, { rated: 3 }, 3.3, true],
  ['a share from below', { op: '<=', param: 'rated', factor: 0.1 }, { rated: 3 }, 0.3, true],
  ['a share that is not passed', { op: '>', param: 'rated', factor: 1.1 }, { rated: 3 }, 3.3, false],
])('exactly at a limit that is worked out: %s', (_name, limit, params, load, expected) => {
  const condition = { type: 'threshold', metric: 'load', ...limit }
  expect(holds(valid(condition), { ...moment({ load }), params }).truth).toBe(expected)
  expect(run({ condition }, [[0, load, { params }]])).toEqual(expected ? ['open2@0/0'] : [])
})

const flapped: Row[] = [
  [214, 95],
  [285, 84],
  [315, 95],
  [375, 84],
  [420, 95],
  [481, 84],
  [682, 95],
]
const flappingEvents = [
  'open2@214/259',
  'clear@285',
  'open2@315/360',
  'clear@375',
  'open2@420/465',
  'clear@481',
  'open2@682/727',
  'flapping@727',
]
const flapping = { level: { forSeconds: 45 }, condition: threshold('>=', 90, { clearValue: 90 }), gap: 60 }

test('a time without readings says when it ended, or that it goes on', () => {
  const { events } = rehearse({
    trigger: readyTrigger({ levels: [{ level: 2, condition: threshold('>=', 90) }] }),
    intervalSeconds: 10,
    samples: [0, 1000, 2000].map((second) => ({ time: second * 1000, data: { load: 95 } })),
    until: 3_000_000,
  })
  expect(events.filter((one) => one.event === 'stale').map(({ time, until }) => [time, until])).toEqual([
    [60_000, 1_000_000],
    [1_060_000, 2_000_000],
    [2_060_000, undefined],
  ])
})

test('five minutes of calm end a flapping alarm at their own moment, though another breach is pending then', () => {
  const calm = [1564, 1595, 1636, 1676, 1736, 1791].map((second): Row => [second, 84])
  const reported = (until: number, last: Row) =>
    run({ ...flapping, until }, [...flapped, ...calm, last]).filter((one) => !one.startsWith('stale'))
  expect(reported(3_000, [1833, 95])).toEqual([...flappingEvents, 'clear@1864', 'open2@1833/1878'])
  // One second less than five minutes is not enough: the limit was exceeded again.
  expect(reported(1_900, [1818, 95])).toEqual(flappingEvents)
})

test('calm that was over before the next reading is over, whoever asks the clock in between', () => {
  const trigger = readyTrigger({ levels: [{ level: 2, condition: threshold('>=', 90) }] })
  const state = {
    ...nothingKept(trigger),
    open: { level: 2, startTime: 0 },
    flapping: true,
    calmSince: 1_000,
    freshUntil: 330_000,
    opens: [0],
  }
  const at = (time: number) => {
    const m = moment({ load: 10 })
    m.memory.add({ time, mark: 1, values: { load: 10 } })
    return takeReading(trigger, state, { ...m, time }, 300_000).events
  }
  expect(at(500_000)).toEqual([{ event: 'clear', level: 2, time: 301_000, reason: 'recovered' }])
  expect(at(300_999)).toEqual([])
})

test('a rule that was edited judges by its own way of ending', () => {
  const trigger = (condition: object, more: object = {}, options: object = {}) =>
    readyTrigger({ levels: [{ level: 2, condition, ...more }], options })
  const before = trigger(threshold('>=', 5))
  const { held } = takeReading(before, nothingKept(before), moment({ load: 6 }), undefined)
  const became = (next: ReturnType<typeof trigger>, values: Record<string, unknown>) =>
    changeRule(before, next, held, moment(values), 1).events.map((e) => e.event)
  // Between limit and clear value the state is kept, for the edited values too.
  expect(became(trigger(threshold('>=', 8, { clearValue: 5.5 })), { load: 6 })).toEqual([])
  expect(became(trigger(threshold('>=', 8, { clearValue: 7 })), { load: 6 })).toEqual(['clear'])
  expect(became(trigger(threshold('>=', 8), { clear: threshold('<', 4) }), { load: 6 })).toEqual([])
  expect(became(trigger(threshold('>=', 8), { clear: threshold('<', 7) }), { load: 6 })).toEqual(['clear'])
  const whenWorking = trigger(threshold('>=', 5), {}, { onlyWhen: { phase: { '==': 1 } } })
  expect(became(whenWorking, { load: 6, phase: 1 })).toEqual([])
  expect(became(whenWorking, { load: 6, phase: 2 })).toEqual(['clear'])
})

const midnight = Date.parse('2026-11-30T00:00:00+08:00')
test('schedule boundary: an alarm ends with its period, whatever is measured', () => {
  const night = {
    schedule: [
      [0, 21_600],
      [79_200, 86_400],
    ] as [number, number][],
  }
  const ten = 22 * 3600
  expect(
    run(
      night,
      [
        [ten - 10, 95],
        [ten, 95],
        [ten + 10, 95],
      ],
      midnight,
    ),
  ).toEqual([`open2@${ten}/${ten}`])
  const morning = 30 * 3600
  expect(
    run(
      { ...night, gap: 60 },
      [
        [morning - 20, 95],
        [morning + 20, 95],
      ],
      midnight,
    ),
  ).toEqual([`open2@${morning - 20}/${morning - 20}`, `clear@${morning} schedule`])
  expect(
    run(
      { ...night, level: { forSeconds: 40 }, gap: 60 },
      [
        [morning - 30, 95],
        [morning + 20, 95],
      ],
      midnight,
    ),
  ).toEqual([])
})

test('midnight and month ends: one night goes on over them, and windows do not reach behind its start', () => {
  const night = {
    schedule: [
      [0, 21_600],
      [79_200, 86_400],
    ] as [number, number][],
  }
  const lastNight = 24 * 3600
  expect(run({ ...night, level: { forSeconds: 60 } }, every(lastNight - 30, lastNight + 30, 10, 95), midnight)).toEqual([
    `open2@${lastNight - 30}/${lastNight + 30}`,
  ])
  const average = { ...night, condition: threshold('>', 55, { windowSeconds: 600 }) }
  const ten = 22 * 3600
  const loudDay = [...every(ten - 1200, ten - 10, 10, 80), ...every(ten, ten + 1200, 10, 50)]
  expect(run(average, loudDay, midnight)).toEqual([])
  expect(run(average, every(ten - 1200, ten + 600, 10, 60), midnight)).toEqual([`open2@${ten + 450}/${ten + 450}`])
})

test('future and stepped-back clocks: what is ahead is stored and not judged', () => {
  expect(
    run({}, [
      [0, 80, { receivedAt: start }],
      [600, 95, { receivedAt: start + 10_000 }],
      [20, 80, { receivedAt: start + 20_000 }],
    ]),
  ).toEqual(['ignored@600 future'])
})

test('future and stepped-back clocks: one set back is believed after five readings in order', () => {
  const behind = -3600
  const rows: Row[] = [
    [0, 80, { receivedAt: start }],
    ...Array.from({ length: 6 }, (_, i): Row => [behind + i * 10, 95, { receivedAt: start + (i + 1) * 10_000 }]),
  ]
  const events = run({}, rows)
  expect(events).toContain(`clockRebase@${behind + 40}`)
  expect(events.filter((e) => e.startsWith('open'))).toEqual([`open2@${behind + 40}/${behind + 40}`])
  expect(events.filter((e) => e.includes('backlog'))).toHaveLength(4)
})

test('late batch: what a device sends after an outage is on file and nothing more', () => {
  const outage = every(10, 60, 10, 95, { receivedAt: start + 3600_000 })
  const back: Row[] = [
    [70, 80, { receivedAt: start + 3600_000 }],
    [3600, 80, { receivedAt: start + 3600_000 }],
  ]
  const events = run({}, [[0, 80, { receivedAt: start }], ...outage, ...back]).filter((e) => !e.startsWith('ignored'))
  expect(events).toEqual(['historical open2@10/10', 'historical clear@70'])
  const slowly = every(-3600, -3000, 10, 95).map(([t, v], i): Row => [t, v, { receivedAt: start + i * 1000 }])
  expect(run({}, [[0, 80, { receivedAt: start }], ...slowly]).some((e) => e.startsWith('clockRebase'))).toBe(false)
})

test('silence by receive time, and the message that ends it', () => {
  const silence = { condition: { type: 'noData', seconds: 300 } }
  expect(
    run(silence, [
      [0, 1],
      [200, 1],
      [700, 1],
    ]),
  ).toEqual(['open2@200/500', 'clear@700'])
  expect(run({ ...silence, until: 299 }, [[0, 1]])).toEqual([])
  expect(run({ ...silence, until: 300 }, [[0, 1]])).toEqual(['open2@0/300'])
})

test('records: one alarm per plate, which ends by itself', () => {
  const on = { options: { on: 'weighRecord' }, condition: { type: 'threshold', metric: 'grossWeight', op: '>', value: 49 }, until: 1200 }
  const record = (plateNo: string, grossWeight: number) => ({ data: { plateNo, grossWeight } })
  expect(
    run(on, [
      [0, 0, record('A', 50)],
      [60, 0, record('B', 40)],
      [120, 0, record('B', 55)],
    ]),
  ).toEqual(['open2@0/0', 'open2@120/120', 'clear@600', 'clear@720'])
  const twice = { condition: { type: 'countInWindow', record: 'weighRecord', by: 'plateNo', count: 2, windowSeconds: 600 } }
  expect(
    run(twice, [
      [0, 0, record('A', 50)],
      [60, 0, record('B', 50)],
      [120, 0, record('A', 50)],
    ]),
  ).toEqual(['open2@120/120'])
  const drift = {
    options: { on: 'weighRecord' },
    condition: { type: 'deviationFromHistory', metric: 'tareWeight', by: 'plateNo', samples: 2, absolute: 0.5 },
  }
  const tare = (tareWeight: number) => ({ data: { plateNo: 'A', tareWeight } })
  expect(
    run(drift, [
      [0, 0, tare(12)],
      [60, 0, tare(12.2)],
      [120, 0, tare(12.7)],
    ]),
  ).toEqual(['open2@120/120'])
})

test('two in a row inside a fence, and two outside to have left it', () => {
  const at = (lng: number) => ({ data: { longitude: lng, latitude: 1 } })
  const enter = { condition: fence('enter', { confirmSamples: 2 }) }
  expect(
    run(enter, [
      [0, 0, at(3)],
      [10, 0, at(1)],
      [20, 0, at(3)],
      [30, 0, at(1)],
      [40, 0, at(1)],
      [50, 0, at(3)],
      [60, 0, at(1)],
      [70, 0, at(3)],
      [80, 0, at(3)],
    ]),
  ).toEqual(['open2@40/40', 'clear@80'])
  const stay = { condition: { type: 'dwell', fence: 'area', seconds: 60 } }
  const inArea = (second: number, lng: number): Row => [second, 0, { ...at(lng), params: { fences: { area: square } } }]
  expect(
    run(
      stay,
      [0, 10, 20, 30, 40, 50, 60].map((s) => inArea(s, 1)),
    ),
  ).toEqual(['open2@60/60'])
  expect(
    run(
      stay,
      [0, 10, 20, 30, 40, 50, 60].map((s) => inArea(s, s === 30 ? 3 : 1)),
    ),
  ).toEqual([])
})

test('the clock alone decides what time alone decides, at its own moment', () => {
  const passage = (workerId: string, direction: '0' | '1') => ({ data: { workerId, direction } })
  const longStay = { condition: { type: 'dwell', state: 'onSite', seconds: 3600 }, options: { on: 'attendance' } }
  const day: Row[] = [
    [0, 0, passage('A', '0')],
    [60, 0, passage('B', '0')],
    [120, 0, passage('A', '0')],
    [1800, 0, passage('B', '1')],
    [9000, 0, passage('A', '1')],
  ]
  // Lasts until the person leaves, not for some minutes after the passage.
  expect(run({ ...longStay, until: 10_000 }, day)).toEqual(['open2@3720/3720', 'clear@9000'])
  expect(run({ ...longStay, until: 3720 }, day.slice(0, 4))).toEqual(['open2@3720/3720'])
  expect(run({ ...longStay, until: 3719 }, day.slice(0, 4))).toEqual([])
  const recognised = (second: number): Row => [second, undefined, { record: 'driverRecognition', data: { result: '1' } }]
  const unknownDriver = {
    condition: { type: 'and', of: [threshold('>=', 1), { type: 'noRecord', record: 'driverRecognition', result: '1', withinSeconds: 60 }] },
  }
  expect(run(unknownDriver, [recognised(0), [50, 5], [70, 5], recognised(75), [80, 5]])).toEqual(['open2@60.001/60.001', 'clear@80'])
  // The other condition must be fresh at that moment.
  expect(run(unknownDriver, [recognised(0), [20, 5], [70, 0]])).toEqual([])
  expect(run({ condition: { type: 'constant', metric: 'load', seconds: 100 }, interval: 60, gap: 180, until: 60 }, [[0, 5]])).toEqual([
    'open2@40/40',
  ])
  const due = { condition: { type: 'dueDate', param: 'expiry', daysBefore: 1 }, gap: 86_400 }
  const noon: Row = [0, 5, { params: { expiry: '2026-11-21' } }]
  expect(run({ ...due, until: 15 * 3600 }, [noon])).toEqual(['open2@0/0'])
  const later: Row = [0, 5, { params: { expiry: '2026-11-22' } }]
  expect(run({ ...due, until: 15 * 3600 }, [later])).toEqual([`open2@${14 * 3600}/${14 * 3600}`])
  const waiting = { ...due, level: { forSeconds: 60 } }
  expect(run({ ...waiting, until: 15 * 3600 }, [later])).toEqual([`open2@${14 * 3600}/${14 * 3600 + 60}`])
})

test('work hours stand for a working day', () => {
  expect(scheduleOf('workHours')).not.toBeNull()
})

test('every family’s alarms are delivered, and every one can be said in words', () => {
  const all = families.flatMap((f) => f.alarms.map((a) => `${f.key}.${a.key}`))
  expect(defaultRules.map((r) => `${r.family}.${r.alarmKey}`)).toEqual(all)
  for (const rule of defaultRules) {
    const trigger = readyTrigger(rule)
    for (const level of trigger.levels) {
      const words = inWords(level, { params: {}, unitOf: () => '', labelOf: (m) => m, wordOf: () => undefined })
      expect(words, rule.id).not.toMatch(/undefined|\[object/)
      expect(holds(level.condition, moment({})), rule.id).toBeDefined()
      expect(over(level.condition, moment({})), rule.id).toBeDefined()
    }
  }
})

test.each([
  ['any(v<50) and not all(v<50)', '任一相电压 < 50 且 非（各相电压 < 50）'],
  ['a > 1 or (b > 2 and c == 3)', '甲 > 1 或 （b > 2 且 c = 3）'],
  ['any(a > 3, 60) and avg(b, 300) > param.limit * 2', '60 秒内曾 甲 > 3 且 5 分钟内b均值 > 限值 × 2'],
])('a formula is said in words: %s', (expr, words) => {
  const labels: Record<string, string> = { a: '甲', limit: '限值' }
  const level = { level: 2 as const, condition: { type: 'expression' as const, expr } }
  expect(inWords(level, { params: {}, unitOf: () => undefined, labelOf: (m) => labels[m] ?? m, wordOf: () => undefined })).toBe(words)
})

test('what the quick look calls calm, the judgement never calls true', () => {
  let seed = 1
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed / 2 ** 31
  }
  let calm = 0
  for (const rule of defaultRules) {
    const trigger = readyTrigger(rule)
    const family = families.find((f) => f.key === rule.family)
    for (let i = 0; i < 60; i++) {
      const values: Record<string, unknown> = {}
      const quality: Record<string, string> = {}
      for (const field of [...(family?.metrics ?? []), ...(family?.record(rule.options.on ?? '')?.fields ?? [])]) {
        if (next() < 0.2) continue
        const options = Object.keys(field.values ?? {})
        if (field.type === 'boolean') values[field.key] = next() < 0.5
        else if (options.length) values[field.key] = options[Math.floor(next() * options.length)]
        else if (field.type === 'string') values[field.key] = 'x'
        else values[field.key] = (next() - 0.3) * 2 * (field.max ?? 100)
        if (next() < 0.1) quality[field.key] = 'fault'
      }
      const around = moment(values, quality)
      if (!trigger.calm(values, quality, around.params)) continue
      calm++
      const allowed = trigger.onlyWhen.every((c) => holds(c, around).truth === true)
      for (const level of trigger.levels)
        expect([rule.id, values, allowed && holds(level.condition, around).truth === true]).toEqual([rule.id, values, false])
    }
  }
  expect(calm).toBeGreaterThan(1000)
})
