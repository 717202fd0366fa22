import { toPlace, toPlane } from '@zhugong/contract/kit/plane'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { Sites } from './sites.ts'

const origin = { lng: 114.305, lat: 30.592 }

test.each([
  [0, 0],
  [1_000, 0],
  [0, 1_000],
  [-700, 700],
  [707, -707],
])('the plane at %d, %d m goes to a place and back within a millimetre', (x, y) => {
  const [gotX, gotY] = toPlane(origin, toPlace(origin, x, y))
  expect(Math.hypot(gotX - x, gotY - y)).toBeLessThan(0.001)
})

test('the plane is true: a kilometre along the meridian and along the parallel', () => {
  // Lengths of one degree at this latitude, from the series of the ellipsoid (metres).
  const phi = (origin.lat * Math.PI) / 180
  const perLat = 111_132.92 - 559.82 * Math.cos(2 * phi) + 1.175 * Math.cos(4 * phi)
  const perLng = 111_412.84 * Math.cos(phi) - 93.5 * Math.cos(3 * phi) + 0.118 * Math.cos(5 * phi)
  expect(toPlane(origin, { lng: origin.lng, lat: origin.lat + 1_000 / perLat })[1]).toBeCloseTo(1_000, 1)
  expect(toPlane(origin, { lng: origin.lng + 1_000 / perLng, lat: origin.lat })[0]).toBeCloseTo(1_000, 1)
})

const crane = (id: string, params: object, more: object = {}) => ({
  id,
  projectCode: 'P1',
  family: { key: 'towerCrane' },
  inService: true,
  params: { jibLength: 50, towerHeight: 40, ...params },
  ...more,
})
const plan = {
  origin,
  fence: [
    [0, 0],
    [200, 0],
    [200, 200],
    [0, 200],
  ],
  zones: [
    {
      kind: 'forbidden',
      points: [
        [10, 70],
        [30, 70],
        [30, 90],
        [10, 90],
      ],
    },
  ],
}
function sites(): Sites {
  const made = new Sites(undefined as unknown as pg.Pool)
  made.setPlan('P1', plan)
  return made
}
const seen = (s: Sites, id: string, angle: number, time = 1_000) =>
  s.seen({ id }, { time, values: { slewAngle: angle, radius: 20, hookHeight: 20 } })

test('an alarm about a distance names the nearest crane and the nearest zone', () => {
  const s = sites()
  s.setPlan('P1', {
    ...plan,
    zones: [
      { kind: 'forbidden', name: '学校上空', points: plan.zones[0]?.points },
      {
        kind: 'noLift',
        name: '料场',
        points: [
          [150, 150],
          [160, 150],
          [160, 160],
        ],
      },
    ],
  })
  s.setDevice(crane('a', { originX: 20, originY: 20 }))
  s.setDevice(crane('b', { originX: 80, originY: 20, towerHeight: 40.5 }))
  s.setDevice(crane('c', { originX: 20, originY: 115, towerHeight: 40.5 }))
  for (const id of ['a', 'b', 'c']) seen(s, id, 90)
  expect(s.nearest('a', 1_000, { predictSeconds: 0 })).toMatchObject({ crane: { id: 'b' }, zoneName: undefined })
  expect(s.nearest('a', 1_000, { zone: 'forbidden' })).toEqual({ crane: undefined, zoneName: '学校上空' })
  expect(s.nearest('a', 1_000, { zone: 'noLift' }).zoneName).toBe('料场')
  expect(s.nearest('x', 1_000, { predictSeconds: 0, zone: 'forbidden' })).toEqual({ crane: undefined, zoneName: undefined })
})

