import { leastOfficers, mostOfficers, type Officer } from '@zhugong/contract/daychecks/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { insertCheck } from '../checks/public.ts'
import { tellOne } from '../notify/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { beginScore } from '../scoring/public.ts'
import type { DayCheck } from './day-check.ts'
import { tellFollowers } from './followers.ts'
import { dayCheckKind, dayCheckType, editPage, typeName } from './kind.ts'
import { addUnit, proposedUnits } from './units.ts'

export interface NewDayCheck {
  /** Made on the device; default: a new one. */
  id?: string | undefined
  projectCode: string
  /** Dictionary inspectType. */
  inspectType: string
  /** Dictionary checkDiscipline. */
  discipline: readonly string[]
  /** yyyy-MM-dd, today or later. */
  plannedDate: string
  /** At least two; without `id` where a member has no account. */
  checkers: readonly Officer[]
  planId?: string | null | undefined
  visitId?: string | null | undefined
  campaignId?: string | null | undefined
  /** The group of the campaign that holds it. */
  campaignGroup?: string | null | undefined
  /** Codes of sheets; null: those that fit the site. */
  template?: readonly string[] | null | undefined
  /** Not known to the authorities of the district before the officers are on the site (飞检). */
  surprise?: boolean | undefined
  /** The record that it comes from: a complaint, a notice, an application. */
  sourceKind?: string | undefined
  sourceId?: string | undefined
}

/** Days after the planned date are counted from this hour. */
const plannedHour = 9

/**
 * Plans a daily check in the caller's transaction and in the name of `ctx.group`, with to-do and units; nobody of the site learns of it. The
 * right to do so is the caller's to ask. @returns the stored check
 * @throws AppError `invalidInput` at `plannedDate` or `checkers`; `refused` when the project does not allow a check, or the visit or the
 * source has one already
 */
export async function createDayCheck(ctx: Context, given: NewDayCheck): Promise<DayCheck> {
  const { id = ctx.newId(), projectCode, plannedDate } = given
  if (plannedDate < formatDay(ctx.clock.now())) throw new AppError('invalidInput', '计划日期不能早于今天', { field: 'plannedDate' })
  await requireOfficers(ctx, given.checkers)
  await requireRunning(ctx, projectCode)
  const groups = await knowing(ctx, projectCode, given.surprise ?? false)
  await insertCheck(ctx, {
    id,
    kind: dayCheckType,
    projectCode,
    inspectType: given.inspectType,
    checkTime: new Date(startOfDay(plannedDate) + plannedHour * hourMs),
    checkers: given.checkers.map(({ name }) => name),
    part: '',
    remark: null,
    groups,
  })
  await ctx.db
    .insertInto('dayCheck')
    .values({
      id,
      projectCode,
      groups,
      surprise: given.surprise ?? false,
      checkerGroup: ctx.group.id,
      checkerIds: given.checkers.flatMap((one) => one.id ?? []),
      discipline: [...given.discipline],
      plannedDate,
      planId: given.planId ?? null,
      visitId: given.visitId ?? null,
      campaignId: given.campaignId ?? null,
      campaignGroup: given.campaignGroup ?? null,
      sourceKind: given.sourceKind ?? null,
      sourceId: given.sourceId ?? null,
      template: given.template ? [...given.template] : null,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'day_check_visit')) throw new AppError('refused', '该检查窗口已安排检查', { field: 'visitId' })
      if (isUniqueViolation(error, 'day_check_source')) throw new AppError('refused', '该来源已有未完成的检查', { field: 'sourceId' })
      throw error
    })
  const row = await dayCheckKind.lock(ctx, id)
  await beginScore(ctx, row)
  for (const unit of await proposedUnits(ctx, row)) await addUnit(ctx, row, unit)
  const stored = await dayCheckKind.lock(ctx, id)
  await writeLog(ctx, dayCheckType, stored, { action: 'create', from: null, to: stored.state })
  await replaceTodos(ctx, dayCheckKind, stored)
  await tellFollowers(ctx, 'created', stored)
  await tellOfficers(ctx, stored, '您有新的检查任务')
  return stored
}

/** The officers must be people of the caller's institution; members without account are named only. */
async function requireOfficers(ctx: Context, checkers: readonly Officer[]): Promise<void> {
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'checkers' })
  if (checkers.length < leastOfficers) throw refuse(`检查人员至少 ${leastOfficers} 名`)
  if (checkers.length > mostOfficers) throw refuse(`检查人员最多 ${mostOfficers} 名`)
  const ids = checkers.flatMap((one) => one.id ?? [])
  const { rows } = await sql<{ id: string }>`select distinct m.user_id as id from member m join app_user u on u.id = m.user_id
    join tenant t on t.id = m.group_id and t.type = 1 where m.user_id = any (${ids}) and m.enable = '1' and u.enable = '1'`.execute(
    ctx.system,
  )
  if (rows.length < new Set(ids).size) throw refuse('检查人员须为监管机构在册人员')
}

/** States in which a site is visited: until supervision ends. */
const visited: readonly string[] = [projectStates.building, projectStates.stopped, projectStates.finished, projectStates.accepted]

async function requireRunning(ctx: Context, projectCode: string): Promise<void> {
  const { rows } = await sql<{ prjStatus: string }>`select prj_status from project where project_code = ${projectCode}`.execute(ctx.db)
  if (!visited.includes(found(rows[0], '项目').prjStatus))
    throw new AppError('refused', '项目未在监督期内，不能安排检查', { field: 'projectCode' })
}

/** The groups that may know of a check before it is submitted: its institution, and the authorities of the area unless it is a surprise. */
async function knowing(ctx: Pick<Context, 'group' | 'system'>, projectCode: string, surprise: boolean): Promise<string[]> {
  if (surprise) return [ctx.group.id]
  return [...new Set([ctx.group.id, ...(await authoritiesOf(ctx, projectCode))])]
}

/** Every authority whose area the project lies in. */
export async function authoritiesOf(ctx: Pick<Context, 'system'>, projectCode: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.id from tenant t join project p on p.project_code = ${projectCode}
    where t.type = 1 and t.area_code is not null and p.area_code ^@ regexp_replace(t.area_code, '(00){1,2}$', '')`.execute(ctx.system)
  return rows.map(({ id }) => id)
}

/** Tells the named officers, except the caller. */
export async function tellOfficers(ctx: Context, row: DayCheck, title: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${row.projectCode}`.execute(ctx.db)
  const text = `${rows[0]?.name ?? ''} ${row.plannedDate} ${typeName(row.inspectType)}，${row.checkers.join('、')}`
  const { id, checkerIds } = row
  ctx.afterCommit(async () => {
    for (const userId of checkerIds.filter((one) => one !== ctx.user.id))
      await tellOne(ctx.system, { userId, kind: dayCheckType, title, text, link: editPage(id) }, ctx.clock.now())
  })
}
