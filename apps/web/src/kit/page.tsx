import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { PageEntry } from './pages.ts'

/** State of a page. Its location is its own and does not change while the page is hidden. */
export interface PageState {
  entry: PageEntry
  /** Key under which the page is kept. */
  cacheKey: string
  path: string
  search: string
  params: Record<string, string>
  /** The page is in front, not kept hidden. */
  active: boolean
  /** Menu titles above the page, outermost first. */
  trail: readonly string[]
  setTitle: (title: string) => void
  /** Closes the tab; asks for confirmation if there are unsaved changes. */
  close: () => void
  /** After saving: closes without confirmation, and goes to this address, or to the neighbouring tab. */
  leave: (href?: string) => void
  child: ReactNode
}

const nowhere: PageState = {
  entry: { path: '', name: '', title: '', keepAlive: false, module: '', load: () => Promise.reject(new Error('no page')) },
  cacheKey: '',
  path: '',
  search: '',
  params: {},
  active: true,
  trail: [],
  setTitle: () => undefined,
  close: () => undefined,
  leave: () => undefined,
  child: null,
}

export const PageContext = createContext<PageState>(nowhere)

/** The page that contains this component. */
export const usePage = (): PageState => useContext(PageContext)

/** The page's own query, e.g. `usePageQuery().get('id')`. */
export function usePageQuery(): URLSearchParams {
  const { search } = usePage()
  return useMemo(() => new URLSearchParams(search), [search])
}

/** One parameter of the page, from path or query; empty if absent. @public */
export function usePageParam(name: string): string {
  const { params } = usePage()
  const query = usePageQuery()
  return params[name] ?? query.get(name) ?? ''
}

/** Sets the tab's title to the name of the item shown, e.g. a person's. */
export function usePageTitle(title: string | undefined): void {
  const { setTitle } = usePage()
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

/** Renders the nested page of a tabs or detail page. */
export function ChildView(): ReactNode {
  return usePage().child
}

/** Navigates to a page: `go('/workerInfo', {id})`. */
export function useGo(): (path: string, query?: Record<string, string | number | undefined>, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useMemo(
    () => (path, query, options) => {
      void navigate(hrefOf(path, query), options ?? {})
    },
    [navigate],
  )
}

/** An address with a query; can set filters of a list: `hrefOf('/alarm', {level: 1})`. */
export function hrefOf(path: string, query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '')
  if (given.length === 0) return path
  const joined = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `${path}${path.includes('?') ? '&' : '?'}${joined}`
}
