import { randomBytes } from 'node:crypto'
import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import { myProjects } from '@zhugong/contract/access/endpoints'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { codesOf, type Endpoint } from '@zhugong/contract/kit/endpoint'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { expect, inject, test } from 'vitest'
import { judge, type RightsFacts } from '#domains/access/rights'
import { hashToken } from '#kit/serve'
import { openCity } from '../city.ts'
import { freshId } from '../parts/clone-row.ts'
import type { Caller, World } from '../world.ts'
import { type Random, randomFrom, sizeOf } from './size.ts'

/**
 * Rights equal a simple reading of the rules, in random worlds of roles, deadlines, restrictions, temporary roles and stopped functions: the worlds
 * are inserted into the database and checked through calls. `RIGHTS_WORLDS=2000` for more.
 */
const worlds = sizeOf('RIGHTS_WORLDS', 200)
const seed = sizeOf('RIGHTS_SEED', 20261127)
const hour = 3_600_000
const everyCode = permissionModules.flatMap((module) => module.permissions.map((one) => one.code))
/** Lists whose rows show the scope of a code. */
const probes: readonly { codes: readonly string[]; endpoint: Endpoint }[] = [
  { codes: ['project.view'], endpoint: listProjects },
  { codes: codesOf(listDevices), endpoint: listDevices },
]
const probed = probes.flatMap((probe) => probe.codes)

// ---- reference implementation: slow and literal
interface Giving {
  codes: string[]
  taken: string[]
  /** Null: the whole group. */
  projects: string[] | null
  on: boolean
  from: number
  /** End, exclusive. */
  to: number
}
interface Person {
  type: number
  on: boolean
  to: number
  givings: Giving[]
  stopped: string[]
  open: string[] | undefined
}
const forGood = Number.POSITIVE_INFINITY

/** Scope of a code: everywhere, certain projects, or undefined for none. */
function mayUse(person: Person, code: string, at: number): 'everywhere' | Set<string> | undefined {
  if (!person.on || at >= person.to) return undefined
  if (!codesFor(person.type).includes(code)) return undefined
  if (person.stopped.includes(code)) return undefined
  if (person.open && !person.open.includes(code)) return undefined
  const places = new Set<string>()
  let found = false
  for (const giving of person.givings) {
    if (!giving.on || at < giving.from || at >= giving.to) continue
    if (!giving.codes.includes(code) || giving.taken.includes(code)) continue
    if (giving.projects === null) return 'everywhere'
    found = true
    for (const project of giving.projects) places.add(project)
  }
  return found ? places : undefined
}
/** One of several codes is enough: the scopes of those held are united. */
function mayUseAny(person: Person, codes: readonly string[], at: number): ReturnType<typeof mayUse> {
  const places = codes.map((code) => mayUse(person, code, at)).filter((where) => where !== undefined)
  if (places.length === 0) return undefined
  return places.includes('everywhere') ? 'everywhere' : new Set(places.flatMap((where) => [...where]))
}
const codesAt = (person: Person, at: number, project?: string): string[] =>
  everyCode.filter((code) => {
    const where = mayUse(person, code, at)
    return where === 'everywhere' || (where !== undefined && (project === undefined || where.has(project)))
  })

// ---- random worlds
const dayOf = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 10)
const endOf = (day: string | null) => (day === null ? forGood : Date.parse(`${day}T00:00:00+08:00`) + 24 * hour)
/** A day close to now, and often none. */
const someDay = (random: Random, now: number) => {
  const days = random.pick([null, null, null, -2, -1, 0, 0, 1, 30])
  return days === null ? null : dayOf(now + days * 24 * hour)
}
const someCodes = (random: Random, type: number) => [
  ...new Set([...random.some(codesFor(type), 12), ...random.some(probed, 2), ...random.some(everyCode, 2)]),
]

interface Tenant {
  id: string
  type: number
  projects: string[]
}
interface Invented extends Person {
  memberId: string
  caller: Caller
}

