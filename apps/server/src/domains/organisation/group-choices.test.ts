import { getSetting } from '@zhugong/contract/attendance/setting'
import { getMyInfo, updateSettings } from '@zhugong/contract/identity/endpoints'
import { weekends } from '@zhugong/contract/kit/rest-days'
import * as contract from '@zhugong/contract/organisation/group-info'
import { mapTypeNames, mapTypes } from '@zhugong/contract/organisation/map-type'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { commonCalendar } from '../access/public.ts'

let world: World
let city: CityWorld
let platform: Caller
let company: Caller
let site: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  platform = await city.as('admin')
  company = await city.as('yunze-lu')
  site = await city.as('hospital-pm')
})
afterAll(() => world.close())

const save = async (who: Caller, change: object) => {
  const { own, version } = await who.call(contract.getGroupInfo)
  return who.ask(contract.saveGroupInfo, { body: { ...own, ...change, version } })
}
const groundOf = async (who: Caller) => (await who.call(getMyInfo)).profile.mapType

test('[map-types] the module map carries no value, the world map 2; a group chooses, else the nearest above has chosen', async () => {
  expect(dictionaryOf('mapType')?.items.map(({ code, name }) => [code, name])).toEqual(
    Object.values(mapTypes).map((code) => [code, mapTypeNames[code]]),
  )
  expect(Object.values(mapTypes)).toEqual(['', '2'])
  expect([await groundOf(company), await groundOf(site)]).toEqual([mapTypes.module, mapTypes.module])
  expect(await save(company, { mapType: '3' })).toMatchObject({ http: 400, data: { field: 'mapType' } })
  expect(await save(platform, { mapType: mapTypes.world })).toMatchObject({ status: 0 })
  expect([await groundOf(company), await groundOf(site)]).toEqual([mapTypes.world, mapTypes.world])
  expect(await save(company, { mapType: mapTypes.module })).toMatchObject({ status: 0 })
  expect([await groundOf(company), await groundOf(site), await groundOf(await city.as('city-fang'))]).toEqual([
    mapTypes.module,
    mapTypes.module,
    mapTypes.world,
  ])
  expect((await site.call(contract.getGroupInfo)).mapTypeAbove).toEqual({ value: mapTypes.module, fromName: expect.any(String) })
  expect(await save(company, { mapType: null })).toMatchObject({ status: 0 })
  expect(await groundOf(site)).toBe(mapTypes.world)
})

test('whoever chooses the world map is told whether the deployment has tiles for it', async () => {
  expect((await company.call(contract.getGroupInfo)).hasTiles).toBe(false)
  const map = { tiles: 'https://tiles.example.cn/{z}/{x}/{y}.png', crs: 'gcj02' as const, attribution: '审图号 GS(2025)0001号' }
  await platform.call(updateSettings, { body: { map } })
  expect((await company.call(contract.getGroupInfo)).hasTiles).toBe(true)
  await platform.call(updateSettings, { body: { map: null } })
  expect((await company.call(contract.getGroupInfo)).hasTiles).toBe(false)
})

test('a working calendar is followed below until one has its own; terms of the law go by the deployment’s', async () => {
  const available = async () => (await site.call(getSetting, { query: {} })).bodyCalendar
  expect(await available()).toEqual({ value: weekends, fromName: null })
  const calendar = { restWeekdays: [7], restDates: ['2026-10-01'], workDates: [] }
  expect(await save(company, { calendar: { ...calendar, restWeekdays: [8] } })).toMatchObject({ http: 400 })
  expect(await save(company, { calendar })).toMatchObject({ status: 0 })
  expect(await available()).toEqual({ value: calendar, fromName: expect.any(String) })
  const common = { ...weekends, restDates: ['2026-10-02'] }
  expect(await save(platform, { calendar: common })).toMatchObject({ status: 0 })
  expect((await available())?.value).toEqual(calendar)
  // Available to all groups that use it, though none below can read the operator's row.
  expect(await commonCalendar(world.database.kysely)).toEqual(common)
  await save(company, { calendar: null })
  expect(await available()).toEqual({ value: common, fromName: expect.any(String) })
  expect(
    (await site.ask(contract.saveGroupInfo, { body: { ...(await company.call(contract.getGroupInfo)).own, version: 99 } })).status,
  ).toBe(4)
})
