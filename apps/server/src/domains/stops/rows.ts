import { dictName } from '@zhugong/contract/settings/dictionaries'
import type * as contract from '@zhugong/contract/stops/calls'
import { type StopRow, stopRow } from '@zhugong/contract/stops/calls'
import { runningStops, stopStates } from '@zhugong/contract/stops/moves'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { waitsFor } from '../process/public.ts'

type Query = Partial<Omit<NonNullable<(typeof contract.listStops)['types']>['parsed']['query'], 'projectCode'>>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>
type RawStop = Omit<StopRow, 'typeName' | 'reasonTypeName' | 'stateName'>

const codes = (states: readonly string[]) => sql`${[...states]}::text[]`
/** 监管责令停工 in dictionary stopReason. */
const ordered = '8'
/** Rank of what waits for the caller, and of stops that hold, before the days they have waited. */
const [mineFirst, stoppingNext] = [1_000_000, 10_000]

/**
 * Applications, and the stops that no application brought about, as rows of one list `r`. `projectCode`: undefined or `*` for the whole
 * scope.
 */
function everyStop(ctx: Viewer, projectCode: string | undefined) {
  const projects = projectsFor(ctx, projectCode)
  const day = sql`${formatDay(ctx.clock.now())}::date`
  const inSight = (column: string) => allOf(...inProjects(column, projects))
  const stops = sql`s.begun and s.until_day is null`
  const days = sql`case when s.begun then greatest(0, coalesce(s.until_day, ${day}) - s.from_day) end`
  const late = sql`case when ${stops} then greatest(0, ${day} - s.plan_resume_date) end`
  return sql`(select a.id, 'apply' as kind, a.code, a.project_code, a.type, a.reason_type, a.reason, c.corp_name as apply_corp, a.stop_date,
      a.plan_resume_date, a.state, (a.wait_since at time zone 'Asia/Shanghai')::date as waits, coalesce(${stops}, false) as stopping, ${days} as stopped_days,
      coalesce(${late}, 0) as overdue_days, s.until_day as resumed_day, null::text as notice_id,
      a.id in (select t.object_id from process_todo t where t.kind = 'stopapply' and ${waitsFor(ctx, projects)}) as mine
    from stopapply a join corporation c on c.corp_code = a.corp_code left join project_stop s on s.source = 'stopapply' and s.source_id = a.id
    where ${inSight('a.projectCode')}
    union all select s.id, 'order', s.code, s.project_code, '1', case when s.source = 'rectify' then ${ordered}::text end, s.reason, s.ordered_by, s.from_day,
      s.plan_resume_date, ${stopStates.passed}::text, null, ${stops}, ${days}, coalesce(${late}, 0), s.until_day, case when s.source = 'rectify' then s.source_id end, false
    from project_stop s where s.source <> 'stopapply' and ${inSight('s.projectCode')})`
}
const waitDays = (ctx: Viewer) => sql`(${formatDay(ctx.clock.now())}::date - r.waits)`

const isOverdue = sql`(r.stopping and r.overdue_days > 0)`
const endedThisYear = (ctx: Viewer) => sql`(r.resumed_day >= date_trunc('year', ${formatDay(ctx.clock.now())}::date)::date)`
const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`${is} is not true`)

/** Conditions of the list and of its export. */
export function conditions(ctx: Viewer, query: Query & { projectCode?: string }): Condition {
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    mine: sql`r.mine`,
    running: sql`r.state = any (${codes(runningStops)})`,
    closed: sql`r.state in (${stopStates.passed}, ${stopStates.rejected}, ${stopStates.withdrawn})`,
  }
  return filtersOf(query, {
    projectCode: 'elsewhere',
    tab: (value) => condition(tabs[value]),
    code: [contains, 'r.code'],
    type: [anyOf, 'r.type'],
    reasonType: [anyOf, 'r.reasonType'],
    applyCorp: [contains, 'r.applyCorp'],
    stopDate: [daysBetween, 'r.stopDate'],
    planResumeDate: [daysBetween, 'r.planResumeDate'],
    stoppedDays: [between, 'r.stoppedDays'],
    state: [anyOf, 'r.state'],
    waitDays: (value) => allOf(...between('r.waitDays', value)),
    stopping: either(sql`r.stopping`),
    overdue: either(isOverdue),
    resumed: either(endedThisYear(ctx)),
  })
}

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    {
      urgency: sql`(case when r.mine then ${mineFirst}::int else 0 end + case when r.stopping then ${stoppingNext}::int + r.overdue_days else 0 end + coalesce(r.wait_days, 0))`,
      waitDays: 'r.waitDays',
      stopDate: 'r.stopDate',
      planResumeDate: 'r.planResumeDate',
      stoppedDays: 'r.stoppedDays',
    },
    '-urgency',
    'r.id',
  )

const rowsOf = (ctx: Viewer, projectCode: string | undefined) =>
  sql`(select r.*, ${waitDays(ctx)} as wait_days from ${everyStop(ctx, projectCode)} r) r`

export async function readRows(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  projectCode: string | undefined,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<StopRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } =
    await sql<RawStop>`select r.*, p.name as project_name from ${rowsOf(ctx, projectCode)} join project p on p.project_code = r.project_code
    where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countRows(ctx: Viewer & Pick<Context, 'db'>, where: Condition, projectCode: string | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${rowsOf(ctx, projectCode)} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const toRow = (r: RawStop): StopRow =>
  rowOf(stopRow, r, {
    typeName: r.kind === 'order' ? (r.noticeId ? '责令全面停工' : '停工') : (dictName('stopApplyType', r.type) ?? r.type),
    reasonTypeName: r.reasonType && (dictName('stopReason', r.reasonType) ?? r.reasonType),
    stateName: r.kind === 'order' ? (r.stopping ? '停工中' : '已结束') : (dictName('stopApplyState', r.state) ?? r.state),
  })

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<Record<'mine' | 'stopping' | 'overdue' | 'resumed', number>>`select ${n(sql`r.mine`)} as mine,
      ${n(sql`r.stopping`)} as stopping, ${n(isOverdue)} as overdue, ${n(endedThisYear(ctx))} as resumed
    from ${rowsOf(ctx, projectCode)}`.execute(ctx.db)
  return rows[0] ?? { mine: 0, stopping: 0, overdue: 0, resumed: 0 }
}

/** One application as a row of the list. */
export async function rowFor(ctx: Viewer & Pick<Context, 'db'>, id: string, projectCode: string): Promise<StopRow | undefined> {
  const [row] = await readRows(ctx, allOf(...equals('r.id', id), ...equals('r.kind', 'apply')), projectCode, {})
  return row
}
