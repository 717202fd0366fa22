import { createHash } from 'node:crypto'
import type { MenuPage } from '@zhugong/contract/access/menu-tree'
import { menuTabs } from '@zhugong/contract/access/menus'
import { appOfCode, codesOfApp, type DeliveredApp, deliveredApps } from '@zhugong/contract/apps/catalogue'
import { noConditions } from '@zhugong/contract/apps/menu-endpoints'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, systemClock } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'

export const appIdOf = (code: string): string => `app-${code}`
const categoryIdOf = (code: string): string => `cat-${code}`
/** The id of a delivered menu, derived from its key: the path of a page, the name of a module. */
export const menuIdOf = (key: string): string => `m-${createHash('sha256').update(key).digest('hex').slice(0, 20)}`

/**
 * Updates the delivered apps, menus and packages to the version of the product. Manual changes are kept. A new app is granted to every
 * existing group, because the group may have used its pages before.
 */
export async function deliverApps(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('deliver apps', 0))`.execute(tx)
    await deliverCategories(tx)
    const fresh: DeliveredApp[] = []
    for (const [i, app] of deliveredApps.entries()) if (await deliverApp(tx, app, i)) fresh.push(app)
    await deliverPackages(tx, fresh)
    await grantToAll(tx, fresh)
    await deliverMenus(tx)
    await sql`insert into ui_rule (id, name, sort, conditions, is_default)
      select ${newId()}, '默认', 100000, ${JSON.stringify(noConditions)}::jsonb, true where not exists (select 1 from ui_rule where is_default)`.execute(
      tx,
    )
  })
}

const categoryIcons = ['people', 'clock', 'alert', 'ledger', 'wind', 'crane', 'monitor', 'box', 'calendar', 'building']

/** Only at the first start: afterwards the platform administers the categories. */
async function deliverCategories(tx: Tx): Promise<void> {
  if (await tx.selectFrom('app').select('id').where('builtIn', '=', true).limit(1).executeTakeFirst()) return
  for (const [i, { code, name }] of (dictionaryOf('appCategory')?.items ?? []).entries())
    await sql`insert into app_category (id, name, icon, sort) values (${categoryIdOf(code)}, ${name}, ${categoryIcons[i] ?? 'layers'}, ${i * 10})
      on conflict do nothing`.execute(tx)
}

/** Returns true when the app was new. */
async function deliverApp(tx: Tx, app: DeliveredApp, place: number): Promise<boolean> {
  const needs = (app.needs ?? []).map(appIdOf)
  const { rows } = await sql<{ fresh: boolean }>`
    insert into app (id, code, name, summary, category_id, app_type, icon, group_types, prerequisites, codes, modules, devices, built_in, base, sort)
    values (${appIdOf(app.code)}, ${app.code}, ${app.name}, ${app.summary},
      coalesce((select id from app_category where id = ${categoryIdOf(app.category)}), (select id from app_category order by sort desc limit 1)), '1', ${app.icon}, ${[...app.types]}, ${needs},
      ${codesOfApp(app)}, ${[...app.modules]}, ${app.devices ?? ''}, true, ${app.base ?? false}, ${place * 10})
    on conflict (id) do update set codes = excluded.codes, modules = excluded.modules, base = excluded.base, built_in = true
    returning xmax = 0 as fresh`.execute(tx)
  return rows[0]?.fresh ?? false
}

const packageNames: Readonly<Record<number, string>> = { 1: '监管机构标准', 2: '企业标准', 3: '项目标准' }

/** Creates the default package of each type of group: all apps, until the platform changes it. */
async function deliverPackages(tx: Tx, fresh: readonly DeliveredApp[]): Promise<void> {
  for (const [type, name] of Object.entries(packageNames)) {
    const available = (apps: readonly DeliveredApp[]) =>
      apps.filter((app) => !app.base && app.types.includes(Number(type))).map((app) => appIdOf(app.code))
    await sql`insert into app_package (id, name, group_type, app_ids, is_default, built_in, remark)
      select ${newId()}, ${name}, ${Number(type)}, ${available(deliveredApps)}, true, true, '新建时的默认应用'
      where not exists (select 1 from app_package where group_type = ${Number(type)} and built_in)`.execute(tx)
    await sql`update app_package set app_ids = app_ids || array(select unnest(${available(fresh)}::text[]) except select unnest(app_ids))
      where group_type = ${Number(type)} and built_in`.execute(tx)
  }
}

async function grantToAll(tx: Tx, fresh: readonly DeliveredApp[]): Promise<void> {
  const today = formatDay(systemClock.now())
  for (const app of fresh.filter((one) => !one.base))
    await sql`insert into app_grant (id, group_id, app_id, start_day, source, by_group, sort)
      select md5(t.id || ${appIdOf(app.code)}), t.id, ${appIdOf(app.code)}, ${today}, 'default', (select id from tenant where type = 0 limit 1), a.sort
      from tenant t, app a where t.type = any (${[...app.types]}) and a.id = ${appIdOf(app.code)} on conflict do nothing`.execute(tx)
}

interface MenuSeed {
  key: string
  parent: string | null
  app: string | null
  name: string
  title: string
  path: string | null
  icon: string | null
  sort: number
}

const nameOf = (path: string): string => path.replace(/\W+/g, '-').replace(/^-/, '')

/** The delivered menus, parents before their children. */
export function deliveredMenus(): MenuSeed[] {
  const page = (one: MenuPage, parent: string, sort: number): MenuSeed => ({
    key: one.path,
    parent,
    app: appIdOf(appOfCode(one.code)),
    name: nameOf(one.path),
    title: one.title,
    path: one.path,
    icon: one.icon ?? null,
    sort,
  })
  return menuTabs.flatMap((tab, t) => [
    { key: tab.name, parent: null, app: null, name: tab.name, title: tab.title, path: null, icon: tab.icon, sort: t * 10 },
    ...tab.entries.flatMap((entry, e) => {
      if (!('pages' in entry)) return [page(entry, tab.name, e * 10)]
      const key = `${tab.name}/${entry.title}`
      const directory = {
        key,
        parent: tab.name,
        app: null,
        name: entry.title,
        title: entry.title,
        path: null,
        icon: entry.icon,
        sort: e * 10,
      }
      return [directory, ...entry.pages.map((one, p) => page(one, key, p * 10))]
    }),
  ])
}

/** Updates menus that were not changed by hand, and deletes those whose page no longer exists. */
async function deliverMenus(tx: Tx): Promise<void> {
  const menus = deliveredMenus()
  for (const menu of menus)
    await sql`insert into menu (id, parent_id, app_id, name, title, menu_type, path, icon, sort, delivered)
      values (${menuIdOf(menu.key)}, ${menu.parent && menuIdOf(menu.parent)}, ${menu.app}, ${menu.name}, ${menu.title},
        ${menu.path ? 'MENU' : 'DIR'}, ${menu.path}, ${menu.icon}, ${menu.sort}, true)
      on conflict (id) do update set parent_id = excluded.parent_id, app_id = excluded.app_id, name = excluded.name, title = excluded.title,
        icon = excluded.icon, sort = excluded.sort
      where menu.version = 0 and (menu.parent_id, menu.app_id, menu.name, menu.title, menu.icon, menu.sort)
        is distinct from (excluded.parent_id, excluded.app_id, excluded.name, excluded.title, excluded.icon, excluded.sort)`.execute(tx)
  const paths = menus.flatMap((menu) => menu.path ?? [])
  await sql`delete from menu where menu_type = 'MENU' and path <> all (${paths})`.execute(tx)
}
