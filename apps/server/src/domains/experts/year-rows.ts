import { reportDays } from '@zhugong/contract/experts/moves'
import {
  leastTimes,
  type listPendingScores,
  type listYearScores,
  type PendingRow,
  pendingRow,
  scoreDays,
  type YearRow,
} from '@zhugong/contract/experts/scores'
import { dictEntry, dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, anyOf, between, condition, contains, filtersOf, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { specialtyNames } from './rows.ts'

type Query = Partial<NonNullable<(typeof listYearScores)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'group' | 'clock' | 'db'>

export const yearNow = (ctx: Pick<Viewer, 'clock'>): number => Number(formatDay(ctx.clock.now()).slice(0, 4))
/** 不合格 in dictionary expertEvaluateGrade. */
export const failing = '4'
const grades = (dictionaryOf('expertEvaluateGrade')?.items ?? []).map(({ code }) => ({
  code,
  min: Number(dictEntry('expertEvaluateGrade', code)?.min ?? 0),
}))
/** The grade of a score; null without enough scored activities. */
export const gradeOf = (score: number | null, times: number): string | null =>
  score === null || times < leastTimes ? null : (grades.find(({ min }) => score >= min)?.code ?? failing)
const gradeSql = sql`case ${sql.join(
  grades.map(({ code, min }) => sql`when x.score >= ${min}::numeric then ${code}::text`),
  sql` `,
)} end`

/** Below two scored activities a year has no grade. */
export const gradeName = (grade: string | null): string => (grade === null ? '次数不足' : (dictName('expertEvaluateGrade', grade) ?? grade))

export interface RawYear {
  id: string
  name: string
  specialties: string[]
  times: number
  meanScore: number | null
  score: number | null
  grade: string | null
  lastYear: number | null
  lastGrade: string | null
  missingReports: number
  rank: number
}

/**
 * A year's figures by expert, as far as the caller sees the scores: from the settlement where there is one, else from the scores. Activities
 * without a score count as none.
 */
export const figures = (ctx: Viewer, year: number) => sql`(select e.id, e.name, e.specialties, coalesce(y.times, s.times, 0) as times,
    coalesce(y.mean_score, s.mean) as mean_score, x.score, case when y.expert_id is not null then y.grade else ${gradeSql} end as grade,
    p.score as last_year, p.grade as last_grade,
    (select count(*)::int from expert_trip t where t.expert_id = e.id and t.state = '1' and t.report is null
      and t.end_date + ${reportDays}::int < ${formatDay(ctx.clock.now())}::date and extract(year from t.end_date) = ${year}::int) as missing_reports,
    rank() over (order by x.score desc nulls last)::int as rank
  from expert e
    left join (select expert_id, count(*)::int as times, round(avg(total), 1) as mean from expert_score where year = ${year}::int group by expert_id) s
      on s.expert_id = e.id
    left join expert_year y on y.expert_id = e.id and y.year = ${year}::int
    left join expert_year p on p.expert_id = e.id and p.year = ${year - 1}::int
    cross join lateral (select case when y.expert_id is not null then y.score when s.times >= ${leastTimes}::int
      then greatest(0, s.mean - zg_expert_deducted(e.id, ${year}::int)) end as score) x
  where s.expert_id is not null or y.expert_id is not null) r`

const conditions = (query: Query) =>
  allOf(
    filtersOf(query, {
      projectCode: 'elsewhere',
      year: 'elsewhere',
      name: [contains, 'r.name'],
      specialties: (codes) => condition(sql`r.specialties && ${[...codes]}::text[]`),
      meanScore: [between, 'r.meanScore'],
      grade: [anyOf, 'r.grade'],
    }),
  )

export async function readRows(ctx: Viewer, query: Query, { limit, offset }: { limit?: number; offset?: number } = {}): Promise<YearRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const order = orderBy(query.sort, { score: 'r.score', times: 'r.times!', meanScore: 'r.meanScore', name: 'r.name!' }, '-score', 'r.id')
  const { rows } =
    await sql<RawYear>`select r.* from ${figures(ctx, query.year ?? yearNow(ctx))} where ${conditions(query)} order by ${order} ${page}`.execute(
      ctx.db,
    )
  return rows.map(toRow)
}

export async function countRows(ctx: Viewer, query: Query): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${figures(ctx, query.year ?? yearNow(ctx))} where ${conditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const toRow = ({ lastGrade, ...r }: RawYear): YearRow => ({
  ...r,
  specialtyNames: specialtyNames(r.specialties),
  gradeName: gradeName(r.grade),
  warn: r.grade === failing && lastGrade === failing,
})

type PendingQuery = Partial<NonNullable<(typeof listPendingScores)['types']>['parsed']['query']>
/** Seats of the caller's finished activities whose experts came and are not scored. */
const pending = (ctx: Pick<Viewer, 'group'>) => sql`from expert_activity_seat s join expert_activity a on a.id = s.activity_id
  where a.organiser_group = ${ctx.group.id} and a.state = '4' and s.sign_at is not null
    and not exists (select 1 from expert_score c where c.seat_id = s.id)`
const pendingFilters = (query: PendingQuery) =>
  filtersOf(query, { projectCode: 'elsewhere', title: [contains, 'a.title'], expertName: [contains, 's.expertName'] })

export async function readPending(
  ctx: Viewer,
  query: PendingQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<PendingRow[]> {
  type Raw = Pick<PendingRow, 'id' | 'activityId' | 'title' | 'date' | 'expertName' | 'role' | 'signed'>
  const order = orderBy(query.sort, { date: 'a.date!' }, 'date', 's.id')
  const { rows } =
    await sql<Raw>`select s.id, s.activity_id, a.title, a.date::text as date, s.expert_name, s.role, true as signed ${pending(ctx)}
    and ${pendingFilters(query)} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((r) => {
    const dueDate = addDays(r.date, scoreDays)
    return rowOf(pendingRow, r, { dueDate, late: dueDate < today })
  })
}

export async function countPending(ctx: Viewer, query: PendingQuery = {}): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${pending(ctx)} and ${pendingFilters(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
