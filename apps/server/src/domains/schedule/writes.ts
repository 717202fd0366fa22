import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeSchedule } from '@zhugong/contract/schedule/calls'
import { type PlanChange, scheduleMoves } from '@zhugong/contract/schedule/moves'
import { delayOf, severeDays } from '@zhugong/contract/schedule/plan'
import { phaseOfName, reportFault } from '@zhugong/contract/schedule/report'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { fileIdsOf, keptFiles, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { type Outcome, offersFor, replaceTodos } from '../process/public.ts'
import { pageOf, type Schedule, scheduleKind, scheduleType } from './kind.ts'
import { planned, settle, stopsOf } from './store.ts'

export type Body = ParsedFor<typeof changeSchedule>['body']
export type Report = Omit<Extract<Body, { action: 'report' }>, 'action'>
type Task = Row<'scheduleTask'>
export type Moving = Exclude<Body, { action: 'report' }>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

export async function writeSchedule(ctx: Context, row: Schedule, body: Moving): Promise<Outcome<Schedule>> {
  switch (body.action) {
    case 'plan':
      await applyChanges(ctx, row, body.changes)
      return {}
    case 'submitBaseline':
      await writeBase(ctx, row, row.baseReason)
      return { values: await shown(ctx, row), opinion: body.opinion }
    case 'rebase':
      await applyChanges(ctx, row, body.changes)
      await writeBase(ctx, row, body.reason)
      return { values: { baseReason: body.reason }, opinion: body.reason }
    case 'approveBaseline':
      await approve(ctx, row, body.opinion)
      return { values: { baseNo: row.baseNo + 1, baseReason: null, approvedAt: new Date(ctx.clock.now()) }, opinion: body.opinion }
    case 'returnBaseline':
      await sql`update schedule_base set opinion = ${body.opinion} where schedule_id = ${row.id} and no = ${row.baseNo + 1}`.execute(ctx.db)
      return { opinion: body.opinion }
  }
}

/** A plan becomes known with everything in it when it is first submitted. */
async function shown(ctx: Context, row: Schedule): Promise<Pick<Schedule, 'shownAt'>> {
  if (row.shownAt !== null) return { shownAt: row.shownAt }
  const shownAt = new Date(ctx.clock.now())
  for (const table of ['schedule_task', 'schedule_report', 'schedule_base'])
    await sql`update ${sql.table(table)} set shown_at = ${shownAt} where schedule_id = ${row.id}`.execute(ctx.db)
  return { shownAt }
}

/** Changes dates and names of tasks. Dates of a task with others below it come from these. @throws AppError at the change */
async function applyChanges(ctx: Context, row: Schedule, changes: readonly PlanChange[]): Promise<void> {
  const { rows } = await sql<Task>`select * from schedule_task where schedule_id = ${row.id}
    and id = any (${changes.map((one) => one.taskId)})`.execute(ctx.db)
  const known = new Map(rows.map((one) => [one.id, one]))
  for (const [i, change] of changes.entries()) {
    const task = known.get(change.taskId)
    if (!task) throw refuse(`changes.${i}.taskId`, '任务不存在，请刷新')
    const milestone = change.milestone ?? task.milestone
    const planStart = milestone ? change.planEnd : change.planStart
    if (change.planEnd < planStart) throw refuse(`changes.${i}.planEnd`, `“${task.name}”的计划结束不能早于计划开始`)
    if (change.corpCode && change.corpCode !== task.corpCode)
      await requirePresentUnit(ctx, row.projectCode, change.corpCode, `changes.${i}.corpCode`)
    const { name = task.name, weight = task.weight, critical = task.critical, corpCode = task.corpCode } = change
    await changeRow(ctx, 'scheduleTask', {
      key: { id: task.id },
      version: null,
      noun: '进度任务',
      by: ctx.user.id,
      values: {
        name,
        phase: name === task.name ? task.phase : phaseOfName(name),
        weight,
        critical,
        corpCode,
        milestone: task.leaf ? milestone : false,
        ...(task.leaf ? { planStart, planEnd: change.planEnd } : {}),
      },
    })
  }
}

/** The version that waits for approval, written again when it is submitted again. */
async function writeBase(ctx: Context, row: Schedule, reason: string | null): Promise<void> {
  const { projectCode, corpCode, groups } = row
  const now = new Date(ctx.clock.now())
  const no = row.baseNo + 1
  await sql`insert into schedule_base (id, schedule_id, project_code, corp_code, shown_at, groups, no, reason, submitted_by, submitted_at)
    values (${ctx.newId()}, ${row.id}, ${projectCode}, ${corpCode}, ${row.shownAt ?? now}, ${groups}, ${no}, ${reason}, ${ctx.user.name}, ${now})
    on conflict (schedule_id, no) do update set reason = excluded.reason, submitted_by = excluded.submitted_by,
      submitted_at = excluded.submitted_at, opinion = null`.execute(ctx.db)
}

/** The written dates become the baseline; the version keeps them. */
async function approve(ctx: Context, row: Schedule, opinion: string): Promise<void> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{ id: string }>`update schedule_base set approved_by = ${ctx.user.name}, approved_at = ${now},
      opinion = ${opinion || null} where schedule_id = ${row.id} and no = ${row.baseNo + 1} returning id`.execute(ctx.db)
  const base = found(rows[0], '基准版本')
  await sql`update schedule_task set base_start = plan_start, base_end = plan_end where schedule_id = ${row.id}`.execute(ctx.db)
  await sql`insert into schedule_base_task (id, base_id, task_id, project_code, corp_code, shown_at, groups, name, plan_start, plan_end, weight)
    select md5(${base.id}::text || id), ${base.id}::text, id, project_code, corp_code, shown_at, groups, name, plan_start, plan_end, weight
    from schedule_task where schedule_id = ${row.id}`.execute(ctx.db)
}

