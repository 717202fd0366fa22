import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RestDays, weekends } from '../kit/rest-days.ts'
import { catalogueWith, deliveredCatalogue, isLocal } from './catalogue.ts'
import { dueAfter, pausedDays, workDayAfter, workDaysBetween } from './deadline.ts'
import { deliveredPlaces, placesOf } from './place-rules.ts'

const holiday: RestDays = {
  ...weekends,
  restDates: ['2026-10-01', '2026-10-02', '2026-10-05', '2026-10-06', '2026-10-07'],
  workDates: ['2026-10-10'],
}

test.each<[string, number, string]>([
  ['2026-11-16', 15, '2026-12-07'],
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-11-21', 1, '2026-11-23'],
])('%s and %i working days is %s', (from, days, due) => {
  expect(workDayAfter(weekends, from, days)).toBe(due)
})

test('holidays do not count, make-up days do', () => {
  expect(workDayAfter(holiday, '2026-09-30', 1)).toBe('2026-10-08')
  expect(workDayAfter(holiday, '2026-10-08', 2)).toBe('2026-10-10')
})

test('pauses add their working days, a running one up to today', () => {
  const pauses = [
    { from: '2026-11-18', to: '2026-11-20' },
    { from: '2026-11-25', to: null },
  ]
  expect(pausedDays(weekends, pauses, '2026-11-26')).toBe(3)
  expect(dueAfter(weekends, '2026-11-16', pauses, '2026-11-26')).toBe('2026-12-10')
  expect(pausedDays(weekends, [{ from: '2026-11-21', to: '2026-11-22' }], '2026-11-26')).toBe(0)
})

test('the day after n working days lies n working days away, on any day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 40 }), (offset, days) => {
      const from = new Date(Date.UTC(2026, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10)
      expect(workDaysBetween(weekends, from, workDayAfter(weekends, from, days))).toBe(days)
    }),
  )
})

test.each([
  [{ use: 'mall' as const, area: 12_000, height: 24, floorsUp: 5 }, ['03', '12'], true, 14],
  [{ use: 'mall' as const, area: 10_000, height: 24, floorsUp: 5 }, ['99'], false, 9],
  [{ use: 'office' as const, area: 3_000, height: 51, floorsUp: 12 }, ['11'], true, 15],
  [{ use: 'housing' as const, area: 9_000, height: 79, floorsUp: 26 }, ['07'], true, 14],
])('%o', (building, places, special, projects) => {
  const found = placesOf(deliveredPlaces, building)
  expect([found.places, found.special, found.projects.length]).toEqual([places, special, projects])
})

test('delivered points keep name and weight, local ones follow their sub-item', () => {
  const delivered = deliveredCatalogue([
    { code: '01', name: '项目', table: 'A2' },
    { code: '0101', name: '子项' },
    { code: '010101', name: '要点', level: 'A' },
    { code: '0102', name: '另一子项' },
  ])
  const change = { method: '看', needsValue: false, applicable: [], fullCheck: false, enable: false, seq: 5 }
  const all = catalogueWith(delivered, [
    { ...change, code: '010101', name: '改名', level: 'C' },
    { ...change, code: '010191', name: '本地', level: 'B' },
  ])
  expect(all.map((one) => [one.code, one.name, one.level, one.local])).toEqual([
    ['01', '项目', null, false],
    ['0101', '子项', null, false],
    ['010101', '要点', 'A', false],
    ['010191', '本地', 'B', true],
    ['0102', '另一子项', null, false],
  ])
  expect(isLocal('010191')).toBe(true)
})
