/* Shanghai calendar arithmetic on epoch milliseconds: fixed +08:00, no daylight saving time, independent of the machine's time zone. */
import { dayMs, minuteMs, secondMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'

// Cache: a site's facts have a few hundred dates that are needed millions of times.
const dateByNumber = new Map<number, string>()
const startByDate = new Map<string, number>()
const maxKnown = 10_000

function dateNumbered(day: number): string {
  const known = dateByNumber.get(day)
  if (known !== undefined) return known
  if (dateByNumber.size > maxKnown) dateByNumber.clear()
  const date = new Date(day * dayMs).toISOString().slice(0, 10)
  dateByNumber.set(day, date)
  return date
}

/** The date (yyyy-MM-dd) of an instant. */
export const dateOf = (at: number): string => dateNumbered(Math.floor((at + shanghaiOffsetMs) / dayMs))
/** Epoch ms of the start of a date. */
export function startOf(date: string): number {
  const known = startByDate.get(date)
  if (known !== undefined) return known
  if (startByDate.size > maxKnown) startByDate.clear()
  const start = Date.parse(`${date}T00:00:00Z`) - shanghaiOffsetMs
  startByDate.set(date, start)
  return start
}
export const addDays = (date: string, days: number): string => dateNumbered((startOf(date) + shanghaiOffsetMs) / dayMs + days)
/** Calendar days from `from` to `to`; negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number => (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs
export const cutToSecond = (at: number): number => Math.floor(at / secondMs) * secondMs
/** yyyy-MM-dd HH:mm:ss */
export const textOf = (at: number): string => new Date(at + shanghaiOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
/** Local hour, 0-23. @public */
export const hourOf = (at: number): number => new Date(at + shanghaiOffsetMs).getUTCHours()

/** HH:mm as milliseconds since midnight; 24:00 is allowed. */
export function clockMs(clock: string): number {
  return (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))) * minuteMs
}

export function* datesFrom(from: string, to: string): Generator<string> {
  for (let date = from; date <= to; date = addDays(date, 1)) yield date
}
