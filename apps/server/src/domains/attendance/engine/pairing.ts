import type { AttendanceEvent, Direction } from '@zhugong/contract/attendance/facts'
import type { Calendar } from './work-day.ts'

/** An event that counts, apart from its place, with corrections applied. */
export interface Sighting {
  event: AttendanceEvent
  key: string
  time: number
  /** Direction of the event (or its correction), else of the gate; null if it must be inferred. */
  known: Direction | null
  workDay: string
  inPlace: boolean
}

/** One passage: a record and its repeats. */
export interface Passage {
  direction: Direction
  inferred: boolean
  /** Time of the first record for an entry, of the last for an exit. */
  time: number
  /** Work day of the first record; the exit of a pair counts on the day of its entry. */
  workDay: string
  records: Sighting[]
  /** The other passage of a pair. */
  partner: Passage | undefined
}

/** A17: order within one second: out, in, unknown. */
const rank = (s: Sighting) => (s.known === '02' ? 0 : s.known === '01' ? 1 : 2)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
export const bySequence = (a: Sighting, b: Sighting): number =>
  a.time - b.time || rank(a) - rank(b) || compare(a.event.gate, b.event.gate) || compare(a.key, b.key)

/**
 * A17-A23. An exit pairs with the entry directly before it, if within the maximum span. So a pair depends on two consecutive passages
 * only, and a day only on its neighbours.
 */
export function passagesOf(sightings: readonly Sighting[], calendar: Calendar): Passage[] {
  const passages: Passage[] = []
  let current: Passage | undefined

  const ruleOf = (p: Passage) => calendar.ruleOn(p.workDay, calendar.teamAt(p.records[0]!.time))
  const repeats = (p: Passage, s: Sighting) => s.time - p.records.at(-1)!.time <= ruleOf(p).repeatMs
  const withinSpan = (entry: Passage, at: number) => at - entry.time <= ruleOf(entry).maxSpanMs

  /** A18. Inference does not cross the day cut or an exit, so one missed record cannot invert the next day. */
  function infer(s: Sighting): Direction {
    if (!current) return '01'
    if (repeats(current, s) && current.records.at(-1)!.workDay === s.workDay) return current.direction
    return current.direction === '01' && current.workDay === s.workDay && withinSpan(current, s.time) ? '02' : '01'
  }

  for (const s of [...sightings].sort(bySequence)) {
    const direction = s.known ?? infer(s)
    const joins = current !== undefined && current.direction === direction && repeats(current, s)
    if (!s.inPlace && !(direction === '02' && endsPair(s, joins))) continue
    if (joins && current) {
      current.records.push(s)
      if (direction === '02') current.time = s.time
    } else {
      current = { direction, inferred: s.known === null, time: s.time, workDay: s.workDay, records: [s], partner: undefined }
      passages.push(current)
    }
  }

  /** A13: when the person is not in place, only an exit counts that closes a pair begun in place. */
  function endsPair(s: Sighting, joins: boolean): boolean {
    const entry = joins ? passages.at(-2) : current
    return entry?.direction === '01' && withinSpan(entry, s.time)
  }

  // Pairs are made after all passages are complete, because an exit's time is that of its last record.
  for (const [i, exit] of passages.entries()) {
    const entry = passages[i - 1]
    if (exit.direction === '02' && entry?.direction === '01' && withinSpan(entry, exit.time)) {
      exit.partner = entry
      entry.partner = exit
    }
  }
  return passages
}

/** The work day for which a passage counts. */
export const assignedDay = (p: Passage): string => (p.direction === '02' && p.partner ? p.partner.workDay : p.workDay)