async function invent(world: World, random: Random, tenant: Tenant, strangers: readonly Tenant[], now: number): Promise<Invented> {
  const { pool } = world.database
  const [memberId, token] = [freshId(), randomBytes(32).toString('base64url')]
  const deadline = random.below(4) ? null : someDay(random, now)
  const on = random.below(12) > 0
  await pool.query(`insert into app_user (id, account, name, password_hash) values ($1, $1, '某人', 'none')`, [memberId])
  await pool.query('insert into member (id, user_id, group_id, deadline, enable) values ($1, $1, $2, $3, $4)', [
    memberId,
    tenant.id,
    deadline,
    on ? '1' : '0',
  ])
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, created_at, seen_at, expires_at, hard_expires_at)
     values ($1, $2, $3, false, 'default', '127.0.0.1', $4, $4, $5, $5)`,
    [hashToken(token), memberId, tenant.id, new Date(now), new Date(now + 400 * 24 * hour)],
  )
  const givings: Giving[] = []
  const wide = random.below(2) === 0
  for (let i = random.below(4); i >= 0; i--) givings.push(await inventRole(pool, random, { tenant, strangers, memberId, now, wide }))
  for (let i = random.below(3); i > 0; i--) givings.push(await inventTemporary(pool, random, { tenant, memberId, now, wide }))
  await pool.query('delete from function_state')
  const stopped = random.below(3) ? [] : random.some(everyCode, 6)
  for (const code of stopped)
    await pool.query(`insert into function_state (code, enable, update_by) values ($1, '0', 'x') on conflict do nothing`, [code])
  return {
    type: tenant.type,
    on,
    to: endOf(deadline),
    givings,
    stopped,
    open: undefined,
    memberId,
    caller: world.caller(token),
  }
}

type Pool = World['database']['pool']
interface Where {
  tenant: Tenant
  memberId: string
  now: number
  /** Some grants of this world are not restricted to projects. */
  wide: boolean
}

async function inventRole(
  pool: Pool,
  random: Random,
  { tenant, strangers, memberId, now, wide }: Where & { strangers: readonly Tenant[] },
) {
  const roleId = freshId()
  // Sometimes a role of another group or group type: it grants nothing.
  const owner = random.below(8) ? tenant : random.pick(strangers)
  const codes = someCodes(random, tenant.type)
  const [roleOn, partOn] = [random.below(8) > 0, random.below(8) > 0]
  const tied = !wide || random.below(2) === 0
  const named = tied ? random.some(tenant.projects, 2) : random.some(tenant.projects, 1)
  const folded = tied && random.below(2) ? random.some(tenant.projects, 2) : []
  const folders = folded.length ? [await inventFolder(pool, tenant, folded)] : []
  const deadline = someDay(random, now)
  await pool.query(
    `insert into role (id, group_id, groups_type, name, codes, enable, role_scope, data_scope, projects, project_groups)
     values ($1, $2, $3, $1, $4, $5, '5', $6, $7, $8)`,
    [roleId, owner.id, owner.type, codes, roleOn ? '1' : '0', tied ? '4' : '2', named, folders],
  )
  await pool.query('insert into member_role (member_id, role_id, deadline, enable) values ($1, $2, $3, $4)', [
    memberId,
    roleId,
    deadline,
    partOn ? '1' : '0',
  ])
  const taken = random.below(3) ? [] : random.some(codes, 3)
  if (taken.length)
    await pool.query(`insert into role_narrowing (role_id, group_id, codes, update_by) values ($1, $2, $3, 'x')`, [
      roleId,
      tenant.id,
      taken,
    ])
  const projects = tied ? [...new Set([...named, ...folded])] : null
  return { codes, taken, projects, on: roleOn && partOn && owner === tenant, from: 0, to: endOf(deadline) }
}

/** A folder within another, each in a module of its own, because a project is in at most one folder per module. */
async function inventFolder(pool: Pool, tenant: Tenant, projects: readonly string[]): Promise<string> {
  const [top, below] = [freshId(), freshId()]
  await pool.query('insert into project_group (id, group_id, name, module) values ($1, $2, $1, $1)', [top, tenant.id])
  await pool.query('insert into project_group (id, group_id, name, module, parent_id) values ($1, $2, $1, $3, $3)', [below, tenant.id, top])
  for (const project of projects)
    await pool.query('insert into project_group_item (project_group_id, project_code) values ($1, $2)', [below, project])
  return top
}

/** A granter per tenant who holds all rights, so that temporary roles are not limited by the granter's. */
async function giverOf(pool: Pool, tenant: Tenant): Promise<string> {
  const id = `giver${tenant.id}`.slice(0, 64)
  const { rowCount } = await pool.query(
    `insert into app_user (id, account, name, password_hash) values ($1, $1, '甲', 'none') on conflict do nothing`,
    [id],
  )
  if (!rowCount) return id
  await pool.query('insert into member (id, user_id, group_id) values ($1, $1, $2)', [id, tenant.id])
  await pool.query(`insert into role (id, group_id, groups_type, name, codes, data_scope) values ($1, $2, $3, $1, $4, '2')`, [
    id,
    tenant.id,
    tenant.type,
    codesFor(tenant.type),
  ])
  await pool.query('insert into member_role (member_id, role_id) values ($1, $1)', [id])
  return id
}

async function inventTemporary(pool: Pool, random: Random, { tenant, memberId, now, wide }: Where): Promise<Giving> {
  const codes = someCodes(random, tenant.type)
  const from = now + random.pick([-48, -24, -1, 1, 24]) * hour
  const to = from + random.pick([1, 23, 25, 72]) * hour
  const projects = wide && random.below(2) ? null : random.some(tenant.projects, 2)
  const on = random.below(6) > 0
  await pool.query(
    `insert into temp_role (id, group_id, name, codes, projects, member_ids, start_time, end_time, reason, grant_by, giver_id)
     values ($1, $2, $1, $3, $4, $5, $6, $7, '试', '甲', $8)`,
    [
      freshId(),
      tenant.id,
      codes,
      projects,
      on ? ['nobody', memberId] : ['nobody'],
      new Date(from),
      new Date(to),
      await giverOf(pool, tenant),
    ],
  )
  return { codes, taken: [], projects, on, from, to }
}

/** Changes rights during a session, in the database and in the reference. */
const changes: ((pool: Pool, random: Random, one: Invented) => Promise<void>)[] = [
  async (pool, _random, one) => {
    await pool.query(`update member set enable = '0' where id = $1`, [one.memberId])
    one.on = false
  },
  async (pool, random, one) => {
    const codes = random.some(probed, 2)
    for (const code of codes)
      await pool.query(
        `insert into function_state (code, enable, update_by) values ($1, '0', 'x') on conflict (code) do update set enable = '0'`,
        [code],
      )
    one.stopped = [...one.stopped, ...codes]
  },
  async (pool, random, one) => {
    const codes = random.some(codesFor(one.type), 5)
    await pool.query('update role set codes = $2 where id in (select role_id from member_role where member_id = $1)', [one.memberId, codes])
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from member_role where member_id = $1', [one.memberId])
    for (const giving of one.givings.slice(0, rows[0]?.n ?? 0)) giving.codes = codes
  },
  async (pool, _random, one) => {
    await pool.query('delete from member_role where member_id = $1', [one.memberId])
    one.givings = one.givings.filter((giving) => giving.from !== 0)
  },
  // Only time passes.
  async () => undefined,
  async () => undefined,
]

test(`[entity-roles] in ${worlds} worlds the calls allow what the rules allow, where they allow it`, async () => {
  const clock = { at: Date.parse('2026-11-20T04:00:00Z'), now: () => clock.at }
  const world = await openCity(inject('postgresUrl'), { clock })
  const { rows } = await world.database.pool.query<{ id: string; type: number; code: string }>(
    'select id, type, code from tenant where type in (1, 2, 3) order by id',
  )
  const random = randomFrom(seed)
  const tenants: Tenant[] = []
  for (const { id, type } of rows) {
    const projects = await wholeOf(world, id, clock.at)
    if (projects.length > (type === 3 ? 0 : 1)) tenants.push({ id, type, projects })
  }
  expect(new Set(tenants.map((one) => one.type)).size).toBe(3)
  const wrong: string[] = []
  const seen = { nothing: 0, everywhere: 0, somewhere: 0 }
  for (let turn = 0; turn < worlds && wrong.length < 10; turn++) {
    clock.at = Date.parse('2026-11-20T00:00:00Z') + random.below(24 * 60) * 60_000
    const tenant = random.pick(tenants)
    const one = await invent(
      world,
      random,
      tenant,
      tenants.filter((other) => other !== tenant),
      clock.at,
    )
    const compare = async (when: string) => {
      for (const fault of await faultsOf(world, one, tenant, clock.at, seen)) wrong.push(`world ${turn} ${when}: ${fault}`)
    }
    await compare('at first')
    await random.pick(changes)(world.database.pool, random, one)
    // Longer than a principal is cached, sometimes into another day.
    clock.at += random.pick([1_000, 1_000, hour, 25 * hour])
    await compare('after a change')
  }
  console.log(
    `${worlds} worlds twice: codes that held everywhere ${seen.everywhere}, somewhere ${seen.somewhere}, nothing at all ${seen.nothing}`,
  )
  await world.close()
  expect(wrong).toEqual([])
  expect(Math.min(seen.everywhere, seen.somewhere, seen.nothing)).toBeGreaterThan(worlds / 10)
}, 0)

/** All projects of a group, read by a member with unrestricted scope. */
async function wholeOf(world: World, groupId: string, now: number): Promise<string[]> {
  const { pool } = world.database
  const [id, token] = [freshId(), randomBytes(32).toString('base64url')]
  await pool.query(`insert into app_user (id, account, name, password_hash) values ($1, $1, '某人', 'none')`, [id])
  await pool.query('insert into member (id, user_id, group_id) values ($1, $1, $2)', [id, groupId])
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, created_at, seen_at, expires_at, hard_expires_at)
     values ($1, $2, $3, false, 'default', '', $4, $4, $5, $5)`,
    [hashToken(token), id, groupId, new Date(now), new Date(now + hour)],
  )
  const areas = await world.caller(token).call(myProjects)
  return areas.flatMap((area) => area.projects.map((project) => project.code))
}

