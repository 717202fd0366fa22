import * as admin from '@zhugong/contract/access/admins'
import { switchUser } from '@zhugong/contract/access/endpoints'
import { editFunction, listFunctions } from '@zhugong/contract/access/functions'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, somebody } from '../../../test/members.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
const inDays = (days: number) => addDays(formatDay(Date.now()), days)
const later = () => new Promise((resolve) => setTimeout(resolve, 1_000))

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const projectGroup = (index: number) => groupNamed(world, 3, settled.city.projects[index]?.projectCode ?? '')

test('[implied-roles] an administrator is appointed, stopped, let in again and handed over; the last one is never stopped', async () => {
  const platform = await settled.as('admin')
  const groupId = await projectGroup(1)
  const [first, second] = [await somebody(world, groupId, []), await somebody(world, groupId, [])]
  // Removes the group's administrators from the demonstration data.
  await world.database.pool.query(
    `delete from member_role using member m, role r where m.id = member_id and r.id = role_id and m.group_id = $1 and r.administrator`,
    [groupId],
  )
  const without = await platform.call(admin.listAdmins, { query: { view: 'none', size: 1000 } })
  expect(without.list.map((one) => one.groupId)).toContain(groupId)
  const { id } = await platform.call(admin.createAdmin, { body: { groupId, account: first.account, deadline: inDays(60), reason: '开工' } })
  expect(await platform.call(admin.getAdmin, { params: { id } })).toMatchObject({
    status: '0',
    last: true,
    roleScope: '4',
    deadline: inDays(60),
  })
  await later()
  expect((await first.caller.call(getMyInfo)).operator).toContain('org.member')
  const stop = (grant: string) =>
    platform.ask(admin.switchAdmin, { params: { id: grant }, query: { status: '1' }, body: { reason: '换人' } })
  expect((await stop(id)).message).toContain('最后一位管理员')
  // Refused too if the account is disabled from inside the group.
  const keeper = await somebody(world, groupId, [await roleOf(world, groupId, (await first.caller.call(getMyInfo)).operator)])
  expect((await keeper.caller.ask(switchUser, { body: { id: first.userId, status: '0' } })).message).toContain('最后一位管理员')

  const { id: other } = await platform.call(admin.createAdmin, {
    body: { groupId, account: second.account, deadline: null, reason: '副手' },
  })
  expect(await stop(id)).toMatchObject({ status: 0 })
  expect(await platform.call(admin.getAdmin, { params: { id } })).toMatchObject({ status: '1' })
  await later()
  expect((await first.caller.call(getMyInfo)).operator).toEqual([])
  expect((await stop(other)).message).toContain('最后一位管理员')
  await platform.call(admin.switchAdmin, { params: { id }, query: { status: '0' }, body: {} })
  await later()
  expect((await first.caller.call(getMyInfo)).operator).toContain('org.member')

  const third = await somebody(world, groupId, [])
  await platform.call(admin.switchAdmin, { params: { id: other }, query: { userId: third.userId }, body: { reason: '轮岗' } })
  await later()
  expect((await second.caller.call(getMyInfo)).operator).toEqual([])
  expect((await third.caller.call(getMyInfo)).operator).toContain('org.member')
  expect(
    (await platform.ask(admin.createAdmin, { body: { groupId, account: third.account, deadline: null, reason: '再来' } })).message,
  ).toContain('已是')
})

test('[implied-roles] who hands the administration on keeps his other roles, one ordinary role in their place, or none', async () => {
  const platform = await settled.as('admin')
  const groupId = await projectGroup(2)
  const [clerkRole, looks] = [await roleOf(world, groupId, ['org.view', 'role.view']), await roleOf(world, groupId, ['home.view'])]
  const people = [await somebody(world, groupId, [looks]), await somebody(world, groupId, [looks]), await somebody(world, groupId, [looks])]
  const [one, two, three] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const hand = (id: string, to: typeof one, body: object) =>
    platform.ask(admin.switchAdmin, { params: { id }, query: { userId: to.userId }, body: { reason: '轮岗', ...body } })
  const grantOf = async (who: typeof one) => {
    const { list } = await platform.call(admin.listAdmins, { query: { account: who.account } })
    return list[0]?.id ?? ''
  }
  const rolesOf = async (who: typeof one) =>
    (
      await world.database.pool.query<{ roleId: string }>('select role_id as "roleId" from member_role where member_id = $1', [
        who.memberId,
      ])
    ).rows.map((row) => row.roleId)
  const { id } = await platform.call(admin.createAdmin, { body: { groupId, account: one.account, deadline: null, reason: '开工' } })
  const { list } = await platform.call(admin.formerRoles, { params: { id } })
  expect(list.find((role) => role.id === looks)).toMatchObject({ held: true })
  expect(list.find((role) => role.id === clerkRole)).toMatchObject({ held: false })
  // The role must be given, belong to this group, and not be the administrator role.
  expect(await hand(id, two, { former: 'role' })).toMatchObject({ http: 400, data: { field: 'formerRoleId' } })
  const foreign = await roleOf(world, await projectGroup(1), ['home.view'])
  expect((await hand(id, two, { former: 'role', formerRoleId: foreign })).status).not.toBe(0)
  expect((await hand(id, two, { former: 'all' })).http).toBe(400)
  expect(await hand(id, two, { former: 'role', formerRoleId: clerkRole })).toMatchObject({ status: 0 })
  expect(await rolesOf(one)).toEqual([clerkRole])
  expect(await hand(await grantOf(two), three, {})).toMatchObject({ status: 0 })
  expect(await rolesOf(two)).toEqual([looks])
  expect(await hand(await grantOf(three), one, { former: 'none' })).toMatchObject({ status: 0 })
  expect(await rolesOf(three)).toEqual([])
  expect((await rolesOf(one)).length).toBe(2)
  // Only users of a higher group may read the former roles.
  expect((await one.caller.ask(admin.formerRoles, { params: { id: await grantOf(one) } })).status).not.toBe(0)
})

