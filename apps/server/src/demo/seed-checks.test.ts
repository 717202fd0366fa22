import { getSecurityCheck, listSecurityChecks } from '@zhugong/contract/checks/security-check'
import { getMeasure, listMeasures } from '@zhugong/contract/measures/measures'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedChecks } from './seed-checks.ts'
import { seedRectify } from './seed-rectify.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let projectCode = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  await world.database.kysely.transaction().execute(async (tx) => {
    await seedRectify(tx, settled.city, now)
    await seedChecks(tx, settled.city, now)
  })
})
afterAll(() => world.close())

test('the main site has some 120 rounds, 14 of them open and 3 late, one with a major hazard', async () => {
  const site = await settled.as('hospital-safety')
  const { list, counts } = await site.call(listSecurityChecks, { query: { projectCode, size: 1000 } })
  expect(list.length).toBeGreaterThan(100)
  expect(list.length).toBeLessThan(140)
  const problems = list.reduce((sum, row) => sum + row.problemCount, 0)
  expect(problems).toBeGreaterThan(140)
  expect(counts).toMatchObject({ open: 14, overdue: 3 })
  expect(counts.today).toBeGreaterThan(1)
  expect(list.filter((row) => row.dangerLevel === '2')).toHaveLength(1)
  expect(list.filter((row) => row.overdueDays > 0).map((row) => row.overdueDays)).toEqual([4, 2, 1])
  expect(list.some((row) => Date.parse(`${row.checkTime.replace(' ', 'T')}+08:00`) > now)).toBe(false)
})

test('the state of a round is that of its least advanced notice, and every problem has its line', async () => {
  const { rows } = await sql<{ id: string }>`select c.id from site_check c where c.state <> coalesce((
      select r.state from rectify r where r.source_id = c.id and r.state <> '8'
      order by array_position(array['0', '1', '2', '3', '6', '4', '5', '7'], r.state) limit 1), '7')
    union select check_id from site_check_problem where line_id is null`.execute(world.database.kysely)
  expect(rows).toEqual([])
  const site = await settled.as('hospital-safety')
  const { list } = await site.call(listSecurityChecks, { query: { projectCode, size: 1000 } })
  const mended = list.find((row) => row.problemCount > 0 && row.state === '7')
  const file = await site.call(getSecurityCheck, { params: { id: mended?.id ?? '' }, query: { projectCode } })
  expect(file.passedCount).toBe(file.problemCount)
})

test('18 measures, 3 of them late; the one against edge-protection problems shows that they fell', async () => {
  const admin = await settled.as('admin')
  const { list, counts, total } = await admin.call(listMeasures, { query: { projectCode: '*', size: 100 } })
  expect(total).toBe(18)
  expect(counts.overdue).toBe(3)
  const rail = list.find((row) => row.name === '主楼临边防护专项措施')
  const { weeks, startDate } = await admin.call(getMeasure, { params: { id: rail?.id ?? '' }, query: { projectCode: '*' } })
  const before = weeks.filter(({ week, count }) => week < startDate && count > 0)
  const since = weeks.filter(({ week }) => week >= startDate)
  expect(since.length).toBeGreaterThanOrEqual(3)
  expect(Math.max(...before.map((one) => one.count))).toBeGreaterThanOrEqual(9)
  expect(Math.max(...since.map((one) => one.count))).toBeLessThan(4)
})
