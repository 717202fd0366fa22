import { listApprovals } from '@zhugong/contract/home/endpoints'
import { getFlowSettings } from '@zhugong/contract/workflow/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { adoptWaiting } from '#domains/workflow/public'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { testSecretKey, type World } from '../../test/world.ts'
import { seedFlow } from './seed-flow.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  await seedFlow(world.database.kysely, settled.city, now)
})
afterAll(() => world.close())

test('what waited before it had a flow begins one, once, and is as late as it is', async () => {
  const deps = { db: world.database.kysely, clock, secrets: createSecrets(testSecretKey), log: createLog('test', 'warn') }
  expect(await adoptWaiting(deps)).toBe(5)
  expect(await adoptWaiting(deps)).toBe(0)
  const { list, counts } = await (await settled.as('city-fang')).call(listApprovals, { query: { box: 'todo' } })
  expect(list.map((one) => one.bizTypeName).sort()).toEqual(expect.arrayContaining(['项目状态']))
  expect(counts.todo).toBe(list.length)
})

test('a site has its own third version, with a step that nobody is there for', async () => {
  const { setting } = await (await settled.as('zhigu-pm')).call(getFlowSettings, { query: { bizType: 'attendanceFix' } })
  expect(setting).toMatchObject({ mode: 'own', version: 3, from: null })
  expect(setting!.versions).toHaveLength(3)
  expect(setting!.resolved.filter((r) => r.empty).map((r) => r.name)).toEqual(['劳资专管员'])
})