test('those above a group appoint its administrators, others do not, and nobody appoints himself', async () => {
  const [officer, company, site] = [await settled.as('city-fang'), await settled.as('yunze-lu'), await settled.as('hospital-pm')]
  const { list } = await company.call(listProjects, { query: { size: 100 } })
  const led = list.map((one) => one.projectCode)
  const [own, foreign] = await Promise.all([
    groupNamed(world, 3, led[0] ?? ''),
    groupNamed(world, 3, settled.city.projects.find((one) => !led.includes(one.projectCode))?.projectCode ?? ''),
  ])
  const one = await somebody(world, own, [])
  const body = { groupId: own, account: one.account, deadline: null, reason: '开工' }
  expect(await company.ask(admin.createAdmin, { body: { ...body, groupId: foreign } })).toMatchObject({ status: 2 })
  const { id } = await company.call(admin.createAdmin, { body })
  expect((await officer.call(admin.listAdmins, { query: { size: 1000 } })).list.map((grant) => grant.id)).toContain(id)
  expect((await site.ask(admin.listAdmins, { query: {} })).http).toBe(403)
  expect((await company.call(admin.listAdmins, { query: { size: 1000 } })).list.every((grant) => grant.groupsType === 3)).toBe(true)
  for (const caller of [company, officer]) {
    const { groupId } = await caller.call(getMyInfo)
    const answer = await caller.ask(admin.createAdmin, { body: { ...body, groupId: groupId ?? '' } })
    expect([answer.status, answer.message]).toEqual([2, '机构不存在或不在您的管理之下'])
  }
  const platform = await settled.as('admin')
  expect((await platform.ask(admin.createAdmin, { body: { ...body, account: 'admin' } })).message).toContain('任命自己')
  // A platform clerk who may appoint administrators is not one of the platform and cannot appoint one there.
  const { groupId: top } = await platform.call(getMyInfo)
  const clerk = await somebody(world, top ?? '', [
    await roleOf(world, top ?? '', ['adminGrant.view', 'adminGrant.edit', 'adminGrant.switch']),
  ])
  expect((await clerk.caller.ask(admin.createAdmin, { body: { ...body, groupId: top ?? '' } })).http).toBe(403)
  const another = await somebody(world, own, [])
  expect(await clerk.caller.ask(admin.createAdmin, { body: { ...body, account: another.account } })).toMatchObject({ status: 0 })
  // Refused for longer than the caller holds the right.
  const brief = await somebody(world, top ?? '', [{ id: await roleOf(world, top ?? '', ['adminGrant.edit']), until: inDays(9) }])
  const yet = await somebody(world, own, [])
  expect(await brief.caller.ask(admin.createAdmin, { body: { ...body, account: yet.account } })).toMatchObject({ http: 403 })
})

test('[implied-roles] a group that has lost its administrator gets one with a password told once; not where one is at work, nor by an account of others', async () => {
  const platform = await settled.as('admin')
  const groupId = await projectGroup(2)
  const one = await somebody(world, groupId, [])
  const body = { groupId, account: one.account, reason: '原管理员离职' }
  expect((await platform.ask(admin.resetAdmin, { body })).message).toContain('仍有可用的管理员')
  await world.database.pool.query(
    `update member_role set enable = '0' from member m, role r where m.id = member_id and r.id = role_id and m.group_id = $1 and r.administrator`,
    [groupId],
  )
  const shared = await somebody(world, await projectGroup(1), [])
  expect((await platform.ask(admin.resetAdmin, { body: { ...body, account: shared.account } })).message).toContain('其他机构')
  expect((await platform.call(admin.resetAdmin, { body })).password.length).toBeGreaterThan(10)
  await later()
  expect((await one.caller.ask(getMyInfo)).status).toBe(105)
})

test('a function that is stopped is stopped for everybody within a second, with a reason and asked about twice', async () => {
  const platform = await settled.as('admin')
  const officer = await settled.as('city-fang')
  const row = (await platform.call(listFunctions, { query: { code: 'project.view' } })).list[0]
  const body = { code: 'project.view', title: '查看项目', risk: '1' as const, enable: '0' as const, version: row?.version ?? 0 }
  expect(await platform.ask(editFunction, { body })).toMatchObject({ status: 2, data: { field: 'reason' } })
  expect(await platform.ask(editFunction, { body: { ...body, reason: '数据错误' } })).toMatchObject({
    status: 4,
    data: { field: 'confirmed' },
  })
  expect((await officer.ask(listProjects, { query: {} })).status).toBe(0)
  await platform.call(editFunction, { body: { ...body, reason: '数据错误', confirmed: true } })
  await later()
  expect((await officer.ask(listProjects, { query: {} })).http).toBe(403)
  await platform.call(editFunction, { body: { ...body, enable: '1', version: 1 } })
  await later()
  expect((await officer.ask(listProjects, { query: {} })).status).toBe(0)
  const own = { ...body, code: 'function.edit', reason: '试', confirmed: true, version: 0 }
  expect((await platform.ask(editFunction, { body: own })).message).toContain('不能停用')
  expect((await officer.ask(listFunctions, { query: {} })).http).toBe(403)
  const { figures, total } = await platform.call(listFunctions, { query: { view: 'unheld' } })
  expect(total).toBe(figures.unheld)
})
