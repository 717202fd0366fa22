import { getMainPage } from '@zhugong/contract/home/endpoints'
import * as contract from '@zhugong/contract/settings/dashboard'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let projectCode: string
let site: Caller
let body: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await city.as('hospital-pm')
  body = await city.as('city-fang')
})
afterAll(() => world.close())

const read = () => site.call(contract.getDashboard, { query: { projectCode } })
const shown = async () => (await site.call(getMainPage, { query: { projectCode } })).layout
const value = {
  roles: {
    '*': [
      { card: 'week' as const, size: 3, hidden: false },
      { card: 'hours' as const, size: 1, hidden: true },
    ],
  },
  limits: { attendanceRate: 70 },
}

test('the site arranges its home page, and the home page obeys', async () => {
  expect((await read()).dashboard).toMatchObject({ value: null, version: 0 })
  await site.call(contract.saveDashboard, { body: { projectCode, value, version: 0 } })
  const layout = await shown()
  expect(layout?.cards[0]).toEqual({ card: 'week', size: 3, hidden: false })
  expect(layout?.cards.find((one) => one.card === 'hours')?.hidden).toBe(true)
  // Cards added by a later version come last.
  expect(layout?.cards).toHaveLength(contract.homeCardKeys.length)
  expect(layout?.limits).toEqual({ attendanceRate: 70 })
  expect((await site.ask(contract.saveDashboard, { body: { projectCode, value, version: 0 } })).message).toMatch(/请刷新后再改/)
})

test('what is demanded from above is shown, whatever the site hides, and its limits hold', async () => {
  const policy = { forced: ['hours' as const], limits: { attendanceRate: 80 } }
  await body.call(contract.saveDashboardPolicy, { body: { projectCode, value: policy, version: 0 } })
  const layout = await shown()
  expect(layout?.cards.find((one) => one.card === 'hours')?.hidden).toBe(false)
  expect(layout?.forced).toEqual(['hours'])
  expect(layout?.limits).toEqual({ attendanceRate: 80 })
  expect((await site.ask(contract.saveDashboardPolicy, { body: { projectCode, value: policy, version: 1 } })).http).toBe(403)
})

test('the same is set for other projects, first as a trial; not beyond one’s reach', async () => {
  const others = city.city.projects.filter((p) => p.projectCode !== projectCode).map((p) => p.projectCode)
  const to = others.slice(0, 2)
  const tried = await body.call(contract.spreadDashboardPolicy, { body: { projectCode, to, apply: false } })
  expect(tried.list.map((one) => one.change)).toEqual(['new', 'new'])
  await body.call(contract.spreadDashboardPolicy, { body: { projectCode, to, apply: true } })
  const again = await body.call(contract.spreadDashboardPolicy, { body: { projectCode, to, apply: false } })
  expect(again.list.map((one) => one.change)).toEqual(['same', 'same'])
  const stranger = await city.as('zhigu-pm')
  expect((await stranger.ask(contract.getDashboard, { query: { projectCode } })).status).not.toBe(0)
})

test('a role has its own page, everybody else the common one', () => {
  const roles = { '*': [{ card: 'week' as const, size: 1, hidden: false }], 安全员: [{ card: 'devices' as const, size: 1, hidden: false }] }
  const first = (names: string[]) => contract.cardsFor({ roles, limits: {} }, null, names)[0]?.card
  expect(first(['安全员'])).toBe('devices')
  expect(first(['劳务员'])).toBe('week')
  expect(contract.cardsFor(null, null, [])[0]?.card).toBe('figures')
  expect(contract.isBeyond('attendanceRate', 69, 70)).toBe(true)
  expect(contract.isBeyond('openAlarms', 3, undefined)).toBe(false)
})
