import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listPlaces } from '@zhugong/contract/places/places'
import { listUnitProjects } from '@zhugong/contract/places/units'
import { getRectify, listRectify } from '@zhugong/contract/rectify/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedChecks } from './seed-checks.ts'
import { seedPlaces } from './seed-places.ts'
import { seedRectify } from './seed-rectify.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let folder = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-places-'))
  await world.database.kysely.transaction().execute(async (tx) => {
    await seedRectify(tx, settled.city, now)
    await seedChecks(tx, settled.city, now)
    await seedPlaces(tx, settled.city, now, folder)
  })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

test('every site has units, a tree with floors and rooms, areas outdoors and plans', async () => {
  const head = await settled.as('admin')
  for (const { projectCode, name } of settled.city.projects) {
    const { list, plans } = await head.call(listPlaces, { query: { projectCode } })
    expect(
      list.some((one) => one.kind === 'area'),
      name,
    ).toBe(true)
    expect(plans.length, name).toBeGreaterThan(0)
    const units = await head.call(listUnitProjects, { query: { projectCode } })
    expect(list.filter((one) => one.kind === 'building').length, name).toBe(units.total)
  }
})

test('most problems are set on a place, many on a plan, and some came at the same place before', async () => {
  const site = await settled.as('hospital-pm')
  const { list } = await site.call(listRectify, { query: { projectCode: '*', size: 100 } })
  const placed = list.filter((one) => one.placeNames.length > 0)
  expect(placed.length).toBeGreaterThan(list.length / 2)
  const files = await Promise.all(placed.map((one) => site.call(getRectify, { params: { id: one.id } })))
  const lines = files.flatMap((one) => one.lines)
  expect(lines.filter((one) => one.pin).length).toBeGreaterThan(4)
  expect(lines.some((one) => one.earlier.length > 0)).toBe(true)
  for (const { plans, lines: own } of files) for (const { pin } of own) if (pin) expect(plans.map((one) => one.id)).toContain(pin.planId)
})
