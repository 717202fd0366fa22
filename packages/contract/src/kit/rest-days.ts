import { z } from 'zod'
import { day } from './fields.ts'

/** Which days are days of rest: weekdays by a pattern, and the dates that differ from it. */

export const restDates = z.array(day).max(400, '休息日过多')

/** Make-up days: worked although their weekday rests. */
export const workDates = z.array(day).max(400, '调班工作日过多')

/** ISO weekdays, 1 = Monday to 7 = Sunday, each once. */
export const restWeekdays = z
  .array(z.literal([1, 2, 3, 4, 5, 6, 7], '每周休息应为星期一至星期日'))
  .refine((days) => new Set(days).size === days.length, '每周休息重复')

export const restDays = z.object({ restDates, restWeekdays, workDates })
export type RestDays = z.output<typeof restDays>

/** Where nobody has said otherwise: Saturday and Sunday. */
export const weekends: RestDays = { restWeekdays: [6, 7], restDates: [], workDates: [] }

/** ISO weekday of a calendar date: 1 = Monday to 7 = Sunday. */
export const isoWeekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** Whether nobody is due on a date: a rest date is named, or its weekday rests and nothing is made up on it. */
export const isRestDate = (s: RestDays, date: string): boolean =>
  s.restDates.includes(date) || (s.restWeekdays.some((weekday) => weekday === isoWeekdayOf(date)) && !s.workDates.includes(date))
