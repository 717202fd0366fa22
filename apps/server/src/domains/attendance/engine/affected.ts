import type { Correction } from '@zhugong/contract/attendance/facts'
import { addDays, dateOf } from './time.ts'

/** The days a new fact may change. Recomputing too many is harmless; too few would leave a stale day. */
export interface DayRange {
  from: string
  to: string
}

const around = (first: string, last: string): DayRange => ({ from: addDays(first, -1), to: addDays(last, 1) })

/** A48: for an event or a correction of one: its work day and the neighbours. A corrected time has two work days. */
export function affectedByEvent(...workDays: readonly [string, ...string[]]): DayRange {
  const sorted = [...workDays].sort()
  return around(sorted[0]!, sorted.at(-1)!)
}

/** A48: for leave and stop days: the days themselves; undefined for kinds that concern an event. */
export function affectedByPeriod(c: Pick<Correction, 'fromDay' | 'toDay'>): DayRange | undefined {
  return c.fromDay === null || c.toDay === null ? undefined : { from: c.fromDay, to: c.toDay }
}

/**
 * A40: for an entry or exit that moved: all days between the old and the new date, plus one at each end. A stay that now touches its
 * neighbour changes which day was its last. An open end reaches to today.
 */
export function affectedByMove(before: number | null, after: number | null, today: string): DayRange {
  const dates = [before, after].map((at) => (at === null ? today : dateOf(at))).sort()
  return around(dates[0]!, dates[1]!)
}

/** A40: for a row that was added, removed or moved to another team: all of its days. @public */
export function affectedByRow(row: { entryTime: number; exitTime: number | null }, today: string): DayRange {
  return affectedByMove(row.entryTime, row.exitTime, today)
}

/** A48: for a state of the project: the days of all its people. A night shift begins the day before. */
export function affectedByState(from: number, until: number | null, today: string): DayRange {
  return { from: addDays(dateOf(from), -1), to: until === null ? today : dateOf(until) }
}

/**
 * A48: for a version of the setting, but never before the first open month. With another day cut the previous day ends at another time,
 * although its own version stays.
 */
export function affectedBySetting(effectiveFrom: string, cutChanged: boolean, firstOpenDay: string, today: string): DayRange | undefined {
  const first = cutChanged ? addDays(effectiveFrom, -1) : effectiveFrom
  const from = first < firstOpenDay ? firstOpenDay : first
  return from > today ? undefined : { from, to: today }
}

/** Events that a recomputation of the range must read: pairs reach one day, inference none, a changed cut half a day more. */
export const eventWindow = (range: DayRange): DayRange => ({ from: addDays(range.from, -2), to: addDays(range.to, 2) })
