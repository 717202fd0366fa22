import { expect, test } from 'vitest'
import { crosses, endsOfLoad, inside, pathOfLoad } from './cycle-path.ts'

const school = [
  [10, 10],
  [20, 10],
  [20, 20],
  [10, 20],
] as const

test('a load’s path follows bearing and radius; readings without them are left out', () => {
  const path = pathOfLoad(
    [
      { time: 1, values: { slewAngle: 90, radius: 10, hookHeight: 4 } },
      { time: 2, values: { radius: 10 } },
      { time: 3, values: { slewAngle: 0, radius: 20 } },
    ],
    { x: 100, y: 50 },
  )
  expect(path.map(({ at: [x, y], height }) => [Math.round(x), Math.round(y), height])).toEqual([
    [110, 50, 4],
    [100, 70, null],
  ])
})

test('its ends are known without readings, as far as they were told', () => {
  const reported = { radius: 10, height: 2, angle: 180 }
  expect(endsOfLoad(reported, { ...reported, angle: null }, { x: 0, y: 0 }).map(([x, y]) => [Math.round(x), Math.round(y)])).toEqual([
    [0, -10],
  ])
})

test.each([
  [[15, 15], true],
  [[5, 15], false],
  [[21, 19], false],
] as const)('%s lies in the school yard: %s', (point, there) => expect(inside(school, point)).toBe(there))

test('a path crosses a yard between two of its points, too', () => {
  expect(
    crosses(
      [
        [0, 15],
        [30, 15],
      ],
      school,
    ),
  ).toBe(true)
  expect(
    crosses(
      [
        [0, 5],
        [30, 5],
      ],
      school,
    ),
  ).toBe(false)
  expect(crosses([[15, 15]], school)).toBe(true)
  expect(crosses([[15, 15]], [])).toBe(false)
})
