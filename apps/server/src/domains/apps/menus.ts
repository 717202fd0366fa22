import { permissionModules } from '@zhugong/contract/access/codes'
import { menuPages } from '@zhugong/contract/access/menus'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import type * as contract from '@zhugong/contract/apps/menu-endpoints'
import { type MenuRow, menuDepth, menuRow } from '@zhugong/contract/apps/menu-endpoints'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { changedWords } from '#kit/changed'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { appIdOf, deliveredMenus, menuIdOf } from './delivery.ts'

type Menu = Row<'menu'>

const codesPerModule = new Map(permissionModules.map((m) => [m.module, m.permissions.length]))
const functionsOf = (path: string | null): number =>
  (menuPages.get(path ?? '')?.buttons ?? []).reduce((sum, module) => sum + (codesPerModule.get(module) ?? 0), 0)

interface RawMenu extends Menu {
  appName: string | null
  usedBy: number
}

async function findMenus(ctx: Context, appId?: string): Promise<RawMenu[]> {
  const { rows } = await sql<RawMenu>`
    select m.*, a.name as app_name, (select count(*)::int from ui_scheme s where s.published ? m.id) as used_by
    from menu m left join app a on a.id = m.app_id where not m.removed and (${appId ?? null}::text is null or m.app_id = ${appId ?? null} or m.menu_type = 'DIR')
    order by m.sort, m.id`.execute(ctx.db)
  return rows
}

const toRow = (menu: RawMenu): MenuRow =>
  rowOf(menuRow, menu, {
    route: menu.path,
    code: menuPages.get(menu.path ?? '')?.code ?? null,
    functions: functionsOf(menu.path),
  })

export const listMenus: HandlerOf<typeof contract.listMenus> = async ({ query }, ctx) => {
  const [all, rows] = [await findMenus(ctx), await findMenus(ctx, query.appId)]
  const attached = new Set(all.map((menu) => menu.path))
  const unattached = [...menuPages.values()].filter((page) => !attached.has(page.path))
  return {
    list: rows.map(toRow),
    total: rows.length,
    unattached: unattached.map(({ path, title, code }) => ({ path, title, code })),
  }
}

const getMenuRow = async (ctx: Context, id: string): Promise<Menu> =>
  found(await ctx.db.selectFrom('menu').selectAll().where('id', '=', id).where('removed', '=', false).executeTakeFirst(), '菜单')

export const getMenu: HandlerOf<typeof contract.getMenu> = async ({ params }, ctx) => {
  const row = found(
    (await findMenus(ctx)).find((menu) => menu.id === params.id),
    '菜单',
  )
  return { ...toRow(row), updateBy: row.updateBy, updateTime: row.updateTime && formatInstant(row.updateTime) }
}

/** Checks the new parent of a menu: it must not be a page or below the menu itself, and the maximum depth must not be exceeded. */
async function requireDepth(ctx: Context, id: string | null, parentId: string | null): Promise<void> {
  const rows = await ctx.db.selectFrom('menu').select(['id', 'parentId', 'menuType']).where('removed', '=', false).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const parent = parentId ? byId.get(parentId) : undefined
  if (parentId && !parent) throw new AppError('invalidInput', '上级菜单不存在', { field: 'parentId' })
  if (parent?.menuType === 'MENU') throw new AppError('invalidInput', '页面下面不能再有菜单', { field: 'parentId' })
  let above = 1
  for (let at = parent; at; at = at.parentId ? byId.get(at.parentId) : undefined) {
    if (at.id === id) throw new AppError('invalidInput', '不能移到自己下面', { field: 'parentId' })
    above++
  }
  const depthOf = (one: string): number => 1 + Math.max(0, ...rows.filter((row) => row.parentId === one).map((row) => depthOf(row.id)))
  const own = id ? depthOf(id) : 1
  if (above + own - 1 > menuDepth) throw new AppError('invalidInput', `菜单最多 ${menuDepth} 层`, { field: 'parentId' })
}

