import { answerWorkingDays } from '@zhugong/contract/labour/black-codes'
import { addDays, formatDay } from '#kit/clock'

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

/** The last day on which the one concerned may answer: working days after he was told, Monday to Friday. */
export function answerUntil(notified: Date): string {
  let day = formatDay(notified)
  for (let left = answerWorkingDays; left > 0; ) {
    day = addDays(day, 1)
    if (!isWeekend(day)) left--
  }
  return day
}

/** The same day some months later, the month's last where it has none. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}
