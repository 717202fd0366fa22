import { codesFor } from '@zhugong/contract/access/codes'
import type * as contract from '@zhugong/contract/access/endpoints'
import type * as work from '@zhugong/contract/access/role-work'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { requireMaker } from './delegation.ts'
import { requireHeld } from './held.ts'
import { requireGivable, requireKeeper } from './members.ts'
import { projectsOfPlaces } from './role-places.ts'
import { findRole, type RawRole, roleConditions, roleOrder, roles, toRole } from './role-rows.ts'
import { dataScopeOf } from './roles.ts'

export const listRoles: HandlerOf<typeof contract.listRoles> = async ({ query }, ctx) => {
  const where = roleConditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawRole>`
    select * from (${roles}) r where ${where} order by ${roleOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from (${roles}) r where ${where}`.execute(ctx.db)
  return { list: rows.map(toRole), total: counted[0]?.n ?? 0 }
}

/** A role the caller may read: of the caller's group, a template of its kind, or any role for the platform. */
export async function readableRole(ctx: Context, id: string): Promise<RawRole> {
  const row = found(await findRole(ctx.db, id), '角色')
  const isReadable = ctx.scope.all || (row.groupsType === ctx.group.type && (row.groupId === null || row.groupId === ctx.group.id))
  return found(isReadable ? row : undefined, '角色')
}

export const getRole: HandlerOf<typeof contract.getRole> = async ({ params }, ctx) => toRole(await readableRole(ctx, params.id))

/** Maximum number of holders listed with a role. */
const peopleShown = 50

export const roleHolders: HandlerOf<typeof work.roleHolders> = async ({ params }, ctx) => {
  const row = await readableRole(ctx, params.id)
  const holders = sql`from member_role mr join member m on m.id = mr.member_id join app_user u on u.id = m.user_id
    join tenant t on t.id = m.group_id where mr.role_id = ${row.id}`
  const { rows } = await sql<{ memberId: string; name: string; account: string; groupName: string }>`
    select m.id as member_id, u.name, u.account, t.name as group_name ${holders} order by t.name, u.name limit ${peopleShown}`.execute(
    ctx.db,
  )
  const { rows: counted } = await sql<{ users: number; groups: number }>`
    select count(distinct m.user_id)::int as users, count(distinct m.group_id)::int as groups ${holders}`.execute(ctx.db)
  return { role: toRole(row), users: counted[0]?.users ?? 0, groups: counted[0]?.groups ?? 0, people: rows }
}

export const createRole: HandlerOf<typeof contract.createRole> = async ({ body }, ctx) => {
  const isTemplate = body.groupsType !== undefined
  if (isTemplate && !ctx.scope.all) throw new AppError('forbidden', '角色模板由平台维护', { field: 'groupsType' })
  const groupsType = body.groupsType ?? ctx.group.type
  if (isTemplate) requireDesignable(ctx, groupsType, body.codes)
  else {
    await requireMaker(ctx)
    requireHeld(ctx, body.codes)
  }
  const id = ctx.newId()
  await saveRole(() =>
    ctx.db
      .insertInto('role')
      .values({
        id,
        groupId: isTemplate ? null : ctx.group.id,
        groupsType,
        ...pick(body, 'name', 'codes', 'remark'),
        createBy: ctx.user.id,
        updateBy: ctx.user.name,
        roleScope: isTemplate ? String(groupsType + 1) : '5',
        dataScope: dataScopeOf(groupsType),
      })
      .execute(),
  )
  ctx.note(`新增角色 ${body.name}（${body.codes.length} 项权限）`, id)
  return { id }
}

export const updateRole: HandlerOf<typeof contract.updateRole> = async ({ params, body }, ctx) => {
  const role = await ownRole(ctx, params.id)
  const changed = symmetricDifference(role.codes, body.codes)
  // Codes the caller does not hold can neither be added nor removed.
  if (role.groupId === null) requireDesignable(ctx, role.groupsType, changed)
  else {
    await requireMaker(ctx)
    await requireReach(ctx, role, changed)
  }
  await changeRole(ctx, role, body.version, { name: body.name, codes: body.codes, remark: body.remark })
  ctx.note(`修改角色 ${role.name}（${differenceWords(role.codes, body.codes)}）`, role.id)
  return undefined
}

export const removeRole: HandlerOf<typeof contract.removeRole> = async ({ params }, ctx) => {
  const role = await ownRole(ctx, params.id)
  if (role.groupId !== null) await requireMaker(ctx)
  const users = await countHolders(ctx, role.id)
  if (users) throw new AppError('refused', `角色“${role.name}”仍有 ${users} 人使用，请先调整他们的角色`)
  await ctx.db.deleteFrom('role').where('id', '=', role.id).execute()
  ctx.note(`删除角色 ${role.name}`, role.id)
  return undefined
}

