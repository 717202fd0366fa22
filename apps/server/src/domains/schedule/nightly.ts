import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { afterChange } from './writes.ts'

/** Judges every approved plan on its new day: delays, figures, to-dos, and what the company is told. Returns the number. */
export async function judgeSchedules(deps: BackgroundDependencies): Promise<number> {
  const { rows } = await sql<{ id: string; delayDays: number; createBy: string; groupId: string }>`select id, delay_days, create_by,
      groups[1] as group_id from schedule order by id`.execute(deps.db)
  for (const { id, delayDays, createBy, groupId } of rows)
    await asProduct(deps, { userId: createBy, name: '系统', groupId }, (ctx) => afterChange(ctx, { delayDays }, id))
  return rows.length
}
