import { expect, test } from 'vitest'
import { dragged, rotated, stillView, zoomed } from './viewer-state.ts'

test('rotation runs 0, 90, 180, 270, 360 and round', () => {
  let view = stillView
  const seen = Array.from({ length: 7 }, () => {
    const { rotation } = view
    view = rotated(view)
    return rotation
  })
  expect(seen).toEqual([0, 90, 180, 270, 360, 0, 90])
})

test('a step of the wheel is 1.1 in, 0.9 out', () => {
  expect(zoomed(stillView, true).scale).toBeCloseTo(1.1)
  expect(zoomed(stillView, false).scale).toBeCloseTo(0.9)
})

test('dragging moves', () => expect(dragged(dragged(stillView, 3, 4), -1, 1)).toMatchObject({ x: 2, y: 5 }))
