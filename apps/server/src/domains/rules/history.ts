import { mostSteps } from './budget.ts'

/** A reading as rules see it: device time, values, and quality marks of bad values. */
export interface Sample {
  time: number
  /** Distinguishes it from others of the same time. */
  mark: number
  values: Readonly<Record<string, unknown>>
  quality?: Readonly<Record<string, string>> | null | undefined
}

export interface Known {
  value: unknown
  time: number
}

/** The good values of one metric, ascending by device time. */
export interface Series {
  readonly times: readonly number[]
  readonly values: readonly unknown[]
}

interface Kept {
  times: number[]
  values: unknown[]
}

/** First index whose time is above `time`. */
function after(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length]
  // New readings are appended, so this check usually suffices.
  if (high > 0 && (times[high - 1] as number) <= time) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Most values kept per metric, whatever the look-back and report interval: twice what one evaluation may examine. Above it the oldest tenth
 * is dropped.
 */
const mostKept = 2 * mostSteps

const empty: Series = { times: [], values: [] }

/**
 * History of one device point: the newest readings while their values are fresh, and the values of metrics that some rule looks back on. It
 * is not stored; after a restart it is filled from stored readings.
 */
export class Memory {
  /** How far back each metric is needed (ms); metrics not listed are not kept. */
  private watched: ReadonlyMap<string, number>
  private freshMs: number
  private recent: Sample[] = []
  private readonly kept = new Map<string, Kept>()
  /** Values before this time are not comparable with later ones, because device parameters changed. */
  comparableSince = Number.NEGATIVE_INFINITY
  /** Incremented when the past changes after results were calculated from it. */
  revision = 0

  constructor(watched: ReadonlyMap<string, number>, freshMs: number) {
    this.watched = watched
    this.freshMs = freshMs
  }

  /** Sets the metrics that the current rules need. */
  watch(watched: ReadonlyMap<string, number>, freshMs: number): void {
    this.watched = watched
    this.freshMs = freshMs
    for (const metric of this.kept.keys()) if (!watched.has(metric)) this.kept.delete(metric)
  }

  get newest(): Sample | undefined {
    return this.recent.at(-1)
  }

  has(sample: Sample): boolean {
    for (let i = this.recent.length - 1; i >= 0; i--) {
      const one = this.recent[i] as Sample
      if (one.time < sample.time) return false
      if (one.time === sample.time && one.mark === sample.mark) return true
    }
    return false
  }

  add(sample: Sample): void {
    const newest = this.newest
    if (!newest || newest.time <= sample.time) this.recent.push(sample)
    else {
      this.revision++
      if (sample.time >= newest.time - this.freshMs) {
        this.recent.splice(
          after(
            this.recent.map((r) => r.time),
            sample.time,
          ),
          0,
          sample,
        )
      }
    }
    const now = this.newest?.time ?? sample.time
    let old = 0
    while (old < this.recent.length - 1 && (this.recent[old] as Sample).time < now - this.freshMs) old++
    if (old) this.recent.splice(0, old)
    for (const [metric, lookBackMs] of this.watched) {
      const value = sample.values[metric]
      if (value === undefined || value === null || sample.quality?.[metric]) continue
      let series = this.kept.get(metric)
      if (!series) {
        series = { times: [], values: [] }
        this.kept.set(metric, series)
      }
      const at = after(series.times, sample.time)
      // One value per metric and time; the last received wins.
      if (series.times[at - 1] === sample.time) {
        if (series.values[at - 1] !== value) this.revision++
        series.values[at - 1] = value
        continue
      }
      if (at === series.times.length) {
        series.times.push(sample.time)
        series.values.push(value)
      } else {
        series.times.splice(at, 0, sample.time)
        series.values.splice(at, 0, value)
      }
      // One older value is kept, from which rates are measured, however old it is.
      const tooMany = series.times.length > mostKept ? mostKept / 10 : 0
      const gone = Math.max(after(series.times, now - lookBackMs) - 1, tooMany)
      if (gone > 0) {
        series.times.splice(0, gone)
        series.values.splice(0, gone)
      }
    }
  }

  /** The device clock was set back: readings later than `time` were made before that. */
  dropAfter(time: number): void {
    this.revision++
    this.recent = this.recent.filter((r) => r.time <= time)
    for (const series of this.kept.values()) {
      const from = after(series.times, time)
      series.times.splice(from)
      series.values.splice(from)
    }
  }

  /** The newest value at or before a time, if it is fresh then. A bad value hides earlier good ones. */
  value(metric: string, at: number, freshMs: number): Known | undefined {
    for (let i = this.recent.length - 1; i >= 0; i--) {
      const sample = this.recent[i] as Sample
      if (sample.time > at) continue
      if (at - sample.time > freshMs) return undefined
      const value = sample.values[metric]
      if (value === undefined || value === null) continue
      return sample.quality?.[metric] ? undefined : { value, time: sample.time }
    }
    return undefined
  }

  /** Indexes [from, to) of the good values in (since, until]. */
  window(metric: string, since: number, until: number): { series: Series; from: number; to: number } {
    const series = this.kept.get(metric) ?? empty
    return { series, from: after(series.times, since), to: after(series.times, until) }
  }
}

/** The empty history of a device without readings. */
export const noMemory = new Memory(new Map(), 0)
