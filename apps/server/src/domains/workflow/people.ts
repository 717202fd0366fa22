import { partTypes } from '@zhugong/contract/labour/codes'
import type { Approver, FlowNode, FlowPlace } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import { groupTypes } from '#kit/context'
import type { Db } from '#kit/db'
import { pick } from '#kit/pick'
import { isValidIn } from '#kit/reach'
import { rightsOf } from '../access/public.ts'
import type { NamedPerson } from './model.ts'

/**
 * Finds the approvers of a step. Reads accounts, roles and companies' parts without row-level security: a site's correction goes to
 * people of its company whom the site cannot see. Only their names and groups are shown.
 */

export interface Person {
  id: string
  name: string
  groupId: string
  groupName: string
  memberId: string
  /** Whether some of the person's rights are limited to projects; which ones is checked by `reaching`. */
  tied: boolean
}
interface PlaceGroup {
  id: string
  type: number
  name: string
}
/** The starting point from which places are resolved. */
export interface Origin {
  ownGroup: string
  projectCode: string | null
  applicantId: string
  /** The responsible company of the item. */
  corpCode: string | null
  /** The people whom the item names. */
  named: readonly NamedPerson[]
}
/** A seat at a step: of one person, or of anyone in the group who holds a permission code or role. */
export interface Seat {
  groupId: string
  userId: string | null
  code: string | null
  roleId: string | null
}
export interface Resolved {
  seats: Seat[]
  /** People who could decide now; used for names and for merging steps. */
  people: Person[]
  /** True if no approver was found and the administrators take the step. */
  fallback: boolean
}
type Lookup = { system: Db; clock: Clock }

const partOf: Partial<Record<FlowPlace, string>> = {
  ...pick(partTypes, 'leader', 'owner', 'supervisor'),
}

/** The groups that places refer to; empty if nobody has that part in the project. */
async function groupsAt({ system }: Lookup, places: readonly FlowPlace[], from: Origin): Promise<PlaceGroup[]> {
  const parts = places.flatMap((place) => partOf[place] ?? [])
  const { rows } = await sql<PlaceGroup>`
    select t.id, t.type, t.name from tenant t where t.enable = '1' and (
      (${places.includes('own')} and t.id = ${from.ownGroup})
      or (${places.includes('platform')} and t.type = ${groupTypes.platform})
      or (${places.includes('site')} and t.type = ${groupTypes.project} and t.code = ${from.projectCode})
      or (${places.includes('corp')} and t.type = ${groupTypes.corporation} and t.code = ${from.corpCode})
      or (t.type = ${groupTypes.corporation} and exists (select 1 from project_corp pc where pc.corp_code = t.code
        and pc.project_code = ${from.projectCode} and pc.corp_type = any (${parts}) and pc.exit_time is null))
      or (${places.includes('authority')} and t.type = ${groupTypes.government} and t.code = coalesce(
        (select p.supervise_org from project p where p.project_code = ${from.projectCode}),
        (select g.parent_gov_code from tenant o join government g on g.gov_code = o.code where o.id = ${from.ownGroup} and o.type = ${groupTypes.government})))
      or (${places.includes('above')} and t.type = ${groupTypes.government} and t.code in (
        with recursive up as (
          select g.gov_code, g.parent_gov_code from government g join project p on p.supervise_org = g.gov_code where p.project_code = ${from.projectCode}
          union select g.gov_code, g.parent_gov_code from government g join up on up.parent_gov_code = g.gov_code)
        select gov_code from up)))
    order by t.type desc, t.id`.execute(system)
  return rows
}

/** The permission code needed to decide any item. */
export const auditCode = 'approval.audit'

/** The projects to which role `r` of member `m` is limited, if its data scope is 4 (named projects). */
export const projectsOfRole = sql`select unnest(r.projects) union select i.project_code from project_group_item i where i.project_group_id in (
  with recursive down as (
    select g.id from project_group g where g.id = any (r.project_groups) and g.group_id = m.group_id
    union select g.id from project_group g join down d on g.parent_id = d.id)
  select id from down)`

/** Active members of the groups who meet a condition on member `m`. If the condition uses `r`, it is tested per role. */
async function membersWhere({ system, clock }: Lookup, groups: readonly string[], where: ReturnType<typeof sql>): Promise<Person[]> {
  if (groups.length === 0) return []
  const today = new Date(clock.now())
  const { rows } = await sql<Person>`
    select u.id, u.name, t.id as group_id, t.name as group_name, m.id as member_id,
      exists (select 1 from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id and r.data_scope = '4')
      or exists (select 1 from sight_rule s where s.group_id = m.group_id
        and (s.member_id = m.id or s.role_id in (select mr.role_id from member_role mr where mr.member_id = m.id))) as tied
    from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id
      cross join (select (${today}::timestamptz at time zone 'Asia/Shanghai')::date as today) d
    where m.group_id = any (${[...groups]}) and m.enable = '1' and u.enable = '1' and t.enable = '1'
      and (m.deadline is null or m.deadline >= d.today) and (${where})
    order by t.type desc, u.name, u.id limit ${mostPeople}`.execute(system)
  return rows
}
/** Limit of people resolved per step. */
const mostPeople = 200

/** Members with a role that meets the condition and is valid in the project; without a project, in any. */
const withRole = (condition: ReturnType<typeof sql>, projectCode: string | null) => sql`exists (
  select 1 from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id and r.groups_type = t.type
    and (mr.deadline is null or mr.deadline >= d.today) and (${condition})
    and (${projectCode}::text is null or r.data_scope is distinct from '4' or ${projectCode} in (${projectsOfRole})
      or exists (select 1 from sight_rule s where s.shows and s.project_code = ${projectCode} and (s.member_id = m.id or s.role_id = r.id))))`

