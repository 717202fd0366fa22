import type { DrawDetail, getDraw } from '@zhugong/contract/experts/draws'
import { drawDetail } from '@zhugong/contract/experts/draws'
import { replyStates } from '@zhugong/contract/experts/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { historyOf, offersFor } from '../process/public.ts'
import { drawKind, drawSteps, mayName, stateName, toStated } from './draw-kind.ts'
import { drawFor, toRow } from './draw-rows.ts'

const specialtyName = (code: string) => dictName('expertSpecialty', code) ?? code

export const readDraw: HandlerOf<typeof getDraw> = async ({ params: { id } }, ctx) => {
  const row = found(await drawFor(ctx, id), '抽取')
  const { wanted: _wanted, ...draw } = row
  return rowOf(drawDetail, row, {
    ...toRow(row),
    quotas: await quotasOf(ctx, id),
    recusals: await recusalsOf(ctx, id),
    frozenTime: formatInstant(row.frozenAt),
    frozenBy: row.frozenName,
    seats: mayName(ctx, row) ? await seatsOf(ctx, id) : null,
    siblings: await siblingsOf(ctx, row),
    timeline: await historyOf(ctx, drawKind.kind, id, drawSteps),
    actions: offersFor(ctx, drawKind, toStated(draw)),
  })
}

async function quotasOf(ctx: Pick<Context, 'db'>, id: string): Promise<DrawDetail['quotas']> {
  const { rows } = await sql<Pick<Row<'expertDrawQuota'>, 'specialty' | 'seats' | 'candidates'>>`select specialty, seats, candidates
    from expert_draw_quota where draw_id = ${id} order by seq`.execute(ctx.db)
  return rows.map((one) => ({ ...one, name: specialtyName(one.specialty) }))
}

async function recusalsOf(ctx: Pick<Context, 'db'>, id: string): Promise<DrawDetail['recusals']> {
  type Raw = Pick<Row<'expertDrawRecusal'>, 'expertName' | 'workUnit' | 'reason' | 'manual'>
  const { rows } = await sql<Raw>`select expert_name, work_unit, reason, manual from expert_draw_recusal
    where draw_id = ${id} order by manual desc, expert_name, expert_id`.execute(ctx.db)
  return rows.map(({ expertName, ...one }) => ({ name: expertName, ...one }))
}

async function seatsOf(ctx: Pick<Context, 'db'>, id: string): Promise<DrawDetail['seats']> {
  const { rows } = await sql<Row<'expertDrawSeat'>>`select s.* from expert_draw_seat s
    left join expert_draw_quota q on q.draw_id = s.draw_id and q.specialty = s.specialty
    where s.draw_id = ${id} order by q.seq, s.rank`.execute(ctx.db)
  return rows.map((one) => ({
    ...pick(one, 'id', 'specialty', 'rank', 'expertId', 'workUnit', 'reply', 'note', 'replyBy'),
    specialtyName: specialtyName(one.specialty),
    name: one.expertName,
    phone: one.phoneMask,
    replyName: replyStates[one.reply],
    dueTime: one.dueAt && formatInstant(one.dueAt),
    replyTime: one.replyAt && formatInstant(one.replyAt),
  }))
}

async function siblingsOf(ctx: Pick<Context, 'db'>, { id, meeting }: Pick<Row<'expertDraw'>, 'id' | 'meeting'>) {
  type Raw = Pick<Row<'expertDraw'>, 'id' | 'code' | 'run' | 'state' | 'reason'>
  const { rows } = await sql<Raw>`select id, code, run, state, reason from expert_draw where meeting = ${meeting} and id <> ${id}
    order by run`.execute(ctx.db)
  return rows.map(({ state, ...one }) => ({ ...one, stateName: stateName(state) }))
}
