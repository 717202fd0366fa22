import { codesFor } from '@zhugong/contract/access/codes'
import { createRole, removeRole, updateRole } from '@zhugong/contract/access/endpoints'
import * as group from '@zhugong/contract/access/group-roles'
import { answerJoin } from '@zhugong/contract/access/joins'
import * as work from '@zhugong/contract/access/role-work'
import { updateUser } from '@zhugong/contract/access/users'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { addOrgUser, createOrg } from '@zhugong/contract/organisation/org'
import * as folders from '@zhugong/contract/organisation/project-groups'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../../../test/members.ts'
import { freshId } from '../../../test/parts/clone-row.ts'
import type { World } from '../../../test/world.ts'

/** Indirect ways to get or give rights. */

let world: World
let settled: CityWorld
let company: { id: string; code: string; projects: string[] }
const today = formatDay(Date.now())
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  const boss = await settled.as('yunze-lu')
  const { list } = await boss.call(listProjects, { query: { size: 100 } })
  const { groupId } = await boss.call(getMyInfo)
  const { rows } = await world.database.pool.query<{ code: string }>('select code from tenant where id = $1', [groupId])
  company = { id: groupId ?? '', code: rows[0]?.code ?? '', projects: list.map((one) => one.projectCode) }
})
afterAll(() => world.close())

async function folder(projects: readonly string[], parentId: string | null = null): Promise<string> {
  const id = freshId()
  await world.database.pool.query(`insert into project_group (id, group_id, module, name, parent_id) values ($1, $2, 'labour', $3, $4)`, [
    id,
    company.id,
    id.slice(-20),
    parentId,
  ])
  for (const code of projects) {
    await world.database.pool.query(`delete from project_group_item where project_code = $1 and module = 'labour' and group_id = $2`, [
      code,
      company.id,
    ])
    await world.database.pool.query('insert into project_group_item (project_group_id, project_code) values ($1, $2)', [id, code])
  }
  return id
}
/** A role limited to the projects of a folder. */
async function tiedTo(folderId: string, codes: readonly string[]): Promise<string> {
  const id = await roleOf(world, company.id, codes, [])
  await world.database.pool.query('update role set project_groups = $2 where id = $1', [id, [folderId]])
  return id
}

test('whoever fills a folder widens the roles that end at it: only what he holds himself', async () => {
  const [p, q] = company.projects as [string, string]
  const target = await folder([p])
  const below = await folder([], target)
  const beside = await folder([q])
  const strong = await tiedTo(target, ['personnel.view', 'personnel.sensitive'])
  const keeper = await somebody(world, company.id, [
    strong,
    await roleOf(world, company.id, ['projectGroup.edit', 'projectGroup.view', 'project.view']),
  ])
  const ask = (body: object) => keeper.caller.ask(folders.addToFolder, { body: { projectCodes: [q], groupId: target, ...body } })
  expect(await ask({})).toMatchObject({ http: 403 })
  expect(await ask({ groupId: below })).toMatchObject({ http: 403 })
  const { version } = await keeper.caller.call(folders.getFolder, { params: { id: beside } })
  const moved = await keeper.caller.ask(folders.updateFolder, { params: { id: beside }, body: { parentId: target, version } })
  expect(moved).toMatchObject({ http: 403 })
  expect(await keeper.caller.ask(folders.removeFolder, { params: { id: beside }, query: { moveTo: target } })).toMatchObject({ http: 403 })
  // Allowed where the roles already reach, and for a caller who holds all their permissions.
  expect(await keeper.caller.ask(folders.addToFolder, { body: { projectCodes: [p], groupId: below } })).toMatchObject({ status: 0 })
  const boss = await somebody(world, company.id, [await roleOf(world, company.id, codesFor(2))])
  expect(await boss.caller.ask(folders.addToFolder, { body: { projectCodes: [q], groupId: target } })).toMatchObject({ status: 0 })
})

