import { isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'

const without = (dates: readonly string[], date: string) => dates.filter((one) => one !== date)

/** Toggles a date between work and rest. Dates that agree with the weekday rule are not stored. */
export function toggled(rest: RestDays, date: string): RestDays {
  const plain = { ...rest, restDates: without(rest.restDates, date), workDates: without(rest.workDates, date) }
  if (isRestDate(plain, date) !== isRestDate(rest, date)) return plain
  return isRestDate(rest, date)
    ? { ...plain, workDates: [...plain.workDates, date].sort() }
    : { ...plain, restDates: [...plain.restDates, date].sort() }
}

/** Number of rest days in a month (yyyy-MM). */
export function restDaysInMonth(rest: RestDays, month: string): number {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate()
  return Array.from({ length: last }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`).filter((date) => isRestDate(rest, date))
    .length
}

const weekdays = (days: readonly number[]): string =>
  days.length === 0
    ? '无固定休息'
    : days
        .toSorted()
        .map((day) => `周${'一二三四五六日'[day - 1]}`)
        .join('、')

/** For example 周六、周日休息，另休 2026-10-01，调班 2026-10-10 */
export const restWords = ({ restWeekdays, restDates, workDates }: RestDays): string =>
  [
    restWeekdays.length ? `${weekdays(restWeekdays)}休息` : weekdays([]),
    ...(restDates.length ? [`另休 ${restDates.toSorted().join('、')}`] : []),
    ...(workDates.length ? [`调班 ${workDates.toSorted().join('、')}`] : []),
  ].join('，')
