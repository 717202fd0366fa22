import { hourOfDay } from './calendar.ts'

export type Values = Record<string, number | string | boolean>

/** Something that lives on in time: `step` moves it, the rest reads what its monitor would send. */
export interface Machine {
  step(dtSeconds: number, nowMs: number): void
  telemetry(nowMs: number): Values | null
  /** What is more than one value a metric, such as a curve over depth. */
  extra?(nowMs: number): Record<string, unknown> | undefined
  /** Records that have come to an end since the last call. */
  takeRecords?(): MachineRecord[]
  /** How long until the next report. */
  intervalMs(nowMs: number): number
  /** Does what it is told; true when it reports the change at once. */
  obey?(cmd: string, params: Record<string, unknown>, nowMs: number): boolean
}

export interface MachineRecord {
  record: string
  time: number
  data: Record<string, string | number | boolean>
}

export function isShift(nowMs: number): boolean {
  const hour = hourOfDay(nowMs)
  return (hour >= 6.6 && hour < 11.6) || (hour >= 12.6 && hour < 17.8) || (hour >= 18.8 && hour < 20.5)
}

/** From the first shift's bell to the end of the second: whoever eats at noon is on the site all the same. */
export function isOnSite(nowMs: number): boolean {
  const hour = hourOfDay(nowMs)
  return hour >= 6.6 && hour < 17.8
}
