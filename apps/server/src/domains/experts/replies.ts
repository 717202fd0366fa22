import { mostOfUnit } from '@zhugong/contract/experts/draws'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { takenOf } from './candidates.ts'
import type { ExpertDraw } from './draw-kind.ts'

type Seat = Row<'expertDrawSeat'>

/** The history names nobody: the organiser may read it before he may read the names. */
const seatWords = ({ specialty, rank }: Pick<Seat, 'specialty' | 'rank'>) =>
  `${dictName('expertSpecialty', specialty) ?? specialty} 第 ${rank} 位`

async function seatOf(ctx: Context, drawId: string, id: string): Promise<Seat> {
  const { rows } = await sql<Seat>`select * from expert_draw_seat where id = ${id} and draw_id = ${drawId}`.execute(ctx.db)
  return found(rows[0], '抽取名单中的专家')
}

/** Records an answer; whoever refuses is followed by the next of the reserve. Returns the words for the history. */
export async function replyTo(
  ctx: Context,
  draw: ExpertDraw,
  seatId: string,
  answer: 'accepted' | 'refused',
  note: string | null,
): Promise<string> {
  const seat = await seatOf(ctx, draw.id, seatId)
  const before = seat.reply
  // Who accepted may withdraw, with a reason.
  if (before !== 'invited' && !(before === 'accepted' && answer === 'refused')) throw new AppError('refused', '该专家现在不能登记此答复')
  if (answer === 'refused' && !note) throw new AppError('invalidInput', '请填写拒绝原因', { field: 'note' })
  await setReply(ctx, seat, answer, note)
  const words = `${seatWords(seat)}${answer === 'accepted' ? '同意' : `拒绝${before === 'accepted' ? '（原已同意）' : ''}`}`
  return answer === 'accepted' ? words : `${words}；${await stepIn(ctx, draw, seat.specialty)}`
}

/** Goes on to the next of the reserve although the time limit is not over. */
export async function nextOf(ctx: Context, draw: ExpertDraw, seatId: string, note: string | null): Promise<string> {
  const seat = await seatOf(ctx, draw.id, seatId)
  if (seat.reply !== 'invited') throw new AppError('refused', '只有待答复的专家可以顺延')
  await setReply(ctx, seat, 'silent', note)
  return `${seatWords(seat)}无应答；${await stepIn(ctx, draw, seat.specialty)}`
}

const setReply = (ctx: Context, { id }: Pick<Seat, 'id'>, reply: Seat['reply'], note: string | null) =>
  sql`update expert_draw_seat set reply = ${reply}, note = ${note}, reply_at = ${new Date(ctx.clock.now())}, reply_by = ${ctx.user.name}
    where id = ${id}`.execute(ctx.db)

/**
 * Invites the next of the reserve who is free in this half day, holds no other seat of the draw, and whose unit is not full. Those left out on
 * the way are marked.
 */
async function stepIn(ctx: Context, draw: ExpertDraw, specialty: string): Promise<string> {
  const { rows } = await sql<Seat>`select * from expert_draw_seat where draw_id = ${draw.id} order by specialty, rank`.execute(ctx.db)
  const active = rows.filter((one) => one.reply === 'invited' || one.reply === 'accepted')
  const waiting = rows.filter((one) => one.reply === 'standby' && one.specialty === specialty)
  const taken = await takenOf(
    ctx,
    waiting.map((one) => one.expertId),
    draw,
    0,
  )
  for (const seat of waiting) {
    const sameUnit = active.filter((one) => one.workUnit === seat.workUnit).length
    const why = taken.has(seat.expertId) ? '该时段已有安排' : sameUnit >= mostOfUnit ? '同单位已满' : undefined
    if (why === undefined) {
      await sql`update expert_draw_seat set reply = 'invited', due_at = ${new Date(ctx.clock.now() + draw.replyHours * hourMs)}
        where id = ${seat.id}`.execute(ctx.db)
      return `${seatWords(seat)}递补`
    }
    await sql`update expert_draw_seat set reply = 'passed', note = ${why} where id = ${seat.id}`.execute(ctx.db)
  }
  return '候补已用完'
}

/** 已确定 when every seat of every specialty is accepted, else 邀请中; and how many accepted. */
export async function reached(ctx: Pick<Context, 'db'>, drawId: string): Promise<{ to: '1' | '2'; values: { accepted: number } }> {
  const { rows } = await sql<{ full: boolean; accepted: number }>`select bool_and(q.seats <= n.accepted) as full,
      coalesce(sum(n.accepted), 0)::int as accepted
    from expert_draw_quota q cross join lateral (select count(*)::int as accepted from expert_draw_seat s
      where s.draw_id = q.draw_id and s.specialty = q.specialty and s.reply = 'accepted') n
    where q.draw_id = ${drawId}`.execute(ctx.db)
  return { to: rows[0]?.full ? '2' : '1', values: { accepted: rows[0]?.accepted ?? 0 } }
}
