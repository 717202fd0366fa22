import { AppError } from '@zhugong/contract/kit/errors'
import type { BatchResult } from '@zhugong/contract/labour/model'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'

export type Stay = Row<'projectWorker'>

/** Runs an action for each stay. A refusal is reported for that person and does not affect the others. */
export async function each(ctx: Context, ids: readonly string[], act: (stay: Stay) => Promise<string | undefined>): Promise<BatchResult> {
  const stays = await ctx.db
    .selectFrom('projectWorker')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .forUpdate()
    .execute()
  const byId = new Map(stays.map((s) => [s.id, s]))
  const failed: BatchResult['failed'] = []
  let done = 0
  // An invisible id is an error of the request, not of a person, so nothing is done.
  if ([...new Set(ids)].some((id) => !byId.has(id))) throw new AppError('notFound', '人员不存在或不在您的管辖范围内', { field: 'ids' })
  // In the caller's order, so that consecutive numbers follow it.
  for (const id of new Set(ids)) {
    const stay = byId.get(id)
    if (!stay) continue
    const message = await act(stay)
    if (message) failed.push({ id, name: stay.workerName, message })
    else done++
  }
  return { done, failed }
}

export async function getStay(ctx: Pick<Context, 'db'>, id: string): Promise<Stay> {
  return found(await ctx.db.selectFrom('projectWorker').selectAll().where('id', '=', id).executeTakeFirst(), '项目人员')
}
