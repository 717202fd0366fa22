import { projectStates } from '@zhugong/contract/organisation/codes'
import type * as contract from '@zhugong/contract/plans/calls'
import { type PlanRow, planRow } from '@zhugong/contract/plans/calls'
import { validPlans } from '@zhugong/contract/plans/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyInt,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  inProjects,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { heldCheck, stateName } from './kind.ts'

type RawPlan = Row<'checkPlan'> & {
  projectName: string
  paused: boolean
  doneCount: number
  planCount: number
  missedCount: number
  nextWindow: string | null
  nextVisitId: string | null
  shownTitle: string | null
  shownStart: string | null
  shownEnd: string | null
  shownSupervisors: string[] | null
}
export type Query = Partial<NonNullable<(typeof contract.listPlans)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock' | 'db' | 'user' | 'group'>

/** Of an authority or the platform: windows, drafts and risk are not for others. */
export const isRegulator = (ctx: Pick<Context, 'group'>): boolean =>
  ctx.group.type === groupTypes.government || ctx.group.type === groupTypes.platform

const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
const isHeld = sql`exists (select from day_check d where d.id = v.check_id and ${heldCheck})`
/** A visit of a running site whose window has passed without a submitted check. */
const isMissed = (ctx: Pick<Context, 'clock'>) => sql`(v.window_end < ${today(ctx)} and not ${isHeld})`
const isValid = sql`p.state = any (${[...validPlans]}::text[])`
const isPaused = sql`j.prj_status = ${projectStates.stopped}`

/** Plans as `p`, their projects as `j`, and what is counted of their visits as `n`. */
const plans = (ctx: Viewer) => sql`check_plan p join project j on j.project_code = p.project_code
  left join lateral (select count(*)::int as plan_count, (count(*) filter (where ${isHeld}))::int as done_count,
      (count(*) filter (where ${isMissed(ctx)}))::int as missed_count,
      min(v.window_start) filter (where v.check_id is null and v.window_end >= ${today(ctx)}) as next_window
    from check_plan_visit v where v.plan_id = p.id) n on true
  left join lateral (select w.title, w.start_date, w.end_date, w.supervisors from check_plan_version w where w.plan_id = p.id
    order by w.version_no desc limit 1) w on true`

export function conditions(ctx: Viewer, query: Query): Condition {
  const regulates = isRegulator(ctx)
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    mine: sql`(p.submit_by = ${ctx.user.id} or p.create_by = ${ctx.user.id} or ${ctx.user.id} = any (p.supervisor_ids))`,
    valid: isValid,
    missed: sql`(${isValid} and not ${isPaused} and n.missed_count > 0)`,
  }
  return allOf(
    ...inProjects('p.projectCode', projectsFor(ctx, query.projectCode)),
    ...(regulates ? [] : [condition(sql`p.shown_at is not null`)]),
    filtersOf(regulates ? query : { ...query, tab: undefined, riskLevel: undefined, nextWindow: undefined, doneCount: undefined }, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 'p.code'],
      title: [contains, 'p.title'],
      riskLevel: [anyInt, 'p.riskLevel'],
      discipline: [anyOf, 'p.discipline'],
      year: [equals, 'p.year'],
      supervisors: (value) => condition(sql`exists (select from unnest(p.supervisors) as who where ${allOf(...contains('who', value))})`),
      startDate: [daysBetween, 'p.startDate'],
      nextWindow: [daysBetween, 'n.nextWindow'],
      doneCount: [between, 'n.doneCount'],
      state: [anyOf, 'p.state'],
    }),
  )
}

/** Missed ones first, then by the next window. */
const order = (sort: Query['sort']) =>
  sort === undefined || sort.endsWith('urgency')
    ? sql`case when p.state = '1' then 0 else 1 end, n.missed_count desc, n.next_window nulls last, p.create_time desc, p.id`
    : orderBy(
        sort,
        { urgency: 'n.missedCount', nextWindow: 'n.nextWindow', startDate: 'p.startDate!', riskLevel: 'p.riskLevel!' },
        '-startDate',
        'p.id',
      )

