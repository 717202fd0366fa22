import * as calls from '@zhugong/contract/monitoring/vehicle/vehicle-fences'
import { truckTrack } from '@zhugong/contract/monitoring/vehicle/vehicles'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import { machineFor } from '@zhugong/simulator/machines'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makePartitions } from '#domains/telemetry/rollup'
import { copyReadings, type StoredReading } from '#domains/telemetry/store'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { seedVehicleFences } from '../../../demo/seed-vehicle-fences.ts'
import { markGiven } from '../../readings/public.ts'

const now = Date.now()
const hour = 3_600_000
let world: World
let settled: CityWorld
let pm: Caller
let stranger: Caller
let main: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await makePartitions(world.database.pool)
  pm = await settled.as('hospital-pm')
  stranger = await settled.as('zhigu-pm')
  main = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
})
afterAll(() => world.close())

const ground: [number, number][] = [
  [115.07, 30.2],
  [115.08, 30.2],
  [115.08, 30.21],
]

describe('fences of lorries', () => {
  test('are drawn, changed by version, named once and removed by the site alone', async () => {
    const query = { projectCode: main }
    const made = await pm.call(calls.createVehicleFence, {
      query,
      body: { name: '东线', kind: 'route', points: ground, fromMinute: 60, untilMinute: 120 },
    })
    expect(made).toMatchObject({ name: '东线', kind: 'route', fromMinute: null, untilMinute: null, version: 0 })
    expect((await pm.ask(calls.createVehicleFence, { query, body: { name: '东线', kind: 'dumpSites', points: ground } })).message).toBe(
      '这个项目已有同名围栏',
    )
    const thin = await pm.ask(calls.createVehicleFence, { query, body: { name: '一点', kind: 'dumpSites', points: ground.slice(0, 2) } })
    expect(thin).toMatchObject({ status: 2, message: '至少画三个角点' })
    const half = await pm.ask(calls.createVehicleFence, {
      query,
      body: { name: '半天', kind: 'forbidden', points: ground, fromMinute: 420 },
    })
    expect(half).toMatchObject({ status: 2, message: '开始与结束时间应同时填写' })
    const change = { params: { id: made.id }, query, body: { name: '东线二', kind: 'route' as const, points: ground, version: 0 } }
    expect(await pm.call(calls.updateVehicleFence, change)).toMatchObject({ name: '东线二', version: 1 })
    expect((await pm.ask(calls.updateVehicleFence, change)).message).toContain('请刷新后再改')
    expect((await stranger.ask(calls.removeVehicleFence, { params: { id: made.id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await stranger.call(calls.listVehicleFences, { query: { projectCode: '*' } })).list.some((one) => one.id === made.id)).toBe(
      false,
    )
    await pm.call(calls.removeVehicleFence, { params: { id: made.id }, query })
    expect((await pm.call(calls.listVehicleFences, { query })).total).toBe(0)
  })

  test('a track tells what was tipped in a dump site; a lorry that moves says how fast', async () => {
    await world.database.kysely.transaction().execute((tx) => seedVehicleFences(tx, settled.city))
    const truck = settled.city.devices.find((d) => d.family === 'truckMonitor' && d.projectCode === main && d.behaviour === 'normal')
    const [family, order] = [familyOf('truckMonitor'), storedOrder('truckMonitor')]
    if (!truck || !family || !order) throw new Error('no lorry')
    const machine = machineFor(settled.city, truck, { purpose: 'test' })
    const rows = Array.from({ length: 6 * 120 }, (_, i): StoredReading => {
      const time = now - 6 * hour + i * 30_000
      const values = machine.telemetry(time) ?? {}
      return {
        device: { id: truck.id, family, order } as StoredReading['device'],
        reading: { time, receivedAt: time + 200, mark: markGiven(0), values, unknown: null, quality: null, flag: 0 },
      }
    })
    const client = await world.database.pool.connect()
    try {
      await copyReadings(client, rows)
    } finally {
      client.release()
    }
    const { list } = await pm.call(truckTrack, { query: { deviceId: truck.id, startTime: String(now - 6 * hour), endTime: String(now) } })
    const [track] = list
    expect(track?.tips.length).toBeGreaterThanOrEqual(3)
    expect(track?.tips.every((one) => one.dump === '城南消纳场')).toBe(true)
    expect(track?.maxSpeed).toBeGreaterThan(15)
    expect(track?.maxSpeed).toBeLessThan(60)
    // Speed and positions agree: the distance from the reported speed equals the distance of the positions.
    const drove = rows.reduce((sum, { reading }) => sum + (Number(reading.values.speed) / 3600) * 30, 0)
    expect(Math.abs(drove - (track?.distanceKm ?? 0)) / drove).toBeLessThan(0.1)
  })
})
