import type { PlaceRow } from '@zhugong/contract/attendance/facts'
import { dayMs } from '@zhugong/contract/kit/time'
import { daysOf, type Evaluation, type Facts } from './day.ts'
import type { Passage } from './pairing.ts'
import { percentOf } from './rate.ts'

/** A58: whether the person has entered and not exited now. */
export const isInPlaceNow = (rows: readonly PlaceRow[], now: number): boolean =>
  rows.some((r) => r.entryTime <= now && (r.exitTime === null || now < r.exitTime))

/** A59: whether a person in place has at least one counted record in the current work day. */
export function attendedToday(facts: Facts, evaluation: Evaluation): boolean {
  const today = evaluation.calendar.workDayOf(facts.now)
  return isInPlaceNow(facts.worker.rows, facts.now) && daysOf(facts, evaluation, today, today)[0]?.firstIn != null
}

/** A60: maximum presence; an older entry is more likely a missed exit. */
const onDutyMs = dayMs

/**
 * A60 from the last passage alone, so that nothing else must be stored. True for an entry at most 24 h old by event time, unless the
 * person was cleared at or after it.
 */
export function isInside(last: Pick<Passage, 'direction' | 'time'> | undefined, lastClearedAt: number | undefined, now: number): boolean {
  if (last?.direction !== '01' || now - last.time > onDutyMs) return false
  return lastClearedAt === undefined || lastClearedAt < last.time
}

/** A60. In doubt the person counts as inside, because rescue teams use the list. */
export const isOnDuty = (facts: Facts, evaluation: Evaluation): boolean =>
  isInPlaceNow(facts.worker.rows, facts.now) && isInside(evaluation.passages.at(-1), evaluation.clearedAt.at(-1), facts.now)

/** A61: percentage of expected people who came, two decimals; null if nobody is expected. */
export const attendanceRate = (arrived: number, expected: number): number | null => percentOf(arrived, expected)
