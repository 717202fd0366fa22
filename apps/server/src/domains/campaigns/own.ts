import { type Context, found } from '#kit/context'
import { type Campaign, readCampaign } from './kind.ts'

/** A campaign of the caller's own group. @throws AppError `notFound` for everybody else */
export async function readOwn(ctx: Pick<Context, 'db' | 'group'>, id: string): Promise<Campaign> {
  const row = await readCampaign(ctx, id)
  return found(row.organiserGroup === ctx.group.id ? row : undefined, '督查')
}