async function faultsOf(
  world: World,
  one: Invented,
  tenant: Tenant,
  at: number,
  seen: Record<'nothing' | 'everywhere' | 'somewhere', number>,
) {
  const faults: string[] = []
  const current = codesAt(one, at)
  if (current.length === 0) seen.nothing++
  const info = await one.caller.call(getMyInfo)
  const reported = (what: string, given: readonly string[], wanted: readonly string[]) => {
    const [a, b] = [[...new Set(given)].sort(), [...new Set(wanted)].sort()]
    if (JSON.stringify(a) === JSON.stringify(b)) return
    faults.push(`${what}: too many ${a.filter((x) => !b.includes(x))}, missing ${b.filter((x) => !a.includes(x))}`)
  }
  reported('codes', info.operator, current)
  for (const project of tenant.projects.slice(0, 2)) {
    const there = await world.caller(one.caller.token, project).ask(getMyInfo)
    reported(`codes at ${project}`, there.status === 0 ? there.data.operator : [], codesAt(one, at, project))
  }
  for (const { codes, endpoint } of probes) {
    const code = codes.join()
    const where = mayUseAny(one, codes, at)
    seen[where === undefined ? 'nothing' : where === 'everywhere' ? 'everywhere' : 'somewhere']++
    const answer = await one.caller.ask(endpoint as typeof listProjects, { query: { size: 1000 } })
    if ((answer.status === 0) !== (where !== undefined)) faults.push(`${code}: ${answer.http} ${answer.message}`)
    else if (where !== undefined) {
      const whole = where === 'everywhere' ? tenant.projects : tenant.projects.filter((project) => where.has(project))
      const given = answer.data.list.map((row) => row.projectCode)
      if (code === 'project.view') reported(`${code} reaches`, given, whole)
      else
        reported(
          `${code} reaches`,
          given.filter((project) => !whole.includes(project)),
          [],
        )
    }
  }
  return faults
}

