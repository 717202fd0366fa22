import { createAdmin, listAdmins, resetAdmin, switchAdmin } from '@zhugong/contract/access/admins'
import { codesFor } from '@zhugong/contract/access/codes'
import { createUser } from '@zhugong/contract/access/endpoints'
import { addGroupUser } from '@zhugong/contract/access/group-roles'
import { answerJoin, listJoins, withdrawJoin } from '@zhugong/contract/access/joins'
import * as people from '@zhugong/contract/access/users'
import { getMyInfo, login } from '@zhugong/contract/identity/endpoints'
import { getMyAccount } from '@zhugong/contract/identity/my-account'
import { leaveGroup } from '@zhugong/contract/organisation/org'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../../../test/members.ts'
import type { Caller, World } from '../../../test/world.ts'
import { hashPassword } from './passwords.ts'

let world: World
let settled: CityWorld
/** Two sites: one where the user works, and one that wants to add the user. */
let home: string
let taker: string
let keeper: Somebody
let roleId: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  home = await groupNamed(world, 3, settled.city.projects[0]?.projectCode ?? '')
  taker = await groupNamed(world, 3, settled.city.projects[1]?.projectCode ?? '')
  keeper = await somebody(world, taker, [await roleOf(world, taker, codesFor(3))])
  roleId = await roleOf(world, taker, ['home.view'])
})
afterAll(() => world.close())

const later = () => new Promise((resolve) => setTimeout(resolve, 1_000))
const take = (account: string, by: Caller = keeper.caller) =>
  by.call(addGroupUser, { body: { account, roleIds: [roleId], expireDate: null } })
const answer = (one: Somebody, id: string, accept = true) => one.caller.ask(answerJoin, { params: { id }, body: { accept } })
const groupsOf = async ({ userId }: Somebody) =>
  (await world.database.pool.query<{ id: string }>('select group_id as id from member where user_id = $1', [userId])).rows.map(
    (row) => row.id,
  )
/** The actions a group may perform on a whole account. */
const powers = async (by: Caller, userId: string) => {
  const requested = [
    await by.ask(people.resetPassword, { body: { id: userId } }),
    await by.ask(people.unlockUser, { body: { id: userId } }),
    await by.ask(people.updateUser, { params: { id: userId }, body: { name: '改名者', expireDate: null } }),
  ]
  return requested.filter(({ status }) => status === 0).length
}

test('somebody’s account becomes a member once its owner has accepted; before that the asker has no power over it', async () => {
  const one = await somebody(world, home, [])
  const { id, pending } = await take(one.account)
  expect(pending).toBe(true)
  expect(await groupsOf(one)).toEqual([home])
  expect(await powers(keeper.caller, one.userId)).toBe(0)
  expect((await keeper.caller.call(listJoins, { query: {} })).list.map((row) => [row.id, row.account])).toContainEqual([id, one.account])
  const { joins } = await one.caller.call(getMyAccount, {})
  expect(joins).toMatchObject([{ id, groupId: taker, administrator: false }])
  const { rows: result } = await world.database.pool.query<{ title: string }>('select title from message where user_id = $1', [one.userId])
  expect(result).toEqual([{ title: expect.stringContaining('邀请您加入') }])
  // Nobody else can answer the invitation.
  const other = await somebody(world, home, [])
  expect((await answer(other, id)).message).toContain('已失效')
  expect(await answer(one, id)).toMatchObject({ status: 0 })
  expect((await groupsOf(one)).sort()).toEqual([home, taker].sort())
  expect((await answer(one, id)).message).toContain('已失效')
  expect((await one.caller.call(getMyAccount, {})).joins).toEqual([])
})

test('one that is refused, withdrawn or over makes nobody a member', async () => {
  const one = await somebody(world, home, [])
  const { id: first } = await take(one.account)
  expect(await answer(one, first, false)).toMatchObject({ status: 0 })
  const { id: second } = await take(one.account)
  await keeper.caller.call(withdrawJoin, { params: { id: second } })
  expect((await answer(one, second)).message).toContain('已失效')
  const { id: third } = await take(one.account)
  expect((await take(one.account)).id).toBe(third)
  await world.database.pool.query(`update join_request set expires_at = now() - interval '1 minute' where id = $1`, [third])
  expect((await answer(one, third)).message).toContain('已失效')
  expect(await groupsOf(one)).toEqual([home])
})