/**
 * Those of the people whose rights are valid in the project: whoever's role is limited to other projects does not decide here. `code` is
 * the code that a seat asks for. A person without that code is kept, as in groups without limits.
 */
export async function reaching(
  { system, clock }: Lookup,
  people: readonly Person[],
  projectCode: string | null,
  code: string = auditCode,
): Promise<Person[]> {
  if (projectCode === null) return [...people]
  const kept = await Promise.all(
    people.map(async (person) => {
      if (!person.tied) return true
      const rights = await rightsOf(system, person.memberId, clock.now())
      return !rights.codes.has(code) || isValidIn(rights, code, projectCode)
    }),
  )
  return people.filter((_, i) => kept[i])
}

const isAdministrator = sql`r.administrator`

function conditionOf(by: Approver, from: Origin): ReturnType<typeof sql> {
  switch (by.kind) {
    case 'code':
      return withRole(sql`${by.code} = any (r.codes)`, from.projectCode)
    case 'role':
      return withRole(sql`r.id = ${by.roleId}`, from.projectCode)
    case 'users':
      return sql`m.user_id = any (${[...by.userIds]})`
    case 'post':
      return sql`exists (select 1 from org_member om where om.member_id = m.id and om.post = ${by.post})`
    case 'head':
      return sql`exists (select 1 from org_member om where om.member_id = m.id and om.is_head)`
    case 'superior':
      return sql`exists (select 1 from org_member om join org_member mine on mine.org_id = om.org_id join member me on me.id = mine.member_id
        where om.member_id = m.id and om.is_head and me.user_id = ${from.applicantId})`
    case 'admin':
      return withRole(isAdministrator, from.projectCode)
  }
}

const seatOf = (p: Person): Seat => ({ groupId: p.groupId, userId: p.id, code: null, roleId: null })

/**
 * The approvers of a step, limited to people whose rights are valid in the item's project. Never empty: if there are none, the
 * administrators of the place or of the group above it take the step.
 */
export async function resolve(lookup: Lookup, node: FlowNode, from: Origin): Promise<Resolved> {
  const groups = await groupsAt(lookup, node.places, from)
  const ids = groups.map((g) => g.id)
  // Applicants never decide on their own items.
  const others = (people: Person[]) => people.filter((p) => p.id !== from.applicantId)
  const code = node.by.kind === 'code' ? node.by.code : auditCode
  const found = others(await membersWhere(lookup, ids, conditionOf(node.by, from)))
  const byPlace = await reaching(lookup, found, from.projectCode, code)
  const named = node.places.includes('named') ? others(await namedPeople(lookup, from)) : []
  const added = named.filter((one) => !byPlace.some((p) => p.id === one.id && p.groupId === one.groupId))
  const people = [...byPlace, ...added]
  if (people.length > 0) {
    const { by } = node
    const open = node.mode === 'any' && (by.kind === 'code' || by.kind === 'role')
    const ofGroup = (groupId: string): Seat => ({
      groupId,
      userId: null,
      code: by.kind === 'code' ? by.code : null,
      roleId: by.kind === 'role' ? by.roleId : null,
    })
    const seats = open ? [...ids.map(ofGroup), ...added.map(seatOf)] : people.map(seatOf)
    return { seats, people, fallback: false }
  }
  // A step that only the record could have filled goes to the administrators of the applicant's group first.
  const first = ids.length === 0 && node.places.includes('named') ? [from.ownGroup] : ids
  for (const place of [undefined, 'leader', 'authority', 'platform'] as const) {
    const above = place ? (await groupsAt(lookup, [place], from)).map((g) => g.id) : first
    const admins = await reaching(
      lookup,
      others(await membersWhere(lookup, above, withRole(isAdministrator, from.projectCode))),
      from.projectCode,
    )
    if (admins.length > 0) return { seats: admins.map(seatOf), people: admins, fallback: true }
  }
  return { seats: [], people: [], fallback: true }
}

/** The active accounts among those the item names. */
async function namedPeople(lookup: Lookup, { named, projectCode }: Origin): Promise<Person[]> {
  const [users, groups] = [named.map((one) => one.userId), named.map((one) => one.groupId)]
  const where = sql`(m.user_id, m.group_id) in (select * from unnest(${users}::text[], ${groups}::text[]))`
  return reaching(lookup, await membersWhere(lookup, [...new Set(groups)], where), projectCode)
}

/** The administrators of a group. */
export const administratorsAt = (lookup: Lookup, groupId: string): Promise<Person[]> =>
  membersWhere(lookup, [groupId], withRole(isAdministrator, null))

/** The people who could take a seat of an item of this project now. */
export async function peopleAt(lookup: Lookup, seat: Seat, projectCode: string | null): Promise<Person[]> {
  const where = seat.userId
    ? sql`m.user_id = ${seat.userId}`
    : seat.code
      ? withRole(sql`${seat.code} = any (r.codes)`, projectCode)
      : withRole(sql`r.id = ${seat.roleId}`, projectCode)
  return reaching(lookup, await membersWhere(lookup, [seat.groupId], where), projectCode, seat.code ?? auditCode)
}

/** The active members of a group whose rights are valid in the project, by name. */
export const membersFor = async (lookup: Lookup, groupId: string, projectCode: string | null): Promise<Person[]> =>
  reaching(lookup, await membersWhere(lookup, [groupId], sql`true`), projectCode)

/** A member of a group; undefined if the user is not one. */
export async function memberOf(lookup: Lookup, groupId: string, userId: string): Promise<Person | undefined> {
  return (await membersWhere(lookup, [groupId], sql`m.user_id = ${userId}`))[0]
}
