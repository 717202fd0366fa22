import { describe, expect, test } from 'vitest'
import { fence, fenceProblem, hectaresOf, isSameFence, metersOutside, reasonToDecide, ringsOf } from './fence.ts'
import { sharedSquareMeters } from './fence-ground.ts'

/** A square of `size` degrees with its south-west corner at the given place. */
const square = (lng: number, lat: number, size: number): [number, number][] => [
  [lng, lat],
  [lng + size, lat],
  [lng + size, lat + size],
  [lng, lat + size],
]
const named = (ring: [number, number][]) => ring.map(([lng, lat]) => ({ lng, lat }))
const polygon = (...[first, ...others]: [number, number][][]) => ({
  type: '2' as const,
  points: named(first ?? []),
  others: others.map(named),
})
const messageOf = (value: unknown) => fence.safeParse(value).error?.issues[0]?.message

describe('a fence', () => {
  test('several rings beside each other are one fence', () => {
    expect(fence.safeParse(polygon(square(114, 30, 0.001), square(114.01, 30, 0.001))).success).toBe(true)
    expect(fenceProblem([square(114, 30, 0.001), square(114.002, 30, 0.001)])).toBeUndefined()
  })
  test('what crosses itself is refused with its ring and sides', () => {
    const [a, b, c, d] = square(114, 30, 0.001) as [[number, number], [number, number], [number, number], [number, number]]
    expect(messageOf(polygon([a, c, b, d]))).toBe('围栏的边不能相交或重合：边 1-2 与边 3-4')
    expect(messageOf(polygon(square(114.1, 30, 0.001), [a, c, b, d]))).toBe('第 2 圈的边不能相交或重合：边 1-2 与边 3-4')
  })
  test.each([
    ['overlaps', square(114.0005, 30.0005, 0.001)],
    ['holds', square(114.0002, 30.0002, 0.0001)],
    ['is held by', square(113.99, 29.99, 0.1)],
    ['shares a corner with', square(114.001, 30.001, 0.001)],
    [
      'crosses as a cross',
      [
        [113.999, 30.0004],
        [114.002, 30.0004],
        [114.002, 30.0006],
        [113.999, 30.0006],
      ] as [number, number][],
    ],
  ])('a ring that %s another is refused', (_, other) =>
    expect(messageOf(polygon(square(114, 30, 0.001), other))).toBe('第 1 圈与第 2 圈不能相交或重叠，请合为一圈'),
  )
  test('its area is in hectares', () => {
    // 0.001 degrees are 110.85 m north and 96.49 m east at 30 degrees.
    expect(hectaresOf([square(114, 30, 0.001)])).toBeCloseTo(1.0696, 3)
    expect(hectaresOf([square(114, 30, 0.001), square(115, 30, 0.001)])).toBeCloseTo(2.1392, 3)
    expect(hectaresOf(ringsOf({ type: '1', center: { lng: 114, lat: 30 }, radius: 100 }))).toBeCloseTo(3.13, 2)
  })
  test('a place is inside one of its rings, or as far out as the nearest', () => {
    const rings = ringsOf(polygon(square(114, 30, 0.001), square(114.01, 30, 0.001)))
    expect(metersOutside([114.0105, 30.0005], rings)).toBe(0)
    expect(Math.round(metersOutside([114.0105, 30.002], rings) ?? 0)).toBe(111)
    expect(metersOutside([114, 30], [])).toBeNull()
  })
  test('a fence of an older form is read; what is none has no rings', () => {
    expect(ringsOf({ points: square(114, 30, 0.001) })).toEqual([square(114, 30, 0.001)])
    for (const none of [null, undefined, {}, 'x', { points: 3 }, { points: [] }, { type: '1', radius: 5 }])
      expect(ringsOf(none)).toEqual([])
  })
  test('what grows by more than a fifth, moves far or goes is decided above; the first one and smaller ones are not', () => {
    const before = polygon(square(114, 30, 0.001))
    expect(reasonToDecide(null, before)).toBeUndefined()
    expect(reasonToDecide(before, polygon(square(114, 30, 0.0009)))).toBeUndefined()
    expect(reasonToDecide(before, polygon(square(114, 30, 0.00109)))).toBeUndefined()
    expect(reasonToDecide(before, polygon(square(114, 30, 0.0012)))).toBe('比上次审定的围栏多圈 44% 的面积（超过 20%）')
    // The same area in a different place.
    expect(reasonToDecide(before, polygon(square(114, 30.002, 0.001)))).toMatch(/多圈 100% 的面积/)
    expect(reasonToDecide(before, polygon(square(114, 30, 0.0005)))).toMatch(/少圈 75% 的面积（超过 50%）/)
    expect(reasonToDecide(before, null)).toBe('撤销围栏')
  })
  test('corners laid on the old line hide neither ground that is added nor a ring far away', () => {
    const before = polygon(square(114, 30, 0.001))
    // The old outline with many corners, and three more corners kilometres away.
    const along = Array.from({ length: 198 }, (_, i) => {
      const at = (4 * i) / 198
      const part = 0.001 * (at % 1)
      const [lng, lat] = [
        [part, 0],
        [0.001, part],
        [0.001 - part, 0.001],
        [0, 0.001 - part],
      ][Math.floor(at)] ?? [0, 0]
      return { lng: 114 + (lng ?? 0), lat: 30 + (lat ?? 0) }
    })
    const far = square(114.1, 30, 0.0002)
    expect(reasonToDecide(before, { type: '2', points: along, others: [far] })).toMatch(/超出上次审定的围栏 \d+ 米/)
    expect(reasonToDecide(before, { type: '2', points: along })).toBeUndefined()
    // A sixth more on one side is a small change; on both sides of the approved fence it is a large one.
    const wider = polygon(square(113.9999, 29.9999, 0.0012))
    expect(reasonToDecide(before, wider)).toMatch(/多圈 44%/)
  })
  test('the ground two fences share is exact, with notches and with rings beside each other', () => {
    const one = ringsOf(polygon(square(114, 30, 0.001)))
    const whole = hectaresOf(one) * 10_000
    const near = (value: number, wanted: number) => expect(Math.abs(value / wanted - 1)).toBeLessThan(0.001)
    near(sharedSquareMeters(one, one), whole)
    near(sharedSquareMeters(one, ringsOf(polygon(square(114.0005, 30.0005, 0.001)))), whole / 4)
    expect(sharedSquareMeters(one, ringsOf(polygon(square(114.01, 30, 0.001))))).toBe(0)
    const notched: [number, number][] = [
      [114, 30],
      [114.001, 30],
      [114.001, 30.001],
      [114.0005, 30.0005],
      [114, 30.001],
    ]
    near(sharedSquareMeters(one, [notched]), (whole * 3) / 4)
    const halves = [...ringsOf(polygon(square(113.9995, 30, 0.001))), ...ringsOf(polygon(square(114.00051, 30, 0.001)))]
    near(sharedSquareMeters(one, halves), whole * 0.99)
  })
  test('the same fence is known in either form', () => {
    expect(isSameFence({ points: square(114, 30, 0.001) }, polygon(square(114, 30, 0.001)))).toBe(true)
    expect(isSameFence(null, undefined)).toBe(true)
    expect(isSameFence(null, polygon(square(114, 30, 0.001)))).toBe(false)
  })
})
