import { partTypes } from '@zhugong/contract/labour/codes'
import type { Approver, FlowNode, FlowPlace } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import { groupTypes } from '#kit/context'
import type { Db } from '#kit/db'

/**
 * Who decides in a step. Accounts, roles and the parts of companies are read beyond the asker's own sight: a site's correction goes to
 * people of its company whom the site does not see. What is told of them is their name and group.
 */

export interface Person {
  id: string
  name: string
  groupId: string
  groupName: string
}
interface PlaceGroup {
  id: string
  type: number
  name: string
}
/** From where places are looked for. */
export interface Origin {
  ownGroup: string
  projectCode: string | null
  applicantId: string
}
/** A place at a step: a person's, or whoever's that holds a code or a role in the group. */
export interface Seat {
  groupId: string
  userId: string | null
  code: string | null
  roleId: string | null
}
export interface Resolved {
  seats: Seat[]
  /** Who could decide now, for names and for merging steps. */
  people: Person[]
  /** Nobody is there: the administrators have it. */
  fallback: boolean
}
type Lookup = { system: Db; clock: Clock }

const partOf: Partial<Record<FlowPlace, string>> = {
  leader: partTypes.leader,
  owner: partTypes.owner,
  supervisor: partTypes.supervisor,
}

/** The groups that places stand for; none where a project has nobody in that part. */
async function groupsAt({ system }: Lookup, places: readonly FlowPlace[], from: Origin): Promise<PlaceGroup[]> {
  const parts = places.flatMap((place) => partOf[place] ?? [])
  const { rows } = await sql<PlaceGroup>`
    select t.id, t.type, t.name from tenant t where t.enable = '1' and (
      (${places.includes('own')} and t.id = ${from.ownGroup})
      or (${places.includes('platform')} and t.type = ${groupTypes.platform})
      or (${places.includes('site')} and t.type = ${groupTypes.project} and t.code = ${from.projectCode})
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

/** People of groups who are there today and meet a condition on member `m`, role by role where `r` is asked for. */
async function membersWhere({ system, clock }: Lookup, groups: readonly string[], where: ReturnType<typeof sql>): Promise<Person[]> {
  if (groups.length === 0) return []
  const today = new Date(clock.now())
  const { rows } = await sql<Person>`
    select u.id, u.name, t.id as group_id, t.name as group_name
    from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id
      cross join (select (${today}::timestamptz at time zone 'Asia/Shanghai')::date as today) d
    where m.group_id = any (${[...groups]}) and m.enable = '1' and u.enable = '1' and t.enable = '1'
      and (m.deadline is null or m.deadline >= d.today) and (${where})
    order by t.type desc, u.name, u.id limit ${mostPeople}`.execute(system)
  return rows
}
/** More people than this are no answer to who decides. */
const mostPeople = 200

const withRole = (condition: ReturnType<typeof sql>) => sql`exists (
  select 1 from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id and r.groups_type = t.type
    and (mr.deadline is null or mr.deadline >= d.today) and (${condition}))`

const administrators = withRole(sql`r.administrator`)

function conditionOf(by: Approver, from: Origin): ReturnType<typeof sql> {
  switch (by.kind) {
    case 'code':
      return withRole(sql`${by.code} = any (r.codes)`)
    case 'role':
      return withRole(sql`r.id = ${by.roleId}`)
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
      return administrators
  }
}

const seatOf = (p: Person): Seat => ({ groupId: p.groupId, userId: p.id, code: null, roleId: null })

/** Who decides in a step of an item. Never nobody: where no one is there, the administrators of the place or of whoever stands above it. */
export async function resolve(lookup: Lookup, node: FlowNode, from: Origin): Promise<Resolved> {
  const groups = await groupsAt(lookup, node.places, from)
  const ids = groups.map((g) => g.id)
  // Who has asked never decides over it himself.
  const others = (people: Person[]) => people.filter((p) => p.id !== from.applicantId)
  const people = others(await membersWhere(lookup, ids, conditionOf(node.by, from)))
  if (people.length > 0) {
    const { by } = node
    const open = node.mode === 'any' && (by.kind === 'code' || by.kind === 'role')
    const seats = open
      ? ids.map(
          (groupId): Seat => ({
            groupId,
            userId: null,
            code: by.kind === 'code' ? by.code : null,
            roleId: by.kind === 'role' ? by.roleId : null,
          }),
        )
      : people.map(seatOf)
    return { seats, people, fallback: false }
  }
  for (const place of [undefined, 'leader', 'authority', 'platform'] as const) {
    const above = place ? (await groupsAt(lookup, [place], from)).map((g) => g.id) : ids
    const admins = others(await membersWhere(lookup, above, administrators))
    if (admins.length > 0) return { seats: admins.map(seatOf), people: admins, fallback: true }
  }
  return { seats: [], people: [], fallback: true }
}

/** Who looks after a group. */
export const administratorsAt = (lookup: Lookup, groupId: string): Promise<Person[]> => membersWhere(lookup, [groupId], administrators)

/** Who could take a seat now. */
export async function peopleAt(lookup: Lookup, seat: Seat): Promise<Person[]> {
  const where = seat.userId
    ? sql`m.user_id = ${seat.userId}`
    : seat.code
      ? withRole(sql`${seat.code} = any (r.codes)`)
      : withRole(sql`r.id = ${seat.roleId}`)
  return membersWhere(lookup, [seat.groupId], where)
}

/** One of a group's people, or undefined. */
export async function memberOf(lookup: Lookup, groupId: string, userId: string): Promise<Person | undefined> {
  return (await membersWhere(lookup, [groupId], sql`m.user_id = ${userId}`))[0]
}
