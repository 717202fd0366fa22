import type { listScheduleTasks, ScheduleBase, ScheduleTasks, TaskRow } from '@zhugong/contract/schedule/calls'
import { taskRow } from '@zhugong/contract/schedule/calls'
import { baseStateNames, scheduleMoves } from '@zhugong/contract/schedule/moves'
import { curveOf, judge, lateDays, type ScheduleFigures, severeDays } from '@zhugong/contract/schedule/plan'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { historyOf, offersFor } from '../process/public.ts'
import { type Schedule, scheduleKind, scheduleLabels, scheduleOf, scheduleType } from './kind.ts'
import type { Viewer } from './rows.ts'
import { planned, stopsOf, tasksOf } from './store.ts'

export type TaskQuery = Omit<NonNullable<(typeof listScheduleTasks)['types']>['parsed']['query'], 'view' | 'page' | 'size'>
type Raw = Row<'scheduleTask'> & Pick<TaskRow, 'proposal'> & { unitName: string | null; corpName: string }

const open = sql`t.leaf and t.actual_end is null`
const tabs: Readonly<Record<NonNullable<TaskQuery['tab']>, RawBuilder<unknown>>> = {
  late: sql`${open} and t.delay_days > ${lateDays} and t.delay_days <= ${severeDays}`,
  severe: sql`${open} and t.delay_days > ${severeDays}`,
  unexplained: sql`${open} and t.delay_days > ${lateDays} and t.delay_reason is null`,
  critical: sql`t.leaf and t.critical`,
  running: sql`${open} and t.actual_start is not null`,
}

export function taskConditions(projectCode: string, query: Pick<TaskQuery, 'tab' | 'unit' | 'name' | 'state'>): Condition {
  const { tab, unit, name, state } = query
  return allOf(
    ...equals('t.projectCode', projectCode),
    filtersOf(
      { tab, unit, name, state },
      {
        tab: (value) => condition(tabs[value]),
        unit: [anyOf, 't.unitId'],
        name: [contains, 't.name'],
        state: [anyOf, 't.taskState'],
      },
    ),
  )
}

/** By number within the unit, as the tree stands. */
const byNumber = sql`(coalesce(u.seq, 0), coalesce(t.unit_id, ''), string_to_array(t.wbs, '.')::int[])`
const order = (sort: TaskQuery['sort']) =>
  orderBy(
    sort,
    { wbs: byNumber, planStart: 't.planStart!', planEnd: 't.planEnd!', delayDays: 't.delayDays!', percent: 't.percent!' },
    'wbs',
    't.id',
  )

/** The percent of the newest construction log since the last report. */
const proposal = sql`(select jsonb_build_object('percent', q.percent, 'day', x.day, 'byName', x.recorder)
  from day_log_task q join day_log x on x.id = q.log_id
  where q.task_id = t.id and x.submitted_at > coalesce(t.report_time, '-infinity') and q.percent <> t.percent
  order by x.day desc, x.id limit 1)`

