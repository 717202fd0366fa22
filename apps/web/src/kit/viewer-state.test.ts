import { expect, test } from 'vitest'
import { dragged, hideDelayMs, rotated, stillView, zoomed } from './viewer-state.ts'

test('[image-viewer-rotation-cycle] [image-viewer-rotate-step] rotation runs 0, 90, 180, 270, 360 and round', () => {
  let view = stillView
  const seen = Array.from({ length: 7 }, () => {
    const { rotation } = view
    view = rotated(view)
    return rotation
  })
  expect(seen).toEqual([0, 90, 180, 270, 360, 0, 90])
})

test('[image-viewer-zoom] a step of the wheel is 1.1 in, 0.9 out', () => {
  expect(zoomed(stillView, true).scale).toBeCloseTo(1.1)
  expect(zoomed(stillView, false).scale).toBeCloseTo(0.9)
})

test('[image-viewer-drag] dragging moves', () => expect(dragged(dragged(stillView, 3, 4), -1, 1)).toMatchObject({ x: 2, y: 5 }))

test('[image-viewer-hide-delay] a viewer goes after 100 ms and stands upright in its place when it is opened again', () => {
  expect(hideDelayMs).toBe(100)
  expect(stillView).toEqual({ scale: 1, rotation: 0, x: 0, y: 0 })
})
