import { getMyInfo, ownGroups, switchProject } from '@zhugong/contract/identity/endpoints'
import { listOwnProjects, markProject, mostRecent, mostStarred } from '@zhugong/contract/identity/own-projects'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const codes = () => settled.city.projects.map((one) => one.projectCode)
const star = (caller: Caller, projectCode: string, groupId?: string, starred = true) =>
  caller.ask(markProject, { params: { projectCode }, body: { starred, groupId } })
const names = async (caller: Caller) => {
  const { starred, recent } = await caller.call(listOwnProjects)
  return { starred: starred.map((one) => one.projectCode), recent: recent.map((one) => one.projectCode) }
}
const siteClerk = async (code: string) => {
  const group = await groupNamed(world, 3, code)
  return { group, ...(await somebody(world, group, [await roleOf(world, group, ['home.view'])])) }
}

test('a star is one’s own, and goes as it came', async () => {
  const [code = ''] = codes()
  const [one, other] = [await siteClerk(code), await siteClerk(code)]
  expect((await star(one.caller, code)).status).toBe(0)
  expect((await one.caller.call(listOwnProjects)).starred).toMatchObject([
    { projectCode: code, groupId: one.group, groupsType: 3, starred: true, enteredTime: null },
  ])
  expect(await names(other.caller)).toEqual({ starred: [], recent: [] })
  expect((await star(one.caller, code, undefined, false)).status).toBe(0)
  expect(await names(one.caller)).toEqual({ starred: [], recent: [] })
})

test('nobody stars what is not his, under his own group or another', async () => {
  const [mine = '', foreign = ''] = codes()
  const { caller } = await siteClerk(mine)
  const foreignGroup = await groupNamed(world, 3, foreign)
  for (const [code, groupId] of [
    [foreign, undefined],
    [foreign, foreignGroup],
    [mine, foreignGroup],
    ['000000000000000000', undefined],
  ] as const) {
    const answer = await star(caller, code, groupId)
    expect([answer.status, answer.message]).toEqual([2, '项目不存在或不在您的管辖范围内'])
  }
  expect(await names(caller)).toEqual({ starred: [], recent: [] })
})

test('what somebody may not see any more is in neither list, and comes back with his right', async () => {
  const [code = ''] = codes()
  const { pool } = world.database
  const { rows } = await pool.query<{ corp: string }>('select contractor_corp_code as corp from project where project_code = $1', [code])
  const corporation = rows[0]?.corp ?? ''
  const group = await groupNamed(world, 2, corporation)
  const one = await somebody(world, group, [await roleOf(world, group, ['home.view'])])
  expect((await star(one.caller, code)).status).toBe(0)
  await one.caller.call(switchProject, { body: { projectCode: code } })
  expect(await names(one.caller)).toEqual({ starred: [code], recent: [code] })
  const part = ['update project_corp set exit_time = $3 where project_code = $1 and corp_code = $2', code, corporation] as const
  await pool.query(part[0], [part[1], part[2], new Date('2026-01-01')])
  expect(await names(one.caller)).toEqual({ starred: [], recent: [] })
  await pool.query(part[0], [part[1], part[2], null])
  expect(await names(one.caller)).toEqual({ starred: [code], recent: [code] })
  // The user leaves the group but keeps a membership of another one, which does not see the project.
  const site = await groupNamed(world, 3, codes()[1] ?? '')
  const id = `${one.userId.slice(0, -1)}x`
  await pool.query('insert into member (id, user_id, group_id) values ($1, $2, $3)', [id, one.userId, site])
  await pool.query(`insert into member_role (member_id, role_id) values ($1, $2)`, [id, await roleOf(world, site, ['home.view'])])
  await one.caller.call(switchProject, { body: { groupId: site } })
  expect((await names(one.caller)).starred).toEqual([code])
  await pool.query('delete from member where id = $1', [one.memberId])
  expect(await names(one.caller)).toEqual({ starred: [], recent: [codes()[1]] })
})

