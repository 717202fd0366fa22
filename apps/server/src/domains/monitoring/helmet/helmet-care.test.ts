import { createServer, type Server } from 'node:http'
import * as calls from '@zhugong/contract/monitoring/helmet/helmet-care'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rollUp } from '#domains/telemetry/rollup'
import { copyReadings, type StoredReading, writeLatest } from '#domains/telemetry/store'
import { type CityWorld, openHospital } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'
import { markGiven } from '../../readings/public.ts'
import { forgetHelmetPlaces } from './helmet-places.ts'

const now = Date.now()
const minute = 60_000
const day = 86_400_000
const origin = { lng: 115.1, lat: 30.2 }
let world: World
let settled: CityWorld
let pm: Caller
let regulator: Caller
let stranger: Caller
let main: string
let helmets: string[]
let ingest: Server
let requested: { deviceId: string; cmdId: string; params: { text: string } }[] = []

async function wear(id: string, time: number, metersEast: number, online = true): Promise<void> {
  const [order, family] = [storedOrder('smartHelmet'), familyOf('smartHelmet')]
  const device = { id, order, family } as StoredReading['device']
  const values = {
    longitude: origin.lng + metersEast / 96_200,
    latitude: origin.lat,
    speed: 1,
    batteryPercent: 80,
    positioned: true,
    wearing: true,
  }
  const reading = { time, receivedAt: time, mark: markGiven(0), values, unknown: { gps: 'somewhere' }, quality: null, flag: 0 as const }
  const client = await world.database.pool.connect()
  try {
    await client.query('begin')
    await copyReadings(client, [{ device, reading }])
    await writeLatest(client, [{ device, receivedAt: time, reading }])
    await client.query('commit')
  } finally {
    client.release()
  }
  await world.database.pool.query('update device_latest set online = $2 where device_id = $1', [id, online])
}

beforeAll(async () => {
  ;({ world, settled, pm, regulator, stranger, main } = await openHospital(inject('postgresUrl'), now))
  helmets = settled.city.devices.filter((d) => d.family === 'smartHelmet' && d.projectCode === main).map((d) => d.id)
  ingest = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const command = JSON.parse(text)
      requested.push(command)
      const result = command.deviceId === helmets[1] ? -2 : 0
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ cmdId: command.cmdId, result, message: result === 0 ? '已播报' : '设备没有应答' }))
    })
  })
  await new Promise<void>((ready) => ingest.listen(world.config.ingestSocket, ready))
})
afterAll(async () => {
  await world.close()
  ingest.close()
})

test('says one sentence in the helmets within a circle, tells who was reached, and keeps whom', async () => {
  const [near, silent, far, stale, off] = helmets as [string, string, string, string, string]
  await wear(near, now - 5_000, 10)
  await wear(silent, now - 5_000, 30)
  await wear(far, now - 5_000, 90)
  await wear(stale, now - 20 * minute, 5)
  await wear(off, now - 5_000, 5, false)
  const body = { ...origin, radiusMeters: 50, text: '请立即撤离' }
  const said = await pm.call(calls.sendBroadcast, { query: { projectCode: main }, body })
  expect(new Set(requested.map((one) => one.deviceId))).toEqual(new Set([near, silent]))
  expect(requested.every((one) => one.params.text === '请立即撤离')).toBe(true)
  expect(said).toMatchObject({ done: 1, missed: 2 })
  expect(new Map(said.people.map((one) => [one.deviceId, one.result]))).toEqual(
    new Map([
      [near, 0],
      [silent, -2],
    ]),
  )
  const [kept] = (await pm.call(calls.listBroadcasts, { query: { projectCode: main } })).list
  expect(kept).toMatchObject({ id: said.id, text: '请立即撤离', radiusMeters: 50 })
  expect(kept?.people.map((one) => one.name).every((name) => name !== null)).toBe(true)
  // A supervising body sees the text and the number of receivers, no names.
  const [seen] = (await regulator.call(calls.listBroadcasts, { query: { projectCode: main } })).list
  expect(seen?.people.map((one) => one.name)).toEqual([null, null])
  requested = []
  const nobody = await pm.ask(calls.sendBroadcast, { query: { projectCode: main }, body: { ...body, lng: 116 } })
  expect(nobody.message).toBe('范围内没有人')
  expect((await pm.ask(calls.sendBroadcast, { query: { projectCode: main }, body: { ...body, radiusMeters: 900 } })).message).toBe(
    '半径最多 500 米',
  )
  expect((await regulator.ask(calls.sendBroadcast, { query: { projectCode: main }, body })).status).not.toBe(0)
  expect((await stranger.ask(calls.sendBroadcast, { query: { projectCode: main }, body })).status).not.toBe(0)
  expect((await stranger.call(calls.listBroadcasts, { query: { projectCode: '*' } })).total).toBe(0)
  expect(requested).toEqual([])
})

test('places are forgotten when the days a site set are over; that somebody was heard stays', async () => {
  const id = helmets[5] as string
  const family = familyOf('smartHelmet')
  if (!family) throw new Error('family')
  for (const days of [40, 10, 1]) await wear(id, now - days * day, 10)
  await rollUp(world.database.pool, family, [id], now - 41 * day, now)
  const reported = async () => {
    const { rows } = await world.database.pool.query(
      `select t.w, t.v, t.extra, m.v as five from telemetry t join telemetry_5m m on m.device_id = t.device_id and m.ts <= t.ts and m.ts > t.ts - interval '5 minutes'
       where t.device_id = $1 order by t.ts`,
      [id],
    )
    return rows.map((r) => [
      r.w?.some((x: unknown) => x !== null) ?? false,
      'longitude' in r.five,
      'gps' in (r.extra ?? {}),
      'batteryPercent' in r.five,
    ])
  }
  const before = await pm.call(calls.getPlaceSetting, { query: { projectCode: main } })
  expect(before).toMatchObject({ placeDays: 90, version: 0, editable: true })
  await forgetHelmetPlaces(world.database.kysely, { now: () => now })
  expect(await reported()).toEqual([
    [true, true, true, true],
    [true, true, true, true],
    [true, true, true, true],
  ])
  const set = (who: Caller, placeDays: number, version: number) =>
    who.ask(calls.setPlaceSetting, { body: { projectCode: main, placeDays, version } })
  expect((await set(pm, 120, 0)).message).toBe('位置最多保存 90 天')
  expect((await set(pm, 3, 0)).message).toBe('位置至少保存 7 天')
  expect((await set(regulator, 30, 0)).status).not.toBe(0)
  expect((await set(stranger, 30, 0)).status).not.toBe(0)
  expect(await set(pm, 30, 0)).toMatchObject({ status: 0, data: { placeDays: 30, version: 1 } })
  expect((await set(pm, 20, 0)).message).toContain('请刷新后再改')
  await forgetHelmetPlaces(world.database.kysely, { now: () => now })
  expect(await reported()).toEqual([
    [false, false, false, true],
    [true, true, true, true],
    [true, true, true, true],
  ])
  // A shorter retention applies at the next run; a longer one does not restore anything.
  await set(pm, 7, 1)
  await forgetHelmetPlaces(world.database.kysely, { now: () => now })
  expect((await reported()).map(([place]) => place)).toEqual([false, false, true])
  expect(
    (await world.database.pool.query(`select extra ->> 'wearing' as wearing from telemetry where device_id = $1 order by ts limit 1`, [id]))
      .rows,
  ).toEqual([{ wearing: 'true' }])
})
