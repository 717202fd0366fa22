import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { allOf, equals, inProjects } from '#kit/list'

/** Start of the current day in Asia/Shanghai. */
export const todayStart = (now: number): number => startOfDay(formatDay(now))
export const shanghaiDay = (column: string) => sql<string>`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`

export const numberOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
      ? Number(value)
      : null
export const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const rounded = (n: number, digits = 1): number => Math.round(n * 10 ** digits) / 10 ** digits
export const percentOf = (part: number, whole: number): number => (whole > 0 ? rounded((part / whole) * 100) : 0)

/** Condition on the devices of a grouped query. */
export const devicesWhere = (family: string, projects: readonly string[] | undefined, deviceId: string | undefined) =>
  allOf(...equals('d.family', family), ...equals('d.id', deviceId), ...inProjects('d.project_code', projects))

/** The last `days` calendar days in Asia/Shanghai, oldest first. */
export function lastDays(now: number, days: number): string[] {
  const today = formatDay(now)
  return Array.from({ length: days }, (_, i) => addDays(today, i - days + 1))
}

/** Whole days from today to a date or an instant. */
export function daysUntil(date: string | null, now: number): number | null {
  const at = date ? Date.parse(date.length <= 10 ? `${date}T00:00:00+08:00` : date) : Number.NaN
  return Number.isNaN(at) ? null : Math.round((startOfDay(formatDay(at)) - todayStart(now)) / dayMs)
}
