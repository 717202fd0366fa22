import * as contract from '@zhugong/contract/experts/scores'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linkOf } from '../files/public.ts'
import { ownLibrary } from './library.ts'
import { expertFor, specialtyNames } from './rows.ts'
import { countPending, countRows, figures, gradeName, gradeOf, type RawYear, readPending, readRows, yearNow } from './year-rows.ts'

export const pending: HandlerOf<typeof contract.listPendingScores> = async ({ query }, ctx) => ({
  list: await readPending(ctx, query, pageSlice(query)),
  total: await countPending(ctx, query),
})

export const years: HandlerOf<typeof contract.listYearScores> = async ({ query }, ctx) => {
  const year = query.year ?? yearNow(ctx)
  const { rows } = await sql<{
    own: boolean
  }>`select exists (select 1 from expert_library where group_id = ${ctx.group.id}) as own`.execute(ctx.db)
  return {
    list: await readRows(ctx, query, pageSlice(query)),
    total: await countRows(ctx, query),
    year,
    frozen: await frozenOf(ctx, year),
    own: rows[0]?.own ?? false,
    pending: ctx.codes.has('experts.evaluate') ? await countPending(ctx) : 0,
  }
}

async function frozenOf(ctx: Pick<Context, 'db' | 'group'>, year: number): Promise<{ at: string; by: string } | null> {
  const { rows } = await sql<Pick<Row<'expertYear'>, 'frozenAt' | 'frozenBy'>>`select frozen_at, frozen_by from expert_year
    where year = ${year} and library_group = ${ctx.group.id} limit 1`.execute(ctx.db)
  return rows[0] ? { at: formatInstant(rows[0].frozenAt), by: rows[0].frozenBy } : null
}

type Lines = Record<contract.ScoreLine, number>
const totalOf = (lines: Lines): number => contract.lineNames.reduce((sum, name) => sum + lines[name], 0)

export const give: HandlerOf<typeof contract.giveScore> = async ({ body }, ctx) => {
  const { seat: seatId, sentence, ...lines } = body
  if (contract.needsSentence(lines) && !sentence)
    throw new AppError('invalidInput', '有低于 12 分或高于 18 分的项，请写评语', { field: 'sentence' })
  type Raw = Pick<Row<'expertActivity'>, 'libraryGroup' | 'organiserGroup' | 'organiserName' | 'state' | 'date'> &
    Pick<Row<'expertActivitySeat'>, 'activityId' | 'expertId' | 'signAt'>
  const { rows } =
    await sql<Raw>`select s.activity_id, s.expert_id, s.sign_at, a.library_group, a.organiser_group, a.organiser_name, a.state, a.date
    from expert_activity_seat s join expert_activity a on a.id = s.activity_id where s.id = ${seatId}`.execute(ctx.db)
  const seat = found(rows[0], '参加记录')
  if (seat.organiserGroup !== ctx.group.id) throw new AppError('forbidden', '只有组织活动的单位可以评价')
  if (seat.state !== '4') throw new AppError('refused', '活动完成归档后才能评价')
  if (seat.signAt === null) throw new AppError('refused', '该专家未签到，不能评价')
  const year = Number(seat.date.slice(0, 4))
  const { rows: settled } = await sql<{ frozen: boolean }>`select zg_expert_settled(${seat.libraryGroup}, ${year}::int) as frozen`.execute(
    ctx.db,
  )
  if (settled[0]?.frozen) throw new AppError('refused', `${year} 年度评价已结算`)
  const id = ctx.newId()
  await ctx.db
    .insertInto('expertScore')
    .values({
      id,
      seatId,
      ...pick(seat, 'activityId', 'expertId', 'libraryGroup'),
      organiserGroup: ctx.group.id,
      organiserName: ctx.group.name,
      year,
      ...lines,
      total: totalOf(lines),
      sentence,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该专家本次活动已评价') : error
    })
  ctx.note('评价专家', id)
  return { id }
}

