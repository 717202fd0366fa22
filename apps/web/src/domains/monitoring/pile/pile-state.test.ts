import type { LinePoint } from '@zhugong/contract/telemetry/model'
import { expect, test } from 'vitest'
import { checksOf, metresOf, thisPile } from './pile-state.ts'

const point = (time: number, depth: number, current: number, lean = 0.2): LinePoint => ({
  time,
  n: 1,
  v: { depth: [depth, depth, depth], current: [current, current, current], verticalityX: [lean, lean, lean] },
})

test('a pile begins where the tool came up; small movements are none', () => {
  const points = [point(1, 20, 100), point(2, 22, 100), point(3, 0.4, 20), point(4, 5, 120), point(5, 4.8, 120)]
  expect(thisPile(points).map((one) => one.time)).toEqual([3, 4, 5])
  expect(thisPile([])).toEqual([])
})

test('metres hold the means of what was told there; one without readings is missing', () => {
  const metres = metresOf([point(1, 0.2, 100), point(2, 0.8, 140, -0.9), point(3, 2.1, 160)], 4)
  expect(metres.map((one) => one.current)).toEqual([120, null, 160, null])
  expect(metres[0]?.lean).toBe(0.9)
})

test('stopping waits for depth and leaning; what is not known is not said to be done', () => {
  expect(checksOf({ depth: 22.1, lean: 0.4 }, 22, 1).map((one) => one.done)).toEqual([true, true])
  expect(checksOf({ depth: 12, lean: 1.2 }, 22, 1).map((one) => one.done)).toEqual([false, false])
  expect(checksOf({}, undefined, 1).map((one) => one.done)).toEqual([undefined, undefined])
})
