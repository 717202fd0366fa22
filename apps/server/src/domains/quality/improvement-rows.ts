import { dayMs } from '@zhugong/contract/kit/time'
import type { listImprovements } from '@zhugong/contract/quality/improvement'
import { type ImprovementRow, improvementRow } from '@zhugong/contract/quality/improvement'
import { recurrenceDays } from '@zhugong/contract/quality/improvement-moves'
import { closedState, runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { waitsFor } from '../process/public.ts'
import { improvementType } from './improvement-kind.ts'
import { sourceName } from './sources.ts'

type Raw = Row<'qualityImprovement'> & {
  projectName: string
  corpName: string
  parts: string[]
  findingCount: number
  recurrence: number | null
}
type Query = Partial<NonNullable<(typeof listImprovements)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock' | 'user'>

const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
const isRunning = sql`i.state = any (${[...runningStates]})`
const isOverdue = (ctx: Pick<Context, 'clock'>) => sql`(${isRunning} and i.deadline < ${today(ctx)})`
const lateness = (ctx: Pick<Context, 'clock'>) =>
  sql`case when ${isOverdue(ctx)} then ${today(ctx)} - i.deadline when ${isRunning} then 0 else -1 end`
const isEffective = sql`i.verdict = 'effective'`
const isToVerify = sql`(i.state = ${closedState} and i.verdict is null)`

/** Problems that came again: the same defect of the same company within the days after closing. As conditions on `p` and `c` for `i`. */
export const isAgain = sql`p.project_code = i.project_code and p.quality_problem = i.quality_problem and p.corp_code = i.corp_code
  and c.state <> '0' and c.check_time > i.close_time and c.check_time <= i.close_time + make_interval(days => ${sql.lit(recurrenceDays)})`
const recurrence = sql`case when i.state = ${closedState} then
  (select count(*)::int from site_check_problem p join site_check c on c.id = p.check_id where ${isAgain}) end`

/** A draft of the caller's group, or a to-do of his. */
const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`i.id = any (array(select d.id from quality_improvement d where d.state = '0' and d.create_by = ${ctx.user.id}
    union all select t.object_id from process_todo t where t.kind = ${improvementType} and ${waitsFor(ctx, projects)}
    union all select q.id from quality_improvement q join process_todo t on t.object_id = q.rectify_id
      where t.kind = 'rectify' and ${waitsFor(ctx, projects)}))`

/** Conditions of the list and of its export. */
export function conditions(ctx: Viewer, query: Query): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    running: isRunning,
    effective: isEffective,
    again: sql`${recurrence} > 0`,
    verify: isToVerify,
    todo: waiting(ctx, projects),
  }
  return allOf(
    ...inProjects('i.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 'i.code'],
      title: [contains, 'i.title'],
      qualityProblem: [anyOf, 'i.qualityProblem'],
      source: [anyOf, 'i.sourceKind'],
      part: (value) =>
        condition(sql`exists (select from quality_finding f where f.improvement_id = i.id and ${allOf(...contains('f.part', value))})`),
      cause: (values) => condition(sql`i.causes && ${[...values]}::text[]`),
      corpName: (value) =>
        condition(sql`exists (select from corporation k where k.corp_code = i.corp_code and ${allOf(...contains('k.corpName', value))})`),
      deadline: [daysBetween, 'i.deadline'],
      recurrence: ({ low, high }) => condition(sql`${recurrence} between ${low ?? 0}::numeric and ${high ?? 1e9}::numeric`),
      overdue: (value) => condition(value ? isOverdue(ctx) : sql`not ${isOverdue(ctx)}`),
      state: [anyOf, 'i.state'],
    }),
  )
}

const order = (ctx: Viewer, sort: Query['sort']) =>
  orderBy(
    sort,
    { overdueDays: lateness(ctx), deadline: 'i.deadline!', recurrence, recheckAfter: 'i.recheckAfter!' },
    '-overdueDays',
    'i.id',
  )

export async function readImprovements(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<ImprovementRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`select i.*, j.name as project_name, k.corp_name, ${recurrence} as recurrence,
      array(select distinct f.part from quality_finding f where f.improvement_id = i.id order by 1) as parts,
      (select count(*)::int from quality_finding f where f.improvement_id = i.id) as finding_count
    from (select i.* from quality_improvement i where ${where} order by ${order(ctx, sort)} ${page}) i
    join project j on j.project_code = i.project_code join corporation k on k.corp_code = i.corp_code
    order by ${order(ctx, sort)}`.execute(ctx.db)
  return rows.map((row) =>
    rowOf(improvementRow, row, {
      qualityProblemName: dictName('qualityProblem', row.qualityProblem) ?? row.qualityProblem,
      source: row.sourceKind,
      sourceName: sourceName(row.sourceKind),
      overdueDays: runningStates.some((one) => one === row.state)
        ? Math.max(0, Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(row.deadline)) / dayMs))
        : 0,
      stateName: dictName('rectifyState', row.state) ?? row.state,
    }),
  )
}

export async function countImprovements(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from quality_improvement i where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, { projectCode }: Pick<Query, 'projectCode'>) {
  const projects = projectsFor(ctx, projectCode)
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'running' | 'overdue' | 'effective' | 'again' | 'verify' | 'todo', number>
  const { rows } = await sql<Counts>`select ${n(isRunning)} as running, ${n(isOverdue(ctx))} as overdue, ${n(isEffective)} as effective,
      ${n(sql`${recurrence} > 0`)} as again, ${n(isToVerify)} as verify, ${n(waiting(ctx, projects))} as todo
    from quality_improvement i where ${conditions(ctx, { projectCode })}`.execute(ctx.db)
  return rows[0] ?? { running: 0, overdue: 0, effective: 0, again: 0, verify: 0, todo: 0 }
}

/** One improvement as a row of the list. */
export async function improvementFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<ImprovementRow | undefined> {
  const [row] = await readImprovements(ctx, allOf(...equals('i.id', id), ...inProjects('i.projectCode', projectsFor(ctx))), {})
  return row
}
