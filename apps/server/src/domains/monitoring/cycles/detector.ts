/** A reading as detectors meet it: device time, values by metric. */
export interface CycleSample {
  time: number
  values: Readonly<Record<string, unknown>>
}

export interface FoundCycle {
  /** When it ended. */
  time: number
  /** Part of the record's identity: the same readings give the same record again. */
  startTime: number
  data: Record<string, unknown>
}

/**
 * Finds the working cycles of machines that report none by themselves. A pure step from what has begun and the next reading to what has
 * begun now and what has ended; the state is plain JSON, kept with the records, so that a restart goes on where it was.
 */
export interface Detector<State = unknown> {
  record: string
  step(state: State | null, sample: CycleSample, params: Readonly<Record<string, unknown>>): { state: State | null; found: FoundCycle[] }
}

/** Longer without a reading, and nobody knows what happened meanwhile: what had begun is closed and says so. */
export const gapMs = 10 * 60_000

export const numberIn = (values: Readonly<Record<string, unknown>>, key: string): number | undefined => {
  const value = values[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
export const textIn = (values: Readonly<Record<string, unknown>>, key: string): string | undefined => {
  const value = values[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
export const instantText = (at: number): string => new Date(at).toISOString()
export const tidy = (n: number | undefined, digits = 2): number | undefined =>
  n === undefined ? undefined : Math.round(n * 10 ** digits) / 10 ** digits

/** Least and greatest of the metrics a cycle tells of. */
export function widen(
  range: Record<string, [number, number]>,
  values: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, [number, number]> {
  const out = { ...range }
  for (const key of keys) {
    const value = numberIn(values, key)
    if (value === undefined) continue
    const so = out[key]
    out[key] = so ? [Math.min(so[0], value), Math.max(so[1], value)] : [value, value]
  }
  return out
}
