import { liveToken } from '@zhugong/contract/telemetry/endpoints'
import { type LiveSample, liveTelemetry } from '@zhugong/contract/telemetry/topics'
import type { MqttClient } from 'mqtt'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { whenCalm } from './calm.ts'
import { latestStore, type Reading, topicMatches } from './live-store.ts'
import { useMe } from './me.ts'
import { activeProject, onSessionLost } from './session.ts'

const connectTimeoutMs = 4000
export const reconnectMs = 4000
/** Ping interval. A connection without any packet between two pings is closed: a cut network is otherwise not noticed. */
const tryMs = 25_000
/**
 * Clean sessions without the library's reconnect: this module reconnects itself, with a new token. The library's keep-alive timers would
 * need a worker, which delays the first page more than the rest of the connection. The keep-alive promised to the broker is longer than one
 * minute, because timers of a background tab run only once a minute.
 */
export const brokerOptions = {
  clean: true,
  connectTimeout: connectTimeoutMs,
  reconnectPeriod: 0,
  protocolVersion: 4,
  timerVariant: 'native',
  keepalive: 180,
} as const
const batchMs = 250

export type LiveState = 'connecting' | 'online' | 'offline'

/** One broker connection per tab: opened with the first subscription, closed some time after the last one ends. */
class Connection {
  private client: MqttClient | undefined
  private opening: Promise<void> | undefined
  private readonly listeners = new Map<string, Set<(topic: string, payload: Uint8Array) => void>>()
  private retry: ReturnType<typeof setTimeout> | undefined
  private idle: ReturnType<typeof setTimeout> | undefined
  private state: LiveState = 'offline'
  private readonly watchers = new Set<() => void>()

  readonly watch = (watcher: () => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }
  readonly current = (): LiveState => this.state

  private become(state: LiveState) {
    if (state === this.state) return
    this.state = state
    for (const watcher of this.watchers) watcher()
  }

  private async open(): Promise<void> {
    this.become('connecting')
    try {
      // A new token for every connection: a token is valid for minutes, a page may stay open for days.
      await whenCalm()
      const [{ url, clientId, username, password }, { default: mqtt }] = await Promise.all([call(liveToken), import('mqtt')])
      const client = mqtt.connect(brokerAddress(useMe.getState().settings?.mqttHost || url, location), {
        clientId,
        username,
        password,
        ...brokerOptions,
      })
      this.client = client
      let answered = true
      client.on('packetreceive', () => {
        answered = true
      })
      const trying = setInterval(() => {
        if (!answered) return client.end(true)
        answered = false
        if (client.connected) client.sendPing()
      }, tryMs)
      client.on('connect', () => {
        this.become('online')
        const filters = [...this.listeners.keys()]
        if (filters.length > 0) client.subscribe(filters)
      })
      client.on('message', (topic, payload) => {
        for (const [filter, handlers] of this.listeners) {
          if (topicMatches(filter, topic)) for (const handler of handlers) handler(topic, payload)
        }
      })
      client.on('error', () => client.end(true))
      client.on('close', () => {
        clearInterval(trying)
        if (this.client !== client) return
        this.client = undefined
        this.become('offline')
        this.again()
      })
    } catch {
      this.become('offline')
      this.again()
    } finally {
      this.opening = undefined
    }
  }

  private again() {
    if (this.listeners.size === 0 || this.retry) return
    this.retry = setTimeout(() => {
      this.retry = undefined
      this.ensure()
    }, reconnectMs)
  }

  private ensure() {
    if (this.client || this.opening || this.retry) return
    this.opening = this.open()
  }

  listen(filter: string, handler: (topic: string, payload: Uint8Array) => void): () => void {
    clearTimeout(this.idle)
    const handlers = this.listeners.get(filter) ?? new Set()
    handlers.add(handler)
    if (handlers.size === 1) {
      this.listeners.set(filter, handlers)
      if (this.client?.connected) this.client.subscribe(filter)
    }
    this.ensure()
    return () => {
      handlers.delete(handler)
      if (handlers.size > 0) return
      this.listeners.delete(filter)
      this.client?.unsubscribe(filter)
      if (this.listeners.size === 0) this.idle = setTimeout(() => this.drop(), 10_000)
    }
  }

