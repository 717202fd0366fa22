import type * as contract from '@zhugong/contract/access/group-roles'
import { groupRole } from '@zhugong/contract/access/group-roles'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { requireMaker } from './delegation.ts'
import { requireHeld } from './held.ts'
import {
  changeRole,
  differenceWords,
  ownRole,
  reachOfRole,
  readableRole,
  requireReach,
  saveRole,
  symmetricDifference,
} from './role-calls.ts'
import { projectsOfPlaces } from './role-places.ts'
import { findRole, toRole } from './role-rows.ts'
import { dataScopeOf } from './roles.ts'

/** The projects and folders a role is limited to. */
interface Places {
  tied: boolean
  projects: readonly string[]
  projectGroups: readonly string[]
}
const tiedScope = '4'

const placesOf = (role: Pick<Row<'role'>, 'dataScope' | 'projects' | 'projectGroups'>): Places => ({
  tied: role.dataScope === tiedScope,
  projects: role.projects,
  projectGroups: role.projectGroups,
})
const columnsOf = (ctx: Context, places: Places) => ({
  dataScope: places.tied ? tiedScope : dataScopeOf(ctx.group.type),
  projects: [...places.projects],
  projectGroups: [...places.projectGroups],
})

/**
 * Projects must be in the caller's scope and folders the group's own. A limit without any project is refused, because the role would
 * have no effect.
 */
async function requirePlaces(ctx: Context, places: Places): Promise<string[] | null> {
  if (!places.tied) return null
  if (places.projects.length + places.projectGroups.length === 0)
    throw new AppError('invalidInput', '请选择项目或项目组，或改为本组全部', { field: 'projects' })
  const { scope } = ctx.principal
  if (!scope.all && places.projects.some((code) => !scope.projects.includes(code)))
    throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projects' })
  if (places.projectGroups.length) {
    const folders = await ctx.db
      .selectFrom('projectGroup')
      .select('id')
      .where('groupId', '=', ctx.group.id)
      .where('id', 'in', [...places.projectGroups])
      .execute()
    if (folders.length !== new Set(places.projectGroups).size)
      throw new AppError('notFound', '项目组不存在或已删除', { field: 'projectGroups' })
  }
  return projectsOfPlaces(ctx, { projects: [...places.projects], projectGroups: [...places.projectGroups] })
}

