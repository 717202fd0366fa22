import { hourMs } from '@zhugong/contract/kit/time'
import type { Evaluation } from './day.ts'
import { addDays, startOf } from './time.ts'

export interface HourFigures {
  /** 00-23: the local hour [h:00, h+1:00). */
  hour: string
  inCount: number
  outCount: number
  /** People inside at the end of the hour. */
  onDuty: number
}

interface Presence {
  start: number
  /** Inclusive. */
  end: number
}

/** A62: the person is inside during a pair, and after an unpaired entry until the next passage or the maximum span. */
export function presenceOf(evaluation: Evaluation): Presence[] {
  const { passages, calendar } = evaluation
  return passages.flatMap((p, i) => {
    if (p.direction === '02') return []
    if (p.partner) return [{ start: p.time, end: p.partner.time }]
    const longest = p.time + calendar.ruleOn(p.workDay, calendar.teamAt(p.records[0]!.time)).maxSpanMs
    return [{ start: p.time, end: Math.min(longest, passages[i + 1]?.time ?? longest) }]
  })
}

/**
 * A62: 24 rows in the order of the work day. `people` are the persons of one unit, each counted once. Future hours are empty; the
 * current hour shows who is inside now.
 */
export function byHour(people: readonly Evaluation[], workDay: string, dayCutMs: number, now: number): HourFigures[] {
  const firstHour = Math.floor(dayCutMs / hourMs)
  const from = startOf(workDay)
  const near = (at: number) => at >= from && at < from + 48 * hourMs
  // Limits the facts of a year to these two dates before the search by hour.
  const passages = people.flatMap((e) => e.passages.filter((p) => near(p.time)))
  const presences = people.map((e) => presenceOf(e).filter((s) => s.end > from && s.start < from + 48 * hourMs))
  return Array.from({ length: 24 }, (_, i) => {
    const h = (firstHour + i) % 24
    const begin = startOf(h < firstHour ? addDays(workDay, 1) : workDay) + h * hourMs
    const end = begin + hourMs
    const at = Math.min(end, now)
    const counted = (direction: string) => passages.filter((p) => p.direction === direction && p.time >= begin && p.time < end).length
    const inside = (spans: readonly Presence[]) => spans.some((s) => s.start < at && at <= s.end)
    return {
      hour: String(h).padStart(2, '0'),
      inCount: counted('01'),
      outCount: counted('02'),
      onDuty: begin >= now ? 0 : presences.filter(inside).length,
    }
  })
}
