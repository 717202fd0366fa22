import * as apps from '@zhugong/contract/apps/app-endpoints'
import * as defaults from '@zhugong/contract/apps/default-endpoints'
import * as grants from '@zhugong/contract/apps/grant-endpoints'
import * as menus from '@zhugong/contract/apps/menu-endpoints'
import * as people from '@zhugong/contract/apps/range-endpoints'
import type { Context } from '#kit/context'
import type { Serve } from '#kit/serve'
import { applyRoutes } from './apply.ts'
import { createApp, getApp, listApps, removeApp, sortApps, updateApp, useApp } from './apps.ts'
import { batchApps, batchDeadline } from './batches.ts'
import { createCategory, listCategories, removeCategory, updateCategory } from './categories.ts'
import { listDefaults, saveDefaults } from './defaults.ts'
import { getGrant, grantFigures, grantTargets, listGrants, projectGrants } from './grant-views.ts'
import { createGrant, revokeGrant, updateGrant } from './grants.ts'
import { previewMenus } from './menu-preview.ts'
import { changeMenuApp, createMenu, freshMenu, getMenu, listMenus, removeMenu, updateMenu } from './menus.ts'
import { rangePeople } from './ranges.ts'
import { remindGrants } from './remind.ts'
import { createRule, listRules, removeRule, tryRules, updateRule } from './rules.ts'
import { listPublished, publishScheme } from './scheme-publishing.ts'
import { createScheme, dropDraft, getArrangement, listSchemes, removeScheme, saveArrangement, updateScheme } from './schemes.ts'

/** `catalogueChanged` is called after a change, to refresh the sources of frames. */
export function appRoutes(serve: Serve, catalogueChanged: () => Promise<void>) {
  catalogueRoutes(serve, catalogueChanged)
  categoryRoutes(serve)
  applyRoutes(serve)
  grantRoutes(serve)
  menuRoutes(serve)
  schemeRoutes(serve)
  ruleRoutes(serve)
}

/** The older endpoints use the handlers of the newer ones. */
function catalogueRoutes(serve: Serve, catalogueChanged: () => Promise<void>) {
  const reported =
    <In, Out>(change: (input: In, ctx: Context) => Out) =>
    (input: In, ctx: Context): Out => {
      ctx.afterCommit(catalogueChanged)
      return change(input, ctx)
    }
  serve(apps.listApps, listApps)
  serve(apps.listAppsBefore, ({ ...input }, ctx) => listApps(input, ctx))
  serve(apps.getApp, getApp)
  serve(apps.getAppBefore, ({ ...input }, ctx) => getApp(input, ctx))
  serve(apps.createApp, reported(createApp))
  serve(apps.createAppBefore, ({ ...input }, ctx) => reported(createApp)(input, ctx))
  serve(apps.updateApp, reported(updateApp))
  serve(apps.updateAppBefore, ({ ...input }, ctx) => reported(updateApp)(input, ctx))
  serve(apps.removeApp, reported(removeApp))
  serve(apps.removeAppBefore, ({ ...input }, ctx) => reported(removeApp)(input, ctx))
  serve(apps.sortApps, sortApps)
  serve(apps.useApp, useApp)
}

function categoryRoutes(serve: Serve) {
  serve(apps.listCategories, listCategories)
  serve(apps.createCategory, createCategory)
  serve(apps.updateCategory, updateCategory)
  serve(apps.removeCategory, removeCategory)
}

function grantRoutes(serve: Serve) {
  serve(grants.listGrants, listGrants)
  serve(grants.grantFigures, grantFigures)
  serve(grants.grantTargets, grantTargets)
  serve(grants.projectGrants, projectGrants)
  serve(defaults.listDefaults, listDefaults)
  serve(grants.getGrant, getGrant)
  serve(grants.createGrant, createGrant)
  serve(grants.updateGrant, updateGrant)
  serve(grants.revokeGrant, revokeGrant)
  serve(grants.remindGrants, remindGrants)
  serve(grants.batchDeadline, batchDeadline)
  serve(grants.batchApps, batchApps)
  serve(defaults.saveDefaults, saveDefaults)
  serve(people.rangePeople, rangePeople)
}

function menuRoutes(serve: Serve) {
  serve(menus.listMenus, listMenus)
  serve(menus.previewMenus, previewMenus)
  serve(menus.createMenu, createMenu)
  serve(menus.updateMenu, updateMenu)
  serve(menus.removeMenu, removeMenu)
  serve(menus.getMenu, getMenu)
  serve(menus.freshMenu, freshMenu)
  serve(menus.changeMenuApp, changeMenuApp)
}

function schemeRoutes(serve: Serve) {
  serve(menus.listSchemes, listSchemes)
  serve(menus.createScheme, createScheme)
  serve(menus.updateScheme, updateScheme)
  serve(menus.removeScheme, removeScheme)
  serve(menus.getArrangement, getArrangement)
  serve(menus.saveArrangement, saveArrangement)
  serve(menus.dropDraft, dropDraft)
  serve(menus.listPublished, listPublished)
  serve(menus.publishScheme, publishScheme)
}

function ruleRoutes(serve: Serve) {
  serve(menus.listRules, listRules)
  serve(menus.createRule, createRule)
  serve(menus.updateRule, updateRule)
  serve(menus.removeRule, removeRule)
  serve(menus.tryRules, tryRules)
}
