import { expertStates } from '@zhugong/contract/experts/moves'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { expertKind } from './kind.ts'

const atOnce = 200

/** Ends the terms whose last day is over. Returns the number. */
export async function endTerms(deps: BackgroundDependencies): Promise<number> {
  const today = formatDay(deps.clock.now())
  const { rows } = await sql<{ id: string }>`select id from expert where state = ${expertStates.listed} and valid_end < ${today}::date
    order by valid_end limit ${atOnce}`.execute(deps.db)
  for (const { id } of rows) await asProduct(deps, { userId: '', name: '系统', groupId: '' }, (ctx) => end(ctx, id, today))
  return rows.length
}

async function end(ctx: Context, id: string, today: string): Promise<void> {
  const row = await expertKind.lock(ctx, id)
  // Renewed or removed meanwhile.
  if (row.state !== expertStates.listed || row.validEnd === null || row.validEnd >= today) return
  const values = { state: expertStates.ended }
  const version = await changeRow(ctx, 'expert', { key: { id }, version: row.version, noun: expertKind.noun, by: null, values })
  const after = { ...row, ...values, version }
  await writeLog(ctx, expertKind.kind, after, { action: 'expire', from: row.state, to: after.state, opinion: `聘期至 ${row.validEnd}` })
  await replaceTodos(ctx, expertKind, after)
}
