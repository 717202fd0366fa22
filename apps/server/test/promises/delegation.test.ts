import { randomBytes } from 'node:crypto'
import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import { createRole, createUser, removeRole, switchUser, updateRole } from '@zhugong/contract/access/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { expect, inject, test } from 'vitest'
import { hashToken } from '#kit/serve'
import { openCity, settleCity } from '../city.ts'
import { freshId } from '../parts/clone-row.ts'
import type { Caller, World } from '../world.ts'
import { inParallel, type Random, randomFrom, sizeOf } from './size.ts'

/**
 * Nobody grants more than they hold: random worlds of groups, roles and people, and every way of granting, compared with an independent reference
 * implementation. `DELEGATION_CASES=100000` for the full size.
 */
const cases = sizeOf('DELEGATION_CASES', 600)
const casesPerWorld = 300
const seed = sizeOf('DELEGATION_SEED', 20261122)

interface Group {
  id: string
  type: number
}
interface Role {
  id: string
  /** Null: a role delivered with the product. */
  group: string | null
  type: number
  codes: string[]
}
interface Actor {
  id: string
  group: Group
  /** `until`: the last day, null = unlimited. */
  roles: { role: Role; over: boolean; until: string | null }[]
  caller: Caller
}
interface Small {
  groups: Group[]
  roles: Role[]
  actors: Actor[]
}
interface Case {
  endpoint: Endpoint
  input: unknown
  allowed: boolean
  what: string
}

const everyCode = permissionModules.flatMap((module) => module.permissions.map((one) => one.code))
const handing = ['role.edit', 'role.remove', 'role.view', 'user.create', 'user.switch', 'user.view']

// ---- reference implementation
const typeHolds = new Map([0, 1, 2, 3].map((type) => [type, new Set(codesFor(type))]))
const keptBy = (actor: Actor): Set<string> =>
  new Set(actor.roles.flatMap(({ role, over }) => (over ? [] : role.codes)).filter((code) => typeHolds.get(actor.group.type)?.has(code)))
/** Codes the actor may grant without an end. */
const keptForGood = (actor: Actor): Set<string> => keptBy({ ...actor, roles: actor.roles.filter((one) => one.until === null) })
/** Codes the actor may put into a role, given the longest assignment of that role. */
function mayChange(world: Small, actor: Actor, role: Role): Set<string> {
  const uses = world.actors.flatMap((one) => one.roles.filter((r) => r.role === role))
  return uses.some((one) => one.until === null) ? keptForGood(actor) : keptBy(actor)
}
const holdsAll = (current: ReadonlySet<string>, codes: readonly string[]) => codes.every((code) => current.has(code))
const isOwn = (actor: Actor, role: Role) => role.group === actor.group.id
const isInReach = (actor: Actor, role: Role) => role.type === actor.group.type && (role.group === null || isOwn(actor, role))

const ways: ((random: Random, world: Small, actor: Actor) => Case)[] = [
  (random, _world, actor) => {
    const current = keptBy(actor)
    const codes = mixed(random, [...current])
    return {
      endpoint: createRole,
      input: { body: { name: freshId().slice(0, 12), codes, remark: '' } },
      allowed: current.has('role.edit') && holdsAll(current, codes),
      what: `a role with ${codes}`,
    }
  },
  (random, world, actor) => {
    const current = keptBy(actor)
    const role = random.pick(random.below(3) ? world.roles.filter((one) => isOwn(actor, one)) : world.roles)
    const codes = [...new Set([...role.codes.filter(() => random.below(10) > 0), ...(random.below(2) ? mixed(random, [...current]) : [])])]
    const changed = [...codes.filter((c) => !role.codes.includes(c)), ...role.codes.filter((c) => !codes.includes(c))]
    return {
      endpoint: updateRole,
      input: { params: { id: role.id }, body: { name: freshId().slice(0, 12), codes, remark: '', version: 0 } },
      allowed: current.has('role.edit') && isOwn(actor, role) && holdsAll(mayChange(world, actor, role), changed),
      what: `role ${role.id} of ${role.group} changed by ${changed}`,
    }
  },
  (random, world, actor) => {
    const role = random.pick(world.roles)
    const inUse = world.actors.some((one) => one.roles.some((r) => r.role === role))
    return {
      endpoint: removeRole,
      input: { params: { id: role.id } },
      allowed: keptBy(actor).has('role.remove') && isOwn(actor, role) && !inUse,
      what: `role ${role.id} of ${role.group} removed`,
    }
  },
  (random, world, actor) => {
    const current = keptBy(actor)
    const choice = random.below(4) ? world.roles.filter((one) => isInReach(actor, one)) : world.roles
    const roles = [random.pick(choice), ...random.some(choice, 1)]
    return {
      endpoint: createUser,
      input: { body: { account: `p${freshId().slice(0, 14)}`, name: '新来的人', roleIds: [...new Set(roles.map((one) => one.id))] } },
      allowed: current.has('user.create') && roles.every((role) => isInReach(actor, role) && holdsAll(keptForGood(actor), role.codes)),
      what: `an account with the roles ${roles.map((one) => one.id)}`,
    }
  },
  (random, world, actor) => {
    const target = random.pick(random.below(3) ? world.actors.filter((one) => one.group === actor.group) : world.actors)
    const current = keptBy(actor)
    // The platform may disable accounts of any other group.
    const mayReach = target.group === actor.group ? holdsAll(current, [...keptBy(target)]) : actor.group.type === 0
    const allowed = current.has('user.switch') && target !== actor && mayReach
    return {
      endpoint: switchUser,
      // Only disabled if it will be refused: disabling ends sessions outside of the rolled-back transaction.
      input: { body: { id: target.id, status: allowed ? '1' : random.pick(['0', '1']) } },
      allowed,
      what: `${target.id} of ${target.group.id} switched`,
    }
  },
]

