import type { MenuNode } from '@zhugong/contract/access/menu'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import type { MainPage } from '@zhugong/contract/home/endpoints'

/** What a tile says of its app. Pure. */

const pagesOf = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [...(node.path ? [node] : []), ...pagesOf(node.children)])

/** Titles of the pages of each app, as the menu offers them. */
export function pagesByApp(menu: readonly MenuNode[]): ReadonlyMap<string, readonly MenuNode[]> {
  return Map.groupBy(
    pagesOf(menu).filter((page) => page.code),
    (page) => appOfCode(page.code ?? ''),
  )
}

/** How many of an app's machines are there: of the families whose pages are its own. */
export function machinesOf(pages: readonly MenuNode[], devices: MainPage['devices']): string {
  const own = devices.filter(({ link }) => link && pages.some((page) => page.path === link.split('?')[0]))
  const sum = (of: (one: MainPage['devices'][number]) => number) => own.reduce((n, one) => n + of(one), 0)
  if (own.length === 0) return ''
  const alarming = sum((one) => one.alarming)
  return `在线 ${sum((one) => one.online)} / ${sum((one) => one.total)}${alarming ? `，告警 ${alarming}` : ''}`
}
