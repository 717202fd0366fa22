import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listSchedules, listScheduleTasks } from '@zhugong/contract/schedule/calls'
import { getScheduleUnit } from '@zhugong/contract/schedule/unit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedPlaces } from './seed-places.ts'
import { seedSchedule } from './seed-schedule.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const folder = await mkdtemp(join(tmpdir(), 'schedule-'))
  await world.database.kysely.transaction().execute((tx) => seedPlaces(tx, settled.city, now, folder))
  await world.database.kysely.transaction().execute((tx) => seedSchedule(tx, settled.city, now, folder))
})
afterAll(() => world.close())

test('three sites: one late at its masonry, one severely, one whose change waits for 监理', async () => {
  const authority = await settled.as('bj-zhao')
  const seen = await authority.call(listSchedules, { query: { projectCode: '*', size: 100 } })
  expect(seen.list.length).toBeGreaterThan(0)
  const site = await settled.as('hospital-pm')
  const { list, figures, counts, head, curve } = await site.call(listScheduleTasks, {
    query: { projectCode: '*', view: 'tasks', size: 500 },
  })
  expect(list.length).toBeGreaterThan(60)
  expect(list.every((one) => one.weightSum === null)).toBe(true)
  expect(figures?.delayDays).toBe(12)
  expect(counts.late).toBeGreaterThan(0)
  expect(head?.bases.map((one) => one.no)).toEqual([2, 1])
  expect(head?.bases[0]?.moved).toBeGreaterThan(0)
  expect(curve.some((one) => (one.actual ?? 0) > 20)).toBe(true)
  const unit = await site.call(getScheduleUnit, {
    params: { id: list.find((one) => one.unitId)?.unitId ?? '' },
    query: { projectCode: '*' },
  })
  expect(unit.reports.filter((one) => one.photos.length > 0).length).toBeGreaterThan(3)
})
