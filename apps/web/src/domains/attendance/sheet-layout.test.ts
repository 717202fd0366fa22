import { expect, test } from 'vitest'
import { scrollToDay, sheetLayout } from './sheet-layout.ts'

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

test('a sheet too wide for its window opens with the day of today in sight', () => {
  const narrow = sheetLayout(1046, 30, 'mark')
  const at = scrollToDay(narrow, 1046, 27)
  expect(at).toBeGreaterThan(0)
  // Align its right edge with the totals.
  expect(narrow.fixed + 28 * narrow.day - at).toBe(1046 - 206)
  expect(scrollToDay(narrow, 1046, 0)).toBe(0)
  const wide = sheetLayout(1686, 30, 'mark')
  expect(scrollToDay(wide, 1686, 29)).toBe(0)
})
