import { readFile } from 'node:fs/promises'
import { listOnboarding } from '@zhugong/contract/onboarding/endpoints'
import { getCorporation } from '@zhugong/contract/organisation/corporations'
import { createProjectFast, fillProject } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { convert, deliveredFields } from './convert.ts'
import { findSources } from './sources.ts'

let world: World
let city: CityWorld
let admin: Caller

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  admin = await city.as('admin')
})
afterAll(() => world.close())

async function quickSite(name: string): Promise<string> {
  const [owner = '', leader = ''] = city.city.corporations.map((c) => c.corpCode)
  const { projectCode } = await admin.call(createProjectFast, {
    body: {
      name,
      category: '01',
      areaCode: '420202',
      address: '一路',
      linkMan: '王海',
      linkPhone: '13800138000',
      buildCorpCode: owner,
      contractorCorpCode: leader,
    },
  })
  return projectCode
}
async function sent(type: 'project' | 'projectCorp' | 'corporation', id: string) {
  const source = (await findSources(world.database.kysely, type, [id])).get(id)
  return convert(deliveredFields(type), source?.values ?? {})
}
const partOf = async (projectCode: string) => {
  const { rows } = await world.database.pool.query<{ id: string }>('select id from project_corp where project_code = $1 limit 1', [
    projectCode,
  ])
  return rows[0]?.id ?? ''
}
const unknown = { lng: null, lat: null, invest: null, startDate: null, completeDate: null, propertyNum: null }

test('what quick creation was not told stays unknown, is not sent up, and what the standard needs of it is said to be missing', async () => {
  const projectCode = await quickSite('快速新建不编造')
  expect(await admin.call(fillProject, { params: { projectCode } })).toMatchObject(unknown)
  const { list } = await admin.call(listOnboarding, { query: { projectCode: '*', name: '快速新建不编造' } })
  expect(list).toMatchObject([{ lng: null, lat: null, startDate: null }])
  const { data, problem } = await sent('project', projectCode)
  expect(problem).toEqual({ code: 'L001', field: 'startDate', label: '开工日期' })
  for (const field of ['lng', 'lat', 'invest', 'startDate', 'completeDate']) expect(data).not.toHaveProperty(field)
  expect((await sent('projectCorp', await partOf(projectCode))).data).not.toHaveProperty('pmName')
})

test('what earlier versions invented is turned back to unknown, and what was told is kept', async () => {
  const { pool } = world.database
  const [invented, result] = [await quickSite('曾被编造'), await quickSite('曾被填写')]
  const corpCode = city.city.corporations[0]?.corpCode ?? ''
  await pool.query(
    `update project set lng = 0, lat = 0, invest = 0, property_num = '001', start_date = (create_time at time zone 'Asia/Shanghai')::date,
       complete_date = (create_time at time zone 'Asia/Shanghai')::date + interval '2 years' where project_code = $1`,
    [invented],
  )
  const known = { lng: 115.1, lat: 30.2, invest: 100, propertyNum: '001', startDate: '2026-01-05', completeDate: '2028-01-05' }
  await pool.query(
    `update project set lng = 115.1, lat = 30.2, invest = 100, property_num = '001', start_date = '2026-01-05', complete_date = '2028-01-05'
     where project_code = $1`,
    [result],
  )
  await pool.query(`update project_corp set pm_name = '待登记' where project_code = $1`, [invented])
  await pool.query('update corporation set reg_capital = 0 where corp_code = $1', [corpCode])

  const migration = await readFile(new URL('../../../migrations/20261210-40-unknown-facts.sql', import.meta.url), 'utf8')
  await pool.query(migration)

  expect(await admin.call(fillProject, { params: { projectCode: invented } })).toMatchObject(unknown)
  expect(await admin.call(fillProject, { params: { projectCode: result } })).toMatchObject(known)
  expect((await sent('projectCorp', await partOf(invented))).data).not.toHaveProperty('pmName')
  const company = await admin.call(getCorporation, { params: { corpCode } })
  expect(company).toMatchObject({ regCapital: null, missing: expect.arrayContaining(['注册资本']) })
  expect((await sent('corporation', corpCode)).data).not.toHaveProperty('regCapital')
})
