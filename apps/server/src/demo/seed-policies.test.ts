import { openPolicies } from '@zhugong/contract/policies/policies'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { policyPlans } from './policy-plan.ts'
import { seedPolicies } from './seed-policies.ts'

const now = Date.parse('2028-02-29T00:10:00+08:00')
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedPolicies(tx, settled.city, now))
})
afterAll(() => world.close())

test('forty texts of four levels, one chain of three, drafts and a withdrawn text hidden', async () => {
  const { list, total, facets } = await world.anonymous.call(openPolicies, { query: { page: 1, size: 100 } })
  expect(total).toBe(policyPlans.filter((one) => one.state === undefined).length)
  expect(total).toBe(40)
  expect(facets.level.map((one) => one.value)).toEqual(['1', '2', '3', '4'])
  const chain = list.filter((one) => one.title.includes('文明施工管理') && one.category !== 'reading')
  expect(chain.map((one) => one.validity).sort()).toEqual(['1', '3', '3'])
  expect(list.some((one) => one.title.includes('征求意见稿') || one.title.includes('调整扬尘'))).toBe(false)
})

test('every text says that it is invented', async () => {
  const { list } = await world.anonymous.call(openPolicies, { query: { page: 1, size: 100, keyword: '虚构文本' } })
  expect(list).toHaveLength(40)
})
