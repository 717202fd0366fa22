import type * as contract from '@zhugong/contract/apps/menu-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { formatDay } from '#kit/clock'
import { found } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { findGroupFacts, findLook, findMemberRights, menusFor } from '../access/public.ts'
import { flatten } from './rules.ts'

/** Computes the menus with the current rights of the account. No call is made under its name. */
export const previewMenus: HandlerOf<typeof contract.previewMenus> = async ({ query }, ctx) => {
  const user = await ctx.system
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('account', '=', query.account.toLowerCase())
    .executeTakeFirst()
  if (!user) throw new AppError('notFound', '没有这个账号，请核对后填写完整的账号', { field: 'account' })
  const places = await ctx.system
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .select(['m.id as memberId', 't.id', 't.name'])
    .where('m.userId', '=', user.id)
    .orderBy('m.isDefault', 'desc')
    .orderBy('t.name')
    .execute()
  const groups = places.map(({ id, name }) => ({ id, name }))
  const place = query.groupId === undefined ? places[0] : places.find((one) => one.id === query.groupId)
  if (!place) {
    if (query.groupId !== undefined) throw new AppError('notFound', '该账号不属于所选机构', { field: 'groupId' })
    return { name: user.name, groups, groupId: null, homePath: '/main', menus: [] }
  }
  const facts = found((await findGroupFacts(ctx.system, place.id))[0], '机构')
  const group = { ...facts, type: facts.type as 0 }
  const now = ctx.clock.now()
  const { codes } = await findMemberRights(ctx.system, { group, userId: user.id, memberId: place.memberId }, now)
  const [{ tree }, look] = await Promise.all([menusFor(ctx.system, group, user.id, codes, formatDay(now)), findLook(ctx.system, place.id)])
  return { name: user.name, groups, groupId: place.id, homePath: look.homePath, menus: flatten(tree) }
}
