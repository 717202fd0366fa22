import { expect, test } from 'vitest'
import { brandColors, contrastOnWhite, leastContrast, stateLike } from './brand.ts'

test.each([
  ['#0B6E4F', '正常'],
  ['#C62828', '报警'],
  ['#9A3412', '报警'],
  ['#9A5B00', '预警'],
  ['#1558D6', undefined],
  ['#3F4A46', undefined],
])('%s looks like %s', (color, state) => {
  expect(stateLike(color)).toBe(state)
})

test('every colour that is offered can be read on white and is no state', () => {
  for (const color of brandColors) {
    expect(contrastOnWhite(color)).toBeGreaterThanOrEqual(leastContrast)
    expect(stateLike(color)).toBeUndefined()
  }
})
