import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { FilterName, List, Sort, SortName } from '@zhugong/contract/kit/list'
import { splitQuery } from '@zhugong/contract/kit/private-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type CallState, refresh, useCall } from './call.ts'
import { type ListState, lastPage, listStateOf, searchOf, withFilter, withSize } from './list-state.ts'
import { usePage } from './page.tsx'

type QueryOf<In> = In extends { query?: infer Q } ? Partial<NonNullable<Q>> : Record<string, unknown>
type ParamsOf<In> = In extends { params: infer P } ? P : Record<string, string>

export interface ListOptions<In, Filter extends string = string, Name extends string = string> {
  /** Sent with every request, but not shown as a filter: the project, the device family. */
  scope?: QueryOf<In>
  fixedQuery?: QueryOf<In>
  params?: ParamsOf<In>
  /** `-createTime` = newest first. */
  defaultSort?: Sort<Name>
  /** Default 20; administration lists use 10. */
  defaultSize?: number
  /** Initial filters, until the user changes them. */
  defaultFilters?: Partial<Record<Filter, string>>
  /** Keep the state in the address; by default if the page is kept alive. */
  inUrl?: boolean
  /** Filters that select a tab: not shown as conditions, not reset by 清空. */
  tabs?: readonly Filter[]
  /** Parameters of the address that belong to the page: `id` of a detail page. */
  own?: readonly string[]
  enabled?: boolean
  everyMs?: number
  /** Queries that must have data before the list is requested. */
  waitsFor?: CallState | undefined
  /** `*`: request the whole active group, whichever project is chosen. */
  group?: '*'
}

/** A list without declared columns may use any column name and cannot be exported. */
type Freely<In, Parsed, Row> = Endpoint<In, Parsed, { list: Row[]; total: number }>

export interface ListPage<Row, Key extends string = string, Filter extends string = string, Name extends string = string> {
  /** The contract's list, with column titles and export columns; undefined if the page names its columns itself. */
  of: List<unknown, unknown, unknown, string, string> | undefined
  rows: readonly Row[]
  total: number
  page: number
  size: number
  sort: string | undefined
  filters: Readonly<Record<string, string>>
  /** Filters that select a tab. */
  tabs: readonly string[]
  /** The query that was sent, for exports. */
  query: Readonly<Record<string, unknown>>
  setPage: (page: number) => void
  setSize: (size: number) => void
  setSort: (sort: string | undefined) => void
  setFilter: (name: Filter, value: string | undefined) => void
  setFilters: (values: Partial<Record<Filter, string | undefined>>) => void
  clearFilters: () => void
  refresh: () => void
  /** Types only, never set: names of the list's columns, filters and orders. */
  types?: { key: Key; sort: Name }
  /** First load: shows placeholders. */
  loading: boolean
  /** Any load: shows a thin line. */
  fetching: boolean
  error: Error | null
}

/** The query state of a list, for `Known`. */
export const queryOf = ({
  rows,
  loading,
  error,
  refresh: refetch,
}: Pick<ListPage<unknown>, 'rows' | 'loading' | 'error' | 'refresh'>): CallState => ({
  data: loading || error ? undefined : rows,
  error,
  isFetching: loading,
  refetch,
})

