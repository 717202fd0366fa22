import * as admins from '@zhugong/contract/access/admins'
import * as access from '@zhugong/contract/access/endpoints'
import { editFunction } from '@zhugong/contract/access/functions'
import * as group from '@zhugong/contract/access/group-roles'
import { type objectHistory as contract, type HistoryKind, historyKinds } from '@zhugong/contract/access/history'
import * as work from '@zhugong/contract/access/role-work'
import * as users from '@zhugong/contract/access/users'
import * as apps from '@zhugong/contract/apps/app-endpoints'
import { saveDefaults } from '@zhugong/contract/apps/default-endpoints'
import * as menus from '@zhugong/contract/apps/menu-endpoints'
import * as docking from '@zhugong/contract/docking/connections'
import { changeMapping } from '@zhugong/contract/docking/mapping'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import * as reports from '@zhugong/contract/reports/endpoints'
import { saveFlowSetting } from '@zhugong/contract/workflow/endpoints'
import { formatInstant } from '#kit/clock'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'

type Call = Pick<Endpoint, 'method' | 'path'>
const memberCalls: readonly Call[] = [
  group.addGroupUser,
  group.updateGroupUser,
  group.removeGroupUser,
  group.addToRole,
  group.removeFromRole,
  group.changeRoles,
  group.extendMembers,
]

/** Endpoints that change each kind of object. Audit rows of other endpoints are left out, although they may name the same object. */
const changesOf: Readonly<Record<HistoryKind, readonly Call[]>> = {
  user: [access.createUser, access.switchUser, users.updateUser, users.unlockUser, users.endSessions, users.resetPassword],
  member: memberCalls,
  adminGrant: [admins.createAdmin, admins.updateAdmin, admins.switchAdmin],
  role: [
    access.createRole,
    access.updateRole,
    access.removeRole,
    work.replaceRole,
    work.narrowRole,
    group.createGroupRole,
    group.updateGroupRole,
    group.tieRole,
    group.addToRole,
    group.removeFromRole,
  ],
  tempRole: [work.createTempRole, work.updateTempRole, work.endTempRole],
  function: [editFunction],
  app: [apps.createApp, apps.createAppBefore, apps.updateApp, apps.updateAppBefore],
  category: [apps.createCategory, apps.updateCategory],
  menu: [menus.createMenu, menus.updateMenu, menus.freshMenu, menus.changeMenuApp],
  scheme: [menus.createScheme, menus.updateScheme, menus.saveArrangement, menus.dropDraft, menus.publishScheme],
  uiRule: [menus.createRule, menus.updateRule],
  package: [saveDefaults],
  reportPush: [reports.savePush, reports.switchPush, reports.testPush],
  flow: [saveFlowSetting],
  dockingPlatform: [
    docking.createPlatform,
    docking.changePlatform,
    docking.pausePlatform,
    docking.testPlatform,
    docking.movePlatform,
    changeMapping,
  ],
}

/** Audit rows of the caller's own group; for the platform, those of all groups. */
export const objectHistory: HandlerOf<typeof contract> = async ({ query }, ctx) => {
  const needs = historyKinds[query.kind]
  if (!ctx.codes.has(needs)) throw new AppError('forbidden', `您没有此项权限（${needs}）`, { code: needs })
  const actions = changesOf[query.kind].map(({ method, path }) => `${method} ${path}`)
  let rows = ctx.db.selectFrom('auditLog').where('objectId', '=', query.object).where('action', 'in', actions).where('result', '=', 'ok')
  if (!ctx.scope.all) rows = rows.where('groupId', '=', ctx.group.id)
  const { limit, offset } = pageSlice(query)
  const list = await rows
    .select(['id', 'at', 'userName', 'groupName', 'summary'])
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { n } = await rows.select((eb) => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow()
  return {
    list: list.map(({ at, userName, ...row }) => ({ ...row, at: formatInstant(at), by: userName })),
    total: Number(n),
  }
}
