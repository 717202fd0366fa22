import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { passwordMatches } from '../access/public.ts'
import { beginAttempt, takeBackAttempt } from './attempts.ts'
import { crowded, locked } from './held-back.ts'
import { limitsNow } from './safety.ts'

/** The asker's own account, once he has given its password; tries are counted as at the door. */
export async function requireOwnPassword(
  ctx: Pick<Context, 'system' | 'clock' | 'ip' | 'user' | 'secrets' | 'newId' | 'log'>,
  password: string,
  field = 'password',
  wrong = '登录密码不正确',
): Promise<Row<'appUser'>> {
  const user = await ctx.system.selectFrom('appUser').selectAll().where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
  // Whoever sits at a screen left open guesses no more often than at the door.
  const { lockAfter, lockMs } = await limitsNow(ctx.system)
  const attempt = await beginAttempt(ctx, user.account)
  if (attempt.waitMs) throw crowded(attempt.waitMs)
  if (attempt.number > lockAfter) throw locked(attempt.lockedMs)
  if (!(await passwordMatches(user.passwordHash, password))) {
    throw attempt.number >= lockAfter ? locked(lockMs) : new AppError('refused', wrong, { field })
  }
  await takeBackAttempt(ctx, user.account)
  return user
}
