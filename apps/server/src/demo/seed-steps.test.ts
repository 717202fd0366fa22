import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getSpotCheck, listSpotChecks } from '@zhugong/contract/spotchecks/calls'
import { getStep, listSteps, stepGrid } from '@zhugong/contract/steps/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedMaterials } from './seed-materials.ts'
import { seedPlaces } from './seed-places.ts'
import { seedSpotChecks } from './seed-spotchecks.ts'
import { seedSteps } from './seed-steps.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
let authority: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const folder = await mkdtemp(join(tmpdir(), 'quality-'))
  for (const seed of [seedPlaces, seedMaterials, seedSteps, seedSpotChecks])
    await world.database.kysely.transaction().execute((tx) => seed(tx, settled.city, now, folder))
  site = await settled.as('hospital-pm')
  authority = await settled.as('bj-zhao')
})
afterAll(() => world.close())

test('ninety acceptances, two floors blocked, one concealed reinforcement mended after a spacing failed', async () => {
  const { list, counts } = await site.call(listSteps, { query: { projectCode: '*', size: 1000 } })
  expect(list.length).toBeGreaterThan(85)
  expect([counts.failed, counts.waiting]).toEqual([2, 1])
  const { list: floors } = await site.call(stepGrid, { query: { projectCode: list[0]?.projectCode ?? '', view: 'grid', size: 100 } })
  expect(floors.filter((one) => one.blocked)).toHaveLength(2)
  const mended = list.find((one) => one.round === 2)
  const file = await site.call(getStep, { params: { id: mended?.id ?? '' }, query: { projectCode: '*' } })
  expect([file.work, file.kind, file.notice?.closed]).toEqual(['rebar', '5', true])
  expect(file.rounds.map((one) => one.points.filter((point) => !point.passed).map((point) => point.key))).toEqual([[], ['mainSpacing']])
  expect(file.signatures.find((one) => one.seat === 'supervisor')?.state).toBe('signed')
})

test('twenty-five spot checks, two reports late; the site knows of no draft', async () => {
  const { list, counts } = await authority.call(listSpotChecks, { query: { projectCode: '*', size: 100 } })
  expect(counts.late).toBe(2)
  expect(list.some((one) => one.state === '0')).toBe(true)
  const known = await site.call(listSpotChecks, { query: { projectCode: '*', size: 100 } })
  expect(known.list.some((one) => one.state === '0')).toBe(false)
  const cable = known.list.find((one) => one.state === '5')
  const file = await site.call(getSpotCheck, { params: { id: cable?.id ?? '' } })
  expect(file.reports.map((one) => [one.stage, one.passed])).toEqual([
    ['first', false],
    ['again', true],
  ])
  expect(file.notice?.closed).toBe(true)
  const failing = known.list.find((one) => one.test === 'rebound' && one.state === '3')
  expect((await site.call(getSpotCheck, { params: { id: failing?.id ?? '' } })).waitingFloors.length).toBeGreaterThan(0)
})