export const freeze: HandlerOf<typeof contract.freezeYear> = async ({ body: { year } }, ctx) => {
  const library = await ownLibrary(ctx)
  if (year >= yearNow(ctx)) throw new AppError('refused', `${year} 年尚未结束，不能结算`, { field: 'year' })
  if (await frozenOf(ctx, year)) throw new AppError('refused', `${year} 年度已结算`, { field: 'year' })
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{
    expertId: string
  }>`insert into expert_year (library_group, year, expert_id, times, mean_score, score, grade, frozen_at, frozen_by)
    select ${library.groupId}, ${year}::int, r.id, r.times, r.mean_score, r.score, r.grade, ${now}, ${ctx.user.name} from ${figures(ctx, year)}
      join expert e on e.id = r.id where e.library_group = ${library.groupId} returning expert_id`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('refused', `${year} 年没有评价记录`, { field: 'year' })
  await showLatest(
    ctx,
    rows.map((one) => one.expertId),
  )
  ctx.note(`结算 ${year} 年度专家评价，${rows.length} 人`)
  return { experts: rows.length }
}

/** The file shows the last settled year. */
const showLatest = (ctx: Pick<Context, 'db'>, ids: readonly string[]) =>
  sql`update expert e set score = y.score, grade = y.grade
    from (select distinct on (expert_id) expert_id, score, grade from expert_year where expert_id = any (${[...ids]}) order by expert_id, year desc) y
    where y.expert_id = e.id`.execute(ctx.db)