test('what was promised is judged by the rights its giver has when it is accepted', async () => {
  const giverRole = await roleOf(world, taker, ['home.view', 'role.member', 'user.edit'])
  const giver = await somebody(world, taker, [giverRole])
  const loses: [string, string, unknown[]][] = [
    ['what he gave', 'update role set codes = $2 where id = $1', [giverRole, ['role.member', 'user.edit']]],
    ['the right to let people in', 'update role set codes = $2 where id = $1', [giverRole, ['home.view']]],
    ['his place', `update member set enable = '0' where id = $1`, [giver.memberId]],
  ]
  for (const [what, statement, values] of loses) {
    await world.database.pool.query('update role set codes = $2 where id = $1', [giverRole, ['home.view', 'role.member', 'user.edit']])
    await later()
    const one = await somebody(world, home, [])
    const { id } = await take(one.account, giver.caller)
    await world.database.pool.query(statement, values)
    expect([what, (await answer(one, id)).message]).toEqual([what, expect.stringContaining('没有相应的权限')])
    expect(await groupsOf(one)).toEqual([home])
  }
})

test('a group that took somebody in never gets at his account, also when he has left the one that opened it', async () => {
  const one = await somebody(world, home, [])
  await answer(one, (await take(one.account)).id)
  expect(await powers(keeper.caller, one.userId)).toBe(0)
  await one.caller.call(leaveGroup, {})
  expect(await groupsOf(one)).toEqual([taker])
  expect(await powers(keeper.caller, one.userId)).toBe(0)
  expect((await keeper.caller.ask(people.resetPassword, { body: { id: one.userId } })).message).toContain('不是本组开立')
  // For accounts it opened itself, the group still has all these actions.
  const { id } = await keeper.caller.call(createUser, {
    body: { account: 'own-clerk', name: '自己人', roleIds: [roleId], expireDate: null },
  })
  expect(await powers(keeper.caller, id)).toBe(3)
})

test('an administrator is appointed among a group’s people; of others the owner is asked, and no password of theirs is shown', async () => {
  const platform = await settled.as('admin')
  const stranger = await somebody(world, home, [])
  const body = { groupId: taker, account: stranger.account, deadline: null, reason: '接管' }
  const { id, pending } = await platform.call(createAdmin, { body })
  expect(pending).toBe(true)
  expect((await platform.call(listAdmins, { query: { account: stranger.account } })).total).toBe(0)
  const { list } = await platform.call(listAdmins, { query: { groupName: '', size: 1000 } })
  const grant = list.find((row) => row.groupId === taker && row.id)
  const handed = await platform.ask(switchAdmin, {
    params: { id: grant?.id ?? '' },
    query: { userId: stranger.userId },
    body: { reason: '轮岗' },
  })
  expect(handed.message).toContain('不是该组成员')
  await world.database.pool.query(
    `update member_role set enable = '0' from member m, role r where m.id = member_id and r.id = role_id and m.group_id = $1 and r.administrator`,
    [taker],
  )
  const reset = (account: string) => platform.ask(resetAdmin, { body: { groupId: taker, account, reason: '原管理员离职' } })
  // Accounts of another group, of no group any more, and added by this group are refused.
  expect((await reset(stranger.account)).message).toContain('不是这个机构开立')
  const homeless = await somebody(world, home, [])
  await world.database.pool.query('delete from member where id = $1', [homeless.memberId])
  expect((await reset(homeless.account)).message).toContain('不是这个机构开立')
  await world.database.pool.query('insert into member (id, user_id, group_id) values ($1, $1, $2)', [homeless.userId, taker])
  expect((await reset(homeless.account)).message).toContain('不是这个机构开立')
  expect(await answer(stranger, id)).toMatchObject({ status: 0 })
  expect((await platform.call(listAdmins, { query: { account: stranger.account } })).list).toMatchObject([{ groupId: taker }])
})

test('who works for nobody any more accepts at the door, with his password and his second factor', async () => {
  const one = await somebody(world, home, [])
  const password = 'Wanderer#2026'
  await world.database.pool.query('update app_user set password_hash = $2 where id = $1', [one.userId, await hashPassword(password)])
  await world.database.pool.query('delete from member where id = $1', [one.memberId])
  const knock = (join?: string) => world.anonymous.ask(login, { body: { account: one.account, password, join } })
  expect((await knock()).message).toContain('尚未加入任何机构')
  const { id } = await take(one.account)
  const shown = await knock()
  expect(shown).toMatchObject({ status: 4, data: { joins: [{ id }] } })
  expect((await knock('nothing')).status).toBe(4)
  const answered = await knock(id)
  expect(answered.status).toBe(0)
  expect(answered.data.groups.map((group) => group.id)).toEqual([taker])
  expect((await world.caller(answered.data.token).call(getMyInfo)).groupId).toBe(taker)
})
