import { describe, expect, test } from 'vitest'
import { draftOf, fenceOf, planOutline, problemOf, ringFrom, ringsFromGeoJson, textOf, toGeoJson } from './fence-draft.ts'

const square = (lng: number): [number, number][] => [
  [lng, 30],
  [lng + 0.001, 30],
  [lng + 0.001, 30.001],
  [lng, 30.001],
]

describe('a fence while it is drawn', () => {
  test('comes back as it was: rings, a circle, nothing', () => {
    const rings = { rings: [square(114), square(115)] }
    expect(draftOf(fenceOf(rings))).toEqual(rings)
    const circle = { rings: [], circle: { center: [114, 30] as const, radius: 100 } }
    expect(draftOf(fenceOf(circle))).toEqual(circle)
    expect(fenceOf({ rings: [] })).toBeNull()
  })
  test('says what is wrong before it is sent', () => {
    const [a, b, c, d] = square(114)
    expect(problemOf({ rings: [square(114)] })).toBeUndefined()
    expect(problemOf({ rings: [[a, c, b, d] as never] })).toContain('边 1-2 与边 3-4')
    expect(problemOf({ rings: [square(114), square(114.0005)] })).toContain('第 1 圈与第 2 圈')
    expect(problemOf({ rings: [], circle: { center: [114, 30], radius: 20 } })).toBe('半径 50-5000 米')
  })
  test('corners can be written: a wrong line is named', () => {
    expect(ringFrom(textOf(square(114)))).toEqual(square(114))
    expect(ringFrom('114，30\n 114.1 30\n\n114.1,30.1')).toHaveLength(3)
    expect(ringFrom('114,30\nx,30\n1,2')).toBe('第 2 行应为“经度,纬度”')
    expect(ringFrom('30,114')).toContain('超出范围')
    expect(ringFrom('114,30')).toBe('至少 3 个点')
  })
  test('goes out as GeoJSON and comes back; what holds no polygon is refused', () => {
    const draft = { rings: [square(114), square(115)] }
    expect(ringsFromGeoJson(toGeoJson(draft, '医院'))).toEqual(draft.rings)
    expect(ringsFromGeoJson('{"type":"Point","coordinates":[1,2]}')).toBe('文件中没有多边形')
    expect(ringsFromGeoJson('{')).toBe('不是有效的 GeoJSON 文件')
  })
  test('the plan of a site gives its outline in its place', () => {
    const plan = {
      origin: { lng: 114, lat: 30 },
      fence: [
        [0, 0],
        [100, 0],
        [100, 100],
      ],
      buildings: [],
      roads: [],
      zones: [],
      gates: [],
    }
    expect(planOutline(plan)?.[0]).toEqual([114, 30])
    expect(planOutline(plan)?.[1]?.[0]).toBeCloseTo(114.001036, 5)
    expect(planOutline(null)).toBeUndefined()
  })
})
