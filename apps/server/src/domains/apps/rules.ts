import { codesFor } from '@zhugong/contract/access/codes'
import type { MenuNode } from '@zhugong/contract/access/menu'
import type * as contract from '@zhugong/contract/apps/menu-endpoints'
import { noConditions, type RuleConditions, rule as ruleSchema } from '@zhugong/contract/apps/menu-endpoints'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { findGroupFacts, findLook, fits, menusFor } from '../access/public.ts'

/** Number of names shown of the groups that a rule matches. */
const namesShown = 8

type Rule = Row<'uiRule'>
const ordered = (ctx: Context): Promise<Rule[]> =>
  ctx.db.selectFrom('uiRule').selectAll().orderBy('isDefault').orderBy('sort').orderBy('id').execute()

export const listRules: HandlerOf<typeof contract.listRules> = async ({ query }, ctx) => {
  const [rules, groups] = [await ordered(ctx), await findGroupFacts(ctx.system)]
  const schemes = new Map((await ctx.db.selectFrom('uiScheme').select(['id', 'name']).execute()).map((one) => [one.id, one.name]))
  const on = rules.filter((rule) => isOn(rule.enable))
  const firstOf = new Map(groups.map((group) => [group.id, on.find((rule) => fits(rule.conditions, group))?.id]))
  const { limit, offset } = pageSlice(query)
  const list = rules.slice(offset, offset + limit).map((rule) => {
    const hit = groups.filter((group) => firstOf.get(group.id) === rule.id)
    const also = groups.filter((group) => firstOf.get(group.id) !== rule.id && !rule.isDefault && fits(rule.conditions, group))
    return rowOf(ruleSchema, rule, {
      uiGroupId: rule.schemeId,
      schemeName: rule.schemeId ? (schemes.get(rule.schemeId) ?? null) : null,
      homePath: rule.homePath === '/main/v1' ? ('/main/v1' as const) : ('/main' as const),
      groups: hit.length,
      names: hit.slice(0, namesShown).map((group) => group.name),
      alsoFits: also.length,
    })
  })
  const unmatched = groups.filter((group) => firstOf.get(group.id) === undefined).map(({ id, name, type }) => ({ id, name, type }))
  return { list, total: rules.length, unmatched }
}

async function requireScheme(ctx: Context, id: string | null | undefined): Promise<void> {
  if (!id) return
  const scheme = await ctx.db.selectFrom('uiScheme').select('published').where('id', '=', id).executeTakeFirst()
  if (!scheme) throw new AppError('invalidInput', '菜单方案不存在', { field: 'uiGroupId' })
  if (scheme.published === null) throw new AppError('refused', '菜单方案还没有发布，不能使用', { field: 'uiGroupId' })
}

export const createRule: HandlerOf<typeof contract.createRule> = async ({ body }, ctx) => {
  await requireScheme(ctx, body.uiGroupId)
  const id = ctx.newId()
  await sql`insert into ui_rule (id, name, sort, conditions, scheme_id, home_path, update_by)
    select ${id}, ${body.name}, coalesce(max(sort) filter (where not is_default), 0) + 10, ${JSON.stringify(body.conditions)}::jsonb, ${body.uiGroupId}, ${body.homePath}, ${ctx.user.name}
    from ui_rule`.execute(ctx.db)
  ctx.note(`新增界面规则 ${body.name}`, id)
  return { id }
}

const getRule = async (ctx: Context, id: string): Promise<Rule> =>
  found(await ctx.db.selectFrom('uiRule').selectAll().where('id', '=', id).executeTakeFirst(), '界面规则')

const isUnconditional = (conditions: RuleConditions): boolean => Object.values(conditions).every((list) => list.length === 0)

export const updateRule: HandlerOf<typeof contract.updateRule> = async ({ params, body }, ctx) => {
  const rule = await getRule(ctx, params.id)
  const { version, position, conditions, uiGroupId, ...change } = body
  await requireScheme(ctx, uiGroupId)
  if (rule.isDefault && conditions && !isUnconditional(conditions))
    throw new AppError('refused', '默认规则没有条件', { field: 'conditions' })
  if (rule.isDefault && position !== undefined) throw new AppError('refused', '默认规则总在最后')
  await changeRow(ctx, 'uiRule', {
    key: { id: rule.id },
    version,
    noun: '规则',
    by: ctx.user.name,
    values: {
      ...change,
      conditions: conditions ? JSON.stringify(conditions) : undefined,
      ...(uiGroupId === undefined ? {} : { schemeId: uiGroupId }),
    },
  })
  if (position !== undefined) await place(ctx, rule.id, position)
  const words = changedWords({
    名称: [rule.name, change.name],
    首页: [rule.homePath, change.homePath],
    启用: [isOn(rule.enable), change.enable && isOn(change.enable)],
    条件: [false, conditions && JSON.stringify(conditions) !== JSON.stringify(rule.conditions) ? true : undefined],
    方案: [false, uiGroupId !== undefined && uiGroupId !== rule.schemeId ? true : undefined],
  }).replaceAll('否→是', '已改')
  ctx.note(`修改界面规则 ${rule.name}${words ? `：${words}` : ''}${position === undefined ? '' : '，改变次序'}`, rule.id)
  return undefined
}

async function place(ctx: Context, id: string, position: number): Promise<void> {
  const order = (await ordered(ctx)).filter((rule) => !rule.isDefault && rule.id !== id).map((rule) => rule.id)
  order.splice(Math.min(position, order.length), 0, id)
  for (const [i, one] of order.entries())
    await ctx.db
      .updateTable('uiRule')
      .set({ sort: i * 10 })
      .where('id', '=', one)
      .execute()
}

export const removeRule: HandlerOf<typeof contract.removeRule> = async ({ params }, ctx) => {
  const rule = await getRule(ctx, params.id)
  if (rule.isDefault) throw new AppError('refused', '默认规则不能删除：没有它，未匹配的组没有方案可用')
  await ctx.db.deleteFrom('uiRule').where('id', '=', rule.id).execute()
  ctx.note(`删除界面规则 ${rule.name}`, rule.id)
  return undefined
}

/** Returns the groups that conditions match; or the rule that matches a group, and the menus its administrator would see. */
export const tryRules: HandlerOf<typeof contract.tryRules> = async ({ body }, ctx) => {
  const groups = await findGroupFacts(ctx.system)
  const hit = body.groupId
    ? groups.filter((group) => group.id === body.groupId)
    : groups.filter((group) => fits(body.conditions ?? noConditions, group))
  const names = hit.slice(0, namesShown).map((group) => group.name)
  if (!body.groupId) return { groups: hit.length, names, rule: null, menus: [] }
  const group = found(hit[0], '机构')
  const look = await findLook(ctx.system, group.id)
  const { tree } = await menusFor(
    ctx.system,
    { ...group, type: group.type as 0 },
    ctx.user.id,
    new Set(codesFor(group.type)),
    formatDay(ctx.clock.now()),
  )
  const scheme = look.rule?.schemeId
    ? await ctx.db.selectFrom('uiScheme').select('name').where('id', '=', look.rule.schemeId).executeTakeFirst()
    : undefined
  return {
    groups: hit.length,
    names,
    rule: look.rule ? { id: look.rule.id, name: look.rule.name, schemeName: scheme?.name ?? null, homePath: look.homePath } : null,
    menus: flatten(tree),
  }
}

export const flatten = (nodes: readonly MenuNode[], depth = 0): contract.SeenMenu[] =>
  nodes.flatMap((node) => [{ id: node.id, title: node.title, depth, path: node.path ?? null }, ...flatten(node.children, depth + 1)])
