import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'

export async function getWorker(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'worker'>> {
  return found(await ctx.db.selectFrom('worker').selectAll().where('id', '=', id).where('deleted', '=', false).executeTakeFirst(), '人员')
}
