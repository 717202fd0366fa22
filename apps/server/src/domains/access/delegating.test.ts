import { codesFor } from '@zhugong/contract/access/codes'
import { createUser, listUsers, switchUser } from '@zhugong/contract/access/endpoints'
import * as group from '@zhugong/contract/access/group-roles'
import * as work from '@zhugong/contract/access/role-work'
import * as people from '@zhugong/contract/access/users'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../../../test/members.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
/** A company with several projects, and a project it does not take part in. */
let company: { id: string; projects: string[]; foreign: string }
const today = formatDay(Date.now())
const inDays = (days: number) => addDays(today, days)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  const boss = await settled.as('yunze-lu')
  const { list } = await boss.call(listProjects, { query: { size: 100 } })
  const projects = list.map((one) => one.projectCode)
  const foreign = settled.city.projects.find((one) => !projects.includes(one.projectCode))?.projectCode ?? ''
  const { groupId } = await boss.call(getMyInfo)
  company = { id: groupId ?? '', projects, foreign }
  expect(projects.length).toBeGreaterThan(1)
  expect(foreign).not.toBe('')
})
afterAll(() => world.close())

/** A user manager with every permission of the group's kind, until a day or without an end. */
const keeper = async (until?: string): Promise<Somebody> => {
  const role = await roleOf(world, company.id, codesFor(2))
  return somebody(world, company.id, [until ? { id: role, until } : role])
}
const handing = [
  'role.view',
  'role.edit',
  'role.remove',
  'role.member',
  'tempRole.view',
  'tempRole.edit',
  'user.view',
  'user.edit',
  'user.create',
]
const place = { tied: false, projects: [], projectGroups: [] }

