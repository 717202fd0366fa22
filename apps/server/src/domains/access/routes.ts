import * as admin from '@zhugong/contract/access/admins'
import * as contract from '@zhugong/contract/access/endpoints'
import * as functions from '@zhugong/contract/access/functions'
import * as group from '@zhugong/contract/access/group-roles'
import * as history from '@zhugong/contract/access/history'
import * as joins from '@zhugong/contract/access/joins'
import * as work from '@zhugong/contract/access/role-work'
import * as sight from '@zhugong/contract/access/sight'
import * as people from '@zhugong/contract/access/users'
import { formatDay } from '#kit/clock'
import type { Serve } from '#kit/serve'
import { groupsBelow } from './admin-groups.ts'
import * as adminWork from './admins.ts'
import { verifyAudit } from './audit.ts'
import { listAudit } from './audit-calls.ts'
import { getDelegation, setDelegation } from './delegation.ts'
import { groupFunctions, roleFunctions } from './function-tree.ts'
import { editFunction, functionHolders, listFunctions } from './functions.ts'
import * as groupRoles from './group-roles.ts'
import * as roleMembers from './group-user-roles.ts'
import * as groupUsers from './group-users.ts'
import { objectHistory } from './history.ts'
import * as joinCalls from './join-calls.ts'
import { menusOf } from './menus.ts'
import { whyClosed } from './open-codes.ts'
import { currentRoles, grantedApps, myProjects } from './own-calls.ts'
import { createRole, getRole, listRoles, removeRole, replaceRole, roleHolders, updateRole } from './role-calls.ts'
import { narrowRole, roleGroups } from './role-groups.ts'
import { permissionTreeFor } from './roles.ts'
import { seenProjects, usersByProject } from './seeing.ts'
import { liftSight, listSight, setSight } from './sight-calls.ts'
import { stampOf } from './stamp.ts'
import { createTempRole, endTempRole, getTempRole, listTempRoles, updateTempRole } from './temp-roles.ts'
import * as users from './user-calls.ts'
import { pickUsers, searchUser, usersByGroup } from './user-picks.ts'
import { endSessions, resetPassword, unlockUser } from './user-safety.ts'

export function accessRoutes(serve: Serve) {
  serve(contract.initMenus, async (_input, ctx) => (await menusOf(ctx)).tree)
  serve(contract.grantedApps, grantedApps)
  serve(contract.currentRoles, currentRoles)
  serve(contract.myProjects, myProjects)
  serve(people.whyClosed, async ({ query }, ctx) => ({
    reason: (await whyClosed(ctx.system, ctx.group, ctx.user.id, query.codes, formatDay(ctx.clock.now()))) ?? null,
  }))
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
  serve(group.addToRole, roleMembers.addToRole)
  serve(group.removeFromRole, roleMembers.removeFromRole)
  serve(group.changeRoles, roleMembers.changeRoles)
  serve(group.extendMembers, roleMembers.extendMembers)
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
  serve(people.unlockUser, unlockUser)
  serve(people.endSessions, endSessions)
  serve(people.resetPassword, resetPassword)
  serve(people.pickUsers, pickUsers)
  serve(people.usersByGroup, usersByGroup)
  serve(people.searchUser, searchUser)
  serve(people.usersByProject, usersByProject)
  serve(people.seenProjects, seenProjects)
  serve(sight.listSight, listSight)
  serve(sight.setSight, setSight)
  serve(sight.liftSight, liftSight)
}

function adminRoutes(serve: Serve) {
  serve(admin.listAdmins, adminWork.listAdmins)
  serve(admin.createAdmin, adminWork.createAdmin)
  serve(admin.groupsBelow, groupsBelow)
  serve(admin.getAdmin, adminWork.getAdmin)
  serve(admin.updateAdmin, adminWork.updateAdmin)
  serve(admin.switchAdmin, adminWork.switchAdmin)
  serve(admin.formerRoles, adminWork.formerRoles)
  serve(admin.resetAdmin, adminWork.resetAdmin)
  serve(joins.answerJoin, joinCalls.answerJoin)
  serve(joins.listJoins, joinCalls.listJoins)
  serve(joins.withdrawJoin, joinCalls.withdrawJoin)
  serve(
    functions.listFunctions,
    listFunctions(() => serve.endpoints),
  )
  serve(functions.functionHolders, functionHolders)
  serve(functions.editFunction, editFunction)
}
