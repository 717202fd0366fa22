import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { givenAlarm } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

/** Alarms of wearables show the name, team and place needed for rescue, in the list and in the detail page. */
let world: World
let city: CityWorld
let site: string
let wearer: { name: string; team: string | null }
const everywhere = { projectCode: '*' }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-safety')!.projectCode!
  const { pool } = world.database
  const helmets = city.city.devices.filter((d) => d.projectCode === site && d.family === 'smartHelmet')
  const [own, other] = helmets
  const { rows } = await pool.query<{ id: string; name: string; team: string | null }>(
    `select pw.worker_id as id, pw.worker_name as name, t.team_name as team from project_worker pw left join team t on t.id = pw.team_id
     where pw.project_code = $1 and pw.exit_time is null order by pw.worker_id limit 2`,
    [site],
  )
  wearer = rows[0]!
  const place = await pool.query<{ lng: number; lat: number }>('select lng, lat from project where project_code = $1', [site])
  const { lng, lat } = place.rows[0]!
  for (const [i, device] of [own!, other!].entries())
    await pool.query(`update device set params = params || jsonb_build_object('workerId', $2::text) where id = $1`, [
      device.id,
      rows[i]!.id,
    ])
  await pool.query(
    `insert into device_latest (device_id, ts, received_at, v, online, online_since) values ($1, now(), now(), $2, true, now())
     on conflict (device_id) do update set v = excluded.v, online = true`,
    [other!.id, JSON.stringify({ longitude: lng + 0.0002, latitude: lat, positioned: true })],
  )
  await givenAlarm(world, {
    id: 'fallen',
    projectCode: site,
    device: { ...own!, family: 'smartHelmet' },
    at: new Date(),
    alarmKey: 'fall',
    label: '跌落',
    level: 1,
    valuesUsed: JSON.stringify({ longitude: lng, latitude: lat }),
  })
})
afterAll(() => world.close())

const row = async (who: Caller) =>
  (await who.call(findAlarms, { query: { ...everywhere, family: 'smartHelmet', size: 100 } })).list.find((one) => one.id === 'fallen')

test('the site reads who fell, of which team, where, and who is nearest', async () => {
  const safety = await city.as('hospital-safety')
  const person = { name: wearer.name, team: wearer.team, place: expect.stringMatching(/[\u4e00-\u9fa5]/) }
  expect((await row(safety))?.person).toEqual(person)
  const file = await safety.call(getAlarm, { params: { id: 'fallen' }, query: everywhere })
  expect(file.person).toEqual(person)
  expect(file.near).toHaveLength(1)
  expect(file.near[0]!.metres).toBeGreaterThan(5)
})

test('a body that supervises reads no name and no place of a person', async () => {
  const district = await city.as('city-fang')
  expect((await row(district))?.person).toMatchObject({ name: null, place: null })
  expect((await district.call(getAlarm, { params: { id: 'fallen' }, query: everywhere })).near).toEqual([])
})