test('cranes of a site are measured in its plane, one of them surveyed as a place', () => {
  const s = sites()
  const { lng, lat } = toPlace(origin, 80, 20)
  s.setDevice(crane('a', { originX: 20, originY: 20 }))
  s.setDevice(crane('b', { longitude: lng, latitude: lat, towerHeight: 40.5 }))
  seen(s, 'a', 90)
  seen(s, 'b', 90)
  expect(s.clearanceAt('a', 1_000, 0)).toMatchObject({ meters: expect.closeTo(10, 1), complete: true })
  expect(s.zoneDistanceAt('a', 'forbidden', 1_000)).toBeCloseTo(Math.hypot(10, 50), 3)
})

test('a crane that moved to another site, or out of service, is near nobody here', () => {
  const s = sites()
  s.setDevice(crane('a', { originX: 20, originY: 20 }))
  s.setDevice(crane('b', { originX: 80, originY: 20 }))
  seen(s, 'a', 90)
  s.setDevice(crane('b', { originX: 80, originY: 20 }, { projectCode: 'P2' }))
  expect(s.clearanceAt('a', 1_000, 0)?.complete).toBe(true)
  s.setDevice(crane('a', {}, { inService: false }))
  expect(s.clearanceAt('a', 1_000, 0)).toBeUndefined()
})

test('the fence of the site and its zones are areas in longitude and latitude', () => {
  const s = sites()
  const ring = s.fence({ projectCode: 'P1' }, { kind: 'site' })?.areas[0]
  expect(ring).toHaveLength(4)
  expect(toPlane(origin, { lng: ring?.[2]?.[0] ?? 0, lat: ring?.[2]?.[1] ?? 0 })[0]).toBeCloseTo(200, 3)
  expect(s.fence({ projectCode: 'P1' }, { kind: 'forbidden' })?.areas).toHaveLength(1)
  expect(s.fence({ projectCode: 'P1' }, { kind: 'dumpSites' })).toBeUndefined()
  expect(s.fence({ projectCode: 'P9' }, { kind: 'site' })).toBeUndefined()
})

test('a lorry keeps to what is drawn for lorries: a danger zone of cranes is none of its own', () => {
  const s = sites()
  const road = [
    [115, 30],
    [115.01, 30.01],
  ]
  const dump = [
    [115.01, 30],
    [115.02, 30],
    [115.02, 30.01],
  ]
  s.setPlan('P1', plan, {}, [
    { name: '北线', kind: 'route', points: road },
    { name: '城南消纳场', kind: 'dumpSites', points: dump },
  ])
  const lorry = { projectCode: 'P1', family: { key: 'truckMonitor' } }
  expect(s.fence(lorry, { kind: 'route' })).toEqual({ areas: [], routes: [road] })
  expect(s.fence(lorry, { kind: 'dumpSites' })?.areas).toEqual([dump])
  expect(s.fence(lorry, { id: '城南消纳场' })?.areas).toEqual([dump])
  expect(s.fence(lorry, { kind: 'forbidden' })).toBeUndefined()
  expect(s.fence(lorry, { kind: 'site' })?.areas).toHaveLength(1)
  expect(s.fence({ projectCode: 'P1', family: { key: 'towerCrane' } }, { kind: 'forbidden' })?.areas).toHaveLength(1)
  expect(s.fence({ projectCode: 'P1', family: { key: 'towerCrane' } }, { kind: 'dumpSites' })).toBeUndefined()
})

test('zones by kind and by name, routes, and a station’s own area; in the plane for what is located there', () => {
  const s = sites()
  const yard = [
    [5, 5],
    [9, 5],
    [9, 9],
  ]
  s.setPlan('P1', {
    ...plan,
    zones: [
      { name: '钢筋棚', kind: 'area', points: yard },
      {
        name: '基坑边',
        kind: 'area',
        points: [
          [50, 50],
          [60, 50],
          [60, 60],
        ],
      },
      {
        kind: 'route',
        points: [
          [0, 0],
          [100, 0],
        ],
      },
    ],
  })
  const of = (kind: string, areaName?: string) => s.fence({ projectCode: 'P1', params: { areaName } }, { kind, plane: true })
  expect(of('area')?.areas).toHaveLength(2)
  expect(of('area', '钢筋棚')?.areas).toEqual([yard])
  expect(of('area', '别处')?.areas).toHaveLength(2)
  expect(of('route')).toMatchObject({ areas: [], routes: [[expect.anything(), [100, 0]]] })
  expect(s.fence({ projectCode: 'P1' }, { id: '钢筋棚', plane: true })?.areas).toEqual([yard])
  const onMap = s.fence({ projectCode: 'P1' }, { id: '钢筋棚' })?.areas[0]?.[0]
  expect(toPlane(origin, { lng: onMap?.[0] ?? 0, lat: onMap?.[1] ?? 0 })[0]).toBeCloseTo(5, 3)
})

