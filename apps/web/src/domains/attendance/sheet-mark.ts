import { type DayResult, dayResults } from '@zhugong/contract/attendance/facts'
import { type SheetCell, worstOf } from '@zhugong/contract/attendance/sheet'

/** Mark in a cell: a character and its style. Normal days are unobtrusive; no meaning is given by colour alone. */
export interface Mark {
  text: string
  look: 'ok' | 'amber' | 'red' | 'absent' | 'leave' | 'over' | 'stop' | 'night' | 'out' | 'none'
  words: string
}

const markOfResult: Record<DayResult, Pick<Mark, 'text' | 'look'> | undefined> = {
  1: { text: '✓', look: 'ok' },
  2: { text: '迟', look: 'amber' },
  3: { text: '早', look: 'amber' },
  4: { text: '缺', look: 'red' },
  5: { text: '✕', look: 'absent' },
  6: { text: '假', look: 'leave' },
  7: { text: '加', look: 'over' },
  8: { text: '停', look: 'stop' },
  9: { text: '夜', look: 'night' },
  10: undefined,
  11: undefined,
  12: { text: '暂', look: 'stop' },
}

/** The cell shows the worst of several results; its text lists all. */
export function markOf(cell: SheetCell | undefined, isFuture: boolean, isUnkept = false): Mark {
  if (isFuture) return { text: '', look: 'none', words: '' }
  if (isUnkept) return { text: '', look: 'none', words: '当日尚未开始记录考勤' }
  if (!cell) return { text: '–', look: 'out', words: '不在场' }
  const words = cell.results.map((r) => dayResults[r]).join('、')
  const worst = worstOf(cell.results)
  const mark = worst && markOfResult[worst]
  if (mark) return { ...mark, words }
  if (cell.attended) return { text: '✓', look: 'ok', words: cell.open ? '已到，当日未结束' : '出勤' }
  return { text: '', look: 'none', words: words || (cell.open && cell.expected ? '尚未到' : '无考核') }
}

export const legend: readonly Mark[] = [
  { text: '✓', look: 'ok', words: '正常' },
  { text: '迟', look: 'amber', words: '迟到' },
  { text: '早', look: 'amber', words: '早退' },
  { text: '缺', look: 'red', words: '缺卡' },
  { text: '✕', look: 'absent', words: '缺勤' },
  { text: '假', look: 'leave', words: '请假' },
  { text: '加', look: 'over', words: '加班' },
  { text: '夜', look: 'night', words: '夜班' },
  { text: '停', look: 'stop', words: '停工' },
  { text: '暂', look: 'stop', words: '暂停作业' },
]

const weekdays = ['日', '一', '二', '三', '四', '五', '六'] as const
/** Weekday of a date; a work day is a calendar date, so time zones do not matter. */
export const weekdayOf = (date: string): string => weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''

export function shiftDate(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Number of days from one date to another, both included. */
export const daysIn = (from: string, to: string): number =>
  Math.max(1, Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1)

/** 2026-11-06 -> 11 月 6 日 星期五 */
export const dayWords = (date: string): string => `${Number(date.slice(5, 7))} 月 ${Number(date.slice(8))} 日 星期${weekdayOf(date)}`

/** HHmm -> HH:mm, empty if empty. */
export const clockText = (hhmm: string): string => (hhmm ? `${hhmm.slice(0, 2)}:${hhmm.slice(2)}` : '')

/** Range of rows to render: the visible ones and `beyond` rows on either side, so that quick scrolling shows no gap. */
export function visibleRows(scrollTop: number, height: number, rowHeight: number, count: number, beyond = 8): [from: number, to: number] {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight)
  const shown = Math.ceil(height / rowHeight)
  return [Math.max(0, Math.min(first, count) - beyond), Math.min(count, first + shown + beyond)]
}
