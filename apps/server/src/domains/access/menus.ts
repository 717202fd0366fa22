import type { MenuNode } from '@zhugong/contract/access/menu'
import { type MenuPage, menuTabs } from '@zhugong/contract/access/menus'

/** The delivered menu tree as one user sees it: pages whose code is held, directories and tabs that hold any. */
export function menuTreeFor(codes: ReadonlySet<string>, groupsType: number): MenuNode[] {
  const pageNode = (page: MenuPage): MenuNode | undefined => {
    if (!codes.has(page.code) || (page.types && !page.types.includes(groupsType))) return undefined
    return {
      id: page.path,
      name: page.path.replace(/\W+/g, '-').replace(/^-/, ''),
      title: page.title,
      menuType: 'MENU',
      path: page.path,
      ...(page.icon ? { icon: page.icon } : {}),
      code: page.code,
      operator: (page.buttons ?? []).flatMap((module) => [...codes].filter((code) => code.startsWith(`${module}.`))),
      relevance: [...(page.related ?? [])],
      children: [],
    }
  }
  return menuTabs.flatMap((tab): MenuNode[] => {
    const children = tab.entries.flatMap((entry): MenuNode[] => {
      if (!('pages' in entry)) return [pageNode(entry)].filter((node) => node !== undefined)
      const pages = entry.pages.map(pageNode).filter((node) => node !== undefined)
      if (pages.length === 0) return []
      return [
        {
          id: `${tab.name}/${entry.title}`,
          name: entry.title,
          title: entry.title,
          menuType: 'DIR',
          icon: entry.icon,
          operator: [],
          relevance: [],
          children: pages,
        },
      ]
    })
    if (children.length === 0) return []
    return [{ id: tab.name, name: tab.name, title: tab.title, menuType: 'DIR', icon: tab.icon, operator: [], relevance: [], children }]
  })
}
