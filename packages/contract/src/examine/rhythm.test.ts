import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Round, rhythmOf, roundCodes, rounds, weekOf } from './rhythm.ts'

const dayMs = 86_400_000
const first = Date.parse('2026-01-01T00:00:00Z')
const dayOf = (n: number) => new Date(first + n * dayMs).toISOString().slice(0, 10)
const days = fc.integer({ min: 0, max: 700 }).map(dayOf)
const checks = fc.array(fc.record({ round: fc.constantFrom<Round>(...roundCodes), day: days }), { maxLength: 60 })
const of = (held: readonly { round: Round; day: string }[], today: string, round: Round) =>
  rhythmOf(held, today).find((one) => one.round === round)

describe('the rhythm of a week', () => {
  test('a week goes from Monday to Sunday and holds its day', () => {
    expect(weekOf('2026-11-29')).toEqual(weekOf('2026-11-23'))
    fc.assert(
      fc.property(days, (day) => {
        const week = weekOf(day)
        expect(week).toHaveLength(7)
        expect(week).toContain(day)
        expect(new Date(`${week[0]}T00:00:00Z`).getUTCDay()).toBe(1)
      }),
    )
  })

  const monthly: readonly [string, string[], string, number, number, number][] = [
    ['not in the middle of a month', [], '2026-11-12', 0, 0, 0],
    ['in the week in which the month ends', [], '2026-11-30', 1, 0, 0],
    ['not when it was held before', ['2026-11-03'], '2026-11-30', 0, 0, 0],
    ['held early, in this week', ['2026-11-11'], '2026-11-12', 1, 1, 0],
    ['missed once the month is over', [], '2026-12-02', 1, 0, 1],
    ['of another month', ['2026-10-30'], '2026-11-30', 1, 0, 0],
  ]
  test.each(monthly)('the monthly check is asked for %s', (_name, held, today, due, done, missed) => {
    expect(
      of(
        held.map((day) => ({ round: rounds.monthly, day })),
        today,
        rounds.monthly,
      ),
    ).toEqual({ round: rounds.monthly, due, done, missed })
  })

  test('days without a patrol are missed once they are over', () => {
    const finished = ['2026-11-23', '2026-11-24', '2026-11-24'].map((day) => ({ round: rounds.daily, day }))
    expect(of(finished, '2026-11-26', rounds.daily)).toEqual({ round: rounds.daily, due: 7, done: 2, missed: 1 })
  })

  test('whatever was held: no more is done than asked for, order and repetition do not count, and one more check never makes it worse', () => {
    fc.assert(
      fc.property(checks, days, fc.constantFrom<Round>(...roundCodes), (held, today, round) => {
        const now = rhythmOf(held, today)
        for (const one of now) {
          expect(one.done).toBeLessThanOrEqual(one.due)
          expect(one.done + one.missed).toBeLessThanOrEqual(one.due)
        }
        expect(rhythmOf([...held, ...held].reverse(), today)).toEqual(now)
        const more = of([...held, { round, day: today }], today, round)
        const before = of(held, today, round)
        expect((more?.due ?? 0) - (more?.done ?? 0)).toBeLessThanOrEqual((before?.due ?? 0) - (before?.done ?? 0))
        expect(more?.missed ?? 0).toBeLessThanOrEqual(before?.missed ?? 0)
      }),
    )
  })
})