  drop() {
    clearTimeout(this.retry)
    this.retry = undefined
    const { client } = this
    this.client = undefined
    client?.end(true)
    this.become('offline')
  }
}

type Here = Pick<Location, 'protocol' | 'host' | 'hostname'>
/**
 * WebSocket address of the broker. `mqttHost` of the profile is a port (`:9001`) or a path (`/mqtt`) on the page's host, or another host
 * with or without scheme (`wss://live.example.cn/mqtt`, `live.example.cn:9001`).
 */
export function brokerAddress(mqttHost: string, { protocol, host, hostname }: Here): string {
  const scheme = protocol === 'https:' ? 'wss' : 'ws'
  if (mqttHost.startsWith(':')) return `${scheme}://${hostname}${mqttHost}`
  if (mqttHost.startsWith('/')) return `${scheme}://${host}${mqttHost}`
  return mqttHost.includes('://') ? mqttHost : `${scheme}://${mqttHost}`
}

const connection = new Connection()
onSessionLost(() => connection.drop())

const text = new TextDecoder()

/** Subscribes to a topic filter while the page is in front. */
export function useLive(topicFilter: string | undefined, onMessage: (message: unknown, topic: string) => void): LiveState {
  const latest = useRef(onMessage)
  latest.current = onMessage
  useEffect(() => {
    if (!topicFilter) return
    return connection.listen(topicFilter, (topic, payload) => {
      try {
        latest.current(JSON.parse(text.decode(payload)), topic)
      } catch {
        // A malformed message must not break the page.
      }
    })
  }, [topicFilter])
  return useLiveState()
}

export const useLiveState = (): LiveState => useSyncExternalStore(connection.watch, connection.current)

const store = latestStore((flush) => setTimeout(flush, batchMs))

/** Adds a reading from a call to the live ones, e.g. the initial state of a page. */
export const putReading = (reading: Reading): void => store.put(reading)

/** Newest readings of these devices, by device id. Renders at most four times a second. */
export function useLatest(
  deviceIds: readonly string[],
  projectCode: string | undefined = activeProject()?.projectCode,
): ReadonlyMap<string, Reading> {
  const key = deviceIds.join(',')
  useEffect(() => {
    const stops = key
      .split(',')
      .filter(Boolean)
      .map((deviceId) =>
        connection.listen(liveTelemetry.of({ deviceId, projectCode: projectCode || undefined }), (_, payload) => {
          try {
            const sample = JSON.parse(text.decode(payload)) as LiveSample
            store.put({ deviceId: sample.d, at: sample.t, receivedAt: sample.r, values: sample.v, quality: sample.q })
          } catch {
            // A malformed message must not break the page.
          }
        }),
      )
    return () => {
      for (const stop of stops) stop()
    }
  }, [key, projectCode])
  useSyncExternalStore(store.subscribe, store.version)
  return new Map(
    key.split(',').flatMap((id) => {
      const reading = store.get(id)
      return reading ? [[id, reading] as const] : []
    }),
  )
}

/** The current time, updated at this interval while the page is in front; for ages and clocks. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

const onNetwork = (reported: () => void) => {
  window.addEventListener('online', reported)
  window.addEventListener('offline', reported)
  return () => {
    window.removeEventListener('online', reported)
    window.removeEventListener('offline', reported)
  }
}
/** Whether the browser is online. */
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, () => navigator.onLine)

/** Upper limit: an idle device reports less often than configured, but a longer gap is a fault, not its interval. */
const slowestPaceMs = 10 * 60_000
/** Effective reporting interval: the configured one, or the last measured one if longer. */
export const paceOf = (reading: Pick<Reading, 'paceMs'> | undefined, intervalMs: number): number =>
  Math.max(intervalMs, Math.min(reading?.paceMs ?? 0, slowestPaceMs))

/** A reading older than three effective intervals is stale: shown grey with its age. */
export const isStale = (reading: Pick<Reading, 'at' | 'paceMs'> | undefined, now: number, intervalMs: number): boolean =>
  reading === undefined || now - reading.at > 3 * paceOf(reading, intervalMs)
