import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { corporationList, listCorporations } from '@zhugong/contract/organisation/corporations'
import { listProjects, projectList } from '@zhugong/contract/organisation/projects'
import { listFiles, listStays, stayList } from '@zhugong/contract/personnel/people'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

const clock = { now: () => Date.parse('2026-11-20T10:00:00+08:00') }

let world: World
let city: CityWorld
let folder: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  city = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-lists-'))
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

type Cells = readonly (readonly unknown[])[]
/** The rows of an export, headings first. */
async function exported(account: string, body: Parameters<typeof submit>[1]): Promise<Cells> {
  const id = await submit(account, body)
  const { database, config } = world
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }, id)
  return (await readXlsx(new Uint8Array(readFileSync(join(folder, `${id}.xlsx`))))).sheets[0]?.rows ?? []
}
async function submit(
  account: string,
  body: { feature: string; query?: Record<string, unknown>; columns?: string[]; sensitive?: true; purpose?: string },
) {
  return (await (await city.as(account)).call(submitExport, { body })).id
}

test('numbers in clear come along where they are asked for, whichever columns the page shows', async () => {
  const request = { feature: 'projectWorker', query: { view: 'project', stationed: '1' }, columns: ['name', 'idCardNumber'] }
  const [masked] = await exported('hospital-pm', request)
  expect(masked).toEqual([stayList.columns.name, stayList.columns.idCardNumber])
  const [heads = [], ...rows] = await exported('hospital-pm', { ...request, sensitive: true, purpose: '核对工资卡' })
  expect(heads).toContain(stayList.columns.idCardClear)
  const at = heads.indexOf(stayList.columns.idCardClear)
  expect(rows.map((row) => String(row[at])).filter((number) => /^\d{17}[\dX]$/.test(number)).length).toBeGreaterThan(0)
})

test('sex and age stand in one cell of the page and in two of the file, where they can be counted', async () => {
  for (const feature of ['projectWorker', 'workerFile']) {
    const view = feature === 'projectWorker' ? 'project' : 'file'
    const [heads, first] = await exported('hospital-pm', { feature, query: { view }, columns: ['name', 'genderAge'] })
    expect(heads).toEqual(['姓名', '性别', '年龄'])
    expect([first?.[1], first?.[2]]).toEqual([expect.stringMatching(/^[男女]$/), expect.any(Number)])
  }
  const [all] = await exported('hospital-pm', { feature: 'projectWorker', query: { view: 'project' } })
  expect(all).not.toContain('性别 / 年龄')
})

test('a roster says above its heads what it is, of which site and day, and its heads stay in sight', async () => {
  const id = await submit('hospital-labour', { feature: 'workerRoster', query: { view: 'roster', asOf: '2026-11-18' }, columns: ['name'] })
  const { database, config } = world
  await runExport({ database, clock, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }, id)
  const [sheet] = (await readXlsx(new Uint8Array(readFileSync(join(folder, `${id}.xlsx`))))).sheets
  const rows = sheet?.rows ?? []
  expect(rows[0]?.[0]).toBe('施工现场人员花名册')
  expect(rows[1]?.[0]).toMatch(/^项目：.+　总承包：.+/)
  expect(rows[2]?.[0]).toBe(`截至：2026-11-18（当日在场）　${rows.length - 4} 人　编制：李敏`)
  expect(rows[3]).toEqual(['姓名'])
  expect(sheet?.freezePane).toMatchObject({ rows: 4 })
  const { list } = await (await city.as('hospital-labour')).call(listExports, { query: { feature: 'workerRoster' } })
  expect(list[0]).toMatchObject({ fileName: '人员花名册_2026-11-18.xlsx', filtered: false })
})

const query = { size: 1000 }
test.each([
  [
    'corporation',
    corporationList.columns.corpCode,
    'corpCode',
    async (who: Caller) => (await who.call(listCorporations, { query: { ...query, sort: 'corpCode' } })).list.map((c) => c.corpCode),
  ],
  [
    'project',
    projectList.columns.projectCode,
    'projectCode',
    async (who: Caller) => (await who.call(listProjects, { query: { ...query, sort: 'projectCode' } })).list.map((p) => p.projectCode),
  ],
] as const)('an export of %s stands in the order of its list', async (feature, title, sort, listed) => {
  const rising = await listed(await city.as('admin'))
  const [heads = [], ...rows] = await exported('admin', { feature, query: { sort } })
  const at = heads.indexOf(title)
  expect(rising.length).toBeGreaterThan(1)
  expect(rows.map((row) => row[at])).toEqual(rising)
})

test('a list of people sorts by the names of its own view', async () => {
  const clerk = await city.as('hospital-labour')
  const ages = (await clerk.call(listStays, { query: { view: 'project', sort: 'age' } })).list.map((r) => r.age)
  expect(ages).toEqual([...ages].sort((a, b) => a - b))
  expect((await clerk.call(listFiles, { query: { view: 'file', sort: '-createTime' } })).total).toBeGreaterThan(0)
  const wrong = { view: 'project', sort: 'createTime' as never } as const
  await expect(clerk.call(listStays, { query: wrong })).rejects.toThrow('不能按“createTime”排序')
})
