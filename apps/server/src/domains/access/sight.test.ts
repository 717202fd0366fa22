import { codesFor } from '@zhugong/contract/access/codes'
import { listAudit } from '@zhugong/contract/access/endpoints'
import * as sight from '@zhugong/contract/access/sight'
import * as people from '@zhugong/contract/access/users'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { listTeams } from '@zhugong/contract/labour/teams'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { findReceivers } from '#domains/notify/receivers'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
const clock = { at: Date.parse('2026-11-20T04:00:00Z'), now: () => clock.at }
const today = () => formatDay(clock.at)
/** A district with several projects, and a project of another district. */
let district: { id: string; projects: string[]; foreign: string }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  await world.database.pool.query(
    `update session set expires_at = now() + interval '400 days', hard_expires_at = now() + interval '400 days'`,
  )
  const fang = await settled.as('city-fang')
  const projects = await codesSeen(fang)
  const { groupId } = await fang.call(getMyInfo)
  const foreign = settled.city.projects.find((one) => !projects.includes(one.projectCode))?.projectCode ?? ''
  district = { id: groupId ?? '', projects, foreign }
  expect(projects.length).toBeGreaterThan(2)
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.pool.query('delete from sight_rule')
  await world.database.pool.query(
    `update session set expires_at = now() + interval '400 days', hard_expires_at = now() + interval '400 days'`,
  )
  soon()
})

/** Advances the stopped clock by more than the cache time of principals. */
const soon = () => {
  clock.at += 1000
}
const codesSeen = async (caller: Caller): Promise<string[]> =>
  (await caller.call(listProjects, { query: { size: 1000 } })).list.map((one) => one.projectCode).sort()
const reading = ['project.view', 'labour.view', 'visible.view']
const keeper = async (): Promise<Somebody> => somebody(world, district.id, [await roleOf(world, district.id, codesFor(1))])
const clerk = async (projects?: readonly string[]) => somebody(world, district.id, [await roleOf(world, district.id, reading, projects)])
const rule = (over: object) => ({
  body: {
    memberId: null,
    roleId: null,
    party: null,
    projectCode: district.projects[0] ?? '',
    shows: false,
    readOnly: false,
    modules: null,
    reason: '回避',
    until: null,
    ...over,
  },
})

test('a project taken from a person is out of his lists and his reach at once, and comes back when it is lifted', async () => {
  const [boss, one, other] = [await keeper(), await clerk(), await clerk()]
  const [first = ''] = district.projects
  expect(await codesSeen(one.caller)).toContain(first)
  const { id } = await boss.caller.call(sight.setSight, rule({ memberId: one.memberId }))
  soon()
  expect(await codesSeen(one.caller)).toEqual(district.projects.filter((code) => code !== first))
  expect((await world.caller(one.caller.token, first).ask(listProjects)).status).not.toBe(0)
  expect((await one.caller.ask(people.usersByProject, { query: { projectCode: first } })).status).toBe(2)
  expect(await codesSeen(other.caller)).toEqual(district.projects)
  // The explanation of the user's rights shows the rule.
  const { permission } = await boss.caller.call(people.getUser, { params: { id: one.userId }, query: { with: 'permission' } })
  expect(permission?.codes.find((entry) => entry.code === 'project.view')?.hands).toEqual([
    { kind: 'member', shows: false, project: { code: first, name: expect.any(String) }, until: null },
  ])
  // The list of users by project shows it too.
  const seers = await boss.caller.call(people.usersByProject, { query: { projectCode: first, size: 500 } })
  expect(seers.sources.reduce((sum, of) => sum + of.people, 0)).toBe(seers.total)
  // Paged, sorted and filtered.
  const sorted = { projectCode: first, sort: '-userName', size: 1 } as const
  const [page1, page2] = await Promise.all([1, 2].map((page) => boss.caller.call(people.usersByProject, { query: { ...sorted, page } })))
  expect([page1?.list.length, page2?.list.length, page1?.total]).toEqual([1, 1, seers.total])
  expect(page1?.list[0]?.memberId).not.toBe(page2?.list[0]?.memberId)
  const none = await boss.caller.call(people.usersByProject, { query: { projectCode: first, source: 'temporary' } })
  expect([none.total, none.sources]).toEqual([0, seers.sources])
  expect(seers.list.map((row) => row.memberId)).toContain(other.memberId)
  expect(seers.list.map((row) => row.memberId)).not.toContain(one.memberId)
  const listed = await boss.caller.call(sight.listSight, { query: { memberId: one.memberId } })
  expect(listed.list).toMatchObject([{ id, kind: 'member', shows: false, reason: '回避', over: false, modules: null }])
  expect((await boss.caller.call(listAudit, { query: { summary: '手工移除' } })).list[0]?.summary).toContain('回避')
  await boss.caller.call(sight.liftSight, { params: { id } })
  soon()
  expect(await codesSeen(one.caller)).toEqual(district.projects)
})