export const getGroupRole: HandlerOf<typeof contract.getGroupRole> = async ({ params }, ctx) => {
  const row = await readableRole(ctx, params.id)
  const role = found(await ctx.db.selectFrom('role').selectAll().where('id', '=', row.id).executeTakeFirst(), '角色')
  const template = role.templateId ? await findRole(ctx.db, role.templateId) : undefined
  const narrowing = await ctx.db
    .selectFrom('roleNarrowing')
    .select('codes')
    .where('roleId', '=', role.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  const people = await ctx.db
    .selectFrom('memberRole as mr')
    .innerJoin('member as m', 'm.id', 'mr.memberId')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select(['m.id as memberId', 'm.userId', 'u.name', 'mr.deadline'])
    .where('mr.roleId', '=', role.id)
    .where('m.groupId', '=', ctx.group.id)
    .orderBy('u.name')
    .execute()
  const { rows } = await sql<{ n: number }>`
    select count(distinct user_id)::int as n from session
    where group_id = ${ctx.group.id} and user_id = any (${people.map((one) => one.userId)}) and expires_at > ${new Date(ctx.clock.now())}`.execute(
    ctx.system,
  )
  return rowOf(groupRole, role, {
    ...toRole(row),
    tied: role.dataScope === tiedScope,
    templateCodes: template?.codes ?? null,
    taken: narrowing?.codes ?? [],
    people: people.map(({ memberId, name, deadline }) => ({ memberId, name, deadline })),
    online: rows[0]?.n ?? 0,
    editable: !role.builtIn && role.groupId === ctx.group.id,
  })
}

export const createGroupRole: HandlerOf<typeof contract.createGroupRole> = async ({ body }, ctx) => {
  await requireMaker(ctx)
  requireHeld(ctx, body.codes, { projects: await requirePlaces(ctx, body) })
  if (body.templateId) {
    const template = await readableRole(ctx, body.templateId)
    if (template.groupId !== null || template.groupsType !== ctx.group.type)
      throw new AppError('invalidInput', '请选择本类机构的角色模板', { field: 'templateId' })
  }
  const id = ctx.newId()
  await saveRole(() =>
    ctx.db
      .insertInto('role')
      .values({
        id,
        groupId: ctx.group.id,
        groupsType: ctx.group.type,
        ...pick(body, 'name', 'codes', 'remark', 'templateId'),
        createBy: ctx.user.id,
        updateBy: ctx.user.name,
        roleScope: '5',
        ...columnsOf(ctx, body),
      })
      .execute(),
  )
  ctx.note(`新增组角色 ${body.name}（${body.codes.length} 项权限）`, id)
  return { id }
}

export const updateGroupRole: HandlerOf<typeof contract.updateGroupRole> = async ({ params, body }, ctx) => {
  await requireMaker(ctx)
  const role = await ownGroupRole(ctx, params.id)
  await requireReach(ctx, role, symmetricDifference(role.codes, body.codes))
  await requireTie(ctx, role, body, body.codes)
  await changeRole(ctx, role, body.version, {
    ...pick(body, 'name', 'codes', 'remark'),
    ...columnsOf(ctx, body),
  })
  ctx.note(`修改组角色 ${role.name}（${differenceWords(role.codes, body.codes)}）`, role.id)
  return undefined
}

async function ownGroupRole(ctx: Context, id: string): Promise<Row<'role'>> {
  const role = await ownRole(ctx, id)
  if (role.groupId === null) throw new AppError('refused', '模板在角色权限编辑中修改')
  return role
}

/**
 * Widening a role gives its holders more. The caller must hold all permissions of the role in the added projects, for as long as the
 * holders have the role.
 */
async function requireTie(ctx: Context, role: Row<'role'>, next: Places, codes: readonly string[]): Promise<void> {
  if (JSON.stringify(placesOf(role)) === JSON.stringify({ tied: next.tied, projects: next.projects, projectGroups: next.projectGroups }))
    return
  const { until } = await reachOfRole(ctx, role)
  requireHeld(ctx, codes, { projects: await requirePlaces(ctx, next), ...(until === undefined ? {} : { until }) })
}

export const relatedProjects: HandlerOf<typeof contract.relatedProjects> = async ({ query }, ctx) => {
  await readableRole(ctx, query.roleId)
  const role = found(await ctx.db.selectFrom('role').selectAll().where('id', '=', query.roleId).executeTakeFirst(), '角色')
  const codes = await projectsOfPlaces(ctx, role)
  const list = await ctx.db
    .selectFrom('project')
    .select(['projectCode', 'name'])
    .where('projectCode', 'in', codes.length ? codes : [''])
    .orderBy('name')
    .execute()
  return {
    ...placesOf(role),
    ...pick(role, 'projects', 'projectGroups', 'version'),
    list: list.map((one) => ({ ...one, source: role.projects.includes(one.projectCode) ? '直接关联' : '项目组' })),
    total: list.length,
  }
}

export const tieRole: HandlerOf<typeof contract.tieRole> = async ({ body }, ctx) => {
  await requireMaker(ctx)
  const role = await ownGroupRole(ctx, body.roleId)
  await requireTie(ctx, role, body, role.codes)
  await changeRole(ctx, role, body.version, columnsOf(ctx, body))
  ctx.note(body.tied ? `角色 ${role.name} 只及指定项目` : `角色 ${role.name} 及于本组全部`, role.id)
  return undefined
}

/** "Ends soon" means within this number of days. */
const soonDays = 7

export const groupRoleStat: HandlerOf<typeof contract.groupRoleStat> = async (_, ctx) => {
  const { rows: roles } = await sql<{
    id: string
    name: string
    administrator: boolean
    own: boolean
    enable: string
    users: number
  }>`
    select r.id, r.name, r.administrator, r.group_id is not null as own, r.enable,
      (select count(*)::int from member_role mr join member m on m.id = mr.member_id where mr.role_id = r.id and m.group_id = ${ctx.group.id}) as users
    from role r where r.groups_type = ${ctx.group.type} and (r.group_id is null or r.group_id = ${ctx.group.id})
    order by r.group_id is null, r.name`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{ members: number; administrators: number; temporary: number; without: number; ending: number }>`
    select count(*)::int as members, (count(*) filter (where administers))::int as administrators,
      (count(*) filter (where temporary))::int as temporary, (count(*) filter (where roles = 0))::int as without,
      (count(*) filter (where ends between ${today}::date and ${addDays(today, soonDays)}::date))::int as ending
    from (select
        exists (select 1 from member_role mr join role r on r.id = mr.role_id and r.administrator where mr.member_id = m.id) as administers,
        exists (select 1 from temp_role x where x.group_id = m.group_id and m.id = any (x.member_ids)
          and x.start_time <= ${now} and x.end_time > ${now}) as temporary,
        (select count(*) from member_role mr where mr.member_id = m.id) as roles,
        (select least(m.deadline, min(mr.deadline)) from member_role mr where mr.member_id = m.id) as ends
      from member m where m.group_id = ${ctx.group.id}) x`.execute(ctx.db)
  const figures = rows[0] ?? { members: 0, administrators: 0, temporary: 0, without: 0, ending: 0 }
  return { roles, ...figures }
}
