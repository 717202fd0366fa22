import { AppError } from '@zhugong/contract/kit/errors'
import { deviationOf } from '@zhugong/contract/materials/rules'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { weighedTicket } from '../monitoring/weigh/public.ts'
import type { Batch } from './kind.ts'

type Owner = Pick<Batch, 'id' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>

/**
 * Links complete tickets of the same site to a batch. A ticket belongs to one batch.
 * @throws AppError `invalidInput` at `tickets`
 */
export async function linkTickets(ctx: Context, batch: Owner, keys: readonly string[], direction: 'in' | 'out'): Promise<void> {
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'tickets' })
  for (const weighId of new Set(keys)) {
    const ticket = await weighedTicket(ctx, weighId).catch((error: unknown) => {
      throw error instanceof AppError ? refuse('磅单不存在，请重新选择') : error
    })
    if (ticket.projectCode !== batch.projectCode) throw refuse(`磅单 ${ticket.billNo} 不属于该项目`)
    if (!ticket.complete) throw refuse(`磅单 ${ticket.billNo} 尚未完成或已作废`)
    if (ticket.inward !== (direction === 'in')) throw refuse(`磅单 ${ticket.billNo} 是${ticket.inward ? '进场' : '出场'}过磅`)
    const { id: batchId, projectCode, corpCode, shownAt, groups } = batch
    await ctx.db
      .insertInto('materialWeigh')
      .values({
        weighId,
        batchId,
        projectCode,
        corpCode,
        shownAt,
        groups,
        direction,
        billNo: ticket.billNo,
        plateNo: ticket.plateNo,
        weighedAt: new Date(ticket.time),
        gross: ticket.grossWeight,
        tare: ticket.tareWeight,
        net: ticket.netWeight,
        actual: ticket.actualWeight,
        bill: ticket.billWeight,
      })
      .execute()
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? refuse(`磅单 ${ticket.billNo} 已关联其他批次`) : error
      })
  }
}

/** Weighed against delivered over the tickets with a delivery note, in thousandths. */
export async function deviationFor(ctx: Pick<Context, 'db'>, batchId: string): Promise<number | null> {
  const { rows } = await sql<{
    actual: number | null
    bill: number | null
  }>`select sum(actual) as actual, sum(bill) as bill from material_weigh
    where batch_id = ${batchId} and direction = 'in' and actual is not null and bill is not null`.execute(ctx.db)
  return deviationOf(rows[0]?.actual ?? null, rows[0]?.bill ?? null)
}
