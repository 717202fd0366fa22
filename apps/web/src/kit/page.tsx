import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { PageEntry } from './pages.ts'

/** What a page knows of itself. Its location is its own: it stands still while the page is hidden. */
export interface PageState {
  entry: PageEntry
  /** Key of the kept page. */
  cacheKey: string
  path: string
  search: string
  params: Record<string, string>
  /** In front, as opposed to kept hidden. */
  active: boolean
  /** Menu titles above the page, outermost first. */
  trail: readonly string[]
  setTitle: (title: string) => void
  /** Asks first where something is not saved. */
  close: () => void
  /** After saving: closes without a question, and goes to this address, or to the tab beside. */
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

/** The page this component stands on. */
export const usePage = (): PageState => useContext(PageContext)

/** The page's own query, e.g. `usePageQuery().get('id')`. */
export function usePageQuery(): URLSearchParams {
  const { search } = usePage()
  return useMemo(() => new URLSearchParams(search), [search])
}

/** One parameter of the page, from the path or from the query; empty when absent. @public */
export function usePageParam(name: string): string {
  const { params } = usePage()
  const query = usePageQuery()
  return params[name] ?? query.get(name) ?? ''
}

/** Gives the tab the name of the thing shown, e.g. a person's. */
export function usePageTitle(title: string | undefined): void {
  const { setTitle } = usePage()
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

/** Where the nested page of a tabs or detail page appears. */
export function ChildView(): ReactNode {
  return usePage().child
}

/** Goes to a page: `go('/workerInfo', {id})`. */
export function useGo(): (path: string, query?: Record<string, string | number | undefined>, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return useMemo(
    () => (path, query, options) => {
      void navigate(hrefOf(path, query), options ?? {})
    },
    [navigate],
  )
}

/** An address with a query; also sets filters of a list: `hrefOf('/alarm', {level: 1})`. */
export function hrefOf(path: string, query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== '')
  if (given.length === 0) return path
  const joined = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `${path}${path.includes('?') ? '&' : '?'}${joined}`
}