test('one module alone: the project stays, its module does not; the day after its last it is back', async () => {
  const [boss, one] = [await keeper(), await clerk()]
  const [first = ''] = district.projects
  await boss.caller.call(sight.setSight, rule({ memberId: one.memberId, modules: ['labour'], until: today() }))
  soon()
  expect(await codesSeen(one.caller)).toEqual(district.projects)
  const there = world.caller(one.caller.token, first)
  expect((await there.call(getMyInfo)).operator).not.toContain('labour.view')
  expect((await there.ask(listTeams, { query: { projectCode: first } })).status).not.toBe(0)
  clock.at += 24 * 3_600_000
  expect((await there.call(getMyInfo)).operator).toContain('labour.view')
})

test('whoever’s role is tied sees another project by hand, to look at or with what his role does there', async () => {
  const boss = await keeper()
  const [first = '', second = ''] = district.projects
  const one = await clerk([second])
  expect(await codesSeen(one.caller)).toEqual([second])
  const shown = {
    memberId: one.memberId,
    shows: true,
    projectCode: first,
    modules: ['project'],
    readOnly: true,
    until: addDays(today(), 2),
  }
  await boss.caller.call(sight.setSight, rule(shown))
  soon()
  expect(await codesSeen(one.caller)).toEqual([first, second].sort())
  expect((await world.caller(one.caller.token, first).call(getMyInfo)).operator).toEqual(['project.view'])
  const seen = await boss.caller.call(people.seenProjects, { query: { memberId: one.memberId } })
  expect(seen.find((row) => row.projectCode === first)).toMatchObject({ source: 'hand', until: shown.until, modules: [{ may: 'view' }] })
  // A second rule is refused, and so is showing a project that is visible already.
  expect((await boss.caller.ask(sight.setSight, rule(shown))).message).toContain('已有一条手工增加')
  const wide = await clerk()
  expect((await boss.caller.ask(sight.setSight, rule({ ...shown, memberId: wide.memberId }))).message).toContain('无需手工增加')
  // Codes that a role receives later are not added to a project shown by hand.
  await world.database.pool.query(
    `update role set codes = codes || '{project.edit}' where id in (select role_id from member_role where member_id = $1)`,
    [one.memberId],
  )
  soon()
  expect((await world.caller(one.caller.token, first).call(getMyInfo)).operator).toEqual(['project.view'])
})

test('taken from a role: gone where that role alone gives it, and taken from a person it is gone whatever gives it', async () => {
  const boss = await keeper()
  const [first = '', second = ''] = district.projects
  const [wide, tied] = [await roleOf(world, district.id, reading), await roleOf(world, district.id, reading, [first, second])]
  const [one, both] = [await somebody(world, district.id, [wide]), await somebody(world, district.id, [wide, tied])]
  await boss.caller.call(sight.setSight, rule({ roleId: wide }))
  soon()
  expect(await codesSeen(one.caller)).not.toContain(first)
  expect(await codesSeen(both.caller)).toContain(first)
  await boss.caller.call(sight.setSight, rule({ memberId: both.memberId }))
  soon()
  expect(await codesSeen(both.caller)).not.toContain(first)
})

test('nobody shows what he does not see himself, decides about himself, about more than he may, or about another group', async () => {
  const boss = await keeper()
  const [first = '', second = ''] = district.projects
  const limited = await somebody(world, district.id, [await roleOf(world, district.id, [...reading, 'visible.edit'], [second])])
  const wide = await somebody(world, district.id, [await roleOf(world, district.id, [...reading, 'visible.edit'])])
  const one = await clerk([second])
  // The user's own role is limited to the second project.
  const shows = { shows: true, memberId: one.memberId, projectCode: first }
  expect(await limited.caller.ask(sight.setSight, rule(shows))).toMatchObject({ status: 2, data: { field: 'projectCode' } })
  expect((await limited.caller.ask(sight.setSight, rule({ memberId: limited.memberId, shows: true }))).status).not.toBe(0)
  expect((await wide.caller.ask(sight.setSight, rule({ memberId: wide.memberId }))).message).toContain('不能调整自己')
  // A user with more rights than the caller.
  expect((await wide.caller.ask(sight.setSight, rule({ memberId: boss.memberId }))).http).toBe(403)
  const strong = await roleOf(world, district.id, codesFor(1), [second])
  const more = await somebody(world, district.id, [strong])
  expect((await wide.caller.ask(sight.setSight, rule({ ...shows, memberId: more.memberId }))).http).toBe(403)
  expect((await wide.caller.ask(sight.setSight, rule({ ...shows, memberId: null, roleId: strong }))).http).toBe(403)
  // Removing a hiding rule shows the project, so it is refused for a user with more rights.
  const { id } = await boss.caller.call(sight.setSight, rule({ memberId: more.memberId, projectCode: second }))
  expect((await wide.caller.ask(sight.liftSight, { params: { id } })).http).toBe(403)
  // Refused without the permission, for another group, and for another group's project.
  expect((await one.caller.ask(sight.setSight, rule({ memberId: wide.memberId }))).http).toBe(403)
  expect((await one.caller.ask(sight.liftSight, { params: { id } })).http).toBe(403)
  const elsewhere = (await (await settled.as('bj-zhao')).call(getMyInfo)).groupId ?? ''
  const zhao = (await somebody(world, elsewhere, [await roleOf(world, elsewhere, codesFor(1))])).caller
  expect((await zhao.ask(sight.liftSight, { params: { id } })).status).toBe(2)
  expect((await zhao.ask(sight.setSight, rule({ memberId: one.memberId }))).status).toBe(2)
  expect((await zhao.call(sight.listSight)).total).toBe(0)
  const site = await groupNamed(world, 3, first)
  expect((await boss.caller.ask(sight.setSight, rule({ roleId: await roleOf(world, site, reading) }))).status).toBe(2)
  if (district.foreign)
    expect((await boss.caller.ask(sight.setSight, rule({ memberId: one.memberId, projectCode: district.foreign }))).status).toBe(2)
  // An administrator keeps all rights; the platform cannot add any.
  const { rows } = await world.database.pool.query<{ id: string }>(
    `select id from role where administrator and groups_type = 1 and group_id is null`,
  )
  const chief = await somebody(world, district.id, [rows[0]?.id ?? ''])
  const above = await somebody(world, district.id, [rows[0]?.id ?? '', await roleOf(world, district.id, codesFor(1))])
  expect((await above.caller.ask(sight.setSight, rule({ memberId: chief.memberId }))).message).toContain('管理员看得到本组全部项目')
  const platform = await settled.as('admin')
  expect((await platform.ask(sight.setSight, rule({ memberId: one.memberId }))).status).toBe(4)
})

