import type { getExpert } from '@zhugong/contract/experts/library'
import { expertDetail } from '@zhugong/contract/experts/library'
import { activityStates, drawStates } from '@zhugong/contract/experts/moves'
import { ageOn } from '@zhugong/contract/kit/checks'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linkOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { expertKind, stepLabels, toStated } from './kind.ts'
import { problemsOf } from './register.ts'
import { expertFor, toRow } from './rows.ts'

/** Rows of each list beside the file. */
const mostLinked = 50

export const readExpert: HandlerOf<typeof getExpert> = async ({ params: { id } }, ctx) => {
  const row = found(await expertFor(ctx, id), '专家')
  const own = row.libraryGroup === ctx.group.id
  const { libraryName: _name, yearCount: _year, answered: _answered, ...file } = row
  return rowOf(expertDetail, row, {
    ...toRow(ctx, row),
    idCardNumber: row.idCardMask,
    birthday: own ? row.birthday : '',
    age: ageOn(row.birthday, formatDay(ctx.clock.now())),
    email: own ? row.email : null,
    degreeName: dictName('education', row.degree) ?? row.degree,
    certs: await certsOf(ctx, id),
    // Papers of the application are for whoever decides on it.
    unitOpinion: own ? linkOf(ctx, row.unitOpinion) : null,
    commitments: own ? linkOf(ctx, row.commitments) : null,
    wish: own ? row.wish : null,
    opinion: own ? row.opinion : null,
    problems: own ? await problemWords(ctx, row) : [],
    own,
    draws: await drawsOf(ctx, id),
    activities: await activitiesOf(ctx, id),
    scores: await scoresOf(ctx, id),
    timeline: own ? await historyOf(ctx, expertKind.kind, id, stepLabels) : [],
    actions: offersFor(ctx, expertKind, toStated(file)),
  })
}

async function certsOf(ctx: Pick<Context, 'db'>, id: string) {
  const { rows } = await sql<Pick<Row<'expertCert'>, 'name' | 'number' | 'validEnd'>>`select name, number, valid_end from expert_cert
    where expert_id = ${id} order by seq`.execute(ctx.db)
  return rows
}

async function problemWords(ctx: Context, row: Row<'expert'>): Promise<string[]> {
  const { rows } = await sql<Row<'expertLibrary'>>`select * from expert_library where group_id = ${row.libraryGroup}`.execute(ctx.db)
  const library = rows[0]
  return [...(library ? problemsOf(ctx, row, library).map((one) => one.message) : []), ...(row.twin ? ['该证件号在库内已有档案'] : [])]
}

type Linked = { id: string; title: string; day: string; state: string }

/** Draws in which the expert was invited, as far as the caller may know. */
async function drawsOf(ctx: Context, id: string) {
  const { rows } = await sql<Linked>`select d.id, d.code || ' ' || d.title as title, d.meeting_date::text as day, d.state
    from expert_draw_seat s join expert_draw d on d.id = s.draw_id
    where s.expert_id = ${id} and s.reply <> 'standby' order by d.meeting_date desc, d.id limit ${mostLinked}`.execute(ctx.db)
  return rows.map(({ state, ...one }) => ({ ...one, stateName: drawStates[state as '0'] ?? state }))
}

async function activitiesOf(ctx: Context, id: string) {
  const { rows } = await sql<Linked>`select a.id, a.title, a.date::text as day, a.state
    from expert_activity_seat s join expert_activity a on a.id = s.activity_id
    where s.expert_id = ${id} order by a.date desc, a.id limit ${mostLinked}`.execute(ctx.db)
  return rows.map(({ state, ...one }) => ({ ...one, stateName: activityStates[state as '1'] ?? state }))
}

async function scoresOf(ctx: Context, id: string) {
  const { rows } = await sql<{ id: string; title: string; day: string; total: number }>`select s.id, a.title, a.date::text as day, s.total
    from expert_score s join expert_activity a on a.id = s.activity_id
    where s.expert_id = ${id} order by a.date desc, s.id limit ${mostLinked}`.execute(ctx.db)
  return rows
}
