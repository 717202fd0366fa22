import { describe, expect, test } from 'vitest'
import {
  advance,
  isIdle,
  isPending,
  type LevelState,
  type Step,
  take,
  type Verdict,
  type Waits,
  waitsForClock,
  withoutWaiting,
} from './spell.ts'

const says =
  (truth: boolean | undefined, until = 100_000) =>
  (): Verdict => ({ truth, until })
const short = ({ events }: Step) => events.map((e) => (e.kind === 'open' ? `open ${e.startTime}/${e.fireTime}` : `clear ${e.time}`))
const today = { day: 1, ms: 5 }

describe('a reading', () => {
  const wait: Waits = { forSeconds: 20, clearForSeconds: 10 }
  test.each<[string, Waits, LevelState, number, boolean | undefined, LevelState, string[]]>([
    ['opens at once', {}, {}, 5_000, true, { activeSince: 5_000 }, ['open 5000/5000']],
    ['begins to wait', wait, {}, 5_000, true, { pendingSince: 5_000, until: 100_000 }, []],
    ['goes on waiting', wait, { pendingSince: 1_000, until: 9_000 }, 5_000, true, { pendingSince: 1_000, until: 100_000 }, []],
    ['waits anew after a gap', wait, { pendingSince: 1_000, until: 4_999 }, 5_000, true, { pendingSince: 5_000, until: 100_000 }, []],
    ['has waited long enough', wait, { pendingSince: 1_000, until: 30_000 }, 21_000, true, { activeSince: 1_000 }, ['open 1000/21000']],
    ['stops waiting', wait, { pendingSince: 1_000, until: 9_000 }, 5_000, false, {}, []],
    [
      'that is not known keeps it waiting',
      wait,
      { pendingSince: 1_000, until: 9_000 },
      5_000,
      undefined,
      { pendingSince: 1_000, until: 9_000 },
      [],
    ],
    ['that is not known after a gap ends it', wait, { pendingSince: 1_000, until: 4_000 }, 5_000, undefined, {}, []],
    [
      'comes after what was due before it',
      wait,
      { pendingSince: 1_000, until: 30_000 },
      25_000,
      false,
      { activeSince: 1_000 },
      ['open 1000/21000'],
    ],
    ['at the very moment decides itself', wait, { pendingSince: 1_000, until: 30_000 }, 21_000, false, {}, []],
    ['begins to recover', wait, { activeSince: 1_000 }, 5_000, true, { activeSince: 1_000, clearSince: 5_000, until: 100_000 }, []],
    [
      'goes on recovering',
      wait,
      { activeSince: 1, clearSince: 2_000, until: 9_000 },
      5_000,
      true,
      { activeSince: 1, clearSince: 2_000, until: 100_000 },
      [],
    ],
    [
      'recovers anew after a gap',
      wait,
      { activeSince: 1, clearSince: 2_000, until: 4_000 },
      5_000,
      true,
      { activeSince: 1, clearSince: 5_000, until: 100_000 },
      [],
    ],
    ['has recovered', wait, { activeSince: 1, clearSince: 2_000, until: 20_000 }, 12_000, true, {}, ['clear 12000']],
    ['had recovered before it', wait, { activeSince: 1, clearSince: 2_000, until: 20_000 }, 15_000, false, {}, ['clear 12000']],
    ['recovers at once', {}, { activeSince: 1 }, 5_000, true, {}, ['clear 5000']],
    ['stops recovering', wait, { activeSince: 1, clearSince: 2_000, until: 9_000 }, 5_000, false, { activeSince: 1 }, []],
    ['changes nothing while it lasts', wait, { activeSince: 1 }, 5_000, false, { activeSince: 1 }, []],
    [
      'that is not known keeps it recovering',
      wait,
      { activeSince: 1, clearSince: 2_000, until: 9_000 },
      5_000,
      undefined,
      { activeSince: 1, clearSince: 2_000, until: 9_000 },
      [],
    ],
    [
      'that is not known after a gap ends recovery',
      wait,
      { activeSince: 1, clearSince: 2_000, until: 4_000 },
      5_000,
      undefined,
      { activeSince: 1 },
      [],
    ],
    ['the first of two', { confirmSamples: 2 }, {}, 5_000, true, { pendingSince: 5_000, hits: 1, until: 100_000 }, []],
    [
      'the second of two',
      { confirmSamples: 2 },
      { pendingSince: 1_000, hits: 1, until: 9_000 },
      5_000,
      true,
      { activeSince: 1_000 },
      ['open 1000/5000'],
    ],
    [
      'the second after a gap is the first',
      { confirmSamples: 2 },
      { pendingSince: 1_000, hits: 1, until: 4_000 },
      5_000,
      true,
      { pendingSince: 5_000, hits: 1, until: 100_000 },
      [],
    ],
    [
      'confirmed, and not before its time',
      { confirmSamples: 2, forSeconds: 20 },
      { pendingSince: 1_000, hits: 1, until: 9_000 },
      5_000,
      true,
      { pendingSince: 1_000, hits: 2, until: 100_000 },
      [],
    ],
    ['keeps the day’s count', wait, { pendingSince: 1_000, until: 9_000, today }, 5_000, false, { today }, []],
    [
      'keeps the day’s count while open',
      wait,
      { activeSince: 1, clearSince: 2_000, until: 9_000, today },
      5_000,
      false,
      { activeSince: 1, today },
      [],
    ],
  ])('%s', (_name, level, before, time, truth, state, events) => {
    const step = take(level, before, time, says(truth))
    expect(step.state).toEqual(state)
    expect(short(step)).toEqual(events)
  })
  test('is asked for the end of an open alarm, after what was due', () => {
    const requested: boolean[] = []
    const judge = (isOpen: boolean): Verdict => {
      requested.push(isOpen)
      return { truth: undefined, until: 0 }
    }
    take(wait, {}, 5_000, judge)
    take(wait, { activeSince: 1 }, 5_000, judge)
    take(wait, { pendingSince: 1_000, until: 50_000 }, 25_000, judge)
    expect(requested).toEqual([false, true, true])
  })
})