/** Some of the held codes, and often others. */
const mixed = (random: Random, current: string[]) => [
  ...new Set([...random.some(current, 4), ...(random.below(2) ? random.some(everyCode, 2) : [])]),
]

// ---- random worlds
async function invent(world: World, random: Random, delivered: readonly Role[], groups: readonly Group[]): Promise<Small> {
  const { pool } = world.database
  const chosen = [0, 1, 1, 2, 2, 3, 3].map((type, i) => {
    const list = groups.filter((one) => one.type === type)
    return list[(random.below(list.length) + i) % list.length] as Group
  })
  const own: Role[] = []
  for (const group of new Set(chosen))
    for (let i = 0; i < 4; i++) {
      // Sometimes a code the group type cannot hold, as in a role from an older version.
      const codes = [
        ...new Set([
          ...random.some(handing, 7),
          ...random.some(codesFor(group.type), 8),
          ...(random.below(4) ? [] : random.some(everyCode, 3)),
        ]),
      ]
      own.push({ id: freshId(), group: group.id, type: group.type, codes })
    }
  for (const { id, group, type, codes } of own)
    await pool.query('insert into role (id, group_id, groups_type, name, codes) values ($1, $2, $3, $1, $4)', [id, group, type, codes])
  const roles = [...own, ...delivered]
  const actors: Actor[] = []
  for (const group of new Set(chosen))
    for (let i = 0; i < 4; i++) {
      const reach = roles.filter(
        (role) => role.type === group.type && (role.group === null ? random.below(3) === 0 : role.group === group.id),
      )
      const existing = [...new Set([random.pick(reach), ...random.some(reach, 2)])].map((role) => {
        const over = random.below(6) === 0
        return { role, over, until: over ? '2026-01-01' : random.pick([null, null, '2099-12-31']) }
      })
      const [id, token] = [freshId(), randomBytes(32).toString('base64url')]
      await pool.query(`insert into app_user (id, account, name, password_hash, must_change) values ($1, $1, '某人', 'none', false)`, [id])
      await pool.query('insert into member (id, user_id, group_id) values ($1, $1, $2)', [id, group.id])
      for (const { role, until } of existing)
        await pool.query('insert into member_role (member_id, role_id, deadline) values ($1, $2, $3)', [id, role.id, until])
      await pool.query(
        `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
         values ($1, $2, $3, false, 'default', '127.0.0.1', now() + interval '3 hours', now() + interval '4 hours')`,
        [hashToken(token), id, group.id],
      )
      actors.push({ id, group, roles: existing, caller: world.caller(token) })
    }
  return { groups: [...new Set(chosen)], roles, actors }
}

test(`nobody grants more than he holds: ${cases} cases`, async () => {
  const world = await openCity(inject('postgresUrl'), {}, { keepsChanges: false })
  await settleCity(world)
  const { rows: groups } = await world.database.pool.query<Group>('select id, type from tenant order by id')
  const { rows: delivered } = await world.database.pool.query<Role>(
    'select id, group_id as "group", groups_type as type, codes from role where group_id is null',
  )
  const random = randomFrom(seed)
  const wrong: string[] = []
  const count = { granted: 0, refused: 0 }
  for (let done = 0; done < cases && wrong.length < 20; done += casesPerWorld) {
    const small = await invent(world, random, delivered, groups)
    await inParallel(Math.min(casesPerWorld, cases - done), 8, async () => {
      const actor = random.pick(small.actors)
      const { endpoint, input, allowed, what } = random.pick(ways)(random, small, actor)
      const answer = await actor.caller.ask(endpoint, input as never)
      const granted = answer.status === 0
      if (granted !== allowed || answer.http >= 500)
        wrong.push(
          `${granted ? 'ESCALATION' : 'refused for nothing'}: ${actor.id} (type ${actor.group.type}) ${what}: ${answer.http} ${answer.message}`,
        )
      count[granted ? 'granted' : 'refused']++
    })
  }
  console.log(
    `${count.granted + count.refused} cases: ${count.granted} granted, ${count.refused} refused, ${wrong.length} otherwise than the reference`,
  )
  await world.close()
  expect(wrong).toEqual([])
  expect(Math.min(count.granted, count.refused)).toBeGreaterThan(cases / 20)
}, 0)
