import type { resetFactor as contract } from '@zhugong/contract/access/users'
import { AppError } from '@zhugong/contract/kit/errors'
import type { HandlerOf } from '#kit/serve'
import { readUser, recordEvent, requireWhole } from '../access/public.ts'
import { tellOne } from '../notify/public.ts'
import type { CodeSenders } from './passwords.ts'
import { noFactor } from './second-factor.ts'
import type { Authenticator } from './sessions.ts'

/**
 * Removes the second factor of an account whose owner lost the phone and the recovery codes. Allowed for users who may change the whole
 * account; the owner is notified with the reason. If the group requires a second factor, a new one is set up at the next login.
 */
export const resetFactor =
  (authenticate: Pick<Authenticator, 'forget'>, { sms }: CodeSenders): HandlerOf<typeof contract> =>
  async ({ body }, ctx) => {
    const row = await readUser(ctx, body.id)
    if (row.id === ctx.user.id) throw new AppError('refused', '请在“个人设置”管理自己的动态口令')
    await requireWhole(ctx, row, '该账号不是本组开立的，或还属于其他机构，请由平台重置动态口令')
    if (!row.secondFactor) throw new AppError('refused', `${row.name} 没有启用动态口令`)
    const user = await ctx.system.selectFrom('appUser').select(['account', 'phone']).where('id', '=', row.id).executeTakeFirstOrThrow()
    const by = `${ctx.group.name} ${ctx.user.name}`
    ctx.afterCommit(async () => {
      await ctx.system.updateTable('appUser').set(noFactor).where('id', '=', row.id).execute()
      await ctx.system.deleteFrom('session').where('userId', '=', row.id).execute()
      authenticate.forget()
      const now = ctx.clock.now()
      const text = `${by} 移除了您账号的动态口令，原因：${body.reason}。如非您本人要求，请立即修改密码并联系本单位管理员。`
      await tellOne(ctx.system, { userId: row.id, kind: 'notify', title: '动态口令已被重置', text, link: '/system/personal/user' }, now)
      // This row also appears among the owner's own logins.
      await recordEvent(ctx.system, ctx.clock, {
        userId: row.id,
        account: user.account,
        userName: row.name,
        action: 'login',
        summary: `动态口令由 ${by} 重置：${body.reason}`,
        result: 'ok',
        ip: ctx.ip,
      })
      const phone = ctx.secrets.open(user.phone)
      if (phone && sms)
        await sms.send(phone, `账号 ${user.account} 的动态口令已由 ${by} 重置。如非您本人要求，请立即修改密码。`, ctx.newId())
    })
    ctx.note(`重置账号 ${user.account} 的动态口令：${body.reason}`, row.id)
    return undefined
  }
