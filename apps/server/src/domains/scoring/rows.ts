import { dayMs } from '@zhugong/contract/kit/time'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import type * as contract from '@zhugong/contract/scoring/inspections'
import { type InspectionRow, inspectionRow } from '@zhugong/contract/scoring/inspections'
import { openStates, scoringState } from '@zhugong/contract/scoring/moves'
import { gradeNames, itemResults } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { inspectionType, stateName } from './kind.ts'
import { categoryName } from './standard.ts'

type RawInspection = Row<'siteCheck'> &
  Pick<Row<'checkScore'>, 'score' | 'grade' | 'weakest'> & { projectName: string; sheetCount: number; doneCount: number; openCount: number }
export type Query = Partial<NonNullable<(typeof contract.listInspections)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock' | 'db'>

/** Days from one day to another, both yyyy-MM-dd. */
export const daysFrom = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

const codes = (states: readonly string[]) => sql`${[...states]}::text[]`
const isOpen = sql`c.state = any (${codes(openStates)})`
const isScoring = sql`c.state = ${scoringState}`
/** Inspections with their scores, as `c` and `s`. */
export const inspections = sql`site_check c join check_score s on s.check_id = c.id`

export function conditions(ctx: Viewer, query: Query): Condition {
  return allOf(
    condition(sql`c.kind = ${inspectionType}`),
    ...inProjects('c.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(value === 'open' ? isOpen : isScoring),
      code: [contains, 'c.code'],
      inspectType: [anyOf, 'c.inspectType'],
      checkTime: [instantsBetween, 'c.checkTime'],
      checkers: (value) => condition(sql`exists (select from unnest(c.checkers) as who where ${allOf(...contains('who', value))})`),
      score: [between, 's.score'],
      grade: [anyOf, 's.grade'],
      weakest: [anyOf, 's.weakest'],
      problemCount: [between, 'c.problemCount'],
      dangerLevel: (value) => condition(value ? sql`c.danger_level = ${majorLevel}` : sql`c.danger_level is distinct from ${majorLevel}`),
      state: [anyOf, 'c.state'],
    }),
  )
}

const order = (sort: Query['sort']) =>
  orderBy(sort, { checkTime: 'c.checkTime!', score: 's.score', problemCount: 'c.problemCount!' }, '-checkTime', 'c.id')

export async function readRows(
  ctx: Viewer,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<InspectionRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawInspection>`select c.*, s.score, s.grade, s.weakest, p.name as project_name,
      (select count(*)::int from check_sheet t where t.check_id = c.id) as sheet_count,
      (select count(*)::int from check_sheet t where t.check_id = c.id and (t.not_applicable is not null
        or not exists (select from check_result r where r.sheet_id = t.id and r.result = ${itemResults.unchecked}))) as done_count,
      (select count(*)::int from site_check_problem b left join rectify_line l on l.id = b.line_id
        where b.check_id = c.id and l.state is distinct from 'passed') as open_count
    from ${inspections} join project p on p.project_code = c.project_code where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows.map((r) =>
    rowOf(inspectionRow, r, {
      inspectTypeName: dictName('inspectType', r.inspectType) ?? r.inspectType,
      checkTime: formatInstant(r.checkTime),
      gradeName: r.grade && gradeNames[r.grade],
      weakestName: r.weakest && categoryName(r.weakest),
      dangerLevelName: dictName('hiddenDangerLevel', r.dangerLevel),
      stateName: stateName(r.state),
    }),
  )
}

export async function countRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${inspections} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip; the counted ones have the condition of the list they open. */
export async function countsOf(ctx: Viewer, projectCode: string | undefined) {
  const where = conditions(ctx, { projectCode })
  const { rows } = await sql<{ open: number; scoring: number }>`select count(*) filter (where ${isOpen})::int as open,
    count(*) filter (where ${isScoring})::int as scoring from ${inspections} where ${where}`.execute(ctx.db)
  const last = await sql<{ checkTime: Date; score: number; grade: keyof typeof gradeNames }>`select c.check_time, s.score, s.grade
    from ${inspections} where ${where} and s.score is not null order by c.check_time desc, c.id desc limit 1`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  const latest = last.rows[0]
  const thisMonth = latest && latest.checkTime.getTime() >= startOfDay(`${today.slice(0, 7)}-01`) ? latest : undefined
  return {
    open: rows[0]?.open ?? 0,
    scoring: rows[0]?.scoring ?? 0,
    monthScore: thisMonth?.score ?? null,
    monthGrade: thisMonth ? gradeNames[thisMonth.grade] : null,
    daysSince: latest ? daysFrom(formatDay(latest.checkTime), today) : null,
  }
}

export async function rowFor(ctx: Viewer, id: string): Promise<InspectionRow | undefined> {
  const [row] = await readRows(
    ctx,
    allOf(condition(sql`c.kind = ${inspectionType}`), ...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx))),
    {},
  )
  return row
}
