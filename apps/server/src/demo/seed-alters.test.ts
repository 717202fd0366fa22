import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { alterTypes } from '@zhugong/contract/organisation/alter-types'
import { getAlter, listAlters } from '@zhugong/contract/organisation/project-alter'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { adoptWaiting } from '#domains/workflow/public'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { testSecretKey, type World } from '../../test/world.ts'
import { alterPlans } from './alter-plan.ts'
import { seedAlters } from './seed-alters.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
let folder: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  folder = await mkdtemp(join(tmpdir(), 'zg-alters-'))
  await world.database.kysely.transaction().execute((tx) => seedAlters(tx, now, folder))
  const deps = { db: world.database.kysely, clock, secrets: createSecrets(testSecretKey), log: createLog('test', 'warn') }
  await adoptWaiting(deps)
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

test('fifteen applications of every type: one rejected, one five days old, one newcomer bound elsewhere', async () => {
  const admin = await settled.as('admin')
  const query = { projectCode: '*', page: 1, size: 50 }
  const { list, counts } = await admin.call(listAlters, { query })
  expect(list).toHaveLength(alterPlans.length)
  expect(new Set(list.map((one) => one.type))).toEqual(new Set(Object.values(alterTypes)))
  expect(list.every((one) => one.code !== null && one.summary.length > 0)).toBe(true)
  expect(list.filter((one) => one.state === '3')).toHaveLength(1)
  expect(list.some((one) => one.late)).toBe(true)
  expect(counts).toMatchObject({ all: 15, running: 8, late: list.filter((one) => one.late).length })
  const bound = list.find((one) => one.type === '3' && one.state === '1')
  const site = await settled.as('hospital-pm')
  const mine = await site.call(listAlters, { query: { ...query, tab: 'mine' } })
  expect(mine.total).toBeGreaterThan(0)
  const seen = await admin.call(getAlter, { params: { id: bound?.id ?? '' }, query: { projectCode: '*' } })
  expect(seen.person?.newName).toBeTruthy()
})