test('a module is kept from a kind of party by who runs the site; who supervises or owns it, and the authority, see on', async () => {
  const dingli = settled.city.personas.find((one) => one.account === 'dingli-cheng')
  const part = settled.city.projectCorps.find((one) => one.corpCode === dingli?.corpCode)
  const projectCode = part?.projectCode ?? ''
  const site = await somebody(world, await groupNamed(world, 3, projectCode), [
    await roleOf(world, await groupNamed(world, 3, projectCode), codesFor(3)),
  ])
  const companyId = await groupNamed(world, 2, dingli?.corpCode ?? '')
  const sub = await somebody(world, companyId, [await roleOf(world, companyId, ['project.view', 'labour.view', 'visible.edit'])])
  const teams = () => world.caller(sub.caller.token, projectCode).ask(listTeams, { query: { projectCode } })
  expect((await teams()).status).toBe(0)
  const hide = { party: part?.corpType ?? '', projectCode, modules: ['labour'], reason: '班组资料只由总包维护' }
  // A subcontractor cannot hide modules from others.
  expect((await sub.caller.ask(sight.setSight, rule(hide))).message).toContain('只有项目部')
  for (const party of ['007', '008', '009'])
    expect((await site.caller.ask(sight.setSight, rule({ ...hide, party }))).message).toContain('依职责')
  expect((await site.caller.ask(sight.setSight, rule({ ...hide, party: '999' }))).status).toBe(2)
  expect((await site.caller.ask(sight.setSight, rule({ ...hide, modules: ['nothing'] }))).message).toContain('没有这个模块')
  const { id } = await site.caller.call(sight.setSight, rule(hide))
  soon()
  expect((await teams()).status).not.toBe(0)
  expect((await world.caller(sub.caller.token, projectCode).call(getMyInfo)).operator).toContain('project.view')
  const jl = await settled.as('hospital-jl')
  if ((await codesSeen(jl)).includes(projectCode)) expect((await jl.ask(listTeams, { query: { projectCode } })).status).toBe(0)
  const fang = await settled.as('city-fang')
  expect((await fang.ask(listTeams, { query: { projectCode } })).status).toBe(0)
  expect((await sub.caller.ask(sight.liftSight, { params: { id } })).status).toBe(2)
  await site.caller.call(sight.liftSight, { params: { id } })
  soon()
  expect((await teams()).status).toBe(0)
})

test('a person of the site itself who is kept from it sees nothing of it', async () => {
  const [first = ''] = district.projects
  const id = await groupNamed(world, 3, first)
  const boss = await somebody(world, id, [await roleOf(world, id, codesFor(3))])
  const one = await somebody(world, id, [await roleOf(world, id, ['project.view', 'labour.view'])])
  await boss.caller.call(sight.setSight, rule({ memberId: one.memberId, modules: ['labour'] }))
  soon()
  expect((await one.caller.call(getMyInfo)).operator).toEqual(['project.view'])
  await world.database.pool.query('delete from sight_rule')
  await boss.caller.call(sight.setSight, rule({ memberId: one.memberId }))
  soon()
  expect((await one.caller.call(getMyInfo)).operator).toEqual([])
  // The user is not notified of the project's events either.
  const reported = async () => {
    const request = { roles: [], userIds: [one.userId], onDuty: false }
    return (await findReceivers(world.database.pool, first, request, clock.at)).flatMap((group) => group.people)
  }
  expect(await reported()).toEqual([])
  await world.database.pool.query("update sight_rule set until = '2020-01-01'")
  expect(await reported()).toHaveLength(1)
  await world.database.pool.query('update sight_rule set until = null')
  expect((await one.caller.ask(listProjects)).http).toBe(403)
})
