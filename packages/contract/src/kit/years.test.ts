import { expect, test } from 'vitest'
import { addYears } from './years.ts'

test.each([
  ['2026-11-28', 2, '2028-11-28'],
  ['2028-02-29', 2, '2030-02-28'],
  ['2028-02-29', 4, '2032-02-29'],
  ['2028-02-29', -3, '2025-02-28'],
  ['2027-02-28', 1, '2028-02-28'],
  // Century years are not leap years, except every fourth.
  ['2096-02-29', 4, '2100-02-28'],
  ['1996-02-29', 4, '2000-02-29'],
])('%s and %i years: %s', (day, years, expected) => expect(addYears(day, years)).toBe(expected))