export async function readRows(
  ctx: Viewer,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<PlanRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawPlan>`select p.*, j.name as project_name, ${isPaused} as paused, n.*, w.title as shown_title,
      w.start_date as shown_start, w.end_date as shown_end, w.supervisors as shown_supervisors,
      (select v.id from check_plan_visit v where v.plan_id = p.id and v.check_id is null and v.window_end >= ${today(ctx)}
        order by v.window_start limit 1) as next_visit_id
    from ${plans(ctx)} where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows.map((r) => toRow(ctx, r))
}

/** A row; readers of the site get the version in force and nothing about visits. */
function toRow(ctx: Viewer, r: RawPlan): PlanRow {
  const regulates = isRegulator(ctx)
  const row = rowOf(planRow, r, {
    disciplineName: dictName('checkDiscipline', r.discipline) ?? r.discipline,
    stateName: stateName(r.state),
  })
  if (regulates) return row
  const state = r.state === '1' || r.state === '2' ? '3' : r.state
  return {
    ...row,
    title: r.shownTitle ?? r.title,
    startDate: r.shownStart ?? r.startDate,
    endDate: r.shownEnd ?? r.endDate,
    supervisors: r.shownSupervisors ?? r.supervisors,
    riskLevel: null,
    doneCount: null,
    planCount: null,
    missedCount: null,
    nextWindow: null,
    nextVisitId: null,
    state,
    stateName: stateName(state),
  }
}

export async function countRows(ctx: Viewer, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${plans(ctx)} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip over the sites under construction in the scope. */
export async function countsOf(ctx: Viewer, projectCode: string | undefined) {
  if (!isRegulator(ctx)) return { building: 0, unplanned: 0, monthDue: 0, monthDone: 0, missed: 0 }
  const within = allOf(...inProjects('j.projectCode', projectsFor(ctx, projectCode)))
  const [first, year] = monthOf(ctx)
  const last = addDays(nextMonth(first), -1)
  const { rows } = await sql<{ building: number; unplanned: number }>`select count(*)::int as building,
      (count(*) filter (where not ${hasPlan(year)}))::int as unplanned
    from project j where j.prj_status = ${projectStates.building} and ${within}`.execute(ctx.db)
  const visits = await sql<{
    monthDue: number
    monthDone: number
  }>`select count(*)::int as month_due, (count(*) filter (where ${isHeld}))::int as month_done
    from check_plan_visit v join check_plan p on p.id = v.plan_id join project j on j.project_code = p.project_code
    where ${isValid} and not ${isPaused} and v.window_end between ${first}::date and ${last}::date and ${within}`.execute(ctx.db)
  const missed = await countRows(ctx, conditions(ctx, { projectCode, tab: 'missed' }))
  return { building: 0, unplanned: 0, monthDue: 0, monthDone: 0, ...rows[0], ...visits.rows[0], missed }
}

const monthOf = (ctx: Pick<Context, 'clock'>): [first: string, year: number] => {
  const now = formatDay(ctx.clock.now())
  return [`${now.slice(0, 7)}-01`, Number(now.slice(0, 4))]
}
const nextMonth = (first: string): string => `${addDays(first, 31).slice(0, 7)}-01`

/** Condition on `project j`: it has a plan in force for the year. */
export const hasPlan = (
  year: number,
  discipline?: string,
) => sql`exists (select from check_plan p where p.project_code = j.project_code and p.year = ${year}
  and ${isValid} and ${discipline === undefined ? sql`true` : sql`p.discipline = ${discipline}`})`

export async function rowFor(ctx: Viewer, id: string): Promise<PlanRow | undefined> {
  const [row] = await readRows(ctx, allOf(conditions(ctx, { projectCode: '*' }), ...equals('p.id', id)), {})
  return row
}
