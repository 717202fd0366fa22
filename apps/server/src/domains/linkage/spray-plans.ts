import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/linkage/spray-plans'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, contains, equals, inProjects, instantsBetween, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext } from '../exports/registry.ts'
import { clashOf, nextOf } from './spray-clock.ts'

interface PlanRow extends Omit<calls.SprayPlan, 'nextAt' | 'lastAt'> {
  lastAt: Date | null
}
const columns = sql`s.id, s.project_code, s.device_id, d.name as device_name, s.name, s.days, s.times, s.minutes, s.enabled, r.due_at as last_at, r.state as last_state,
  r.message as last_message, s.create_by, s.update_by, s.version`
const tables = sql`spray_plan s join device d on d.id = s.device_id left join lateral (
  select due_at, state, message from spray_plan_run where plan_id = s.id order by due_at desc limit 1) r on true`

const toPlan = ({ lastAt, ...row }: PlanRow, now: number): calls.SprayPlan => ({
  ...row,
  nextAt: row.enabled ? nextOf(row, now) : null,
  lastAt: lastAt?.getTime() ?? null,
})

/** Spray plans of a site. The jobs role reads them anew on every turn (`spray-turn.ts`). */
export function sprayPlanRoutes(serve: Serve): void {
  serve(calls.listSprayPlans, listSprayPlans)
  serve(calls.createSprayPlan, createSprayPlan)
  serve(calls.updateSprayPlan, updateSprayPlan)
  serve(calls.removeSprayPlan, removeSprayPlan)
  serve(calls.listSprayPlanRuns, ({ query }, ctx) => runPage(ctx, query))
}

const listSprayPlans: HandlerOf<typeof calls.listSprayPlans> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<PlanRow & { total: number }>`select ${columns}, count(*) over ()::int as total from ${tables}
    where ${allOf(...inProjects('s.project_code', projectsFor(ctx, query.projectCode)), ...equals('s.device_id', query.deviceId))}
    order by d.name, s.name limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toPlan(row, ctx.clock.now())), total: rows[0]?.total ?? 0 }
}

type Body = NonNullable<(typeof calls.createSprayPlan)['types']>['parsed']['body']

const createSprayPlan: HandlerOf<typeof calls.createSprayPlan> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireFit(ctx, projectCode, body)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  await sql`insert into spray_plan (id, project_code, device_id, name, days, times, minutes, enabled, since, create_by, create_time)
    values (${id}, ${projectCode}, ${body.deviceId}, ${body.name}, ${body.days}::smallint[], ${body.times}::text[], ${body.minutes}, ${body.enabled}, ${now},
      ${ctx.user.name}, ${now})`.execute(ctx.db)
  ctx.note(`新增喷淋定时计划 ${body.name}`, id)
  return getPlan(ctx, id, projectCode)
}

const updateSprayPlan: HandlerOf<typeof calls.updateSprayPlan> = async ({ params, query, body }, ctx) => {
  const plan = await getPlan(ctx, params.id, query.projectCode)
  await requireFit(ctx, plan.projectCode, body, plan.id)
  const now = new Date(ctx.clock.now())
  await changeRow(ctx, 'sprayPlan', {
    key: { id: plan.id },
    version: body.version,
    noun: '计划',
    by: ctx.user.name,
    values: {
      ...pick(body, 'deviceId', 'name', 'days', 'times', 'minutes', 'enabled'),
      since: now,
    },
  })
  ctx.note(`${body.enabled ? '修改' : '停用'}喷淋定时计划 ${body.name}`, plan.id)
  return getPlan(ctx, plan.id, plan.projectCode)
}

const removeSprayPlan: HandlerOf<typeof calls.removeSprayPlan> = async ({ params, query }, ctx) => {
  const plan = await getPlan(ctx, params.id, query.projectCode)
  await sql`delete from spray_plan where id = ${plan.id}`.execute(ctx.db)
  ctx.note(`删除喷淋定时计划 ${plan.name}`, plan.id)
}

async function getPlan(ctx: Context, id: string, projectCode: string): Promise<calls.SprayPlan> {
  const { rows } = await sql<PlanRow>`select ${columns} from ${tables}
    where ${allOf(...equals('s.id', id), ...inProjects('s.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return toPlan(found(rows[0], '计划'), ctx.clock.now())
}

/** Checks that the line belongs to the site, the name is unused, and no run overlaps another of the same line. */
async function requireFit(ctx: Context, projectCode: string, body: Body, except = ''): Promise<void> {
  const { rows: devices } = await sql<{ name: string }>`select d.name from device d
    where ${allOf(...equals('d.id', body.deviceId), ...equals('d.project_code', projectCode), ...equals('d.family', 'sprayController'), ...equals('d.status', '1'))}`.execute(
    ctx.db,
  )
  if (!devices[0]) throw new AppError('invalidInput', '喷淋设备不属于这个项目，或没有投入使用', { field: 'deviceId' })
  // Serialises concurrent saves for the site, so that two cannot both pass the overlap check.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`spray plan ${projectCode}`}, 0))`.execute(ctx.db)
  const { rows: others } = await sql<{
    name: string
    deviceId: string
    enabled: boolean
    days: number[]
    times: string[]
    minutes: number
  }>`
    select name, device_id, enabled, days, times, minutes from spray_plan where project_code = ${projectCode} and id <> ${except}`.execute(
    ctx.db,
  )
  if (others.some((one) => one.name === body.name)) throw new AppError('refused', '这个项目已有同名计划', { field: 'name' })
  const own = clashOf(body, body, true)
  if (own) throw new AppError('refused', `${own} 启动时上一次还没有结束，请缩短时长或改时刻`, { field: 'times' })
  if (!body.enabled) return
  for (const other of others) {
    const clash = other.enabled && other.deviceId === body.deviceId ? clashOf(body, other) : undefined
    if (clash) throw new AppError('refused', `与计划“${other.name}”在 ${clash} 重叠`, { field: 'times' })
  }
}

interface RunRow extends Omit<calls.SprayPlanRun, 'dueAt'> {
  dueAt: Date
}
type RunQuery = NonNullable<(typeof calls.listSprayPlanRuns)['types']>['parsed']['query']
const runWhere = (ctx: ListContext, query: RunQuery): Condition =>
  allOf(
    ...inProjects('r.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('r.device_id', query.deviceId),
    ...contains('r.plan_name', query.planName),
    ...anyOf('r.state', query.state),
    ...instantsBetween('r.due_at', query.dueAt),
  )

async function runPage(ctx: ListContext, query: RunQuery) {
  const { limit, offset } = pageSlice(query)
  const order = query.sort === 'dueAt' ? sql`r.due_at asc` : sql`r.due_at desc`
  const { rows } = await sql<RunRow & { total: number }>`
    select r.id, r.project_code, p.name as project_name, r.device_id, d.name as device_name, r.plan_name, r.due_at, r.minutes, r.state, r.message,
      count(*) over ()::int as total
    from spray_plan_run r join project p on p.project_code = r.project_code join device d on d.id = r.device_id
    where ${runWhere(ctx, query)} order by ${order}, r.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, dueAt, ...row }) => ({ ...row, dueAt: dueAt.getTime() })), total: rows[0]?.total ?? 0 }
}

export function registerSprayPlanExport(): void {
  exportOf(
    calls.sprayPlanRunList,
    {
      title: '喷淋定时执行记录',
      widths: { projectName: 28, dueAt: 20, message: 40 },
      ...byPages(runPage),
    },
    {
      dueAt: (r) => formatInstant(r.dueAt),
      state: (r) => calls.sprayRunStates[r.state],
    },
  )
}
