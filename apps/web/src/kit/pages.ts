import { codesToOpen, type MenuPath, menuPages } from '@zhugong/contract/access/menus'
import type { ComponentType } from 'react'

export interface PageEntry {
  /** Full path as in the address bar; `:id` for variable segments. */
  path: string
  /** Unique, kebab-case. */
  name: string
  title: string
  /** Kept alive while its tab is open; otherwise created again on each visit. */
  keepAlive: boolean
  module: string
  /** Permission codes, any of which opens the page; without one the page shows 无权访问. */
  code?: string | readonly string[]
  /** `shell`: inside the shell (default); `top`: without it, but with a login; `public`: without a login. */
  auth?: 'shell' | 'top' | 'public'
  /** A public page that does not end an existing session. */
  keepsSession?: true
  /** Works without network: its files are kept on the device. */
  offline?: true
  /** A display key in the address of a wall (`#key=`) opens it without a login. */
  openByKey?: true
  load: () => Promise<{ default: ComponentType }>
  /**
   * Decides which visits share one page. `path`: by path (default if kept alive). `id`: by path and the ids in the query (default
   * otherwise). Or a function of path and query.
   */
  cacheKey?: 'path' | 'id' | ((path: string, query: URLSearchParams) => string)
  /** Full path of the page whose `<ChildView />` shows this one. */
  parent?: string
  /** Opens this child page instead (full path); the query is passed on. */
  redirect?: string
  /** Alternative paths. */
  aliases?: readonly string[]
  deviceType?: number
}

type Written = Omit<PageEntry, 'title' | 'code'> & Partial<Pick<PageEntry, 'title' | 'code'>>
/** No value has this type, so a page with a menu entry cannot set title or code; the menu file defines them. */
interface InTheMenus {
  readonly 'contract/access/menus*.ts': never
}
/** A page without a menu entry must state its title. Unknown properties are compile errors. */
type Checked<E extends Written> = (E['path'] extends MenuPath ? { title?: InTheMenus; code?: InTheMenus } : { title: string }) & {
  [Key in Exclude<keyof E, keyof PageEntry>]: never
}

/** Declares a domain's pages, each with its component. */
export const pages = <const T extends readonly Written[]>(
  entries: {
    readonly [I in keyof T]: T[I] & Checked<T[I]>
  },
): readonly PageEntry[] =>
  (entries as readonly Written[]).map((entry): PageEntry => {
    const listed = menuPages.get(entry.path)
    if (listed) return { ...entry, title: listed.title, code: codesToOpen(listed) }
    return { ...entry, title: entry.title ?? '' }
  })

const identifying = /^(id|type|kind|name|code|sn)$|Id$|Code$|Sn$/

/** The key under which a page is kept: see `cacheKey`. A child uses the key of its parent. */
export function cacheKeyOf(entry: PageEntry, path: string, query: URLSearchParams): string {
  if (typeof entry.cacheKey === 'function') return entry.cacheKey(path, query)
  if ((entry.cacheKey ?? (entry.keepAlive ? 'path' : 'id')) === 'path') return path
  const ids = [...query].filter(([name]) => identifying.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return ids.length > 0 ? `${path}?${new URLSearchParams(ids)}` : path
}

export interface PageMatch {
  entry: PageEntry
  params: Record<string, string>
}

interface Pattern {
  entry: PageEntry
  expression: RegExp
  names: string[]
}

/** Finds the page of an address: fixed paths first, then those with variable segments. A trailing slash is ignored. */
export function pageFinder(entries: readonly PageEntry[]): (path: string) => PageMatch | undefined {
  const fixed = new Map<string, PageEntry>()
  const patterns: Pattern[] = []
  for (const entry of entries) {
    for (const path of [entry.path, ...(entry.aliases ?? [])]) {
      if (!path.includes(':')) fixed.set(path, entry)
      else {
        const names = [...path.matchAll(/:(\w+)/g)].map((m) => m[1] ?? '')
        const source = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '([^/]+)')
        patterns.push({ entry, names, expression: new RegExp(`^${source}$`) })
      }
    }
  }
  return (given) => {
    const path = given.length > 1 ? given.replace(/\/+$/, '') : given
    const entry = fixed.get(path)
    if (entry) return { entry, params: {} }
    for (const { entry: found, expression, names } of patterns) {
      const hit = expression.exec(path)
      if (hit) return { entry: found, params: Object.fromEntries(names.map((name, i) => [name, safeDecode(hit[i + 1] ?? '')])) }
    }
    return undefined
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
