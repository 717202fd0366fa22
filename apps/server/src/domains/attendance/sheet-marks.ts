import type { DayResult } from '@zhugong/contract/attendance/facts'
import { decodeCell, worstOf } from '@zhugong/contract/attendance/sheet'

const marks: Record<number, string> = { 1: '√', 2: '迟', 3: '早', 4: '缺', 5: '×', 6: '假', 7: '加', 8: '停', 9: '夜', 12: '暂' }
/** Text of a printed cell: the worst result, plus marks for late data and corrections. */
export function markOf(text: string | undefined): string {
  const cell = decodeCell(text ?? '')
  if (!cell) return '—'
  return marksOf(cell.results, cell.attended)
}

export function marksOf(results: readonly DayResult[], attended: boolean): string {
  const worst = worstOf(results)
  const mark = worst ? (marks[worst] ?? '') : attended ? '√' : ''
  return `${mark}${results.includes(10) ? '补' : ''}${results.includes(11) ? '改' : ''}`
}
