import * as contract from '@zhugong/contract/daychecks/calls'
import { type DayCheckAction, dayCheckMoves, dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { signDayCheck } from '@zhugong/contract/daychecks/seats'
import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, condition, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { changeCheck } from '../checks/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { type Outcome, replaceTodos, sign, take } from '../process/public.ts'
import { createDayCheck, tellOfficers } from './create.ts'
import type { DayCheck } from './day-check.ts'
import { readDetail } from './detail.ts'
import { askFollowers, tellFollowers } from './followers.ts'
import { dayCheckKind, resultPage } from './kind.ts'
import { conditions, countRows, countsOf, readRows } from './rows.ts'
import { readStart } from './start.ts'
import { addUnit } from './units.ts'
import { type BodyOf, checkIn, saveContent, saveUnit, submitCheck, writeDiscipline, writeSignatures } from './writes.ts'

export function dayCheckRoutes(serve: Serve): void {
  serve(contract.listDayChecks, listDayChecks)
  serve(contract.dayCheckStart, readStart)
  serve(contract.dayCheckWeek, readWeek)
  serve(contract.getDayCheck, readDetail)
  serve(contract.createDayCheck, create)
  serve(contract.changeDayCheck, change)
  serve(contract.removeDayCheckUnit, removeUnit)
  serve(signDayCheck, async ({ params, body }, ctx) => {
    await sign(ctx, dayCheckKind, params.id, body)
    // Who has signed need not be asked any more.
    await replaceTodos(ctx, dayCheckKind, await dayCheckKind.lock(ctx, params.id))
    return undefined
  })
}

const listDayChecks: HandlerOf<typeof contract.listDayChecks> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where), counts: await countsOf(ctx, query.projectCode) }
}

/** Checks shown in one week of the calendar; more do not fit a screen. */
const mostInWeek = 300
const readWeek: HandlerOf<typeof contract.dayCheckWeek> = async ({ query }, ctx) => {
  const until = addDays(query.monday, 6)
  const where = allOf(
    ...inProjects('d.projectCode', projectsFor(ctx, query.projectCode)),
    condition(sql`d.planned_date between ${query.monday}::date and ${until}::date and d.state <> ${dayCheckStates.cancelled}`),
  )
  return { checks: await readRows(ctx, where, { sort: 'checkDate', limit: mostInWeek }) }
}

const create: HandlerOf<typeof contract.createDayCheck> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  if (body.id) {
    const repeated = await sql`select from day_check where id = ${body.id} and create_by = ${ctx.user.id}`.execute(ctx.db)
    if (repeated.rows.length > 0) return { id: body.id }
  }
  const { id } = await createDayCheck(ctx, { ...body, projectCode })
  ctx.note('安排日常检查', id)
  return { id }
}

const change: HandlerOf<typeof contract.changeDayCheck> = async ({ params: { id }, query, body }, ctx) => {
  await requireHere(ctx, id, query.projectCode)
  if ('actKey' in body && body.actKey && (await isRepeated(ctx, id, body.actKey))) return undefined
  // A unit has its own version: it does not matter what happened to the others.
  const version = body.action === 'saveUnit' || body.action === 'addUnit' ? (await dayCheckKind.lock(ctx, id)).version : body.version
  const after = await take(ctx, dayCheckKind, { id, action: body.action, version }, (row) => write(ctx, row, body))
  if (body.action === 'submit') {
    await writeSignatures(ctx, after, body.signatures)
    await replaceTodos(ctx, dayCheckKind, await dayCheckKind.lock(ctx, id))
    await tellSubmitted(ctx, after)
  }
  if (body.action === 'assign') await tellOfficers(ctx, after, '检查任务已调整')
  if (body.action === 'cancel') await tellOfficers(ctx, after, '检查任务已取消')
  const event = events[body.action]
  if (event) await tellFollowers(ctx, event, after)
  return undefined
}
const events = { checkIn: 'checkedIn', submit: 'submitted', cancel: 'cancelled' } as Partial<
  Record<DayCheckAction, 'checkedIn' | 'submitted' | 'cancelled'>
>

/** A device sends what it is not sure to have sent again: the same act changes nothing. */
async function isRepeated(ctx: Context, id: string, actKey: string): Promise<boolean> {
  const { rows } = await sql`select from day_check where id = ${id} and last_act = ${actKey} and update_by = ${ctx.user.id}
    union all select from day_check_unit where check_id = ${id} and last_act = ${actKey}`.execute(ctx.db)
  return rows.length > 0
}

