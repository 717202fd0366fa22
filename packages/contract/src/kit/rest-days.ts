import { z } from 'zod'
import { day } from './fields.ts'

/** Days of rest: a weekly pattern, and the dates that differ from it. */

export const restDates = z.array(day).max(400, '休息日过多')

/** Make-up days: working days although their weekday is a day of rest. */
export const workDates = z.array(day).max(400, '调班工作日过多')

/** ISO weekdays, 1 = Monday to 7 = Sunday, without duplicates. */
export const restWeekdays = z
  .array(z.literal([1, 2, 3, 4, 5, 6, 7], '每周休息应为星期一至星期日'))
  .refine((days) => new Set(days).size === days.length, '每周休息重复')

export const restDays = z.object({ restDates, restWeekdays, workDates })
export type RestDays = z.output<typeof restDays>

/** The default: Saturday and Sunday. */
export const weekends: RestDays = { restWeekdays: [6, 7], restDates: [], workDates: [] }

/** ISO weekday of a calendar date: 1 = Monday to 7 = Sunday. */
export const isoWeekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** Whether a date is a day of rest: it is in `restDates`, or its weekday rests and it is not a make-up day. */
export const isRestDate = (s: RestDays, date: string): boolean =>
  s.restDates.includes(date) || (s.restWeekdays.some((weekday) => weekday === isoWeekdayOf(date)) && !s.workDates.includes(date))
