import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { showResults } from '../draw/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { drawKind } from './draw-kind.ts'
import { nextOf, reached } from './replies.ts'

const atOnce = 200
const system = { userId: '', name: '系统', groupId: '' }

/** Whoever did not answer in time is followed by the next of the reserve. Returns the number. */
export async function passSilent(deps: BackgroundDependencies): Promise<number> {
  const { rows } = await sql<{
    id: string
    drawId: string
  }>`select s.id, s.draw_id from expert_draw_seat s join expert_draw d on d.id = s.draw_id
    where s.reply = 'invited' and s.due_at <= ${new Date(deps.clock.now())} and d.state in ('1', '2')
    order by s.due_at limit ${atOnce}`.execute(deps.db)
  for (const { id, drawId } of rows) await asProduct(deps, system, (ctx) => pass(ctx, drawId, id))
  return rows.length
}

async function pass(ctx: Context, drawId: string, seatId: string): Promise<void> {
  const row = await drawKind.lock(ctx, drawId)
  const { rows } = await sql`select from expert_draw_seat where id = ${seatId} and reply = 'invited'
    and due_at <= ${new Date(ctx.clock.now())}`.execute(ctx.db)
  if (!rows[0] || row.state === '3') return
  const opinion = await nextOf(ctx, row, seatId, '超过答复时限')
  const { to, values: counted } = await reached(ctx, drawId)
  const values = { ...counted, state: to }
  const version = await changeRow(ctx, 'expertDraw', { key: { id: drawId }, version: row.version, noun: drawKind.noun, by: null, values })
  const after = { ...row, ...values, version }
  await writeLog(ctx, drawKind.kind, after, { action: 'silent', from: row.state, to: after.state, opinion })
  await replaceTodos(ctx, drawKind, after)
}

/** On the meeting day the names are known to all who see the draw. Returns the number of draws. */
export async function showNames(deps: BackgroundDependencies): Promise<number> {
  return asProduct(deps, system, async (ctx) => {
    const now = new Date(ctx.clock.now())
    const today = formatDay(ctx.clock.now())
    const { rows } = await sql<{
      id: string
    }>`update expert_draw set shown_at = ${now} where shown_at is null and meeting_date <= ${today}::date
      returning id`.execute(ctx.db)
    const ids = rows.map((one) => one.id)
    await sql`update expert_draw_seat set shown_at = ${now} where shown_at is null and draw_id = any (${ids})`.execute(ctx.db)
    await showResults(ctx, drawKind.kind, ids)
    await sql`update expert_activity_seat set shown_at = ${now} where shown_at is null and date <= ${today}::date`.execute(ctx.db)
    await sql`update expert_activity set shown_at = ${now} where shown_at is null and date <= ${today}::date`.execute(ctx.db)
    return ids.length
  })
}
