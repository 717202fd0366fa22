import { AppError } from '@zhugong/contract/kit/errors'
import type { Afterwards, Context, FileAnswer } from '#kit/context'
import { inScope, type Scope } from '#kit/db'
import { lookAction, recordLook } from '../access/public.ts'

/** The file the account stands for. A link ends with his stay where the account is his former employer's (`zg_links_end`). */
export async function ownWorkerId(ctx: Context): Promise<string | null> {
  const row = await ctx.system.selectFrom('appUser').select('workerId').where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
  return row.workerId
}

const looksApartMs = 3_600_000
/** What goes through an account is told beside what others look at: whoever proves himself later sees what was done in his name. */
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
 * A person's file does not hang on the group he works for at the moment: it is read and written beside the request's own sight, for the
 * one id that his account is tied to. Whatever else a caller names (files, ids) is looked at with `ctx` first.
 */
export async function asOwner<T>(ctx: Context, fn: (own: Context, workerId: string) => Promise<T> | T): Promise<T> {
  const workerId = await ownWorkerId(ctx)
  if (!workerId) throw new AppError('refused', '账号尚未关联实名档案，请先在“用户信息”中关联')
  await noteOwnLook(ctx, workerId)
  const scope: Scope = { ...ctx.scope, all: true, projects: [], limited: [], supervised: [] }
  return inScope(ctx.system, scope, async (db) => fn({ ...ctx, db, scope, projectCode: '*' }, workerId))
}

/** Handlers that never answer with a file, nor later. */
export async function plain<T>(answer: Promise<T> | T): Promise<Exclude<T, FileAnswer | Afterwards<unknown>>> {
  return (await answer) as Exclude<T, FileAnswer | Afterwards<unknown>>
}
