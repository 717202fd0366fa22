import type * as contract from '@zhugong/contract/apps/app-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'

export const listCategories: HandlerOf<typeof contract.listCategories> = async ({ query }, ctx) => {
  const { rows } = await sql<contract.Category>`
    select c.id, c.name, c.icon, c.hidden_types, c.sort, c.version, (select count(*)::int from app a where a.category_id = c.id) as app_count
    from app_category c order by c.sort, c.id`.execute(ctx.db)
  const { limit, offset } = pageSlice(query)
  return { list: rows.slice(offset, offset + limit), total: rows.length }
}

const taken = (name: string) => (error: unknown) => {
  throw isUniqueViolation(error) ? new AppError('refused', `分类“${name}”已存在`, { field: 'name' }) : error
}

export const createCategory: HandlerOf<typeof contract.createCategory> = async ({ body }, ctx) => {
  const id = ctx.newId()
  await sql`insert into app_category (id, name, icon, sort) select ${id}, ${body.name}, ${body.icon}, coalesce(max(sort), 0) + 10 from app_category`
    .execute(ctx.db)
    .catch(taken(body.name))
  ctx.note(`新增应用分类 ${body.name}`, id)
  return { id }
}

export const updateCategory: HandlerOf<typeof contract.updateCategory> = async ({ body }, ctx) => {
  if ('ids' in body) return sortCategories(ctx, body.ids)
  const { id, version, ...change } = body
  const one = await getCategory(ctx, id)
  await changeRow(ctx, 'appCategory', { key: { id }, version, noun: '分类', by: ctx.user.name, values: { ...change } }).catch(
    taken(change.name ?? one.name),
  )
  const words = changedWords({ 名称: [one.name, change.name], 图标: [one.icon, change.icon] })
  ctx.note(`修改应用分类 ${one.name}${words ? `：${words}` : ''}`, id)
  return undefined
}

async function sortCategories(ctx: Context, ids: readonly string[]): Promise<undefined> {
  for (const [i, id] of ids.entries())
    await ctx.db
      .updateTable('appCategory')
      .set({ sort: i * 10 })
      .where('id', '=', id)
      .execute()
  ctx.note('应用分类排序')
  return undefined
}

export const removeCategory: HandlerOf<typeof contract.removeCategory> = async ({ params, query }, ctx) => {
  const one = await getCategory(ctx, params.id)
  const apps = await ctx.db.selectFrom('app').select('id').where('categoryId', '=', one.id).execute()
  if (apps.length > 0) {
    if (!query.moveTo) throw new AppError('refused', `“${one.name}”下还有 ${apps.length} 个应用，请选择移到哪个分类`, { field: 'moveTo' })
    if (query.moveTo === one.id) throw new AppError('invalidInput', '请选择另一个分类', { field: 'moveTo' })
    const target = await getCategory(ctx, query.moveTo)
    await ctx.db.updateTable('app').set({ categoryId: target.id }).where('categoryId', '=', one.id).execute()
  }
  await ctx.db.deleteFrom('appCategory').where('id', '=', one.id).execute()
  ctx.note(`删除应用分类 ${one.name}`, one.id)
  return undefined
}

const getCategory = async (ctx: Context, id: string) =>
  found(await ctx.db.selectFrom('appCategory').selectAll().where('id', '=', id).executeTakeFirst(), '分类')