async function write(ctx: Context, row: DayCheck, body: Parameters<typeof change>[0]['body']): Promise<Outcome<DayCheck>> {
  await askFollowers(ctx, row, body)
  switch (body.action) {
    case 'assign':
      return assign(ctx, row, body)
    case 'cancel':
      return { opinion: body.opinion }
    case 'checkIn':
      return checkIn(ctx, row, body)
    case 'addUnit':
      await addUnit(ctx, row, body)
      return {}
    case 'save':
      return { values: { ...(await saveContent(ctx, row, body)), lastAct: body.actKey ?? null } }
    case 'saveUnit':
      await saveUnit(ctx, row, body)
      return {}
    case 'submitDiscipline':
      await writeDiscipline(ctx, row, body)
      return { opinion: body.discipline }
    case 'submit':
      return submitCheck(ctx, row, body)
    case 'remark':
      return {
        values: { remark: body.opinion, remarkBy: ctx.user.name, remarkAt: new Date(ctx.clock.now()) },
        opinion: body.opinion,
      }
  }
}

const plannedHourMs = 9 * 3_600_000
async function assign(ctx: Context, row: DayCheck, body: BodyOf<'assign'>): Promise<Outcome<DayCheck>> {
  const { inspectType, discipline, plannedDate, checkers, template } = body
  if (plannedDate < formatDay(ctx.clock.now()) && plannedDate !== row.plannedDate)
    throw new AppError('invalidInput', '计划日期不能早于今天', { field: 'plannedDate' })
  await changeCheck(ctx, row.id, {
    inspectType,
    checkers: checkers.map(({ name }) => name),
    checkTime: new Date(startOfDay(plannedDate) + plannedHourMs),
  })
  return {
    values: { discipline, plannedDate, checkerIds: checkers.flatMap((one) => one.id ?? []), template: template ?? null },
    opinion: `${plannedDate}，${checkers.map(({ name }) => name).join('、')}`,
  }
}

const removeUnit: HandlerOf<typeof contract.removeDayCheckUnit> = async ({ params: { taskId }, query }, ctx) => {
  const { rows } = await sql<Row<'dayCheckUnit'>>`select * from day_check_unit where id = ${taskId}`.execute(ctx.db)
  const unit = found(rows[0], '受检单体')
  await requireHere(ctx, unit.checkId, query.projectCode)
  const row = await dayCheckKind.lock(ctx, unit.checkId)
  if (!dayCheckKind.turns.checker?.(ctx, row)) throw new AppError('forbidden', '只有检查人员能移出单体')
  if (row.state !== dayCheckStates.planned && row.state !== dayCheckStates.running)
    throw new AppError('refused', `检查${dayCheckKind.stateName(row.state)}，不能移出单体`)
  if (unit.savedAt !== null) throw new AppError('refused', `${unit.name}已有检查结果，不能移出；可将检查表标为不涉及`)
  await sql`delete from day_check_unit where id = ${taskId}`.execute(ctx.db)
  ctx.note(`移出受检单体：${unit.name}`, row.id)
  return undefined
}

/** Tells the site, its general contractor and 监理 of the result. */
async function tellSubmitted(ctx: Context, row: DayCheck): Promise<void> {
  const corps = await sql<{ corpCode: string; corpType: string }>`select corp_code, corp_type from project_corp
    where project_code = ${row.projectCode} and corp_type in (${partTypes.leader}, ${partTypes.supervisor}) and exit_time is null`.execute(
    ctx.system,
  )
  const title = '监督检查已提交，请查看并签字'
  const text = `${row.code ?? ''}，${ctx.group.name}${row.state === dayCheckStates.clean ? '：未发现问题' : ''}`
  const notification = {
    projectCode: row.projectCode,
    title,
    text,
    link: resultPage(row.id),
    kind: 'daycheck',
    code: dayCheckMoves.remark.needs,
  }
  for (const part of [partTypes.leader, partTypes.supervisor])
    await tellKeepers(ctx, { ...notification, corpCode: corps.rows.find((one) => one.corpType === part)?.corpCode ?? null })
}

/** @throws AppError `notFound` when the caller sees no such check, or it is of another project than the call names */
async function requireHere(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from day_check where id = ${id}`.execute(ctx.db)
  found(
    rows.find((row) => !projects || projects.includes(row.projectCode)),
    '检查',
  )
}