export const correct: HandlerOf<typeof contract.correctScore> = async ({ params: { id }, body }, ctx) => {
  const library = await ownLibrary(ctx)
  const { reason, ...lines } = body
  const { rows } = await sql<
    Row<'expertScore'>
  >`select * from expert_score where id = ${id} and library_group = ${library.groupId} for update`.execute(ctx.db)
  const score = found(rows[0], '评价')
  if (score.byId === ctx.user.id) throw new AppError('forbidden', '评价人不能更正自己的评价，请由另一人更正')
  const total = totalOf(lines)
  await ctx.db
    .insertInto('expertScoreChange')
    .values({
      id: ctx.newId(),
      scoreId: id,
      before: score.total,
      after: total,
      reason,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
  await ctx.db
    .updateTable('expertScore')
    .set({ ...lines, total })
    .where('id', '=', id)
    .execute()
  await settleAgain(ctx, library.groupId, score)
  ctx.note(`更正专家评价：${score.total} 分改为 ${total} 分（${reason}）`, id)
  return undefined
}

/** A settled year changes by a correction only, for this one expert. */
async function settleAgain(
  ctx: Context,
  libraryGroup: string,
  { expertId, year }: Pick<Row<'expertScore'>, 'expertId' | 'year'>,
): Promise<void> {
  const { rows } = await sql<{
    times: number
    mean: number
  }>`select count(*)::int as times, round(avg(total), 1)::float8 as mean from expert_score
    where expert_id = ${expertId} and year = ${year}`.execute(ctx.db)
  const { times = 0, mean = 0 } = rows[0] ?? {}
  const score = times < contract.leastTimes ? null : mean
  await sql`update expert_year set times = ${times}, mean_score = ${mean}, score = ${score}, grade = ${gradeOf(score, times)}
    where library_group = ${libraryGroup} and year = ${year} and expert_id = ${expertId}`.execute(ctx.db)
  await showLatest(ctx, [expertId])
}

export const appeal: HandlerOf<typeof contract.appealScore> = async ({ params: { id }, body }, ctx) => {
  const library = await ownLibrary(ctx)
  const expert = found(await expertFor(ctx, id), '专家')
  if (expert.libraryGroup !== library.groupId) throw new AppError('forbidden', '只有专家所在库的机构可以登记申诉')
  await ctx.db
    .insertInto('expertAppeal')
    .values({ id: ctx.newId(), libraryGroup: library.groupId, expertId: id, ...body, byName: ctx.user.name, at: new Date(ctx.clock.now()) })
    .execute()
  ctx.note('登记专家评价申诉', id)
  return undefined
}

export const evaluation: HandlerOf<typeof contract.getEvaluation> = async ({ params: { id }, query }, ctx) => {
  const expert = found(await expertFor(ctx, id), '专家')
  const year = query.year ?? (await lastYear(ctx, id))
  const own = expert.libraryGroup === ctx.group.id
  const { rows } = await sql<RawYear>`select r.* from ${figures(ctx, year)} where r.id = ${id}`.execute(ctx.db)
  const now = rows[0]
  return {
    id,
    ...pick(expert, 'name', 'workUnit', 'validEnd'),
    photo: linkOf(ctx, expert.photo),
    specialtyNames: specialtyNames(expert.specialties),
    year,
    years: await yearsOf(ctx, id, year),
    meanScore: now?.meanScore ?? null,
    score: now?.score ?? null,
    gradeName: gradeName(now?.grade ?? null),
    frozen: (await frozenOf(ctx, year)) !== null,
    lines: await meansOf(ctx, sql`c.expert_id = ${id} and c.year = ${year}`),
    fieldLines: await meansOf(
      ctx,
      sql`c.year = ${year} and exists (select 1 from expert e where e.id = c.expert_id and e.specialties && ${expert.specialties}::text[])`,
    ),
    scores: await scoresOf(ctx, id, year),
    missingReports: now?.missingReports ?? 0,
    appeals: await appealsOf(ctx, id, year),
    own,
  }
}

/** The year of the newest score that the caller sees. */
async function lastYear(ctx: Context, id: string): Promise<number> {
  const { rows } = await sql<{ year: number | null }>`select max(year) as year from expert_score where expert_id = ${id}`.execute(ctx.db)
  return rows[0]?.year ?? yearNow(ctx)
}

async function yearsOf(ctx: Context, id: string, year: number) {
  type Raw = Pick<Row<'expertYear'>, 'year' | 'score' | 'grade'>
  const { rows } =
    await sql<Raw>`select year, score, grade from expert_year where expert_id = ${id} and year <> ${year} order by year desc limit 5`.execute(
      ctx.db,
    )
  return rows.map((one) => ({ year: one.year, score: one.score, gradeName: gradeName(one.grade) }))
}

async function meansOf(ctx: Pick<Context, 'db'>, where: ReturnType<typeof sql>): Promise<Lines | null> {
  const mean = (name: string) => sql`round(avg(${sql.ref(`c.${name}`)}), 1)::float8 as ${sql.ref(name)}`
  const { rows } = await sql<
    Record<contract.ScoreLine, number | null>
  >`select ${sql.join(contract.lineNames.map(mean))} from expert_score c where ${where}`.execute(ctx.db)
  return rows[0] && rows[0].presence !== null ? (rows[0] as Lines) : null
}

async function scoresOf(ctx: Context, id: string, year: number): Promise<contract.Scored[]> {
  type Raw = Row<'expertScore'> & {
    title: string
    date: string
    before: number | null
    correctedBy: string | null
    correctReason: string | null
  }
  const { rows } = await sql<Raw>`select c.*, a.title, a.date::text as date, x.before, x.by_name as corrected_by, x.reason as correct_reason
    from expert_score c join expert_activity a on a.id = c.activity_id
    left join lateral (select * from expert_score_change h where h.score_id = c.id order by h.at desc, h.id desc limit 1) x on true
    where c.expert_id = ${id} and c.year = ${year} order by a.date desc, c.id`.execute(ctx.db)
  return rows.map((one) => ({
    ...pick(one, 'id', 'title', 'date', 'organiserName', 'total', 'sentence', 'before', 'correctedBy', 'correctReason'),
    lines: { presence: one.presence, skill: one.skill, opinion: one.opinion, fairness: one.fairness, discipline: one.discipline },
    canCorrect: one.libraryGroup === ctx.group.id && one.byId !== ctx.user.id && ctx.codes.has('experts.review'),
  }))
}

async function appealsOf(ctx: Context, id: string, year: number) {
  const { rows } = await sql<
    Row<'expertAppeal'>
  >`select * from expert_appeal where expert_id = ${id} and year = ${year} order by at desc`.execute(ctx.db)
  return rows.map((one) => ({ id: one.id, text: one.text, byName: one.byName, time: formatInstant(one.at) }))
}
