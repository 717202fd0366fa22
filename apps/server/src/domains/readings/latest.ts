import type { ReadingView } from '@zhugong/contract/telemetry/model'

/** Last value of a metric missing in the newest reading: epoch milliseconds, value, quality mark. */
export type KeptValue = readonly [number, unknown, string | null]

/** Columns of `device_latest`. */
export interface LatestColumns {
  ts: Date | null
  receivedAt: Date | null
  v: Record<string, unknown> | null
  quality: Record<string, string> | null
  held: Record<string, KeptValue | null> | null
  paceSeconds: number | null
}

/**
 * The newest value of every metric. `times` lists the metrics whose value is older than the reading, with their times (epoch milliseconds).
 */
export function newestValues(row: LatestColumns): ReadingView | null {
  if (!row.ts || !row.receivedAt || !row.v) return null
  const newest = {
    time: row.ts.getTime(),
    receivedAt: row.receivedAt.getTime(),
    values: row.v,
    quality: row.quality,
    flag: 0,
    paceSeconds: row.paceSeconds,
  }
  const older = Object.entries(row.held ?? {}).flatMap(([key, one]) => (one && !(key in newest.values) ? [[key, one] as const] : []))
  if (older.length === 0) return newest
  const doubtful = older.flatMap(([key, [, , quality]]) => (quality === null ? [] : [[key, quality] as const]))
  return {
    ...newest,
    values: { ...Object.fromEntries(older.map(([key, [, value]]) => [key, value])), ...newest.values },
    quality: newest.quality || doubtful.length ? { ...Object.fromEntries(doubtful), ...newest.quality } : null,
    times: Object.fromEntries(older.map(([key, [time]]) => [key, time])),
  }
}

/** The reading with visible values only; the times of hidden metrics are removed too. */
export function veiledValues(newest: ReadingView, values: ReadingView['values']): ReadingView {
  const times = newest.times && Object.fromEntries(Object.entries(newest.times).filter(([key]) => key in values))
  return { ...newest, values, times }
}

/**
 * The keys that name the subject of a reading, if a device measures several points or cages in turn. Readings of different subjects are
 * independent.
 */
export const subjectKeys = ['pointCode', 'cage'] as const

/** The name of the point or cage; '' if the values concern the device as a whole. */
export function subjectOf(values: Readonly<Record<string, unknown>>, keys: readonly string[] = subjectKeys): string {
  for (const key of keys) {
    const value = values[key]
    if (typeof value === 'string' && value) return value.slice(0, 64)
    if (typeof value === 'number') return String(value)
  }
  return ''
}