describe('whoever keeps a group’s roles gives nothing that he does not have himself', () => {
  test('a code he lacks: not in a role of his group, not in a temporary one, not by widening one that is there', async () => {
    const one = await somebody(world, company.id, [await roleOf(world, company.id, handing)])
    const made = await one.caller.call(group.createGroupRole, {
      body: { name: '自建一', codes: ['role.view'], ...place, templateId: null },
    })
    const more = { name: '自建一', codes: ['role.view', 'personnel.unmask'], remark: '', ...place }
    const refused = { http: 403, data: { code: 'personnel.unmask' } }
    expect(await one.caller.ask(group.createGroupRole, { body: { ...more, name: '自建二', templateId: null } })).toMatchObject(refused)
    expect(await one.caller.ask(group.updateGroupRole, { params: made, body: { ...more, version: 0 } })).toMatchObject(refused)
    expect(
      await one.caller.ask(work.createTempRole, {
        body: {
          name: '给自己',
          codes: ['personnel.unmask'],
          projects: null,
          memberIds: [one.memberId],
          startTime: today,
          endTime: inDays(3),
          reason: '试',
        },
      }),
    ).toMatchObject(refused)
  })

  test('a role that has more than he: neither to himself nor to anybody, and not by way of a replacement', async () => {
    const [one, other] = [await somebody(world, company.id, [await roleOf(world, company.id, handing)]), await keeper()]
    const strong = await roleOf(world, company.id, ['personnel.unmask'])
    const weak = await roleOf(world, company.id, ['role.view'])
    await one.caller.call(group.addToRole, { body: { roleId: weak, memberIds: [one.memberId], expireDate: null } })
    for (const memberId of [one.memberId, other.memberId]) {
      const asks = [
        one.caller.ask(group.addToRole, { body: { roleId: strong, memberIds: [memberId], expireDate: null } }),
        one.caller.ask(group.changeRoles, { body: { roleIds: [strong], memberIds: [memberId], expireDate: null } }),
      ]
      for (const answer of await Promise.all(asks)) expect(answer.http).toBe(403)
    }
    expect((await one.caller.ask(work.replaceRole, { params: { id: weak }, query: { replaceBy: strong } })).http).toBe(403)
    // Removing rights that the caller does not hold is refused too.
    const theirs = (await other.caller.call(group.getGroupUser, { params: { id: other.memberId } })).roles.map((role) => role.id)
    expect((await one.caller.ask(group.removeFromRole, { body: { roleId: theirs[0] ?? '', memberIds: [other.memberId] } })).http).toBe(403)
    expect((await one.caller.ask(group.removeGroupUser, { params: { id: other.memberId } })).http).toBe(403)
  })

  test('another group’s role, by its id: refused like one that does not exist', async () => {
    const one = await keeper()
    const project = await groupNamed(world, 3, company.projects[0] ?? '')
    const sister = await groupNamed(world, 2, settled.city.corporations.find((c) => c.corpCode)?.corpCode ?? '')
    const strangers = [await roleOf(world, project, ['role.view']), 'nowhere']
    if (sister !== company.id) strangers.push(await roleOf(world, sister, ['role.view']))
    for (const roleId of strangers) {
      const answer = await one.caller.ask(group.addToRole, { body: { roleId, memberIds: [one.memberId], expireDate: null } })
      expect([answer.status, answer.message]).toEqual([2, '所选角色不存在'])
      for (const call of [group.getGroupRole, work.roleHolders])
        expect((await one.caller.ask(call as typeof group.getGroupRole, { params: { id: roleId } })).message).toBe('角色不存在或已删除')
    }
    // A role of another group's kind has no effect, even if its row exists.
    await world.database.pool.query('insert into member_role (member_id, role_id) values ($1, $2)', [
      one.memberId,
      await roleOf(world, project, ['personnel.unmask']),
    ])
  })

  test('longer than he has it himself: a role, a membership and an account end no later than his own', async () => {
    const until = inDays(20)
    const one = await keeper(until)
    const role = await roleOf(world, company.id, ['project.view'])
    const give = (expireDate: string | null) =>
      one.caller.ask(group.addToRole, { body: { roleId: role, memberIds: [one.memberId], expireDate } })
    expect(await give(null)).toMatchObject({ http: 403, data: { field: 'deadline' } })
    expect(await give(inDays(21))).toMatchObject({ http: 403 })
    expect(await give(until)).toMatchObject({ status: 0 })
    // The user's own role, extended.
    const own = (await one.caller.call(group.getGroupUser, { params: { id: one.memberId } })).roles.find(
      (r) => r.deadline === until && r.id !== role,
    )
    const prolong = await one.caller.ask(group.addToRole, { body: { roleId: own?.id ?? '', memberIds: [one.memberId], expireDate: null } })
    expect(prolong.http).toBe(403)
    const account = (expireDate: string | null) =>
      one.caller.ask(createUser, { body: { account: `new${Math.random()}`.replace('.', ''), name: '新人', roleIds: [role], expireDate } })
    expect((await account(null)).http).toBe(403)
    expect(await account(until)).toMatchObject({ status: 0 })
    // A role that others hold without end may not receive codes the caller holds only for a time.
    const lasting = await roleOf(world, company.id, ['role.view'])
    await somebody(world, company.id, [lasting])
    const body = { name: '长期', codes: ['role.view', 'project.view'], remark: '', ...place, version: 0 }
    expect((await one.caller.ask(group.updateGroupRole, { params: { id: lasting }, body })).http).toBe(403)
  })

  test('his own membership is prolonged by others alone', async () => {
    const one = await keeper()
    await world.database.pool.query('update member set deadline = $2 where id = $1', [one.memberId, inDays(5)])
    const row = await one.caller.call(group.getGroupUser, { params: { id: one.memberId } })
    const body = { roleIds: row.roles.map((role) => role.id), expireDate: null, version: row.version }
    expect((await one.caller.ask(group.updateGroupUser, { params: { id: one.memberId }, body })).message).toContain('自己的有效期')
    const other = await keeper()
    expect(await other.caller.ask(group.updateGroupUser, { params: { id: one.memberId }, body })).toMatchObject({ status: 0 })
    expect(await other.caller.ask(group.updateGroupUser, { params: { id: one.memberId }, body })).toMatchObject({ status: 4 })
  })

  test('beyond the projects for which he has it: neither untied, nor tied to others, nor by narrowing his own view to one', async () => {
    const [here, there] = company.projects as [string, string]
    const one = await somebody(world, company.id, [await roleOf(world, company.id, [...handing, 'labour.team'], [here])])
    const body = (projects: string[] | undefined) => ({
      name: `范围${Math.random()}`,
      codes: ['labour.team'],
      tied: projects !== undefined,
      projects: projects ?? [],
      projectGroups: [],
      templateId: null,
    })
    for (const caller of [one.caller, one.caller.at(here)]) {
      expect((await caller.ask(group.createGroupRole, { body: body(undefined) })).http).toBe(403)
      expect((await caller.ask(group.createGroupRole, { body: body([here, there]) })).status).not.toBe(0)
      expect(await caller.ask(group.createGroupRole, { body: body([here]) })).toMatchObject({ status: 0 })
    }
    expect((await one.caller.ask(group.createGroupRole, { body: body([company.foreign]) })).status).not.toBe(0)
    expect((await one.caller.ask(listProjects, { query: {} })).http).toBe(403)
    expect((await one.caller.at(there).ask(getMyInfo)).http).toBe(403)
  })
})

