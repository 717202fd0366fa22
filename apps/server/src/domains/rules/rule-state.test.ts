import { checkCondition, type RuleCondition } from '@zhugong/contract/rules/conditions'
import { describe, expect, test } from 'vitest'
import { Budget } from './budget.ts'
import {
  advance,
  changeRule,
  dropWaiting,
  end,
  isNothing,
  nothingKept,
  type Outcome,
  type RuleLevel,
  type RuleState,
  speaks,
  type Trigger,
  takeFlag,
  takeReading,
  takeSilence,
  takeSound,
  waits,
} from './evaluate.ts'
import { Memory } from './history.ts'
import type { Moment } from './moment.ts'
import type { Schedule } from './schedule.ts'

const valid = (raw: object): RuleCondition => {
  const { condition, problems } = checkCondition(raw)
  if (!condition) throw new Error(JSON.stringify(problems))
  return condition
}
const above = (value: number) => valid({ type: 'threshold', metric: 'v', op: '>=', value, clearValue: value - 5 })
const silence = (seconds: number) => valid({ type: 'noData', seconds })
const rule = (levels: RuleLevel[], more: Partial<Trigger> = {}): Trigger => ({ levels, schedule: null, onlyWhen: [], ...more })
const level = (n: 1 | 2 | 3 | 4, value: number, more: Partial<RuleLevel> = {}): RuleLevel => ({
  level: n,
  condition: above(value),
  ...more,
})
function moment(seconds: number, v: number | undefined, quality?: Record<string, string>): Moment {
  const memory = new Memory(new Map(), 30_000)
  const values = v === undefined ? {} : { v }
  memory.add({ time: seconds * 1000, mark: 0, values, quality })
  return {
    time: seconds * 1000,
    memory,
    budget: new Budget(),
    values,
    params: {},
    intervalMs: 10_000,
    maxGapMs: 30_000,
    periodStart: Number.NEGATIVE_INFINITY,
    facts: {},
    unitOf: () => undefined,
  }
}
const short = ({ events }: Outcome) =>
  events.map((e) => {
    const tail =
      e.event === 'open'
        ? ` ${e.startTime / 1000}/${e.fireTime / 1000} ${e.source}`
        : e.event === 'source'
          ? ` ${e.source}`
          : e.event === 'clear'
            ? ` ${e.reason}`
            : ''
    return `${e.event}${e.level}@${e.time / 1000}${tail}`
  })
/** Applies readings of [second, value] in order; returns the final state and the events. */
function follow(
  trigger: Trigger,
  rows: [number, number | undefined][],
  state = nothingKept(trigger),
  suppressed = false,
): [RuleState, string[]] {
  const events: string[] = []
  let last: number | undefined
  for (const [second, v] of rows) {
    const out = takeReading(trigger, state, moment(second, v), last, suppressed)
    state = out.held
    last = second * 1000
    events.push(...short(out))
  }
  return [state, events]
}

describe('the device’s own flag', () => {
  const one = rule([level(2, 90)])
  test('opens by itself, once, and ends by itself', () => {
    const up = takeFlag(one, nothingKept(one), true, 2, 5_000)
    expect(short(up)).toEqual(['open2@5 5/5 device'])
    expect(up.held).toEqual({ levels: [{}], device: { since: 5_000, level: 2 }, open: { level: 2, startTime: 5_000 }, opens: [5_000] })
    expect(takeFlag(one, up.held, true, 2, 6_000)).toEqual({ held: up.held, events: [] })
    expect(short(takeFlag(one, up.held, false, 2, 7_000))).toEqual(['clear2@7 recovered'])
    const none = nothingKept(one)
    expect(takeFlag(one, none, false, 2, 7_000)).toEqual({ held: none, events: [] })
  })
  test('joins an alarm that is open, and the alarm stays as long as either says so', () => {
    const [open] = follow(one, [[0, 95]])
    const both = takeFlag(one, open, true, 2, 5_000)
    expect(short(both)).toEqual(['source2@5 device'])
    const out = takeReading(one, both.held, moment(10, 10), 0)
    expect(short(out)).toEqual([])
    expect(out.held.open).toEqual({ level: 2, startTime: 0 })
    expect(short(takeFlag(one, out.held, false, 2, 15_000))).toEqual(['clear2@15 recovered'])
    expect(short(takeFlag(one, both.held, false, 2, 15_000))).toEqual([])
  })
  test('may be the more serious one', () => {
    const [open] = follow(one, [[0, 95]])
    expect(short(takeFlag(one, open, true, 1, 5_000))).toEqual(['upgrade1@5', 'source1@5 device'])
    const worse = takeFlag(one, open, true, 1, 5_000)
    expect(short(takeFlag(one, worse.held, false, 1, 6_000))).toEqual(['downgrade2@6'])
  })
  test('the platform joins what the device began', () => {
    const up = takeFlag(one, nothingKept(one), true, 2, 5_000)
    expect(short(takeReading(one, up.held, moment(10, 95), 5_000))).toEqual(['source2@10 platform'])
  })
})