export async function readTasks(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: TaskQuery['sort']; limit?: number; offset?: number },
): Promise<TaskRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`select t.*, u.name as unit_name, k.corp_name, ${proposal} as proposal from schedule_task t
      left join unit_project u on u.id = t.unit_id join corporation k on k.corp_code = t.corp_code
    where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows.map(toTask)
}

export async function countTasks(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from schedule_task t where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const toTask = (t: Raw): TaskRow =>
  rowOf(taskRow, t, {
    reportTime: t.reportTime && formatInstant(t.reportTime),
    state: t.taskState,
    stateName: dictName('scheduleState', t.taskState) ?? t.taskState,
  })

/** The tasks of one project with its baselines, stops and curve. */
export async function readProject(ctx: Context, query: TaskQuery & { page: number; size: number }): Promise<ScheduleTasks> {
  const projectCode = oneProject(ctx, query.projectCode)
  const where = taskConditions(projectCode, query)
  const schedule = await scheduleOf(ctx, projectCode)
  const all = (await tasksOf(ctx, projectCode)).map(planned)
  const stops = await stopsOf(ctx, projectCode, schedule?.approvedAt ?? null)
  const now = { today: formatDay(ctx.clock.now()), stops }
  const { figures } = judge(all, now)
  return {
    list: await readTasks(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countTasks(ctx, where),
    projectName: await nameOf(ctx, projectCode),
    today: now.today,
    head: schedule ? await headOf(ctx, schedule) : null,
    mayPlan: mayPlan(ctx, projectCode, schedule),
    figures: shownFigures(figures),
    counts: await taskCounts(ctx, projectCode),
    curve: curveOf(all, await reportedOf(ctx, projectCode), now),
    stops,
    ...(await choicesOf(ctx, projectCode)),
  }
}

/** The figures as the pages show them. */
export const shownFigures = (figures: ScheduleFigures | null): ScheduleTasks['figures'] => {
  if (!figures) return null
  const { planPercent, percent, delayDays, finishDeviation, planStart, planEnd } = figures
  return { planPercent, percent, delayDays, finishDeviation, planStart, planEnd }
}

/** Whether the caller may write the plan now, also where there is none yet. */
function mayPlan(ctx: Context, projectCode: string, schedule: Schedule | undefined): boolean {
  if (schedule) return offersFor(ctx, scheduleKind, schedule).some((one) => one.action === 'plan')
  const { limited, supervised } = ctx.principal.scope
  const builds =
    ctx.group.type === groupTypes.project ||
    (ctx.group.type === groupTypes.corporation && !limited.includes(projectCode) && !supervised.includes(projectCode))
  return builds && ctx.codes.has(scheduleMoves.plan.needs)
}

export async function nameOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  return rows[0]?.name ?? projectCode
}

async function headOf(ctx: Context, row: Schedule): Promise<NonNullable<ScheduleTasks['head']>> {
  return {
    ...pick(row, 'version', 'state', 'baseNo'),
    stateName: baseStateNames[row.state],
    reason: row.baseReason,
    actions: offersFor(ctx, scheduleKind, row),
    timeline: await historyOf(ctx, scheduleType, row.id, scheduleLabels),
    bases: await basesOf(ctx, row.id),
  }
}

export async function basesOf(ctx: Pick<Context, 'db'>, scheduleId: string): Promise<ScheduleBase[]> {
  type Base = Row<'scheduleBase'> & { moved: number }
  const { rows } = await sql<Base>`select b.*, (select count(*)::int from schedule_base_task t
        join schedule_base c on c.schedule_id = b.schedule_id and c.no = b.no - 1
        join schedule_base_task o on o.base_id = c.id and o.task_id = t.task_id
        where t.base_id = b.id and (t.plan_start, t.plan_end) <> (o.plan_start, o.plan_end)) as moved
    from schedule_base b where b.schedule_id = ${scheduleId} order by b.no desc`.execute(ctx.db)
  return rows.map((one) => ({
    ...pick(one, 'no', 'reason', 'submittedBy', 'approvedBy', 'opinion', 'moved'),
    submittedAt: formatInstant(one.submittedAt),
    approvedAt: one.approvedAt && formatInstant(one.approvedAt),
  }))
}

async function taskCounts(ctx: Pick<Context, 'db'>, projectCode: string): Promise<ScheduleTasks['counts']> {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<ScheduleTasks['counts']>`select ${n(tabs.late)} as late, ${n(tabs.severe)} as severe,
      ${n(tabs.unexplained)} as unexplained
    from schedule_task t where t.project_code = ${projectCode}`.execute(ctx.db)
  return rows[0] ?? { late: 0, severe: 0, unexplained: 0 }
}

async function reportedOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{ taskId: string; at: Date; percent: number }>`select task_id, at, percent from schedule_report
    where project_code = ${projectCode} order by at, id`.execute(ctx.db)
  return rows.map(({ taskId, at, percent }) => ({ taskId, day: formatDay(at), percent }))
}

async function choicesOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Pick<ScheduleTasks, 'units' | 'corps'>> {
  const units = await sql<{ id: string; name: string }>`select id, name from unit_project where project_code = ${projectCode}
    order by seq, id`.execute(ctx.db)
  const corps = await sql<{ code: string; name: string }>`select distinct k.corp_code as code, k.corp_name as name from project_corp c
    join corporation k using (corp_code) where c.project_code = ${projectCode} and c.exit_time is null order by name`.execute(ctx.db)
  return { units: units.rows, corps: corps.rows }
}

export const taskRowsOf = (ctx: Viewer & Pick<Context, 'db'>, projectCode: string, unitId: string): Promise<TaskRow[]> =>
  readTasks(ctx, allOf(...equals('t.projectCode', projectCode), ...equals('t.unitId', unitId)), {})