describe('a temporary role', () => {
  const body = (memberIds: string[], endTime: string) => ({
    name: '节前检查',
    codes: ['labour.stats'],
    projects: [company.projects[0] ?? ''],
    memberIds,
    startTime: today,
    endTime,
    reason: '节前检查',
  })
  test('gives what it says where it says until it is ended, and stays as a record', async () => {
    const [boss, guest] = [await keeper(), await somebody(world, company.id, [])]
    const { id } = await boss.caller.call(work.createTempRole, { body: body([guest.memberId], inDays(90 - 1)) })
    expect((await guest.caller.call(getMyInfo)).operator).toEqual(['labour.stats'])
    expect((await guest.caller.at(company.projects[1] ?? '').ask(getMyInfo)).http).toBe(403)
    await boss.caller.call(work.endTempRole, { params: { id } })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await guest.caller.call(getMyInfo)).operator).toEqual([])
    expect((await boss.caller.call(work.getTempRole, { params: { id } })).state).toBe('over')
    expect(
      (
        await boss.caller.ask(work.updateTempRole, {
          params: { id },
          body: { ...body([], ''), endTime: inDays(3), memberIds: [guest.memberId], version: 1 },
        })
      ).status,
    ).toBe(4)
  })
  test('lasts at most ninety days, less where the group’s rules say so, and is for the group’s own people', async () => {
    const [boss, guest] = [await keeper(), await somebody(world, company.id, [])]
    expect((await boss.caller.ask(work.createTempRole, { body: body([guest.memberId], inDays(90)) })).message).toContain('90 天')
    const rules = { ...(await boss.caller.call(group.getDelegation)).own, temporaryDays: 7, locked: [] }
    await boss.caller.call(group.setDelegation, { body: { ...rules, version: 0 } })
    expect((await boss.caller.ask(work.createTempRole, { body: body([guest.memberId], inDays(7)) })).message).toContain('7 天')
    expect(await boss.caller.ask(work.createTempRole, { body: body([guest.memberId], inDays(6)) })).toMatchObject({ status: 0 })
    expect(await boss.caller.ask(group.setDelegation, { body: { ...rules, version: 0 } })).toMatchObject({ status: 4 })
    const stranger = await somebody(world, await groupNamed(world, 3, company.projects[0] ?? ''), [])
    expect((await boss.caller.ask(work.createTempRole, { body: body([stranger.memberId], inDays(2)) })).message).toContain('人员不在本组')
  })

  const forgotten = () => new Promise((resolve) => setTimeout(resolve, 1_000))
  const holds = async (one: Somebody) => [...(await one.caller.call(getMyInfo)).operator].sort()
  const ways: [string, (giver: Somebody, role: string) => Promise<unknown>][] = [
    ['a code', (_, role) => world.database.pool.query(`update role set codes = array_remove(codes, 'labour.stats') where id = $1`, [role])],
    [
      'the project',
      (_, role) =>
        world.database.pool.query(`update role set data_scope = '4', projects = $2 where id = $1`, [role, [company.projects[1]]]),
    ],
    ['his role', (giver) => world.database.pool.query(`update member_role set enable = '0' where member_id = $1`, [giver.memberId])],
    ['his membership', (giver) => world.database.pool.query(`update member set enable = '0' where id = $1`, [giver.memberId])],
    ['his account', (giver) => world.database.pool.query(`update app_user set enable = '0' where id = $1`, [giver.userId])],
  ]
  test.each(ways)('whose giver loses %s is lost with it', async (_what, lose) => {
    const role = await roleOf(world, company.id, codesFor(2))
    const [giver, guest] = [await somebody(world, company.id, [role]), await somebody(world, company.id, [])]
    await giver.caller.call(work.createTempRole, { body: body([guest.memberId], inDays(5)) })
    expect(await holds(guest)).toEqual(['labour.stats'])
    await lose(giver, role)
    await forgotten()
    expect(await holds(guest)).toEqual([])
  })

  test('given on is worth what its giver was given; two who give to each other hold nothing by it', async () => {
    const role = await roleOf(world, company.id, codesFor(2))
    const [boss, one, other] = [
      await somebody(world, company.id, [role]),
      await somebody(world, company.id, []),
      await somebody(world, company.id, []),
    ]
    const chain = { ...body([one.memberId], inDays(5)), codes: ['labour.stats', 'tempRole.edit', 'tempRole.view'], projects: null }
    await boss.caller.call(work.createTempRole, { body: chain })
    await one.caller.call(work.createTempRole, { body: { ...chain, memberIds: [other.memberId] } })
    await other.caller.call(work.createTempRole, { body: chain })
    expect(await holds(other)).toEqual(chain.codes.toSorted())
    await world.database.pool.query(`update member set enable = '0' where id = $1`, [boss.memberId])
    await forgotten()
    expect([await holds(one), await holds(other)]).toEqual([[], []])
  })
})

