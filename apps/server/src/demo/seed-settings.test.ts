import { join } from 'node:path'
import { getDashboard } from '@zhugong/contract/settings/dashboard'
import { listMaterials } from '@zhugong/contract/settings/materials'
import { getMyPerson } from '@zhugong/contract/settings/my-person'
import { listMyRequests } from '@zhugong/contract/settings/my-requests'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedSettings } from './seed-settings.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await seedSettings(world.database.kysely, city.city, Date.now(), join(world.config.dataDir, 'files'))
})
afterAll(() => world.close())

test('the demonstration has papers of every state, demanded cards, and a file tied to the manager’s account', async () => {
  const manager = await city.as('hospital-pm')
  const projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const { list } = await manager.call(listMaterials, { query: { projectCode } })
  const count = (state: string) => list.filter((one) => one.state === state).length
  expect([count('1'), count('3'), count('0')]).toEqual([4, 2, 1])
  expect(list.filter((one) => one.files.length === 1)).toHaveLength(15)
  expect(list.filter((one) => one.due === 'ending').map((one) => one.item)).toEqual(['wageGuarantee'])
  expect((await manager.call(getDashboard, { query: { projectCode } })).policy.value?.forced).toEqual(['keyPosts', 'tasks'])
  expect((await manager.call(getMyPerson)).person?.counts).toMatchObject({ bad: 1, requests: 2 })
  const requests = await manager.call(listMyRequests)
  expect(requests.list.map((one) => [one.kind, one.state])).toEqual([
    ['recordDispute', '1'],
    ['badAppeal', '1'],
    ['recordDispute', '2'],
    ['wageComplaint', '2'],
  ])
})
