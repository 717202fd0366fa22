import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMaterial, listMaterials, materialFlow, materialStock } from '@zhugong/contract/materials/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedMaterials } from './seed-materials.ts'
import { seedPlaces } from './seed-places.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const folder = await mkdtemp(join(tmpdir(), 'materials-'))
  await world.database.kysely.transaction().execute((tx) => seedPlaces(tx, settled.city, now, folder))
  await world.database.kysely.transaction().execute((tx) => seedMaterials(tx, settled.city, now, folder))
  site = await settled.as('hospital-pm')
})
afterAll(() => world.close())

test('every figure of the keeper has something to show; no batch is used before it passed', async () => {
  const { counts, list } = await site.call(listMaterials, { query: { projectCode: '*', size: 1000 } })
  for (const step of ['accept', 'sample', 'report', 'banned'] as const) expect(counts[step], step).toBeGreaterThan(0)
  for (const row of list) {
    if (row.usedQuantity > 0) expect([row.name, row.state === '1' || row.state === '4']).toEqual([row.name, true])
    expect(row.usedQuantity).toBeLessThanOrEqual(row.quantity)
  }
  expect((await site.call(materialStock, { query: { projectCode: '*', view: 'stock', size: 100 } })).list.length).toBeGreaterThan(8)
})

test('three months of events; the rebar that failed its retest left over the weighbridge', async () => {
  const { list, counts } = await site.call(materialFlow, { query: { projectCode: '*', view: 'flow', size: 1000 } })
  expect(list.length).toBeGreaterThan(120)
  expect(counts.exited).toBe(1)
  const gone = list.find((one) => one.action === 'withdraw')
  const file = await site.call(getMaterial, { params: { id: gone?.batchId ?? '' }, query: { projectCode: '*' } })
  expect([file.exited, file.retestPassed, file.whyNot]).toEqual([true, false, '已退场'])
  expect(file.tickets.map((one) => one.direction)).toEqual(['out'])
  for (const seat of ['supervisor', 'witness']) expect(file.signatures.find((one) => one.seat === seat)?.state).toBe('signed')
})