describe('accounts', () => {
  test('a disabled account is out of a live session, and another group’s is not even there', async () => {
    const [boss, one] = [await keeper(), await somebody(world, company.id, [await roleOf(world, company.id, ['user.view'])])]
    expect((await one.caller.ask(listUsers, { query: {} })).status).toBe(0)
    await boss.caller.call(switchUser, { body: { id: one.userId, status: '0', reason: '离职' } })
    const { rows } = await world.database.pool.query<{ summary: string }>(`select summary from audit_log where object_id = $1`, [
      one.userId,
    ])
    expect(rows.map((row) => row.summary)).toContain(`停用账号 ${one.account}：离职`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await one.caller.ask(listUsers, { query: {} })).http).toBe(403)
    const foreign = await somebody(world, await groupNamed(world, 3, company.projects[0] ?? ''), [])
    for (const call of [people.resetPassword, people.unlockUser, people.endSessions])
      expect((await boss.caller.ask(call as typeof people.resetPassword, { body: { id: foreign.userId } })).message).toContain('不存在')
    expect((await boss.caller.ask(people.getUser, { params: { id: foreign.userId }, query: {} })).status).not.toBe(0)
  })
  test('who works for others as well keeps his password and his name from one of his groups', async () => {
    const [boss, one] = [await keeper(), await somebody(world, company.id, [])]
    await world.database.pool.query('insert into member (id, user_id, group_id) values ($1, $2, $3)', [
      `${one.userId}x`.slice(0, 64),
      one.userId,
      await groupNamed(world, 3, company.projects[0] ?? ''),
    ])
    expect((await boss.caller.ask(people.resetPassword, { body: { id: one.userId } })).message).toContain('其他机构')
    expect(
      (await boss.caller.ask(people.updateUser, { params: { id: one.userId }, body: { name: '改名者', expireDate: null } })).message,
    ).toContain('平台')
  })
  test('nobody resets the password of one who may do more', async () => {
    const [weak, strong] = [
      await somebody(world, company.id, [await roleOf(world, company.id, ['user.reset', 'user.view', 'user.edit'])]),
      await keeper(),
    ]
    expect((await weak.caller.ask(people.resetPassword, { body: { id: strong.userId } })).http).toBe(403)
    const result = await strong.caller.call(people.resetPassword, { body: { id: weak.userId } })
    expect(result.password.length).toBeGreaterThan(10)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await weak.caller.ask(getMyInfo)).status).toBe(105)
  })
  test('why somebody may do something is told with what gives it, and agrees with what he may do', async () => {
    const [boss, template] = [await keeper(), await roleOf(world, company.id, ['labour.view', 'labour.stats'])]
    const one = await somebody(world, company.id, [template, { id: await roleOf(world, company.id, ['labour.black']), until: inDays(-1) }])
    await world.database.pool.query(
      `insert into role_narrowing (role_id, group_id, codes, update_by) values ($1, $2, '{labour.stats}', 'x')`,
      [template, company.id],
    )
    await boss.caller.call(work.createTempRole, {
      body: {
        name: '临时看考勤',
        codes: ['attendance.view'],
        projects: [company.projects[0] ?? ''],
        memberIds: [one.memberId],
        startTime: today,
        endTime: inDays(2),
        reason: '试',
      },
    })
    const { permission } = await boss.caller.call(people.getUser, { params: { id: one.userId }, query: { with: 'permission' } })
    const of = (code: string) => permission?.codes.find((entry) => entry.code === code)
    expect(of('labour.view')).toMatchObject({ held: true, sources: [{ state: 'holds', projects: null }] })
    expect(of('labour.stats')).toMatchObject({ held: false, sources: [{ state: 'taken' }] })
    expect(of('labour.black')).toMatchObject({ held: false, sources: [{ state: 'over' }] })
    expect(of('attendance.view')).toMatchObject({ held: true, sources: [{ kind: 'temporary', projects: [{ code: company.projects[0] }] }] })
    const current = permission?.codes.flatMap((entry) => (entry.held ? [entry.code] : [])) ?? []
    expect(current.sort()).toEqual((await one.caller.call(getMyInfo)).operator)
  })
})

