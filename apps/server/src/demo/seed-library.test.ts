import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listQuality } from '@zhugong/contract/papers/quality'
import { listSafety } from '@zhugong/contract/papers/safety'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedLibrary } from './seed-library.ts'
import { seedPlaces } from './seed-places.ts'
import { seedSteps } from './seed-steps.ts'

const now = Date.parse('2026-12-01T00:10:00+08:00')
let world: World
let settled: CityWorld
let projectCode = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((one) => one.account === 'hospital-pm')?.projectCode ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'papers-'))
  for (const seed of [seedPlaces, seedSteps, seedLibrary])
    await world.database.kysely.transaction().execute((tx) => seed(tx, settled.city, now, folder))
})
afterAll(() => world.close())

test('a complete foundation, six gaps above it; nine of the obligations overdue and two papers that end', async () => {
  const pm = await settled.as('hospital-pm')
  const { tree } = await pm.call(listQuality, { query: { projectCode, size: 1 } })
  const gaps = (division: string) => tree.filter((one) => one.division === division).reduce((sum, one) => sum + one.gaps, 0)
  expect(tree.length).toBeGreaterThan(0)
  expect([gaps('01'), gaps('02')]).toEqual([0, 6])
  const { counts } = await pm.call(listSafety, { query: { projectCode, size: 1 } })
  expect([counts.overdue, counts.soon >= 2, counts.rate && counts.rate > 90 && counts.rate < 94]).toEqual([9, true, true])
})
