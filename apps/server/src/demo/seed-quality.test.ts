import { getCivilCheck, listCivilChecks, listCivilPoints } from '@zhugong/contract/civil/inspection'
import { listImprovements } from '@zhugong/contract/quality/improvement'
import { getQualityCheck, listQualityChecks } from '@zhugong/contract/quality/inspection'
import { listCivilItems } from '@zhugong/contract/scoring/library'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedCivil } from './seed-civil.ts'
import { seedQuality } from './seed-quality.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
let projectCode = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await settled.as('hospital-safety')
  await world.database.kysely.transaction().execute(async (tx) => {
    await seedQuality(tx, settled.city, now)
    await seedCivil(tx, settled.city, now)
  })
})
afterAll(() => world.close())

test('the main site has 70 quality checks, 12 of them open, and hollow plaster comes most', async () => {
  const { list, total, counts } = await site.call(listQualityChecks, { query: { projectCode, size: 1000 } })
  expect([total, counts.open, counts.overdue]).toEqual([70, 12, 2])
  expect(counts.topProblem).toMatchObject({ code: '09', name: '抹灰空鼓开裂' })
  expect(counts.rightRate).toBeGreaterThan(50)
  expect(list.every((row) => row.itemNames.length > 0)).toBe(true)
  expect(list.some((row) => Date.parse(`${row.checkTime.replace(' ', 'T')}+08:00`) > now)).toBe(false)
  const again = list.find((row) => row.problemCount > 0 && row.state !== '0')
  const file = await site.call(getQualityCheck, { params: { id: again?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.problems.every((one) => one.qualityProblemName !== '' && one.notice !== null)).toBe(true)
})

test('nine improvements, one that came again, one to be verified in five days, one from measured points', async () => {
  const manager = await settled.as('hospital-pm')
  const { list, counts } = await manager.call(listImprovements, { query: { projectCode, size: 1000 } })
  // The ninth is of another site.
  expect(list).toHaveLength(8)
  expect(list.every((row) => row.findingCount > 0)).toBe(true)
  expect([counts.effective, counts.verify, counts.overdue]).toEqual([1, 1, 1])
  expect(counts.again).toBeGreaterThan(0)
  expect(list.find((row) => row.source === 'measure')).toMatchObject({ sourceName: '实测', findingCount: 31 })
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from quality_improvement i join rectify r on r.id = i.rectify_id
    where (i.state, i.deadline, i.close_time) is distinct from (r.state, r.deadline, r.close_time)`.execute(world.database.kysely)
  expect(rows[0]?.n).toBe(0)
})

test('a city version with the extras of the main site, monthly walks with three failed points, a candidate and half a walk', async () => {
  const { list, counts } = await site.call(listCivilChecks, { query: { projectCode, size: 1000 } })
  expect(list.map((row) => row.state).filter((one) => one === '0')).toHaveLength(1)
  expect([list.length, counts.open]).toEqual([6, 1])
  const latest = list.find((row) => row.state === '3')
  const file = await site.call(getCivilCheck, { params: { id: latest?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.points).toHaveLength(22)
  expect(file.points.filter((one) => one.items.some((item) => item.result === '2')).map((one) => one.open)).toEqual([0, 0, 1])
  const stranger = await settled.as('zhigu-pm')
  const elsewhere = await stranger.call(listCivilChecks, { query: { projectCode: '*', size: 10 } })
  expect(elsewhere.list[0]?.candidate).toBe(true)
  const items = await site.call(listCivilItems, { query: { projectCode, library: 'civil', size: 1000 } })
  expect(items.list.filter((one) => one.owner === 'project')).toHaveLength(5)
  expect(items.list.find((one) => one.itemCode === 'C0101')).toMatchObject({ goodCount: 2, badCount: 3, owner: 'government' })
  const points = await site.call(listCivilPoints, { query: { projectCode } })
  expect([points.versionName, points.points.length]).toEqual(['市文明施工检查标准 2026 版', 22])
})