/** A list with filters, order and page, which are stored in the page's address. */
export function useListPage<In, Parsed, Row, Key extends string, Shown extends string>(
  list: List<In, Parsed, Row, Key, Shown>,
  options?: ListOptions<In, FilterName<In>, SortName<In>>,
): ListPage<Row, Key, FilterName<In>, SortName<In>>
export function useListPage<In, Parsed, Row>(call: Freely<In, Parsed, Row>, options?: ListOptions<In>): ListPage<Row>
export function useListPage<In, Parsed, Row>(
  listed: List<In, Parsed, Row> | Freely<In, Parsed, Row>,
  options: ListOptions<In> = {},
): ListPage<Row> {
  const endpoint = 'call' in listed ? listed.call : listed
  const page = usePage()
  const navigate = useNavigate()
  const { defaultSize = 20, defaultSort, defaultFilters, inUrl = page.entry.keepAlive, enabled = true, everyMs, waitsFor } = options
  const defaults = useMemo(() => ({ size: defaultSize, sort: defaultSort }), [defaultSize, defaultSort])
  const own = useMemo(() => (options.own ?? []).join(','), [options.own])
  const tabNames = (options.tabs ?? []).join(',')
  const tabs = useMemo(() => tabNames.split(',').filter(Boolean), [tabNames])
  const [local, setLocal] = useState<ListState>(() => ({
    ...listStateOf('', defaults),
    filters: (defaultFilters ?? {}) as Record<string, string>,
  }))
  // The default filters apply only until the address has a query or the user changes the list.
  const [touched, setTouched] = useState(false)
  // Identity and phone numbers in filters stay out of the address, and so out of the browser's history.
  const [hidden, setHidden] = useState<Record<string, string>>({})
  const schema = endpoint.schemas.query

  const state = useMemo(() => {
    if (!inUrl) return local
    const fromUrl = listStateOf(page.search, defaults, own.split(','))
    const shown =
      page.search === '' && !touched && defaultFilters ? { ...fromUrl, filters: defaultFilters as Record<string, string> } : fromUrl
    return { ...shown, filters: { ...shown.filters, ...hidden } }
  }, [inUrl, local, page.search, defaults, own, touched, defaultFilters, hidden])

  const latest = useRef({ state, page, own })
  latest.current = { state, page, own }
  const change = useCallback(
    (turn: (state: ListState) => ListState) => {
      const now = latest.current
      if (!inUrl) {
        setLocal(turn)
        return
      }
      setTouched(true)
      const given = new URLSearchParams(now.page.search)
      const keep = Object.fromEntries(now.own.split(',').flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? '']] : [])))
      const next = turn(now.state)
      latest.current = { ...now, state: next }
      const split = splitQuery(schema, next.filters)
      setHidden(split.hidden as Record<string, string>)
      const reported = { ...next, filters: split.open as Record<string, string> }
      void navigate({ pathname: now.page.path, search: searchOf(reported, defaults, keep) }, { replace: true })
    },
    [inUrl, navigate, defaults, schema],
  )

  const query: Record<string, unknown> = {
    ...(options.scope as object | undefined),
    ...state.filters,
    ...(options.fixedQuery as object | undefined),
    page: state.page,
    size: state.size,
    sort: state.sort || undefined,
  }
  const input = { query, params: options.params || undefined }
  const read = useCall(endpoint as Endpoint<unknown, unknown, { list: Row[]; total: number }>, input, {
    quiet: true,
    keepPrevious: true,
    enabled,
    everyMs,
    group: options.group || undefined,
  })

  const total = read.data?.total ?? 0
  // Rows were removed and the page no longer exists: show the last one.
  const last = lastPage(total, state.size)
  const lost = read.data !== undefined && !read.isPlaceholderData && state.page > last
  const jumped = useRef(0)
  if (lost && jumped.current !== state.page) {
    jumped.current = state.page
    queueMicrotask(() => change((s) => ({ ...s, page: last })))
  } else if (!lost) jumped.current = 0

  const setters = useMemo(
    () => ({
      setPage: (at: number) => change((s) => ({ ...s, page: at })),
      setSize: (size: number) => change((s) => withSize(s, size)),
      setSort: (sort: string | undefined) => change((s) => ({ ...s, sort, page: 1 })),
      setFilter: (name: string, value: string | undefined) => change((s) => withFilter(s, name, value)),
      setFilters: (values: Record<string, string | undefined>) =>
        change((s) => Object.entries(values).reduce((so, [name, value]) => withFilter(so, name, value), s)),
      clearFilters: () =>
        change((s) => ({ ...s, filters: Object.fromEntries(Object.entries(s.filters).filter(([name]) => tabs.includes(name))), page: 1 })),
      refresh: () => refresh(endpoint),
    }),
    [change, endpoint, tabs],
  )

  return {
    rows: read.data?.list ?? [],
    total,
    page: state.page,
    size: state.size,
    sort: state.sort,
    of: 'call' in listed ? (listed as List<unknown, unknown, unknown, string, string>) : undefined,
    filters: state.filters,
    tabs,
    query,
    ...setters,
    loading: (read.isPending && enabled) || (waitsFor !== undefined && waitsFor.data === undefined && waitsFor.error === null),
    fetching: read.isFetching,
    error: read.data === undefined ? (read.error ?? waitsFor?.error ?? null) : null,
  }
}