describe('the clock', () => {
  const wait: Waits = { forSeconds: 20, clearForSeconds: 10 }
  test.each<[string, Waits, LevelState, number, string[]]>([
    ['opens when it is due', wait, { pendingSince: 1_000, until: 30_000 }, 21_000, ['open 1000/21000']],
    ['not before', wait, { pendingSince: 1_000, until: 30_000 }, 20_999, []],
    ['at its own time when it looks later', wait, { pendingSince: 1_000, until: 30_000 }, 29_000, ['open 1000/21000']],
    ['while the last value is fresh', wait, { pendingSince: 1_000, until: 21_000 }, 60_000, ['open 1000/21000']],
    ['not after', wait, { pendingSince: 1_000, until: 20_999 }, 60_000, []],
    ['not without knowing how long it is', wait, { pendingSince: 1_000 }, 60_000, []],
    ['not before it is confirmed', { confirmSamples: 2 }, { pendingSince: 1_000, hits: 1, until: 30_000 }, 21_000, []],
    ['one reading is one', { confirmSamples: 2 }, { pendingSince: 1_000, until: 30_000 }, 21_000, []],
    ['clears when it is due', wait, { activeSince: 1, clearSince: 2_000, until: 30_000 }, 12_000, ['clear 12000']],
    ['not before that', wait, { activeSince: 1, clearSince: 2_000, until: 30_000 }, 11_999, []],
    ['nor on an old value', wait, { activeSince: 1, clearSince: 2_000, until: 11_999 }, 30_000, []],
    ['nothing waits', wait, { activeSince: 1 }, 30_000, []],
    ['nothing at all', wait, {}, 30_000, []],
  ])('%s', (_name, level, state, now, events) => {
    const step = advance(level, state, now)
    expect(short(step)).toEqual(events)
    if (events.length === 0) expect(step.state).toBe(state)
  })
  test('the day’s count goes on over it', () => {
    expect(advance(wait, { pendingSince: 1_000, until: 30_000, today }, 21_000).state).toEqual({ activeSince: 1_000, today })
    expect(advance(wait, { activeSince: 1, clearSince: 2_000, until: 30_000, today }, 12_000).state).toEqual({ today })
  })
})

test('what waits, what is idle, and what is left when waiting begins anew', () => {
  const states: LevelState[] = [
    {},
    { pendingSince: 1 },
    { activeSince: 1 },
    { activeSince: 1, clearSince: 2 },
    { today },
    { activeSince: 1, clearSince: 2, today },
  ]
  expect(states.map(isPending)).toEqual([false, true, false, false, false, false])
  expect(isPending({ pendingSince: 1, activeSince: 2 })).toBe(false)
  expect(states.map(waitsForClock)).toEqual([false, true, false, true, false, true])
  expect(states.map(isIdle)).toEqual([true, false, false, false, false, false])
  expect(states.map(withoutWaiting)).toEqual([{}, {}, { activeSince: 1 }, { activeSince: 1 }, { today }, { activeSince: 1, today }])
})
