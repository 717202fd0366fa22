import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { codeMinutes, selfEntryDays } from '@zhugong/contract/personnel/self-entry'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Shared } from '#kit/context'
import { type CodeKind, dropCode, newCode, tryCode } from '../identity/public.ts'

/** Sends SMS to people without an account. */
export interface CodeSender {
  send(phone: string, text: string, id: string): Promise<void>
}

/** What a code is for; a code of one purpose is not accepted for another. */
export type OpenPurpose = 'self-entry' | 'own-look'

const mostTries = 5
const kindOf = (purpose: OpenPurpose): CodeKind => ({ purpose, seal: purpose, holdsMs: codeMinutes * 60_000, tries: mostTries, digits: 6 })

type CodeContext = Pick<Shared, 'system' | 'clock' | 'secrets' | 'newId'>

export const phoneHash = ({ secrets }: Pick<Shared, 'secrets'>, phone: string): string => secrets.blindIndex('phone', phone)

/**
 * Sends a new code to a phone number. Returns false, and sends nothing, if one was sent within the last minute. Throws the sender's
 * errors.
 */
export async function sendCode(ctx: CodeContext, sms: CodeSender, purpose: OpenPurpose, phone: string, what: string): Promise<boolean> {
  const code = await newCode(ctx, kindOf(purpose), { subject: phoneHash(ctx, phone) })
  if (!code) return false
  await sms.send(phone, `验证码 ${code}，${codeMinutes} 分钟内有效，用于${what}。非本人操作请勿告知他人。`, ctx.newId())
  return true
}

/** Whether the code is correct. Each attempt counts, also a correct one; too many attempts invalidate the code. */
export const codeHolds = async (ctx: CodeContext, purpose: OpenPurpose, phone: string, code: string): Promise<boolean> =>
  (await tryCode(ctx, kindOf(purpose), { subject: phoneHash(ctx, phone) }, code))?.isRight === true

/** Deletes a code after its use. */
export const useUpCode = (ctx: CodeContext, purpose: OpenPurpose, phone: string) => dropCode(ctx, kindOf(purpose), phoneHash(ctx, phone))

export const wrongCode = () => new AppError('refused', '验证码不正确或已失效，请核对后重试或重新获取', { field: 'code' })

/** Counts one use of the day; false when the limit `most` is reached. */
export async function counted(ctx: Pick<Shared, 'system' | 'clock'>, subject: string, most: number): Promise<boolean> {
  const day = formatDay(ctx.clock.now())
  const { rows } = await sql<{ n: number }>`
    insert into open_use as u (subject, day, n) values (${subject}, ${day}, 1)
    on conflict (subject, day) do update set n = u.n + 1 where u.n < ${most} returning n`.execute(ctx.system)
  return rows.length > 0
}

/** Deletes old self-registrations, counters of past days and expired tokens. */
export async function forgetOpenDoors(db: Shared['system'], now: number): Promise<void> {
  await db
    .deleteFrom('selfEntry')
    .where('createTime', '<', new Date(now - selfEntryDays * dayMs))
    .execute()
  await db
    .deleteFrom('openUse')
    .where('day', '<', formatDay(now - dayMs))
    .execute()
  await db.deleteFrom('ownLook').where('expiresAt', '<', new Date(now)).execute()
}
