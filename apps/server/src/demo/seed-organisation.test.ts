import { checkCreditCode } from '@zhugong/contract/kit/checks'
import { getOrgRules } from '@zhugong/contract/organisation/brand'
import { searchDirectory } from '@zhugong/contract/organisation/corporation-views'
import { getAreaRule } from '@zhugong/contract/organisation/fences'
import { folderTree } from '@zhugong/contract/organisation/project-groups'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedBrands, seedFences } from './seed-organisation.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await world.database.kysely.transaction().execute(async (tx) => {
    await seedFences(tx, city.city)
    await seedBrands(tx, city.city)
  })
})
afterAll(() => world.close())

test('fences with their history, and one that waits for somebody above the site', async () => {
  const projectCode = city.city.projects[0]?.projectCode ?? ''
  const shown = await (await city.as('admin')).call(getAreaRule, { query: { projectCode } })
  expect(shown.history).toHaveLength(1)
  expect(shown.proposal?.why).toMatch(/^比上次审定的围栏多圈 3\d% 的面积/)
})

test('branches of a company and areas of a bureau, the newest project in none', async () => {
  for (const account of ['admin', 'city-fang']) {
    const { tree, figures } = await (await city.as(account)).call(folderTree, { query: {} })
    expect(tree[0]?.children.length).toBeGreaterThan(1)
    expect(figures.ungrouped).toBe(1)
    expect(tree[0]?.projects).toBe(figures.total - 1)
  }
})

test('rules that are followed in part, and a directory of sound codes', async () => {
  const rules = await (await city.as('yunze-lu')).call(getOrgRules)
  expect(rules.missingDepartments).toContain('应急管理办公室')
  expect(rules.posts.some((one) => one.holders.length > 0)).toBe(true)
  const found = await (await city.as('admin')).call(searchDirectory, { query: { keyword: '云泽市江南' } })
  expect(found.list).toHaveLength(2)
  const { rows } = await world.database.pool.query<{ corp_code: string }>('select corp_code from enterprise_register')
  expect(rows.filter((one) => checkCreditCode(one.corp_code))).toEqual([])
})
