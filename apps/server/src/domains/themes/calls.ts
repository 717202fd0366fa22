import * as contract from '@zhugong/contract/themes/calls'
import { oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { changePatrol, countChecks, countPatrols, createPatrol, registerPatrolSource, removePatrol } from '../checks/public.ts'
import { sign } from '../process/public.ts'
import { listCampaigns, readCampaign, readSetup } from './campaign-rows.ts'
import { changeCampaign, createCampaign, removeCampaign } from './campaign-writes.ts'
import { readThemeCheck, readThemes, themeConditions } from './check-rows.ts'
import { fieldsOf, inspectTypeFor, runningCampaign, writeObjects } from './check-writes.ts'
import { themeKind, themePatrol } from './kind.ts'

export function themeRoutes(serve: Serve): void {
  registerPatrolSource(themePatrol)
  serve(contract.listThemeChecks, listThemeChecks)
  serve(contract.listThemeCampaigns, listCampaigns)
  serve(contract.themeSetup, readSetup)
  serve(contract.getThemeCampaign, readCampaign)
  serve(contract.createThemeCampaign, createCampaign)
  serve(contract.changeThemeCampaign, changeCampaign)
  serve(contract.removeThemeCampaign, removeCampaign)
  serve(contract.getThemeCheck, ({ params }, ctx) => readThemeCheck(ctx, params.id))
  serve(contract.createThemeCheck, createThemeCheck)
  serve(contract.changeThemeCheck, changeThemeCheck)
  serve(contract.removeThemeCheck, ({ params }, ctx) => removePatrol(ctx, themeKind, params.id).then(() => undefined))
  serve(contract.signThemeCheck, ({ params, body }, ctx) => sign(ctx, themeKind, params.id, body).then(() => undefined))
}

const listThemeChecks: HandlerOf<typeof contract.listThemeChecks> = async ({ query }, ctx) => {
  const where = themeConditions(ctx, query)
  const list = await readThemes(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countChecks(ctx, where), counts: await countPatrols(ctx, themePatrol.kind, query) }
}

const createThemeCheck: HandlerOf<typeof contract.createThemeCheck> = async ({ query, body }, ctx) => {
  const { id, action, ...given } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const campaign = await runningCampaign(ctx, given.campaignId, projectCode)
  const fields = fieldsOf(given, campaign)
  const check = { id, action, projectCode, fields, inspectType: inspectTypeFor(campaign) }
  return createPatrol(ctx, themePatrol, themeKind, check, writeObjects)
}

const changeThemeCheck: HandlerOf<typeof contract.changeThemeCheck> = async ({ params: { id }, body }, ctx) => {
  const { action, version, ...given } = body
  const fields = fieldsOf(given, await runningCampaign(ctx, given.campaignId))
  return changePatrol(ctx, themePatrol, themeKind, { id, action, version, fields }, writeObjects)
}
