import { reportPeriods } from '@zhugong/contract/reports/endpoints'
import { addDays, formatDay, startOfDay } from '#kit/clock'

/** yyyy-MM-dd of Beijing, both inclusive. */
export interface Period {
  from: string
  to: string
}

/** 1 Monday to 7 Sunday. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7
const isWeekend = (day: string): boolean => weekdayOf(day) > 5
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
      const monday = addDays(day, 1 - weekdayOf(day))
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
      return weekdayOf(day) === weekday
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

/** When it goes out next after a moment; undefined when its days are all skipped. */
export function nextTurn(rhythm: Rhythm, after: number): Date | undefined {
  const [hours = 0, minutes = 0] = rhythm.sendAt.split(':').map(Number)
  // A turn that was put off from the weekend began up to two days before.
  for (let ahead = -2; ahead < farthestDays; ahead++) {
    const day = addDays(formatDay(after), ahead)
    if (!isTurn(rhythm, day) || (isWeekend(day) && rhythm.weekend === 'skip')) continue
    const sent = isWeekend(day) && rhythm.weekend === 'monday' ? addDays(day, 8 - weekdayOf(day)) : day
    const at = startOfDay(sent) + (hours * 60 + minutes) * 60_000
    if (at > after) return new Date(at)
  }
  return undefined
}
