import { getMyInfo, publicSettings } from '@zhugong/contract/identity/endpoints'
import * as brand from '@zhugong/contract/organisation/brand'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let site: Caller
let company: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  site = await city.as('hospital-pm')
  const code = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode
  const { rows } = await world.database.pool.query<{ contractor: string }>(
    'select contractor_corp_code as contractor from project where project_code = $1',
    [code],
  )
  const boss = city.city.personas.find((p) => p.corpCode === rows[0]?.contractor)
  company = await city.as(boss?.account ?? '')
})
afterAll(() => world.close())

const save = async (caller: Caller, change: object) => {
  const { ownName, screen, lng, lat, primaryColor, logo, version } = await caller.call(brand.getBrand)
  return caller.ask(brand.saveBrand, { body: { sysName: ownName, screen, lng, lat, primaryColor, logo, version, ...change } })
}

test('a site shows its contractor’s brand until it has its own, and again once that is locked', async () => {
  expect(await save(company, { sysName: '云建智慧工地', primaryColor: '#0B6E4F' })).toMatchObject({ status: 0 })
  expect(await save(site, { sysName: null, primaryColor: null })).toMatchObject({ status: 0 })
  expect((await site.call(brand.getBrand)).shown.sysName).toMatchObject({ value: '云建智慧工地', own: false, lockedBy: null })
  expect((await site.call(getMyInfo)).profile).toMatchObject({ sysName: '云建智慧工地', primaryColor: '#0B6E4F' })
  const doorOf = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? undefined
  expect(await site.call(publicSettings, { query: { org: doorOf } })).toMatchObject({ mainHead: '云建智慧工地', primaryColor: '#0B6E4F' })
  expect(await save(site, { sysName: '市医院项目' })).toMatchObject({ status: 0 })
  expect((await site.call(getMyInfo)).profile.sysName).toBe('市医院项目')
  const { version } = await company.call(brand.getBrand)
  expect((await company.ask(brand.saveBrandPolicy, { body: { locked: ['screen'], version } })).message).toMatch(/未设置大屏地址/)
  await company.call(brand.saveBrandPolicy, { body: { locked: ['sysName'], version } })
  expect((await site.call(getMyInfo)).profile.sysName).toBe('云建智慧工地')
  // The same on the login page of its users.
  const door = async (org: string | undefined) => (await site.call(publicSettings, { query: { org } })).mainHead
  const own = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? undefined
  expect(await door(own)).toBe('云建智慧工地')
  expect(await door('nobody')).toBe(await door(undefined))
  expect((await save(site, { sysName: '另一个名称' })).message).toMatch(/系统名称已由.*锁定/)
  expect(await save(site, { primaryColor: '#7A3E9D' })).toMatchObject({ status: 0 })
  const below = await company.call(brand.brandsBelow, { query: {} })
  expect(below.list.find((one) => one.sysName === '市医院项目')?.own).toEqual(['sysName', 'primaryColor'])
  // Its own branding was kept.
  await company.call(brand.saveBrandPolicy, { body: { locked: [], version: (await company.call(brand.getBrand)).version } })
  expect((await site.call(getMyInfo)).profile.sysName).toBe('市医院项目')
})

test('nobody else’s groups are listed, and a site locks nothing', async () => {
  const other = await city.as('dingli-cheng')
  const { list } = await company.call(brand.brandsBelow, { query: {} })
  expect(list.every((one) => one.type === 3)).toBe(true)
  expect((await other.ask(brand.brandsBelow, { query: {} })).data?.list ?? []).toEqual([])
  expect((await site.ask(brand.saveBrandPolicy, { body: { locked: [], version: 0 } })).http).toBe(403)
})
