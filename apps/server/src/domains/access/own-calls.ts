import type * as contract from '@zhugong/contract/access/endpoints'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import { leftTime } from '@zhugong/contract/apps/codes'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { formatDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { menusOf } from './menus.ts'

/** The apps the caller may open, each with its first page, and the group's external apps. */
export const grantedApps: HandlerOf<typeof contract.grantedApps> = async (_input, ctx) => {
  const { tree, apps } = await menusOf(ctx)
  const pages = tree.flatMap((tab) => tab.children.flatMap((entry) => (entry.path ? [entry] : entry.children)))
  const today = formatDay(ctx.clock.now())
  const categories = new Map((await ctx.system.selectFrom('appCategory').select(['id', 'name']).execute()).map((one) => [one.id, one.name]))
  const list = apps.flatMap((app) => {
    const first = pages.find((page) => page.code && appOfCode(page.code) === app.code)?.path
    const path = app.appType === '2' ? `/iframePath?appId=${app.id}` : (first ?? null)
    const isOpen = app.state === 'valid' || app.state === 'ending' || app.state === 'grace'
    if (!isOpen || !app.visible || !path) return []
    return [
      {
        ...pick(app, 'id', 'name', 'code', 'icon', 'deadline'),
        category: categories.get(app.categoryId) ?? '',
        leftTime: leftTime(app.deadline, today),
        firstPath: path,
      },
    ]
  })
  const nearest = list.flatMap((app) => app.deadline ?? []).sort()[0] ?? null
  return { apps: list.toSorted((a, b) => sortOf(apps, a.id) - sortOf(apps, b.id)), deadline: nearest, leftTime: leftTime(nearest, today) }
}

const sortOf = (apps: readonly { id: string; sort: number }[], id: string): number => apps.find((app) => app.id === id)?.sort ?? 0

export const currentRoles: HandlerOf<typeof contract.currentRoles> = async (_input, ctx) => {
  const list = await ctx.system
    .selectFrom('memberRole as mr')
    .innerJoin('member as m', 'm.id', 'mr.memberId')
    .innerJoin('role as r', 'r.id', 'mr.roleId')
    .select(['r.id', 'r.name', 'r.codes'])
    .where('m.userId', '=', ctx.user.id)
    .where('m.groupId', '=', ctx.group.id)
    .execute()
  return { list, total: list.length }
}

export const myProjects: HandlerOf<typeof contract.myProjects> = async (_input, ctx) => {
  const projects = projectsFor(ctx)
  let rows = ctx.db.selectFrom('project').where('enable', '=', '1')
  if (projects) rows = rows.where('projectCode', 'in', projects.length ? [...projects] : [''])
  const list = await rows.select(['projectCode', 'name', 'areaCode', 'prjStatus']).orderBy('areaCode').orderBy('name').execute()
  return [...Map.groupBy(list, (one) => one.areaCode)].map(([code, below]) => ({
    code,
    name: areaName(code) ?? code,
    projects: below.map((one) => ({ code: one.projectCode, name: one.name, areaCode: one.areaCode, prjStatus: one.prjStatus })),
  }))
}
