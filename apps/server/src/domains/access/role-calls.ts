import type * as contract from '@zhugong/contract/access/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { anywhere, pageOf } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { requireHeld } from './held.ts'

export const listRoles: HandlerOf<typeof contract.listRoles> = async ({ query }, ctx) => {
  let rows = ctx.db.selectFrom('role as r').where('r.groupsType', '=', ctx.group.type)
  if (query.name) rows = rows.where('r.name', 'ilike', anywhere(query.name))
  const list = await rows
    .selectAll('r')
    .select((eb) =>
      eb
        .selectFrom('memberRole as mr')
        .innerJoin('member as m', 'm.id', 'mr.memberId')
        .select((e) => e.fn.countAll<number>().as('n'))
        .whereRef('mr.roleId', '=', 'r.id')
        .where('m.groupId', '=', ctx.group.id)
        .as('userCount'),
    )
    .orderBy('r.builtIn', 'desc')
    .orderBy('r.name')
    .$call(pageOf(query))
    .execute()
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { list: list.map(toRole), total }
}

export const getRole: HandlerOf<typeof contract.getRole> = async ({ params }, ctx) => {
  const row = await ctx.db
    .selectFrom('role')
    .selectAll()
    .where('id', '=', params.id)
    .where('groupsType', '=', ctx.group.type)
    .executeTakeFirst()
  return toRole({ ...found(row, '角色'), userCount: 0 })
}

export const createRole: HandlerOf<typeof contract.createRole> = async ({ body }, ctx) => {
  requireHeld(ctx, body.codes)
  const id = ctx.newId()
  await saveRole(() =>
    ctx.db
      .insertInto('role')
      .values({
        id,
        groupId: ctx.group.id,
        groupsType: ctx.group.type,
        name: body.name,
        codes: body.codes,
        remark: body.remark,
        createBy: ctx.user.id,
      })
      .execute(),
  )
  ctx.note(`新增角色 ${body.name}`, id)
  return { id }
}

export const updateRole: HandlerOf<typeof contract.updateRole> = async ({ params, body }, ctx) => {
  const role = await ownRole(ctx, params.id)
  // Codes one does not hold oneself can neither be added nor, unseen, be taken away.
  requireHeld(ctx, symmetricDifference(role.codes, body.codes))
  await saveRole(() =>
    ctx.db.updateTable('role').set({ name: body.name, codes: body.codes, remark: body.remark }).where('id', '=', role.id).execute(),
  )
  ctx.note(`修改角色 ${role.name}`, role.id)
  return undefined
}

export const removeRole: HandlerOf<typeof contract.removeRole> = async ({ params }, ctx) => {
  const role = await ownRole(ctx, params.id)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from member_role where role_id = ${role.id}`.execute(ctx.db)
  if (rows[0]?.n) throw new AppError('refused', `角色“${role.name}”仍有 ${rows[0].n} 人使用，请先调整他们的角色`)
  await ctx.db.deleteFrom('role').where('id', '=', role.id).execute()
  ctx.note(`删除角色 ${role.name}`, role.id)
  return undefined
}

function toRole(row: {
  id: string
  name: string
  groupsType: number
  builtIn: boolean
  codes: string[]
  remark: string
  createTime: Date
  userCount: number | null
}) {
  return {
    id: row.id,
    name: row.name,
    groupsType: row.groupsType,
    builtIn: row.builtIn,
    codes: row.codes,
    remark: row.remark,
    userCount: Number(row.userCount ?? 0),
    createTime: formatInstant(row.createTime),
  }
}

async function ownRole(ctx: Context, id: string) {
  const role = found(await ctx.db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst(), '角色')
  if (role.builtIn || role.groupId !== ctx.group.id) throw new AppError('refused', '系统内置角色不能修改，请复制后再改')
  return role
}

async function saveRole(save: () => Promise<unknown>): Promise<void> {
  try {
    await save()
  } catch (error) {
    if (isUniqueViolation(error, 'role_name')) throw new AppError('refused', '角色名称已存在', { field: 'name' })
    throw error
  }
}

const symmetricDifference = (a: readonly string[], b: readonly string[]) => [
  ...a.filter((c) => !b.includes(c)),
  ...b.filter((c) => !a.includes(c)),
]
