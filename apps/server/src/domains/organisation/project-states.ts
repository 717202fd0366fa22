import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import type * as contract from '@zhugong/contract/organisation/projects'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { forgetSetting } from '../attendance/public.ts'
import { forgetUnits } from '../labour/public.ts'
import { getRaw, type RawProject } from './project-rows.ts'
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

/** A project the caller may disable or delete: any for the platform, those in its area for an authority. */
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
