import { expect, test } from 'vitest'
import {
  between,
  type CraneShape,
  carried,
  clearance,
  closest,
  compass,
  grown,
  jibElevation,
  reach,
  staticConflicts,
  turn,
} from './crane-geometry.ts'

const crane = (label: string, x: number, y: number, jibHeight: number, more: Partial<CraneShape> = {}): CraneShape => ({
  id: label,
  label,
  x,
  y,
  luffing: false,
  jibLength: 60,
  counterJibLength: 15,
  jibHeight,
  minRadius: 3,
  maxRadius: 60,
  maxHeight: jibHeight - 6,
  base: 0,
  slewLimit: undefined,
  ...more,
})

test('north is up and angles run clockwise', () => {
  expect(reach({ x: 0, y: 0 }, 0, 10)).toEqual([0, 10])
  expect(reach({ x: 0, y: 0 }, 90, 10)[0]).toBeCloseTo(10)
})

test.each([
  [359, 1, 2],
  [1, 359, -2],
  [10, 190, -180],
  [720, 5, 5],
])('from %s to %s the jib turns %s', (from, to, by) => expect(turn(from, to)).toBeCloseTo(by))

test('gliding over north takes the short way', () => {
  const { angle } = between({ angle: 358, radius: 10, hook: 10 }, { angle: 4, radius: 20, hook: 30 }, 0.5)
  expect(angle).toBeCloseTo(361)
})

test('carried at its own speeds, never beyond its limits', () => {
  const one = crane('1#', 0, 0, 60)
  expect(carried(one, { angle: 10, radius: 58, hook: 50 }, { slew: 2, trolley: 1, hoist: 1 }, 10)).toEqual({
    angle: 30,
    radius: 60,
    hook: 54,
  })
  expect(carried(one, { angle: 10, radius: 4, hook: 1 }, { slew: 0, trolley: -1, hoist: -1 }, 10)).toEqual({
    angle: 10,
    radius: 3,
    hook: 0,
  })
})

test("the higher crane's rope meets the lower crane's jib", () => {
  const high = crane('2#', 0, 0, 92)
  const low = crane('3#', 60, 0, 85)
  const near = clearance(high, { angle: 90, radius: 30, hook: 50 }, low, { angle: 270, radius: 20, hook: 30 })
  expect(near?.distance).toBeCloseTo(0)
  expect(near?.words).toBe('2# 吊绳 与 3# 起重臂')
})

test('a hook drawn up above the lower jib does not count', () => {
  const high = crane('2#', 0, 0, 110)
  const low = crane('3#', 100, 0, 60)
  const free = clearance(high, { angle: 90, radius: 60, hook: 90 }, low, { angle: 270, radius: 20, hook: 30 })
  expect(free?.words).toBe('3# 臂端 与 2# 塔身')
  expect(free?.distance).toBeCloseTo(40)
})

test('jibs at one height are measured against each other', () => {
  const a = crane('1#', 0, 0, 60)
  const b = crane('2#', 100, 0, 61)
  expect(clearance(a, { angle: 90, radius: 20, hook: 55 }, b, { angle: 270, radius: 20, hook: 55 })?.distance).toBeCloseTo(0)
})

test('the closest pair ahead is found with its second', () => {
  const high = crane('2#', 0, 0, 92)
  const low = crane('3#', 60, 0, 85)
  const still = { slew: 0, trolley: 0, hoist: 0 }
  const found = closest([
    { shape: high, pose: { angle: 90, radius: 30, hook: 50 }, motion: still },
    { shape: low, pose: { angle: 250, radius: 20, hook: 30 }, motion: { ...still, slew: 2 } },
  ])
  expect(found?.inSeconds).toBe(10)
  expect(found?.distance).toBeLessThan(1)
})

test('pairs that need a decision before work', () => {
  expect(staticConflicts([crane('1#', 0, 0, 60), crane('2#', 110, 0, 61)]).map((one) => one.words)).toEqual(['臂架高差 1.0 m，少于 2 m'])
  expect(staticConflicts([crane('1#', 0, 0, 60), crane('2#', 61, 0, 90)]).map((one) => one.words)).toEqual(['1# 臂端距 2# 塔身 1.0 m'])
  expect(staticConflicts([crane('1#', 0, 0, 60), crane('2#', 300, 0, 60)])).toEqual([])
})

test('a luffing jib rises as its hook comes in', () => {
  expect(jibElevation(crane('1#', 0, 0, 60, { luffing: true }), { angle: 0, radius: 30, hook: 10 })).toBeCloseTo(60)
})

test('the band round a zone grows on all sides, whichever way its corners run', () => {
  const square = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
  ] as const
  const by5 = [-5, -5]
  expect(grown(square, 5)[0]).toEqual(by5)
  expect(grown([...square].reverse(), 5)[3]).toEqual(by5)
})

test('winds by name', () => {
  expect([0, 44, 90, 200, 338].map(compass)).toEqual(['北', '东北', '东', '南', '北'])
})
