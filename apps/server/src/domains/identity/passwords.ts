import * as contract from '@zhugong/contract/identity/my-account'
import { passwordProblem } from '@zhugong/contract/identity/password'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Shared } from '#kit/context'
import type { Row } from '#kit/db'
import type { Serve } from '#kit/serve'
import { hashPassword, passwordMatches, recordEvent } from '../access/public.ts'
import { captchaHolds } from './captcha.ts'
import { passwordsRemembered, resetCodeMinutes, resetCodeTries } from './limits.ts'
import { type CodeKind, dropCode, newCode, tryCode } from './one-time-code.ts'
import type { Authenticator } from './sessions.ts'

/** The channels for sending codes; undefined if the installation has none. */
export interface CodeSenders {
  sms: { send(phone: string, text: string, id: string): Promise<void> } | undefined
  mail: { send(to: string, title: string, text: string, id: string): Promise<void> } | undefined
}

const ofPassword: CodeKind = {
  purpose: 'password',
  seal: 'reset-code',
  holdsMs: resetCodeMinutes * 60_000,
  tries: resetCodeTries,
  digits: 8,
}

/** Checks a new password: not one of the recent ones, and without the account name. Throws AppError at `newPassword`. */
export async function requireFreshPassword(
  user: Pick<Row<'appUser'>, 'account' | 'passwordHash' | 'passwordHistory'>,
  password: string,
): Promise<void> {
  const problem = passwordProblem(password, user.account)
  if (problem) throw new AppError('invalidInput', problem, { field: 'newPassword' })
  for (const earlier of [user.passwordHash, ...user.passwordHistory]) {
    if (await passwordMatches(earlier, password))
      throw new AppError('refused', `不能使用最近 ${passwordsRemembered} 次用过的密码`, { field: 'newPassword' })
  }
}

/** Stores a password and ends all sessions of the account except `kept`. */
export async function writePassword(
  { system, clock }: Pick<Shared, 'system' | 'clock'>,
  user: Pick<Row<'appUser'>, 'id' | 'passwordHash' | 'passwordHistory'>,
  passwordHash: string,
  kept?: string,
): Promise<void> {
  const passwordHistory = [user.passwordHash, ...user.passwordHistory].slice(0, passwordsRemembered - 1)
  await system
    .updateTable('appUser')
    .set({ passwordHash, passwordHistory, mustChange: false, passwordAt: new Date(clock.now()) })
    .where('id', '=', user.id)
    .execute()
  // Ends sessions opened with the old password.
  const sessions = system.deleteFrom('session').where('userId', '=', user.id)
  await (kept ? sessions.where('tokenHash', '!=', kept) : sessions).execute()
}

/** Password reset with a code sent to the account's phone or mailbox. */
export function forgottenPasswordRoutes(serve: Serve, authenticate: Authenticator, senders: CodeSenders) {
  serve.open(contract.forgotPassword, async ({ body }, ctx) => {
    if (!senders.sms && !senders.mail) throw new AppError('refused', '本平台未接入短信和邮件，请联系本单位管理员重置密码')
    if (!(await captchaHolds(ctx, body.captchaKey, body.captcha))) throw new AppError('wrongCaptcha', '验证码无效！', { field: 'captcha' })
    const user = await accountOf(ctx, body.account)
    // Not awaited: neither response nor duration reveals whether the account exists.
    if (user) void sendCode(ctx, user, senders).catch((error: unknown) => ctx.log.warn({ err: error }, 'a code was not sent'))
    return { minutes: resetCodeMinutes }
  })
  serve.open(contract.resetPassword, async ({ body }, ctx) => {
    const user = await accountOf(ctx, body.account)
    if (!user || !(await tryCode(ctx, ofPassword, { subject: user.id }, body.code))?.isRight)
      throw new AppError('refused', '验证码不正确或已失效，请核对后重试或重新获取', { field: 'code' })
    await requireFreshPassword(user, body.newPassword)
    await dropCode(ctx, ofPassword, user.id)
    await writePassword(ctx, user, await hashPassword(body.newPassword))
    authenticate.forget()
    await recordEvent(ctx.system, ctx.clock, {
      userId: user.id,
      account: user.account,
      userName: user.name,
      action: 'password',
      summary: '用验证码重设密码',
      result: 'ok',
      ip: ctx.ip,
    })
    return undefined
  })
}

const accountOf = (ctx: Shared, account: string) =>
  ctx.system.selectFrom('appUser').selectAll().where('account', '=', account.toLowerCase()).where('enable', '=', '1').executeTakeFirst()

async function sendCode(ctx: Shared, user: Row<'appUser'>, { sms, mail }: CodeSenders): Promise<void> {
  const phone = sms ? ctx.secrets.open(user.phone) : null
  const email = mail ? ctx.secrets.open(user.email) : null
  if (!phone && !email) return
  const code = await newCode(ctx, ofPassword, { subject: user.id })
  // No new code while a recent one is valid, so that nobody can flood a number with messages.
  if (!code) return
  const text = `验证码 ${code}，${resetCodeMinutes} 分钟内有效，用于重设密码。如非本人操作请忽略，并留意账号安全。`
  if (phone && sms) await sms.send(phone, text, ctx.newId())
  else if (email && mail) await mail.send(email, '重设密码', text, ctx.newId())
}
