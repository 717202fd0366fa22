import type { ReadingView } from '@zhugong/contract/telemetry/model'

/** What a metric showed last that the newest reading does not have: epoch milliseconds, value, and what was wrong with it. */
export type HeldValue = readonly [number, unknown, string | null]

/** Columns of `device_latest`. */
export interface LatestColumns {
  ts: Date | null
  receivedAt: Date | null
  v: Record<string, unknown> | null
  quality: Record<string, string> | null
  held: Record<string, HeldValue | null> | null
  paceSeconds: number | null
}

/** The newest value of every metric. `times` names those that are older than the reading, each with its own moment (epoch milliseconds). */
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

/** The same with the values somebody may see; nothing is said of the others, not even when they came. */
export function veiledValues(newest: ReadingView, values: ReadingView['values']): ReadingView {
  const times = newest.times && Object.fromEntries(Object.entries(newest.times).filter(([key]) => key in values))
  return { ...newest, values, times }
}

/** What a reading is about where a device measures several things one after the other: readings of another say nothing of this one. */
export const subjectKeys = ['pointCode', 'cage'] as const

/** The point or cage that values are about, by name; '' where they are about the device as a whole. */
export function subjectOf(values: Readonly<Record<string, unknown>>, keys: readonly string[] = subjectKeys): string {
  for (const key of keys) {
    const value = values[key]
    if (typeof value === 'string' && value) return value.slice(0, 64)
    if (typeof value === 'number') return String(value)
  }
  return ''
}
