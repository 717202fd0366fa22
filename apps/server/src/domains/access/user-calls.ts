import type * as contract from '@zhugong/contract/access/endpoints'
import type * as more from '@zhugong/contract/access/users'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changedWords } from '#kit/changed'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { usualEnd } from './delegation.ts'
import { explain } from './explain.ts'
import { rightsAtWork } from './find-rights.ts'
import { roleNames, setEnd } from './group-users.ts'
import { requireAbove } from './held.ts'
import { belongsTo } from './home-group.ts'
import { changeRolesOf, joinGroup, requireAdministrator, requireGivable } from './members.ts'
import { hashPassword, randomPassword } from './passwords.ts'
import { lockedAccounts, type RawUser, toUser, userConditions, userFiguresOf, userOrder, userRows, users } from './user-rows.ts'

export const listUsers: HandlerOf<typeof contract.listUsers> = async ({ query }, ctx) => {
  const where = await userConditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawUser>`
    select * from ${userRows(ctx)} u where ${where} order by ${userOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from ${userRows(ctx)} u where ${where}`.execute(ctx.db)
  const locked = await lockedAccounts(ctx)
  return { list: rows.map((row) => toUser(row, locked)), total: counted[0]?.n ?? 0 }
}

export async function readUser(ctx: Context, id: string): Promise<RawUser> {
  const { rows } = await sql<RawUser>`select * from (${users(ctx)}) u where u.id = ${id}`.execute(ctx.db)
  return found(rows[0], '账号')
}

export const getUser: HandlerOf<typeof more.getUser> = async ({ params, query }, ctx) => {
  const row = await readUser(ctx, params.id)
  const groupId = query.groupId ?? row.groups[0]?.groupId
  const requested = row.groups.find((one) => one.groupId === groupId)
  const own = row.groups.find((one) => one.groupId === ctx.group.id)
  return {
    ...toUser(row, await lockedAccounts(ctx)),
    memberId: own?.id ?? null,
    permission: query.with ? { groupId: groupId ?? '', ...(await explain(ctx, found(requested, '组成员').id)) } : undefined,
  }
}

export const createUser: HandlerOf<typeof contract.createUser> = async ({ body }, ctx) => {
  const until = await usualEnd(ctx, body.expireDate)
  await requireGivable(ctx, body.roleIds, until)
  const password = randomPassword()
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('appUser')
      .values({
        id,
        account: body.account.toLowerCase(),
        name: body.name,
        passwordHash: await hashPassword(password),
        mustChange: true,
        createBy: ctx.user.id,
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '账号已存在，请换一个', { field: 'account' })
    throw error
  }
  await joinGroup(ctx, id, body.roleIds, until)
  ctx.note(`新增账号 ${body.account}`, id)
  return { id, password }
}

export const updateUser: HandlerOf<typeof more.updateUser> = async ({ params, body }, ctx) => {
  const row = await readUser(ctx, params.id)
  if (body.name !== row.name) {
    await requireWhole(ctx, row, '姓名由平台修改：该账号不是本组开立的，或还属于其他机构')
    await ctx.db.updateTable('appUser').set({ name: body.name }).where('id', '=', row.id).execute()
  }
  const own = row.groups.find((one) => one.groupId === ctx.group.id)
  if (own) {
    await setEnd(ctx, { id: own.id, userId: row.id, deadline: own.deadline }, body.expireDate)
    const before = (own.roles ?? []).map((role) => role.id)
    const after = body.roleIds
    if (after)
      await changeRolesOf(ctx, own.id, {
        add: after.filter((id) => !before.includes(id)),
        remove: before.filter((id) => !after.includes(id)),
        deadline: await usualEnd(ctx, null),
      })
  } else if (body.expireDate || body.roleIds) throw new AppError('refused', '有效期与角色由其所在的机构维护', { field: 'expireDate' })
  const words = changedWords({
    姓名: [row.name, body.name],
    有效期: [own?.deadline ?? '长期', own ? (body.expireDate ?? '长期') : undefined],
    角色: [
      (own?.roles ?? []).map((role) => role.name).sort(),
      own && body.roleIds ? (await roleNames(ctx, body.roleIds)).sort() : undefined,
    ],
  })
  ctx.note(`修改账号 ${row.account}${words ? `：${words}` : ''}`, row.id)
  return undefined
}

