import { towerDevice } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { explainSilence, findOfflineSpans } from '@zhugong/contract/monitoring/crane/crane-lists'
import * as calls from '@zhugong/contract/monitoring/crane/crane-zones'
import type { Device } from '@zhugong/simulator/city-types'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { formatDay, startOfDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { Sites } from '../../clearance/public.ts'

const hour = 3_600_000
const now = startOfDay(formatDay(Date.now())) + 10 * hour
const at = (ms: number) => new Date(ms).toISOString()
const square: [number, number][] = [
  [40, 40],
  [60, 40],
  [60, 60],
  [40, 60],
]

let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let supervisor: Caller
let stranger: Caller
let main = ''
let crane: Device

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  pm = await settled.as('hospital-pm')
  regulator = await settled.as('bj-zhao')
  supervisor = await settled.as('hospital-jl')
  stranger = await settled.as('zhigu-pm')
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const found = settled.city.devices.find((d) => d.family === 'towerCrane' && d.projectCode === main)
  if (!found) throw new Error('no crane')
  crane = found
})
afterAll(() => world.close())

const zone = (more: Partial<{ name: string; points: [number, number][]; from: string; until: string }> = {}) => ({
  query: { projectCode: main },
  body: { name: '第三小学上空', marginMeters: 5, points: square, ...more },
})

test('a site draws a zone, changes it once at a time and ends it; others only look, or do not see it', async () => {
  const made = await pm.call(calls.createCraneZone, zone())
  expect(made).toMatchObject({ projectCode: main, kind: 'forbidden', active: true, version: 0, from: null, until: null, points: square })
  expect((await pm.ask(calls.createCraneZone, zone())).message).toContain('同名区域')
  expect(
    (await pm.ask(calls.createCraneZone, zone({ name: '交叉', points: [square[0]!, square[2]!, square[1]!, square[3]!] }))).message,
  ).toContain('不能互相交叉')
  expect((await pm.ask(calls.createCraneZone, zone({ name: '倒', from: at(now + hour), until: at(now) }))).message).toContain(
    '结束时间应晚于开始时间',
  )

  expect((await regulator.call(calls.listCraneZones, { query: { projectCode: main } })).total).toBe(1)
  for (const caller of [regulator, supervisor])
    expect([2, 4, 403]).toContain((await caller.ask(calls.createCraneZone, zone({ name: '他人' }))).status)
  expect((await stranger.call(calls.listCraneZones, { query: { projectCode: '*' } })).list.every((one) => one.projectCode !== main)).toBe(
    true,
  )
  const change = (version: number) => ({
    params: { id: made.id },
    query: { projectCode: '*' },
    body: { ...zone().body, name: '小学', version },
  })
  expect((await stranger.ask(calls.updateCraneZone, change(0))).status).toBe(2)
  expect(await pm.call(calls.updateCraneZone, change(0))).toMatchObject({ name: '小学', version: 1 })
  expect((await pm.ask(calls.updateCraneZone, change(0))).message).toContain('请刷新后再改')
  expect((await stranger.ask(calls.removeCraneZone, { params: { id: made.id }, query: { projectCode: '*' } })).status).toBe(2)
  await pm.call(calls.removeCraneZone, { params: { id: made.id }, query: { projectCode: main } })
  expect((await pm.call(calls.listCraneZones, { query: { projectCode: main } })).total).toBe(0)
})

test('only while it holds is a zone drawn, and measured against', async () => {
  await pm.call(calls.createCraneZone, zone({ name: '现在', until: at(Date.now() + 24 * hour) }))
  await pm.call(calls.createCraneZone, zone({ name: '明年', from: at(Date.now() + 400 * 24 * hour) }))
  const names = (await pm.call(towerDevice, { params: { id: crane.id } })).zones.map((one) => one.name)
  expect(names).toContain('现在')
  expect(names).not.toContain('明年')
  const sites = new Sites(world.database.pool)
  const device = {
    id: crane.id,
    projectCode: main,
    family: { key: 'towerCrane' },
    params: { originX: 0, originY: 50, jibLength: 50, towerHeight: 40 },
    inService: true,
  }
  await sites.load([device])
  sites.seen(device, { time: 1_000, values: { slewAngle: 90, radius: 30, hookHeight: 20 } })
  expect(sites.zoneDistanceAt(crane.id, 'forbidden', 1_000)).toBeCloseTo(10, 3)
  sites.seen(device, { time: 2_000, values: { slewAngle: 90, radius: 45, hookHeight: 20 } })
  expect(sites.zoneDistanceAt(crane.id, 'forbidden', 2_000)).toBe(0)
})

test('a silence is explained by those of its site', async () => {
  await world.database.pool.query(`insert into device_event (device_id, ts, id, kind, data) values ($1, $2, 'gone', 'offline', $3)`, [
    crane.id,
    new Date(now - 5 * hour + 400),
    JSON.stringify({ since: now - 5 * hour }),
  ])
  const [row] = (await pm.call(findOfflineSpans, { query: { deviceId: crane.id } })).list
  const reported = {
    params: { id: row?.id ?? '' },
    query: { projectCode: '*' },
    body: { cause: '停工' as const, remark: '雨天停工，总闸已拉' },
  }
  expect((await stranger.ask(explainSilence, reported)).status).toBe(2)
  expect((await pm.ask(explainSilence, { ...reported, body: { ...reported.body, remark: '' } })).message).toContain('请填写说明')
  await pm.call(explainSilence, reported)
  await pm.call(explainSilence, { ...reported, body: { ...reported.body, remark: '雨天停工' } })
  expect((await pm.call(findOfflineSpans, { query: { deviceId: crane.id, cause: '停工' } })).list).toMatchObject([
    { remark: '雨天停工', cause: '停工' },
  ])
})