test('what those above took from a role is not given back by the group', async () => {
  const boss = await keeper()
  const role = await roleOf(world, company.id, ['labour.stats'])
  const platform = await settled.as('admin')
  await platform.call(work.narrowRole, { body: { roleId: role, groupId: company.id, codes: ['labour.stats'], reason: '试', version: 0 } })
  const one = await somebody(world, company.id, [role])
  expect((await one.caller.call(getMyInfo)).operator).toEqual([])
  const { stamp } = await one.caller.call(people.myRights)
  const back = { roleId: role, groupId: company.id, codes: [], reason: '还我', version: 1 }
  expect((await boss.caller.ask(work.narrowRole, { body: back })).status).not.toBe(0)
  expect((await one.caller.call(getMyInfo)).operator).toEqual([])
  expect((await platform.ask(work.narrowRole, { body: { ...back, version: 0 } })).status).toBe(4)
  await platform.call(work.narrowRole, { body: back })
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect((await one.caller.call(getMyInfo)).operator).toEqual(['labour.stats'])
  // The stamp changes with the rights, and stays the same while nothing changes.
  const given = (await one.caller.call(people.myRights)).stamp
  expect(given).not.toBe(stamp)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect((await one.caller.call(people.myRights)).stamp).toBe(given)
})
