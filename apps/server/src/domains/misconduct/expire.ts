import { badStates } from '@zhugong/contract/misconduct/codes'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { takeBack } from './effects.ts'
import { badKind } from './kind.ts'
import { answerPlea } from './pleas.ts'

const atOnce = 200

/** Ends every publication whose last day has passed: the points are given back. Returns their number. */
export async function endPublications(deps: BackgroundDependencies): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from misconduct where state = ${badStates.decided}
    and publish_end < ${formatDay(deps.clock.now())}::date order by publish_end limit ${atOnce}`.execute(deps.db)
  for (const { id } of rows) await asProduct(deps, { userId: '', name: '系统', groupId: '' }, (ctx) => endOne(ctx, id))
  return rows.length
}

async function endOne(ctx: Context, id: string): Promise<void> {
  const row = await badKind.lock(ctx, id)
  // Appealed or repaired meanwhile.
  if (row.state !== badStates.decided || row.publishEnd === null || row.publishEnd >= formatDay(ctx.clock.now())) return
  if (row.openPlea) await answerPlea(ctx, row, false, '公示期满，不再处理')
  const values = { ...(await takeBack(ctx, row, false)), state: badStates.expired }
  const version = await changeRow(ctx, 'misconduct', { key: { id }, version: row.version, noun: badKind.noun, by: null, values })
  const after = { ...row, ...values, version }
  await writeLog(ctx, badKind.kind, after, {
    action: 'expire',
    from: row.state,
    to: after.state,
    opinion: `公示至 ${row.publishEnd}，扣分退回`,
  })
  await replaceTodos(ctx, badKind, after)
}
