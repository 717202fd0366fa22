import { codesFor } from '@zhugong/contract/access/codes'
import { createUser, updateRole } from '@zhugong/contract/access/endpoints'
import * as group from '@zhugong/contract/access/group-roles'
import { answerJoin } from '@zhugong/contract/access/joins'
import * as work from '@zhugong/contract/access/role-work'
import { setSight } from '@zhugong/contract/access/sight'
import * as people from '@zhugong/contract/access/users'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { addOrgUser, createOrg } from '@zhugong/contract/organisation/org'
import { addToFolder } from '@zhugong/contract/organisation/project-groups'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { rightsOf } from '#domains/access/find-rights'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { groupNamed, roleOf, type Somebody, somebody } from '../members.ts'
import { freshId } from '../parts/clone-row.ts'
import type { World } from '../world.ts'
import { type Random, randomFrom, sizeOf } from './size.ts'

/**
 * Nobody can grant more than they hold, by any call: accounts with random rights make every granting call; then the rights gained by anybody in the
 * group are compared, by code and project. `GIVING_CASES=5000` for more.
 */
const cases = sizeOf('GIVING_CASES', 150)
const seed = sizeOf('GIVING_SEED', 20261128)

let world: World
let settled: CityWorld
let company: { id: string; projects: string[]; site: string; orgId: string; folder: string }
const today = formatDay(Date.now())
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  const boss = await settled.as('yunze-lu')
  const projects = (await boss.call(listProjects, { query: { size: 100 } })).list.map((one) => one.projectCode).slice(0, 4)
  const id = (await boss.call(getMyInfo)).groupId ?? ''
  const { id: orgId } = await boss.call(createOrg, { body: { name: '试验部', parentId: null } })
  const folder = freshId()
  await world.database.pool.query(`insert into project_group (id, group_id, module, name) values ($1, $2, 'labour', '试验组')`, [
    folder,
    id,
  ])
  company = { id, projects, site: await groupNamed(world, 3, projects[0] ?? ''), orgId, folder }
})
afterAll(() => world.close())

const handing = [
  'role.edit',
  'role.member',
  'role.temp',
  'role.remove',
  'user.edit',
  'user.create',
  'org.member',
  'visible.edit',
  'projectGroup.edit',
  'delegation.set',
]
const possible = codesFor(2)

/** Rights of a member as `code@project`; `code@*` if not restricted to projects. */
async function reach(memberId: string): Promise<Set<string>> {
  const { codes, bounds } = await rightsOf(world.database.kysely, memberId, Date.now())
  return new Set(
    [...codes].flatMap((code) => {
      const projects = bounds.get(code)?.projects
      return projects ? [...projects].map((one) => `${code}@${one}`) : [`${code}@*`, ...company.projects.map((one) => `${code}@${one}`)]
    }),
  )
}

interface Scene {
  actor: Somebody
  target: Somebody
  /** Has the target's role too, but is not named in any call. */
  bystander: Somebody
  targetRole: string
  poolRole: string
}

async function invent(random: Random, name: string): Promise<Scene> {
  const some = (most: number) => random.some(possible, most)
  const tied = () => (random.below(2) ? [random.pick(company.projects)] : undefined)
  // Every second actor holds nearly everything: if all calls were refused, nothing would be tested.
  const strong = random.below(2) ? possible.filter(() => random.below(80) > 0) : some(4)
  const wide = await roleOf(world, company.id, [...new Set([...handing.filter(() => random.below(8) > 0), ...strong, 'project.view'])])
  const narrow = await roleOf(world, company.id, some(12), tied())
  const targetRole = await roleOf(world, company.id, some(6), tied())
  // Rare by chance: a strong role restricted to a folder.
  if (random.below(3) === 0)
    await world.database.pool.query(`update role set data_scope = '4', projects = '{}', project_groups = $2 where id = $1`, [
      targetRole,
      [company.folder],
    ])
  // Showing another project requires a role restricted to projects.
  if (name === 'sight')
    await world.database.pool.query(
      `update role set data_scope = '4', projects = $2, project_groups = '{}', codes = codes || '{home.view,alarm.view}' where id = $1`,
      [targetRole, company.projects.slice(0, 1)],
    )
  const poolRole = await roleOf(world, company.id, random.below(2) ? some(5) : possible.filter(() => random.below(30) === 0), tied())
  const own = [wide, narrow, ...(random.below(2) ? [targetRole] : [])]
  return {
    actor: await somebody(world, company.id, own),
    target: await somebody(world, company.id, [targetRole]),
    bystander: await somebody(world, company.id, [targetRole]),
    targetRole,
    poolRole,
  }
}

type Way = (scene: Scene, random: Random) => Promise<{ status: number; gainer?: string }>
const places = (random: Random) =>
  random.below(2)
    ? { tied: false, projects: [], projectGroups: [] }
    : { tied: true, projects: random.some(company.projects, 3), projectGroups: random.below(2) ? [company.folder] : [] }
const memberOf = async (userId: string) =>
  (await world.database.pool.query<{ id: string }>('select id from member where user_id = $1 and group_id = $2', [userId, company.id]))
    .rows[0]?.id
/** A site's user who is invited into the company and accepts. */
const invited = async (ask: (account: string) => Promise<{ status: number; data: { id: string } }>) => {
  const outsider = await somebody(world, company.site, [])
  const { status, data } = await ask(outsider.account)
  if (status !== 0) return { status }
  const { status: accepted } = await outsider.caller.ask(answerJoin, { params: { id: data.id }, body: { accept: true } })
  return { status: accepted, gainer: await memberOf(outsider.userId) }
}

