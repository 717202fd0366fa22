import type { PlaceRow } from '@zhugong/contract/attendance/facts'
import { dayMs } from '@zhugong/contract/kit/time'
import { daysOf, type Evaluation, type Facts } from './day.ts'
import type { Passage } from './pairing.ts'
import { percentOf } from './rate.ts'

/** A58: entered and not exited at this moment. */
export const isInPlaceNow = (rows: readonly PlaceRow[], now: number): boolean =>
  rows.some((r) => r.entryTime <= now && (r.exitTime === null || now < r.exitTime))

/** A59: at least one counted in this work day, of a person in place. */
export function attendedToday(facts: Facts, evaluation: Evaluation): boolean {
  const today = evaluation.calendar.workDayOf(facts.now)
  return isInPlaceNow(facts.worker.rows, facts.now) && daysOf(facts, evaluation, today, today)[0]?.firstIn != null
}

/** A60's longest stay inside: what is older is more likely a missed exit than a person. */
const onDutyMs = dayMs

/** A60 from the last passage alone, so that a store can keep just that: by event time, at most 24 h old, no clearing at or after it. */
export function isInside(last: Pick<Passage, 'direction' | 'time'> | undefined, lastClearedAt: number | undefined, now: number): boolean {
  if (last?.direction !== '01' || now - last.time > onDutyMs) return false
  return lastClearedAt === undefined || lastClearedAt < last.time
}

/** A60. It errs towards "still inside": it is what a rescue party reads. */
export const isOnDuty = (facts: Facts, evaluation: Evaluation): boolean =>
  isInPlaceNow(facts.worker.rows, facts.now) && isInside(evaluation.passages.at(-1), evaluation.clearedAt.at(-1), facts.now)

/** A61: how many of those expected came; percent, two decimals, null when nobody is expected. */
export const attendanceRate = (arrived: number, expected: number): number | null => percentOf(arrived, expected)
