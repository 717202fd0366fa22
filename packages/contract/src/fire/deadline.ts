import { isRestDate, type RestDays } from '../kit/rest-days.ts'
import { dayMs } from '../kit/time.ts'

/** Working days from acceptance, or from being drawn, to the opinion. */
export const workDays = 15
/** A case is near its limit when so many working days, or fewer, are left. */
export const nearDays = 3

/** A time in which the applicant repairs papers; the deadline stands still. `to` is null while it lasts. Days are yyyy-MM-dd. */
export interface Pause {
  from: string
  to: string | null
}

const next = (day: string, by = 1) => new Date(Date.parse(`${day}T00:00:00Z`) + by * dayMs).toISOString().slice(0, 10)

/** The working day that lies `days` working days after a day. */
export function workDayAfter(rest: RestDays, from: string, days: number): string {
  let day = from
  for (let left = days; left > 0; ) {
    day = next(day)
    if (!isRestDate(rest, day)) left -= 1
  }
  return day
}

/** Working days after `from` up to and including `to`; negative when `to` lies before. */
export function workDaysBetween(rest: RestDays, from: string, to: string): number {
  const [low, high, sign] = from <= to ? [from, to, 1] : [to, from, -1]
  let n = 0
  for (let day = next(low); day <= high; day = next(day)) if (!isRestDate(rest, day)) n += 1
  return n === 0 ? 0 : n * sign
}

/** Working days for which the deadline stood still up to `today`. */
export const pausedDays = (rest: RestDays, pauses: readonly Pause[], today: string): number =>
  pauses.reduce((n, one) => n + Math.max(0, workDaysBetween(rest, one.from, one.to ?? today)), 0)

/** The last day of the term that began on `from`. */
export const dueAfter = (rest: RestDays, from: string, pauses: readonly Pause[], today: string, days = workDays): string =>
  workDayAfter(rest, from, days + pausedDays(rest, pauses, today))
