import { expect, test } from 'vitest'
import { cacheKeyOf, type PageEntry, pageFinder } from './pages.ts'

const entry = (path: string, more: Partial<PageEntry> = {}): PageEntry => ({
  path,
  name: path,
  title: path,
  keepAlive: false,
  module: 'test',
  load: () => Promise.reject(new Error('not loaded in tests')),
  ...more,
})
const list = entry('/teams', { keepAlive: true, aliases: ['/teamSystem/list'] })
const detail = entry('/teams/:id')
const fixed = entry('/teams/new')
const find = pageFinder([detail, list, fixed])

test('fixed paths win over those with parts', () => {
  expect(find('/teams/new')?.entry).toBe(fixed)
  expect(find('/teams/7%2F8')).toEqual({ entry: detail, params: { id: '7/8' } })
  expect(find('/teamSystem/list')?.entry).toBe(list)
  expect(find('/teams/')?.entry).toBe(list)
  expect(find('/Teams')).toBeUndefined()
  expect(find('/teams/%E0%A4%A')?.params).toEqual({ id: '%E0%A4%A' })
})

test.each([
  [list, 'page=2&id=1', '/teams'],
  [detail, 'tab=a&page=3', '/teams'],
  [detail, 'page=3&workerId=9&id=1', '/teams?id=1&workerId=9'],
])('key of a page', (page, query, key) => expect(cacheKeyOf(page, '/teams', new URLSearchParams(query))).toBe(key))
