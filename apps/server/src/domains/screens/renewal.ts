import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { type renewScreenToken as contract, renewWithinDays, tokenDays } from '@zhugong/contract/screens/endpoints'
import { type Display, found } from '#kit/context'
import { type HandlerOf, hashToken } from '#kit/serve'
import { newDisplayKey } from './displays.ts'

export const renewFrom = ({ expiresAt }: Pick<Display, 'expiresAt'>): number => expiresAt - renewWithinDays * dayMs

/**
 * Issues the wall's next token. The current one stays valid until the next one is used, and a repeated request issues another, so a lost
 * response does no harm. The issuer's rights are checked here as at every use.
 */
export const renewScreenToken: HandlerOf<typeof contract> = async (_, ctx) => {
  const { display } = ctx.principal
  if (!display) throw new AppError('forbidden', '墙屏链接由打开它的墙屏自己续期')
  const now = ctx.clock.now()
  if (now < renewFrom(display)) throw new AppError('refused', `墙屏链接在到期前 ${renewWithinDays} 天内续期`)
  const row = found(await ctx.db.selectFrom('screenToken').selectAll().where('id', '=', display.id).executeTakeFirst(), '墙屏链接')
  const token = newDisplayKey()
  const expiresAt = new Date(now + tokenDays * dayMs)
  await ctx.db
    .updateTable('screenToken')
    .set({ nextHash: hashToken(token), nextExpiresAt: expiresAt })
    .where('id', '=', row.id)
    .execute()
  ctx.note(`墙屏链接 ${row.name} 续期`, row.id)
  return { id: row.id, token, expiresAt: expiresAt.getTime() }
}
