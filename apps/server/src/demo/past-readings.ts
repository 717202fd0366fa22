import type { StoredOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { isBeyond, leanOf, markGiven } from '#domains/readings/public'
import { intervalOf } from '#domains/telemetry/public'
import type { copyLines, StoredReading } from '#domains/telemetry/store'

export type Reading = StoredReading['reading']
export type Client = Parameters<typeof copyLines>[0]

type Metrics = readonly { key: string; min?: number; max?: number }[]

/** Cached: a month of the city needs millions of look-ups for a few families. */
const byKey = new WeakMap<Metrics, Map<string, Metrics[number]>>()
function keysOf(metrics: Metrics) {
  let known = byKey.get(metrics)
  if (!known) {
    known = new Map(metrics.map((m) => [m.key, m]))
    byKey.set(metrics, known)
  }
  return known
}

/** A machine's values as the ingest would have stored them. */
export function toReading(metrics: Metrics, time: number, data: Record<string, unknown>, extra?: Record<string, unknown>): Reading {
  const known = keysOf(metrics)
  const values: Record<string, unknown> = {}
  let unknown: Record<string, unknown> | null = extra ? { ...extra } : null
  let quality: Record<string, string> | null = null
  for (const key in data) {
    const value = data[key]
    const metric = known.get(key)
    if (!metric) {
      unknown ??= {}
      unknown[key] = value
      continue
    }
    values[key] = value
    if (isBeyond(metric, value)) {
      quality ??= {}
      quality[key] = 'outOfRange'
    }
  }
  if (typeof values.tiltX === 'number' && typeof values.tiltY === 'number' && values.tilt === undefined && known.has('tilt')) {
    values.tilt = leanOf(values.tiltX, values.tiltY)
  }
  return { time, receivedAt: time + 300, mark: markGiven(0), values, unknown, quality, flag: 0 }
}

/** A past reading with a mark of its own, so that it does not collide with one of the last hour at the same time. */
export const apart = (
  device: Device,
  order: StoredOrder,
  time: number,
  values: Reading['values'],
  unknown: Reading['unknown'] = null,
  receivedAt = time + 300,
): StoredReading => ({
  device: { id: device.id, order } as StoredReading['device'],
  reading: { time, receivedAt, mark: markGiven(1), values, unknown, quality: null, flag: 0 },
})

/** Reading interval in the thinned past: a reading represents all values since the previous one. */
const thinnedMs = 60_000

/** Five-minute values of the readings, aggregated in memory. */
export function spans(city: City, readings: readonly StoredReading[]): string {
  const spanMs = 300_000
  const intervals = new Map(city.devices.map((device) => [device.id, intervalOf(device.family) * 1000]))
  const before = new Map<string, number>()
  interface Span {
    n: number
    v: Record<string, [number, number, number, number]>
  }
  const found = new Map<string, Map<number, Span>>()
  for (const { device, reading } of readings) {
    const at = reading.time - (reading.time % spanMs)
    const own = found.get(device.id) ?? new Map<number, Span>()
    if (own.size === 0) found.set(device.id, own)
    const span: Span = own.get(at) ?? { n: 0, v: {} }
    if (span.n === 0) own.set(at, span)
    const since = Math.min(thinnedMs, reading.time - (before.get(device.id) ?? 0))
    before.set(device.id, reading.time)
    span.n += Math.max(1, Math.round(since / (intervals.get(device.id) ?? since)))
    for (const metric in reading.values) {
      const value = reading.values[metric]
      if (typeof value !== 'number' || reading.quality?.[metric]) continue
      const so = span.v[metric]
      if (so) {
        so[0] = Math.min(so[0], value)
        so[1] = Math.max(so[1], value)
        so[2] += value
        so[3]++
      } else span.v[metric] = [value, value, value, 1]
    }
  }
  let out = ''
  for (const [id, own] of found)
    for (const [at, { n, v }] of own) out += `${id}\t${new Date(at).toISOString()}\t${n}\t${JSON.stringify(v)}\n`
  return out
}
