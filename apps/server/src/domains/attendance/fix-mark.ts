import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { markDays, markEverybody } from './dirty.ts'
import { affectedByEvent } from './engine/affected.ts'
import { dateOf, datesFrom } from './engine/time.ts'
import type { CorrectionValue } from './tables.ts'

/** A48: queues the days the correction may change, in the same transaction. */
export async function markFix(ctx: Pick<Context, 'db'>, fix: Row<'attendanceCorrection'>): Promise<void> {
  const value = fix.value as CorrectionValue
  const first = value.fromDay ?? fix.workDay ?? dateOf(fix.requestedAt.getTime())
  const last = value.toDay ?? (value.time === null ? first : dateOf(value.time))
  const range = affectedByEvent(first, last)
  // A revoke affects the period of the revoked correction.
  const reach = fix.kind === 'revoke' ? await revokedRange(ctx, value.target ?? '', range) : range
  if (fix.workerId === null) await markEverybody(ctx.db, fix.projectCode, reach)
  else
    await markDays(
      ctx.db,
      fix.projectCode,
      [...datesFrom(reach.from, reach.to)].map((day) => [fix.workerId!, day] as const),
    )
}

async function revokedRange(ctx: Pick<Context, 'db'>, id: string, range: { from: string; to: string }) {
  const row = await ctx.db.selectFrom('attendanceCorrection').select(['value', 'workDay']).where('id', '=', id).executeTakeFirst()
  const value = row?.value as CorrectionValue | undefined
  return value?.fromDay && value.toDay ? affectedByEvent(value.fromDay, value.toDay) : range
}
