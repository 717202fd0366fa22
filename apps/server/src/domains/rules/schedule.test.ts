import { dayMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inSchedule, isNight, periodEnd, periodStart, type Schedule, scheduleOf } from './schedule.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)
const hours = (...periods: [number, number][]): Schedule => periods.map(([a, b]) => [a * 3600, b * 3600] as const)
const night = hours([0, 6], [22, 24])
const work = hours([6, 19])

test('a day of Shanghai begins at its midnight, whatever the month', () => {
  expect(startOfShanghaiDay(at('2026-11-30T23:59:59.999'))).toBe(at('2026-11-30T00:00'))
  expect(startOfShanghaiDay(at('2026-12-01T00:00'))).toBe(at('2026-12-01T00:00'))
})

test('none, the working day, or periods as given', () => {
  expect([scheduleOf(null), scheduleOf(undefined), scheduleOf([]), scheduleOf('always')]).toEqual([null, null, null, null])
  expect(scheduleOf('workHours')).toEqual(work)
  expect(scheduleOf([[1, 2]])).toEqual([[1, 2]])
})

test.each<[string, Schedule | null, string, boolean]>([
  ['always', null, '2026-11-21T03:00', true],
  ['at its beginning', work, '2026-11-21T06:00', true],
  ['just before it', work, '2026-11-21T05:59:59.999', false],
  ['just before its end', work, '2026-11-21T18:59:59.999', true],
  ['at its end', work, '2026-11-21T19:00', false],
  ['at midnight', night, '2026-11-21T00:00', true],
  ['before midnight', night, '2026-11-20T23:59:59.999', true],
  ['by day', night, '2026-11-21T12:00', false],
])('schedule boundary: %s', (_name, schedule, time, within) => {
  expect(inSchedule(schedule, at(time))).toBe(within)
})

test.each<[string, Schedule | null, string, string | number, string | number]>([
  ['no schedule', null, '2026-11-21T12:00', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['a whole day', hours([0, 12], [12, 24]), '2026-11-21T12:00', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  [
    'a whole day that overlaps, in any order',
    hours([10, 24], [0, 12]),
    '2026-11-21T12:00',
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ],
  ['by day', work, '2026-11-21T12:00', '2026-11-21T06:00', '2026-11-21T19:00'],
  ['at its beginning', work, '2026-11-21T06:00', '2026-11-21T06:00', '2026-11-21T19:00'],
  ['outside it', work, '2026-11-21T20:00', '2026-11-21T20:00', '2026-11-21T20:00'],
  ['the night before midnight', night, '2026-11-20T23:00', '2026-11-20T22:00', '2026-11-21T06:00'],
  ['the night after midnight', night, '2026-11-21T01:00', '2026-11-20T22:00', '2026-11-21T06:00'],
  ['at midnight', night, '2026-11-21T00:00', '2026-11-20T22:00', '2026-11-21T06:00'],
  ['over a month end', night, '2026-12-01T01:00', '2026-11-30T22:00', '2026-12-01T06:00'],
  ['periods that touch', hours([6, 12], [12, 19]), '2026-11-21T13:00', '2026-11-21T06:00', '2026-11-21T19:00'],
  ['periods that do not', hours([6, 12], [13, 19]), '2026-11-21T13:30', '2026-11-21T13:00', '2026-11-21T19:00'],
  ['until midnight and no longer', hours([22, 24]), '2026-11-20T23:00', '2026-11-20T22:00', '2026-11-21T00:00'],
  ['a gap in a day is no whole day', hours([0, 12], [13, 24]), '2026-11-21T14:00', '2026-11-21T13:00', '2026-11-22T12:00'],
])('the period about a moment: %s', (_name, schedule, time, start, end) => {
  const ms = (given: string | number) => (typeof given === 'number' ? given : at(given))
  expect([periodStart(schedule, at(time)), periodEnd(schedule, at(time))]).toEqual([ms(start), ms(end)])
})

test('every moment of a period has its beginning and end', () => {
  const edge = fc.integer({ min: 0, max: 96 }).map((quarter) => quarter * 900)
  const period = fc.tuple(edge, edge).filter(([a, b]) => a < b)
  fc.assert(
    fc.property(fc.array(period, { minLength: 1, maxLength: 4 }), fc.integer({ min: 0, max: 2 * 86_400 }), (schedule, second) => {
      const time = at('2026-11-30T00:00') + second * 1000
      const [start, end] = [periodStart(schedule, time), periodEnd(schedule, time)]
      if (!inSchedule(schedule, time)) {
        expect(end).toBe(time)
        return
      }
      if (start === Number.NEGATIVE_INFINITY) {
        for (let t = 0; t < dayMs; t += 900_000) expect(inSchedule(schedule, time + t)).toBe(true)
        return
      }
      expect(inSchedule(schedule, end)).toBe(false)
      expect(inSchedule(schedule, start - 1)).toBe(false)
      for (let t = start; t < end; t += 900_000) expect(inSchedule(schedule, t)).toBe(true)
    }),
  )
})

test('night is when people sleep', () => {
  const is = (time: string) => isNight(at(`2026-11-21T${time}`))
  expect(['00:00', '05:59:59', '06:00', '12:00', '21:59:59', '22:00', '23:59'].map(is)).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
  ])
})
