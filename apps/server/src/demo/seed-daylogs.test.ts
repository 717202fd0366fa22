import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getConstructionLog, listConstructionLogs } from '@zhugong/contract/daylogs/construction'
import { listOwnLogs } from '@zhugong/contract/daylogs/own-log'
import { getSafetyLog, listSafetyLogs, safetyLogMatrix } from '@zhugong/contract/daylogs/safety-log'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedDayLogs } from './seed-daylogs.ts'
import { seedPlaces } from './seed-places.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedSchedule } from './seed-schedule.ts'

/** An hour at which nothing of the day has happened yet. */
const now = Date.parse('2026-11-20T06:00:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const folder = await mkdtemp(join(tmpdir(), 'logs-'))
  const db = world.database.kysely
  await db.transaction().execute((tx) => seedPlaces(tx, settled.city, now, folder))
  await db.transaction().execute((tx) => seedRectify(tx, settled.city, now))
  await db.transaction().execute((tx) => seedSchedule(tx, settled.city, now, folder))
  await db.transaction().execute((tx) => seedDayLogs(tx, settled.city, now))
  site = await settled.as('hospital-safety')
})
afterAll(() => world.close())
const all = { projectCode: '*' }

test('a month of a site: two late entries, a commented log with an order, one that was sent back, nothing of today', async () => {
  const { list } = await site.call(listSafetyLogs, { query: { ...all, size: 100 } })
  expect(list.length).toBeGreaterThan(25)
  expect(list.some((one) => one.day >= '2026-11-20')).toBe(false)
  expect(list.filter((one) => one.late)).toHaveLength(2)
  const commented = list.find((one) => one.commentCount === 2)
  const file = await site.call(getSafetyLog, { params: { id: commented?.id ?? '' }, query: all })
  expect(file.comments.map((one) => one.answer !== null)).toEqual([true, false])
  expect(file.problems.some((one) => one.rectify !== null)).toBe(true)
  expect(file.facts.some((one) => one.kind === 'gang')).toBe(true)
  const changed = await Promise.all(
    list.slice(0, 8).map(async ({ id }) => (await site.call(getSafetyLog, { params: { id }, query: all })).changes.length),
  )
  expect(changed.filter((n) => n > 0)).toHaveLength(1)
})

test('two buildings for thirty days, three days of rain with people who waited, and the pour', async () => {
  const { list } = await site.call(listConstructionLogs, { query: { ...all, size: 100 } })
  expect(new Set(list.map((one) => one.unitId)).size).toBe(2)
  expect(list.filter((one) => one.impact === 'weather').every((one) => (one.idleCount ?? 0) > 0)).toBe(true)
  expect(list.filter((one) => one.impact === 'weather')).toHaveLength(6)
  const files = await Promise.all(
    list.filter((one) => one.day === '2026-11-16').map(({ id }) => site.call(getConstructionLog, { params: { id }, query: all })),
  )
  expect(files.flatMap((one) => one.pours.map((pour) => pour.volume))).toEqual([120])
  expect(files.every((one) => one.blocks.length > 0)).toBe(true)
  expect(files.some((one) => one.tasks.length > 0)).toBe(true)
})

test('the authority sees who is careless, and 监理 its own logs', async () => {
  const city = await settled.as('city-fang')
  const { list, counts } = await city.call(safetyLogMatrix, { query: { ...all, view: 'matrix', month: '2026-11', size: 100 } })
  expect(list.length).toBeGreaterThan(4)
  expect(list[0]?.missing).toBeGreaterThan(3)
  expect(counts.silent).toBeGreaterThan(0)
  expect(counts.missing).toBe(counts.due)
  const own = await (await settled.as('hospital-jl')).call(listOwnLogs, { query: { ...all, size: 100 } })
  expect(own.total).toBeGreaterThan(4)
})