test('a subcontractor stars the sites it works on and none of its main contractor’s others, and a site it has left is none of them', async () => {
  const { pool } = world.database
  const { rows } = await pool.query<{ corp: string; own: string; other: string }>(
    `select s.corp_code as corp, s.project_code as own, o.project_code as other
     from project_corp s
       join tenant t on t.type = 2 and t.code = s.corp_code
       join project p on p.project_code = s.project_code and p.contractor_corp_code <> s.corp_code
       join project o on o.contractor_corp_code = p.contractor_corp_code
     where s.exit_time is null
       and not exists (select 1 from project_corp x where x.project_code = o.project_code and x.corp_code = s.corp_code)
     order by 1, 2, 3 limit 1`,
  )
  const { corp = '', own = '', other = '' } = rows[0] ?? {}
  const group = await groupNamed(world, 2, corp)
  const { caller } = await somebody(world, group, [await roleOf(world, group, ['home.view'])])
  expect((await star(caller, own)).status).toBe(0)
  expect((await star(caller, other)).message).toBe('项目不存在或不在您的管辖范围内')
  expect(await names(caller)).toEqual({ starred: [own], recent: [] })
  const leave = 'update project_corp set exit_time = $3 where project_code = $1 and corp_code = $2'
  await pool.query(leave, [own, corp, new Date('2026-01-01')])
  expect(await names(caller)).toEqual({ starred: [], recent: [] })
  expect((await star(caller, own)).message).toBe('项目不存在或不在您的管辖范围内')
  await pool.query(leave, [own, corp, null])
})

test('the last projects one came to stand newest first, of all identities, and each is entered in one step', async () => {
  const lu = await settled.as('yunze-lu')
  const { list } = await lu.call(ownGroups)
  const [company, site] = [list.find((one) => one.groupsType === 2), list.find((one) => one.groupsType === 3)]
  if (!company || !site) throw new Error('he has no two identities')
  await lu.call(switchProject, { body: { groupId: company.id } })
  const { rows } = await world.database.pool.query<{ code: string }>(
    'select project_code as code from project_corp where corp_code = $1 and exit_time is null and project_code <> $2 order by 1',
    [company.code, site.code],
  )
  const codesOfCompany = rows.map((row) => row.code)
  const [first = ''] = codesOfCompany
  for (const code of codesOfCompany) await lu.call(switchProject, { body: { projectCode: code } })
  await lu.call(switchProject, { body: { groupId: site.id } })
  const { recent } = await lu.call(listOwnProjects)
  expect(recent.map((one) => one.projectCode)).toEqual([site.code, ...codesOfCompany.toReversed()].slice(0, mostRecent))
  expect(recent[0]).toMatchObject({ groupId: site.id, groupsType: 3 })
  expect(recent[1]).toMatchObject({ groupId: company.id, groupName: company.name, groupsType: 2 })
  // From the site directly to a project of the company; projects of other companies are refused.
  await lu.call(switchProject, { body: { groupId: company.id, projectCode: first } })
  expect(await lu.call(getMyInfo)).toMatchObject({ groupId: company.id, projectCode: first })
  const foreign = codes().find((code) => code !== site.code && !codesOfCompany.includes(code)) ?? ''
  const answer = await lu.ask(switchProject, { body: { groupId: site.id, projectCode: foreign } })
  expect(answer.message).toBe('项目不存在或不在您的管辖范围内')
})

test('whoever sees everything cannot enter a project there is none of', async () => {
  const admin = await settled.as('admin')
  const answer = await admin.ask(switchProject, { body: { projectCode: '000000000000000000' } })
  expect(answer.message).toBe('项目不存在或不在您的管辖范围内')
})

test('stars are a handful, and the one too many says so', async () => {
  const admin = await settled.as('admin')
  const { id } = await admin.call(getMyInfo)
  const [code = '', next = ''] = codes()
  const { pool } = world.database
  // The maximum number of stars, with copies of a project, because the simulated city has fewer.
  for (let n = 0; n < mostStarred; n++) {
    const copy = `9902${String(n).padStart(14, '0')}`
    await pool.query(
      `insert into project select (jsonb_populate_record(p, jsonb_build_object('id', 'star' || $2::text, 'project_code', $2::text, 'name', $2::text))).* from project p where project_code = $1`,
      [code, copy],
    )
    await pool.query('insert into project_mark (user_id, project_code, starred) values ($1, $2, true)', [id, copy])
  }
  expect((await star(admin, next)).message).toBe(`最多收藏 ${mostStarred} 个项目，请先取消不再需要的`)
  const [, kept] = (await admin.call(listOwnProjects)).starred
  expect((await star(admin, kept?.projectCode ?? '')).status).toBe(0)
  await star(admin, kept?.projectCode ?? '', undefined, false)
  expect((await star(admin, next)).status).toBe(0)
})
