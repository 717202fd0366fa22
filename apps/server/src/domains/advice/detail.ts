import type { AdviceDetail, getAdvice } from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { adviceKind, maskOf, stepLabels, toStated } from './kind.ts'
import { handles, itemFor, toRow, visible } from './rows.ts'

export const readAdvice: HandlerOf<typeof getAdvice> = async ({ params: { id } }, ctx) => {
  const row = found(await itemFor(ctx, id), '意见')
  const isHandler = handles(ctx, row)
  const mine = row.submitterId === ctx.user.id
  return {
    ...toRow(ctx, row),
    submitterGroupName: row.secret && !mine ? '' : row.submitterGroupName,
    anonymous: row.anonymous,
    thread: await threadOf(ctx, row, mine),
    notes: isHandler ? await notesOf(ctx, id) : null,
    context: isHandler && row.aboutProject ? await contextOf(ctx, row.aboutProject, id) : null,
    timeline: isHandler ? await historyOf(ctx, adviceKind.kind, id, stepLabels) : [],
    canUnmask: isHandler && row.secret && !row.anonymous && row.addresseeGroup === ctx.group.id,
    actions: offersFor(ctx, adviceKind, toStated(row)),
  }
}

async function threadOf(ctx: Context, row: Row<'advice'>, mine: boolean): Promise<AdviceDetail['thread']> {
  const { rows } = await sql<Row<'adviceEntry'>>`select * from advice_entry where advice_id = ${row.id} order by at, id`.execute(ctx.db)
  return rows.map(({ id, kind, text, images, bySubmitter, byName, groupName, at }) => ({
    id,
    kind,
    text,
    images: linksOf(ctx, images),
    byName: bySubmitter ? (mine ? '我' : row.secret ? maskOf(row) : byName) : byName,
    groupName: bySubmitter && row.secret ? '' : groupName,
    at: formatInstant(at),
  }))
}

/** Notes of the caller's institution. */
async function notesOf(ctx: Pick<Context, 'db' | 'group'>, id: string) {
  const { rows } = await sql<Row<'adviceNote'>>`select * from advice_note where advice_id = ${id} and group_id = ${ctx.group.id}
    order by at, id`.execute(ctx.db)
  return rows.map((one) => ({ id: one.id, text: one.text, byName: one.byName, at: formatInstant(one.at) }))
}

/** What whoever answers should know of the project: as far as he may see it. */
async function contextOf(ctx: Context, projectCode: string, id: string): Promise<NonNullable<AdviceDetail['context']>> {
  const { rows } = await sql<{ openNotices: number; earlierComplaints: number }>`select
    (select count(*)::int from rectify r where r.project_code = ${projectCode} and r.state = any (${[...runningStates]}::text[])) as open_notices,
    (select count(*)::int from advice a where a.about_project = ${projectCode} and a.type = ${complaint} and a.id <> ${id} and ${visible(ctx)})
      as earlier_complaints`.execute(ctx.db)
  return rows[0] ?? { openNotices: 0, earlierComplaints: 0 }
}
