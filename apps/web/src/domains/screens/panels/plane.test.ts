import { expect, test } from 'vitest'
import { apart, type XY } from './plane.ts'

const at = (...places: XY[]) => places.map((place, id) => ({ id, at: place }))
const distances = (marks: readonly { at: XY }[]) =>
  marks.flatMap((a, i) => marks.slice(i + 1).map((b) => Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1])))

test('marks with room between them stay where they are', () => {
  const marks = at([0, 0], [40, 0], [0, 60])
  expect(apart(marks, 24)).toEqual(marks)
})

test('marks on one spot, and those beside them, are pushed apart around their middle', () => {
  const moved = apart(at([100, 100], [100, 100], [104, 103], [300, 20]), 24)
  expect(Math.min(...distances(moved))).toBeGreaterThan(23.8)
  expect(moved.map(({ id }) => id)).toEqual([0, 1, 2, 3])
  expect(moved[3]?.at).toEqual([300, 20])
  const middle = moved.slice(0, 3).reduce((sum, { at: [x] }) => sum + x / 3, 0)
  expect(middle).toBeCloseTo(101.3, 0)
})
