import type * as more from '@zhugong/contract/access/users'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { groupTypes } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { rightsAtWork } from './find-rights.ts'
import { requireAbove } from './held.ts'
import { hashPassword, randomPassword } from './passwords.ts'
import { readUser, requireWhole } from './user-calls.ts'

export const unlockUser: HandlerOf<typeof more.unlockUser> = async ({ body }, ctx) => {
  const row = await readUser(ctx, body.id)
  await requireWhole(ctx, row, '该账号不是本组开立的，或还属于其他机构，请由平台解除锁定')
  ctx.afterCommit(async () => {
    await sql`delete from login_try where account = ${row.account}`.execute(ctx.system)
  })
  ctx.note(`解除账号锁定 ${row.account}`, row.id)
  return undefined
}

export const endSessions: HandlerOf<typeof more.endSessions> = async ({ body }, ctx) => {
  const row = await readUser(ctx, body.id)
  if (row.id === ctx.user.id) throw new AppError('refused', '请在“登录设备”中退出自己的登录')
  const own = row.groups.find((one) => one.groupId === ctx.group.id)
  if (own) requireAbove(ctx, await rightsAtWork(ctx.system, own.id, ctx.clock.now()))
  const isPlatform = ctx.group.type === groupTypes.platform
  const sessions = sql`session where user_id = ${row.id} ${isPlatform ? sql`` : sql`and group_id = ${ctx.group.id}`}`
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sessions}`.execute(ctx.system)
  ctx.afterCommit(async () => {
    await sql`delete from ${sessions}`.execute(ctx.system)
  })
  ctx.note(`强制下线 ${row.account}`, row.id)
  return { ended: rows[0]?.n ?? 0 }
}

export const resetPassword: HandlerOf<typeof more.resetPassword> = async ({ body }, ctx) => {
  const row = await readUser(ctx, body.id)
  if (row.id === ctx.user.id) throw new AppError('refused', '请用“修改密码”改自己的密码')
  await requireWhole(ctx, row, '该账号不是本组开立的，或还属于其他机构：请本人用“忘记密码”，或由平台重置密码')
  const password = randomPassword()
  await ctx.db
    .updateTable('appUser')
    .set({ passwordHash: await hashPassword(password), mustChange: true })
    .where('id', '=', row.id)
    .execute()
  ctx.afterCommit(async () => {
    await ctx.system.deleteFrom('session').where('userId', '=', row.id).execute()
  })
  ctx.note(`重置账号 ${row.account} 的密码`, row.id)
  return { password }
}
