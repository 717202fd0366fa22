import { publicSettings, updateSettings } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let admin: Caller
let now = Date.parse('2026-11-20T09:00:00+08:00')
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  admin = await settled.as('admin')
})
afterAll(() => world.close())

const night = { from: '2026-11-22 22:00:00', until: '2026-11-23 02:00:00', words: '数据库升级，期间无法登录' }
const result = async (org?: string) => (await world.anonymous.call(publicSettings, { query: { org } })).maintenance
const plan = (maintenance: typeof night | null) => admin.ask(updateSettings, { body: { maintenance } })

test('a planned maintenance is told to everybody, whatever page they come in by, until it is over or taken back', async () => {
  expect(await result()).toBeNull()
  await admin.call(updateSettings, { body: { maintenance: night } })
  const begun = now
  expect(await result()).toEqual(night)
  const { rows } = await world.database.pool.query<{ code: string }>('select code from tenant where type = 1 order by code limit 1')
  expect(await result(rows[0]?.code)).toEqual(night)
  now = Date.parse('2026-11-23T01:59:59+08:00')
  expect(await result()).toEqual(night)
  now = Date.parse('2026-11-23T02:00:00+08:00')
  expect(await result()).toBeNull()
  now = begun
  // Changing other settings leaves it unchanged.
  await admin.call(updateSettings, { body: { serviceHotline: '0714-6000000' } })
  expect(await result()).toEqual(night)
  await admin.call(updateSettings, { body: { maintenance: null } })
  expect(await result()).toBeNull()
})

test.each([
  ['ends before it begins', { ...night, until: '2026-11-22 21:00:00' }, 'maintenance.until', '结束时间应晚于开始时间'],
  ['lasts for days', { ...night, until: '2026-11-26 22:00:00' }, 'maintenance.until', '一次维护最长 72 小时'],
  ['is over', { ...night, from: '2026-11-19 22:00:00', until: '2026-11-20 09:00:00' }, 'maintenance.until', '结束时间已过'],
  ['has no day', { ...night, from: '2026-02-30 22:00:00' }, 'maintenance.from', '时间格式应为 yyyy-MM-dd HH:mm:ss'],
  ['says nothing', { ...night, words: '' }, 'maintenance.words', '请填写维护说明'],
])('one that %s is refused at its field and nothing is kept', async (_, wrong, field, message) => {
  expect(await plan(wrong)).toMatchObject({ message, data: { field } })
  expect(await result()).toBeNull()
})

test('only the platform plans one', async () => {
  for (const account of ['city-fang', 'yunze-lu', 'hospital-pm']) {
    const answer = await (await settled.as(account)).ask(updateSettings, { body: { maintenance: night } })
    expect([account, answer.http]).toEqual([account, 403])
  }
  expect(await result()).toBeNull()
})
