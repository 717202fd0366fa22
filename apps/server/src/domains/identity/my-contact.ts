import * as contract from '@zhugong/contract/identity/endpoints'
import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { AfterCommit, type Context } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { resetCodeMinutes, resetCodeTries } from './limits.ts'
import { type CodeKind, dropCode, newCode, tryCode } from './one-time-code.ts'
import { requireOwnPassword } from './own-password.ts'
import type { CodeSenders } from './passwords.ts'

/**
 * Contact data for notices and codes. A new number takes effect after a code sent to it was confirmed; both numbers are notified of the
 * change.
 */
export function myContactRoutes(serve: Serve, senders: CodeSenders) {
  serve(contract.getMyContact, async (_input, ctx) => ({ ...(await contactOf(ctx)), codeNeeded: senders.sms !== undefined }))
  serve(contract.sendContactCode, sendContactCode(senders))
  serve(contract.changeMyContact, changeMyContact(senders))
}

const ofPhone: CodeKind = {
  purpose: 'phone',
  seal: 'phone-code',
  holdsMs: resetCodeMinutes * 60_000,
  tries: resetCodeTries,
  digits: 6,
}

/** First letter and domain: enough for the owner to recognise the address. */
const maskEmail = (email: string): string => `${email.slice(0, 1)}***${email.slice(email.indexOf('@'))}`

const contactOf = (ctx: Context) =>
  ctx.system.selectFrom('appUser').select(['phoneMask', 'emailMask']).where('id', '=', ctx.user.id).executeTakeFirstOrThrow()

const sendContactCode =
  ({ sms }: CodeSenders): HandlerOf<typeof contract.sendContactCode> =>
  async ({ body }, ctx) => {
    if (!sms) throw new AppError('refused', '本平台未接入短信，修改手机号不需要验证码')
    const user = await requireOwnPassword(ctx, body.password)
    if (user.phoneHash === ctx.secrets.blindIndex('phone', body.phone))
      throw new AppError('refused', '与现有手机号相同', { field: 'phone' })
    const code = await newCode(ctx, ofPhone, { subject: user.id, of: body.phone })
    if (!code) throw new AppError('refused', '验证码已发送，请 1 分钟后再获取', { field: 'phone' })
    ctx.note(`发送新手机号验证码 ${maskPhone(body.phone)}`, user.id)
    return new AfterCommit(async () => {
      try {
        await sms.send(body.phone, `验证码 ${code}，${resetCodeMinutes} 分钟内有效，用于绑定手机号。如非本人操作请忽略。`, ctx.newId())
      } catch (error) {
        ctx.log.warn({ err: error }, 'a code for a new number was not sent')
        throw new AppError('refused', '短信未能发出，请核对号码或稍后再试', { field: 'phone' })
      }
      return { minutes: resetCodeMinutes }
    })
  }

const changeMyContact =
  (senders: CodeSenders): HandlerOf<typeof contract.changeMyContact> =>
  async ({ body }, ctx) => {
    const { phone, email, password, code } = body
    const user = await requireOwnPassword(ctx, password)
    const isNew = phone !== undefined && phone !== (ctx.secrets.open(user.phone) ?? '')
    if (isNew && phone && senders.sms) await requireCode(ctx, phone, code ?? '')
    await ctx.system
      .updateTable('appUser')
      .set({
        ...(phone === undefined
          ? {}
          : {
              phone: ctx.secrets.seal(phone),
              phoneHash: phone ? ctx.secrets.blindIndex('phone', phone) : null,
              phoneMask: phone ? maskPhone(phone) : null,
            }),
        ...(email === undefined ? {} : { email: ctx.secrets.seal(email), emailMask: email ? maskEmail(email) : null }),
        // If nothing was given, the statement must still set a column.
        enable: (eb) => eb.ref('enable'),
      })
      .where('id', '=', ctx.user.id)
      .execute()
    if (isNew) tellBoth(ctx, senders, { account: user.account, old: ctx.secrets.open(user.phone), phone })
    ctx.note(isNew ? '修改本人手机号' : '修改本人接收方式', ctx.user.id)
    return contactOf(ctx)
  }

async function requireCode(ctx: Context, phone: string, code: string): Promise<void> {
  if (code === '') throw new AppError('invalidInput', '请填写新手机号收到的验证码', { field: 'code' })
  const tried = await tryCode(ctx, ofPhone, { subject: ctx.user.id, of: phone }, code)
  if (!tried?.isRight) throw new AppError('refused', '验证码不正确或已失效，请核对后重试或重新获取', { field: 'code' })
  await dropCode(ctx, ofPhone, ctx.user.id)
}

/** Notifies the old number too: the change may not have been made by its owner. */
function tellBoth(
  ctx: Context,
  { sms }: CodeSenders,
  { account, old, phone }: { account: string; old: string | null; phone: string },
): void {
  if (!sms) return
  const became = phone ? `已改为 ${maskPhone(phone)}` : '已清除'
  const messages = [
    ...(old ? [{ to: old, text: `账号 ${account} 的手机号${became}。如非本人操作，请立即修改密码并联系本单位管理员。` }] : []),
    ...(phone ? [{ to: phone, text: `本号码已绑定账号 ${account}，用于接收通知和找回密码。` }] : []),
  ]
  // Not awaited: the change is valid even if a message fails.
  ctx.afterCommit(() => {
    for (const { to, text } of messages)
      void sms.send(to, text, ctx.newId()).catch((error: unknown) => ctx.log.warn({ err: error }, 'a change of number was not told'))
  })
}
