import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { projectActions } from '@zhugong/contract/organisation/model'
import type * as contract from '@zhugong/contract/organisation/projects'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { forgetSetting, markStateChanged } from '../attendance/public.ts'
import { forgetUnits } from '../labour/public.ts'
import { getRaw, mayChangeState, type RawProject } from './project-rows.ts'
import { missingForStart } from './project-rules.ts'
import { isOfArea } from './registration.ts'

export const removeProject: HandlerOf<typeof contract.removeProject> = async ({ params }, ctx) => {
  const p = await getRegulated(ctx, params.projectCode)
  if (p.prjStatus !== projectStates.planned) throw new AppError('refused', '只有筹备中的项目可以删除')
  const { rows } = await sql<{
    n: number
  }>`select (select count(*) from project_worker where project_code = ${p.projectCode}) + (select count(*) from device where project_code = ${p.projectCode}) as n`.execute(
    ctx.db,
  )
  if (Number(rows[0]?.n ?? 0) > 0) throw new AppError('refused', `项目“${p.name}”已有人员或设备，不能删除`)
  await requireNoAccounts(ctx, p)
  await ctx.db.deleteFrom('projectStateLog').where('projectCode', '=', p.projectCode).execute()
  await forgetUnits(ctx.db, p.projectCode)
  await forgetSetting(ctx.db, p.projectCode)
  await ctx.db.deleteFrom('project').where('projectCode', '=', p.projectCode).execute()
  ctx.note(`删除项目 ${p.name}`, p.projectCode)
  return undefined
}

export const switchProjectStatus: HandlerOf<typeof contract.switchProjectStatus> = async ({ body }, ctx) => {
  const p = await getRegulated(ctx, body.projectCode)
  await ctx.db.updateTable('project').set({ enable: body.status }).where('projectCode', '=', p.projectCode).execute()
  ctx.note(`${isOn(body.status) ? '启用' : '停用'}项目 ${p.name}`, p.projectCode)
  return undefined
}

export const changeProjectState: HandlerOf<typeof contract.changeProjectState> = async ({ body }, ctx) => {
  const p = await getRaw(ctx, body.projectCode)
  if (!mayChangeState(ctx, p)) throw new AppError('forbidden', '项目状态由监管机构、平台或建设单位变更')
  const action = projectActions[body.action]
  if (p.prjStatus !== action.from) throw new AppError('refused', '当前状态不允许该操作')
  if (action.needsReason && body.reason.length < 5)
    throw new AppError('invalidInput', `${action.name}请填写原因（至少 5 个字）`, { field: 'reason' })
  if (body.action === 'start') {
    const missing = await missingForStart(ctx.db, p)
    if (missing.length) throw new AppError('refused', `还不能确认开工，缺少：${missing.join('、')}`, { missing })
  }
  if (body.action === 'complete') await requireEmptySite(ctx, p.projectCode)
  const today = formatDay(ctx.clock.now())
  const done = await ctx.db
    .updateTable('project')
    .set({
      prjStatus: action.to,
      version: p.version + 1,
      ...(body.action === 'start' ? { actualStartDate: today } : {}),
      ...(body.action === 'complete' ? { actualCompleteDate: today } : {}),
    })
    .where('projectCode', '=', p.projectCode)
    .where('version', '=', body.version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
  await ctx.db
    .insertInto('projectStateLog')
    .values({
      id: ctx.newId(),
      projectCode: p.projectCode,
      fromState: p.prjStatus,
      toState: action.to,
      at: new Date(ctx.clock.now()),
      reason: body.reason,
      byUser: ctx.user.id,
    })
    .execute()
  await markStateChanged(ctx.db, p.projectCode, ctx.clock.now(), null, ctx.clock.now())
  ctx.note(`${action.name}：${p.name}`, p.projectCode)
  return { prjStatus: action.to, version: p.version + 1 }
}

/** A project that the asker may switch or remove: the platform any, an authority those of its area. */
async function getRegulated(ctx: Context, projectCode: string): Promise<RawProject> {
  const p = await getRaw(ctx, projectCode)
  if (!isOfArea(ctx, p.areaCode)) throw new AppError('forbidden', '只能办理本辖区的项目')
  return p
}

async function requireNoAccounts(ctx: Pick<Context, 'system'>, p: RawProject): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from member m join tenant t on t.id = m.group_id where t.type = 3 and t.code = ${p.projectCode}`.execute(
    ctx.system,
  )
  const accounts = rows[0]?.n ?? 0
  if (accounts > 0) throw new AppError('refused', `项目“${p.name}”还有 ${accounts} 个账号，不能删除`)
}

async function requireEmptySite(ctx: Pick<Context, 'db'>, projectCode: string): Promise<void> {
  const { rows } = await sql<{
    teams: number
  }>`select count(*)::int as teams from team where project_code = ${projectCode} and exit_time is null`.execute(ctx.db)
  if (rows[0]?.teams) throw new AppError('refused', `还有 ${rows[0].teams} 个班组未退场，不能确认完工`)
}
