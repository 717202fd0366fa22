/** A reading as passed to detectors: device time, values by metric. */
export interface CycleSample {
  time: number
  values: Readonly<Record<string, unknown>>
}

export interface FoundCycle {
  /** End of the cycle. */
  time: number
  /** Part of the record's identity, so that the same readings yield the same record. */
  startTime: number
  data: Record<string, unknown>
}

/**
 * Finds working cycles of machines that do not report them. `step` is pure: it maps the state and the next reading to the new state and the
 * completed cycles. The state is plain JSON stored in the database, so detection continues after a restart.
 */
export interface Detector<State = unknown> {
  record: string
  step(state: State | null, sample: CycleSample, params: Readonly<Record<string, unknown>>): { state: State | null; found: FoundCycle[] }
}

/** After a longer gap between readings the current cycle is closed and marked as cut. */
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

/** Extends the minimum and maximum of each metric. */
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

export interface Driver {
  driverId?: string
  driverName?: string
}
/** Driver of a cycle: the last one that a reading names. */
export function driverIn(values: Readonly<Record<string, unknown>>, previous: Driver): Driver {
  const driverId = textIn(values, 'driverId') ?? previous.driverId
  const driverName = textIn(values, 'driverName') ?? previous.driverName
  return { ...(driverId === undefined ? {} : { driverId }), ...(driverName === undefined ? {} : { driverName }) }
}

/** Fields of a record `workingCycle` that cranes and lifts share. `cut`: readings stopped before the end of the cycle. */
export const cycleFields = (since: number, endTime: number, { driverId, driverName }: Driver, cut: boolean) => ({
  startTime: instantText(since),
  endTime: instantText(endTime),
  durationSeconds: Math.round((endTime - since) / 1000),
  driverId,
  driverName,
  detectedBy: 'platform',
  cut: cut || undefined,
})
