import { switchUser } from '@zhugong/contract/access/endpoints'
import { createGroupRole, extendMembers, updateGroupRole, updateGroupUser } from '@zhugong/contract/access/group-roles'
import { type HistoryKind, objectHistory } from '@zhugong/contract/access/history'
import { updateUser } from '@zhugong/contract/access/users'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../../../test/members.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let company: string
let other: string
let site: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  const groupOf = async (account: string) => (await (await settled.as(account)).call(getMyInfo)).groupId ?? ''
  company = await groupOf('yunze-lu')
  other = await groupOf('chuyuan-li')
  site = await groupNamed(world, 3, settled.city.projects[0]?.projectCode ?? '')
})
afterAll(() => world.close())

const today = formatDay(Date.now())
const inDays = (days: number) => addDays(today, days)
const place = { tied: false, projects: [], projectGroups: [] }
const codes = ['role.view', 'role.edit', 'role.member', 'user.view', 'user.edit']
const holding = async (groupId: string, current: readonly string[]): Promise<Somebody> =>
  somebody(world, groupId, [await roleOf(world, groupId, current)])
const reported = (who: Somebody, kind: HistoryKind, object: string) => who.caller.call(objectHistory, { query: { kind, object } })

describe('a thing tells who changed it, when and how', () => {
  test('to whoever may open its list, with what was and what is; to nobody of another group', async () => {
    const keeper = await holding(company, codes)
    const body = { name: '班组长', codes: ['role.view'], remark: '', ...place }
    const { id } = await keeper.caller.call(createGroupRole, { body: { ...body, templateId: null } })
    await keeper.caller.call(updateGroupRole, { params: { id }, body: { ...body, codes: ['role.view', 'user.view'], version: 0 } })
    const looker = await holding(company, ['role.view'])
    const history = await reported(looker, 'role', id)
    expect(history.total).toBe(2)
    expect(history.list.map((row) => row.summary)).toEqual([
      expect.stringContaining('修改组角色 班组长'),
      expect.stringContaining('新增组角色'),
    ])
    expect(history.list[0]).toMatchObject({ by: '某人' })
    // By pages.
    const second = await looker.caller.call(objectHistory, { query: { kind: 'role', object: id, page: 2, size: 1 } })
    expect([second.total, second.list.length]).toEqual([2, 1])
    // Not visible to another tenant or to the company's site, but to the platform.
    for (const groupId of [other, site]) expect((await reported(await holding(groupId, ['role.view']), 'role', id)).total).toBe(0)
    expect((await (await settled.as('admin')).call(objectHistory, { query: { kind: 'role', object: id } })).total).toBe(2)
  })

  test('the code of its list is asked for, and what another kind of call did to the same id is not told', async () => {
    const looker = await holding(company, ['role.view'])
    expect(await looker.caller.ask(objectHistory, { query: { kind: 'user', object: looker.userId } })).toMatchObject({
      http: 403,
      data: { code: 'user.view' },
    })
    // Read access to a person's data is recorded in the same log under the person's id.
    await world.database.pool.query(
      `insert into audit_log (id, at, user_id, account, user_name, group_id, group_name, action, summary, object_id, ip)
       values ('look-1', now(), 'x', 'x', '张三', $1, '某组', 'look', '查看证件号码', $2, '127.0.0.1')`,
      [company, looker.memberId],
    )
    expect((await reported(looker, 'member', looker.memberId)).total).toBe(0)
    const odd = await looker.caller.ask(objectHistory, { query: { kind: 'worker' as 'role', object: 'x' } })
    expect(odd).toMatchObject({ http: 400, data: { field: 'kind' } })
  })

  test('an account tells of its name and end', async () => {
    const keeper = await holding(company, codes)
    const one = await holding(company, ['role.view'])
    await keeper.caller.call(updateUser, { params: { id: one.userId }, body: { name: '李工', expireDate: inDays(30) } })
    const [row] = (await reported(keeper, 'user', one.userId)).list
    expect(row?.summary).toBe(`修改账号 ${one.account}：姓名 某人→李工，有效期 长期→${inDays(30)}`)
  })
})

