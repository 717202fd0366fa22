import type * as contract from '@zhugong/contract/documents/calls'
import { type GrantInput, securityLevels } from '@zhugong/contract/documents/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { readKnown } from './places.ts'
import { type Known, requireAction } from './rights.ts'
import { closeTo, openUp } from './writes.ts'

interface Grantee {
  kind: 'user' | 'role'
  id: string
  name: string
  groupName: string
}
const mostGrantees = 1000

/**
 * Persons and roles of the groups that see a document's place: of the project and its companies, or of the own group. The database lets no
 * request read the members of other groups, so they are asked of the system, for a place that the caller manages.
 */
async function candidates(ctx: Context, { projectCode }: Pick<Known, 'projectCode'>): Promise<Grantee[]> {
  const groups =
    projectCode === null
      ? sql`t.id = ${ctx.group.id}`
      : sql`(t.type = ${groupTypes.project} and t.code = ${projectCode}) or (t.type = ${groupTypes.corporation}
          and t.code in (select c.corp_code from project_corp c where c.project_code = ${projectCode}))`
  const { rows } = await sql<Grantee>`
    with places as (select t.id, t.name from tenant t where ${groups}),
      members as (select m.id, m.user_id, u.name, p.name as group_name from member m join places p on p.id = m.group_id
        join app_user u on u.id = m.user_id where m.enable = '1')
    select 'role' as kind, r.id, r.name, '' as group_name from role r where r.id in (
      select x.role_id from member_role x join members m on m.id = x.member_id)
    union all
    (select distinct on (m.user_id) 'user', m.user_id, m.name, m.group_name from members m order by m.user_id, m.group_name)
    order by 1, 4, 3 limit ${mostGrantees}`.execute(ctx.system)
  return rows
}

/** Levels that the gates above a document leave to a person or role: it may be given no more. */
async function leftAbove(ctx: Context, row: Known, { kind, id }: Pick<GrantInput, 'kind' | 'id'>): Promise<number> {
  const above = row.gates.filter((gate) => gate !== row.id)
  if (above.length === 0) return Number.POSITIVE_INFINITY
  const matches =
    kind === 'role'
      ? sql`x.role_id = ${id}`
      : sql`(x.user_id = ${id} or x.role_id in (select r.role_id from member m join member_role r on r.member_id = m.id
          where m.user_id = ${id} and m.enable = '1'))`
  const { rows } = await sql<{
    level: number
  }>`select coalesce(min(coalesce(l.level, 0)), 0)::int as level from unnest(${above}::text[]) g(id)
    left join lateral (select max(x.level) as level from document_grant x where x.document_id = g.id and ${matches}) l on true`.execute(
    ctx.system,
  )
  return rows[0]?.level ?? 0
}

export const listGrantees: HandlerOf<typeof contract.documentGrantees> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const row = await readKnown(ctx, id)
  requireAction(ctx, row, 'share')
  const list = []
  for (const one of await candidates(ctx, row)) if ((await leftAbove(ctx, row, one)) > 0) list.push(one)
  return { list }
}

/** Says anew to whom a document is open. Nobody: as its folder, unless it is restricted. */
export async function share(ctx: Context, row: Known, grants: readonly GrantInput[]): Promise<void> {
  const known = new Map((await candidates(ctx, row)).map((one) => [`${one.kind} ${one.id}`, one]))
  const given = []
  for (const [i, grant] of grants.entries()) {
    const one = known.get(`${grant.kind} ${grant.id}`)
    if (!one) throw new AppError('invalidInput', '只能共享给看得到该位置的人员或角色', { field: `grants.${i}.id` })
    if ((await leftAbove(ctx, row, grant)) < grant.level)
      throw new AppError('invalidInput', `上级目录没有给${one.name}这么大的权限，共享只能收窄`, { field: `grants.${i}.level` })
    given.push({
      userId: grant.kind === 'user' ? grant.id : null,
      roleId: grant.kind === 'role' ? grant.id : null,
      name: one.name,
      level: grant.level,
    })
  }
  if (given.length === 0 && row.security !== securityLevels.restricted) {
    if (row.gates.includes(row.id)) await openUp(ctx, row.id)
    return
  }
  await closeTo(ctx, row.id, given)
}
