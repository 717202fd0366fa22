import { expect, test } from 'vitest'
import { sheetLayout } from './sheet-layout.ts'

test('a month of marks fits the usual window, and fills a wide one', () => {
  const usual = sheetLayout(1206, 31, 'mark')
  expect(usual.whole).toBe(1206)
  expect(usual.fixed + 31 * usual.day + 206).toBeLessThanOrEqual(1206)
  const wide = sheetLayout(1686, 31, 'mark')
  expect(wide.trade).toBeGreaterThan(usual.trade)
  expect(1686 - (wide.fixed + 31 * wide.day + 206)).toBeLessThan(31)
})

test('what does not fit is scrolled, never squeezed', () => {
  const times = sheetLayout(1058, 30, 'times')
  expect(times.day).toBe(44)
  expect(times.whole).toBeGreaterThan(1058)
})
