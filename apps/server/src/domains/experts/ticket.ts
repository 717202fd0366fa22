import { randomBytes } from 'node:crypto'
import { applyCodeMinutes, applyLimits, ticketHours } from '@zhugong/contract/experts/apply'
import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import type { Shared } from '#kit/context'
import type { Row } from '#kit/db'
import { hashToken } from '#kit/serve'
import { type CodeKind, captchaHolds, dropCode, newCode, placeOf, tryCode } from '../identity/public.ts'
import { type CodeSender, counted } from '../personnel/public.ts'
import { phoneColumns } from './register.ts'

const codeOfApply: CodeKind = { purpose: 'expert-apply', seal: 'expert-apply', holdsMs: applyCodeMinutes * 60_000, tries: 5, digits: 6 }
export type Ticket = Row<'expertTicket'>

/**
 * Sends a code to any phone, known or not: the answer tells nothing about who has applied.
 * @throws AppError `wrongCaptcha`, `tooMany`, or `refused` within a minute of the last code
 */
export async function sendApplyCode(
  ctx: Shared,
  sms: CodeSender | undefined,
  { phone, captchaKey, captcha }: { phone: string; captchaKey: string; captcha: string },
): Promise<void> {
  if (!sms) throw new AppError('refused', '本平台未接入短信，请向专家库所在机构提交纸质申请', { field: 'phone' })
  if (!(await captchaHolds(ctx, captchaKey, captcha)))
    throw new AppError('wrongCaptcha', '图形验证码不正确，请重新输入', { field: 'captcha' })
  const { phoneHash } = phoneColumns(ctx, phone)
  if (!(await counted(ctx, `expert codes of ${placeOf(ctx.ip)}`, applyLimits.codesOfAddress)))
    throw new AppError('tooMany', '本网络今日获取验证码次数过多，请明天再试', { field: 'phone' })
  if (!(await counted(ctx, `expert code of phone ${phoneHash}`, applyLimits.codes)))
    throw new AppError('tooMany', `一个手机号一天最多获取 ${applyLimits.codes} 次验证码`, { field: 'phone' })
  const code = await newCode(ctx, codeOfApply, { subject: phoneHash })
  if (!code) throw new AppError('refused', '验证码已发送，请 1 分钟后再获取', { field: 'phone' })
  try {
    await sms.send(phone, `验证码 ${code}，${applyCodeMinutes} 分钟内有效，用于专家入库申请。非本人操作请勿告知他人。`, ctx.newId())
  } catch (error) {
    ctx.log.warn({ err: error }, `a code for an application was not sent to ${maskPhone(phone)}`)
    throw new AppError('refused', '短信未能发出，请稍后再试', { field: 'phone' })
  }
}

/** Exchanges a code for a ticket. @throws AppError `refused` for a wrong or expired code */
export async function openTicket(ctx: Shared, phone: string, code: string): Promise<{ token: string; ticket: Ticket }> {
  const columns = phoneColumns(ctx, phone)
  const tried = await tryCode(ctx, codeOfApply, { subject: columns.phoneHash }, code)
  if (!tried?.isRight) throw new AppError('refused', '验证码不正确或已失效，请核对后重试或重新获取', { field: 'code' })
  await dropCode(ctx, codeOfApply, columns.phoneHash)
  const token = randomBytes(32).toString('hex')
  const ticket = await ctx.system
    .insertInto('expertTicket')
    .values({
      tokenHash: hashToken(token),
      phone: columns.phone,
      phoneHash: columns.phoneHash,
      expiresAt: new Date(ctx.clock.now() + ticketHours * hourMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { token, ticket }
}

/** @throws AppError `refused` for an unknown or expired ticket */
export async function requireTicket(ctx: Pick<Shared, 'system' | 'clock'>, token: string | undefined): Promise<Ticket> {
  const { rows } = await sql<Ticket>`select * from expert_ticket where token_hash = ${hashToken(token ?? '')}
    and expires_at > ${new Date(ctx.clock.now())}`.execute(ctx.system)
  if (!rows[0]) throw new AppError('refused', '手机验证已过期，请重新验证', { field: 'ticket' })
  return rows[0]
}

/** Counts an upload of the ticket before its file is read. @throws AppError `tooMany` */
export async function countUpload(ctx: Pick<Shared, 'system'>, { tokenHash }: Ticket): Promise<void> {
  const { rows } =
    await sql`update expert_ticket set uploads = uploads + 1 where token_hash = ${tokenHash} and uploads < ${applyLimits.uploads}
    returning 1`.execute(ctx.system)
  if (!rows[0]) throw new AppError('tooMany', `最多上传 ${applyLimits.uploads} 个文件，请重新验证手机后再传`, { field: 'file' })
}

/** Days for which an application that was not submitted is kept. */
export const draftDays = 30

/** Deletes expired tickets and forgotten drafts. */
export async function forgetApplications(db: Shared['system'], now: number): Promise<void> {
  await sql`delete from expert_ticket where expires_at < ${new Date(now)}`.execute(db)
  await sql`delete from expert_draft where update_time < ${new Date(now - draftDays * dayMs)}`.execute(db)
  await sql`delete from expert_upload where create_time < ${new Date(now - draftDays * dayMs)}`.execute(db)
}
