import type { PlaceRow } from '@zhugong/contract/attendance/facts'
import { addDays, dateOf } from './time.ts'

/** A14: rows whose dates touch or overlap, sorted by entry. `last` is null while the person is present. */
export interface Stay {
  first: string
  last: string | null
  rows: PlaceRow[]
}

const later = (a: string | null, b: string | null) => (a === null || b === null ? null : a > b ? a : b)

export function staysOf(rows: readonly PlaceRow[]): Stay[] {
  const stays: Stay[] = []
  for (const row of [...rows].sort(byEntry)) {
    const first = dateOf(row.entryTime)
    const last = row.exitTime === null ? null : dateOf(row.exitTime)
    const stay = stays.at(-1)
    if (stay && (stay.last === null || first <= addDays(stay.last, 1))) {
      stay.rows.push(row)
      stay.last = later(stay.last, last)
    } else {
      stays.push({ first, last, rows: [row] })
    }
  }
  return stays
}

/** Rows that begin in the same second are ordered by content, so that the result does not depend on their order in the input. */
const byEntry = (a: PlaceRow, b: PlaceRow) =>
  a.entryTime - b.entryTime ||
  (a.exitTime ?? Number.MAX_SAFE_INTEGER) - (b.exitTime ?? Number.MAX_SAFE_INTEGER) ||
  compare(`${a.corpCode}|${a.teamSysNo}`, `${b.corpCode}|${b.teamSysNo}`)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const holds = (stay: Stay, date: string) => stay.first <= date && (stay.last === null || date <= stay.last)

/** A13: the stay that covers a work day, both ends inclusive. Every date within a stay is covered. */
export const stayOn = (stays: readonly Stay[], workDay: string): Stay | undefined => stays.find((stay) => holds(stay, workDay))

/** A13: why an event outside all stays does not count. */
export function outOfPlace(stays: readonly Stay[], workDay: string): 'notEntered' | 'exited' {
  return stays.some((stay) => stay.first <= workDay) ? 'exited' : 'notEntered'
}

/** A38: the row entered last applies; before the first row, the first. */
export function rowAt(stay: Stay, at: number): PlaceRow {
  let current = stay.rows[0]!
  for (const row of stay.rows) if (row.entryTime <= at) current = row
  return current
}
