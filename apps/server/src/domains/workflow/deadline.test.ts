import { type RestDays, weekends } from '@zhugong/contract/kit/rest-days'
import { expect, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { deadlineAfter } from './deadline.ts'

// National Day 2026: 1 to 7 October are days of rest, 10 October (a Saturday) is worked.
const october = {
  ...weekends,
  restDates: ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04', '2026-10-05', '2026-10-06', '2026-10-07'],
  workDates: ['2026-10-10'],
}

const cases: [from: string, hours: number, rest: RestDays, end: string, why: string][] = [
  ['2026-11-18 10:00', 24, weekends, '2026-11-19 10:00', 'within the week'],
  ['2026-11-20 10:00', 24, weekends, '2026-11-23 10:00', 'over a weekend'],
  ['2026-11-21 15:00', 4, weekends, '2026-11-23 04:00', 'begun on a Saturday'],
  ['2026-09-30 16:00', 48, october, '2026-10-09 16:00', 'over the holiday'],
  ['2026-10-09 16:00', 24, october, '2026-10-10 16:00', 'a Saturday that is worked'],
  ['2026-11-20 10:00', 14, weekends, '2026-11-21 00:00', 'to the end of the day'],
  ['2026-11-20 10:00', 24, { ...weekends, restWeekdays: [] }, '2026-11-21 10:00', 'without days of rest'],
  ['2026-11-20 10:00', 24, { ...weekends, restWeekdays: [1, 2, 3, 4, 5, 6, 7] }, '2026-11-21 10:00', 'a calendar without working days'],
]
test.each(cases)('%s and %i hours', (from, hours, rest, end, why) =>
  expect([why, formatInstant(deadlineAfter(Date.parse(`${from.replace(' ', 'T')}:00+08:00`), hours, rest)).slice(0, 16)]).toEqual([
    why,
    end,
  ]),
)
