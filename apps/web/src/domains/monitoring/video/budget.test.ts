import { expect, test } from 'vitest'
import { modesOf, nextBudget, retryAfter, usualBudget } from './budget.ts'

const tiles = Array.from({ length: 16 }, (_, i) => ({ id: `C${i}`, playable: i !== 2 }))

test('the tile in front plays first; the rest by their order, then picture by picture, then pictures', () => {
  const modes = modesOf(tiles, 'C15', { live: 3, slow: 2 }, true)
  expect([...modes].filter(([, mode]) => mode === 'live').map(([id]) => id)).toEqual(['C15', 'C0', 'C1'])
  expect([...modes].filter(([, mode]) => mode === 'slow').map(([id]) => id)).toEqual(['C3', 'C4'])
  expect(modes.get('C2')).toBe('snapshot')
  expect(modes.get('C9')).toBe('snapshot')
})

test('nothing runs in a tab nobody sees', () => {
  expect(new Set(modesOf(tiles, undefined, usualBudget, false).values())).toEqual(new Set(['rest']))
})

test('strain takes movement away step by step down to pictures, calm gives it back', () => {
  let budget = usualBudget
  for (let i = 0; i < 12; i++) budget = nextBudget(budget, { pageFps: 12, dropped: 0.4 })
  expect(budget).toEqual({ live: 1, slow: 0 })
  for (let i = 0; i < 3; i++) budget = nextBudget(budget, { pageFps: 58, dropped: 0 })
  expect(budget.live + budget.slow).toBe(4)
  expect(nextBudget(budget, { pageFps: 40, dropped: 0.1 })).toEqual(budget)
})

test('a stream that breaks is asked for later and later', () => {
  expect([0, 1, 2, 9].map(retryAfter)).toEqual([2_000, 4_000, 8_000, 60_000])
})
