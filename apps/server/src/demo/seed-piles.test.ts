import { listPiles } from '@zhugong/contract/monitoring/pile/pile-register'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedPiles } from './seed-piles.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedPiles(tx, city.city, Date.now()))
}, 120_000)
afterAll(() => world.close())

test('a company whose sites have no rig sees the piles they made before, some tested, most decided', async () => {
  const leader = await city.as('yunze-lu')
  const { counts, list } = await leader.call(listPiles, { query: { projectCode: '*', size: 200 } })
  expect(counts.total).toBeGreaterThan(90)
  expect(counts.made).toBeGreaterThan(80)
  expect([counts.failed, counts.tested > 20, counts.undecided > 0, counts.late > 0]).toEqual([1, true, true, true])
  expect(list.every((one) => one.axis !== null && one.plannedOn !== null)).toBe(true)
})