/** Like `removeRole`, but its holders may receive another role instead. */
export const replaceRole: HandlerOf<typeof work.replaceRole> = async ({ params, query }, ctx) => {
  const role = await ownRole(ctx, params.id)
  if (role.groupId !== null) await requireMaker(ctx)
  if (query.replaceBy && (await countHolders(ctx, role.id))) {
    if (query.replaceBy === role.id) throw new AppError('invalidInput', '请选择另一个角色', { field: 'replaceBy' })
    if (role.groupId === null) throw new AppError('refused', '模板正被使用，请先在各组调整')
    const { until } = await reachOfRole(ctx, role)
    await requireGivable(ctx, [query.replaceBy], until)
    requireHeld(ctx, role.codes, await reachOfRole(ctx, role))
    await sql`insert into member_role (member_id, role_id, deadline, grant_by)
      select member_id, ${query.replaceBy}, deadline, ${ctx.user.name} from member_role where role_id = ${role.id}
      on conflict (member_id, role_id) do nothing`.execute(ctx.db)
    await ctx.db.deleteFrom('memberRole').where('roleId', '=', role.id).execute()
    await requireKeeper(ctx, [])
  }
  return removeRole({ params }, ctx)
}

/**
 * Limits template codes: in a template of the caller's kind of group, to the caller's own codes. In other templates, codes the platform
 * can hold are refused if the caller lacks them.
 */
function requireDesignable(ctx: Context, groupsType: number, codes: readonly string[]): void {
  const possible = new Set(codesFor(groupsType))
  const foreign = codes.find((code) => !possible.has(code))
  if (foreign) throw new AppError('invalidInput', `这类机构没有此权限：${foreign}`, { field: 'codes' })
  const ours = new Set(codesFor(ctx.group.type))
  requireHeld(
    ctx,
    codes.filter((code) => ours.has(code)),
  )
}

/** Projects and latest end of a role among its current holders. */
export async function reachOfRole(ctx: Context, role: Pick<Row<'role'>, 'id' | 'dataScope' | 'projects' | 'projectGroups'>) {
  const { rows } = await sql<{ endless: boolean; last: string | null; n: number }>`
    select count(*)::int as n, coalesce(bool_or(deadline is null), false) as endless, max(deadline)::text as last
    from member_role where role_id = ${role.id}`.execute(ctx.db)
  const use = rows[0]
  const until = !use?.n ? undefined : use.endless ? null : use.last
  return { projects: role.dataScope === '4' ? await projectsOfPlaces(ctx, role) : null, ...(until === undefined ? {} : { until }) }
}

export async function requireReach(ctx: Context, role: Row<'role'>, codes: readonly string[]): Promise<void> {
  if (codes.length) requireHeld(ctx, codes, await reachOfRole(ctx, role))
}

async function countHolders(ctx: Context, roleId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from member_role where role_id = ${roleId}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** A role the caller's group may change: its own, or for the platform a template that is not built in. */
export async function ownRole(ctx: Context, id: string): Promise<Row<'role'>> {
  const role = found(await ctx.db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst(), '角色')
  if (role.builtIn) throw new AppError('refused', '系统内置角色不能修改，请复制后再改')
  const isOwn = role.groupId === null ? ctx.group.type === groupTypes.platform && ctx.scope.all : role.groupId === ctx.group.id
  if (!isOwn) throw new AppError('refused', '只能修改本组的角色，模板请复制后再改')
  return role
}

type RoleChange = Partial<Pick<Row<'role'>, 'name' | 'codes' | 'remark' | 'enable' | 'dataScope' | 'projects' | 'projectGroups'>>

/** Throws if the version changed meanwhile. */
export async function changeRole(ctx: Context, role: Pick<Row<'role'>, 'id'>, version: number, change: RoleChange): Promise<void> {
  await saveRole(async () => {
    await changeRow(ctx, 'role', { key: { id: role.id }, version, noun: '角色', by: ctx.user.name, values: { ...change } })
  })
}

export async function saveRole(save: () => Promise<unknown>): Promise<void> {
  try {
    await save()
  } catch (error) {
    if (isUniqueViolation(error, 'role_name')) throw new AppError('refused', '角色名称已存在', { field: 'name' })
    throw error
  }
}

export const symmetricDifference = (a: readonly string[], b: readonly string[]) => [
  ...a.filter((c) => !b.includes(c)),
  ...b.filter((c) => !a.includes(c)),
]

/** `+3 −1 项`. */
export const differenceWords = (before: readonly string[], after: readonly string[]): string =>
  `+${after.filter((code) => !before.includes(code)).length} −${before.filter((code) => !after.includes(code)).length} 项`
