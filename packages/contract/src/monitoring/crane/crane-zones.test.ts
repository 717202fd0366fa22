import { expect, test } from 'vitest'
import { areaOf, createCraneZone, crossesItself } from './crane-zones.ts'

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
] as const
const bow = [
  [0, 0],
  [10, 10],
  [10, 0],
  [0, 10],
] as const

test('a ring has its area whichever way round it is drawn, and does not cross itself', () => {
  expect([areaOf(square), areaOf([...square].reverse())]).toEqual([100, 100])
  expect([crossesItself(square), crossesItself(bow)]).toEqual([false, true])
})

test.each([
  [square, undefined],
  [bow, '边线不能互相交叉'],
  [square.slice(0, 2), '至少画三个角点'],
  [
    [
      [0, 0],
      [0.5, 0],
      [0.5, 0.5],
    ],
    '区域太小，不足 1 平方米',
  ],
  [
    [
      [0, 0],
      [99_000, 0],
      [5, 5],
    ],
    '坐标超出工地范围',
  ],
] as const)('%j is drawn: %s', (points, problem) => {
  const { error } = createCraneZone.schemas.body?.safeParse({ name: '学校', kind: 'forbidden', points }) ?? {}
  expect(error?.issues[0]?.message).toBe(problem)
})
