import type { DayResult } from './facts.ts'

/**
 * A month's sheet has 31 cells for each of a thousand people, so a cell is encoded as one short text `results|hours|first in|last
 * out|flags`, for example `1|9.5|0644|1732|`. Empty: the person was not on the site's books.
 */

export interface SheetCell {
  results: DayResult[]
  workHours: number
  /** HHmm */
  firstIn: string
  lastOut: string
  /** The day counts as an attendance day. */
  attended: boolean
  /** The day has not settled yet. */
  open: boolean
  expected: boolean
}

export function encodeCell(c: SheetCell): string {
  const flags = `${c.attended ? 'a' : ''}${c.open ? 'o' : ''}${c.expected ? 'e' : ''}`
  return `${c.results.join('.')}|${c.workHours || ''}|${c.firstIn}|${c.lastOut}|${flags}`
}

export function decodeCell(text: string): SheetCell | undefined {
  if (text === '') return undefined
  const [results = '', hours = '', firstIn = '', lastOut = '', flags = ''] = text.split('|')
  return {
    results: results === '' ? [] : (results.split('.').map(Number) as DayResult[]),
    workHours: Number(hours || 0),
    firstIn,
    lastOut,
    attended: flags.includes('a'),
    open: flags.includes('o'),
    expected: flags.includes('e'),
  }
}

/** The day is before the first attendance records of the site: unknown, not an absence. */
export const isUnkept = (cell: string | undefined, date: string, keptFrom: string | null): boolean =>
  !cell && (keptFrom === null || date < keptFrom)

/** The order in which one of several results is displayed: the worst comes first, the others are listed beside it. */
const worstFirst: readonly DayResult[] = [5, 4, 2, 3, 6, 8, 12, 7, 9, 1]
export const worstOf = (results: readonly DayResult[]): DayResult | undefined => worstFirst.find((r) => results.includes(r))
/** Results that somebody has to check. */
export const faults: readonly DayResult[] = [2, 3, 4, 5]
