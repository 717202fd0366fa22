import { decodeCell, worstOf } from '@zhugong/contract/attendance/sheet'

const marks: Record<number, string> = { 1: '√', 2: '迟', 3: '早', 4: '缺', 5: '×', 6: '假', 7: '加', 8: '停', 9: '夜' }
/** A cell as it is printed: the worst result, late data and corrections beside it. */
export function markOf(text: string | undefined): string {
  const cell = decodeCell(text ?? '')
  if (!cell) return '—'
  const worst = worstOf(cell.results)
  const mark = worst ? (marks[worst] ?? '') : cell.attended ? '√' : ''
  return `${mark}${cell.results.includes(10) ? '补' : ''}${cell.results.includes(11) ? '改' : ''}`
}
