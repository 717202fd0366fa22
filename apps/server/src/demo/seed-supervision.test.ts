import { dayCheckWeek, getDayCheck, listDayChecks } from '@zhugong/contract/daychecks/calls'
import { getPlan, listPlans, planMatrix } from '@zhugong/contract/plans/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../test/world.ts'
import { seedSupervision } from './seed-supervision.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let officer: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const begun = performance.now()
  await seedSupervision(world.database.kysely, settled.city, createSecrets(testSecretKey), now)
  console.info(`seeded in ${Math.round(performance.now() - begun)} ms`)
  officer = await settled.as('bj-zhao')
}, 120_000)
afterAll(() => world.close())
const query = { projectCode: '*', page: 1, size: 100 }

test('plans of every kind: in force, waiting, returned, a draft, and sites without one', async () => {
  const { list, counts } = await officer.call(listPlans, { query })
  const states = list.map((one) => one.state)
  expect(states.filter((one) => one === '1').length).toBe(3)
  expect(states).toEqual(expect.arrayContaining(['0', '2', '4']))
  expect(counts.unplanned).toBeGreaterThanOrEqual(1)
  const adjusted = list.find((one) => one.versionNo === 2)
  const file = await officer.call(getPlan, { params: { id: adjusted?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.versions.at(-1)?.changes.length).toBeGreaterThan(0)
  const { list: rows } = await officer.call(planMatrix, { query: { ...query, year: 2026 } })
  const cells = rows.flatMap((one) => one.cells)
  for (const mark of ['planned', 'done', 'missed'] as const)
    expect(
      cells.some((one) => one[mark] > 0),
      mark,
    ).toBe(true)
})

test('checks of every kind: running, today’s tasks, a 合格 of 76.4 and a 不合格 by a 保证项目', async () => {
  const { list, counts } = await officer.call(listDayChecks, { query })
  expect(counts).toMatchObject({ running: 1 })
  expect(counts.today).toBeGreaterThanOrEqual(4)
  expect(list.some((one) => one.score === 76.4 && one.gradeName === '合格')).toBe(true)
  const failed = list.find((one) => one.gradeName === '不合格')
  const file = await officer.call(getDayCheck, { params: { id: failed?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.score).toBeGreaterThan(75)
  expect(file.reason).toContain('零分')
  expect(list.filter((one) => one.locationAbnormal).length).toBe(2)
  expect(list.some((one) => one.state === '5')).toBe(true)
  const { checks } = await officer.call(dayCheckWeek, { query: { projectCode: '*', monday: '2026-11-16' } })
  expect(checks.length).toBeGreaterThanOrEqual(4)
})
