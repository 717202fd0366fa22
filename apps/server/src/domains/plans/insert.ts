import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { authoritiesOf } from '../daychecks/public.ts'
import { writeLog } from '../process/public.ts'
import { type Plan, planKind, planType } from './kind.ts'
import { type PlanInput, planValues, writeFrequency } from './writes.ts'

interface NewPlan extends PlanInput {
  id?: string | undefined
  projectCode: string
  discipline: string
  year: number
}

/**
 * Inserts a draft of the caller's institution, known to the authorities of the area.
 * @throws AppError `refused` when the project has a plan of this discipline and year, which is to be adjusted instead
 */
export async function insertPlan(ctx: Context, { id = ctx.newId(), projectCode, discipline, year, ...given }: NewPlan): Promise<Plan> {
  const before = await sql<{ code: string | null; title: string }>`select code, title from check_plan
    where project_code = ${projectCode} and discipline = ${discipline} and year = ${year} and state <> '6'`.execute(ctx.db)
  const twice = (name: string) => new AppError('refused', `该项目该年度已有同专业计划（${name}），请调整原计划`, { field: 'year' })
  if (before.rows[0]) throw twice(before.rows[0].code ?? before.rows[0].title)
  const groups = [...new Set([ctx.group.id, ...(await authoritiesOf(ctx, projectCode))])]
  await ctx.db
    .insertInto('checkPlan')
    .values({
      id,
      projectCode,
      discipline,
      year,
      ...(await planValues(ctx, projectCode, given)),
      groups,
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'check_plan_once')) throw twice('刚刚建立')
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await planKind.lock(ctx, id)
  await writeFrequency(ctx, row, given.frequency)
  await writeLog(ctx, planType, row, { action: 'create', from: null, to: row.state })
  return row
}
