import type { PageEntry } from '#kit/pages.ts'

/** Open pages of the shell: which are kept, and which are in the tab strip. Pure. */

export const keptLimit = 12
export const homePath = '/main'

export interface OpenPage {
  key: string
  entry: PageEntry
  /** Nested page shown in it. */
  child: PageEntry | undefined
  path: string
  search: string
  params: Record<string, string>
  title: string
  /** Incremented by 刷新: a new number creates the page again. */
  visit: number
  /** Order of last use. */
  used: number
}

export type Visit = Omit<OpenPage, 'visit' | 'used' | 'title'>

/** Brings the visited page to the front; its position in the strip stays. */
export function visited(open: readonly OpenPage[], visit: Visit, now: number): OpenPage[] {
  const known = open.find((page) => page.key === visit.key)
  if (known) {
    const same = known.path === visit.path && known.search === visit.search
    // Pages that are not kept alive are created anew because they were not kept; `visit` does not change.
    const next = same ? { ...known, used: now } : { ...known, ...visit, used: now }
    return open.map((page) => (page === known ? next : page))
  }
  const page = { ...visit, title: (visit.child ?? visit.entry).title, visit: 0, used: now }
  // The home page is always the first tab.
  return visit.path === homePath ? [page, ...open] : [...open, page]
}

/** Pages whose components stay mounted: the one in front, those with unsaved changes, and the most recently used kept-alive ones. */
export function keptPages(
  open: readonly OpenPage[],
  current: string | undefined,
  isUnsaved: (key: string) => boolean = () => false,
  limit = keptLimit,
): OpenPage[] {
  const lasting = open.filter((page) => page.entry.keepAlive || page.key === current).sort((a, b) => b.used - a.used)
  const kept = new Set(lasting.slice(0, limit).map((page) => page.key))
  return open.filter((page) => kept.has(page.key) || isUnsaved(page.key))
}

export const hrefOfPage = (page: Pick<OpenPage, 'path' | 'search'>): string => page.path + page.search

/** Closes a page; the next one in front is the most recently used. */
export function closing(open: readonly OpenPage[], key: string): { open: OpenPage[]; next: OpenPage | undefined } {
  const rest = open.filter((page) => page.key !== key)
  const next = [...rest].sort((a, b) => b.used - a.used)[0]
  return { open: rest, next }
}

export function closeOthers(open: readonly OpenPage[], key: string, home: string): OpenPage[] {
  return open.filter((page) => page.key === key || page.path === home)
}

export function closeRight(open: readonly OpenPage[], key: string): OpenPage[] {
  const at = open.findIndex((page) => page.key === key)
  return open.slice(0, at + 1)
}
