import type * as contract from '@zhugong/contract/access/group-roles'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { usualEnd } from './delegation.ts'
import { type RawGroupUser, readUser, roleNames, setEnd } from './group-users.ts'
import { changeRolesOf } from './members.ts'

/** Does the work for several members of the group; each is checked separately. */
async function eachMember(ctx: Context, memberIds: readonly string[], work: (row: RawGroupUser) => Promise<void>): Promise<void> {
  for (const id of new Set(memberIds)) await work(await readUser(ctx, id))
}

export const addToRole: HandlerOf<typeof contract.addToRole> = async ({ body }, ctx) => {
  const deadline = await usualEnd(ctx, body.expireDate)
  await eachMember(ctx, body.memberIds, (row) => changeRolesOf(ctx, row.id, { add: [body.roleId], remove: [], deadline }))
  const [name = ''] = await roleNames(ctx, [body.roleId])
  ctx.note(`给 ${body.memberIds.length} 人添加角色 ${name}`, [body.roleId, ...new Set(body.memberIds)])
  return undefined
}

export const removeFromRole: HandlerOf<typeof contract.removeFromRole> = async ({ body }, ctx) => {
  await eachMember(ctx, body.memberIds, (row) => changeRolesOf(ctx, row.id, { add: [], remove: [body.roleId], deadline: null }))
  const [name = ''] = await roleNames(ctx, [body.roleId])
  ctx.note(`移除 ${body.memberIds.length} 人的角色 ${name}`, [body.roleId, ...new Set(body.memberIds)])
  return undefined
}

export const changeRoles: HandlerOf<typeof contract.changeRoles> = async ({ body }, ctx) => {
  const deadline = await usualEnd(ctx, body.expireDate)
  await eachMember(ctx, body.memberIds, (row) => {
    const remove = row.roles.map((role) => role.id).filter((id) => !body.roleIds.includes(id))
    return changeRolesOf(ctx, row.id, { add: body.roleIds, remove, deadline })
  })
  ctx.note(`变更 ${body.memberIds.length} 人的角色为 ${(await roleNames(ctx, body.roleIds)).join('、')}`, [...new Set(body.memberIds)])
  return undefined
}

/** Sets one end date for several members; never shortens. Shortening is a separate call. */
export const extendMembers: HandlerOf<typeof contract.extendMembers> = async ({ body }, ctx) => {
  const extended: string[] = []
  await eachMember(ctx, body.memberIds, async (row) => {
    if (row.deadline === null || (body.expireDate !== null && body.expireDate <= row.deadline)) return
    await setEnd(ctx, row, body.expireDate)
    extended.push(row.id)
  })
  if (extended.length === 0) throw new AppError('refused', '所选人员的有效期都不早于此日，没有要延长的', { field: 'expireDate' })
  ctx.note(`延长 ${extended.length} 人的有效期至 ${body.expireDate ?? '长期'}`, extended)
  return { extended: extended.length, kept: new Set(body.memberIds).size - extended.length }
}
