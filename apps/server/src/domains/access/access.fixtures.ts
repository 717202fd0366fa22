import { createAdmin, resetAdmin, switchAdmin, updateAdmin } from '@zhugong/contract/access/admins'
import { createRole, createUser, initMenus, removeRole, switchUser, updateRole } from '@zhugong/contract/access/endpoints'
import { editFunction } from '@zhugong/contract/access/functions'
import {
  addGroupUser,
  addToRole,
  changeRoles,
  createGroupRole,
  extendMembers,
  removeFromRole,
  removeGroupUser,
  setDelegation,
  tieRole,
  updateGroupRole,
  updateGroupUser,
} from '@zhugong/contract/access/group-roles'
import { answerJoin, withdrawJoin } from '@zhugong/contract/access/joins'
import { createTempRole, endTempRole, narrowRole, replaceRole, updateTempRole } from '@zhugong/contract/access/role-work'
import { liftSight, setSight } from '@zhugong/contract/access/sight'
import { endSessions, resetFactor, resetPassword, unlockUser, updateUser } from '@zhugong/contract/access/users'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'changes the caller’s own group only (roles, accounts, settings, files, exports)',
      calls: [createRole, updateRole, removeRole, createUser, switchUser],
    },
    {
      why: 'rights inside the caller’s own group, no part of a project (access/delegating.test.ts)',
      calls: [
        replaceRole,
        createTempRole,
        updateTempRole,
        endTempRole,
        setSight,
        liftSight,
        createGroupRole,
        updateGroupRole,
        tieRole,
        addToRole,
        removeFromRole,
        changeRoles,
        setDelegation,
        addGroupUser,
        updateGroupUser,
        removeGroupUser,
        extendMembers,
        updateUser,
        unlockUser,
        endSessions,
        resetPassword,
        resetFactor,
      ],
    },
    {
      why: 'an invitation to a group and the answer to it, no part of a project (access/joining.test.ts)',
      calls: [answerJoin, withdrawJoin],
    },
    {
      why: 'administrators of groups below (access/admins.test.ts)',
      calls: [narrowRole, createAdmin, updateAdmin, switchAdmin, resetAdmin],
    },
    { why: 'platform only: which functions the product offers', calls: [editFunction] },
  ],
  exemptReads: [{ why: 'takes no id: the menus of the caller', calls: [initMenus] }],
  withoutPage: [
    {
      why: 'lists and trees to choose from, for clients that draw their own forms',
      names: ['pickUsers', 'getGroupUser', 'relatedProjects', 'tieRole', 'getAdmin', 'getTempRole', 'currentRoles', 'permissionTree'],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into sight_rule (id, group_id, party, project_code, shows, modules, reason, grant_by, until)
       select md5($1), id, '004', $2, false, '{payroll}', '样例', '样例', '2020-01-01' from tenant where type = 3 and code = $2`,
      [`sight ${projectCode}`, projectCode],
    )
  },
  owners: {
    user: `select m.user_id as id, null as project_code, t.type || '/' || t.code as group_key from member m join tenant t on t.id = m.group_id`,
    member: ofGroup('member'),
    sightRule: ofGroup('sight_rule'),
    joinRequest: ofGroup('join_request', 'by_group'),
  },
  unowned: {
    role: 'roles are tried by group: access/delegating.test.ts',
    tempRole: 'tried in access/delegating.test.ts',
    adminGrant: 'tried in access/admins.test.ts',
  },
  writes: {
    login_try: 'an administrator unlocks an account after failed log-ins',
    session: 'sessions end or change in the transaction that changes the rights',
  },
}
