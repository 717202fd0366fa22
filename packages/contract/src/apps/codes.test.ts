import { expect, test } from 'vitest'
import { permissionModules } from '../access/codes.ts'
import { appOfCode, codesOfApp, deliveredApps } from './catalogue.ts'
import { bestState, earlier, grantState, isBeyond, leftTime, monthsAfter } from './codes.ts'

test.each([
  ['2026-11-30', 'pending'],
  ['2026-12-01', 'valid'],
  ['2026-12-01', 'valid'],
  ['2026-12-31', 'ending'],
  ['2027-01-29', 'ending'],
  ['2027-01-30', 'ending'],
  ['2027-01-31', 'grace'],
  ['2027-02-14', 'grace'],
  ['2027-02-15', 'ended'],
  ['2030-01-01', 'ended'],
] as const)('a grant of 1 December to 30 January stands on %s as %s', (day, state) => {
  expect(grantState({ start: '2026-12-01', deadline: '2027-01-30' }, day)).toBe(state)
})

test('thirty days before the end it is announced, thirty-one before it is not', () => {
  const span = { start: '2026-01-01', deadline: '2026-12-31' }
  expect(grantState(span, '2026-11-30')).toBe('valid')
  expect(grantState(span, '2026-12-01')).toBe('ending')
})

test('one without an end is valid from its first day on', () => {
  expect(grantState({ start: '2026-12-01', deadline: null }, '2026-11-30')).toBe('pending')
  expect(grantState({ start: '2026-12-01', deadline: null }, '2099-01-01')).toBe('valid')
})

test('the last day is day 0, and counts over a month, a leap day and a new year', () => {
  expect(leftTime('2027-01-30', '2027-01-30')).toBe(0)
  expect(leftTime('2028-03-01', '2028-02-28')).toBe(2)
  expect(leftTime('2027-01-01', '2026-12-31')).toBe(1)
  expect(leftTime('2026-12-31', '2027-01-15')).toBe(-15)
  expect(leftTime(null, '2027-01-15')).toBeNull()
})

test('of several grants the best counts; of two ends the earlier', () => {
  expect(bestState(['ended', 'grace', 'ending'])).toBe('ending')
  expect(bestState(['ended', 'pending'])).toBe('pending')
  expect(bestState([])).toBe('ended')
  expect(earlier(null, '2026-01-01')).toBe('2026-01-01')
  expect(earlier(null, null)).toBeNull()
  expect(isBeyond(null, '2026-01-01')).toBe(true)
  expect(isBeyond('2026-01-01', '2026-01-01')).toBe(false)
  expect(isBeyond('2026-01-02', null)).toBe(false)
})

test('months are added by the calendar', () => {
  expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28')
  expect(monthsAfter('2026-11-30', 3)).toBe('2027-02-28')
  expect(monthsAfter('2027-11-30', 3)).toBe('2028-02-29')
  expect(monthsAfter('2026-05-15', 12)).toBe('2027-05-15')
})

test('a code belongs to one app, and what an app needs is offered to the same groups', () => {
  const carried = deliveredApps.flatMap(codesOfApp)
  expect(new Set(carried).size).toBe(carried.length)
  const modules = new Set(permissionModules.map((m) => m.module))
  for (const app of deliveredApps) {
    for (const module of app.modules) expect(modules.has(module), module).toBe(true)
    for (const code of codesOfApp(app)) expect(appOfCode(code)).toBe(app.code)
    for (const needed of app.needs ?? []) {
      const other = deliveredApps.find((one) => one.code === needed)
      expect(
        app.types.every((type) => other?.types.includes(type)),
        `${app.code} needs ${needed}`,
      ).toBe(true)
    }
  }
})
