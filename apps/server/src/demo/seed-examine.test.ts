import { getExamine, listExamines } from '@zhugong/contract/examine/calls'
import { rounds } from '@zhugong/contract/examine/rhythm'
import { getThemeCampaign, listThemeCampaigns, listThemeChecks } from '@zhugong/contract/themes/calls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedExamine } from './seed-examine.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedThemes } from './seed-themes.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let site: Caller
let admin: Caller
let projectCode = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  for (const seed of [seedRectify, seedExamine, seedThemes])
    await world.database.kysely.transaction().execute((tx) => seed(tx, settled.city, now))
  site = await settled.as('hospital-safety')
  admin = await settled.as('admin')
  projectCode = settled.city.personas.find((one) => one.account === 'hospital-safety')?.projectCode ?? ''
})
afterAll(() => world.close())

test('eight weeks of checks from 74 to 88 points; the newest weekly one has six problems, two of them open', async () => {
  const { list } = await site.call(listExamines, { query: { projectCode, round: rounds.weekly, size: 100 } })
  const submitted = list.filter((one) => one.code !== null)
  expect(submitted).toHaveLength(8)
  for (const { score } of submitted) {
    expect(score).toBeGreaterThanOrEqual(73.9)
    expect(score).toBeLessThanOrEqual(88.1)
  }
  const newest = submitted.toSorted((a, b) => b.checkTime.localeCompare(a.checkTime))[0]
  expect([newest?.score, newest?.problemCount, newest?.openCount]).toEqual([82, 6, 2])
  const file = await site.call(getExamine, { params: { id: newest?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.previous?.score).toBe(84.5)
  expect(list.filter((one) => one.code === null)).toHaveLength(1)
  const company = await settled.as('yunze-lu')
  const seen = await company.call(listExamines, { query: { projectCode: '*', size: 100 } })
  expect(seen.list.length).toBeGreaterThan(list.length)
  expect(seen.list.every((one) => one.code !== null)).toBe(true)
})

test('campaigns in every state: 24 boxes with three problems, one open; one at 60 %, one late, one draft', async () => {
  const { list, counts } = await site.call(listThemeCampaigns, { query: { projectCode, size: 100 } })
  expect(counts).toEqual({ running: 2, late: 0, done: 1, draft: 1 })
  const boxes = list.find((one) => one.theme === '03')
  expect([boxes?.objectCount, boxes?.checkedCount, boxes?.problemCount, boxes?.openCount]).toEqual([24, 24, 3, 1])
  const flood = list.find((one) => one.theme === '01')
  expect((flood?.checkedCount ?? 0) / (flood?.objectCount ?? 1)).toBe(0.6)
  const file = await site.call(getThemeCampaign, { params: { id: boxes?.id ?? '' }, query: { projectCode: '*' } })
  expect(file.objects.filter((one) => one.state === 'problem').map((one) => one.name)).toEqual(['11# 开关箱'])
  expect(file.hindrance).toBe('还有 1 个问题未闭合')
  const all = await admin.call(listThemeCampaigns, { query: { projectCode: '*', size: 1 } })
  expect(all.counts.late).toBe(1)
  const checks = await site.call(listThemeChecks, { query: { projectCode, size: 100 } })
  expect(checks.list.map((one) => one.inspectType).sort()).toEqual(['02', '02', '05'])
})
