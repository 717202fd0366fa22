import { isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { answerWorkingDays } from '@zhugong/contract/labour/black-codes'
import { addDays, formatDay } from '#kit/clock'

/** A calendar without working days ends the term after this many days all the same. */
const longestDays = 60

/** The last day on which the one concerned may answer: working days of the deployment's calendar after he was told. */
export function answerUntil(notified: Date, rest: RestDays): string {
  const told = formatDay(notified)
  let day = told
  for (let left = answerWorkingDays; left > 0 && day < addDays(told, longestDays); ) {
    day = addDays(day, 1)
    if (!isRestDate(rest, day)) left--
  }
  return day
}

/** The same day some months later, the month's last where it has none. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}
