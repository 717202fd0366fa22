import * as admin from '@zhugong/contract/access/admins'
import { listRoles, listUsers } from '@zhugong/contract/access/endpoints'
import * as group from '@zhugong/contract/access/group-roles'
import * as work from '@zhugong/contract/access/role-work'
import { listSight } from '@zhugong/contract/access/sight'
import * as people from '@zhugong/contract/access/users'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedRights } from './seed-rights.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await seedRights(world.database.kysely, city.city, Date.now())
})
afterAll(() => world.close())

test('the contractor has members with and without roles, a role tied to its branch, one that has drifted, and temporary ones of each state', async () => {
  const boss = await city.as('yunze-lu')
  const stat = await boss.call(group.groupRoleStat)
  expect(stat).toMatchObject({ members: 24, without: 2 })
  expect(stat.ending).toBeGreaterThan(0)
  const { list } = await boss.call(listRoles, { query: { view: 'group', size: 50 } })
  expect(list.map((one) => [one.name, one.dataScope, one.drift > 0]).sort()).toEqual([
    ['区域安全总监', '4', true],
    ['安全巡查员', '2', true],
    ['驻点安全员', '4', false],
  ])
  const director = list.find((one) => one.name === '区域安全总监')
  const tied = await boss.call(group.relatedProjects, { query: { roleId: director?.id ?? '' } })
  expect(tied.total).toBeGreaterThan(1)
  const temporary = await boss.call(work.listTempRoles, { query: {} })
  expect(new Set(temporary.list.map((one) => one.state))).toEqual(new Set(work.tempStates))
  expect((await boss.call(group.getDelegation)).violations).toHaveLength(1)
})

test('the platform finds accounts to look after, a narrowed role, and grants that have ended, were stopped or are missing', async () => {
  const platform = await city.as('admin')
  const figures = await platform.call(people.userFigures)
  expect(figures).toMatchObject({ locked: 2, initial: 5 })
  expect(figures.total).toBeGreaterThan(50)
  expect((await platform.call(listUsers, { query: { state: 'locked' } })).total).toBe(2)
  const safety = (await platform.call(listRoles, { query: { view: 'template', narrowed: '1', size: 50 } })).list
  expect(safety.map((one) => one.name)).toEqual(['安全员'])
  const { figures: grants, list } = await platform.call(admin.listAdmins, { query: { size: 1000 } })
  expect(grants.stopped).toBe(1)
  expect(grants.ending).toBe(1)
  expect(grants.without).toBeGreaterThan(0)
  const groupsOf = Map.groupBy(list, (one) => one.userId)
  expect([...groupsOf.values()].some((all) => all.length > 1)).toBe(true)
})

test('some are shown a site by hand and some are kept from one, each with a reason', async () => {
  const boss = await city.as('yunze-lu')
  const { list } = await boss.call(listSight, { query: { size: 50 } })
  expect(new Set(list.map((one) => `${one.kind} ${one.shows}`))).toEqual(new Set(['member false', 'role true']))
  expect(list.every((one) => one.reason && one.grantBy)).toBe(true)
})
