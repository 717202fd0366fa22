import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/settings/dashboard'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, requireProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'

/** The layout of a site's home page: its own settings, and those that higher groups impose. */
export function dashboardRoutes(serve: Serve) {
  serve(contract.getDashboard, getDashboard)
  serve(contract.saveDashboard, ({ body }, ctx) => keep(ctx, { ...body, part: 'dashboard', words: '编排首页看板' }))
  serve(contract.saveDashboardPolicy, ({ body }, ctx) => keep(ctx, { ...body, part: 'dashboardPolicy', words: '设定首页看板要求' }))
  serve(contract.spreadDashboardPolicy, spreadDashboardPolicy)
}

async function rowOf(ctx: Pick<Context, 'db'>, projectCode: string, part: string) {
  return ctx.db.selectFrom('projectSetting').selectAll().where('projectCode', '=', projectCode).where('part', '=', part).executeTakeFirst()
}
type Kept = Awaited<ReturnType<typeof rowOf>>

const toKept = <T>(row: Kept, value: T | null) => ({
  value,
  updateBy: row?.updateBy ?? null,
  updateTime: row ? formatInstant(row.updateTime) : null,
  version: row?.version ?? 0,
})

const getDashboard: HandlerOf<typeof contract.getDashboard> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const project = await projectOf(ctx, projectCode)
  const [own, above] = await Promise.all([rowOf(ctx, projectCode, 'dashboard'), rowOf(ctx, projectCode, 'dashboardPolicy')])
  return {
    projectCode,
    name: project.name,
    dashboard: toKept(own, own ? (contract.dashboard.safeParse(own.value).data ?? null) : null),
    policy: toKept(above, above ? (contract.dashboardPolicy.safeParse(above.value).data ?? null) : null),
  }
}

async function projectOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  return found(
    await ctx.db.selectFrom('project').select(['name', 'prjStatus']).where('projectCode', '=', projectCode).executeTakeFirst(),
    '项目',
  )
}

interface Keeping {
  projectCode: string
  part: 'dashboard' | 'dashboardPolicy'
  value: unknown
  version: number
  words: string
}

async function keep(ctx: Context, { projectCode, part, value, version, words }: Keeping): Promise<undefined> {
  requireProject(ctx, projectCode)
  const project = await projectOf(ctx, projectCode)
  if (project.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，设置只读')
  await write(ctx, { projectCode, part, value, version })
  ctx.note(`${words}：${project.name}`, projectCode)
  return undefined
}

async function write(ctx: Context, { projectCode, part, value, version }: Omit<Keeping, 'words'>): Promise<void> {
  const row = { value: JSON.stringify(value) }
  if (version === 0) {
    try {
      await ctx.db
        .insertInto('projectSetting')
        .values({ projectCode, part, ...row, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.name })
        .execute()
    } catch (error) {
      throw isUniqueViolation(error) ? changedMeanwhile('设置') : error
    }
    return
  }
  await changeRow(ctx, 'projectSetting', { key: { projectCode, part }, version, noun: '设置', by: ctx.user.name, values: row })
}

const spreadDashboardPolicy: HandlerOf<typeof contract.spreadDashboardPolicy> = async ({ body }, ctx) => {
  requireProject(ctx, body.projectCode)
  const source = await rowOf(ctx, body.projectCode, 'dashboardPolicy')
  const value = source && contract.dashboardPolicy.safeParse(source.value).data
  if (!value) throw new AppError('refused', '本项目还没有看板要求，请先保存', { field: 'projectCode' })
  const list: { projectCode: string; name: string; change: 'new' | 'replace' | 'same' }[] = []
  for (const projectCode of new Set(body.to)) {
    if (projectCode === body.projectCode) continue
    requireProject(ctx, projectCode)
    const { name } = await projectOf(ctx, projectCode)
    const there = await rowOf(ctx, projectCode, 'dashboardPolicy')
    const current = there && contract.dashboardPolicy.safeParse(there.value).data
    const change = !there ? 'new' : JSON.stringify(current) === JSON.stringify(value) ? 'same' : 'replace'
    if (body.apply && change !== 'same') await write(ctx, { projectCode, part: 'dashboardPolicy', value, version: there?.version ?? 0 })
    list.push({ projectCode, name, change })
  }
  if (body.apply) ctx.note(`将首页看板要求用于 ${list.length} 个项目`, body.projectCode)
  return { list }
}
