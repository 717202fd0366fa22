import * as contract from '@zhugong/contract/organisation/brand'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { rulesOf } from './groups.ts'

/** Rules for a group's own organisation, and how far it complies. */
export function orgRuleRoutes(serve: Serve) {
  serve(contract.getOrgRules, getOrgRules)
  serve(contract.applyOrgTemplate, applyOrgTemplate)
}

const ownTenant = async (ctx: Context) =>
  found(await ctx.db.selectFrom('tenant').selectAll().where('id', '=', ctx.group.id).executeTakeFirst(), '机构')

const getOrgRules: HandlerOf<typeof contract.getOrgRules> = async (_, ctx) => {
  const tenant = await ownTenant(ctx)
  const rules = rulesOf(tenant)
  const { rows } = await sql<{ post: string; name: string; roleIds: string[] }>`
    select o.post, u.name, array(select mr.role_id from member_role mr where mr.member_id = m.id) as role_ids
    from org_member o join member m on m.id = o.member_id join app_user u on u.id = m.user_id
    where o.group_id = ${ctx.group.id} and m.enable = '1' and u.enable = '1' order by u.name`.execute(ctx.db)
  const roles = await ctx.db.selectFrom('role').select(['id', 'name']).execute()
  return {
    ...pick(tenant, 'id', 'updateBy', 'version'),
    rules,
    missingDepartments: await missing(ctx, rules),
    posts: rules.posts.map(({ post, isKey, roleId }) => {
      const holders = rows.filter((row) => row.post === post)
      return {
        post,
        isKey,
        roleName: roles.find((role) => role.id === roleId)?.name ?? null,
        holders: holders.map((row) => row.name),
        without: roleId ? holders.filter((row) => !row.roleIds.includes(roleId)).length : 0,
      }
    }),
    updateTime: tenant.updateTime && formatInstant(tenant.updateTime),
  }
}

async function missing(ctx: Context, rules: contract.OrgRules): Promise<string[]> {
  const rows = await ctx.db.selectFrom('orgNode').select('name').where('groupId', '=', ctx.group.id).execute()
  const there = new Set(rows.map((row) => row.name))
  return [...new Set(rules.departments)].filter((name) => !there.has(name))
}

/** Creates the missing departments of the template: below the first root, or as roots if there is none. */
const applyOrgTemplate: HandlerOf<typeof contract.applyOrgTemplate> = async (_, ctx) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`org ${ctx.group.id}`}, 0))`.execute(ctx.db)
  const made = await missing(ctx, rulesOf(await ownTenant(ctx)))
  const tops = await ctx.db
    .selectFrom('orgNode')
    .select(['id', 'sort'])
    .where('groupId', '=', ctx.group.id)
    .where('parentId', 'is', null)
    .orderBy('sort')
    .execute()
  const parentId = tops.length === 1 ? (tops[0]?.id ?? null) : null
  const { n } = await ctx.db
    .selectFrom('orgNode')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('groupId', '=', ctx.group.id)
    .where('parentId', parentId ? '=' : 'is', parentId)
    .executeTakeFirstOrThrow()
  for (const [i, name] of made.entries())
    await ctx.db
      .insertInto('orgNode')
      .values({ id: ctx.newId(), groupId: ctx.group.id, parentId, name, sort: n + i })
      .execute()
  ctx.note(`按模板新增 ${made.length} 个部门：${made.join('、')}`, ctx.group.id)
  return { made }
}

/** The default roles of a post in the caller's group, for members without a given role. */
export async function rolesOfPost(ctx: Context, post: string): Promise<string[]> {
  const roleId = rulesOf(await ownTenant(ctx)).posts.find((one) => one.post === post)?.roleId
  return roleId ? [roleId] : []
}
