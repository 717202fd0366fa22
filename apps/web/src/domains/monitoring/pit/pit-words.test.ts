import { describe, expect, test } from 'vitest'
import { type Box, belowWhatStands, rowsOf, widthOf } from './pit-words.ts'

describe('words of a drawing', () => {
  test('an ideograph is as wide as it is high, letters are narrower', () => {
    expect(widthOf('水位')).toBe(24)
    expect(widthOf('GZ-07')).toBe(35)
  })

  test('no two words of a row overlap, none leaves the drawing', () => {
    const marks = [10, 12, 40, 300, 305, 310, 690, 698].map((at) => ({ at, width: 70 }))
    const placed = rowsOf(marks, 700)
    for (const [i, a] of placed.entries()) {
      expect(a.words - 35).toBeGreaterThanOrEqual(0)
      expect(a.words + 35).toBeLessThanOrEqual(700)
      for (const b of placed.slice(i + 1)) if (a.row === b.row) expect(Math.abs(a.words - b.words)).toBeGreaterThanOrEqual(70)
    }
  })

  test('lonely words stay in the lowest row over their place', () => {
    expect(
      rowsOf(
        [
          { at: 100, width: 60 },
          { at: 400, width: 60 },
        ],
        700,
      ),
    ).toEqual([
      { row: 0, words: 100 },
      { row: 0, words: 400 },
    ])
  })

  test('a box moves below what stands, and stands there itself', () => {
    const taken: Box[] = [{ left: 0, top: 0, width: 100, height: 20 }]
    expect(belowWhatStands(taken, { left: 50, top: 10, width: 100, height: 20 })).toBe(21)
    expect(belowWhatStands(taken, { left: 60, top: 10, width: 10, height: 20 })).toBe(42)
    expect(belowWhatStands(taken, { left: 300, top: 10, width: 10, height: 20 })).toBe(10)
  })
})
