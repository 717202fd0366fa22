import type * as contract from '@zhugong/contract/apps/menu-endpoints'
import type { Arrangement, SchemeItem } from '@zhugong/contract/apps/menu-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { getScheme, groupsByScheme, same, write } from './schemes.ts'

export const listPublished: HandlerOf<typeof contract.listPublished> = async ({ query }, ctx) => {
  const rows = await ctx.db
    .selectFrom('uiScheme')
    .selectAll()
    .where('published', 'is not', null)
    .orderBy('createTime')
    .orderBy('id')
    .execute()
  const { limit, offset } = pageSlice(query)
  return {
    list: rows.slice(offset, offset + limit).map((row) => ({
      ...pick(row, 'id', 'name', 'publishedBy'),
      items: row.published ?? {},
      publishedAt: row.publishedAt && formatInstant(row.publishedAt),
    })),
    total: rows.length,
  }
}

const words = (item: SchemeItem | undefined, title: string): string => {
  if (item?.hidden) return '隐藏'
  const shown = [
    ...(item?.title && item.title !== title ? [`改名“${item.title}”`] : []),
    ...(item?.icon ? ['换图标'] : []),
    ...(item?.sort === undefined ? [] : [`次序 ${item.sort}`]),
  ]
  return shown.length ? shown.join('，') : '原样'
}

async function differencesOf(ctx: Context, before: Arrangement, after: Arrangement) {
  const menus = await ctx.db.selectFrom('menu').select(['id', 'title']).where('removed', '=', false).orderBy('sort').execute()
  return menus.flatMap(({ id, title }) => {
    const [was, is] = [words(before[id], title), words(after[id], title)]
    return was === is ? [] : [{ menuId: id, title, before: was, after: is }]
  })
}

export const publishScheme: HandlerOf<typeof contract.publishScheme> = async ({ body }, ctx) => {
  const scheme = await getScheme(ctx, body.id)
  const back = body.action === 'rollback'
  if (back && scheme.previous === null) throw new AppError('refused', '没有可回退的上一版')
  const next = (back ? scheme.previous : scheme.draft) ?? {}
  const differences = await differencesOf(ctx, scheme.published ?? {}, next)
  const groups = (await groupsByScheme(ctx)).get(scheme.id) ?? 0
  if (body.dryRun) return { differences, groups }
  if (!back && scheme.published !== null && same(scheme.draft, scheme.published))
    throw new AppError('refused', '草稿与已发布的相同，没有可发布的修改')
  await write(ctx, scheme.id, body.version, {
    published: JSON.stringify(next),
    // Keep the published version for a rollback; a second rollback restores the newer version again.
    previous: JSON.stringify(scheme.published ?? {}),
    draft: back ? JSON.stringify(next) : undefined,
    publishedAt: new Date(ctx.clock.now()),
    publishedBy: ctx.user.name,
  })
  ctx.note(`${back ? '回退' : '发布'}菜单方案 ${scheme.name}，${differences.length} 处，影响 ${groups} 个组`, scheme.id)
  return { differences, groups }
}
