import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { minuteMs } from '@zhugong/contract/kit/time'
import { type CallKey, screenCalls } from '@zhugong/contract/screens/calls'
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { CallError } from '#kit/failure.ts'
import { call } from '#kit/http.ts'

export type Told<K extends CallKey> = OutputFor<(typeof screenCalls)[K]>
export interface Question {
  params?: Record<string, string>
  query?: Record<string, unknown>
}

export interface Feed<T = unknown> {
  /** The last good answer; kept whatever happens afterwards. */
  data: T | undefined
  at: number | undefined
  /** Of the last try; undefined where it was answered. */
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

/** Requests a minute a screen may make. */
export const mostAMinute = 40
/** Walls that were switched on together do not ask together. */
const jitter = (ms: number) => ms * (0.9 + Math.random() * 0.2)
const nothing: Feed = { data: undefined, at: undefined, error: undefined }

/** All that a screen asks: panels with the same question share one answer, and a tab that nobody sees asks nothing. */
export class Hub {
  private readonly sources = new Map<string, Source>()
  private asked: number[] = []
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

  /** What was put off while nobody looked. */
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
    this.asked = this.asked.filter((at) => now - at < minuteMs)
    const first = source.feed.data === undefined
    if (!this.isHidden() && (first || this.asked.length < mostAMinute)) {
      this.asked.push(now)
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

/** A hub that asks as whoever looks, narrowed to one project where one is meant. */
export const hubFor = (group: string | undefined): Hub =>
  new Hub((key, { params, query = {} }) => {
    const view = screenCalls[key]
    const given = view.schemas.query ? (view.schemas.query.parse(query) as object) : query
    return (call as (e: unknown, i: unknown, o: unknown) => Promise<unknown>)(view, { params, query: given }, group ? { group } : {})
  })

export const HubContext = createContext<Hub | undefined>(undefined)

export const seconds = (n: number): number => n * 1000

/** The answer to a question of a panel; asks nothing while `question` is null. */
export function useFeed<K extends CallKey>(key: K, everyMs: number, question: Question | null = {}): Feed<Told<K>> {
  const hub = useContext(HubContext)
  const id = question === null ? undefined : `${key} ${JSON.stringify(question)}`
  const source = useMemo(() => {
    const asked = id ? (JSON.parse(id.slice(key.length + 1)) as Question) : undefined
    return {
      subscribe: (watcher: () => void) => (hub && id && asked ? hub.watch(id, key, asked, everyMs, watcher) : () => undefined),
      read: () => (hub && id ? hub.feed(id) : nothing),
    }
  }, [hub, id, key, everyMs])
  return useSyncExternalStore(source.subscribe, source.read) as Feed<Told<K>>
}

/** Wakes the hub with the tab. */
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
