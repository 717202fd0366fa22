import { getRectify } from '@zhugong/contract/rectify/calls'
import { getInspection, inspectionRanking, listInspections } from '@zhugong/contract/scoring/inspections'
import { listCheckItems, listCheckSheets } from '@zhugong/contract/scoring/library'
import { scoreAll, sheetMarks } from '@zhugong/contract/scoring/score'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { standardCategories } from '#domains/scoring/standard'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedRectify } from './seed-rectify.ts'
import { seedScoring } from './seed-scoring.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let company: Caller
let admin: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedRectify(tx, settled.city, now))
  await world.database.kysely.transaction().execute((tx) => seedScoring(tx, settled.city, now))
  company = await settled.as('yunze-lu')
  admin = await settled.as('admin')
})
afterAll(() => world.close())

const query = { projectCode: '*', size: 100 }

test('fourteen inspections of 72 to 88 points, one of them 不合格 by a 保证项目, and one that is running', async () => {
  const { list } = await admin.call(listInspections, { query })
  const submitted = list.filter((one) => one.score !== null)
  expect(submitted.length).toBe(14)
  const failed = submitted.filter((one) => one.gradeName === '不合格')
  expect(failed.length).toBe(1)
  for (const { score } of submitted.filter((one) => one !== failed[0])) {
    expect(score).toBeGreaterThanOrEqual(72)
    expect(score).toBeLessThanOrEqual(88)
  }
  const { list: scoring } = await company.call(listInspections, { query: { ...query, tab: 'scoring' } })
  expect(scoring.map(({ doneCount, sheetCount }) => [doneCount, sheetCount])).toEqual([[4, 7]])
  const { sites, common } = await admin.call(inspectionRanking, { query: { projectCode: '*' } })
  expect(sites.length).toBe(6)
  // Sites with other sheets are compared in what all of them were scored in.
  expect(common).toEqual(['安全管理', '文明施工', '施工用电', '塔式起重机与起重吊装', '施工机具'])
})

test('the figures of every inspection follow from its sheets, and its problems lead to notices and back', async () => {
  const { list } = await admin.call(listInspections, { query })
  for (const { id } of list.filter((one) => one.score !== null)) {
    const file = await admin.call(getInspection, { params: { id }, query: { projectCode: '*' } })
    const again = scoreAll(
      file.sheets.map((one) => ({ ...one, notApplicable: one.notApplicable !== null })),
      standardCategories,
    )
    expect([file.score, file.grade]).toEqual([again.score, again.grade])
    expect(file.categories.map((one) => one.score)).toEqual(again.categories.map((one) => one.score))
    expect(file.problems.length).toBe(file.problemCount)
    for (const { notice } of file.problems) {
      const order = await admin.call(getRectify, { params: { id: notice?.id ?? '' } })
      expect(order.source?.page).toContain(id)
      expect(order.code).toBe(notice?.code)
    }
  }
})

test('six items of the company, and every sheet of its library keeps 100 points', async () => {
  const { total } = await company.call(listCheckItems, { query: { ...query, library: 'safety', owner: 'company' } })
  expect(total).toBe(6)
  const { categories } = await company.call(listCheckSheets, { query: { projectCode: '*', library: 'safety' } })
  expect(categories.flatMap((one) => one.sheets).filter((one) => one.marks !== sheetMarks)).toEqual([])
})
