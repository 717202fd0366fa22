import type { MenuNode } from '@zhugong/contract/access/menu'
import { menuPages } from '@zhugong/contract/access/menus'
import { isOpenState } from '@zhugong/contract/apps/codes'
import type { Arrangement } from '@zhugong/contract/apps/menu-endpoints'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context, Group } from '#kit/context'
import type { Db } from '#kit/db'
import { appsOf, type OwnedApp } from './open-codes.ts'
import { findLook, type Look } from './ui-rules.ts'

export interface MenuEntry {
  id: string
  parentId: string | null
  appId: string | null
  name: string
  title: string
  menuType: 'MENU' | 'DIR'
  path: string | null
  icon: string | null
  sort: number
}

async function findMenuEntries(db: Db): Promise<MenuEntry[]> {
  const { rows } = await sql<MenuEntry>`
    select id, parent_id, app_id, name, title, menu_type, path, icon, sort from menu where enable = '1' and not removed order by sort, id`.execute(
    db,
  )
  return rows
}

interface Viewer {
  codes: ReadonlySet<string>
  type: number
  apps: readonly OwnedApp[]
}

/**
 * Builds the menu for a user: pages whose permission the user holds, of apps that are open and visible; directories with at least one
 * such page. A menu scheme can hide, rename and reorder these, never add to them.
 */
function menuTree(entries: readonly MenuEntry[], { codes, type, apps }: Viewer, look: Pick<Look, 'items' | 'homePath'>): MenuNode[] {
  const shown = new Set(apps.filter((app) => app.visible && (isOpenState(app.state) || app.state === 'grace')).map((app) => app.id))
  const below = Map.groupBy(arranged(entries, look.items), (entry) => entry.parentId)
  const byModule = Map.groupBy(codes, (code) => code.slice(0, code.indexOf('.')))
  const pageNode = (entry: MenuEntry): MenuNode[] => {
    const page = menuPages.get(entry.path ?? '')
    if (!page || !codes.has(page.code) || (page.types && !page.types.includes(type))) return []
    if (entry.appId && !shown.has(entry.appId)) return []
    const isHome = page.path === '/main' && look.homePath !== page.path
    return [
      {
        id: page.path,
        name: entry.name,
        title: entry.title,
        menuType: 'MENU',
        path: isHome ? look.homePath : page.path,
        icon: entry.icon || undefined,
        code: page.code,
        operator: (page.buttons ?? []).flatMap((module) => byModule.get(module) ?? []),
        relevance: [...(page.related ?? []), ...(isHome ? [page.path] : [])],
        children: [],
      },
    ]
  }
  const nodes = (parent: MenuEntry | null): MenuNode[] =>
    (below.get(parent?.id ?? null) ?? []).flatMap((entry): MenuNode[] => {
      if (entry.menuType === 'MENU') return pageNode(entry)
      const children = nodes(entry)
      if (children.length === 0) return []
      const id = parent ? `${parent.name}/${entry.name}` : entry.name
      const icon = entry.icon ? { icon: entry.icon } : {}
      return [{ id, name: entry.name, title: entry.title, menuType: 'DIR', ...icon, operator: [], relevance: [], children }]
    })
  return nodes(null)
}

function arranged(entries: readonly MenuEntry[], items: Arrangement): MenuEntry[] {
  if (Object.keys(items).length === 0) return [...entries]
  return entries
    .flatMap((entry) => {
      const item = items[entry.id]
      if (!item) return [entry]
      if (item.hidden) return []
      return [{ ...entry, title: item.title ?? entry.title, icon: item.icon ?? entry.icon, sort: item.sort ?? entry.sort }]
    })
    .sort((a, b) => a.sort - b.sort)
}

/** The caller's menu tree and apps. */
export async function menusOf(ctx: Pick<Context, 'system' | 'principal' | 'clock'>): Promise<{ tree: MenuNode[]; apps: OwnedApp[] }> {
  const { group, user, codes } = ctx.principal
  if (!group) return { tree: [], apps: [] }
  return menusFor(ctx.system, group, user.id, codes, formatDay(ctx.clock.now()))
}

export async function menusFor(db: Db, group: Group, userId: string, codes: ReadonlySet<string>, day: string) {
  const [entries, apps, look] = await Promise.all([findMenuEntries(db), appsOf(db, group, userId, day), findLook(db, group.id)])
  return { tree: menuTree(entries, { codes, type: group.type, apps }, look), apps }
}
