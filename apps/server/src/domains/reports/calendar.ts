import { isoWeekdayOf, isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { reportPeriods } from '@zhugong/contract/reports/endpoints'
import { addDays, formatDay, startOfDay } from '#kit/clock'

/** Days yyyy-MM-dd in Beijing time, both inclusive. */
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

/** The last day, week, month or quarter that ended before the given day. */
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

/** The preceding period of the same kind, for comparison. */
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

/** Search limit: a weekly report whose day is always skipped never runs, so its setup is refused. */
const farthestDays = 500
/** The longest run of rest days that postpones a report: the spring festival plus additional site holidays. */
const longestRest = 60

/** The first working day from a day on; the day itself if the calendar has none within the limit. */
function workDayFrom(rest: RestDays, day: string): string {
  for (let ahead = 0; ahead < longestRest; ahead++) if (!isRestDate(rest, addDays(day, ahead))) return addDays(day, ahead)
  return day
}

/** The next sending time after a moment, by the group's working calendar; undefined if all its days are skipped. */
export function nextTurn(rhythm: Rhythm, after: number, rest: RestDays): Date | undefined {
  const [hours = 0, minutes = 0] = rhythm.sendAt.split(':').map(Number)
  // A run postponed by a holiday may have been due some days before.
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
