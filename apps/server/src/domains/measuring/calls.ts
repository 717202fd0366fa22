import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { reaches } from '@zhugong/contract/measuring/judge'
import { taskStates } from '@zhugong/contract/measuring/moves'
import * as contract from '@zhugong/contract/measuring/tasks'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, usePhotos } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { forgetRecord, type Outcome, offersFor, take } from '../process/public.ts'
import { createTasks, membersOf } from './create.ts'
import { readTask } from './detail.ts'
import { pageOf, type Task, taskKind } from './kind.ts'
import { countPoints, requireWhole, writeAreas, writeRetests } from './points.ts'
import { recordRoutes } from './records.ts'
import { readTemplates } from './rule-rows.ts'
import { ruleRoutes } from './rules.ts'
import { countTasks, readTasks, taskConditions, taskCounts, templateNames } from './task-rows.ts'

export function measuringRoutes(serve: Serve): void {
  registerPlaceUse(placesOfTasks)
  ruleRoutes(serve)
  recordRoutes(serve)
  serve(contract.listMeasureTasks, listTasks)
  serve(contract.measureChoices, choices)
  serve(contract.getMeasureTask, readTask)
  serve(contract.createMeasureTask, async ({ query, body }, ctx) => ({ ids: await createTasks(ctx, query.projectCode, body) }))
  serve(contract.changeMeasureTask, changeTask)
  serve(contract.removeMeasureTask, removeTask)
}

async function placesOfTasks(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    placeId: string
  }>`select distinct place_id from measure_task_place where place_id = any (${[...ids]})`.execute(ctx.db)
  return rows.map((one) => one.placeId)
}

const listTasks: HandlerOf<typeof contract.listMeasureTasks> = async ({ query }, ctx) => {
  const where = taskConditions(ctx, query)
  return {
    list: await readTasks(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countTasks(ctx, where),
    counts: await taskCounts(ctx, query),
    templates: await templateNames(ctx, query.projectCode),
  }
}

const choices: HandlerOf<typeof contract.measureChoices> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const templates = await readTemplates(ctx)
  const { rows: points } = await sql<{
    id: string
    n: number
  }>`select template_id as id, sum(area_count * point_count)::int as n from measure_rule
    where superseded_at is null group by 1`.execute(ctx.db)
  const countOf = new Map(points.map((one) => [one.id, one.n]))
  const { rows: corps } = await sql<{ code: string; name: string }>`select distinct u.corp_code as code, c.corp_name as name
    from project_corp u join corporation c using (corp_code) where u.project_code = ${projectCode} and u.exit_time is null order by 2`.execute(
    ctx.db,
  )
  const members = await membersOf(ctx, projectCode)
  return {
    templates: templates
      .filter((one) => one.ruleCount > 0)
      .map(({ id, name, ownerName, ruleCount }) => ({ id, name, ownerName, ruleCount, pointCount: countOf.get(id) ?? 0 })),
    corps,
    members: members.map(({ id, name, groupName }) => ({ id, name, groupName })),
  }
}

type Body = ParsedFor<typeof contract.changeMeasureTask>['body']

const changeTask: HandlerOf<typeof contract.changeMeasureTask> = async ({ query, body }, ctx) => {
  await requireIn(ctx, body.id, query.projectCode)
  const after = body.action === 'saveRecords' ? await saveRecords(ctx, body) : await change(ctx, body)
  return { id: after.id, version: after.version, state: after.state }
}

