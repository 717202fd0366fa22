/** All dates are in Asia/Shanghai, UTC+8 without daylight saving since 1991, so fixed arithmetic is exact. */
const offsetMs = 8 * 3600_000
export const dayMs = 86_400_000

/** Midnight at the start of a day (`2026-11-20`), in epoch milliseconds. */
export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) - offsetMs
}

export function dayOf(timeMs: number): string {
  return new Date(timeMs + offsetMs).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return dayOf(dayStart(day) + days * dayMs)
}

export function addYears(day: string, years: number): string {
  const [year, rest] = [Number(day.slice(0, 4)) + years, day.slice(5)]
  // 29 February becomes 28 February in other years.
  return rest === '02-29' && !isLeap(year) ? `${year}-02-28` : `${year}-${rest}`
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

export function daysBetween(from: string, to: string): number {
  return Math.round((dayStart(to) - dayStart(from)) / dayMs)
}

/** 0 is Sunday. */
export function weekday(day: string): number {
  return new Date(dayStart(day) + offsetMs).getUTCDay()
}

/** Seconds since local midnight. */
export function secondOfDay(timeMs: number): number {
  return Math.floor(((((timeMs + offsetMs) % dayMs) + dayMs) % dayMs) / 1000)
}

export const hourOfDay = (timeMs: number) => secondOfDay(timeMs) / 3600

/** `2026-11-20 06:44:12` */
export function dateTime(timeMs: number): string {
  return new Date(timeMs + offsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** `20261120064412`, with three more digits when `withMs`. */
export function compactTime(timeMs: number, withMs = false): string {
  return new Date(timeMs + offsetMs)
    .toISOString()
    .replace(/\D/g, '')
    .slice(0, withMs ? 17 : 14)
}
