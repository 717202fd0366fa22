import * as admin from '@zhugong/contract/access/admins'
import * as contract from '@zhugong/contract/access/endpoints'
import * as functions from '@zhugong/contract/access/functions'
import * as group from '@zhugong/contract/access/group-roles'
import * as history from '@zhugong/contract/access/history'
import * as work from '@zhugong/contract/access/role-work'
import * as sight from '@zhugong/contract/access/sight'
import * as people from '@zhugong/contract/access/users'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import { leftTime } from '@zhugong/contract/apps/codes'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { formatDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import * as adminWork from './admins.ts'
import { verifyAudit } from './audit.ts'
import { listAudit } from './audit-calls.ts'
import { getDelegation, setDelegation } from './delegation.ts'
import { groupFunctions, roleFunctions } from './function-tree.ts'
import { editFunction, functionHolders, listFunctions } from './functions.ts'
import * as groupRoles from './group-roles.ts'
import * as groupUsers from './group-users.ts'
import { objectHistory } from './history.ts'
import { menusOf } from './menus.ts'
import { createRole, getRole, listRoles, removeRole, replaceRole, roleHolders, updateRole } from './role-calls.ts'
import { narrowRole, roleGroups } from './role-groups.ts'
import { permissionTreeFor } from './roles.ts'
import { seenProjects, usersByProject } from './seeing.ts'
import { liftSight, listSight, setSight } from './sight-calls.ts'
import { stampOf } from './stamp.ts'
import { createTempRole, endTempRole, getTempRole, listTempRoles, updateTempRole } from './temp-roles.ts'
import * as users from './user-calls.ts'

export function accessRoutes(serve: Serve) {
  serve(contract.initMenus, async (_input, ctx) => (await menusOf(ctx)).tree)
  serve(contract.grantedApps, grantedApps)
  serve(contract.currentRoles, currentRoles)
  serve(contract.myProjects, myProjects)
  serve(people.myRights, (_input, ctx) => ({ stamp: stampOf(ctx.principal) }))
  serve(contract.verifyAudit, (_input, ctx) => verifyAudit(ctx.system, ctx.scope.all ? undefined : ctx.group.id))
  serve(contract.listAudit, listAudit)
  serve(history.objectHistory, objectHistory)
  roleRoutes(serve)
  groupRoutes(serve)
  userRoutes(serve)
  adminRoutes(serve)
}

function roleRoutes(serve: Serve) {
  serve(contract.permissionTree, (_input, ctx) => permissionTreeFor(ctx.group.type, ctx.codes))
  serve(contract.listRoles, listRoles)
  serve(contract.getRole, getRole)
  serve(contract.createRole, createRole)
  serve(contract.updateRole, updateRole)
  serve(contract.removeRole, removeRole)
  serve(work.replaceRole, replaceRole)
  serve(work.roleHolders, roleHolders)
  serve(work.roleFunctions, roleFunctions)
  serve(work.listTempRoles, listTempRoles)
  serve(work.createTempRole, createTempRole)
  serve(work.updateTempRole, updateTempRole)
  serve(work.getTempRole, getTempRole)
  serve(work.endTempRole, endTempRole)
  serve(work.roleGroups, roleGroups)
  serve(work.narrowRole, narrowRole)
}

function groupRoutes(serve: Serve) {
  serve(work.groupFunctions, groupFunctions)
  serve(group.groupRoleStat, groupRoles.groupRoleStat)
  serve(group.createGroupRole, groupRoles.createGroupRole)
  serve(group.updateGroupRole, groupRoles.updateGroupRole)
  serve(group.getGroupRole, groupRoles.getGroupRole)
  serve(group.relatedProjects, groupRoles.relatedProjects)
  serve(group.tieRole, groupRoles.tieRole)
  serve(group.addToRole, groupUsers.addToRole)
  serve(group.removeFromRole, groupUsers.removeFromRole)
  serve(group.changeRoles, groupUsers.changeRoles)
  serve(group.extendMembers, groupUsers.extendMembers)
  serve(group.getDelegation, getDelegation)
  serve(group.setDelegation, setDelegation)
  serve(group.listGroupUsers, groupUsers.listGroupUsers)
  serve(group.addGroupUser, groupUsers.addGroupUser)
  serve(group.updateGroupUser, groupUsers.updateGroupUser)
  serve(group.getGroupUser, groupUsers.getGroupUser)
  serve(group.removeGroupUser, groupUsers.removeGroupUser)
}

function userRoutes(serve: Serve) {
  serve(contract.listUsers, users.listUsers)
  serve(contract.createUser, users.createUser)
  serve(contract.switchUser, users.switchUser)
  serve(people.userFigures, users.userFigures)
  serve(people.getUser, users.getUser)
  serve(people.updateUser, users.updateUser)
  serve(people.unlockUser, users.unlockUser)
  serve(people.endSessions, users.endSessions)
  serve(people.resetPassword, users.resetPassword)
  serve(people.pickUsers, users.pickUsers)
  serve(people.usersByGroup, users.usersByGroup)
  serve(people.searchUser, users.searchUser)
  serve(people.usersByProject, usersByProject)
  serve(people.seenProjects, seenProjects)
  serve(sight.listSight, listSight)
  serve(sight.setSight, setSight)
  serve(sight.liftSight, liftSight)
}

function adminRoutes(serve: Serve) {
  serve(admin.listAdmins, adminWork.listAdmins)
  serve(admin.createAdmin, adminWork.createAdmin)
  serve(admin.groupsBelow, adminWork.groupsBelow)
  serve(admin.getAdmin, adminWork.getAdmin)
  serve(admin.updateAdmin, adminWork.updateAdmin)
  serve(admin.switchAdmin, adminWork.switchAdmin)
  serve(admin.formerRoles, adminWork.formerRoles)
  serve(admin.resetAdmin, adminWork.resetAdmin)
  serve(
    functions.listFunctions,
    listFunctions(() => serve.endpoints),
  )
  serve(functions.functionHolders, functionHolders)
  serve(functions.editFunction, editFunction)
}

/** The apps whose pages somebody may open, with the first of each, and the external ones of his group. */
const grantedApps: HandlerOf<typeof contract.grantedApps> = async (_input, ctx) => {
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
        id: app.id,
        name: app.name,
        code: app.code,
        icon: app.icon,
        category: categories.get(app.categoryId) ?? '',
        deadline: app.deadline,
        leftTime: leftTime(app.deadline, today),
        firstPath: path,
      },
    ]
  })
  const nearest = list.flatMap((app) => app.deadline ?? []).sort()[0] ?? null
  return { apps: list.toSorted((a, b) => sortOf(apps, a.id) - sortOf(apps, b.id)), deadline: nearest, leftTime: leftTime(nearest, today) }
}
const sortOf = (apps: readonly { id: string; sort: number }[], id: string): number => apps.find((app) => app.id === id)?.sort ?? 0

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
