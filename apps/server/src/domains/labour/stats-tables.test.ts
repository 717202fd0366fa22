import * as tables from '@zhugong/contract/labour/tables'
import { listStays, stayFigures } from '@zhugong/contract/personnel/people'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { add, monthBefore, nothing, spanOf } from './measures.ts'

let world: World
let settled: CityWorld
let city: Caller
let contractor: Caller
let clerk: Caller
let projectCode = ''
const all = { projectCode: '*', size: 100 }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  city = await settled.as('city-fang')
  contractor = await settled.as('yunze-lu')
  clerk = await settled.as('hospital-labour')
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
})
afterAll(() => world.close())

describe('the table of projects', () => {
  test('counts what the lists and strips of people count', async () => {
    const { list } = await city.call(tables.listProjectStats, { query: all })
    const row = list.find((r) => r.projectCode === projectCode)
    const strip = await clerk.call(stayFigures, { query: { projectCode } })
    expect(row).toMatchObject({ onSite: strip.onSite, workers: strip.workers })
    const people = (more: object) =>
      clerk.call(listStays, { query: { view: 'project', projectCode, stationed: '1', size: 20, ...more } as never })
    const verified = row?.realName ?? { part: 0, whole: 0 }
    expect(verified.whole - verified.part).toBe((await people({ missing: 'realName' })).total)
    const trained = row?.training ?? { part: 0, whole: 0 }
    expect(trained.whole - trained.part).toBe((await people({ missing: 'training' })).total)
    const licensed = row?.cert ?? { part: 0, whole: 0 }
    expect(licensed.whole - licensed.part).toBe((await people({ missing: 'cert' })).total)
    const paid = row?.payCard ?? { part: 0, whole: 0 }
    expect(paid.whole - paid.part).toBe((await people({ missing: 'payCard' })).total)
  })
  test('its sum is counted from people, not the mean of the rows', async () => {
    const { list } = await city.call(tables.listProjectStats, { query: all })
    const { sum, rows } = await city.call(tables.projectStatsTotals, { query: { projectCode: '*' } })
    expect(rows).toBe(list.length)
    for (const key of ['realName', 'contract', 'training', 'cert'] as const) {
      expect(sum[key].part).toBe(list.reduce((n, r) => n + r[key].part, 0))
      expect(sum[key].whole).toBe(list.reduce((n, r) => n + r[key].whole, 0))
    }
  })
  test('is filtered and sorted by its ratios; small and stopped sites have no place', async () => {
    const { list } = await city.call(tables.listProjectStats, { query: { ...all, sort: 'training' } })
    const shares = list.filter((r) => r.training.whole).map((r) => r.training.part / r.training.whole)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    const few = await city.call(tables.listProjectStats, { query: { ...all, training: '0,90' } })
    expect(few.list.every((r) => r.training.part / r.training.whole <= 0.9)).toBe(true)
    for (const r of list) if (r.prjStatus !== '003' || r.onSite < tables.rankedFrom) expect(r.rank).toBeNull()
    // Stopped sites are not judged, in rows, strip and filter.
    for (const r of list) if (r.prjStatus !== '003') expect([r.name, r.failing, r.worst]).toEqual([r.name, 0, null])
    expect(list.some((r) => r.prjStatus === '005')).toBe(true)
    const { failing } = await city.call(tables.projectStatsTotals, { query: { projectCode: '*' } })
    expect(failing).toBe(list.filter((r) => r.failing > 0).length)
    expect((await city.call(tables.listProjectStats, { query: { ...all, failing: '1,' } })).total).toBe(failing)
  })
  test('a month that is over counts who was in place at its end', async () => {
    const past = await city.call(tables.listProjectStats, { query: { ...all, month: '2026-09' } })
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from project_worker where project_code = ${projectCode} and entry_time < '2026-10-01T00:00:00+08:00'
        and (exit_time is null or exit_time >= '2026-10-01T00:00:00+08:00')`.execute(world.database.kysely)
    expect(past.list.find((r) => r.projectCode === projectCode)?.onSite).toBe(rows[0]?.n)
    expect([spanOf('2026-02', '2026-11-20').to, monthBefore('2026-01')]).toEqual(['2026-02-28', '2025-12'])
  })
})

test('a parent authority counts each project once; only authorities and the platform are answered', async () => {
  const { list } = await city.call(tables.listGovernmentStats, { query: { size: 100 } })
  const top = list.find((r) => r.parentGovCode === null)
  const below = list.filter((r) => r.parentGovCode === top?.govCode)
  expect(top?.projects).toBe(settled.city.projects.filter((p) => p.areaCode.startsWith('4202')).length)
  expect(below.length).toBeGreaterThan(0)
  for (const r of below) expect(r.projects).toBeLessThanOrEqual(top?.projects ?? 0)
  const district = await settled.as('bj-zhao')
  const own = await district.call(tables.listGovernmentStats, { query: { size: 100 } })
  expect(own.list.length).toBeLessThan(list.length)
  expect((await contractor.ask(tables.listGovernmentStats, { query: {} })).status).not.toBe(0)
})

test('a company sees itself and its subcontractors, once however many parts it has; what its subcontractors did wrong stands beside its own', async () => {
  const whole = await city.call(tables.listEnterpriseStats, { query: all })
  const own = await contractor.call(tables.listEnterpriseStats, { query: all })
  expect(own.list.length).toBeLessThan(whole.list.length)
  expect(new Set(whole.list.map((r) => r.corpCode)).size).toBe(whole.list.length)
  for (const r of whole.list) {
    expect(new Set(r.projects.map((p) => p.projectCode)).size).toBe(r.projects.length)
    expect(r.badWithSubs).toBeGreaterThanOrEqual(r.bad)
  }
})

test('a group that would be a person stands with others for whoever is outside the project', async () => {
  const inside = await clerk.call(tables.listPersonnelStats, { query: { projectCode, dimension: 'workType', size: 100 } })
  const outside = await city.call(tables.listPersonnelStats, { query: { projectCode, dimension: 'workType', size: 100 } })
  const sum = (list: { count: number }[]) => list.reduce((n, r) => n + r.count, 0)
  expect(sum(outside.list)).toBe(sum(inside.list))
  expect(outside.list.filter((r) => r.name !== '其他').every((r) => r.count >= tables.leastGroup)).toBe(true)
  for (const dimension of Object.keys(tables.dimensions) as tables.Dimension[]) {
    const { list } = await clerk.call(tables.listPersonnelStats, { query: { projectCode, dimension, second: 'age', size: 100 } })
    expect([dimension, sum(list)]).toEqual([dimension, sum(inside.list)])
    for (const r of list) if (r.cells.length) expect([dimension, r.key, sum(r.cells)]).toEqual([dimension, r.key, r.count])
  }
})

test('parts are added, never shares', () => {
  const pairs = nothing().pairs
  const one = { onSite: 10, workers: 10, leader: { part: 0, whole: 0 }, pairs: { ...pairs, contract: { part: 1, whole: 1 } } }
  const two = { ...one, pairs: { ...pairs, contract: { part: 0, whole: 9 } } }
  expect(add(add(nothing(), one), two).pairs.contract).toEqual({ part: 1, whole: 10 })
})
