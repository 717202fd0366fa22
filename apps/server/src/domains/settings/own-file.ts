import { AppError } from '@zhugong/contract/kit/errors'
import type { AfterCommit, Context, FileAnswer } from '#kit/context'
import { inScope, type Scope } from '#kit/db'
import { lookAction, recordLook } from '../access/public.ts'

/** The file linked to the caller's account, or null. A link to an account of a former employer ends with the stay (`zg_links_end`). */
export async function ownWorkerId(ctx: Context): Promise<string | null> {
  const row = await ctx.system.selectFrom('appUser').select('workerId').where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
  return row.workerId
}

const looksApartMs = 3_600_000
/** Records access through the account in the read log: after a later identity check, the person sees what was done in their name. */
async function noteOwnLook(ctx: Context, workerId: string): Promise<void> {
  const known = await ctx.system
    .selectFrom('auditLog')
    .select('id')
    .where('objectId', '=', workerId)
    .where('userId', '=', ctx.user.id)
    .where('action', '=', lookAction)
    .where('at', '>', new Date(ctx.clock.now() - looksApartMs))
    .limit(1)
    .executeTakeFirst()
  if (!known)
    await recordLook(ctx, { objectId: workerId, summary: `用已关联的账号 ${ctx.user.account} 查看或办理本人档案`, projectCode: null })
}

/**
 * Runs `fn` for the file linked to the caller's account. The file does not depend on the person's current group, so row-level security of
 * the request is bypassed for this one id. All other ids from the caller (files, records) must be checked with `ctx` first.
 */
export async function asOwner<T>(ctx: Context, fn: (own: Context, workerId: string) => Promise<T> | T): Promise<T> {
  const workerId = await ownWorkerId(ctx)
  if (!workerId) throw new AppError('refused', '账号尚未关联实名档案，请先在“用户信息”中关联')
  await noteOwnLook(ctx, workerId)
  const scope: Scope = { ...ctx.scope, all: true, projects: [], limited: [], supervised: [] }
  return inScope(ctx.system, scope, async (db) => fn({ ...ctx, db, scope, projectCode: '*' }, workerId))
}

/** Narrows the type of handlers that never return a file or a deferred response. */
export async function plain<T>(answer: Promise<T> | T): Promise<Exclude<T, FileAnswer | AfterCommit<unknown>>> {
  return (await answer) as Exclude<T, FileAnswer | AfterCommit<unknown>>
}
