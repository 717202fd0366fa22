import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/onboarding/endpoints'
import { found, requireCode, requireProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { recordLook } from '../access/public.ts'

/** Returns the contact of a site. A subcontractor has no access to the site's number; it contacts the companies it works with. */
export const callContact: HandlerOf<typeof contract.callContact> = async ({ params: { id: projectCode } }, ctx) => {
  requireProject(ctx, projectCode)
  requireCode(ctx, 'projectNav.view')
  if (ctx.scope.limited.includes(projectCode)) throw new AppError('forbidden', '只有建设、总包、监理单位和监管机构可以查看项目联系电话')
  const project = found(
    await ctx.db.selectFrom('project').select(['name', 'linkMan', 'linkPhone']).where('projectCode', '=', projectCode).executeTakeFirst(),
    '项目',
  )
  await recordLook(ctx, { objectId: projectCode, summary: `查看项目联系电话：${project.name} ${project.linkMan}`, projectCode })
  return { linkMan: project.linkMan, phone: ctx.secrets.open(project.linkPhone) }
}