describe('silence', () => {
  const quiet = rule([{ level: 3, condition: silence(300), forSeconds: 10 }, { level: 1, condition: silence(900) }, level(2, 90)])
  test('opens when it has lasted, by the clock, and grows more serious', () => {
    const none = nothingKept(quiet)
    expect(takeSilence(quiet, none, 100_000, 409_999)).toEqual({ held: none, events: [] })
    const first = takeSilence(quiet, none, 100_000, 410_000)
    expect(short(first)).toEqual(['open3@410 100/410 platform'])
    expect(takeSilence(quiet, first.held, 100_000, 500_000).events).toEqual([])
    const second = takeSilence(quiet, first.held, 100_000, 2_000_000)
    expect(short(second)).toEqual(['upgrade1@1000'])
    expect(short(takeSilence(quiet, none, 100_000, 2_000_000))).toEqual(['open3@410 100/410 platform', 'upgrade1@1000'])
  })
  test('ends with any message; what else is open stays', () => {
    const { held } = takeSilence(quiet, nothingKept(quiet), 100_000, 2_000_000)
    const heard = takeSound(quiet, held, 2_100_000)
    expect(short(heard)).toEqual(['clear1@2100 recovered'])
    expect(heard.held.levels).toEqual([{}, {}, {}])
    expect(takeSound(quiet, heard.held, 2_200_000)).toEqual({ held: heard.held, events: [] })
    const [open] = follow(quiet, [[0, 95]])
    expect(takeSound(quiet, open, 5_000)).toEqual({ held: open, events: [] })
    expect(open.levels[2]).toEqual({ activeSince: 0 })
  })
  test('is no matter outside its schedule', () => {
    const hour = (n: number) => Date.parse('2026-11-21T00:00:00+08:00') + n * 3_600_000
    const day: Schedule = [[6 * 3600, 19 * 3600]]
    const work = rule([{ level: 3, condition: silence(300) }], { schedule: day })
    expect(takeSilence(work, nothingKept(work), hour(20), hour(21)).events).toEqual([])
    expect(takeSilence(work, nothingKept(work), hour(10), hour(11)).events).toHaveLength(1)
  })
})

