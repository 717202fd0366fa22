import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { expect, test } from 'vitest'
import { conditionWords, type DraftLevel, ruleWords } from './condition-words.ts'
import { orderProblems } from './level-checks.ts'
import { contrastOf } from './level-looks.ts'
import { firstMetric, knownParts, pairsOf, unknownMs } from './rehearsal.tsx'

const family = {
  metrics: [
    { key: 'windSpeed', label: '风速', unit: 'm/s', type: 'number' },
    { key: 'limitUpper', label: '高度上限位', unit: '', type: 'boolean' },
  ],
  params: [{ key: 'maxLoad', label: '最大起重量', unit: 't', type: 'number' }],
  records: [],
} as unknown as FamilyView

test.each([
  [{ type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 }, '风速 ≥ 12 m/s'],
  [{ type: 'threshold', metric: 'windSpeed', op: '>=', value: 12, window: 'avg', windowSeconds: 600 }, '风速 10 分钟均值 ≥ 12 m/s'],
  [{ type: 'threshold', metric: 'windSpeed', op: '>', param: 'maxLoad', factor: 0.9 }, '风速 > 最大起重量的 90 %'],
  [{ type: 'range', metric: 'windSpeed', low: 1, high: 20 }, '风速 < 1 m/s 或 > 20 m/s'],
  [{ type: 'state', metric: 'limitUpper', equals: true }, '高度上限位'],
  [{ type: 'threshold', op: '>=' }, '… ≥ …'],
])('%o reads %s', (condition, words) => {
  expect(conditionWords(condition, family)).toBe(words)
})

test('a rule is one sentence with hours, duration, level and clearing', () => {
  const levels: DraftLevel[] = [
    {
      level: 2,
      condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 },
      forSeconds: 10,
      clearValue: 10.8,
      clearForSeconds: 30,
    },
  ]
  expect(ruleWords({ who: '2#、3#', levels, schedule: [[6 * 3600, 22 * 3600]] }, family)).toBe(
    '2#、3# 风速 ≥ 12 m/s 持续 10 秒（06:00-22:00），报二级；回到 10.8 m/s 且保持 30 秒后解除',
  )
})

test('a more serious level that is easier to reach is named', () => {
  const level = (n: 1 | 2, value: number): DraftLevel => ({
    level: n,
    condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value },
  })
  expect(orderProblems([level(1, 20), level(2, 12)])).toEqual([])
  expect(orderProblems([level(1, 10), level(2, 12)])).toEqual([[0, '一级不能比二级更容易触发']])
})

test('openings are paired with what ended them, by device', () => {
  const events = [
    { event: 'open', time: 10, startTime: 5, level: 3, deviceId: 'a' },
    { event: 'open', time: 11, startTime: 11, level: 2, deviceId: 'b' },
    { event: 'upgrade', time: 12, level: 1, deviceId: 'a' },
    { event: 'clear', time: 20, deviceId: 'a' },
  ]
  expect(pairsOf(events)).toEqual([
    { deviceId: 'a', level: 1, start: 5, from: 10, to: 20, gaps: [] },
    { deviceId: 'b', level: 2, start: 11, from: 11, to: undefined, gaps: [] },
  ])
})

test('an opening that lasts over a time without readings says how long it is known and how long not', () => {
  const [spell, other] = pairsOf([
    { event: 'open', time: 10, startTime: 0, deviceId: 'a', point: '1' },
    { event: 'open', time: 12, deviceId: 'a', point: '2' },
    { event: 'clear', time: 15, deviceId: 'a', point: '2' },
    { event: 'stale', time: 60, deviceId: 'a', point: '1', until: 900 },
    { event: 'stale', time: 950, deviceId: 'a', point: '1' },
  ])
  expect([spell && unknownMs(spell, 1000), spell && knownParts(spell, 1000)]).toEqual([
    890,
    [
      [0, 60],
      [900, 950],
    ],
  ])
  expect(other).toMatchObject({ point: '2', to: 15, gaps: [] })
})

test('contrast is that of WCAG', () => {
  expect(contrastOf('#FFFFFF', '#000000')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
})

test('the curve shows the metric that is spoken of first', () => {
  const wind = { type: 'threshold', metric: 'windSpeed', op: '>=', value: 12 }
  expect(
    firstMetric({
      type: 'and',
      of: [
        { type: 'noData', seconds: 5 },
        { type: 'not', of: [wind] },
      ],
    }),
  ).toBe(wind)
  expect(firstMetric({ type: 'noData', seconds: 5 })).toBeUndefined()
})
