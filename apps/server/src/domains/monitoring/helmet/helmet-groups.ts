import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/helmet/helmets'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import '../tables.ts'

interface GroupRow {
  id: string
  projectCode: string
  name: string
  remark: string | null
  version: number
  deviceIds: string[]
  online: number
}

async function findGroups(ctx: Context, projects: readonly string[] | undefined, id?: string) {
  const { rows } = await sql<GroupRow>`
    select g.id, g.project_code, g.name, g.remark, g.version, coalesce(array_agg(m.device_id order by m.device_id) filter (where m.device_id is not null), '{}') as device_ids,
      count(*) filter (where l.online)::int as online
    from helmet_group g left join helmet_group_member m on m.group_id = g.id left join device_latest l on l.device_id = m.device_id
    where ${allOf(...inProjects('g.project_code', projects), ...equals('g.id', id))} group by g.id order by g.name, g.id`.execute(ctx.db)
  return rows.map((r) => ({ ...r, count: r.deviceIds.length }))
}

const scopeOf = (ctx: Context) => (ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined)
const getGroup = async (ctx: Context, id: string) => found((await findGroups(ctx, scopeOf(ctx), id))[0], '分组')

async function refuseTakenName(ctx: Context, projectCode: string, name: string, exceptId = ''): Promise<void> {
  const taken = await ctx.db
    .selectFrom('helmetGroup')
    .select('id')
    .where('projectCode', '=', projectCode)
    .where('name', '=', name)
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  if (taken) throw new AppError('refused', '分组名称已存在', { field: 'name' })
}

/** Replaces the helmets of a group; each leaves its previous group. */
async function setMembers(ctx: Context, groupId: string, projectCode: string, deviceIds: readonly string[]): Promise<void> {
  const ids = [...new Set(deviceIds)]
  const { rows } = await sql<{ id: string }>`
    select id from device where id = any (${ids}) and project_code = ${projectCode} and family in ('smartHelmet', 'baseStationHelmet')`.execute(
    ctx.db,
  )
  if (rows.length !== ids.length) throw new AppError('invalidInput', '所选安全帽不存在或不属于本项目', { field: 'deviceIds' })
  await ctx.db.deleteFrom('helmetGroupMember').where('groupId', '=', groupId).execute()
  if (ids.length === 0) return
  await ctx.db
    .insertInto('helmetGroupMember')
    .values(ids.map((deviceId) => ({ deviceId, groupId, projectCode })))
    .onConflict((c) => c.column('deviceId').doUpdateSet({ groupId }))
    .execute()
}

export function helmetGroupRoutes(serve: Serve): void {
  serve(calls.listHelmetGroups, async ({ query }, ctx) => {
    const list = await findGroups(ctx, projectsFor(ctx, query.projectCode))
    return { list, total: list.length }
  })
  serve(calls.createHelmetGroup, createHelmetGroup)
  serve(calls.updateHelmetGroup, updateHelmetGroup)
  serve(calls.deleteHelmetGroup, deleteHelmetGroup)
}

const createHelmetGroup: HandlerOf<typeof calls.createHelmetGroup> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  await refuseTakenName(ctx, projectCode, body.name)
  const id = ctx.newId()
  await ctx.db
    .insertInto('helmetGroup')
    .values({ id, projectCode, name: body.name, remark: body.remark ?? null, createBy: ctx.user.name })
    .execute()
  if (body.deviceIds) await setMembers(ctx, id, projectCode, body.deviceIds)
  ctx.note(`新增安全帽分组：${body.name}`, id)
  return getGroup(ctx, id)
}

const updateHelmetGroup: HandlerOf<typeof calls.updateHelmetGroup> = async ({ params, body }, ctx) => {
  const group = await getGroup(ctx, params.id)
  if (body.name) await refuseTakenName(ctx, group.projectCode, body.name, group.id)
  await changeRow(ctx, 'helmetGroup', {
    key: { id: group.id },
    version: body.version ?? null,
    noun: '分组',
    by: ctx.user.name,
    values: { name: body.name || undefined, remark: body.remark },
  })
  if (body.deviceIds) await setMembers(ctx, group.id, group.projectCode, body.deviceIds)
  ctx.note(`修改安全帽分组：${body.name ?? group.name}`, group.id)
  return getGroup(ctx, group.id)
}

const deleteHelmetGroup: HandlerOf<typeof calls.deleteHelmetGroup> = async ({ params }, ctx) => {
  const group = await getGroup(ctx, params.id)
  if (group.count > 0) throw new AppError('refused', `分组里还有 ${group.count} 顶安全帽，移出后才能删除`)
  await ctx.db.deleteFrom('helmetGroup').where('id', '=', group.id).execute()
  ctx.note(`删除安全帽分组：${group.name}`, group.id)
}
