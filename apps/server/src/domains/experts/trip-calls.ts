import type { changeTrip, createTrip } from '@zhugong/contract/experts/activities'
import { expertStates } from '@zhugong/contract/experts/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { type Outcome, replaceTodos, take, writeLog } from '../process/public.ts'
import { ownLibrary } from './library.ts'
import { type Trip, toStated, tripKind } from './trip-rows.ts'

export const create: HandlerOf<typeof createTrip> = async ({ body }, ctx) => {
  const library = await ownLibrary(ctx)
  const { expert: expertId, ...plain } = body
  if (body.endDate < body.startDate) throw new AppError('invalidInput', '结束日期早于开始日期', { field: 'endDate' })
  const { rows } = await sql<
    Pick<Row<'expert'>, 'name'>
  >`select name from expert where id = ${expertId} and library_group = ${library.groupId}
    and state in (${expertStates.listed}, ${expertStates.paused}) for update`.execute(ctx.db)
  const expert = rows[0]
  if (!expert) throw new AppError('invalidInput', '专家不在库，请重新选择', { field: 'expert' })
  await requireFree(ctx, { expertId, id: '', ...plain })
  const id = ctx.newId()
  const row = await ctx.db
    .insertInto('expertTrip')
    .values({
      id,
      libraryGroup: library.groupId,
      expertId,
      expertName: expert.name,
      ...plain,
      writerId: ctx.user.id,
      writerName: ctx.user.name,
      createTime: new Date(ctx.clock.now()),
      updateBy: ctx.user.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const stated = toStated(row)
  await writeLog(ctx, tripKind.kind, stated, { action: 'create', from: null, to: stated.state })
  await replaceTodos(ctx, tripKind, stated)
  ctx.note('报备专家外出活动', id)
  return { id }
}

/**
 * Nobody is away on a day on which he accepted a meeting, or is already away. The library sees all of its experts' meetings.
 * @throws AppError `refused`, naming what stands against it
 */
async function requireFree(
  ctx: Context,
  { id, expertId, startDate, endDate }: Pick<Row<'expertTrip'>, 'id' | 'expertId' | 'startDate' | 'endDate'>,
) {
  const { rows } = await sql<{ what: string; day: string }>`
    select d.title as what, s.meeting_date::text as day from expert_draw_seat s join expert_draw d on d.id = s.draw_id
      where s.expert_id = ${expertId} and s.reply = 'accepted' and d.state <> '3' and s.meeting_date between ${startDate}::date and ${endDate}::date
    union all select a.title, s.date::text from expert_activity_seat s join expert_activity a on a.id = s.activity_id
      where s.expert_id = ${expertId} and s.held and s.date between ${startDate}::date and ${endDate}::date
    union all select '外出 ' || t.inviter, t.start_date::text from expert_trip t
      where t.expert_id = ${expertId} and t.id <> ${id} and t.state in ('0', '1') and t.start_date <= ${endDate}::date and t.end_date >= ${startDate}::date
    order by day limit 1`.execute(ctx.db)
  const other = rows[0]
  if (other) throw new AppError('refused', `与“${other.what}”（${other.day}）冲突`, { field: 'startDate' })
}

export const change: HandlerOf<typeof changeTrip> = async ({ params: { id }, body }, ctx) => {
  await take(ctx, tripKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))
  return undefined
}

async function write(ctx: Context, row: Trip, body: ParsedFor<typeof changeTrip>['body']): Promise<Outcome<Trip>> {
  switch (body.action) {
    case 'pass':
      await requireFree(ctx, row)
      return { values: { opinion: body.opinion }, opinion: body.opinion }
    case 'extend': {
      if (body.endDate <= row.endDate) throw new AppError('invalidInput', '延期后的日期应晚于原结束日期', { field: 'endDate' })
      await requireFree(ctx, { ...row, endDate: body.endDate })
      return { values: { endDate: body.endDate, opinion: body.opinion }, opinion: `延至 ${body.endDate}：${body.opinion}` }
    }
    case 'back': {
      const photos = await keptFiles(ctx, fileIdsOf(body.photos), row.photos, 'photos')
      return { values: { report: body.report, photos, reportAt: new Date(ctx.clock.now()) } }
    }
    default:
      return { values: { opinion: body.opinion }, opinion: body.opinion }
  }
}
