import { AppError } from '@zhugong/contract/kit/errors'
import { baseStates } from '@zhugong/contract/schedule/moves'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { offersFor, writeLog } from '../process/public.ts'
import { type Schedule, scheduleKind, scheduleOf, scheduleType } from './kind.ts'

/** The plan of the project for a change; begun when there is none. @throws AppError when it may not be written now */
export async function planToWrite(ctx: Context, projectCode: string): Promise<Schedule> {
  const known = await scheduleOf(ctx, projectCode)
  const row = known ? await scheduleKind.lock(ctx, known.id) : await beginPlan(ctx, projectCode)
  if (row.state !== baseStates.drafted)
    throw new AppError('refused', `进度计划${scheduleKind.stateName(row.state)}，不能修改任务；批准后请用“变更基准”`, { state: row.state })
  if (!offersFor(ctx, scheduleKind, row).some((one) => one.action === 'plan')) throw new AppError('forbidden', '进度计划由施工单位编制')
  return row
}

async function beginPlan(ctx: Context, projectCode: string): Promise<Schedule> {
  if (ctx.group.type !== groupTypes.project && ctx.group.type !== groupTypes.corporation)
    throw new AppError('forbidden', '进度计划由施工单位编制')
  const { rows } = await sql<{ contractorCorpCode: string | null }>`select contractor_corp_code from project
    where project_code = ${projectCode}`.execute(ctx.db)
  const corpCode = rows[0]?.contractorCorpCode
  if (!corpCode) throw new AppError('refused', '项目还没有施工总承包单位，不能编制进度计划')
  const id = ctx.newId()
  await ctx.db
    .insertInto('schedule')
    .values({ id, projectCode, corpCode, groups: [ctx.group.id], createBy: ctx.user.id, createTime: new Date(ctx.clock.now()) })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '本项目的进度计划正由另一方编制，提交后可见') : error
    })
  const row = await scheduleKind.lock(ctx, id)
  await writeLog(ctx, scheduleType, row, { action: 'create', from: null, to: row.state })
  return row
}
