import { AppError } from '@zhugong/contract/kit/errors'
import { type renewScreenToken as contract, renewWithinDays, tokenDays } from '@zhugong/contract/screens/endpoints'
import { sql } from 'kysely'
import { dayMs } from '#kit/clock'
import { type Context, type Display, found } from '#kit/context'
import { inScope, type Row } from '#kit/db'
import { type HandlerOf, hashToken } from '#kit/serve'
import { principalLater } from '../access/public.ts'
import { newDisplayKey } from './displays.ts'

export const renewFrom = ({ expiresAt }: Pick<Display, 'expiresAt'>): number => expiresAt - renewWithinDays * dayMs

/**
 * The wall's next token, told to it alone. What it holds stays good until the next one is seen, and asking again makes another: a wall that
 * did not hear the answer loses nothing.
 */
export const renewScreenToken: HandlerOf<typeof contract> = async (_, ctx) => {
  const { display } = ctx.principal
  if (!display) throw new AppError('forbidden', '墙屏链接由打开它的墙屏自己续期')
  const now = ctx.clock.now()
  if (now < renewFrom(display)) throw new AppError('refused', `墙屏链接在到期前 ${renewWithinDays} 天内续期`)
  const row = found(await ctx.db.selectFrom('screenToken').selectAll().where('id', '=', display.id).executeTakeFirst(), '墙屏链接')
  const reason = (await standsFor(ctx, row)) ? null : '签发人已无权签发这块墙屏的链接，到期后停用，请重新签发'
  const token = reason ? null : newDisplayKey()
  const expiresAt = token ? new Date(now + tokenDays * dayMs) : row.expiresAt
  await ctx.db
    .updateTable('screenToken')
    .set(token ? { nextHash: hashToken(token), nextExpiresAt: expiresAt, endsBecause: null } : { endsBecause: reason })
    .where('id', '=', row.id)
    .execute()
  ctx.note(reason ? `墙屏链接 ${row.name} 不再续期：签发人已无权签发` : `墙屏链接 ${row.name} 续期`, row.id)
  return { id: row.id, token, expiresAt: expiresAt.getTime(), reason }
}

/** Whether whoever issued a link might issue it today: he is still there, may, and answers for the group whose wall it is. */
async function standsFor(ctx: Context, { issuerId, issuerGroupId, groupId }: Row<'screenToken'>): Promise<boolean> {
  if (!issuerId || !issuerGroupId) return false
  const deps = { database: { kysely: ctx.system }, clock: ctx.clock }
  const issuer = await principalLater(deps, { userId: issuerId, groupId: issuerGroupId, projectCode: '*' }, [mayIssue]).catch(
    (error: unknown) => {
      if (error instanceof AppError) return undefined
      throw error
    },
  )
  if (!issuer?.codes.has(mayIssue)) return false
  if (issuerGroupId === groupId) return true
  return inScope(ctx.system, issuer.scope, async (tx) => {
    const { rows } = await sql<{ below: boolean }>`select zg_is_platform() or zg_group_below(${groupId}) as below`.execute(tx)
    return rows[0]?.below ?? false
  })
}
const mayIssue = 'screens.wall'
