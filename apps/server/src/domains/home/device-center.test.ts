import { deviceCenter } from '@zhugong/contract/home/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

test('a spray whose line is dry is not in order, though nothing alarms while it stands still', async () => {
  const site = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const { pool } = world.database
  const [dry, wet] = settled.city.devices.filter((d) => d.projectCode === site && d.family === 'sprayController')
  await pool.query(`delete from alarm where family = 'sprayController'`)
  await pool.query(
    `insert into device_latest (device_id, ts, received_at, online, online_since, v)
     select id, now(), now(), true, now(), '{"running":"0","waterPressure":0.42}' from device where family = 'sprayController'
     on conflict (device_id) do update set online = true, v = excluded.v`,
  )
  const pm = await settled.as('hospital-pm')
  const sprays = async () =>
    (await pm.call(deviceCenter, { query: { projectCode: site } })).families.find((one) => one.family === 'sprayController')
  expect(await sprays()).toMatchObject({ alarming: 0, faulty: 0, problem: '' })
  await pool.query(`update device_latest set v = '{"running":"0","waterPressure":0.01}' where device_id = $1`, [dry?.id])
  expect(await sprays()).toMatchObject({ alarming: 0, faulty: 1, problem: `${dry?.name} 无水` })
  await pool.query(`update device_latest set online = false where device_id = $1`, [dry?.id])
  expect(await sprays()).toMatchObject({ faulty: 0, problem: '1 台离线' })
  expect(wet).toBeDefined()
})