test(`in ${worlds} worlds with applications the judgement is the reference's`, () => {
  const random = randomFrom(seed + 1)
  const at = Date.parse('2026-11-20T04:00:00Z')
  let narrowedByApps = 0
  for (let turn = 0; turn < worlds; turn++) {
    const type = random.below(4)
    const list = (most: number) => (random.below(2) ? null : random.some(['P1', 'P2', 'P3'], most))
    const roles = Array.from({ length: random.below(5) }, (_, i) => {
      const codes = someCodes(random, type)
      const taken = random.some(codes, 3)
      return { id: `${i}`, name: `${i}`, codes, taken, enabled: random.below(4) > 0, deadline: someDay(random, at), projects: list(2) }
    })
    const temporary = Array.from({ length: random.below(3) }, (_, i) => {
      const from = at + random.pick([-30, -1, 0, 1]) * hour
      return {
        id: `${i}`,
        name: `${i}`,
        codes: someCodes(random, type),
        taken: [],
        projects: list(2),
        from,
        to: from + random.pick([1, 2, 40]) * hour,
      }
    })
    const open = random.below(3) ? random.some(codesFor(type), 60) : undefined
    const stopped = random.some(codesFor(type), 4)
    const [enabled, deadline] = [random.below(10) > 0, random.below(3) ? null : someDay(random, at)]
    const facts: RightsFacts = { groupsType: type, enabled, deadline, roles, temporary, stopped, open: open ? new Set(open) : 'every' }
    const person: Person = {
      type,
      on: enabled,
      to: endOf(deadline),
      stopped,
      open,
      givings: [
        ...roles.map((r) => ({ ...r, projects: r.projects, on: r.enabled, from: 0, to: endOf(r.deadline) })),
        ...temporary.map((t) => ({ ...t, on: true })),
      ],
    }
    const rights = judge(facts, at)
    for (const code of everyCode) {
      const where = mayUse(person, code, at)
      const given = rights.codes.has(code) ? (rights.bounds.get(code)?.projects ?? 'everywhere') : undefined
      expect([turn, code, given === undefined || given === 'everywhere' ? given : [...given].sort()]).toEqual([
        turn,
        code,
        where === undefined || where === 'everywhere' ? where : [...where].sort(),
      ])
    }
    if (open && mayUse({ ...person, open: undefined }, 'project.view', at) && !mayUse(person, 'project.view', at)) narrowedByApps++
  }
  expect(narrowedByApps).toBeGreaterThan(worlds / 50)
})