describe('a later end for several at once', () => {
  const ending = async (days: number): Promise<Somebody> => {
    const one = await holding(company, ['role.view'])
    await world.database.pool.query('update member set deadline = $2 where id = $1', [one.memberId, inDays(days)])
    return one
  }
  const endOf = async (one: Somebody): Promise<string | null> => {
    const { rows } = await world.database.pool.query<{ deadline: string | null }>('select deadline::text from member where id = $1', [
      one.memberId,
    ])
    return rows[0]?.deadline ?? null
  }

  test('is later only, and each of them tells of it', async () => {
    const keeper = await holding(company, codes)
    const [soon, late] = [await ending(3), await ending(90)]
    const memberIds = [soon.memberId, late.memberId]
    expect(await keeper.caller.call(extendMembers, { body: { memberIds, expireDate: inDays(30) } })).toEqual({ extended: 1, kept: 1 })
    expect([await endOf(soon), await endOf(late)]).toEqual([inDays(30), inDays(90)])
    expect((await reported(keeper, 'member', soon.memberId)).list[0]?.summary).toBe(`延长 1 人的有效期至 ${inDays(30)}`)
    expect((await reported(keeper, 'member', late.memberId)).total).toBe(0)
    expect(await keeper.caller.ask(extendMembers, { body: { memberIds, expireDate: inDays(10) } })).toMatchObject({
      data: { field: 'expireDate' },
    })
    expect((await keeper.caller.ask(extendMembers, { body: { memberIds: [soon.memberId], expireDate: '明天' } })).http).toBe(400)
  })

  test('not of oneself, not beyond one’s own, not of somebody of another group, and by nobody without the right', async () => {
    const keeper = await somebody(world, company, [{ id: await roleOf(world, company, codes), until: inDays(20) }])
    const one = await ending(3)
    const ask = (who: Somebody, memberId: string, expireDate: string | null) =>
      who.caller.ask(extendMembers, { body: { memberIds: [memberId], expireDate } })
    expect((await ask(keeper, one.memberId, inDays(40))).http).toBe(403)
    expect((await ask(keeper, one.memberId, null)).http).toBe(403)
    await world.database.pool.query('update member set deadline = $2 where id = $1', [keeper.memberId, inDays(10)])
    expect((await ask(keeper, keeper.memberId, inDays(15))).http).toBe(403)
    const stranger = await holding(other, ['role.view'])
    await world.database.pool.query('update member set deadline = $2 where id = $1', [stranger.memberId, inDays(3)])
    expect((await ask(keeper, stranger.memberId, inDays(15))).status).not.toBe(0)
    expect((await ask(await holding(company, ['role.view']), one.memberId, inDays(15))).http).toBe(403)
    expect(await endOf(one)).toBe(inDays(3))
    // All or nothing: one unknown member makes the request fail for the others.
    const both = await keeper.caller.ask(extendMembers, {
      body: { memberIds: [one.memberId, stranger.memberId], expireDate: inDays(15) },
    })
    expect(both.status).not.toBe(0)
    expect(await endOf(one)).toBe(inDays(3))
  })

  test('whose time is over, or who is stopped, is let in again only by who holds all he would hold then', async () => {
    const keeper = await holding(company, codes)
    const strong = await holding(company, [...codes, 'role.remove'])
    const one = await holding(company, ['role.remove'])
    await world.database.pool.query('update member set deadline = $2 where id = $1', [one.memberId, inDays(-3)])
    const body = { memberIds: [one.memberId], expireDate: inDays(15) }
    expect((await keeper.caller.ask(extendMembers, { body })).http).toBe(403)
    const edit = { params: { id: one.userId }, body: { name: '某人', expireDate: inDays(15) } }
    expect((await keeper.caller.ask(updateUser, edit)).http).toBe(403)
    expect(await endOf(one)).toBe(inDays(-3))
    expect(await strong.caller.call(extendMembers, { body })).toEqual({ extended: 1, kept: 0 })
    const switcher = await holding(company, [...codes, 'user.switch'])
    await world.database.pool.query(`update member set enable = '0' where id = $1`, [one.memberId])
    expect((await switcher.caller.ask(switchUser, { body: { id: one.userId, status: '1' } })).http).toBe(403)
  })

  test('roles that are changed for one stand in his history by name', async () => {
    const keeper = await holding(company, codes)
    const one = await holding(company, ['role.view'])
    const roleId = await roleOf(world, company, ['user.view'])
    await world.database.pool.query(`update role set name = '看账号' where id = $1`, [roleId])
    const { rows } = await world.database.pool.query<{ version: number }>(
      'select coalesce(sum(version + 1), 0)::int as version from member_role where member_id = $1',
      [one.memberId],
    )
    await keeper.caller.call(updateGroupUser, {
      params: { id: one.memberId },
      body: { roleIds: [roleId], expireDate: null, version: rows[0]?.version ?? 0 },
    })
    expect((await reported(keeper, 'member', one.memberId)).list[0]?.summary).toMatch(/^修改成员 某人：角色 .+→看账号$/)
  })
})
