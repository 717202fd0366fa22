import type { DayResult } from './facts.ts'

/*
 * A month's sheet has 31 cells for each of a thousand people: a cell travels as one short text
 * `results|hours|first in|last out|flags`, e.g. `1|9.5|0644|1732|`. Empty = not in place.
 */

export interface SheetCell {
  results: DayResult[]
  workHours: number
  /** HHmm */
  firstIn: string
  lastOut: string
  /** It was a day of attendance. */
  attended: boolean
  /** Not yet settled. */
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

/** The day is before the site's first attendance records: unknown, not an absence. */
export const isUnkept = (cell: string | undefined, date: string, keptFrom: string | null): boolean =>
  !cell && (keptFrom === null || date < keptFrom)

/** Which of several results stands for the day: the worst; the others are told beside it. */
const worstFirst: readonly DayResult[] = [5, 4, 2, 3, 6, 8, 12, 7, 9, 1]
export const worstOf = (results: readonly DayResult[]): DayResult | undefined => worstFirst.find((r) => results.includes(r))
/** Results somebody has to look into. */
export const faults: readonly DayResult[] = [2, 3, 4, 5]
