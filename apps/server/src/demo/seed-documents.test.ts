import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listBin } from '@zhugong/contract/documents/bin'
import { getDocument, listDocuments } from '@zhugong/contract/documents/calls'
import { getTravel, listTravel } from '@zhugong/contract/documents/travel'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedDocuments } from './seed-documents.ts'
import { seedTravel } from './seed-travel.ts'

const now = Date.parse('2026-11-20T00:10:00+08:00')
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const folder = await mkdtemp(join(tmpdir(), 'documents-'))
  await world.database.kysely.transaction().execute((tx) => seedDocuments(tx, settled.city, now, folder))
  await world.database.kysely.transaction().execute((tx) => seedTravel(tx, settled.city, now, folder))
})
afterAll(() => world.close())

const all = { projectCode: '*', space: 'project', keyword: '.', size: 1000 } as const

test('a site with sixty files, a drawing of five versions, and a folder for two', async () => {
  const pm = await settled.as('hospital-pm')
  const seen = await pm.call(listDocuments, { query: all })
  expect(seen.list.filter((one) => !one.isDir).length).toBeGreaterThan(55)
  const drawing = seen.list.find((one) => one.versionNo === 5)
  const detail = await pm.call(getDocument, { params: { id: drawing?.id ?? '' }, query: { projectCode: '*' } })
  expect([detail.versions.length, detail.lookCount]).toEqual([5, 2])
  const contract = seen.list.find((one) => one.name === '劳务分包合同.pdf')
  expect(contract?.security).toBe('3')
  const safety = await settled.as('hospital-safety')
  const others = await safety.call(listDocuments, { query: all })
  expect(others.list.some((one) => one.path.startsWith('04 合同与结算'))).toBe(false)
  expect(seen.list.every((one) => one.updateTime < '2026-11-20 00:10')).toBe(true)
})

test('a bin with a folder of thirty files and entries of their last day', async () => {
  const officer = await settled.as('hospital-pm')
  const { list, counts } = await officer.call(listBin, { query: { projectCode: '*', size: 100 } })
  const byHand = list.find((one) => one.isDir)
  if (list.length > 0) expect(list.length).toBe(counts.entries)
  expect(byHand?.count ?? 31).toBe(31)
  expect(list.every((one) => one.daysLeft >= 0 && one.daysLeft <= 30)).toBe(true)
  expect(counts.soon).toBe(list.filter((one) => one.daysLeft <= 3).length)
})

test('a task of the city with late districts, and a submission that was returned once', async () => {
  const authority = await settled.as('city-fang')
  const query = { projectCode: '*' }
  const { list, counts } = await authority.call(listTravel, { query: { ...query, tab: 'tasks' } })
  expect([list[0]?.title, counts.behind > 0]).toEqual(['报送在建项目防汛责任清单', true])
  const task = await authority.call(getTravel, { params: { id: list[0]?.id ?? '' }, query })
  expect(task.progress.map((one) => one.name)).toEqual(['监管机构', '项目'])
  expect(task.below.some((one) => one.rounds.length === 2 && one.rounds[1]?.passed === false)).toBe(true)
  const site = await settled.as('hospital-pm')
  expect((await site.call(listTravel, { query })).total).toBeGreaterThan(2)
})
