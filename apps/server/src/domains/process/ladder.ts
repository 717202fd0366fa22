import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import type { Context } from '#kit/context'
import { ladderDays, stepAt } from './todo.ts'

/** What a kind does when one of its to-dos is overdue. */
export interface Ladder {
  kind: string
  /** `days` is one of `ladderDays`. Runs in the transaction that counts the step. */
  climb(ctx: Context, objectId: string, days: number): Promise<void>
}

/** To-dos handled per run; the rest follow in the next. */
const atOnce = 200

/** Takes the next step of every to-do that is due. Returns the number taken. */
export async function climbLadders(deps: BackgroundDependencies, ladders: readonly Ladder[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from process_todo where next_at <= ${new Date(deps.clock.now())}
    order by next_at limit ${atOnce}`.execute(deps.db)
  for (const { id } of rows) await asProduct(deps, { userId: '', name: '系统', groupId: '' }, (ctx) => climbOne(ctx, id, ladders))
  return rows.length
}

async function climbOne(ctx: Context, id: string, ladders: readonly Ladder[]): Promise<void> {
  const now = new Date(ctx.clock.now())
  // The record may have moved on, or another process may be taking this step.
  const { rows } = await sql<{ kind: string; objectId: string; step: number; due: string }>`
    select kind, object_id, step, due from process_todo where id = ${id} and next_at <= ${now} for update skip locked`.execute(ctx.db)
  const todo = rows[0]
  const days = todo && ladderDays[todo.step]
  if (!todo || days === undefined) return
  await ladders.find(({ kind }) => kind === todo.kind)?.climb(ctx, todo.objectId, days)
  await sql`update process_todo set step = step + 1, next_at = ${stepAt(todo.due, todo.step + 1)} where id = ${id}`.execute(ctx.db)
}
