import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/schedule/calls'
import { mostTasks, type ScheduleAction, scheduleMoves } from '@zhugong/contract/schedule/moves'
import { phaseOfName } from '@zhugong/contract/schedule/report'
import * as unit from '@zhugong/contract/schedule/unit'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { requirePresentUnit } from '../labour/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { take } from '../process/public.ts'
import { planToWrite } from './begin.ts'
import { readUnit } from './detail.ts'
import { planImportRoutes } from './import.ts'
import { pageOf, type Schedule, scheduleKind, scheduleOf, scheduleType } from './kind.ts'
import { conditions, countSchedules, projectCounts, readSchedules } from './rows.ts'
import { readProject } from './tasks.ts'
import { afterChange, type Body, writeReport, writeSchedule } from './writes.ts'

export function scheduleRoutes(serve: Serve): void {
  serve(contract.scheduleRecords, scheduleRecords)
  serve(contract.createScheduleTask, createScheduleTask)
  serve(contract.changeSchedule, changeSchedule)
  serve(contract.removeScheduleTask, removeScheduleTask)
  serve(unit.getScheduleUnit, readUnit)
  serve(unit.reportTask, reportTask)
  planImportRoutes(serve)
}

const scheduleRecords: HandlerOf<typeof contract.scheduleRecords> = async ({ query }, ctx) => {
  const { view, tab, unit: unitIds, name, sort, ...filters } = query
  if (view === 'tasks') {
    const { projectCode, state, page, size } = filters
    return readProject(ctx, { projectCode, tab, unit: unitIds, name, state, page, size, sort: ofView(sort, taskSorts) })
  }
  const where = conditions(ctx, filters)
  const list = await readSchedules(ctx, where, { sort: ofView(sort, projectSorts), ...pageSlice(query) })
  return { list, total: await countSchedules(ctx, where), counts: await projectCounts(ctx, query.projectCode) }
}

type Sort = NonNullable<Parameters<typeof scheduleRecords>[0]['query']['sort']>
const taskSorts = ['wbs', 'planStart', 'planEnd', 'delayDays', 'percent'] as const
const projectSorts = ['delayDays', 'planPercent', 'percent', 'completeDate', 'reportTime', 'projectName'] as const

/** The order, if the view has it. @throws AppError `invalidInput` when only the other view does */
function ofView<Name extends string>(sort: Sort | undefined, names: readonly Name[]): Name | `-${Name}` | undefined {
  if (sort === undefined) return undefined
  const name = names.find((one) => sort === one || sort === `-${one}`)
  if (name === undefined) throw new AppError('invalidInput', `不能按“${sort}”排序`, { field: 'sort' })
  return sort.startsWith('-') ? `-${name}` : name
}

const createScheduleTask: HandlerOf<typeof contract.createScheduleTask> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await planToWrite(ctx, projectCode)
  if (row.tasks >= mostTasks) throw new AppError('refused', `一个项目最多 ${mostTasks} 项任务`)
  const { parentId, milestone, planEnd, name } = body
  const planStart = milestone ? planEnd : body.planStart
  if (planEnd < planStart) throw new AppError('invalidInput', '计划结束不能早于计划开始', { field: 'planEnd' })
  const parent = parentId === null ? undefined : await parentOf(ctx, row, parentId)
  const unitId = parent ? parent.unitId : body.unitId
  if (unitId !== null) await requireUnit(ctx, projectCode, unitId)
  if (body.corpCode !== null) await requirePresentUnit(ctx, projectCode, body.corpCode)
  const id = ctx.newId()
  const disclosed = { projectCode, shownAt: row.shownAt, groups: row.groups, corpCode: body.corpCode ?? row.corpCode }
  const { critical, weight } = body
  await ctx.db
    .insertInto('scheduleTask')
    .values({
      id,
      scheduleId: row.id,
      ...disclosed,
      unitId,
      parentId,
      wbs: await nextNumber(ctx, row.id, parent, unitId),
      ...{ name, phase: phaseOfName(name), milestone, critical, weight, planStart, planEnd },
      updateBy: ctx.user.id,
    })
    .execute()
  ctx.note(`新增进度任务：${name}`, id)
  return answerOf(await afterChange(ctx, row, row.id))
}

async function parentOf(ctx: Context, row: Schedule, id: string): Promise<Row<'scheduleTask'>> {
  const { rows } = await sql<Row<'scheduleTask'>>`select * from schedule_task where id = ${id} and schedule_id = ${row.id}`.execute(ctx.db)
  const parent = found(rows[0], '上级任务')
  if (parent.reportTime !== null) throw new AppError('refused', '上级任务已有填报，不能再分解', { field: 'parentId' })
  return parent
}

