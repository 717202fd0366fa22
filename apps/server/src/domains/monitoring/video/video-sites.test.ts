import { addPatrol } from '@zhugong/contract/monitoring/video/video-patrols'
import { listVideoSites } from '@zhugong/contract/monitoring/video/video-sites'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** Online shares of sites: computed in the database over all visible sites, shown page by page. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let officer: Caller
let pm: Caller
let site = ''
let cameras: { id: string; name: string }[] = []
const all = { projectCode: '*' }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  officer = await city.as('city-fang')
  pm = await city.as('hospital-pm')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  cameras = city.city.devices.filter((d) => d.family === 'videoAi' && d.projectCode === site)
  const { pool } = world.database
  await pool.query(
    `insert into device_latest (device_id, ts, received_at, online, online_since, v)
     select id, $2, $2, project_code = $1, $2, '{"online":"1","stream":"1"}' from device where family = 'videoAi'
     on conflict (device_id) do update set online = excluded.online, ts = excluded.ts, v = excluded.v`,
    [site, new Date(now)],
  )
  await pool.query(`update device set params = params || '{"storageDays":30}' where id = $1`, [cameras[0]?.id])
  await pool.query(`update device set params = params || '{"storageDays":90}' where id = $1`, [cameras[1]?.id])
})
afterAll(() => world.close())

test('the worst first, with figures over all that is seen and no more than a page of rows', async () => {
  const { list, total, counts } = await officer.call(listVideoSites, { query: { ...all, size: 1 } })
  expect(list).toHaveLength(1)
  expect(list[0]).toMatchObject({ onlinePercent: 0, online: 0, keyCamera: null })
  expect([counts.sites, counts.low, counts.online]).toEqual([total, total - 1, cameras.length])
  const best = await officer.call(listVideoSites, { query: { ...all, onlinePercent: '80,100' } })
  expect(best.total).toBe(1)
  expect(best.list[0]).toMatchObject({ projectCode: site, onlinePercent: 100, cameras: cameras.length, storageDays: 30, lastPatrol: null })
  expect(cameras.map((one) => one.id)).toContain(best.list[0]?.keyCamera?.deviceId)
  expect(best.counts).toEqual(counts)
})

test('a spot without a camera, and who looked last', async () => {
  await world.database.pool.query(`update device set name = '作业面 ' || id where project_code = $1 and family = 'videoAi'`, [site])
  await officer.call(addPatrol, { query: { projectCode: site }, body: { cameraIds: [cameras[0]?.id ?? ''], result: 'fine' } })
  const { list } = await officer.call(listVideoSites, { query: { ...all, keySpotMissing: '大门与道路', sort: '-lastPatrol' } })
  expect(list[0]).toMatchObject({ projectCode: site, keySpotMissing: ['大门与道路', '塔机与升降机'], lastPatrol: now })
  expect(list[0]?.lastPatrolBy).toBeTruthy()
})

test('a site sees itself alone', async () => {
  const { list, counts } = await pm.call(listVideoSites, { query: all })
  expect([list.map((one) => one.projectCode), counts.sites]).toEqual([[site], 1])
})
