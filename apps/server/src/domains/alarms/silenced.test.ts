import { actOnSuppression, getAlarm, startSuppression } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let site = ''
let crane = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  crane = city.city.devices.find((d) => d.projectCode === site && d.family === 'towerCrane')?.id ?? ''
  for (const key of ['tiltAlarm', 'windAlarm'])
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time, values_used)
       values ($1, $2, $3, '样机', 'towerCrane', $1, $1, 2, 2, true, $4, $4, '{}')`,
      [key, site, crane, new Date(now - 600_000)],
    )
})
afterAll(() => world.close())

test('an open alarm says that it is silenced once that is granted, of its own kind, and no longer than it lasts', async () => {
  const pm = await city.as('hospital-pm')
  const silenced = async () =>
    (await pm.call(findAlarms, { query: { projectCode: site, deviceId: crane, active: true } })).list
      .filter((one) => one.silenced)
      .map((one) => ({ id: one.id, until: one.silenced?.until }))
  const until = now + 2 * 3_600_000
  const { id } = await pm.call(startSuppression, {
    query: { projectCode: '*' },
    body: {
      deviceId: crane,
      alarmKeys: ['tiltAlarm'],
      kind: 'jacking',
      reason: '顶升作业',
      personName: '周工',
      until: new Date(until).toISOString(),
    },
  })
  expect(await silenced()).toEqual([])
  // The deadline is before the end of the suppression.
  const { rows } = await world.database.pool.query<{ deadline: Date }>(
    `select s.deadline from work_step s join work_item i on i.id = s.item_id where i.object_id = $1 and s.deadline is not null`,
    [id],
  )
  expect(rows.map((one) => one.deadline.getTime())).toEqual([until])
  const safety = await city.as('hospital-safety')
  await safety.call(actOnSuppression, { params: { id }, query: { projectCode: '*' }, body: { action: 'pass', opinion: '同意' } })
  expect(await silenced()).toEqual([{ id: 'tiltAlarm', until }])
  const file = await pm.call(getAlarm, { params: { id: 'tiltAlarm' }, query: { projectCode: '*' } })
  expect(file.silenced).toEqual({ until, personName: '周工' })
  await world.database.pool.query(`update device_suppress set until_time = $2 where id = $1`, [id, new Date(now)])
  expect(await silenced()).toEqual([])
})