describe('a rule that becomes another', () => {
  const before = rule([level(2, 90)])
  const [open] = follow(before, [[0, 95]])
  const change = (next: Trigger, m: Moment | null = moment(10, 95), state = open) => changeRule(before, next, state, m ?? undefined, 20_000)
  test('what was not open begins anew', () => {
    const [pending] = follow(rule([level(2, 90, { forSeconds: 60 })]), [[0, 95]])
    expect(change(rule([level(2, 80)]), moment(10, 95), pending)).toEqual({ held: { levels: [{}] }, events: [] })
  })
  test('an open alarm goes on where the last value says so, or does not say that it is over', () => {
    expect(change(rule([level(2, 80)]))).toEqual({
      held: { levels: [{ activeSince: 0 }], open: { level: 2, startTime: 0 }, opens: [0] },
      events: [],
    })
    expect(short(change(rule([level(2, 98)])))).toEqual([])
    expect(short(change(rule([level(2, 101)])))).toEqual(['clear2@20 ruleChanged'])
    expect(short(change(rule([level(2, 101)]), null))).toEqual([])
    expect(short(change(rule([level(2, 101)]), moment(10, undefined)))).toEqual([])
  })
  test('its level follows the new rule; a more serious one has to wait its own time', () => {
    expect(short(change(rule([level(1, 80)])))).toEqual(['upgrade1@20'])
    expect(short(change(rule([level(3, 80)])))).toEqual(['downgrade3@20'])
    expect(short(change(rule([level(1, 80), level(2, 80)])))).toEqual([])
    expect(short(change(rule([level(1, 80), level(3, 80)])))).toEqual(['downgrade3@20'])
    expect(short(change(rule([level(1, 80), level(3, 101)])))).toEqual(['clear2@20 ruleChanged'])
  })
  test('it ends where the new rule does not hold at that hour', () => {
    const never: Schedule = [[3600, 3601]]
    const out = change(rule([level(2, 80)], { schedule: never }))
    expect(short(out)).toEqual(['clear2@20 ruleChanged'])
    expect(out.held).toEqual({ levels: [{}], opens: [0] })
    expect(short(change(rule([level(2, 80)], { schedule: never }), null))).toEqual(['clear2@20 ruleChanged'])
  })
  test('silence goes on as silence, the device’s flag and flapping as they were', () => {
    const quiet = rule([{ level: 3, condition: silence(300) }])
    const { held } = takeSilence(quiet, nothingKept(quiet), 0, 400_000)
    const next = rule([{ level: 3, condition: silence(600) }])
    expect(short(changeRule(quiet, next, held, moment(10, 95), 500_000))).toEqual([])
    expect(short(changeRule(rule([level(3, 90)]), next, held, moment(10, 95), 500_000))).toEqual(['clear3@500 ruleChanged'])
    const flagged = takeFlag(before, open, true, 2, 5_000).held
    const kept = change(rule([level(2, 101)]), moment(10, 95), { ...flagged, flapping: true })
    expect(short(kept)).toEqual([])
    expect(kept.held).toMatchObject({ device: { since: 5_000, level: 2 }, flapping: true, opens: [0], levels: [{}] })
    expect(change(rule([level(2, 80)])).held).not.toHaveProperty('flapping')
  })
})

test('ending everything: one clear when an alarm was open, and how often it opened stays known', () => {
  const one = rule([level(2, 90), level(1, 110)])
  const [open] = follow(one, [[0, 95]])
  const out = end(one, open, 9_000, 'deviceRemoved')
  expect(short(out)).toEqual(['clear2@9 deviceRemoved'])
  expect(out.held).toEqual({ levels: [{}, {}], opens: [0] })
  expect(end(one, nothingKept(one), 9_000, 'recovered')).toEqual({ held: { levels: [{}, {}] }, events: [] })
})

test('what is nothing, what waits, and what is left when waiting begins anew', () => {
  const none = { levels: [{}, {}] }
  expect([isNothing(none), waits(none)]).toEqual([true, false])
  const some: [Partial<RuleState>, boolean, boolean][] = [
    [{ open: { level: 2, startTime: 0 } }, false, false],
    [{ device: { since: 0, level: 2 } }, false, false],
    [{ flapping: true }, false, false],
    [{ opens: [1] }, false, false],
    [{ opens: [] }, true, false],
    [{ levels: [{}, { pendingSince: 1 }] }, false, true],
    [{ levels: [{}, { activeSince: 1 }] }, false, false],
    [{ levels: [{ activeSince: 1, clearSince: 2 }] }, false, true],
    [{ calmSince: 5 }, true, true],
    [{ lastHit: 5 }, true, true],
  ]
  expect(some.map(([state]) => [isNothing({ ...none, ...state }), waits({ ...none, ...state })])).toEqual(
    some.map(([, nothing, waiting]) => [nothing, waiting]),
  )
  expect(
    dropWaiting({
      levels: [{ pendingSince: 1 }, { activeSince: 1, clearSince: 2 }],
      open: { level: 1, startTime: 1 },
      calmSince: 3,
      opens: [1],
    }),
  ).toEqual({
    levels: [{}, { activeSince: 1 }],
    open: { level: 1, startTime: 1 },
    opens: [1],
  })
})

