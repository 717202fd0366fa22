import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

/**
 * Moves all stays of one file to another, with entries, exits and led teams. Throws if both files are on one site at the same time,
 * because one of the two stays must then be wrong. Returns the number of stays.
 */
export async function giveStays(ctx: Pick<Context, 'db'>, from: string, to: string): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select p.name from project_worker a join project_worker b on b.project_code = a.project_code and b.worker_id = ${to}
      join project p on p.project_code = a.project_code
    where a.worker_id = ${from} and a.entry_time < coalesce(b.exit_time, 'infinity') and b.entry_time < coalesce(a.exit_time, 'infinity') limit 1`.execute(
    ctx.db,
  )
  if (rows[0]) throw new AppError('refused', `两份档案在“${rows[0].name}”的在场时间重叠，请先移除其中一次登记`, { field: 'dropId' })
  const done = await ctx.db.updateTable('projectWorker').set({ workerId: to }).where('workerId', '=', from).executeTakeFirst()
  await ctx.db.updateTable('stayPause').set({ workerId: to }).where('workerId', '=', from).execute()
  await ctx.db.updateTable('entryExitHistory').set({ workerId: to }).where('workerId', '=', from).execute()
  await ctx.db.updateTable('team').set({ teamLeaderId: to }).where('teamLeaderId', '=', from).execute()
  return Number(done.numUpdatedRows)
}
