import type * as contract from '@zhugong/contract/organisation/org'
import { dormantDays, orgMember } from '@zhugong/contract/organisation/org'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, type Condition, condition, contains, equals, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'

export interface RawMember {
  id: string
  name: string
  account: string
  phoneMask: string | null
  places: contract.OrgMember['places']
  roleNames: string[]
  deadline: string | null
  lastLoginAt: Date | null
  enable: string
  createTime: Date
}

/** The members of the caller's group, one row each, even with several departments. */
export const members = (ctx: Pick<Context, 'group'>) => sql`
  select m.id, u.name, u.account, u.phone_mask, m.deadline::text as deadline, u.last_login_at, m.create_time,
    case when u.enable = '1' and m.enable = '1' then '1' else '0' end as enable,
    array(select r.name from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id order by r.name) as role_names,
    (select coalesce(json_agg(json_build_object('orgId', n.id, 'orgName', n.name, 'post', o.post, 'isHead', o.is_head, 'version', o.version)
        order by o.is_head desc, n.name), '[]')
      from org_member o join org_node n on n.id = o.org_id where o.member_id = m.id) as places,
    (select count(*)::int from org_member o where o.member_id = m.id) as place_count,
    exists (select 1 from org_member o where o.member_id = m.id and o.is_head) as leads
  from member m join app_user u on u.id = m.user_id where m.group_id = ${ctx.group.id}`

type View = (typeof contract.memberViews)[number]
export type MemberQuery = Partial<NonNullable<(typeof contract.listOrgMembers)['types']>['parsed']['query']>

/** The condition of each view, used by both figures and list. */
export const viewConditions = (ctx: Pick<Context, 'clock'>): Record<View, Condition> => ({
  unplaced: condition(sql`m.place_count = 0`),
  dormant: condition(sql`coalesce(m.last_login_at, m.create_time) < ${new Date(ctx.clock.now() - dormantDays * 86_400_000)}`),
  several: condition(sql`m.place_count > 1`),
  head: condition(sql`m.leads`),
})

export function memberConditions(ctx: Pick<Context, 'clock' | 'group'>, query: MemberQuery): Condition {
  const branch = query.below
    ? sql`(with recursive down as (select id from org_node where id = ${query.orgId} and group_id = ${ctx.group.id}
        union select n.id from org_node n join down d on n.parent_id = d.id) select id from down)`
    : sql`(select ${query.orgId}::text)`
  return allOf(
    ...(query.orgId ? [condition(sql`exists (select 1 from org_member o where o.member_id = m.id and o.org_id in ${branch})`)] : []),
    ...contains('m.name', query.name),
    ...contains('m.account', query.account),
    ...(query.post
      ? [condition(sql`exists (select 1 from org_member o where o.member_id = m.id and ${allOf(...contains('o.post', query.post))})`)]
      : []),
    ...equals('m.enable', query.enable),
    ...(query.view ? [viewConditions(ctx)[query.view]] : []),
  )
}

/** `rank`: heads of the shown department first, then by post and name. */
export const memberOrder = (query: Pick<MemberQuery, 'sort' | 'orgId'>) =>
  orderBy(
    query.sort,
    {
      rank: sql`(select not bool_or(o.is_head) from org_member o where o.member_id = m.id and (${query.orgId ?? null}::text is null or o.org_id = ${query.orgId ?? null})),
        (select min(o.post) from org_member o where o.member_id = m.id and (${query.orgId ?? null}::text is null or o.org_id = ${query.orgId ?? null})), m.name`,
      name: 'm.name',
      lastLogin: 'm.lastLoginAt',
      createTime: 'm.createTime',
    },
    'rank',
    'm.id',
  )

export async function countMembers(ctx: Pick<Context, 'db' | 'group'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${members(ctx)}) m where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const toMember = (m: RawMember): contract.OrgMember =>
  rowOf(orgMember, m, {
    phone: m.phoneMask,
    lastLogin: m.lastLoginAt ? formatInstant(m.lastLoginAt) : null,
    createTime: formatInstant(m.createTime),
  })
