import { type JudgedTask, judge, type PlannedTask, percentOf, type ScheduleFigures, type StopSpan } from '@zhugong/contract/schedule/plan'
import { phaseReached } from '@zhugong/contract/schedule/report'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { pick } from '#kit/pick'
import { keepProjectPhase } from '../organisation/public.ts'
import { keepUnitProgress } from '../places/public.ts'

type Reader = { db: Context['db'] | Db; clock: Context['clock'] }
type Task = Row<'scheduleTask'>
export type StopOfSite = StopSpan & { reason: string }

/** Stops of the site since a day. What was stopped before a baseline is in its dates already. */
export async function stopsOf(ctx: Pick<Reader, 'db'>, projectCode: string, since: Date | null): Promise<StopOfSite[]> {
  const from = since === null ? null : formatDay(since)
  const { rows } = await sql<StopOfSite>`select greatest(from_day, ${from}::date) as from, until_day as until, reason from project_stop
    where project_code = ${projectCode} and begun and (until_day is null or until_day > greatest(from_day, ${from}::date))
    order by from_day, id`.execute(ctx.db)
  return rows
}

export async function tasksOf(ctx: Pick<Reader, 'db'>, projectCode: string): Promise<Task[]> {
  const { rows } = await sql<Task>`select t.* from schedule_task t left join unit_project u on u.id = t.unit_id
    where t.project_code = ${projectCode} order by u.seq nulls first, t.unit_id nulls first, string_to_array(t.wbs, '.')::int[]`.execute(
    ctx.db,
  )
  return rows
}

/** A task as it is judged: by the approved baseline, where there is one. */
export const planned = (task: Task): PlannedTask => ({
  ...pick(task, 'id', 'parentId', 'weight', 'critical'),
  planStart: task.baseStart ?? task.planStart,
  planEnd: task.baseEnd ?? task.planEnd,
  // What stands above others has only what these give it, also when the last of them was taken out.
  actualStart: task.leaf ? task.actualStart : null,
  actualEnd: task.leaf ? task.actualEnd : null,
  percent: task.leaf ? task.percent : 0,
})

/**
 * Judges the tasks of a plan anew and stores what changed: theirs, the figures of the project, and the progress of its units. Called after
 * every change, and every night, because a day passes for all.
 */
export async function settle(
  ctx: Reader,
  schedule: Pick<Row<'schedule'>, 'id' | 'projectCode' | 'approvedAt' | 'baseNo'>,
): Promise<ScheduleFigures | null> {
  const { id, projectCode, approvedAt, baseNo } = schedule
  const tasks = await tasksOf(ctx, projectCode)
  const now = { today: formatDay(ctx.clock.now()), stops: await stopsOf(ctx, projectCode, approvedAt) }
  const judged = judge(tasks.map(planned), now)
  // The plan that is being written has dates of its own, also above its leaves.
  const written = judge(
    tasks.map((task) => ({ ...planned(task), planStart: task.planStart, planEnd: task.planEnd })),
    now,
  )
  await storeTasks(ctx, id, judged.tasks, written.tasks, new Set(tasks.filter((one) => one.baseStart !== null).map((one) => one.id)))
  await storeFigures(ctx, id, judged.figures)
  if (baseNo > 0) await storeProgress(ctx, projectCode, tasks, judged.tasks)
  return judged.figures
}

async function storeTasks(
  ctx: Reader,
  id: string,
  judged: readonly JudgedTask[],
  written: readonly JudgedTask[],
  based: ReadonlySet<string>,
): Promise<void> {
  const plan = new Map(written.map((one) => [one.id, one]))
  const rows = judged.map((one) => ({
    ...pick(one, 'id', 'leaf', 'percent'),
    weight_sum: one.weightSum,
    plan_percent: one.planPercent,
    delay_days: one.delayDays,
    task_state: one.state,
    plan_start: plan.get(one.id)?.planStart ?? one.planStart,
    plan_end: plan.get(one.id)?.planEnd ?? one.planEnd,
    base_start: based.has(one.id) ? one.planStart : null,
    base_end: based.has(one.id) ? one.planEnd : null,
    actual_start: one.actualStart,
    actual_end: one.actualEnd,
  }))
  await sql`update schedule_task t set leaf = x.leaf, weight_sum = x.weight_sum, plan_percent = x.plan_percent, delay_days = x.delay_days,
      task_state = x.task_state, plan_start = x.plan_start, plan_end = x.plan_end, base_start = x.base_start, base_end = x.base_end,
      actual_start = x.actual_start, actual_end = x.actual_end, percent = x.percent
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id text, leaf boolean, weight_sum float8, plan_percent float8, delay_days int,
      task_state text, plan_start date, plan_end date, base_start date, base_end date, actual_start date, actual_end date, percent float8)
    where t.id = x.id and t.schedule_id = ${id}
      and (t.leaf, t.weight_sum, t.plan_percent, t.delay_days, t.task_state, t.plan_start, t.plan_end, t.base_start, t.base_end, t.actual_start,
        t.actual_end, t.percent) is distinct from (x.leaf, x.weight_sum, x.plan_percent, x.delay_days, x.task_state, x.plan_start, x.plan_end,
        x.base_start, x.base_end, x.actual_start, x.actual_end, x.percent)`.execute(ctx.db)
}

async function storeFigures(ctx: Reader, id: string, figures: ScheduleFigures | null): Promise<void> {
  const { planPercent = 0, percent = 0, delayDays = 0, finishDeviation = 0, late = 0, severe = 0, state = '0' } = figures ?? {}
  await sql`update schedule set plan_percent = ${planPercent}, percent = ${percent}, delay_days = ${delayDays},
      finish_deviation = ${finishDeviation}, late = ${late}, severe = ${severe}, plan_start = ${figures?.planStart ?? null}::date,
      plan_end = ${figures?.planEnd ?? null}::date, schedule_state = ${state},
      report_time = (select max(t.report_time) from schedule_task t where t.schedule_id = ${id})
    where id = ${id}`.execute(ctx.db)
}

async function storeProgress(ctx: Reader, projectCode: string, tasks: readonly Task[], judged: readonly JudgedTask[]): Promise<void> {
  const of = new Map(judged.map((one) => [one.id, one]))
  const withState = tasks.flatMap((task) => {
    const own = of.get(task.id)
    return own ? [{ ...own, phase: task.phase, unitId: task.unitId }] : []
  })
  const leaves = withState.filter((one) => one.leaf)
  const units = [...Map.groupBy(withState, (one) => one.unitId)].flatMap(([id, some]) =>
    id === null ? [] : [{ id, percent: percentOf(some), phase: phaseReached(some.filter((one) => one.leaf)) }],
  )
  await keepUnitProgress(ctx, projectCode, units)
  await keepProjectPhase(ctx, projectCode, phaseReached(leaves))
}
