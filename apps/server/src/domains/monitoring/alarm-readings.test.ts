import { attachReadings, detachReadings, listAlarmReadings } from '@zhugong/contract/monitoring/alarm-readings'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

/** A period of a machine's readings can be attached once to an alarm of its own site, and removed again. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let site = ''
let crane = ''
let elsewhere = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  crane = city.city.devices.find((d) => d.projectCode === site && d.family === 'towerCrane')!.id
  elsewhere = city.city.devices.find((d) => d.projectCode !== site && d.family === 'towerCrane')!.id
  await world.database.pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     values ('evidence', $1, $2, '1# 塔机', 'towerCrane', 'momentAlarm', '力矩报警', 2, 2, $3, $3)`,
    [site, crane, new Date(now - 3_600_000)],
  )
})
afterAll(() => world.close())

test('laid to the alarm once, with nonsense refused; strangers and onlookers lay nothing', async () => {
  const pm = await city.as('hospital-pm')
  const attach = (who: Caller, given: Record<string, unknown> = {}) =>
    who.ask(attachReadings, {
      query: { projectCode: site },
      body: { alarmId: 'evidence', deviceId: crane, from: '2026-11-20 08:50:00', to: '2026-11-20 09:10:00', ...given } as never,
    })
  const laid = await attach(pm, { note: '吊重与力矩同时上升' })
  expect(laid.status).toBe(0)
  expect((await attach(pm)).message).toContain('已附到该告警')
  expect((await attach(pm, { to: '2026-11-20 08:00:00' })).message).toContain('应晚于')
  expect((await attach(pm, { from: '2026-09-01 08:00:00' })).message).toContain('最多附 31 天')
  expect((await attach(pm, { deviceId: elsewhere })).status).not.toBe(0)
  expect((await attach(await city.as('bj-zhao'))).http).toBe(403)
  expect((await attach(await city.as('zhigu-pm'))).status).not.toBe(0)
  const query = { projectCode: site, alarmId: 'evidence' }
  const { list } = await pm.call(listAlarmReadings, { query })
  expect(list).toMatchObject([{ deviceId: crane, family: 'towerCrane', note: '吊重与力矩同时上升', to: now - 50 * 60_000 }])
  const { id } = laid.data as { id: string }
  expect((await (await city.as('zhigu-pm')).ask(detachReadings, { params: { id }, query: { projectCode: site } })).status).not.toBe(0)
  expect((await pm.ask(detachReadings, { params: { id }, query: { projectCode: site } })).status).toBe(0)
  expect((await pm.call(listAlarmReadings, { query })).total).toBe(0)
})
