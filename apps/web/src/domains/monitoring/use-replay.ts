import { findAlarms } from '@zhugong/contract/alarms/lists'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { hourMs } from '@zhugong/contract/kit/time'
import type { ReadingView, readingsQuery } from '@zhugong/contract/telemetry/model'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { z } from 'zod'
import { call, useCall } from '#kit/call.ts'
import { time } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import type { Desk, Readings } from './family-monitor.tsx'
import { gapsIn, paceOf, pastGap, readingAt, type Span, stepFrom } from './replay.ts'

/** A family's readings call; all families share this form. */
export type ReadingsCall = Endpoint<
  { query: z.input<typeof readingsQuery> },
  unknown,
  { list: (ReadingView & { deviceId: string })[]; total: number }
>

interface RowQuery {
  kind: 'reading'
}

export const speeds = [1, 10, 60] as const
const tickMs = 100
const rowsAtOnce = 1_000
/** Most pages per hour: one reading per second. */
const pagesAtMost = 4
/** Alarms that started before the span may still be active in it. */
const alarmsBeforeMs = hourMs

interface Tapes {
  /** Readings by device, oldest first. */
  of: ReadonlyMap<string, readonly Reading[]>
  /** End of the loaded data. */
  until: number
  error: Error | undefined
}

export interface Replay {
  span: Span
  at: number
  until: number
  error: Error | undefined
  playing: boolean
  speed: number
  skips: boolean
  gaps: readonly Span[]
  alarms: readonly { id: string; startTime: number; clearTime: number | null; level: number; label: string; deviceName: string }[]
  intervalMs: number
  seek: (at: number) => void
  play: (playing: boolean) => void
  pace: (speed: number) => void
  skip: (skips: boolean) => void
  step: (by: 1 | -1) => void
  /** The desk and its readings at the replayed moment, rendered by the same page. */
  desk: Desk
  seen: Readings
}

/**
 * Replays the readings of a site's machines in a span, loaded by the hour; undefined while the page is live. `query` is added to every readings call.
 */
export function useReplay(desk: Desk, live: Readings, readings: ReadingsCall, query?: RowQuery): Replay | undefined {
  const span = desk.replay
  const tapes = useTapes(desk, span, readings, query)
  const [at, setAt] = useState(span?.from ?? 0)
  const [playing, setPlaying] = useState(true)
  const [speed, setSpeed] = useState<number>(10)
  const [skips, setSkips] = useState(true)
  const key = span ? `${span.from}-${span.to}` : ''
  useEffect(() => {
    setAt(Number(key.split('-')[0]))
    setPlaying(true)
  }, [key])

  const tape = tapes.of.get(desk.selected) ?? none
  const intervalMs = useMemo(() => paceOf(tape, live.intervalMs), [tape, live.intervalMs])
  const loaded = span ? Math.min(span.to, tapes.until) : 0
  const gaps = useMemo(() => (span ? gapsIn(tape, { from: span.from, to: loaded }, intervalMs) : []), [tape, span, loaded, intervalMs])
  const going = useRef({ gaps, loaded, skips, speed, intervalMs })
  going.current = { gaps, loaded, skips, speed, intervalMs }
  const ended = span !== undefined && at >= span.to
  useEffect(() => {
    if (!key || !playing || ended) return
    const timer = setInterval(() => {
      const now = going.current
      setAt((before) => {
        const next = before + tickMs * now.speed
        // Waits for readings not loaded yet.
        return Math.max(before, Math.min(now.loaded, now.skips ? pastGap(now.gaps, next, now.intervalMs) : next))
      })
    }, tickMs)
    return () => clearInterval(timer)
  }, [key, playing, ended])

  const alarms = useCall(
    findAlarms,
    {
      query: {
        projectCode: desk.projectCode,
        family: desk.family,
        startTime: time((span?.from ?? 0) - alarmsBeforeMs),
        endTime: time(span?.to ?? 0),
        simulated: false,
        size: 200,
        sort: '-startTime',
      },
    },
    { quiet: true, enabled: span !== undefined },
  )
  if (!span) return undefined

  const shown = (alarms.data?.list ?? []).map((one) => ({
    id: one.id,
    deviceId: one.deviceId,
    alarmKey: one.alarmKey,
    startTime: one.startTime,
    clearTime: one.clearTime,
    level: one.level,
    label: one.alarmLabel,
    deviceName: one.deviceName,
  }))
  const then = new Map([...tapes.of].flatMap(([id, list]) => (readingAt(list, at) ? [[id, readingAt(list, at) as Reading] as const] : [])))
  const there = (id: string) => !isStale(then.get(id), at, intervalMs)
  const own = then.get(desk.selected)
  return {
    span,
    at,
    until: loaded,
    error: tapes.error,
    playing: playing && !ended,
    speed,
    skips,
    gaps,
    alarms: shown.filter((one) => one.startTime >= span.from),
    intervalMs,
    seek: (to) => setAt(Math.min(Math.max(to, span.from), span.to)),
    play: (on) => {
      if (on && ended) setAt(span.from)
      setPlaying(on)
    },
    pace: setSpeed,
    skip: setSkips,
    step: (by) => {
      setPlaying(false)
      setAt((now) => Math.max(span.from, stepFrom(tape, now, by)))
    },
    desk: {
      ...desk,
      device: desk.device && { ...desk.device, online: there(desk.selected), lastTime: own?.at ?? null },
      live: {
        ...desk.live,
        devices: desk.live.devices.map((one) => ({ ...one, online: there(one.id), lastTime: then.get(one.id)?.at ?? null })),
        online: new Map(desk.live.devices.map((one) => [one.id, there(one.id)])),
        alarms: (alarms.data?.list ?? [])
          .filter((one) => one.fireTime <= at)
          .map((one) => (one.clearTime !== null && one.clearTime > at ? { ...one, clearTime: null, active: true } : one)),
        events: [],
        openAlarm: (deviceId) =>
          shown
            .filter((one) => one.deviceId === deviceId && one.alarmKey !== 'offline')
            .filter((one) => one.startTime <= at && (one.clearTime === null || one.clearTime > at))
            .sort((a, b) => a.level - b.level)[0],
      },
    },
    seen: {
      ...live,
      intervalMs,
      readings: then,
      reading: own,
      now: at,
      stale: isStale(own, at, intervalMs),
      history: tape.filter((one) => one.at <= at),
    },
  }
}