export const createMenu: HandlerOf<typeof contract.createMenu> = async ({ body }, ctx) => {
  const page = body.route ? menuPages.get(body.route) : undefined
  if (body.route && !page) throw new AppError('invalidInput', '路由应从平台的页面中选择', { field: 'route' })
  await requireDepth(ctx, null, body.parentId)
  if (body.menuType === 'MENU' && !body.parentId) throw new AppError('invalidInput', '页面须放在一个模块下', { field: 'parentId' })
  const app = body.appId ?? (page ? appIdOf(appOfCode(page.code)) : null)
  // A removed menu is restored with its old id.
  if (body.route) await ctx.db.deleteFrom('menu').where('path', '=', body.route).where('removed', '=', true).execute()
  const id = body.route ? menuIdOf(body.route) : ctx.newId()
  const last = await sql<{
    sort: number
  }>`select coalesce(max(sort), 0) + 10 as sort from menu where parent_id is not distinct from ${body.parentId}`.execute(ctx.db)
  try {
    await ctx.db
      .insertInto('menu')
      .values({
        id,
        ...pick(body, 'parentId', 'name', 'title', 'menuType'),
        appId: app,
        path: body.route,
        icon: body.icon ?? null,
        sort: rows0(last.rows)?.sort ?? 10,
        version: 1,
        updateBy: ctx.user.name,
        updateTime: new Date(ctx.clock.now()),
      })
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', '这个页面已在菜单里', { field: 'route' }) : error
  }
  ctx.note(`新增菜单 ${body.title}`, id)
  return { id }
}
const rows0 = <T>(rows: readonly T[]): T | undefined => rows[0]

export const updateMenu: HandlerOf<typeof contract.updateMenu> = async ({ params, body }, ctx) => {
  const menu = await getMenuRow(ctx, params.id)
  const { parentId = menu.parentId, position, version, ...change } = body
  if (menu.menuType === 'MENU' && !parentId) throw new AppError('invalidInput', '页面须放在一个模块下', { field: 'parentId' })
  if (parentId !== menu.parentId) await requireDepth(ctx, menu.id, parentId)
  await writeMenu(ctx, menu.id, version, { ...change, parentId })
  if (position !== undefined || parentId !== menu.parentId) await place(ctx, menu.id, parentId, position)
  const words = changedWords({
    标题: [menu.title, change.title],
    标识: [menu.name, change.name],
    图标: [menu.icon, change.icon],
    启用: [isOn(menu.enable), change.enable && isOn(change.enable)],
  })
  const moved = position !== undefined || parentId !== menu.parentId ? '，移动位置' : ''
  ctx.note(`修改菜单 ${menu.title}${words ? `：${words}` : ''}${moved}`, menu.id)
  return undefined
}

interface Change {
  title?: string | undefined
  name?: string | undefined
  icon?: string | null | undefined
  enable?: string | undefined
  parentId?: string | null
  appId?: string | null
  sort?: number
}
async function writeMenu(ctx: Context, id: string, version: number, change: Change): Promise<void> {
  await changeRow(ctx, 'menu', { key: { id }, version, noun: '菜单', by: ctx.user.name, values: { ...change } })
}