test('whether any level would speak', () => {
  const two = rule([level(3, 90), level(1, 110)])
  expect([speaks(two, moment(0, 95)), speaks(two, moment(0, 120)), speaks(two, moment(0, 10)), speaks(two, moment(0, undefined))]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

describe('levels together', () => {
  const two = rule([level(3, 90), level(1, 110)])
  test('a beginning shared by levels that open at once is the earliest', () => {
    const waiting = rule([level(3, 90, { forSeconds: 20 }), level(1, 110, { forSeconds: 10 })])
    const [, events] = follow(waiting, [
      [0, 95],
      [10, 120],
      [20, 120],
    ])
    expect(events).toEqual(['open1@20 0/20 platform'])
  })
  test('a level that clears while the upper one stays says nothing', () => {
    const low = rule([
      level(3, 90),
      { level: 1, condition: valid({ type: 'threshold', metric: 'v', op: '>=', value: 95, clearValue: 10 }) },
    ])
    expect(
      follow(low, [
        [0, 96],
        [10, 50],
        [20, 5],
      ])[1],
    ).toEqual(['open1@0 0/0 platform', 'clear1@20 recovered'])
    expect(
      follow(two, [
        [0, 96],
        [10, 120],
        [20, 96],
        [30, 5],
      ])[1],
    ).toEqual(['open3@0 0/0 platform', 'upgrade1@10', 'downgrade3@20', 'clear3@30 recovered'])
  })
  test('a spell that began and ended between two readings is one alarm', () => {
    const quick = rule([level(2, 90, { forSeconds: 5, clearForSeconds: 5 })])
    expect(
      follow(quick, [
        [0, 95],
        [10, 10],
        [20, 95],
      ])[1],
    ).toEqual(['open2@5 0/5 platform', 'clear2@15 recovered'])
  })
})

describe('flapping', () => {
  const one = rule([level(2, 90)])
  const times = (n: number, step: number): [number, number][] =>
    Array.from({ length: n }, (_, i): [number, number] => [i * step, i % 2 ? 10 : 95])
  test('the fourth opening within ten minutes stays', () => {
    const [state, events] = follow(one, times(8, 20))
    expect(events.slice(-2)).toEqual(['open2@120 120/120 platform', 'flapping2@120'])
    expect(state).toMatchObject({ flapping: true, open: { level: 2, startTime: 120_000 }, calmSince: 140_000 })
  })
  test('three do not, and the fourth after ten minutes does not', () => {
    expect(follow(one, times(6, 20))[0].flapping).toBeUndefined()
    expect(follow(one, [...times(6, 20), [600, 95]])[1].at(-1)).toBe('open2@600 600/600 platform')
    expect(follow(one, [...times(6, 20), [599, 95]])[1].at(-1)).toBe('flapping2@599')
  })
  test('again while it flaps is counted and not told; five minutes of calm end it', () => {
    const [state] = follow(one, times(8, 20))
    const again = follow(one, [[160, 95]], state)
    expect(again[1]).toEqual(['again2@160'])
    expect(again[0]).not.toHaveProperty('calmSince')
    const calm = Array.from({ length: 16 }, (_, i): [number, number] => [160 + i * 20, 10])
    const [left, events] = follow(one, calm, state)
    expect(events).toEqual(['clear2@440 recovered'])
    expect(left).toEqual({ levels: [{}] })
  })
  test('calm nobody looked at is none', () => {
    const [state] = follow(one, times(8, 20))
    const [later, events] = follow(
      one,
      [
        [160, 10],
        [191, 10],
      ],
      state,
    )
    expect([later.calmSince, events]).toEqual([191_000, []])
    expect(
      follow(
        one,
        [
          [160, 10],
          [190, 10],
        ],
        state,
      )[0].calmSince,
    ).toBe(140_000)
    expect(advance(one, later, 1_000_000, 191_000).events).toEqual([])
    // An unknown result does not renew freshness.
    expect(follow(one, [[160, undefined]], state)[0].freshUntil).toBe(state.freshUntil)
  })
  test('the clock ends it while the last value is fresh', () => {
    const state: RuleState = {
      levels: [{}],
      flapping: true,
      open: { level: 2, startTime: 0 },
      calmSince: 100_000,
      freshUntil: 400_000,
      opens: [1],
    }
    expect(advance(one, state, 399_999, 380_000).events).toEqual([])
    const out = advance(one, state, 450_000, 380_000)
    expect(short(out)).toEqual(['clear2@400 recovered'])
    expect(out.held).toEqual({ levels: [{}] })
    expect(advance(one, { ...state, freshUntil: 399_999 }, 450_000, 380_000).events).toEqual([])
  })
})

describe('happenings', () => {
  const once = rule([level(2, 90)], { endsAfterMs: 600_000 })
  test('end some time after the last of them', () => {
    const [state] = follow(once, [
      [0, 95],
      [60, 95],
    ])
    expect(state.lastHit).toBe(60_000)
    expect(advance(once, state, 659_999, 60_000).events).toEqual([])
    const out = advance(once, state, 700_000, 60_000)
    expect(short(out)).toEqual(['clear2@660 recovered'])
    expect(isNothing({ ...out.held, opens: [] })).toBe(true)
    expect(
      follow(once, [
        [0, 95],
        [700, 95],
      ])[1],
    ).toEqual(['open2@0 0/0 platform', 'clear2@600 recovered', 'open2@700 700/700 platform'])
  })
  test('one that is not yet over prolongs it, one that is over ends it', () => {
    expect(
      follow(once, [
        [0, 95],
        [60, 92],
        [120, 88],
      ])[0].lastHit,
    ).toBe(120_000)
    const [cleared, events] = follow(once, [
      [0, 95],
      [60, 10],
    ])
    expect([cleared.lastHit, events]).toEqual([undefined, ['open2@0 0/0 platform', 'clear2@60 recovered']])
  })
})

describe('under a schedule', () => {
  const base = Date.parse('2026-11-21T00:00:00+08:00') / 1000
  const work = rule([level(2, 90, { forSeconds: 30 })], { schedule: [[6 * 3600, 19 * 3600]] })
  const at = (hour: number, second = 0) => base + hour * 3600 + second
  test('nothing begins outside it, and what is open ends with it', () => {
    expect(
      follow(work, [
        [at(5), 95],
        [at(5, 30), 95],
      ])[1],
    ).toEqual([])
    const [state, events] = follow(work, [
      [at(18), 95],
      [at(18, 30), 95],
    ])
    expect(events).toHaveLength(1)
    expect(advance(work, state, at(18, 3599) * 1000, at(18, 30) * 1000).events).toEqual([])
    expect(short(advance(work, state, at(19) * 1000, at(18, 30) * 1000))).toEqual([`clear2@${at(19)} schedule`])
    expect(follow(work, [[at(20), 95]], state)[0]).toEqual(state)
  })
  test('what was due before its end still happened', () => {
    const [state] = follow(work, [[at(19, -30), 95]])
    expect(short(advance(work, state, at(20) * 1000, at(19, -30) * 1000))).toEqual([])
    const [earlier] = follow(work, [[at(19, -31), 95]])
    expect(short(advance(work, earlier, at(20) * 1000, at(19, -31) * 1000))).toEqual([
      `open2@${at(19, -1)} ${at(19, -31)}/${at(19, -1)} platform`,
      `clear2@${at(19)} schedule`,
    ])
    const out = takeReading(work, earlier, moment(at(20), 95), at(19, -31) * 1000)
    expect(short(out)).toHaveLength(2)
    expect(out.held.levels).toEqual([{}])
  })
})

describe('beside its own condition', () => {
  const guarded = rule([level(2, 90)], { onlyWhen: [valid({ type: 'threshold', metric: 'w', op: '>', value: 0 })] })
  const guardedMoment = (seconds: number, v: number, w: number | undefined): Moment => {
    const memory = new Memory(new Map(), 30_000)
    const values = w === undefined ? { v } : { v, w }
    memory.add({ time: seconds * 1000, mark: 0, values })
    return { ...moment(seconds, v), memory, values }
  }
  test('another must hold; when it no longer does, it is over', () => {
    const none = nothingKept(guarded)
    expect(takeReading(guarded, none, guardedMoment(0, 95, 0), undefined).events).toEqual([])
    expect(takeReading(guarded, none, guardedMoment(0, 95, undefined), undefined).events).toEqual([])
    const { held, events } = takeReading(guarded, none, guardedMoment(0, 95, 1), undefined)
    expect(events).toHaveLength(1)
    expect(short(takeReading(guarded, held, guardedMoment(10, 95, 0), 0))).toEqual(['clear2@10 recovered'])
    expect(short(takeReading(guarded, held, guardedMoment(10, 95, 1), 0))).toEqual([])
  })
  test('its own end goes before the clear value', () => {
    const own = rule([level(2, 90, { clear: valid({ type: 'threshold', metric: 'v', op: '<', value: 50 }) })])
    expect(
      follow(own, [
        [0, 95],
        [10, 60],
        [20, 49],
      ])[1],
    ).toEqual(['open2@0 0/0 platform', 'clear2@20 recovered'])
  })
  test('suppressed: nothing opens, what waits is dropped, what is open may end', () => {
    const one = rule([level(2, 90, { forSeconds: 20 })])
    expect(
      follow(
        one,
        [
          [0, 95],
          [20, 95],
        ],
        nothingKept(one),
        true,
      )[1],
    ).toEqual([])
    const [pending] = follow(one, [[0, 95]])
    expect(follow(one, [[10, 95]], pending, true)[0].levels).toEqual([{}])
    const [open] = follow(one, [
      [0, 95],
      [20, 95],
    ])
    expect(follow(one, [[30, 10]], open, true)[1]).toEqual(['clear2@30 recovered'])
    expect(follow(one, [[30, 95]], open, true)[0].open).toBeDefined()
  })
})

describe('counted by the day', () => {
  const noon = Date.parse('2026-11-21T12:00:00+08:00') / 1000
  const daily = rule([level(2, 90)], { daySeconds: 30 })
  const on = (...rows: [number, number][]) =>
    follow(
      daily,
      rows.map(([s, v]): [number, number] => [noon + s, v]),
    )
  test('the time between readings that both say so adds up, more than the limit opens', () => {
    expect(on([0, 95], [10, 95], [20, 95], [30, 95])[1]).toEqual([])
    expect(on([0, 95], [10, 95], [20, 95], [30, 95], [31, 95])[1]).toEqual([`open2@${noon + 31} ${noon + 31}/${noon + 31} platform`])
    expect(on([0, 95], [20, 95], [30, 10], [40, 95], [51, 95])[1]).toHaveLength(1)
    expect(on([0, 95], [20, 95], [30, 10], [40, 95], [50, 95])[1]).toEqual([])
    // Gaps are not counted, and each day starts at zero.
    expect(on([0, 95], [31, 95])[0].levels[0]?.today).toMatchObject({ ms: 0 })
    expect(on([0, 95], [30, 95])[0].levels[0]?.today).toMatchObject({ ms: 30_000 })
    const midnight = 12 * 3600
    expect(on([midnight - 20, 95], [midnight - 5, 95], [midnight + 5, 95], [midnight + 10, 95])[0].levels[0]?.today).toMatchObject({
      ms: 5_000,
    })
    expect(on([0, 10])[0].levels[0]).toEqual({})
    expect(on([0, 95], [10, 95], [20, 10])[0].levels[0]).toEqual({ today: { day: expect.any(Number), ms: 10_000 } })
  })
})

test('a reading says nothing of silence: that ends with being heard, not with a value', () => {
  const both = rule([{ level: 3, condition: silence(300) }, level(2, 90)])
  const { held } = takeSilence(both, nothingKept(both), 0, 400_000)
  const out = takeReading(both, held, moment(500, 10), 0)
  expect([out.held.levels, out.events]).toEqual([[{ activeSince: 0 }, {}], []])
})

test('what fell due between two looks is told in its order, whatever the order of levels', () => {
  const two = rule([level(3, 90, { forSeconds: 20 }), level(1, 110, { forSeconds: 10 })])
  const waiting: RuleState = {
    levels: [
      { pendingSince: 0, until: 60_000 },
      { pendingSince: 0, until: 60_000 },
    ],
  }
  expect(short(advance(two, waiting, 30_000, 0))).toEqual(['open1@10 0/10 platform'])
  const recovering: RuleState = {
    levels: [
      { activeSince: 0, clearSince: 20_000, until: 60_000 },
      { activeSince: 0, clearSince: 10_000, until: 60_000 },
    ],
    open: { level: 1, startTime: 0 },
  }
  expect(short(advance(two, recovering, 30_000, 0))).toEqual(['downgrade3@10', 'clear3@20 recovered'])
})

test('openings are forgotten after ten minutes', () => {
  const one = rule([level(2, 90)])
  const opens = (second: number) =>
    follow(one, [
      [0, 95],
      [10, 10],
      [second, 10],
    ])[0].opens
  expect([opens(599), opens(600)]).toEqual([[0], undefined])
})

test('a happening that does not say anything prolongs nothing', () => {
  const once = rule([level(2, 90)], { endsAfterMs: 600_000 })
  expect(
    follow(once, [
      [0, 95],
      [60, undefined],
    ])[0].lastHit,
  ).toBe(0)
  expect(follow(once, [[0, 10]])[0]).toEqual({ levels: [{}] })
  expect(follow(rule([level(2, 90)]), [[0, 95]])[0]).not.toHaveProperty('lastHit')
})

test('the first reading of a day has no time before it', () => {
  const daily = rule([level(2, 90)], { daySeconds: 30 })
  expect(follow(daily, [[0, 95]])[0].levels[0]?.today).toMatchObject({ ms: 0, at: 0 })
})
