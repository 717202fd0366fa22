import { isoWeekdayOf, isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { reportPeriods } from '@zhugong/contract/reports/endpoints'
import { addDays, formatDay, startOfDay } from '#kit/clock'

/** yyyy-MM-dd of Beijing, both inclusive. */
export interface Period {
  from: string
  to: string
}

const monthOf = (day: string, back: number): string => {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() - back)
  return at.toISOString().slice(0, 10)
}
const quarterMonths = 3

/** The last day, week, month or quarter that is over on a day. */
export function periodBefore(reportType: string, day: string): Period {
  switch (reportType) {
    case reportPeriods.week: {
      const monday = addDays(day, 1 - isoWeekdayOf(day))
      return { from: addDays(monday, -7), to: addDays(monday, -1) }
    }
    case reportPeriods.month:
      return { from: monthOf(day, 1), to: addDays(monthOf(day, 0), -1) }
    case reportPeriods.quarter: {
      const into = (Number(day.slice(5, 7)) - 1) % quarterMonths
      return { from: monthOf(day, into + quarterMonths), to: addDays(monthOf(day, into), -1) }
    }
    default:
      return { from: addDays(day, -1), to: addDays(day, -1) }
  }
}

/** The one before it, of the same kind: what figures are held against. */
export const periodEarlier = (reportType: string, period: Period): Period => periodBefore(reportType, period.from)

export interface Rhythm {
  reportType: string
  sendAt: string
  weekday: number
  monthday: number
  weekend: 'send' | 'skip' | 'monday'
}

function isTurn({ reportType, weekday, monthday }: Rhythm, day: string): boolean {
  switch (reportType) {
    case reportPeriods.week:
      return isoWeekdayOf(day) === weekday
    case reportPeriods.month:
      return Number(day.slice(8)) === monthday
    case reportPeriods.quarter:
      return Number(day.slice(8)) === monthday && (Number(day.slice(5, 7)) - 1) % quarterMonths === 0
    default:
      return true
  }
}

/** Weeks whose day is skipped never come; whoever sets it up is refused. */
const farthestDays = 500
/** The longest rest in a row that a report waits out: the spring festival with what sites add to it. */
const longestRest = 60

/** The first working day from a day on. A calendar without one puts nothing off. */
function workDayFrom(rest: RestDays, day: string): string {
  for (let ahead = 0; ahead < longestRest; ahead++) if (!isRestDate(rest, addDays(day, ahead))) return addDays(day, ahead)
  return day
}

/** When it goes out next after a moment, by the working calendar of its group; undefined when its days are all skipped. */
export function nextTurn(rhythm: Rhythm, after: number, rest: RestDays): Date | undefined {
  const [hours = 0, minutes = 0] = rhythm.sendAt.split(':').map(Number)
  // A turn that was put off from a holiday began some days before.
  for (let ahead = -longestRest; ahead < farthestDays; ahead++) {
    const day = addDays(formatDay(after), ahead)
    const rests = isRestDate(rest, day)
    if (!isTurn(rhythm, day) || (rests && rhythm.weekend === 'skip')) continue
    const sent = rests && rhythm.weekend === 'monday' ? workDayFrom(rest, day) : day
    const at = startOfDay(sent) + (hours * 60 + minutes) * 60_000
    if (at > after) return new Date(at)
  }
  return undefined
}
