import {
  createApp,
  createAppBefore,
  createCategory,
  removeApp,
  removeAppBefore,
  removeCategory,
  sortApps,
  updateApp,
  updateAppBefore,
  updateCategory,
  useApp,
} from '@zhugong/contract/apps/app-endpoints'
import { applyForApps, decideAppApply } from '@zhugong/contract/apps/apply-endpoints'
import { saveDefaults } from '@zhugong/contract/apps/default-endpoints'
import { batchApps, batchDeadline, createGrant, remindGrants, revokeGrant, updateGrant } from '@zhugong/contract/apps/grant-endpoints'
import {
  changeMenuApp,
  createMenu,
  createRule,
  createScheme,
  dropDraft,
  freshMenu,
  publishScheme,
  removeMenu,
  removeRule,
  removeScheme,
  saveArrangement,
  tryRules,
  updateMenu,
  updateRule,
  updateScheme,
} from '@zhugong/contract/apps/menu-endpoints'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'platform only: apps and menus; defaults of an area also by its authority',
      calls: [
        createApp,
        createAppBefore,
        updateApp,
        updateAppBefore,
        removeApp,
        removeAppBefore,
        sortApps,
        createCategory,
        updateCategory,
        removeCategory,
        saveDefaults,
        createMenu,
        updateMenu,
        removeMenu,
        freshMenu,
        changeMenuApp,
        createScheme,
        updateScheme,
        removeScheme,
        saveArrangement,
        dropDraft,
        publishScheme,
        createRule,
        updateRule,
        removeRule,
      ],
    },
    {
      why: 'a group grants what it holds: apps/grants.test.ts tries every part',
      calls: [createGrant, updateGrant, revokeGrant, remindGrants, batchDeadline, batchApps],
    },
    { why: 'a group applies for itself, and the platform decides (apps/apply.test.ts)', calls: [applyForApps, decideAppApply] },
  ],
  exemptReads: [
    { why: 'takes no id: the code of an app', calls: [useApp] },
    { why: 'platform only', calls: [tryRules] },
  ],
  withoutPage: [
    {
      why: 'older address of a call that pages make under another',
      names: [
        'listGrants',
        'listDefaults',
        'getMenu',
        'updateScheme',
        'listPublished',
        'createAppBefore',
        'updateAppBefore',
        'removeAppBefore',
        'listAppsBefore',
      ],
    },
  ],
  owners: {
    appGrant: {
      sql: `select g.id, t.code as project_code, null as corp_code from app_grant g join tenant t on t.id = g.group_id and t.type = 3`,
      personal: true,
    },
    appApply: ofGroup('app_apply'),
  },
  unowned: {
    app: 'belongs to the platform',
    appCategory: 'belongs to the platform',
    appPackage: 'belongs to the platform',
    menu: 'belongs to the platform',
    uiRule: 'belongs to the platform',
    uiScheme: 'belongs to the platform',
  },
}
