import { dayAfter, endingDays } from '@zhugong/contract/apps/codes'
import * as contract from '@zhugong/contract/apps/grant-endpoints'
import { moduleOfFamily } from '@zhugong/contract/exports/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, requireProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { countGrants, countGroups, figuresOf, findGrants, findGroups } from './grant-rows.ts'

/** By group, unless an app or a group is named. */
export const listGrants: HandlerOf<typeof contract.listGrants> = async ({ query }, ctx) => {
  const byGrant = query.view ? query.view === 'grants' : Boolean(query.appId ?? query.groupId)
  const { view: _, sort, ...filters } = query
  if (!byGrant) {
    requireLedger(ctx)
    const request = { ...filters, sort: sortOf(contract.grantSorts.groups, sort) }
    return { list: await findGroups(ctx, request, pageSlice(query)), total: await countGroups(ctx, request) }
  }
  // A caller who may only arrange apps sees only the grants of the own group.
  if (!ctx.codes.has('grant.view') && !ctx.codes.has('grant.pass') && !ctx.codes.has('appRange.edit')) filters.groupId = ctx.group.id
  const request = { ...filters, sort: sortOf(contract.grantSorts.grants, sort) }
  return { list: await findGrants(ctx, request, pageSlice(query)), total: await countGrants(ctx, request) }
}

/** The allowed sort keys depend on the view that answers the call. */
function sortOf<Sort>(sorts: z.ZodType<Sort>, sort: string | undefined): Sort {
  const parsed = sorts.safeParse(sort)
  if (!parsed.success) throw new AppError('invalidInput', parsed.error.issues[0]?.message ?? '排序不正确', { field: 'sort' })
  return parsed.data
}

function requireLedger(ctx: Pick<Context, 'codes'>): void {
  if (!ctx.codes.has('grant.view')) throw new AppError('forbidden', '您没有此项权限（grant.view）', { code: 'grant.view' })
}

export const grantFigures: HandlerOf<typeof contract.grantFigures> = (_input, ctx) => figuresOf(ctx)

/** The groups of the caller's branch without the caller's own. */
export const grantTargets: HandlerOf<typeof contract.grantTargets> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{
    id: string
    name: string
    type: number
    code: string
    areaCode: string | null
    apps: number
    ending: number
  }>`
    select b.id, b.name, b.type, b.code, b.area_code, count(distinct g.app_id)::int as apps,
      (count(distinct g.app_id) filter (where g.deadline <= ${dayAfter(today, endingDays)}::date))::int as ending
    from zg_branch() b left join app_grant g on g.group_id = b.id and g.revoked_at is null
    where b.id <> ${ctx.group.id} and b.enable = '1'
    group by b.id, b.name, b.type, b.code, b.area_code order by b.type, b.area_code, b.name`.execute(ctx.db)
  const list = rows.filter(
    (row) => (!query.name || row.name.includes(query.name)) && (!query.type?.length || query.type.includes(String(row.type))),
  )
  return { list: list.map(({ areaCode, ...row }) => ({ ...row, areaName: areaName(areaCode) })), total: list.length }
}

export const getGrant: HandlerOf<typeof contract.getGrant> = async ({ params }, ctx) => {
  const [grant] = await findGrants(ctx, { id: params.id })
  const row = found(grant, '授权')
  const { rows } = await sql<{ id: string; groupName: string; deadline: string | null }>`
    with recursive below as (
      select id, group_id, deadline from app_grant where parent_id = ${row.id} and revoked_at is null
      union all select g.id, g.group_id, g.deadline from app_grant g join below b on g.parent_id = b.id where g.revoked_at is null)
    select b.id, t.name as group_name, b.deadline from below b join zg_branch() t on t.id = b.group_id order by t.name`.execute(ctx.db)
  const looks = await ctx.system
    .selectFrom('auditLog')
    .select(['at', 'userName', 'summary'])
    .where('objectId', '=', row.id)
    .orderBy('at', 'desc')
    .limit(50)
    .execute()
  return { ...row, below: rows, history: looks.map((one) => ({ at: formatInstant(one.at), by: one.userName, summary: one.summary })) }
}

/** Gates have no module of their own: they belong to attendance. */
const moduleOf = (family: string): string => moduleOfFamily[family] ?? 'attendance'

export const projectGrants: HandlerOf<typeof contract.projectGrants> = async ({ query }, ctx) => {
  requireProject(ctx, query.projectCode)
  const project = found(
    await ctx.db
      .selectFrom('project')
      .select(['projectCode', 'name', 'category', 'areaCode'])
      .where('projectCode', '=', query.projectCode)
      .executeTakeFirst(),
    '项目',
  )
  const { rows } = await sql<{
    id: string
  }>`select id from zg_branch() where type = ${groupTypes.project} and code = ${project.projectCode}`.execute(ctx.db)
  const group = found(rows[0], '项目组')
  const grants = await findGrants(ctx, { groupId: group.id })
  const devices = await sql<{ family: string; n: number }>`
    select family, count(*)::int as n from device where project_code = ${project.projectCode} group by family`.execute(ctx.db)
  const modules = await ctx.db.selectFrom('app').select(['id', 'modules']).execute()
  const modulesOf = new Map(modules.map((app) => [app.id, app.modules]))
  const available = await sql<AvailableApp>`
    select a.id, a.name, a.summary, a.icon, c.name as category_name from app a join app_category c on c.id = a.category_id
    where not a.base and a.enable = '1' and ${groupTypes.project} = any (a.group_types)
      and not exists (select 1 from app_grant g where g.group_id = ${group.id} and g.app_id = a.id and g.revoked_at is null)
    order by a.sort`.execute(ctx.db)
  return {
    list: grants
      .toSorted((a, b) => a.sort - b.sort)
      .map((grant) => ({
        ...grant,
        devices: devices.rows.reduce((sum, one) => sum + (modulesOf.get(grant.appId)?.includes(moduleOf(one.family)) ? one.n : 0), 0),
      })),
    total: grants.length,
    project: { code: project.projectCode, name: project.name, category: project.category, areaCode: project.areaCode, groupId: group.id },
    offered: available.rows,
  }
}
interface AvailableApp {
  id: string
  name: string
  summary: string
  icon: string
  categoryName: string
}