test('where only administrators make roles nobody else changes, ties, replaces or removes one', async () => {
  const holder = await somebody(world, company.id, [await roleOf(world, company.id, codesFor(2))])
  const { id } = await holder.caller.call(createRole, { body: { name: '试用角色', codes: ['home.view'], remark: '' } })
  const { version } = await holder.caller.call(group.relatedProjects, { query: { roleId: id } })
  await world.database.pool.query(
    `insert into delegation_rule (group_id, rules, locked, update_by, version) values ($1, $2, '{}', 'x', 0)
     on conflict (group_id) do update set rules = excluded.rules`,
    [
      company.id,
      JSON.stringify({
        defaultRoleId: null,
        makers: 'administrator',
        temporary: true,
        temporaryDays: 30,
        defaultDays: 60,
        secondFactor: false,
      }),
    ],
  )
  const body = { name: '试用角色', codes: ['home.view'], remark: '', version }
  const places = { tied: true, projects: [company.projects[0] ?? ''], projectGroups: [] }
  const answers = {
    update: await holder.caller.ask(updateRole, { params: { id }, body }),
    updateOfGroup: await holder.caller.ask(group.updateGroupRole, { params: { id }, body: { ...body, ...places } }),
    tie: await holder.caller.ask(group.tieRole, { body: { roleId: id, version, ...places } }),
    replace: await holder.caller.ask(work.replaceRole, { params: { id }, query: {} }),
    remove: await holder.caller.ask(removeRole, { params: { id } }),
    create: await holder.caller.ask(createRole, { body: { name: '另一个', codes: ['home.view'], remark: '' } }),
  }
  for (const [what, { message }] of Object.entries(answers))
    expect([what, message]).toEqual([what, expect.stringContaining('只允许管理员')])
})

test('the usual end is set by every call that gives a role without one', async () => {
  const boss = await somebody(world, company.id, [await roleOf(world, company.id, codesFor(2))])
  const role = await roleOf(world, company.id, ['home.view'])
  const { id: orgId } = await boss.caller.call(createOrg, { body: { name: '临聘部', parentId: null } })
  const usual = addDays(today, 60)
  const endsOf = async ({ userId }: Somebody) =>
    (
      await world.database.pool.query<{ ends: string | null }>(
        `select coalesce(mr.deadline, m.deadline)::text as ends from member m join member_role mr on mr.member_id = m.id
         where m.user_id = $1 and m.group_id = $2 and mr.role_id = $3`,
        [userId, company.id, role],
      )
    ).rows[0]?.ends
  const site = await groupNamed(world, 3, company.projects[0] ?? '')
  const [byOrg, byGroup] = [await somebody(world, site, []), await somebody(world, site, [])]
  const first = await boss.caller.call(addOrgUser, { body: { orgId, account: byOrg.account, post: '顾问', roleIds: [role] } })
  await byOrg.caller.call(answerJoin, { params: { id: first.id }, body: { accept: true } })
  const second = await boss.caller.call(group.addGroupUser, { body: { account: byGroup.account, roleIds: [role], expireDate: null } })
  await byGroup.caller.call(answerJoin, { params: { id: second.id }, body: { accept: true } })
  const [byEdit, byAccount] = [await somebody(world, company.id, []), await somebody(world, company.id, [])]
  await boss.caller.call(group.updateGroupUser, {
    params: { id: byEdit.memberId },
    body: { roleIds: [role], expireDate: null, version: 0 },
  })
  await boss.caller.call(updateUser, { params: { id: byAccount.userId }, body: { name: '某人', expireDate: null, roleIds: [role] } })
  const byRole = await somebody(world, company.id, [])
  await boss.caller.call(group.addToRole, { body: { roleId: role, memberIds: [byRole.memberId], expireDate: null } })
  for (const [how, who] of Object.entries({ byOrg, byGroup, byEdit, byAccount, byRole }))
    expect([how, await endsOf(who)]).toEqual([how, usual])
})

test('what the platform took from a role the company above it does not give back, whatever version it guesses', async () => {
  const site = await groupNamed(world, 3, company.projects[0] ?? '')
  const role = await roleOf(world, site, ['home.view', 'alarm.view', 'labour.view'])
  const platform = await settled.as('admin')
  const boss = await somebody(world, company.id, [await roleOf(world, company.id, codesFor(2))])
  const narrow = (codes: string[], version: number) => ({ body: { roleId: role, groupId: site, codes, reason: '试', version } })
  await platform.call(work.narrowRole, narrow(['alarm.view'], 0))
  for (const version of [0, 1, 2]) expect((await boss.caller.ask(work.narrowRole, narrow([], version))).status).not.toBe(0)
  expect((await boss.caller.ask(work.narrowRole, narrow([], 1))).message).toContain('只能由其或平台恢复')
  // The higher group may take more, and restore what it took itself.
  expect(await boss.caller.ask(work.narrowRole, narrow(['alarm.view', 'labour.view'], 1))).toMatchObject({ status: 0 })
  expect(await boss.caller.ask(work.narrowRole, narrow(['alarm.view'], 2))).toMatchObject({ status: 0 })
  expect(await platform.ask(work.narrowRole, narrow([], 3))).toMatchObject({ status: 0 })
})