async function requireUnit(ctx: Context, projectCode: string, unitId: string): Promise<void> {
  const { rows } = await sql`select 1 from unit_project where id = ${unitId} and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('invalidInput', '单体不存在，请重新选择', { field: 'unitId' })
}

/** Levels of numbers; the table allows no more. */
const deepest = 8
async function nextNumber(
  ctx: Context,
  scheduleId: string,
  parent: Row<'scheduleTask'> | undefined,
  unitId: string | null,
): Promise<string> {
  if (parent && parent.wbs.split('.').length >= deepest) throw new AppError('refused', `任务最多 ${deepest} 级`, { field: 'parentId' })
  const { rows } = await sql<{ last: number | null }>`select max(split_part(wbs, '.', -1)::int) as last from schedule_task
    where schedule_id = ${scheduleId} and parent_id is not distinct from ${parent?.id ?? null}
      and unit_id is not distinct from ${unitId}`.execute(ctx.db)
  const next = String((rows[0]?.last ?? 0) + 1)
  return parent ? `${parent.wbs}.${next}` : next
}

const answerOf = ({ id, version, state }: Schedule) => ({ id, version, state })

const changeSchedule: HandlerOf<typeof contract.changeSchedule> = async ({ query, body }, ctx) => {
  const row = found(await scheduleOf(ctx, oneProject(ctx, query.projectCode)), '进度计划')
  if (body.action === 'report') {
    const { action: _action, ...report } = body
    await writeReport(ctx, await scheduleKind.lock(ctx, row.id), report)
    return answerOf(await afterChange(ctx, row, row.id))
  }
  await take(ctx, scheduleKind, { id: row.id, action: body.action, version: body.version }, (own) => writeSchedule(ctx, own, body))
  const after = await afterChange(ctx, row, row.id)
  await tell(ctx, body, after)
  return answerOf(after)
}

const reportTask: HandlerOf<typeof unit.reportTask> = async ({ params: { id }, query, body }, ctx) => {
  const { rows } = await sql<{ projectCode: string }>`select project_code from unit_project where id = ${id}`.execute(ctx.db)
  const { projectCode } = found(rows[0], '单体工程')
  if (query.projectCode !== '*' && query.projectCode !== projectCode) found(undefined, '单体工程')
  const row = found(await scheduleOf(ctx, oneProject(ctx, projectCode)), '进度计划')
  await writeReport(ctx, await scheduleKind.lock(ctx, row.id), body, id)
  return answerOf(await afterChange(ctx, row, row.id))
}

const removeScheduleTask: HandlerOf<typeof contract.removeScheduleTask> = async ({ params: { taskId }, query }, ctx) => {
  const { rows } = await sql<{
    projectCode: string
    name: string
  }>`select project_code, name from schedule_task where id = ${taskId}`.execute(ctx.db)
  const task = found(rows[0], '进度任务')
  if (query.projectCode !== '*' && query.projectCode !== task.projectCode) found(undefined, '进度任务')
  const row = await planToWrite(ctx, oneProject(ctx, task.projectCode))
  const below = sql`with recursive below as (select id, report_time from schedule_task where id = ${taskId}
    union all select t.id, t.report_time from schedule_task t join below b on t.parent_id = b.id)`
  const reported = await sql`${below} select 1 from below where report_time is not null limit 1`.execute(ctx.db)
  if (reported.rows.length > 0) throw new AppError('refused', '该任务或其下级已有填报，不能删除')
  await sql`delete from schedule_task where id = ${taskId}`.execute(ctx.db)
  await afterChange(ctx, row, row.id)
  ctx.note(`删除进度任务：${task.name}`, taskId)
  return undefined
}

/** Messages beside the to-dos. */
const messages: Partial<Record<ScheduleAction, string>> = { approveBaseline: '监理已批准进度基准', returnBaseline: '进度基准被监理退回' }

async function tell(ctx: Context, { action }: Body, row: Schedule): Promise<void> {
  const title = messages[action]
  if (!title) return
  const { projectCode, corpCode, projectName } = row
  await tellKeepers(ctx, {
    projectCode,
    corpCode,
    code: scheduleMoves.plan.needs,
    title,
    text: projectName,
    link: pageOf(projectCode),
    kind: scheduleType,
  })
}