const none: readonly Reading[] = []
/** Lead time of a replay, as long as the live curves. */
const leadMs = 10 * 60_000

/** Loads readings hour by hour, so that playing starts before all are loaded. */
function useTapes(desk: Desk, span: Span | undefined, readings: ReadingsCall, query: RowQuery | undefined): Tapes {
  const [tapes, setTapes] = useState<Tapes>({ of: new Map(), until: 0, error: undefined })
  const ids = desk.live.devices.map((one) => one.id).join(',')
  const from = span?.from
  const to = span?.to
  useEffect(() => {
    if (from === undefined || to === undefined) return
    let gone = false
    setTapes({ of: new Map(), until: from, error: undefined })
    const load = async () => {
      for (let start = from; start < to && !gone; start += hourMs) {
        const end = Math.min(to, start + hourMs)
        const found = await Promise.all(
          // The curves include the lead time before the replay starts.
          ids
            .split(',')
            .map(
              async (id) => [id, await readingsOf(readings, id, { from: start === from ? from - leadMs : start, to: end }, query)] as const,
            ),
        )
        if (gone) return
        setTapes((known) => ({
          of: new Map(found.map(([id, list]) => [id, [...(known.of.get(id) ?? []), ...list]])),
          until: end,
          error: undefined,
        }))
      }
    }
    load().catch((error: unknown) => {
      if (!gone) setTapes((known) => ({ ...known, error: error instanceof Error ? error : new Error(String(error)) }))
    })
    return () => {
      gone = true
    }
  }, [ids, from, to, readings, query])
  return tapes
}

async function readingsOf(readings: ReadingsCall, deviceId: string, span: Span, query: RowQuery | undefined): Promise<Reading[]> {
  const all: Reading[] = []
  for (let page = 1; page <= pagesAtMost; page++) {
    const { list } = await call(readings, {
      query: { ...query, deviceId, startTime: String(span.from), endTime: String(span.to), sort: 'time', page, size: rowsAtOnce },
    })
    for (const one of list)
      all.push({ deviceId, at: one.time, receivedAt: one.receivedAt, values: one.values, quality: one.quality ?? undefined })
    if (list.length < rowsAtOnce) break
  }
  return all
}
