import type { ExamineDetail, examineTrend } from '@zhugong/contract/examine/calls'
import { type Round, roundNames } from '@zhugong/contract/examine/rhythm'
import { scoringState } from '@zhugong/contract/scoring/moves'
import { type Grade, gradeNames, scoreSheet } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { readPatrol } from '../checks/public.ts'
import { linksOf } from '../files/public.ts'
import { offersFor } from '../process/public.ts'
import { phrasesFor, scoreOf, sheetName, sheetsOf, toSheet } from '../scoring/public.ts'
import { examineKind, examinePatrol, readExamineRow } from './kind.ts'
import { recentDays, withScores } from './rows.ts'

/** A check with its sheets and score, compared with the one of the same form before. @throws AppError `notFound` */
export async function readExamine(ctx: Context, id: string): Promise<ExamineDetail> {
  const patrol = await readPatrol(ctx, examinePatrol, examineKind, id)
  const [own] = await withScores(ctx, [patrol])
  const row = found(own, examinePatrol.noun)
  const stored = await sheetsOf(ctx, id)
  const now = scoreOf(stored)
  const isDraft = row.state === scoringState
  const previous = await previousOf(ctx, id)
  const kept = new Map(previous?.scores.map((one) => [one.category, one.score]))
  const phrases = isDraft ? await phrasesFor(ctx) : new Map<string, string[]>()
  const checked = now.categories.filter((one) => one.score !== null)
  return {
    ...patrol,
    ...row,
    score: isDraft ? now.score : row.score,
    grade: isDraft ? now.grade : row.grade,
    gradeName: isDraft ? now.grade && gradeNames[now.grade] : row.gradeName,
    reason: now.reason,
    categories: now.categories.map(({ code, name, weight, score, points }) => ({
      code,
      name,
      weight,
      score,
      points,
      previous: kept.get(code) ?? null,
    })),
    sheets: stored.map((one) => toSheet(ctx, one, phrases)),
    corps: await corpsOf(ctx, id),
    previous: previous && {
      ...pick(previous, 'id', 'score', 'problemCount'),
      checkTime: formatInstant(previous.checkTime),
      gradeName: gradeNames[previous.grade],
      sameSheets: kept.size === checked.length && checked.every((one) => kept.has(one.code)),
    },
    repeated: previous ? await repeatedSince(ctx, id, previous.id) : [],
    after: await answersOf(ctx, id),
    actions: offersFor(ctx, examineKind, await readExamineRow(ctx, id)),
  }
}

async function corpsOf(ctx: Pick<Context, 'db'>, id: string): Promise<ExamineDetail['corps']> {
  const { rows } = await sql<{ code: string; name: string }>`select k.corp_code as code, k.corp_name as name
    from site_examine e join corporation k on k.corp_code = any (e.corp_codes) where e.check_id = ${id} order by 2`.execute(ctx.db)
  return rows
}

interface Previous {
  id: string
  checkTime: Date
  score: number
  grade: Grade
  problemCount: number
  scores: { category: string; score: number }[]
}
/** The last submitted check of the same form on this site before this one. */
async function previousOf(ctx: Pick<Context, 'db'>, id: string): Promise<Previous | null> {
  const { rows } = await sql<Previous>`select d.id, d.check_time, d.problem_count, k.score::float8 as score, k.grade,
      coalesce((select jsonb_agg(jsonb_build_object('category', g.category, 'score', g.score)) from check_category g where g.check_id = d.id), '[]') as scores
    from site_check c join site_examine e on e.check_id = c.id
      join site_check d on d.kind = c.kind and d.project_code = c.project_code and d.check_time < c.check_time and d.id <> c.id
      join site_examine f on f.check_id = d.id and f.round = e.round
      join check_score k on k.check_id = d.id and k.score is not null
    where c.id = ${id} order by d.check_time desc, d.id desc limit 1`.execute(ctx.db)
  return rows[0] ?? null
}

/** Problems that the check before had too: the same item at the same part. */
async function repeatedSince(ctx: Pick<Context, 'db'>, id: string, before: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select p.id from site_check_problem p where p.check_id = ${id} and exists (
    select from site_check_problem q where q.check_id = ${before} and q.item_code = p.item_code and q.part = p.part)`.execute(ctx.db)
  return rows.map((one) => one.id)
}

/** Photographs of the newest answer to each problem, or of what was mended on the spot. */
async function answersOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, id: string): Promise<ExamineDetail['after']> {
  const { rows } = await sql<{
    problemId: string
    photos: string[]
  }>`select p.id as problem_id, coalesce((select a.photos from rectify_answer a
      where a.line_id = p.line_id and not a.draft order by a.round desc limit 1), p.mended_photos) as photos
    from site_check_problem p where p.check_id = ${id}`.execute(ctx.db)
  return rows.filter((one) => one.photos.length > 0).map((one) => ({ ...one, photos: linksOf(ctx, one.photos) }))
}

/** Checks drawn in the trend. */
const mostDrawn = 40

export const readTrend: HandlerOf<typeof examineTrend> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const since = new Date(startOfDay(addDays(formatDay(ctx.clock.now()), -recentDays)))
  type Raw = { id: string; at: Date; round: Round; score: number }
  const { rows } = await sql<Raw>`select c.id, c.check_time as at, e.round, k.score::float8 as score
    from site_check c join site_examine e on e.check_id = c.id join check_score k on k.check_id = c.id
    where c.kind = ${examinePatrol.kind} and c.project_code = ${projectCode} and k.score is not null and c.check_time >= ${since}
    order by c.check_time desc, c.id desc limit ${mostDrawn}`.execute(ctx.db)
  const checks = rows.reverse()
  const ids = checks.map((one) => one.id)
  const sheets = await sql<Row<'checkSheet'>>`select * from check_sheet where check_id = any (${ids}) and not_applicable is null
    order by sheet_code`.execute(ctx.db)
  const results = await sql<Row<'checkResult'>>`select * from check_result where check_id = any (${ids})`.execute(ctx.db)
  const bySheet = Map.groupBy(results.rows, (one) => one.sheetId)
  const lines = Map.groupBy(sheets.rows, (one) => one.sheetCode)
  return {
    checks: checks.map(({ id, at, round, score }) => ({ id, day: formatDay(at), roundName: roundNames[round], score })),
    sheets: [...lines].map(([code, own]) => ({
      code,
      name: sheetName(code),
      scores: ids.map((id) =>
        meanOf(
          own.flatMap((sheet) =>
            sheet.checkId === id ? (scoreSheet({ items: bySheet.get(sheet.id) ?? [], notApplicable: false })?.score ?? []) : [],
          ),
        ),
      ),
    })),
  }
}

/** Of several sheets of one kind in a check. */
const meanOf = (scores: readonly number[]): number | null =>
  scores.length === 0 ? null : Math.round((scores.reduce((sum, one) => sum + one, 0) / scores.length) * 100) / 100