/** Judges a plan anew after a change, and renews its to-dos; tells the company when the delay has become severe. */
export async function afterChange(ctx: Context, before: Pick<Schedule, 'delayDays'>, id: string): Promise<Schedule> {
  await settle(ctx, await scheduleKind.lock(ctx, id))
  const row = await scheduleKind.lock(ctx, id)
  await replaceTodos(ctx, scheduleKind, row)
  if (row.baseNo > 0 && row.delayDays > severeDays && before.delayDays <= severeDays)
    await tellKeepers(ctx, {
      projectCode: row.projectCode,
      corpCode: row.corpCode,
      code: scheduleMoves.plan.needs,
      title: `进度严重滞后 ${row.delayDays} 天`,
      text: `${row.projectName}，请督促赶工并说明原因`,
      link: pageOf(row.projectCode),
      kind: scheduleType,
    })
  return row
}

/** Writes what the site says of one task. The version is that of the task, so that several can report at once. */
export async function writeReport(ctx: Context, schedule: Schedule, report: Report, unitId?: string): Promise<Task> {
  const mayReport = offersFor(ctx, scheduleKind, schedule).some((one) => one.action === 'report')
  if (!mayReport) throw new AppError('refused', scheduleKind.hinder(ctx, schedule, 'report') ?? '进度由施工单位填报')
  const { rows } =
    await sql<Task>`select * from schedule_task where id = ${report.taskId} and schedule_id = ${schedule.id} for update`.execute(ctx.db)
  const task = found(rows[0], '进度任务')
  if (unitId !== undefined && task.unitId !== unitId) found(undefined, '进度任务')
  if (!task.leaf) throw refuse('taskId', '有下级任务，进度由下级汇总，请填报下级')
  const now = { today: formatDay(ctx.clock.now()), stops: await stopsOf(ctx, schedule.projectCode, schedule.approvedAt) }
  const before = { ...planned(task), delayReason: task.delayReason }
  const fault = reportFault(before, report, now)
  if (fault) throw refuse(fault.field, fault.message)
  const photos = await keptFiles(ctx, fileIdsOf(report.photos), [], 'photos')
  const { percent, actualStart, actualEnd } = report
  const delayDays = delayOf({ ...before, percent, actualStart, actualEnd }, now.today, now.stops)
  const at = new Date(ctx.clock.now())
  const version = await changeRow(ctx, 'scheduleTask', {
    key: { id: task.id },
    version: report.version,
    noun: '进度任务',
    by: ctx.user.id,
    values: { percent, actualStart, actualEnd, delayReason: report.reason || task.delayReason, reportTime: at },
  })
  const id = ctx.newId()
  const { projectCode, corpCode, shownAt, groups } = task
  const disclosed = { projectCode, corpCode, shownAt, groups }
  await ctx.db
    .insertInto('scheduleReport')
    .values({
      id,
      taskId: task.id,
      scheduleId: schedule.id,
      ...disclosed,
      percent,
      before: task.percent,
      actualStart,
      actualEnd,
      delayDays,
      reason: report.reason || null,
      photos,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at,
    })
    .execute()
  await usePhotos(ctx, { kind: '进度填报', objectId: id, stage: 'before', files: photos, ...disclosed })
  ctx.note(`填报进度：${task.name} ${percent}%`, task.id)
  return { ...task, version }
}