const ways: Readonly<Record<string, Way>> = {
  addToRole: ({ actor, target, poolRole }) =>
    actor.caller.ask(group.addToRole, { body: { roleId: poolRole, memberIds: [target.memberId, actor.memberId], expireDate: null } }),
  changeRoles: ({ actor, target, poolRole }) =>
    actor.caller.ask(group.changeRoles, { body: { memberIds: [target.memberId], roleIds: [poolRole], expireDate: null } }),
  updateGroupUser: ({ actor, target, poolRole, targetRole }) =>
    actor.caller.ask(group.updateGroupUser, {
      params: { id: target.memberId },
      body: { roleIds: [targetRole, poolRole], expireDate: null, version: 1 },
    }),
  updateUser: ({ actor, target, poolRole, targetRole }) =>
    actor.caller.ask(people.updateUser, {
      params: { id: target.userId },
      body: { name: '某人', expireDate: null, roleIds: [targetRole, poolRole] },
    }),
  createUser: async ({ actor, poolRole }) => {
    const made = await actor.caller.ask(createUser, {
      body: { account: `g${freshId().slice(-14)}`.toLowerCase(), name: '新人', roleIds: [poolRole], expireDate: null },
    })
    return { status: made.status, gainer: made.status === 0 ? await memberOf(made.data.id) : undefined }
  },
  addGroupUser: ({ actor, poolRole }) =>
    invited((account) => actor.caller.ask(group.addGroupUser, { body: { account, roleIds: [poolRole], expireDate: null } })),
  addOrgUser: ({ actor, poolRole }) =>
    invited((account) => actor.caller.ask(addOrgUser, { body: { orgId: company.orgId, account, post: '顾问', roleIds: [poolRole] } })),
  defaultRole: async ({ actor, poolRole }) => {
    const { data } = await actor.caller.ask(group.getDelegation)
    const set = await actor.caller.ask(group.setDelegation, {
      body: {
        ...data?.own,
        makers: 'holder',
        temporary: true,
        temporaryDays: 30,
        defaultDays: null,
        defaultRoleId: poolRole,
        locked: [],
        version: data?.version ?? 0,
      },
    })
    return set.status
      ? set
      : invited((account) => actor.caller.ask(group.addGroupUser, { body: { account, roleIds: [], expireDate: null } }))
  },
  temporary: ({ actor, target }, random) =>
    actor.caller.ask(work.createTempRole, {
      body: {
        name: '临时',
        codes: random.some(possible, 3).concat('home.view'),
        projects: random.below(2) ? null : [random.pick(company.projects)],
        memberIds: [target.memberId],
        startTime: today,
        endTime: addDays(today, 2),
        reason: '试',
      },
    }),
  widenRole: ({ actor, targetRole }, random) =>
    actor.caller.ask(updateRole, {
      params: { id: targetRole },
      body: { name: freshId().slice(-12), codes: random.some(possible, 6).concat('home.view'), remark: '', version: 0 },
    }),
  widenGroupRole: ({ actor, targetRole }, random) =>
    actor.caller.ask(group.updateGroupRole, {
      params: { id: targetRole },
      body: { name: freshId().slice(-12), codes: random.some(possible, 6).concat('home.view'), remark: '', version: 0, ...places(random) },
    }),
  tieRole: ({ actor, targetRole }, random) =>
    actor.caller.ask(group.tieRole, { body: { roleId: targetRole, version: 0, ...places(random) } }),
  replaceRole: ({ actor, targetRole, poolRole }) =>
    actor.caller.ask(work.replaceRole, { params: { id: targetRole }, query: { replaceBy: poolRole } }),
  sight: async ({ actor, target, targetRole }, random) => {
    const [, ...others] = company.projects
    const whom = random.below(2) ? { memberId: target.memberId, roleId: null } : { memberId: null, roleId: targetRole }
    return actor.caller.ask(setSight, {
      body: { ...whom, party: null, projectCode: random.pick(others), shows: true, modules: null, reason: '试', until: null },
    })
  },
  folder: ({ actor }, random) =>
    actor.caller.ask(addToFolder, { body: { projectCodes: [random.pick(company.projects)], groupId: company.folder } }),
}

test('what anybody gains by a call its caller holds himself, there', { timeout: 240_000 }, async () => {
  const random = randomFrom(seed)
  const names = Object.keys(ways)
  const done = new Map<string, number>()
  for (let turn = 0; turn < cases; turn++) {
    const name = names[turn % names.length] ?? ''
    const scene = await invent(random, name)
    await world.database.pool.query('delete from project_group_item where project_group_id = $1', [company.folder])
    const current = await reach(scene.actor.memberId)
    const watched = [scene.actor, scene.target, scene.bystander].map((one) => one.memberId)
    const before = new Map(await Promise.all(watched.map(async (id) => [id, await reach(id)] as const)))
    const { status, gainer } = (await ways[name]?.(scene, random)) ?? { status: -1 }
    if (status === 0) done.set(name, (done.get(name) ?? 0) + 1)
    for (const id of [...watched, ...(gainer ? [gainer] : [])]) {
      const gained = [...(await reach(id))].filter((one) => !before.get(id)?.has(one) && !current.has(one))
      expect({ name, turn, seed, gained }).toEqual({ name, turn, seed, gained: [] })
    }
  }
  // If everything were refused, nothing would be tested.
  expect([...done.keys()].sort()).toEqual(Object.keys(ways).sort())
})
