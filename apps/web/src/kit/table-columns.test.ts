import { endpoint } from '@zhugong/contract/kit/endpoint'
import { paged, pageQuery, text } from '@zhugong/contract/kit/fields'
import { listOf, sortBy } from '@zhugong/contract/kit/list'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ColumnOf, fitting, widthOf } from './table-columns.tsx'
import { plainWords } from './table-filter-line.tsx'

const shelves = listOf(
  endpoint({
    method: 'GET',
    path: '/api/v1/shelf',
    summary: '货架',
    needs: 'self',
    answers: 'list',
    query: pageQuery.extend({ name: text(20).optional(), place: text(20).optional(), sort: sortBy('name', 'height') }),
    response: paged(z.object({ name: z.string(), height: z.number(), place: z.string() })),
  }),
  { feature: 'shelf', columns: { name: '名称', height: '高度', place: '位置' } },
)
type Shelf = ColumnOf<typeof shelves>

test('a column takes only names that the list has', () => {
  const good: Shelf[] = [
    { key: 'name', sort: true, filter: 'text', value: (row) => row.name },
    { key: 'height', sort: 'height', filter: 'text', filterKey: 'place', value: (row) => row.height },
    { key: 'place', value: (row) => row.place },
  ]
  // @ts-expect-error a column that the list does not have: add it to the list's columns
  const noColumn: Shelf = { key: 'colour', value: () => '' }
  // @ts-expect-error the list does not filter by height: add it to the query, or name another filter
  const noFilter: Shelf = { key: 'height', filter: 'text', value: (row) => row.height }
  // @ts-expect-error nor may it filter by an undeclared name
  const noFilterName: Shelf = { key: 'height', filter: 'text', filterKey: 'heigth', value: (row) => row.height }
  // @ts-expect-error the list does not sort by place: add it to `sortBy`
  const noSort: Shelf = { key: 'place', sort: true, value: (row) => row.place }
  // @ts-expect-error rows have no width
  const noField: Shelf = { key: 'place', value: (row) => row.width }
  expect(good.map((column) => column.key)).toEqual(Object.keys(shelves.columns))
  expect([noColumn, noFilter, noFilterName, noSort, noField]).toHaveLength(5)
})

const wide = (key: string, more: object = {}) => ({ key, title: '标题', width: 100, ...more })

test('a narrow screen gives up weak columns first, then the last ones, locked ones never', () => {
  const columns = [wide('a', { locked: true }), wide('b', { weak: true }), wide('c'), wide('d'), wide('e', { locked: true })]
  const keys = (room: number) => fitting(columns, room).map((column) => column.key)
  expect(keys(500)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(keys(400)).toEqual(['a', 'c', 'd', 'e'])
  expect(keys(399)).toEqual(['a', 'c', 'e'])
  expect(keys(10)).toEqual(['a', 'e'])
})

test('columns that are empty in every row give way before weak ones, and what one comes for after all others', () => {
  const columns = [wide('a', { locked: true }), wide('phone'), wide('b', { weak: true }), wide('c'), wide('state', { keeps: true })]
  const keys = (room: number) => fitting(columns, room, ({ key }) => key === 'phone').map((column) => column.key)
  expect(keys(500)).toEqual(['a', 'phone', 'b', 'c', 'state'])
  expect(keys(400)).toEqual(['a', 'b', 'c', 'state'])
  expect(keys(300)).toEqual(['a', 'c', 'state'])
  expect(keys(200)).toEqual(['a', 'state'])
  expect(keys(10)).toEqual(['a'])
})

test('a condition without words of its own is never told by its id', () => {
  expect(['01a2222d8dfd2deb182d8f6dcc1dff80', '2', 'effective'].map(plainWords)).toEqual(['已选', '已选', '已选'])
  expect(['钢筋一班', '2026-11-01,2026-11-30'].map(plainWords)).toEqual(['钢筋一班', '2026-11-01,2026-11-30'])
})

test('a head is never cut: its text, its arrows and its funnel have room', () => {
  expect(widthOf({ title: '近三十日出勤率', width: 60 })).toBeGreaterThanOrEqual(7 * 14)
  expect(widthOf({ title: '班组', width: 120, sort: true, filter: 'text' })).toBe(120)
  expect(widthOf({ title: '班组名称', width: 60, sort: true, filter: 'text' })).toBeGreaterThan(widthOf({ title: '班组名称', width: 60 }))
})
