import type { RangeRule } from '@zhugong/contract/apps/grant-endpoints'
import type { rangePeople as call, RangePerson } from '@zhugong/contract/apps/range-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { type Context, found, groupTypes, requireCode } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf } from '#kit/serve'

/** Returns the caller's own group, or a group of the caller's branch. */
async function getGroup(ctx: Context, id: string) {
  const { rows } = await sql<{ id: string; type: number; code: string; name: string }>`
    select id, type, code, name from zg_branch() where id = ${id}`.execute(ctx.db)
  return found(rows[0], '机构')
}

/** Saves who in a group gets an app. Departments, roles and accounts must belong to the group. */
export async function saveRange(
  ctx: Context,
  at: { groupId: string; appId: string },
  rule: RangeRule,
  version: number | null,
): Promise<void> {
  requireCode(ctx, 'appRange.edit')
  const group = await getGroup(ctx, at.groupId)
  await requireKnown(ctx, group, rule)
  const key = { groupId: at.groupId, appId: at.appId }
  const value = { rule: JSON.stringify(rule) }
  if (version === null) {
    await ctx.db
      .insertInto('appRange')
      .values({ ...key, ...value, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name })
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? changedMeanwhile('授权范围') : error
      })
    return
  }
  await changeRow(ctx, 'appRange', { key, version, noun: '授权范围', by: ctx.user.name, values: value })
}

async function requireKnown(ctx: Context, group: { id: string; type: number; code: string }, rule: RangeRule): Promise<void> {
  const users = [
    ...new Set([...rule.userIds, ...rule.exceptIds, ...rule.units.flatMap((unit) => unit.userIds), ...Object.keys(rule.until)]),
  ]
  const corps = rule.units.map((unit) => unit.corpCode)
  // Access to the group was checked above. Its people are visible only with the scope of that group.
  const { rows } = await sql<{ users: number; orgs: number; roles: number; corps: number }>`
    select (select count(*)::int from member where group_id = ${group.id} and user_id = any (${users})) as users,
      (select count(*)::int from org_node where group_id = ${group.id} and id = any (${rule.orgIds})) as orgs,
      (select count(*)::int from role where groups_type = ${group.type} and (group_id is null or group_id = ${group.id}) and id = any (${rule.roleIds})) as roles,
      (select count(distinct corp_code)::int from project_corp where project_code = ${group.type === groupTypes.project ? group.code : ''}
        and corp_code = any (${corps}) and exit_time is null) as corps`.execute(ctx.system)
  const known = rows[0]
  const wrong =
    known?.users !== users.length
      ? '人员不在该机构'
      : known.orgs !== new Set(rule.orgIds).size
        ? '部门不在该机构'
        : known.roles !== new Set(rule.roleIds).size
          ? '角色不在该机构'
          : known.corps !== new Set(corps).size
            ? '单位不在该项目或已退场'
            : undefined
  if (wrong) throw new AppError('invalidInput', `所选${wrong}`, { field: 'range' })
}

export const rangePeople: HandlerOf<typeof call> = async ({ query }, ctx) => {
  const group = await getGroup(ctx, query.groupId)
  const people = await sql<RangePerson>`
    with recursive above as (
      select o.member_id, n.id, n.parent_id, n.name from org_member o join org_node n on n.id = o.org_id where o.group_id = ${group.id}
      union select a.member_id, n.id, n.parent_id, n.name from above a join org_node n on n.id = a.parent_id)
    select u.id as user_id, u.name, u.account,
      coalesce((select array_agg(distinct a.id) from above a where a.member_id = m.id), '{}') as org_ids,
      coalesce((select array_agg(distinct n.name) from org_member o join org_node n on n.id = o.org_id where o.member_id = m.id), '{}') as org_names,
      coalesce((select array_agg(distinct o.post) from org_member o where o.member_id = m.id and o.post <> ''), '{}') as posts,
      coalesce((select array_agg(r.id) from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id), '{}') as role_ids,
      coalesce((select array_agg(r.name) from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id), '{}') as role_names,
      coalesce((select array_agg(distinct c.code) from member x join tenant c on c.id = x.group_id and c.type = 2
        join project_corp pc on pc.project_code = ${group.code} and pc.corp_code = c.code and pc.exit_time is null where x.user_id = u.id), '{}') as corps,
      exists (select 1 from member_role mr join role r on r.id = mr.role_id join app a on a.id = ${query.appId ?? ''}
        where mr.member_id = m.id and (r.codes && a.codes)) as holds,
      (select max(p.day)::text from app_use p where p.group_id = ${group.id} and p.user_id = u.id and p.app_id = ${query.appId ?? ''}) as last_used
    from member m join app_user u on u.id = m.user_id where m.group_id = ${group.id} and m.enable = '1' and u.enable = '1' order by u.name, u.id`.execute(
    ctx.system,
  )
  const orgs = await sql<{ id: string; name: string; parentId: string | null }>`
    select id, name, parent_id from org_node where group_id = ${group.id} and enable = '1' order by sort, id`.execute(ctx.system)
  const roles = await sql<{ id: string; name: string }>`
    select id, name from role where groups_type = ${group.type} and (group_id is null or group_id = ${group.id}) order by group_id nulls first, name`.execute(
    ctx.system,
  )
  const units =
    group.type === groupTypes.project
      ? await sql<{ corpCode: string; name: string; part: string }>`
          select distinct on (pc.corp_code) pc.corp_code, c.corp_name as name, pc.corp_type as part from project_corp pc join corporation c using (corp_code)
          where pc.project_code = ${group.code} and pc.exit_time is null order by pc.corp_code, pc.corp_type`.execute(ctx.system)
      : { rows: [] }
  return {
    people: people.rows,
    orgs: orgs.rows,
    roles: roles.rows,
    posts: [...new Set(people.rows.flatMap((one) => one.posts))].sort(),
    units: units.rows.map((unit) => ({ ...unit, part: dictName('corpType', unit.part) ?? unit.part })),
  }
}
