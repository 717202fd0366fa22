import { dayMs } from '@zhugong/contract/kit/time'
import { passRateOf } from '@zhugong/contract/measuring/judge'
import { taskStates } from '@zhugong/contract/measuring/moves'
import { listMeasureTasks, type MeasureTask } from '@zhugong/contract/measuring/tasks'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import { withinPlace } from '../places/public.ts'

type Query = Partial<NonNullable<(typeof listMeasureTasks)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock' | 'user'>
type RawTask = Row<'measureTask'> & { projectName: string; unitCorp: string | null }

const isOpen = sql`t.state <> ${taskStates.done}`
const isWaiting = sql`t.state = ${taskStates.assigned}`
const isRunning = sql`t.state in (${taskStates.running}, ${taskStates.own})`
const isReview = sql`t.state in (${taskStates.toFix}, ${taskStates.toRetest})`
const rate = sql`(t.qualified_points * 100.0 / nullif(t.current_points, 0))`
const isBelow = sql`(t.check_time is not null and (${rate} < t.target_rate or t.burst_points > 0))`
const thisMonth = (ctx: Pick<Context, 'clock'>) =>
  sql`coalesce(t.check_time >= ${new Date(startOfDay(`${formatDay(ctx.clock.now()).slice(0, 7)}-01`))}, false)`
const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)

/** Conditions of the list and of its export. */
export function taskConditions(ctx: Viewer, query: Query): Condition {
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    mine: sql`(t.member_id = ${ctx.user.id} and (${isWaiting} or ${isRunning}))`,
    below: isBelow,
    review: isReview,
    open: isOpen,
  }
  return allOf(
    ...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      taskNo: [contains, 't.taskNo'],
      taskName: [contains, 't.taskName'],
      checkType: [anyOf, 't.checkType'],
      place: (value) =>
        condition(sql`exists (select from measure_task_place w where w.task_id = t.id and ${withinPlace('w.place_id', value)})`),
      template: [anyOf, 't.templateName'],
      unitCorp: (value) =>
        condition(sql`exists (select from corporation k where k.corp_code = t.corp_code and ${allOf(...contains('k.corpName', value))})`),
      member: [contains, 't.memberName'],
      deadline: [daysBetween, 't.deadline'],
      progress: ({ low, high }) => allOf(...betweenOf(sql`(t.current_points * 100.0 / t.total_points)`, low, high)),
      passRate: ({ low, high }) => allOf(...betweenOf(rate, low, high)),
      burst: either(sql`(t.burst_points > 0)`),
      state: [anyOf, 't.state'],
      thisMonth: either(thisMonth(ctx)),
    }),
  )
}
const betweenOf = (value: RawBuilder<unknown>, low: number | undefined, high: number | undefined): Condition[] => [
  ...(low === undefined ? [] : [condition(sql`${value} >= ${low}::numeric`)]),
  ...(high === undefined ? [] : [condition(sql`${value} <= ${high}::numeric`)]),
]

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    {
      // Open tasks first, the earliest deadline before those without one.
      deadline: sql`row(t.state = ${taskStates.done}, coalesce(t.deadline, '9999-12-31'::date), t.task_no)`,
      progress: sql`(t.current_points * 100.0 / t.total_points)`,
      passRate: rate,
      taskNo: 't.taskNo!',
    },
    'deadline',
    't.id',
  )

export async function readTasks(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<MeasureTask[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawTask>`select t.*, j.name as project_name, k.corp_name as unit_corp
    from (select t.* from measure_task t where ${where} order by ${order(sort)} ${page}) t
    join project j on j.project_code = t.project_code left join corporation k on k.corp_code = t.corp_code
    order by ${order(sort)}`.execute(ctx.db)
  return rows.map((row) => toTask(ctx, row))
}

const schema = rowSchemaOf(listMeasureTasks)

function toTask(ctx: Pick<Context, 'clock'>, row: RawTask): MeasureTask {
  const late = row.deadline === null ? 0 : Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(row.deadline)) / dayMs)
  return rowOf(schema, row, {
    overdueDays: row.checkTime === null ? Math.max(0, late) : 0,
    passRate: passRateOf({ measured: row.currentPoints, passed: row.qualifiedPoints }),
    firstRate: passRateOf({ measured: row.currentPoints, passed: row.firstQualified }),
    progress: Math.round((row.currentPoints / row.totalPoints) * 1000) / 10,
    checkTime: row.checkTime && formatInstant(row.checkTime),
    stateName: dictName('measureTaskState', row.state) ?? row.state,
  })
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function taskCounts(ctx: Viewer & Pick<Context, 'db'>, query: Pick<Query, 'projectCode'>) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const month = thisMonth(ctx)
  type Counts = { waiting: number; running: number; review: number; month: number; measured: number; passed: number }
  const { rows } =
    await sql<Counts>`select ${n(isWaiting)} as waiting, ${n(isRunning)} as running, ${n(isReview)} as review, ${n(month)} as month,
      coalesce(sum(t.current_points) filter (where ${month}), 0)::int as measured, coalesce(sum(t.qualified_points) filter (where ${month}), 0)::int as passed
    from measure_task t where ${taskConditions(ctx, { projectCode: query.projectCode })}`.execute(ctx.db)
  const { waiting = 0, running = 0, review = 0, month: inMonth = 0, measured = 0, passed = 0 } = rows[0] ?? {}
  return { waiting, running, review, month: inMonth, monthRate: passRateOf({ measured, passed }) }
}

export async function countTasks(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from measure_task t where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export async function templateNames(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select distinct t.template_name as name from measure_task t
    where ${allOf(...inProjects('t.projectCode', projectsFor(ctx, projectCode)))} order by 1`.execute(ctx.db)
  return rows.map((one) => one.name)
}

/** One task as a row of the list. */
export async function taskFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<MeasureTask | undefined> {
  const [row] = await readTasks(ctx, allOf(...equals('t.id', id), ...inProjects('t.projectCode', projectsFor(ctx))), {})
  return row
}
