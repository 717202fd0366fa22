import type { ComponentType } from 'react'

export interface PageEntry {
  /** Full path as the address bar shows it; `:id` for parts that vary. */
  path: string
  /** Unique, kebab-case. */
  name: string
  title: string
  /** Kept alive while its tab is open; otherwise built anew on each visit. */
  keepAlive: boolean
  module: string
  /** Permission code needed to open it, any of several; without it the page says 无权访问. */
  code?: string | readonly string[]
  /** `shell` stands in the frame (default), `top` alone but with a login, `public` without one. */
  auth?: 'shell' | 'top' | 'public'
  /** A public page that does not end an existing session. */
  keepsSession?: true
  /** A wall's display key in the address (`#key=`) opens it without a login. */
  openByKey?: true
  load: () => Promise<{ default: ComponentType }>
  /**
   * What makes two visits the same page: `path` (default when kept alive) or `id` = path and the ids in the query
   * (default otherwise), or a function of path and query.
   */
  cacheKey?: 'path' | 'id' | ((path: string, query: URLSearchParams) => string)
  /** Full path of the page whose `<ChildView />` shows this one. */
  parent?: string
  /** Opens this child instead (full path); the query goes along. */
  redirect?: string
  /** Other spellings of the path. */
  aliases?: readonly string[]
  deviceType?: number
}

/** A domain's pages. A function only so that entries are checked where they are written. */
export const pages = (entries: readonly PageEntry[]): readonly PageEntry[] => entries

const identifying = /^(id|type|kind|name|code|sn)$|Id$|Code$|Sn$/

/** The key under which a page is kept: see `cacheKey`. A child shares its parent's page. */
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

/** Finds the page of an address: fixed paths first, then those with parts that vary. A trailing slash does not matter. */
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
