import { isEntryTrained } from '@zhugong/contract/personnel/rules'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { changeStay, type Stay } from '../labour/public.ts'

/** Updates the entry training flag from the passed trainings of each stay. Returns how many people newly qualify. */
export async function refreshTrained(ctx: Context, stays: readonly Stay[]): Promise<number> {
  if (stays.length === 0) return 0
  const { rows } = await sql<{ stay: string; types: string[] }>`
    select project_worker_id as stay, array_agg(distinct training_type) as types from worker_training
    where project_worker_id = any (${stays.map((s) => s.id)}) and passed group by 1`.execute(ctx.db)
  const passed = new Map(rows.map((r) => [r.stay, r.types]))
  let opened = 0
  for (const stay of stays) {
    const entryTrained = isEntryTrained(passed.get(stay.id) ?? [])
    if (entryTrained === stay.entryTrained) continue
    await changeStay(ctx, stay, { entryTrained })
    if (entryTrained) opened++
  }
  return opened
}

/** Records of people who have left are not changed any more. */
export const presentOf = (ctx: Context, ids: readonly string[]): Promise<Stay[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ctx.db
        .selectFrom('projectWorker')
        .selectAll()
        .where('id', 'in', [...ids])
        .where('exitTime', 'is', null)
        .forUpdate()
        .execute()
