import * as contract from '@zhugong/contract/organisation/group-info'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { brandsAbove, calendarAbove, changeGroup, infoAbove, infoOf, mapTypeAbove } from '../access/public.ts'

/** Contact information and notes for the members of the caller's own group. */
export function groupInfoRoutes(serve: Serve) {
  serve(contract.getGroupInfo, getGroupInfo)
  serve(contract.saveGroupInfo, saveGroupInfo)
}

const ownTenant = async (ctx: Pick<Context, 'system' | 'group'>) =>
  found(await ctx.system.selectFrom('tenant').selectAll().where('id', '=', ctx.group.id).executeTakeFirst(), '机构')

const getGroupInfo: HandlerOf<typeof contract.getGroupInfo> = async (_input, ctx) => {
  const tenant = await ownTenant(ctx)
  const above = await brandsAbove(ctx.system, tenant)
  const profile = await ctx.system.selectFrom('setting').select('value').where('key', '=', 'profile').executeTakeFirst()
  return {
    own: infoOf(tenant),
    above: infoAbove(above),
    mapTypeAbove: mapTypeAbove(above),
    calendarAbove: calendarAbove(above),
    hasTiles: profile?.value.map !== undefined && profile.value.map !== null,
    updateBy: tenant.updateBy,
    updateTime: tenant.updateTime && formatInstant(tenant.updateTime),
    version: tenant.version,
  }
}

const saveGroupInfo: HandlerOf<typeof contract.saveGroupInfo> = async ({ body: { version, ...info } }, ctx) => {
  const tenant = await ownTenant(ctx)
  await changeGroup(ctx, tenant.id, version, { settings: JSON.stringify({ ...tenant.settings, info }) })
  ctx.note(`修改机构信息设置 ${tenant.name}`, tenant.id)
  return undefined
}
