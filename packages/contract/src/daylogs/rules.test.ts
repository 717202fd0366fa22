import { expect, test } from 'vitest'
import { countDiffers, isLate, windForce } from './rules.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)

test.each([
  ['2026-11-18', '2026-11-18T17:30:00', false],
  ['2026-11-18', '2026-11-20T23:59:59', false],
  ['2026-11-18', '2026-11-21T00:00:00', true],
  ['2024-02-28', '2024-03-01T23:59:59', false],
  ['2024-02-28', '2024-03-02T00:00:00', true],
])('a log of %s written at %s is late: %s', (day, now, late) => {
  expect(isLate(day, at(now))).toBe(late)
})

test.each([
  [120, 100, false],
  [121, 100, true],
  [80, 100, false],
  [79, 100, true],
  [5, 0, true],
  [0, 0, false],
  [null, 100, false],
  [100, null, false],
])('%s written, %s by attendance: differs %s', (written, attended, differs) => {
  expect(countDiffers(written, attended)).toBe(differs)
})

test.each([
  [0.2, 0],
  [0.3, 1],
  [10.7, 5],
  [10.8, 6],
  [60, 17],
])('%s m/s is force %s', (speed, force) => {
  expect(windForce(speed)).toBe(force)
})
