import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { GroupType, Rights } from '#kit/context'
import type { Db } from '#kit/db'
import { pick } from '#kit/pick'
import { openCodes } from './open-codes.ts'
import { changesAt, judge, type RightsFacts, type TemporaryFact } from './rights.ts'
import { findScope } from './scope.ts'
import { settle } from './sight.ts'
import { type GivenTemporary, worthNow } from './temporary-worth.ts'

interface Remembered {
  version: number
  until: number
  rights: Promise<Rights>
}
/** Cache of rights by membership, per database. The limit covers the users of a large city who are active at the same time. */
const remembered = new WeakMap<Db, Map<string, Remembered>>()
const mostRemembered = 20_000

const nobody: Rights = { codes: new Set(), bounds: new Map() }

/**
 * The current rights of a membership. Recomputed when the version of the facts changes; triggers increment the version in the
 * transaction that changes the facts. `db` is the pool, never a request's transaction, because rights do not depend on the viewer.
 */
export async function rightsOf(db: Db, memberId: string, now: number): Promise<Rights> {
  const version = await versionOf(db, memberId)
  if (version === undefined) return nobody
  const known = remembered.get(db) ?? new Map<string, Remembered>()
  remembered.set(db, known)
  const before = known.get(memberId)
  if (before && before.version === version && now < before.until) return before.rights
  if (known.size >= mostRemembered) known.clear()
  // The facts may be newer than the version; the only effect is one additional read.
  const facts = await factsOf(db, memberId, now)
  if (!facts) return nobody
  const rights = judge(facts, now)
  known.set(memberId, { version, until: changesAt(facts, now), rights: Promise.resolve(rights) })
  return rights
}

/**
 * The rights a membership would have if it were active. Needed when a membership is reactivated or extended: that grants all of them,
 * although it grants nothing while stopped or expired.
 */
export async function rightsAtWork(db: Db, memberId: string, now: number): Promise<Rights> {
  const facts = await factsOf(db, memberId, now)
  return facts ? judge({ ...facts, enabled: true, deadline: null }, now) : nobody
}

/** Version of the facts behind the rights of a group; each relevant change increments it. Undefined if the membership does not exist. */
async function versionOf(db: Db, memberId: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select coalesce((select sum(v.version) from permission_version v where v.group_id in ('', m.group_id)), 0)::float8 as version
    from member m where m.id = ${memberId}`.execute(db)
  return rows[0]?.version
}

interface RawFacts {
  userId: string
  groupId: string
  groupsType: number
  enabled: boolean
  deadline: string | null
  roles: RightsFacts['roles'] | null
  temporary: GivenTemporary[] | null
  stopped: string[] | null
  hand: RightsFacts['hand'] | null
}

/** Temporary roles can be granted from a temporary role; longer chains of givers have no effect. */
const longestChain = 4

/**
 * All facts that decide the rights of a membership, including past and future temporary roles. `through` lists the memberships already
 * visited, so that two members who grant to each other gain nothing.
 */
export async function factsOf(db: Db, memberId: string, now: number, through: readonly string[] = []): Promise<RightsFacts | undefined> {
  const { rows } = await sql<RawFacts>`
    select m.user_id, m.group_id, t.type as groups_type, m.deadline::text as deadline,
      m.enable = '1' and u.enable = '1' and t.enable = '1' as enabled,
      (select json_agg(json_build_object('id', r.id, 'name', r.name, 'codes', r.codes, 'taken', coalesce(n.codes, '{}'),
          'enabled', r.enable = '1' and mr.enable = '1', 'deadline', mr.deadline, 'projects', case when r.data_scope = '4' then
            array(select unnest(r.projects) union
              select i.project_code from project_group_item i where i.project_group_id in (
                with recursive down as (
                  select g.id from project_group g where g.id = any (r.project_groups) and g.group_id = m.group_id
                  union select g.id from project_group g join down d on g.parent_id = d.id)
                select id from down)) end))
        from member_role mr join role r on r.id = mr.role_id and r.groups_type = t.type and (r.group_id is null or r.group_id = m.group_id)
          left join role_narrowing n on n.role_id = r.id and n.group_id = m.group_id
        where mr.member_id = m.id) as roles,
      (select json_agg(json_build_object('id', x.id, 'name', x.name, 'codes', x.codes, 'projects', x.projects,
          'from', (extract(epoch from x.start_time) * 1000)::bigint, 'to', (extract(epoch from x.end_time) * 1000)::bigint,
          'giver', (select g.id from member g where g.group_id = x.group_id and g.user_id = x.giver_id)))
        from temp_role x where x.group_id = m.group_id and m.id = any (x.member_ids)) as temporary,
      (select json_agg(json_build_object('roleId', s.role_id, 'shows', s.shows, 'projectCode', s.project_code, 'modules', s.modules,
          'codes', s.codes, 'until', s.until))
        from sight_rule s where s.group_id = m.group_id and (s.member_id = m.id
          or s.role_id in (select mr.role_id from member_role mr where mr.member_id = m.id))) as hand,
      (select array_agg(f.code) from function_state f where f.enable = '0') as stopped
    from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id where m.id = ${memberId}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  return {
    ...pick(row, 'groupsType', 'enabled', 'deadline'),
    roles: row.roles ?? [],
    temporary: await worthOf(db, row.temporary ?? [], now, [...through, memberId]),
    stopped: row.stopped ?? [],
    hand: row.hand ?? [],
    open: await openCodes(db, row.groupId, row.userId, formatDay(now)),
  }
}

/** Limits temporary roles to what their givers hold now. Expired ones are returned as granted. */
async function worthOf(
  db: Db,
  given: readonly GivenTemporary[],
  now: number,
  through: readonly string[],
): Promise<RightsFacts['temporary']> {
  const givers = new Set(given.flatMap(({ giver, to }) => (giver !== null && to > now ? [giver] : [])))
  const existing = new Map(
    await Promise.all([...givers].map(async (giver) => [giver, await giverRights(db, giver, now, through)] as const)),
  )
  return given.flatMap((one): TemporaryFact[] => {
    const { giver, ...role } = one
    if (role.to <= now) return [{ ...role, taken: [] }]
    const known = giver === null ? undefined : existing.get(giver)
    return worthNow(one, known?.rights).map((part) => ({ ...part, judgedUntil: known?.until }))
  })
}

async function giverRights(db: Db, memberId: string, now: number, through: readonly string[]) {
  if (through.includes(memberId) || through.length > longestChain) return undefined
  const facts = await factsOf(db, memberId, now, through)
  if (!facts) return undefined
  const rights = judge(facts, now)
  const until = changesAt(facts, now)
  // Projects hidden by hand are exceptions to the group's scope, so the scope is needed to resolve them.
  if (![...rights.bounds.values()].some((bound) => bound.except)) return { rights, until }
  const member = await db
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .select(['m.userId', 't.id', 't.type', 't.code', 't.name', 't.areaCode'])
    .where('m.id', '=', memberId)
    .executeTakeFirstOrThrow()
  const { userId, type, ...group } = member
  const scope = await findScope(db, { ...group, type: type as GroupType }, userId)
  return { rights: settle(rights, scope, new Map()), until }
}
