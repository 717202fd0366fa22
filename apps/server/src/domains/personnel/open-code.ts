import { randomInt } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import { codeMinutes, selfEntryDays } from '@zhugong/contract/personnel/self-entry'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Shared } from '#kit/context'

/** Messages to telephones of people without an account. */
export interface CodeSender {
  send(phone: string, text: string, id: string): Promise<void>
}

/** What the code is for: one purpose's code opens nothing of another. */
export type OpenPurpose = 'self-entry' | 'own-look'

const betweenCodesMs = 60_000
const holdsMs = codeMinutes * 60_000
const mostTries = 5

type Asking = Pick<Shared, 'system' | 'clock' | 'secrets' | 'newId'>

export const phoneHash = ({ secrets }: Pick<Shared, 'secrets'>, phone: string): string => secrets.blindIndex('phone', phone)
const signed = (purpose: OpenPurpose, subject: string, code: string) => `${purpose}\n${subject}\n${code}`

/** Sends a new code to a telephone. Answers false, and sends nothing, where one went out a moment ago. Throws what the sender throws. */
export async function sendCode(ctx: Asking, sms: CodeSender, purpose: OpenPurpose, phone: string, what: string): Promise<boolean> {
  const subject = phoneHash(ctx, phone)
  const now = ctx.clock.now()
  const code = String(randomInt(10 ** 6)).padStart(6, '0')
  const row = { codeHash: ctx.secrets.sign('open-code', signed(purpose, subject, code)), tries: 0, expiresAt: new Date(now + holdsMs) }
  const written = await ctx.system
    .insertInto('oneTimeCode')
    .values({ purpose, subject, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'subject'])
        .doUpdateSet(row)
        .where('oneTimeCode.expiresAt', '<=', new Date(now + holdsMs - betweenCodesMs)),
    )
    .returning('subject')
    .executeTakeFirst()
  if (!written) return false
  await sms.send(phone, `验证码 ${code}，${codeMinutes} 分钟内有效，用于${what}。非本人操作请勿告知他人。`, ctx.newId())
  return true
}

/** A try is counted before it is looked at; wrong ones use the code up. */
export async function codeHolds(ctx: Asking, purpose: OpenPurpose, phone: string, code: string): Promise<boolean> {
  const subject = phoneHash(ctx, phone)
  const tried = await ctx.system
    .updateTable('oneTimeCode')
    .set({ tries: sql`tries + 1` })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .where('expiresAt', '>', new Date(ctx.clock.now()))
    .where('tries', '<', mostTries)
    .returning('codeHash')
    .executeTakeFirst()
  return tried !== undefined && ctx.secrets.verify('open-code', signed(purpose, subject, code), tried.codeHash)
}

/** A code is good once. */
export async function useUpCode(ctx: Asking, purpose: OpenPurpose, phone: string): Promise<void> {
  await ctx.system.deleteFrom('oneTimeCode').where('purpose', '=', purpose).where('subject', '=', phoneHash(ctx, phone)).execute()
}

export const wrongCode = () => new AppError('refused', '验证码不正确或已失效，请核对后重试或重新获取', { field: 'code' })

/** Counts something of a day; true as long as there was no more of it than `most`. */
export async function counted(ctx: Pick<Shared, 'system' | 'clock'>, subject: string, most: number): Promise<boolean> {
  const day = formatDay(ctx.clock.now())
  const { rows } = await sql<{ n: number }>`
    insert into open_use as u (subject, day, n) values (${subject}, ${day}, 1)
    on conflict (subject, day) do update set n = u.n + 1 where u.n < ${most} returning n`.execute(ctx.system)
  return rows.length > 0
}

const dayMs = 86_400_000
/** What was handed in and never came to anything, and what was counted of days that are over. */
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
