import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { addUnit, listUnits } from '@zhugong/contract/labour/units'
import { createProject, createProjectFast, fillProject, listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
/** The company of the caller, and two others. */
let own: string
let others: string[]
const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  own = settled.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  others = settled.city.corporations.filter((c) => c.corpCode !== own).map((c) => c.corpCode)
  // A company's administrator may create projects; a safety director may not.
  await world.database.pool.query(
    `update member_role mr set role_id = r.id from member m, app_user u, role r
     where mr.member_id = m.id and u.id = m.user_id and u.account = 'yunze-lu' and r.group_id is null and r.groups_type = 2 and r.name = '企业管理员'
       and m.group_id in (select id from tenant where type = 2)`,
  )
})
afterAll(() => world.close())

const quick = (name: string, buildCorpCode = '', contractorCorpCode = ''): InputFor<typeof createProjectFast>['body'] => ({
  name,
  category: '01',
  areaCode: '420202',
  address: '一路',
  linkMan: '王海',
  linkPhone: '13800138000',
  buildCorpCode,
  contractorCorpCode,
})
const partsOf = async (projectCode: string) => {
  const { rows } = await world.database.pool.query(
    'select corp_type as type, corp_code as code, entry_time as day, stationed from project_corp where project_code = $1 order by 1',
    [projectCode],
  )
  return rows
}
/** The scope of a caller is cached for less than a second. */
const sees = (caller: Caller, projectCode: string) =>
  vi.waitFor(async () => expect(await caller.ask(fillProject, { params: { projectCode } })).toMatchObject({ status: 0 }), 5_000)

test.each(['owner', 'leader'] as const)(
  'a company that opens a project as its %s sees it, and may bring in the other units',
  async (as) => {
    const caller = await settled.as('yunze-lu')
    const [other = '', third = ''] = others
    const [owner, leader] = as === 'owner' ? [own, other] : [other, own]
    const { projectCode } = await caller.call(createProjectFast, { body: quick(`自建 ${as}`, owner, leader) })
    expect(await partsOf(projectCode)).toEqual([
      { type: '008', code: owner, day: today, stationed: '1' },
      { type: '009', code: leader, day: today, stationed: '1' },
    ])
    await sees(caller, projectCode)
    expect((await caller.call(listProjects, { query: { projectCode } })).total).toBe(1)
    expect((await caller.call(listUnits, { query: { projectCode } })).total).toBe(2)
    const unit = {
      projectCode,
      corpCode: third,
      corpType: '007',
      entryTime: today,
      pmName: '李明',
      pmIdCardType: '06',
      pmIdCardNumber: 'G1234567',
    }
    expect(await caller.ask(addUnit, { body: { ...unit, pmPhone: '13800138000' } as never })).toMatchObject({ status: 0 })
  },
)

test('a company opens no project of others', async () => {
  const caller = await settled.as('yunze-lu')
  const [other, third] = others
  const answer = await caller.ask(createProjectFast, { body: quick('他人的项目', other, third) })
  expect(answer).toMatchObject({ http: 403, data: { field: 'contractorCorpCode' } })
  expect((await world.database.pool.query(`select 1 from project where name = '他人的项目'`)).rows).toEqual([])
})

test('platform and authority open projects for whom they like; works that had begun have their parties since then', async () => {
  const admin = await settled.as('admin')
  const [owner = '', leader = ''] = others
  const template = settled.city.projects[0]
  const begun = '2026-03-01'
  const { projectCode } = await admin.call(createProject, {
    body: {
      ...quick('平台新建', owner, leader),
      lng: template?.lng ?? 0,
      lat: template?.lat ?? 0,
      propertyNum: '001',
      invest: 100,
      buildingArea: 1000,
      startDate: begun,
      completeDate: '2028-03-01',
      superviseOrg: template?.superviseOrg ?? '',
    },
  })
  expect(await partsOf(projectCode)).toEqual([
    { type: '008', code: owner, day: begun, stationed: '1' },
    { type: '009', code: leader, day: begun, stationed: '1' },
  ])
  const officer = await settled.as('city-fang')
  const made = await officer.call(createProjectFast, { body: quick('机构新建', owner, leader) })
  await sees(officer, made.projectCode)
  expect(await partsOf(made.projectCode)).toHaveLength(2)
})
