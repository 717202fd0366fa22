import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { minuteMs } from '@zhugong/contract/kit/time'
import { type CallKey, screenCalls } from '@zhugong/contract/screens/calls'
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { CallError } from '#kit/failure.ts'
import { call } from '#kit/http.ts'

export type CallData<K extends CallKey> = OutputFor<(typeof screenCalls)[K]>
export interface Question {
  params?: Record<string, string>
  query?: Record<string, unknown>
}

export interface Feed<T = unknown> {
  /** Last successful answer; kept after errors. */
  data: T | undefined
  at: number | undefined
  /** Error of the last request; undefined if it succeeded. */
  error: string | undefined
}

interface Source {
  feed: Feed
  everyMs: number
  watchers: Set<() => void>
  timer: ReturnType<typeof setTimeout> | undefined
  running: boolean
  fetch: () => Promise<unknown>
}

/** Maximum requests per minute of one screen. */
export const mostAMinute = 40
/** Spreads the requests of walls that were switched on together. */
const jitter = (ms: number) => ms * (0.9 + Math.random() * 0.2)
const nothing: Feed = { data: undefined, at: undefined, error: undefined }

/** Polls data for all panels of a screen: panels with the same request share its answer, and a hidden tab sends none. */
export class Hub {
  private readonly sources = new Map<string, Source>()
  private requested: number[] = []
  private readonly ask: (key: CallKey, question: Question) => Promise<unknown>
  private readonly isHidden: () => boolean

  constructor(ask: (key: CallKey, question: Question) => Promise<unknown>, isHidden = () => document.hidden) {
    this.ask = ask
    this.isHidden = isHidden
  }

  feed(id: string): Feed {
    return this.sources.get(id)?.feed ?? nothing
  }

  watch(id: string, key: CallKey, question: Question, everyMs: number, watcher: () => void): () => void {
    let source = this.sources.get(id)
    if (!source) {
      const fetch = () => this.ask(key, question)
      source = { feed: nothing, everyMs, watchers: new Set(), timer: undefined, running: false, fetch }
      this.sources.set(id, source)
    }
    const mine = source
    mine.everyMs = Math.min(mine.everyMs, everyMs)
    mine.watchers.add(watcher)
    if (!mine.running && mine.timer === undefined) void this.turn(mine)
    return () => {
      mine.watchers.delete(watcher)
      if (mine.watchers.size > 0) return
      clearTimeout(mine.timer)
      mine.timer = undefined
    }
  }

  /** Sends requests that came due while the tab was hidden. */
  wake(): void {
    for (const source of this.sources.values()) {
      const due = !source.feed.at || Date.now() - source.feed.at >= source.everyMs
      if (source.watchers.size > 0 && due && !source.running) void this.turn(source)
    }
  }

  stop(): void {
    for (const source of this.sources.values()) {
      clearTimeout(source.timer)
      source.watchers.clear()
    }
    this.sources.clear()
  }

  private async turn(source: Source): Promise<void> {
    clearTimeout(source.timer)
    source.timer = undefined
    const now = Date.now()
    this.requested = this.requested.filter((at) => now - at < minuteMs)
    const first = source.feed.data === undefined
    if (!this.isHidden() && (first || this.requested.length < mostAMinute)) {
      this.requested.push(now)
      source.running = true
      try {
        source.feed = { data: await source.fetch(), at: Date.now(), error: undefined }
      } catch (error) {
        const over = error instanceof CallError && error.failure.status === 105
        source.feed = { ...source.feed, error: over ? `登录已失效：${error.message}` : error instanceof Error ? error.message : '读取失败' }
      }
      source.running = false
      for (const watcher of source.watchers) watcher()
    }
    if (source.watchers.size > 0) source.timer = setTimeout(() => void this.turn(source), jitter(source.everyMs))
  }
}

/** Hub of the current user, optionally limited to one project. */
export const hubFor = (group: string | undefined): Hub =>
  new Hub((key, { params, query = {} }) => {
    const view = screenCalls[key]
    const given = view.schemas.query ? (view.schemas.query.parse(query) as object) : query
    return (call as (e: unknown, i: unknown, o: unknown) => Promise<unknown>)(view, { params, query: given }, group ? { group } : {})
  })

export const HubContext = createContext<Hub | undefined>(undefined)

export const seconds = (n: number): number => n * 1000

/** Polled data of a panel; sends nothing while `question` is null. */
export function useFeed<K extends CallKey>(key: K, everyMs: number, question: Question | null = {}): Feed<CallData<K>> {
  const hub = useContext(HubContext)
  const id = question === null ? undefined : `${key} ${JSON.stringify(question)}`
  const source = useMemo(() => {
    const requested = id ? (JSON.parse(id.slice(key.length + 1)) as Question) : undefined
    return {
      subscribe: (watcher: () => void) => (hub && id && requested ? hub.watch(id, key, requested, everyMs, watcher) : () => undefined),
      read: () => (hub && id ? hub.feed(id) : nothing),
    }
  }, [hub, id, key, everyMs])
  return useSyncExternalStore(source.subscribe, source.read) as Feed<CallData<K>>
}

/** Wakes the hub when its tab becomes visible. */
export function useWaking(hub: Hub): void {
  useEffect(() => {
    const wake = () => !document.hidden && hub.wake()
    document.addEventListener('visibilitychange', wake)
    return () => {
      document.removeEventListener('visibilitychange', wake)
      hub.stop()
    }
  }, [hub])
}
