import { addDays } from '#kit/clock'

/** The same day `months` later (yyyy-MM-dd); the last of the month where that has fewer days. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const at = year * 12 + month - 1 + months
  const first = `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}-01`
  const wanted = addDays(first, date - 1)
  return wanted.slice(0, 7) === first.slice(0, 7) ? wanted : addDays(`${nextMonth(first)}-01`, -1)
}
const nextMonth = (first: string) => addDays(first, 31).slice(0, 7)
