import { expect, test } from 'vitest'
import { exportFileName, isFiltered } from './file-name.ts'

const named = (query: Record<string, unknown>) => exportFileName('考勤', query, '2026-11-28', 'xlsx')

test('a file is named by the period of its content, and by the day it was taken where it has none', () => {
  expect(named({ month: '2026-10', projectCode: 'P' })).toBe('考勤_2026-10.xlsx')
  expect(named({ date: '2026-11-27' })).toBe('考勤_2026-11-27.xlsx')
  expect(named({ asOf: '2026-10-31', range: 'present' })).toBe('考勤_2026-10-31.xlsx')
  expect(named({ time: '2026-11-01 00:00:00,2026-11-07 23:59:59' })).toBe('考勤_2026-11-01至2026-11-07.xlsx')
  expect(named({ from: '2026-11-01', to: '2026-11-01' })).toBe('考勤_2026-11-01.xlsx')
  // With two periods, the file name contains none.
  expect(named({ entryTime: '2026-11-01,2026-11-07', exitTime: '2026-11-01,2026-11-07' })).toBe('考勤_2026-11-28.xlsx')
  expect(named({})).toBe('考勤_2026-11-28.xlsx')
})

test('order, page, place and period are no filters', () => {
  expect(isFiltered({ page: 1, sort: '-name', projectCode: 'P', month: '2026-10', results: [] })).toBe(false)
  expect(isFiltered({ view: 'roster', asOf: '2026-10-31', range: 'present' })).toBe(false)
  expect(isFiltered({ month: '2026-10', name: '张' })).toBe(true)
})
