import { expect, test } from 'vitest'
import { isOver } from './last-day.tsx'

test('a last day is over the day after it in Shanghai, and what has no end is never over', () => {
  const at = (moment: string) => Date.parse(`${moment}+08:00`)
  expect(isOver('2026-11-13', at('2026-11-13T23:59:59'))).toBe(false)
  expect(isOver('2026-11-13', at('2026-11-14T00:00:00'))).toBe(true)
  expect(isOver(null, at('2030-01-01T00:00:00'))).toBe(false)
})
