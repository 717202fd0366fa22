import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'

/** The only source of "now" for use cases, so that tests can move time. Epoch milliseconds. */
export interface Clock {
  now(): number
}
export const systemClock: Clock = { now: () => Date.now() }

const two = (n: number) => String(n).padStart(2, '0')

/**
 * Formats an instant as `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. That zone has no summer time, so a fixed +08:00 is used, independent of the
 * machine's zone.
 */
export function formatInstant(at: number | Date): string {
  const d = new Date(Number(at) + shanghaiOffsetMs)
  return `${formatDay(at)} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`
}
export function formatDay(at: number | Date): string {
  const d = new Date(Number(at) + shanghaiOffsetMs)
  return `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`
}
/** Epoch milliseconds of 00:00 in Asia/Shanghai on a yyyy-MM-dd day. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`)
}
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}