/**
 * Throws unless the caller may change the whole account. Allowed are the platform, and the group that opened it if the account is a
 * member of no other. The caller must also hold all the account's rights.
 */
export async function requireWhole(ctx: Context, row: Pick<RawUser, 'id'>, why: string): Promise<void> {
  const isPlatform = ctx.group.type === groupTypes.platform && ctx.scope.all
  if (!isPlatform && !(await belongsTo(ctx, row.id, ctx.group.id))) throw new AppError('refused', why)
  const own = await ctx.system
    .selectFrom('member')
    .select('id')
    .where('userId', '=', row.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  if (own && row.id !== ctx.user.id) requireAbove(ctx, await rightsAtWork(ctx.system, own.id, ctx.clock.now()))
}

export const switchUser: HandlerOf<typeof contract.switchUser> = async ({ body }, ctx) => {
  if (body.id === ctx.user.id) throw new AppError('refused', '不能停用自己的账号')
  const wholeAccount = ctx.group.type === groupTypes.platform
  const { account } = found(await ctx.db.selectFrom('appUser').select('account').where('id', '=', body.id).executeTakeFirst(), '账号')
  const memberships = ctx.db.selectFrom('member').select(['id', 'groupId']).where('userId', '=', body.id)
  const all = await (wholeAccount ? memberships : memberships.where('groupId', '=', ctx.group.id)).execute()
  found(all[0], '账号')
  const own = all.find((member) => member.groupId === ctx.group.id)
  // Disabling and enabling are grants too: the caller must hold all the rights concerned.
  if (own) requireAbove(ctx, await rightsAtWork(ctx.system, own.id, ctx.clock.now()))
  const administered = body.status === '0' ? await administeredBy(ctx, body.id) : []
  // The account belongs to the person, who may also work for other groups; a group only changes its own membership.
  if (wholeAccount) await ctx.db.updateTable('appUser').set({ enable: body.status }).where('id', '=', body.id).execute()
  else if (own) await ctx.db.updateTable('member').set({ enable: body.status }).where('id', '=', own.id).execute()
  for (const groupId of wholeAccount ? [] : administered) await requireAdministrator(ctx.db, groupId, ctx.clock.now())
  // Without an administrator of the platform nobody could admit anyone again.
  if (wholeAccount && administered.includes(ctx.group.id)) await requireAdministrator(ctx.db, ctx.group.id, ctx.clock.now())
  ctx.note(`${body.status === '1' ? '启用' : '停用'}账号 ${account}${body.reason ? `：${body.reason}` : ''}`, body.id)
  if (body.status === '0') {
    const groupId = ctx.group.id
    ctx.afterCommit(async () => {
      const sessions = ctx.system.deleteFrom('session').where('userId', '=', body.id)
      await (wholeAccount ? sessions : sessions.where('groupId', '=', groupId)).execute()
    })
  }
  return undefined
}

/** Groups visible to the caller of which the user is an administrator. */
async function administeredBy(ctx: Context, userId: string): Promise<string[]> {
  const { rows } = await sql<{ groupId: string }>`
    select distinct m.group_id from member m join member_role mr on mr.member_id = m.id and mr.enable = '1' join role r on r.id = mr.role_id
    where r.administrator and m.user_id = ${userId} order by 1`.execute(ctx.db)
  return rows.map((row) => row.groupId)
}

export const userFigures: HandlerOf<typeof more.userFigures> = (_, ctx) => userFiguresOf(ctx)
