import { answered, closeDays } from '@zhugong/contract/advice/moves'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { adviceKind } from './kind.ts'

const atOnce = 200

/** Closes what was answered a week ago and not asked again. Returns the number. */
export async function closeAnswered(deps: BackgroundDependencies): Promise<number> {
  const before = new Date(deps.clock.now() - closeDays * dayMs)
  const { rows } = await sql<{ id: string }>`select id from advice where state = ${answered} and replied_at <= ${before}
    order by replied_at limit ${atOnce}`.execute(deps.db)
  for (const { id } of rows) await asProduct(deps, { userId: '', name: '系统', groupId: '' }, (ctx) => close(ctx, id, before))
  return rows.length
}

async function close(ctx: Context, id: string, before: Date): Promise<void> {
  const row = await adviceKind.lock(ctx, id)
  // Asked again or closed meanwhile.
  if (row.state !== answered || row.repliedAt === null || row.repliedAt > before) return
  const values = { state: '2', closedAt: new Date(ctx.clock.now()) }
  const version = await changeRow(ctx, 'advice', { key: { id }, version: row.version, noun: adviceKind.noun, by: null, values })
  const after = { ...row, ...values, version }
  await writeLog(ctx, adviceKind.kind, after, {
    action: 'expire',
    from: row.state,
    to: after.state,
    opinion: `答复后 ${closeDays} 天未追问`,
  })
  await replaceTodos(ctx, adviceKind, after)
}
