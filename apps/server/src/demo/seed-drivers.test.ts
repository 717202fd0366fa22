import { driverDevices, getDriver, listDrivers } from '@zhugong/contract/drivers/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedDrivers } from './seed-drivers.ts'

const now = Date.parse('2026-11-20T00:10:00+08:00')
let world: World
let settled: CityWorld
let city: Caller
let site: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedDrivers(tx, settled.city, now))
  city = await settled.as('admin')
  site = await settled.as('hospital-pm')
})
afterAll(() => world.close())

test('some twenty drivers, four waiting, three licences ending', async () => {
  const { list, counts } = await city.call(listDrivers, { query: { projectCode: '*', size: 100 } })
  expect(list.length).toBeGreaterThan(15)
  expect([counts.waiting, counts.ending]).toEqual([4, 3])
})

test('one crane of the site has no driver, and nothing has happened in the future', async () => {
  const { list } = await site.call(driverDevices, { query: { bare: true, size: 100 } })
  expect(list.filter((one) => one.family === 'towerCrane' && one.gap === '没有登记司机')).toHaveLength(1)
  const { list: drivers } = await site.call(listDrivers, { query: { size: 100 } })
  expect(drivers.length).toBeGreaterThan(3)
  for (const { id } of drivers) {
    const { timeline } = await site.call(getDriver, { params: { id } })
    expect(timeline.every((line) => line.at <= now)).toBe(true)
  }
})
