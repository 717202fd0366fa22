import { getRoom, listRooms } from '@zhugong/contract/residence/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedResidence } from './seed-residence.ts'

const now = Date.parse('2026-11-20T00:10:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedResidence(tx, settled.city, now))
  site = await settled.as('hospital-pm')
})
afterAll(() => world.close())

test('sixty-four rooms in three buildings, some people left over, two rooms too full, one failed power check', async () => {
  const { list, counts, buildings } = await site.call(listRooms, { query: { projectCode: '*', size: 100 } })
  expect([list.length, buildings]).toEqual([64, ['1 栋', '2 栋', '3 栋']])
  expect(counts.living).toBeGreaterThan(20)
  expect(counts.free).toBeGreaterThan(0)
  expect(list.filter((one) => one.warnings.includes('最近检查不合格')).map((one) => `${one.buildingName} ${one.roomNo}`)).toEqual([
    '2 栋 305',
  ])
  const failed = list.find((one) => one.buildingName === '2 栋' && one.roomNo === '305')
  const { checks } = await site.call(getRoom, { params: { id: failed?.id ?? '' }, query: { projectCode: '*' } })
  expect(checks.map((one) => one.power)).toEqual([false, true, true, true])
})
