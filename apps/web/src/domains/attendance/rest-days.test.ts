import { isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { expect, test } from 'vitest'
import { restDaysInMonth, restWords, toggled } from './rest-days.ts'

const sundays: RestDays = { restDates: [], restWeekdays: [7], workDates: [] }

test.each([
  ['a working day rests', sundays, '2026-11-20', { restDates: ['2026-11-20'], workDates: [] }],
  ['and works again', { ...sundays, restDates: ['2026-11-20'] }, '2026-11-20', { restDates: [], workDates: [] }],
  ['a Sunday is worked', sundays, '2026-11-22', { restDates: [], workDates: ['2026-11-22'] }],
  ['and rests again', { ...sundays, workDates: ['2026-11-22'] }, '2026-11-22', { restDates: [], workDates: [] }],
  [
    'a Sunday named as well is worked',
    { ...sundays, restDates: ['2026-11-22'] },
    '2026-11-22',
    { restDates: [], workDates: ['2026-11-22'] },
  ],
])('%s', (_, before, date, after) => {
  expect(toggled(before, date)).toEqual({ restWeekdays: [7], ...after })
  expect(isRestDate(toggled(before, date), date)).toBe(!isRestDate(before, date))
})

test('a month counts pattern, named days and made-up days once', () => {
  expect(restDaysInMonth(sundays, '2026-11')).toBe(5)
  expect(restDaysInMonth({ restWeekdays: [7], restDates: ['2026-11-02'], workDates: ['2026-11-08'] }, '2026-11')).toBe(5)
})

test('days of rest are told in words', () => {
  expect(restWords({ restWeekdays: [7, 6], restDates: ['2026-10-02', '2026-10-01'], workDates: ['2026-10-10'] })).toBe(
    '周六、周日休息，另休 2026-10-01、2026-10-02，调班 2026-10-10',
  )
  expect(restWords({ restWeekdays: [], restDates: [], workDates: [] })).toBe('无固定休息')
})