/** Moves a menu to a position among the menus of the same parent; by default to the end. */
async function place(ctx: Context, id: string, parentId: string | null, position: number | undefined): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from menu where parent_id is not distinct from ${parentId} and not removed and id <> ${id} order by sort, id`.execute(ctx.db)
  const order = rows.map((row) => row.id)
  order.splice(Math.min(position ?? order.length, order.length), 0, id)
  for (const [i, one] of order.entries())
    await ctx.db
      .updateTable('menu')
      .set({ sort: i * 10, version: sql`greatest(version, 1)` })
      .where('id', '=', one)
      .execute()
}

export const removeMenu: HandlerOf<typeof contract.removeMenu> = async ({ params }, ctx) => {
  const menu = await getMenuRow(ctx, params.id)
  const child = await ctx.db
    .selectFrom('menu')
    .select('id')
    .where('parentId', '=', menu.id)
    .where('removed', '=', false)
    .limit(1)
    .executeTakeFirst()
  if (child) throw new AppError('refused', `“${menu.title}”下还有菜单，请先移走或删除`)
  if (menu.path === '/menuList') throw new AppError('refused', '菜单列表自己不能删除，否则再也改不回来')
  // Mark a delivered menu as removed, so that the next delivery does not add it again.
  if (menu.delivered)
    await changeRow(ctx, 'menu', {
      key: { id: menu.id },
      version: menu.version,
      by: ctx.user.name,
      noun: '菜单',
      values: { removed: true },
    })
  else {
    await sql`delete from menu where parent_id = ${menu.id} and removed`.execute(ctx.db)
    await ctx.db.deleteFrom('menu').where('id', '=', menu.id).execute()
  }
  ctx.note(`删除菜单 ${menu.title}`, menu.id)
  return undefined
}

export const freshMenu: HandlerOf<typeof contract.freshMenu> = async ({ params, body }, ctx) => {
  const menu = await getMenuRow(ctx, params.id)
  const seed = deliveredMenus().find((one) => menuIdOf(one.key) === menu.id)
  if (!seed) throw new AppError('refused', '这不是平台自带的菜单，没有出厂设置')
  const parentId = seed.parent && menuIdOf(seed.parent)
  if (parentId !== menu.parentId) await requireDepth(ctx, menu.id, parentId)
  await writeMenu(ctx, menu.id, body.version, {
    ...pick(seed, 'title', 'name', 'icon', 'sort'),
    parentId,
    appId: seed.app,
    enable: '1',
  })
  ctx.note(`恢复菜单 ${seed.title}`, menu.id)
  return undefined
}

export const changeMenuApp: HandlerOf<typeof contract.changeMenuApp> = async ({ params, body }, ctx) => {
  const menu = await getMenuRow(ctx, params.id)
  const app = found(await ctx.db.selectFrom('app').select(['id', 'name', 'base']).where('id', '=', body.appId).executeTakeFirst(), '应用')
  const { rows: pages } = await sql<{ id: string; appId: string | null; version: number }>`
    with recursive below as (select id, app_id, menu_type, version from menu where id = ${menu.id}
      union all select m.id, m.app_id, m.menu_type, m.version from menu m join below b on m.parent_id = b.id where not m.removed)
    select id, app_id, version from below where menu_type = 'MENU'`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  const lost = app.base
    ? { rows: [] }
    : await sql<{ name: string }>`
        select t.name from tenant t where t.type > 0 and t.enable = '1'
          and exists (select 1 from app a left join app_grant g on g.app_id = a.id and g.group_id = t.id and g.revoked_at is null
            where a.id = any (${pages.flatMap((page) => page.appId ?? [])}) and (a.base or (g.start_day <= ${today}::date and (g.deadline is null or g.deadline >= ${today}::date))))
          and not exists (select 1 from app_grant g where g.group_id = t.id and g.app_id = ${app.id} and g.revoked_at is null
            and g.start_day <= ${today}::date and (g.deadline is null or g.deadline >= ${today}::date)) order by t.name`.execute(ctx.db)
  if (!body.dryRun) {
    const own = pages.find((page) => page.id === menu.id)
    if (menu.version !== body.version) throw await conflictOf(ctx, 'menu', { id: menu.id }, '菜单')
    for (const page of pages) await writeMenu(ctx, page.id, page.version, { appId: app.id })
    if (!own) await writeMenu(ctx, menu.id, menu.version, {})
    ctx.note(`菜单 ${menu.title} 改属应用 ${app.name}`, menu.id)
  }
  return { lost: lost.rows.map((row) => row.name), menus: pages.length }
}
