import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('ids of one millisecond sort as they were made, and are never the same', () => {
  const now = Date.parse('2026-11-20T10:00:00+08:00')
  const made = Array.from({ length: 5_000 }, () => newId(now))
  expect([...made].sort()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
  expect(made.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
})

test('an earlier time sorts before, and what begins anew is not continued', () => {
  const late = newId(2_000)
  const early = newId(1_000)
  expect(early < late).toBe(true)
  expect(newId(2_000).slice(12, 22)).not.toBe(late.slice(12, 22))
})
