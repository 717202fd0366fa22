import type * as contract from '@zhugong/contract/organisation/projects'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { openGroup } from '../access/public.ts'
import { projectColumns, sameName } from './project-input.ts'
import { enterParties, requireOwnProject } from './project-parties.ts'
import { nextProjectCode, phoneColumns } from './project-rules.ts'
import { requireCorporation, requireOwnArea, requireOwnLine, requireSupervisor } from './registration.ts'

export const createProject: HandlerOf<typeof contract.createProject> = async ({ body }, ctx) => {
  const { projectCode } = await insertProject(ctx, { ...projectColumns(ctx, body), prjStatus: '001' }, body)
  ctx.note(`新增项目 ${body.name}`, projectCode)
  return { projectCode }
}

export const createProjectFast: HandlerOf<typeof contract.createProjectFast> = async ({ body }, ctx) => {
  const superviseOrg = ctx.group.type === groupTypes.government ? ctx.group.code : null
  const { projectCode } = await openSite(ctx, { ...body, superviseOrg, lng: null, lat: null })
  ctx.note(`快速新建项目 ${body.name}`, projectCode)
  return { projectCode }
}

type FastProject = NonNullable<(typeof contract.createProjectFast)['types']>['parsed']['body']

/** Creates a site with its basic data, its group, its owner and its general contractor; other data is entered later. */
export async function openSite(
  ctx: Context,
  { superviseOrg, ...body }: FastProject & { superviseOrg: string | null; lng: number | null; lat: number | null },
): Promise<{ projectCode: string; groupId: string }> {
  const { linkPhone, ...rest } = body
  return insertProject(
    ctx,
    {
      ...rest,
      ...phoneColumns(ctx, linkPhone),
      prjStatus: '001',
      builderLicenses: '[]',
    },
    { ...body, superviseOrg },
  )
}

async function insertProject(
  ctx: Context,
  values: Omit<Parameters<ReturnType<Context['db']['insertInto']>['values']>[0], never> & Record<string, unknown>,
  body: {
    areaCode: string
    category: string
    name: string
    contractorCorpCode: string
    buildCorpCode: string
    superviseOrg: string | null
    startDate?: string
  },
): Promise<{ projectCode: string; groupId: string }> {
  requireOwnProject(ctx, body)
  await requireCorporation(ctx, 'contractorCorpCode', body.contractorCorpCode)
  await requireCorporation(ctx, 'buildCorpCode', body.buildCorpCode)
  requireOwnArea(ctx, [body.areaCode])
  await requireOwnLine(ctx, [body.superviseOrg])
  if (body.superviseOrg) await requireSupervisor(ctx, { govCode: body.superviseOrg, areaCode: body.areaCode, projectCode: null })
  const projectCode = await nextProjectCode(ctx.system, body.areaCode, body.category, formatDay(ctx.clock.now()))
  // A new project is outside the scope of this request; the creator may write its row and group once.
  await ctx.widenTo(projectCode)
  try {
    await ctx.db
      .insertInto('project')
      .values({ ...(values as object), superviseOrg: body.superviseOrg, id: ctx.newId(), projectCode, createBy: ctx.user.id } as never)
      .execute()
  } catch (error) {
    throw sameName(error)
  }
  const groupId = await openGroup(ctx, { type: 3, code: projectCode, name: body.name, areaCode: body.areaCode })
  await enterParties(ctx, projectCode, body, body.startDate)
  return { projectCode, groupId }
}
