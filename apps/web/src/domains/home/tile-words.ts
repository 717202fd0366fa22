import type { MenuNode } from '@zhugong/contract/access/menu'
import { appOfCode } from '@zhugong/contract/apps/catalogue'
import type { MainPage } from '@zhugong/contract/home/endpoints'

/** Texts on the tile of an app. Pure functions. */

const pagesOf = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [...(node.path ? [node] : []), ...pagesOf(node.children)])

/** Pages of the menu by app. */
export function pagesByApp(menu: readonly MenuNode[]): ReadonlyMap<string, readonly MenuNode[]> {
  return Map.groupBy(
    pagesOf(menu).filter((page) => page.code),
    (page) => appOfCode(page.code ?? ''),
  )
}

const sumOf = (devices: MainPage['devices'], key: 'online' | 'total' | 'alarming'): number =>
  devices.reduce((sum, one) => sum + one[key], 0)

/** For example 在线 8 / 10. */
export const onlineOf = (devices: MainPage['devices']): string => `在线 ${sumOf(devices, 'online')} / ${sumOf(devices, 'total')}`

/** Online and alarming devices of an app: of the families whose live page belongs to the app. */
export function machinesOf(pages: readonly MenuNode[], devices: MainPage['devices']): string {
  const own = devices.filter(({ link }) => link && pages.some((page) => page.path === link.split('?')[0]))
  if (own.length === 0) return ''
  const alarming = sumOf(own, 'alarming')
  return `${onlineOf(own)}${alarming ? `，告警 ${alarming}` : ''}`
}
