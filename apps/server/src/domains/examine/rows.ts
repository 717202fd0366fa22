import type { PatrolRow } from '@zhugong/contract/checks/patrol'
import type * as contract from '@zhugong/contract/examine/calls'
import type { ExamineRow } from '@zhugong/contract/examine/calls'
import { type Round, rhythmOf, roundNames, weekOf } from '@zhugong/contract/examine/rhythm'
import { scoringState } from '@zhugong/contract/scoring/moves'
import { type Grade, gradeNames } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, between, type Condition, condition, contains, filtersOf, inProjects, orderBy } from '#kit/list'
import { countPatrols, type PatrolReader, patrolConditions, readChecks } from '../checks/public.ts'
import { examinePatrol } from './kind.ts'

type Query = Partial<NonNullable<(typeof contract.listExamines)['types']>['parsed']['query']>

/** Days of the figures and of the trend: eight weeks. */
export const recentDays = 56
const stopped = '005'

const score = sql`(select k.score from check_score k where k.check_id = c.id)`
const grade = sql`(select k.grade from check_score k where k.check_id = c.id)`
const round = sql`(select e.round from site_examine e where e.check_id = c.id)`

/** Conditions of the list and of its export. */
export function conditions(ctx: PatrolReader, { page, size, sort, ...query }: Query): Condition {
  const { round: rounds, checkers, score: range, grade: grades, problemCount, ...base } = query
  return allOf(
    patrolConditions(ctx, examinePatrol.kind, base),
    filtersOf(
      { round: rounds, checkers, score: range, grade: grades, problemCount },
      {
        round: (codes) => condition(sql`${round} = any (${[...codes]})`),
        checkers: (value) => condition(sql`exists (select from unnest(c.checkers) as who where ${allOf(...contains('who', value))})`),
        score: ({ low, high }) => condition(sql`${score} between ${low ?? 0}::numeric and ${high ?? 100}::numeric`),
        grade: (codes) => condition(sql`${grade} = any (${[...codes]})`),
        problemCount: [between, 'c.problemCount'],
      },
    ),
  )
}

interface Slice {
  sort?: Query['sort']
  limit?: number
  offset?: number
}

/** By score the ids are ordered here; every other order is that of all patrols. */
export async function readExamines(ctx: PatrolReader, where: Condition, { sort, ...slice }: Slice): Promise<ExamineRow[]> {
  if (sort !== 'score' && sort !== '-score') return withScores(ctx, await readChecks(ctx, where, { sort, ...slice }))
  const page = slice.limit === undefined ? sql`` : sql`limit ${slice.limit} offset ${slice.offset ?? 0}`
  const { rows } = await sql<{
    id: string
  }>`select c.id from site_check c where ${where} order by ${orderBy(sort, { score }, '-score', 'c.id')} ${page}`.execute(ctx.db)
  const ids = rows.map((one) => one.id)
  const all = await withScores(ctx, await readChecks(ctx, condition(sql`c.id = any (${ids})`), {}))
  return ids.flatMap((id) => all.find((one) => one.id === id) ?? [])
}

interface More {
  checkId: string
  round: Round
  score: number | null
  grade: Grade | null
  sheetCount: number
  archived: boolean
}

/** What scored checks say beside the rows of all patrols. */
export async function withScores(ctx: PatrolReader, rows: readonly PatrolRow[]): Promise<ExamineRow[]> {
  const found = await sql<More>`select e.check_id, e.round, k.score::float8 as score, k.grade, e.archived_at is not null as archived,
      (select count(*)::int from check_sheet t where t.check_id = e.check_id) as sheet_count
    from site_examine e join check_score k using (check_id) where e.check_id = any (${rows.map((one) => one.id)})`.execute(ctx.db)
  const byId = new Map(found.rows.map((one) => [one.checkId, one]))
  return rows.flatMap((row) => {
    const more = byId.get(row.id)
    if (!more) return []
    const { checkId: _id, ...own } = more
    return [
      {
        ...row,
        ...own,
        roundName: roundNames[own.round],
        gradeName: own.grade && gradeNames[own.grade],
        openCount: row.state === scoringState ? 0 : row.problemCount - row.passedCount,
      },
    ]
  })
}

/** Figures of the strip. The counted ones have the condition of the list that they open. */
export async function countsOf(ctx: PatrolReader, { projectCode }: Pick<Query, 'projectCode'>) {
  const projects = projectsFor(ctx, projectCode)
  const since = new Date(startOfDay(addDays(formatDay(ctx.clock.now()), -recentDays)))
  type Recent = { meanScore: number | null; problems: number }
  const { rows } = await sql<Recent>`select round(avg(k.score), 1)::float8 as mean_score, coalesce(sum(c.problem_count), 0)::int as problems
    from site_check c join check_score k on k.check_id = c.id
    where c.kind = ${examinePatrol.kind} and c.state <> ${scoringState} and c.check_time >= ${since}
      and ${allOf(...inProjects('c.projectCode', projects))}`.execute(ctx.db)
  return { ...(await countPatrols(ctx, examinePatrol.kind, { projectCode })), ...(rows[0] ?? { meanScore: null, problems: 0 }) }
}

/** What this week asks of one site; null for several sites, and where work is stopped. */
export async function readRhythm(ctx: PatrolReader, { projectCode }: Pick<Query, 'projectCode'>) {
  const projects = projectsFor(ctx, projectCode)
  const [only] = projects ?? []
  if (projects?.length !== 1 || only === undefined) return null
  const project = await sql<{ status: string }>`select prj_status as status from project where project_code = ${only}`.execute(ctx.db)
  if (project.rows[0]?.status === stopped) return null
  const today = formatDay(ctx.clock.now())
  const monday = weekOf(today)[0] ?? today
  const from = new Date(startOfDay(`${monday.slice(0, 7)}-01`))
  const { rows } = await sql<{
    round: Round
    at: Date
  }>`select e.round, c.check_time as at from site_check c join site_examine e on e.check_id = c.id
    where c.kind = ${examinePatrol.kind} and c.project_code = ${only} and c.state <> ${scoringState} and c.check_time >= ${from}`.execute(
    ctx.db,
  )
  const finished = rows.map((one) => ({ round: one.round, day: formatDay(one.at) }))
  return rhythmOf(finished, today).map((one) => ({ ...one, name: roundNames[one.round] }))
}
