import type * as contract from '@zhugong/contract/apps/menu-endpoints'
import { type Arrangement, scheme as schemeSchema } from '@zhugong/contract/apps/menu-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { findGroupFacts, findRules, fits } from '../access/public.ts'

type Scheme = Row<'uiScheme'>

export const same = (a: Arrangement | null, b: Arrangement | null): boolean =>
  JSON.stringify(sorted(a ?? {})) === JSON.stringify(sorted(b ?? {}))

/** Compare with sorted keys, because jsonb changes their order. */
const sorted = (items: Arrangement) =>
  Object.entries(items)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, item]) => [id, item.title, item.icon, item.hidden ?? false, item.sort])

/** Number of groups per scheme: the first rule that matches a group decides. */
export async function groupsByScheme(ctx: Context): Promise<Map<string, number>> {
  const [groups, rules] = [await findGroupFacts(ctx.system), await findRules(ctx.db)]
  const counts = new Map<string, number>()
  for (const group of groups) {
    const scheme = rules.find((rule) => fits(rule.conditions, group))?.schemeId
    if (scheme) counts.set(scheme, (counts.get(scheme) ?? 0) + 1)
  }
  return counts
}

export const listSchemes: HandlerOf<typeof contract.listSchemes> = async ({ query }, ctx) => {
  const rows = await ctx.db.selectFrom('uiScheme').selectAll().orderBy('createTime').orderBy('id').execute()
  const groups = await groupsByScheme(ctx)
  const used = await ctx.db.selectFrom('uiRule').select('schemeId').execute()
  const { limit, offset } = pageSlice(query)
  return {
    list: rows.slice(offset, offset + limit).map((row) =>
      rowOf(schemeSchema, row, {
        dirty: !same(row.draft, row.published),
        mayRollBack: row.previous !== null,
        publishedAt: row.publishedAt && formatInstant(row.publishedAt),
        rules: used.filter((rule) => rule.schemeId === row.id).length,
        groups: groups.get(row.id) ?? 0,
      }),
    ),
    total: rows.length,
  }
}

export const getScheme = async (ctx: Context, id: string): Promise<Scheme> =>
  found(await ctx.db.selectFrom('uiScheme').selectAll().where('id', '=', id).executeTakeFirst(), '菜单方案')

const taken = (name: string) => (error: unknown) => {
  throw isUniqueViolation(error) ? new AppError('refused', `方案“${name}”已存在`, { field: 'name' }) : error
}

export const createScheme: HandlerOf<typeof contract.createScheme> = async ({ body }, ctx) => {
  const from = body.copyOf ? await getScheme(ctx, body.copyOf) : undefined
  const id = ctx.newId()
  await ctx.db
    .insertInto('uiScheme')
    .values({ id, name: body.name, remark: body.remark, draft: JSON.stringify(from?.draft ?? {}) })
    .execute()
    .catch(taken(body.name))
  ctx.note(`新增菜单方案 ${body.name}`, id)
  return { id }
}

export async function write(
  ctx: Context,
  id: string,
  version: number,
  change: Partial<{
    name: string
    remark: string
    draft: string
    published: string | null
    previous: string | null
    publishedAt: Date
    publishedBy: string
  }>,
): Promise<void> {
  await changeRow(ctx, 'uiScheme', { key: { id }, version, noun: '菜单方案', by: ctx.user.name, values: { ...change } }).catch(
    taken(change.name ?? ''),
  )
}

export const updateScheme: HandlerOf<typeof contract.updateScheme> = async ({ params, body: { version, ...change } }, ctx) => {
  const scheme = await getScheme(ctx, params.id)
  await write(ctx, scheme.id, version, change)
  const words = changedWords({ 名称: [scheme.name, change.name], 说明: [scheme.remark, change.remark] })
  ctx.note(`修改菜单方案 ${scheme.name}${words ? `：${words}` : ''}`, scheme.id)
  return undefined
}

export const removeScheme: HandlerOf<typeof contract.removeScheme> = async ({ params }, ctx) => {
  const scheme = await getScheme(ctx, params.id)
  const rule = await ctx.db.selectFrom('uiRule').select('name').where('schemeId', '=', scheme.id).limit(1).executeTakeFirst()
  if (rule) throw new AppError('refused', `规则“${rule.name}”正在使用此方案，不能删除`)
  const pack = await ctx.db.selectFrom('appPackage').select('name').where('uiSchemeId', '=', scheme.id).limit(1).executeTakeFirst()
  if (pack) throw new AppError('refused', `应用方案“${pack.name}”正在使用此菜单方案，不能删除`)
  await ctx.db.deleteFrom('uiScheme').where('id', '=', scheme.id).execute()
  ctx.note(`删除菜单方案 ${scheme.name}`, scheme.id)
  return undefined
}

export const getArrangement: HandlerOf<typeof contract.getArrangement> = async ({ params }, ctx) => {
  const { id, name, draft, published, version } = await getScheme(ctx, params.id)
  return { id, name, draft, published, version }
}

export const saveArrangement: HandlerOf<typeof contract.saveArrangement> = async ({ params, body }, ctx) => {
  const scheme = await getScheme(ctx, params.id)
  const menus = await ctx.db.selectFrom('menu').select('id').execute()
  const known = new Set(menus.map((menu) => menu.id))
  const strange = Object.keys(body.items).find((id) => !known.has(id))
  if (strange) throw new AppError('invalidInput', '方案里有不存在的菜单，请刷新后重试', { field: 'items' })
  await write(ctx, scheme.id, body.version, { draft: JSON.stringify(body.items) })
  ctx.note(`保存菜单方案草稿 ${scheme.name}`, scheme.id)
  return undefined
}

export const dropDraft: HandlerOf<typeof contract.dropDraft> = async ({ params }, ctx) => {
  const scheme = await getScheme(ctx, params.id)
  await write(ctx, scheme.id, scheme.version, { draft: JSON.stringify(scheme.published ?? {}) })
  ctx.note(`放弃菜单方案草稿 ${scheme.name}`, scheme.id)
  return undefined
}
