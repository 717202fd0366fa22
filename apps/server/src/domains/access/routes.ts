import * as contract from '@zhugong/contract/access/endpoints'
import { menuTabs } from '@zhugong/contract/access/menus'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { projectsFor } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { verifyAudit } from './audit.ts'
import { listAudit } from './audit-calls.ts'
import { menuTreeFor } from './menus.ts'
import { createRole, getRole, listRoles, removeRole, updateRole } from './role-calls.ts'
import { permissionTreeFor } from './roles.ts'
import { createUser, listUsers, switchUser } from './user-calls.ts'

export function accessRoutes(serve: Serve) {
  serve(contract.initMenus, (_input, ctx) => menuTreeFor(ctx.codes, ctx.group.type))
  serve(contract.grantedApps, grantedApps)
  serve(contract.currentRoles, currentRoles)
  serve(contract.myProjects, myProjects)
  serve(contract.permissionTree, (_input, ctx) => permissionTreeFor(ctx.group.type, ctx.codes))
  serve(contract.listRoles, listRoles)
  serve(contract.getRole, getRole)
  serve(contract.createRole, createRole)
  serve(contract.updateRole, updateRole)
  serve(contract.removeRole, removeRole)
  serve(contract.listUsers, listUsers)
  serve(contract.createUser, createUser)
  serve(contract.switchUser, switchUser)
  serve(contract.verifyAudit, (_input, ctx) => verifyAudit(ctx.system, ctx.scope.all ? undefined : ctx.group.id))
  serve(contract.listAudit, listAudit)
}

const grantedApps: HandlerOf<typeof contract.grantedApps> = (_input, ctx) => {
  const apps = menuTreeFor(ctx.codes, ctx.group.type).map((tab) => ({
    id: tab.id,
    name: tab.title,
    code: tab.name,
    icon: menuTabs.find((t) => t.name === tab.name)?.icon ?? 'app',
    category: tab.title,
    deadline: null,
    leftTime: null,
    firstPath: tab.children[0]?.path ?? tab.children[0]?.children[0]?.path ?? null,
  }))
  return { apps, deadline: null, leftTime: null }
}

const currentRoles: HandlerOf<typeof contract.currentRoles> = async (_input, ctx) => {
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

const myProjects: HandlerOf<typeof contract.myProjects> = async (_input, ctx) => {
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
