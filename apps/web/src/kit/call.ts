import { QueryCache, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { useCallback, useEffect, useRef } from 'react'
import { confirmDanger, type DangerQuestion } from './ask.ts'
import { CallError, waitBefore } from './failure.ts'
import { type CallOptions, call, type InputArgs, showFailure } from './http.ts'
import { notify } from './notify.ts'
import { onScopeChange } from './session.ts'

export type { CallOptions, Download, InputArgs } from './http.ts'
export {
  call,
  callBlob,
  queryText,
  saveAddress,
  saveBlob,
  showFailure,
  upload,
} from './http.ts'

const keptMs = 60_000

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (!query.meta?.quiet) showFailure(error)
    },
  }),
  defaultOptions: {
    // A kept page shows its cached data when it returns; changes made in this tab mark that data stale at once.
    queries: {
      retry: (tries, error) => error instanceof CallError && waitBefore(error.failure, tries) !== undefined,
      retryDelay: (tries, error) => (error instanceof CallError ? (waitBefore(error.failure, tries) ?? 0) * 1000 : 0),
      staleTime: keptMs,
      gcTime: 30 * 60_000,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

// A change of group, or a logout, clears the cached data of the previous group.
onScopeChange(() => queryClient.clear())

export interface UseCallOptions<Out, Picked = Out> {
  enabled?: boolean
  /** Refetch interval in milliseconds, while the page is in front. */
  everyMs?: number | undefined
  staleMs?: number
  /** The page shows the error itself (ErrorPanel); no toast is shown. */
  quiet?: boolean
  /** Keep showing the previous response while the input changes. */
  keepPrevious?: boolean
  /** `*`: request data for the whole active group, whichever project is chosen. */
  group?: '*'
  /** The page works without network: the answer is kept on the device. */
  offline?: boolean
  select?: (data: Out) => Picked
}

/** State of a call as returned by `useCall`. */
export interface CallState {
  data: unknown
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

export function keyOf(endpoint: { method: string; path: string }, input?: unknown): unknown[] {
  return input === undefined ? [endpoint.method, endpoint.path] : [endpoint.method, endpoint.path, input]
}

/** Fetches server data for a component: react-query's result for one call. */
export function useCall<In, Parsed, Out, Picked = Out>(
  endpoint: Endpoint<In, Parsed, Out>,
  ...[input, options = {}]: InputArgs<In, [options?: UseCallOptions<Out, Picked>]>
) {
  return useQuery<Out, Error, Picked>({
    queryKey: keyOf(endpoint, input ?? {}),
    queryFn: async ({ signal }) => {
      const data = await (call as (e: Endpoint<In, Parsed, Out>, i: unknown, o: CallOptions) => Promise<Out>)(endpoint, input ?? {}, {
        signal,
        group: options.group || undefined,
        offline: options.offline || undefined,
      })
      // react-query treats undefined as an error, so a call without data returns null.
      return (data === undefined ? null : data) as Out
    },
    select: options.select || undefined,
    // A page with a refetch interval must also refetch when it returns to the front after that interval.
    staleTime: options.staleMs ?? Math.min(options.everyMs ?? keptMs, keptMs),
    placeholderData: options.keepPrevious ? (previous) => previous : undefined,
    enabled: options.enabled ?? true,
    refetchInterval: options.everyMs ?? false,
    meta: { quiet: options.quiet ?? false },
  })
}

export interface UseActOptions<In, Out> {
  onDone?: (data: Out, input: In) => void | Promise<void>
  onFail?: (error: CallError) => void
  /** Success message: 已保存 by default, none if false. */
  success?: string | false | ((data: Out) => string)
  /** Calls whose cached data becomes stale; by default all of the same area and the summaries that count it (`staleAfter`). */
  refreshes?: readonly { method: string; path: string }[]
}

export interface Act<In, Out> {
  /** Sends the request. Errors have already been shown to the user: the result is then undefined, otherwise `{data}`. */
  run(...args: InputArgs<In, [options?: { fieldsShown?: boolean }]>): Promise<{ data: Out } | undefined>
  /**
   * Asks for confirmation, then sends the request: `removal.afterRequesting({ thing: `删除 ${row.name}`, ... }, { params: { id: row.id } })`.
   */
  afterRequesting(question: DangerQuestion, ...args: InputArgs<In, []>): Promise<{ data: Out } | undefined>
  running: boolean
  error: CallError | undefined
  fieldErrors: Record<string, string>
  reset(): void
  /** Schema of the request body, used by forms for validation. */
  body: Endpoint['schemas']['body']
}

const noFields: Record<string, string> = {}

const areaOf = (path: unknown): string => (typeof path === 'string' ? (/^\/api\/v\d+\/([^/]+)/.exec(path)?.[1] ?? '') : '')
/** Areas that show figures of all other areas. */
const summing = new Set(['home'])

/** Whether cached data of `path` is stale after a call of `changed`: data of the same area (`/oa/`, `/iot/`, `/sys/`) and all summaries. */
export const staleAfter = (changed: { path: string }, path: unknown): boolean =>
  areaOf(path) === areaOf(changed.path) || summing.has(areaOf(path))

/** A mutation: runs one request at a time, reports success and failure, and refetches the affected data. */
export function useAct<In, Parsed, Out>(endpoint: Endpoint<In, Parsed, Out>, options: UseActOptions<In, Out> = {}): Act<In, Out> {
  const client = useQueryClient()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { mutateAsync, isPending, error, reset } = useMutation<Out, CallError, unknown>({
    mutationFn: (input) => (call as (e: Endpoint<In, Parsed, Out>, i: unknown) => Promise<Out>)(endpoint, input),
  })
  const run = useCallback(
    async (...[input, { fieldsShown = false } = {}]: InputArgs<In, [options?: { fieldsShown?: boolean }]>) => {
      const given = (input ?? {}) as In
      try {
        const data = await mutateAsync(given)
        const { success = '已保存', refreshes, onDone } = latest.current
        if (success) notify.success(typeof success === 'function' ? success(data) : success)
        if (refreshes) await Promise.all(refreshes.map((one) => client.invalidateQueries({ queryKey: keyOf(one) })))
        else void client.invalidateQueries({ predicate: ({ queryKey }) => staleAfter(endpoint, queryKey[1]) })
        await onDone?.(data, given)
        return { data }
      } catch (failure) {
        const atFields = failure instanceof CallError && Object.keys(failure.fields).length > 0
        if (!(fieldsShown && atFields)) showFailure(failure)
        if (failure instanceof CallError) latest.current.onFail?.(failure)
        return undefined
      }
    },
    [client, mutateAsync, endpoint],
  )
  const afterRequesting = useCallback(
    async (question: DangerQuestion, ...[input]: InputArgs<In, []>) =>
      (await confirmDanger(question)) ? await (run as (input: unknown) => Promise<{ data: Out } | undefined>)(input) : undefined,
    [run],
  )
  return {
    run,
    afterRequesting,
    running: isPending,
    error: error ?? undefined,
    fieldErrors: error instanceof CallError ? error.fields : noFields,
    reset,
    body: endpoint.schemas.body,
  }
}

/** Marks the data of these calls stale (all data without arguments). Visible pages refetch at once, kept pages when they return. */
export function refresh(...endpoints: { method: string; path: string }[]): void {
  if (endpoints.length === 0) void queryClient.invalidateQueries()
  for (const one of endpoints) void queryClient.invalidateQueries({ queryKey: keyOf(one) })
}
