import { expect, test } from 'vitest'
import { boardTypes, intervalOf, maintainDays, nextCheck, nextMaintenance } from './due.ts'
import { itemOf, itemsOf } from './items.ts'

test.each([
  ['1', '2026-02-28', '2026-03-01'],
  ['2', '2028-02-28', '2028-02-29'],
  ['3', '2026-12-28', '2027-01-04'],
  ['4', '2026-01-31', '2026-03-02'],
  ['5', '2026-01-31', null],
  ['7', '2026-01-31', null],
  ['99', '2026-01-31', null],
])('after a check of kind %s on %s the next is on %s', (type, day, next) => {
  expect(nextCheck(type, day)).toBe(next)
})

test('the next day lies exactly one interval later, whatever the day', () => {
  const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000
  for (let n = 0; n < 500; n++) {
    const day = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
    for (const type of boardTypes) {
      const next = nextCheck(type, day)
      const days = intervalOf(type)
      if (next === null) expect(days).toBeNull()
      else expect(at(next) - at(day)).toBe(days)
    }
    expect(at(nextMaintenance(day)) - at(day)).toBe(maintainDays)
  }
})

test('every list has unique codes, a short check before the shift, and safety devices', () => {
  for (const deviceType of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '99']) {
    const whole = itemsOf(deviceType, '4')
    const short = itemsOf(deviceType, '1')
    expect(new Set(whole.map((one) => one.code)).size).toBe(whole.length)
    expect(short.length).toBeGreaterThan(0)
    expect(short.length).toBeLessThan(whole.length)
    expect(whole.some((one) => one.safety)).toBe(true)
    for (const one of short) expect(itemOf(deviceType, one.code)).toBe(one)
  }
})
