import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { passwordMatches, recordEvent } from '../access/public.ts'
import { beginAttempt, takeBackAttempt } from './attempts.ts'
import { crowded, locked } from './held-back.ts'
import { limitsNow } from './safety.ts'

type PasswordContext = Pick<Context, 'system' | 'clock' | 'ip' | 'user' | 'group' | 'secrets' | 'newId' | 'log'>
interface Wrong {
  words: string
  field: string
  /** Text in the audit log. */
  summary: string
}

/**
 * Checks a password or code of the logged-in user. Attempts count together with login attempts and failures are audited, so an
 * unattended screen gives no extra or unrecorded guesses. Returns the result of `right`.
 */
export async function tryCounted<T>(ctx: PasswordContext, right: () => Promise<T | undefined> | T | undefined, wrong: Wrong): Promise<T> {
  const { account } = ctx.user
  const { lockAfter, lockMs } = await limitsNow(ctx.system)
  const attempt = await beginAttempt(ctx, account)
  if (attempt.waitMs) throw crowded(attempt.waitMs)
  if (attempt.number > lockAfter) throw locked(attempt.lockedMs)
  const found = await right()
  if (found === undefined) {
    await recordEvent(ctx.system, ctx.clock, {
      userId: ctx.user.id,
      account,
      userName: ctx.user.name,
      groupId: ctx.group.id,
      groupName: ctx.group.name,
      action: 'login',
      summary: wrong.summary,
      result: 'refused',
      ip: ctx.ip,
    })
    throw attempt.number >= lockAfter ? locked(lockMs) : new AppError('refused', wrong.words, { field: wrong.field })
  }
  await takeBackAttempt(ctx, account)
  return found
}

/** The caller's account, after checking its password. */
export async function requireOwnPassword(
  ctx: PasswordContext,
  password: string,
  field = 'password',
  wrong = '登录密码不正确',
): Promise<Row<'appUser'>> {
  const user = await ctx.system.selectFrom('appUser').selectAll().where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
  const right = async () => ((await passwordMatches(user.passwordHash, password)) ? user : undefined)
  return tryCounted(ctx, right, { words: wrong, field, summary: '确认本人密码：密码不正确' })
}
