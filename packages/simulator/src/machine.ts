import { hourOfDay } from './calendar.ts'

export type Values = Record<string, number | string | boolean>

/** A simulated device: `step` moves it, the other methods return what its monitor would send. */
export interface Machine {
  step(dtSeconds: number, nowMs: number): void
  telemetry(nowMs: number): Values | null
  /** Data other than one value per metric, such as a curve over depth. */
  extra?(nowMs: number): Record<string, unknown> | undefined
  /** Records completed since the last call. */
  takeRecords?(): MachineRecord[]
  /** Time to the next report. */
  intervalMs(nowMs: number): number
  /** Executes a command; true if the change is reported at once. */
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

/** Working hours from the start of the first shift to the end of the second, including the lunch break. */
export function isOnSite(nowMs: number): boolean {
  const hour = hourOfDay(nowMs)
  return hour >= 6.6 && hour < 17.8
}