test('without a plan the fence on the map serves: corners, or a circle', () => {
  const s = sites()
  const corners = [
    { lng: 114, lat: 30 },
    { lng: 114.01, lat: 30 },
    { lng: 114, lat: 30.01 },
  ]
  s.setPlan('P2', {}, { points: corners })
  expect(s.fence({ projectCode: 'P2' }, { kind: 'site' })?.areas).toEqual([corners.map((c) => [c.lng, c.lat])])
  expect(s.fence({ projectCode: 'P2' }, { kind: 'site', plane: true })).toBeUndefined()
  s.setPlan('P3', {}, { center: origin, radius: 300 })
  const ring = s.fence({ projectCode: 'P3' }, { kind: 'site' })?.areas[0] ?? []
  for (const [lng, lat] of ring) expect(Math.hypot(...toPlane(origin, { lng, lat }))).toBeCloseTo(300, 3)
  expect(ring.length).toBeGreaterThan(30)
  s.setPlan('P4', {}, { center: origin })
  expect(s.fence({ projectCode: 'P4' }, { kind: 'site' })).toBeUndefined()
})

test('monitoring degraded: what was told before a restart is ended after it', async () => {
  const stored = [{ rows: [{ project_code: 'P1', site_plan: plan, area_rule: null }] }, { rows: [{ id: 'a', since: 5_000 }] }]
  const s = new Sites({ query: () => Promise.resolve(stored.shift() ?? { rows: [] }) } as unknown as pg.Pool)
  const both = [crane('a', { originX: 20, originY: 20 }), crane('b', { originX: 80, originY: 20 })]
  await s.load(both)
  seen(s, 'a', 90, 100_000)
  expect(s.notices(100_000)).toEqual([])
  seen(s, 'b', 90, 101_000)
  expect(s.notices(102_000)).toMatchObject([{ deviceId: 'a', item: { data: { state: 'end', since: 5_000 } } }])
  await s.load(both)
  expect(s.notices(103_000)).toEqual([])
})

test('monitoring degraded: a neighbour that is not heard for a minute is told once, and once that it is back', () => {
  const s = sites()
  s.setDevice(crane('a', { originX: 20, originY: 20 }))
  s.setDevice(crane('b', { originX: 80, originY: 20 }))
  s.setDevice(crane('far', { originX: 900, originY: 20 }))
  const reported: string[] = []
  const listen = (from: number, to: number, both: boolean) => {
    for (let t = from; t <= to; t += 5_000) {
      seen(s, 'a', 90, t)
      seen(s, 'far', 90, t)
      if (both) seen(s, 'b', 90, t)
      for (const { deviceId, item } of s.notices(t)) reported.push(`${deviceId} ${item.data.state} ${item.data.missing} ${t / 1000}`)
    }
  }
  listen(100_000, 130_000, true)
  // Its reading is outdated after fifteen seconds; users are notified a minute later.
  listen(135_000, 300_000, false)
  expect(reported).toEqual(['a start b 210'])
  listen(305_000, 320_000, true)
  expect(reported).toEqual(['a start b 210', 'a end  305'])
  listen(325_000, 380_000, false)
  listen(385_000, 400_000, true)
  expect(reported).toHaveLength(2)
  // Without any readings there is no notice: the offline alarm covers that.
  expect(s.notices(900_000)).toEqual([])
})
