import type { MenuNode } from '@zhugong/contract/access/menu'

/** The server's menu tree: modules at the top, directories and pages below. Pure. */

export interface MenuHit {
  /** The module. */
  top: MenuNode
  /** The page's own node, or the one that lists the path among its related pages. */
  node: MenuNode
  /** Titles from the module down to the directory above the page. */
  trail: string[]
  exact: boolean
}

function* walk(nodes: readonly MenuNode[], top?: MenuNode, trail: readonly string[] = []): Generator<Omit<MenuHit, 'exact'>> {
  for (const node of nodes) {
    const module = top ?? node
    if (node.menuType === 'MENU') yield { top: module, node, trail: [...trail] }
    yield* walk(node.children, module, [...trail, node.title])
  }
}

/** Whether a path matches a pattern; segments with a colon match anything. */
function fits(written: string, path: string): boolean {
  const [wanted, given] = [written.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, i) => part === given[i] || (part.startsWith(':') && given[i] !== ''))
}

/** Finds the menu entry of a path: first its own, then a related one, then that of the nearest parent path. */
export function findMenu(tree: readonly MenuNode[], path: string): MenuHit | undefined {
  const hits = [...walk(tree)]
  const own = hits.find((hit) => hit.node.path === path)
  if (own) return { ...own, exact: true }
  const related = hits.find((hit) => (hit.node.relevance ?? []).some((written) => fits(written, path)))
  if (related) return { ...related, exact: false }
  const above = hits
    .filter((hit) => hit.node.path && hit.node.path !== '/' && path.startsWith(`${hit.node.path}/`))
    .sort((a, b) => (b.node.path?.length ?? 0) - (a.node.path?.length ?? 0))[0]
  return above && { ...above, exact: false }
}

/** Target of the address `/`: the first page of the first module that has one. */
export function firstPath(tree: readonly MenuNode[]): string | undefined {
  for (const { node } of walk(tree)) if (node.path) return node.path
  return undefined
}

export const firstPathOf = (node: MenuNode): string | undefined =>
  node.menuType === 'MENU' && node.path ? node.path : firstPath(node.children)

/** Button codes of the whole tree, and by menu entry. */
export function operatorsOf(tree: readonly MenuNode[]): { all: string[]; byMenu: Record<string, string[]> } {
  const byMenu: Record<string, string[]> = {}
  for (const { node } of walk(tree)) byMenu[node.id] = [...node.operator, ...(node.code ? [node.code] : [])]
  return { all: [...new Set(Object.values(byMenu).flat())], byMenu }
}

export interface MenuFind {
  path: string
  title: string
  trail: string
}

/** Every page of the menu. */
export const menuPages = (tree: readonly MenuNode[]): MenuFind[] =>
  [...walk(tree)]
    .filter(({ node }) => node.path)
    .map(({ node, trail }) => ({ path: node.path ?? '', title: node.title, trail: trail.join(' / ') }))

/** Pages whose title or menu path contains the words, best match first. */
export function searchMenus(tree: readonly MenuNode[], word: string, limit = 8): MenuFind[] {
  const wanted = word.trim().toLowerCase()
  if (!wanted) return []
  return menuPages(tree)
    .filter((one) => `${one.trail} ${one.title}`.toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.title.toLowerCase().includes(wanted)) - Number(a.title.toLowerCase().includes(wanted)))
    .slice(0, limit)
}