/** @throws AppError `notFound` when the task is not of the project that the call names, or outside the scope */
async function requireIn(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from measure_task where id = ${id}`.execute(ctx.db)
  const row = found(rows[0], '实测实量任务')
  if (projects && !projects.includes(row.projectCode)) found(undefined, '实测实量任务')
}

/**
 * Points as they are measured. The version is neither asked for nor counted: only the measurer writes them, each area as a whole, and a phone
 * without network sends several of these and then the submission.
 */
async function saveRecords(ctx: Context, { id, areas, instrumentNo }: Extract<Body, { action: 'saveRecords' }>): Promise<Task> {
  const row = await taskKind.lock(ctx, id)
  if (!offersFor(ctx, taskKind, row).some((one) => one.action === 'saveRecords'))
    throw new AppError('refused', `任务${taskKind.stateName(row.state)}，只有测量人员 ${row.memberName} 在测量中可以保存测点`, {
      state: row.state,
    })
  await writeAreas(ctx, row, areas, instrumentNo)
  const counted = await countPoints(ctx, id)
  await sql`update measure_task set current_points = ${counted.currentPoints}, qualified_points = ${counted.qualifiedPoints},
      burst_points = ${counted.burstPoints}, first_qualified = ${counted.firstQualified}, instrument_no = ${instrumentNo}
    where id = ${id}`.execute(ctx.db)
  ctx.note('保存实测实量测点', id)
  return taskKind.lock(ctx, id)
}

async function change(ctx: Context, body: Exclude<Body, { action: 'saveRecords' }>): Promise<Task> {
  const { id, action, version } = body
  const after = await take(ctx, taskKind, { id, action, version }, (row) => write(ctx, row, body))
  await tell(ctx, action, after)
  return after
}

/** What each action changes beside the state. */
async function write(ctx: Context, row: Task, body: Exclude<Body, { action: 'saveRecords' }>): Promise<Outcome<Task>> {
  switch (body.action) {
    case 'start':
      return {}
    case 'reassign': {
      const member = (await membersOf(ctx, row.projectCode)).find((one) => one.id === body.memberId)
      if (!member) throw new AppError('invalidInput', '该人员没有本项目的实测实量录入权限', { field: 'memberId' })
      if (body.deadline !== null && body.deadline < formatDay(ctx.clock.now()))
        throw new AppError('invalidInput', '要求完成日期不能早于今天', { field: 'deadline' })
      const values = { memberId: member.id, memberName: member.name, memberGroup: member.groupId, deadline: body.deadline }
      return { values, opinion: `${row.memberName} → ${member.name}` }
    }
    case 'submit': {
      await writeAreas(ctx, row, body.areas, body.instrumentNo)
      await requireWhole(ctx, row)
      const counted = await countPoints(ctx, row.id)
      if (counted.currentPoints === 0) throw new AppError('refused', '还没有测点，不能提交')
      return judged(ctx, row, counted, { checkTime: new Date(ctx.clock.now()), instrumentNo: body.instrumentNo ?? row.instrumentNo })
    }
    case 'fix': {
      const files = await keptFiles(ctx, fileIdsOf(body.photos), row.fixPhotos, 'photos')
      const { projectCode, corpCode, shownAt, groups } = row
      await usePhotos(ctx, {
        kind: '实测实量',
        objectId: row.id,
        stage: `fix ${row.version}`,
        files,
        projectCode,
        corpCode,
        shownAt,
        groups,
      })
      return { values: { fixNote: body.note, fixPhotos: files, fixBy: ctx.user.id }, opinion: body.note }
    }
    case 'retest':
      await writeRetests(ctx, row, body.retests)
      return judged(ctx, row, await countPoints(ctx, row.id), {}, body.opinion)
  }
}

function judged(
  _ctx: Context,
  row: Task,
  counted: Awaited<ReturnType<typeof countPoints>>,
  more: Partial<Task>,
  opinion?: string,
): Outcome<Task> {
  const done = reaches({ measured: counted.currentPoints, passed: counted.qualifiedPoints, burst: counted.burstPoints }, row.targetRate)
  const words = `已测 ${counted.currentPoints} 点，合格 ${counted.qualifiedPoints} 点${counted.burstPoints ? `，爆点 ${counted.burstPoints} 个` : ''}`
  return {
    to: done ? taskStates.done : taskStates.toFix,
    values: { ...counted, ...more },
    opinion: [opinion, words].filter(Boolean).join('；'),
  }
}

/** Messages to the responsible side beside its to-do. */
async function tell(ctx: Context, action: Body['action'], row: Task): Promise<void> {
  if (row.state !== taskStates.toFix || (action !== 'submit' && action !== 'retest')) return
  const failed = row.currentPoints - row.qualifiedPoints
  await tellKeepers(ctx, {
    projectCode: row.projectCode,
    corpCode: row.corpCode,
    code: 'inspection.rectifyReply',
    title: action === 'submit' ? '实测实量有不合格测点，请整改' : '实测实量复测仍不合格',
    text: `${row.taskName}，不合格 ${failed} 点${row.burstPoints ? `，其中爆点 ${row.burstPoints} 个` : ''}`,
    link: pageOf(row),
    kind: 'rectify',
  })
}

const removeTask: HandlerOf<typeof contract.removeMeasureTask> = async ({ params: { id } }, ctx) => {
  const row = await taskKind.lock(ctx, id)
  if (row.state !== taskStates.assigned || !offersFor(ctx, taskKind, row).some((one) => one.action === 'reassign'))
    throw new AppError('refused', '只能删除尚未开始测量的任务')
  await forgetRecord(ctx, taskKind.kind, id)
  await sql`delete from measure_task where id = ${id}`.execute(ctx.db)
  ctx.note('删除实测实量任务', id)
  return undefined
}
