import { decodeCell, encodeCell, isUnkept, type SheetCell } from '@zhugong/contract/attendance/sheet'
import { expect, test } from 'vitest'
import { dayWords, legend, markOf, shiftDate, visibleRows } from './sheet-mark.ts'

const cell = (over: Partial<SheetCell>): SheetCell => ({
  results: [],
  workHours: 0,
  firstIn: '',
  lastOut: '',
  attended: false,
  open: false,
  expected: true,
  ...over,
})

test.each([
  [cell({ results: [1], attended: true }), '✓'],
  [cell({ results: [2, 4], attended: true }), '缺'],
  [cell({ results: [2, 3], attended: true }), '迟'],
  [cell({ results: [5] }), '✕'],
  [cell({ results: [1, 7], attended: true }), '加'],
  [cell({ results: [1, 10], attended: true }), '✓'],
  [cell({ attended: true, open: true }), '✓'],
  [cell({ expected: false }), ''],
  [undefined, '–'],
])('the worst result stands in the cell: %o', (given, text) => {
  expect(markOf(given, false).text).toBe(text)
})

test('the future is empty, whoever is in place', () => {
  expect(markOf(undefined, true).text).toBe('')
})

test('a cell travels as one text', () => {
  const given = cell({ results: [1, 10], workHours: 9.5, firstIn: '0644', lastOut: '1732', attended: true, expected: true })
  expect(decodeCell(encodeCell(given))).toEqual(given)
  expect(decodeCell('')).toBeUndefined()
})

test('dates are calendar dates, over the ends of months and years', () => {
  expect(shiftDate('2026-12-31', 1)).toBe('2027-01-01')
  expect(shiftDate('2028-03-01', -1)).toBe('2028-02-29')
  expect(dayWords('2026-11-06')).toBe('11 月 6 日 星期五')
})

test('only rows near the window are drawn', () => {
  expect(visibleRows(0, 280, 28, 1000)).toEqual([0, 18])
  expect(visibleRows(2800, 280, 28, 1000)).toEqual([92, 118])
  expect(visibleRows(99_999, 280, 28, 50)).toEqual([42, 50])
})

const wordsOf = (cell: string, date: string, keptFrom: string | null) => markOf(decodeCell(cell), false, isUnkept(cell, date, keptFrom))

test('a day before the site kept its days is blank; one out of place says so', () => {
  expect(wordsOf('', '2026-10-13', '2026-10-14')).toMatchObject({ text: '', words: '当日尚未开始记录考勤' })
  expect(wordsOf('', '2026-10-14', '2026-10-14')).toMatchObject({ text: '–', words: '不在场' })
  expect(wordsOf('', '2026-10-14', null)).toMatchObject({ text: '' })
  expect(wordsOf('1|9.5|0644|1732|a', '2026-10-13', '2026-10-14')).toMatchObject({ text: '✓' })
})

test('a suspended day has a mark of its own, which the legend explains', () => {
  expect(markOf(decodeCell('12||||'), false)).toMatchObject({ text: '暂', words: '暂停作业' })
  expect(legend.map((one) => one.text)).toContain('暂')
})
