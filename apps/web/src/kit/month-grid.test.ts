import { expect, test } from 'vitest'
import { monthGrid } from './month-grid.ts'

test.each([
  ['2026-11', '2026-10-26', '2026-12-06', 6],
  ['2026-02', '2026-01-26', '2026-03-01', 5],
  ['2027-02', '2027-02-01', '2027-02-28', 4],
])('%s runs from %s to %s', (month, first, last, weeks) => {
  const grid = monthGrid(month)
  expect([grid[0]?.[0], grid.at(-1)?.at(-1), grid.length]).toEqual([first, last, weeks])
})
