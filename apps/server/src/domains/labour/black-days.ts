import { isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { answerWorkingDays } from '@zhugong/contract/labour/black-codes'
import { addDays, formatDay } from '#kit/clock'

/** Upper limit of the term in days, in case a calendar has no working days. */
const longestDays = 60

/** Last day for a response: working days of the deployment's calendar after notification. */
export function answerUntil(notified: Date, rest: RestDays): string {
  const reported = formatDay(notified)
  let day = reported
  for (let left = answerWorkingDays; left > 0 && day < addDays(reported, longestDays); ) {
    day = addDays(day, 1)
    if (!isRestDate(rest, day)) left--
  }
  return day
}

/** The same day some months later; the last day of the month if it does not exist there. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}
