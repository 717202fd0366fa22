import type { PageEntry } from '#kit/pages.ts'

/** Open pages of the frame. Pure: what is kept, what stands in the tab strip. */

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
  /** Grows with 刷新: a new number builds the page anew. */
  visit: number
  /** Order of use. */
  used: number
}

export type Visit = Omit<OpenPage, 'visit' | 'used' | 'title'>

/** The visited page comes to the front; its place in the strip stays. */
export function visited(open: readonly OpenPage[], visit: Visit, now: number): OpenPage[] {
  const known = open.find((page) => page.key === visit.key)
  if (known) {
    const same = known.path === visit.path && known.search === visit.search
    // Building anew on each visit is done by not keeping the page; the number stays.
    const next = same ? { ...known, used: now } : { ...known, ...visit, used: now }
    return open.map((page) => (page === known ? next : page))
  }
  const page = { ...visit, title: (visit.child ?? visit.entry).title, visit: 0, used: now }
  // Home stands first, whenever it was opened.
  return visit.path === homePath ? [page, ...open] : [...open, page]
}

/** Pages whose components stay: the one in front, those with something unsaved, and the kept-alive ones used last. */
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

/** Where to go when a page closes: the one used last before it. */
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
