import { expect, test } from 'vitest'
import {
  asOfDay,
  besidePoints,
  comparedDays,
  kindsOf,
  outlineOf,
  type PitDay,
  type PitPoint,
  placedOf,
  stateAt,
  wallWords,
} from './pit-state.ts'

const point = (more: Partial<PitPoint>): PitPoint => ({
  deviceId: 'D',
  pointCode: 'CX-01',
  pointType: 'deepHorizontal',
  pointTypeName: '深层水平位移',
  projectCode: 'P',
  projectName: '项目',
  pitName: '基坑',
  x: 0,
  y: 0,
  lng: null,
  lat: null,
  depth: 10,
  grade: '1',
  unit: 'mm',
  time: 1,
  cumulative: 10,
  ratePerDay: 1,
  control: 40,
  controlRate: 3,
  share: 25,
  rateShare: 33,
  state: 'fine',
  damaged: null,
  online: true,
  manual: false,
  profile: [],
  ...more,
})

test('a share is fine, warns, alarms or is over', () => {
  expect([69.9, 70, 85, 100].map(stateAt)).toEqual(['fine', 'warning', 'alarm', 'over'])
})

test('the outline is drawn by the points in the wall and not by those on the street', () => {
  const placed = placedOf(
    [
      point({ x: 0, y: 0 }),
      point({ x: 40, y: 20, pointType: 'topHorizontal' }),
      point({ x: -30, y: 50, pointType: 'surface' }),
      point({ x: null, y: null }),
    ],
    [114, 30],
  )
  expect(placed).toHaveLength(3)
  expect(outlineOf(placed)).toEqual({ left: 0, right: 40, bottom: 0, top: 20 })
  expect(outlineOf([])).toBeUndefined()
})

test('a day without a reading makes a point silent, one with a reading judges it by the worse of value and rate', () => {
  const day: PitDay = {
    deviceId: 'D',
    projectName: '项目',
    pitName: '基坑',
    pointCode: 'CX-01',
    pointType: 'deepHorizontal',
    pointTypeName: '深层水平位移',
    unit: 'mm',
    day: '2026-07-01',
    time: 5,
    value: 20,
    change: 2,
    ratePerDay: 2.6,
    control: 40,
    controlRate: 3,
    share: 50,
    rateShare: 86.7,
    manual: true,
    profile: [],
  }
  expect(asOfDay(point({}), undefined)).toMatchObject({ state: 'silent', cumulative: null })
  expect(asOfDay(point({}), day)).toMatchObject({ state: 'alarm', cumulative: 20, manual: true })
})

test('whether one point moves or the wall is told by its neighbours', () => {
  const placed = placedOf([point({ x: 0 }), point({ x: 8, pointCode: 'CX-02' }), point({ x: 4, pointType: 'surface' })], [114, 30])
  const [chosen] = placed
  if (!chosen) throw new Error('no point')
  expect(besidePoints(placed, chosen).map((one) => [one.point.pointCode, one.metres])).toEqual([['CX-02', 8]])
  expect(wallWords(2.6, [{ point: { ratePerDay: 0.4 } }])).toContain('没有跟着动')
  expect(wallWords(2.6, [{ point: { ratePerDay: 1.5 } }])).toContain('整段')
  expect(wallWords(null, [])).toContain('不足以计算')
})

test('kinds stand with the worst first, those that say nothing last', () => {
  const kinds = kindsOf([
    point({ share: 20, rateShare: null }),
    point({ pointType: 'surface', share: 80, rateShare: null }),
    point({ pointType: 'waterLevel', share: null, rateShare: null }),
  ])
  expect(kinds.map((one) => one.type)).toEqual(['surface', 'deepHorizontal', 'waterLevel'])
})

test('two days of a pit: whatever moved most first, what was not measured says so', () => {
  const dayMs = 86_400_000
  const day = (pointCode: string, value: number | null, time: number | null) =>
    ({ deviceId: pointCode, pointCode, pointTypeName: '地表沉降', unit: 'mm', share: 10, value, time }) as PitDay
  const rows = comparedDays(
    [day('A', -1, 0), day('B', -2, 0), day('C', 4, 0)],
    [day('A', -2, dayMs * 2), day('B', -8, dayMs * 2), day('C', null, null), day('D', 1, dayMs)],
  )
  expect(rows.map((one) => [one.pointCode, one.change, one.perDay])).toEqual([
    ['B', -6, -3],
    ['A', -1, -0.5],
    ['C', null, null],
    ['D', null, null],
  ])
})
