import type { Day, DayResult, MonthTotals } from '@zhugong/contract/attendance/facts'

export const monthOf = (workDay: string): string => workDay.slice(0, 7)

/** Adds hours as integer tenths, so that a sheet adds up exactly. */
export const sumHours = (hours: readonly number[]): number => hours.reduce((total, h) => total + Math.round(h * 10), 0) / 10

/** The fields of a day needed for month totals. */
interface Judged {
  attendDay: number
  workHours: number
  overtimeHours: number
  results: readonly number[]
}

/** A52. `days` are those of one person and project; days not in place are omitted. */
export function totalsOf(days: readonly Judged[]): MonthTotals {
  const count = (result: DayResult) => days.filter((d) => d.results.includes(result)).length
  return {
    attendDays: days.reduce((total, d) => total + d.attendDay, 0),
    workHours: sumHours(days.map((d) => d.workHours)),
    late: count(2),
    early: count(3),
    missing: count(4),
    absent: count(5),
    leave: count(6),
    overtime: count(7),
    stop: count(8),
    night: count(9),
    lateData: count(10),
    corrected: count(11),
    overtimeHours: sumHours(days.map((d) => d.overtimeHours)),
  }
}

export function daysByMonth(days: readonly Day[]): Map<string, Day[]> {
  const byMonth = new Map<string, Day[]>()
  for (const d of days) byMonth.set(monthOf(d.workDay), [...(byMonth.get(monthOf(d.workDay)) ?? []), d])
  return byMonth
}

export interface UnitTotals {
  corpCode: string
  teamSysNo: string | null
  attendDays: number
  workHours: number
}

/** A53: a person who changed team or company is listed under each, with the days and hours worked there, so that columns add up. */
export function unitTotalsOf(days: readonly Day[]): UnitTotals[] {
  const units = new Map<string, UnitTotals>()
  for (const part of days.flatMap((d) => d.parts)) {
    const key = JSON.stringify([part.corpCode, part.teamSysNo])
    const unit = units.get(key) ?? { corpCode: part.corpCode, teamSysNo: part.teamSysNo, attendDays: 0, workHours: 0 }
    unit.attendDays += part.attendDay
    unit.workHours = sumHours([unit.workHours, part.workHours])
    units.set(key, unit)
  }
  return [...units.values()].sort((a, b) =>
    JSON.stringify([a.corpCode, a.teamSysNo]) < JSON.stringify([b.corpCode, b.teamSysNo]) ? -1 : 1,
  )
}

/** The work days of a month's sheet: 28 to 31. */
export function datesOfMonth(month: string): string[] {
  const [year, m] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))]
  const last = new Date(Date.UTC(year, m, 0)).getUTCDate()
  return Array.from({ length: last }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
}
