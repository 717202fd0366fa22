import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { FigureStrip } from './feedback.tsx'
import { FilterDropdown } from './filter-dropdown.tsx'
import type { ListPage } from './list.ts'
import { filterKinds } from './list-state.ts'
import { Pager } from './pager.tsx'
import { headed } from './table-columns.tsx'
import { VideoBox } from './viewers.tsx'

/** Initial markup of the controls; their behaviour is tested in e2e. */
const drawn = (control: ReactNode) => renderToStaticMarkup(<QueryClientProvider client={new QueryClient()}>{control}</QueryClientProvider>)

const nothing = () => undefined
const list: ListPage<object> = {
  of: undefined,
  rows: [],
  total: 1_234,
  page: 2,
  size: 20,
  sort: undefined,
  filters: {},
  tabs: [],
  query: {},
  setPage: nothing,
  setSize: nothing,
  setSort: nothing,
  setFilter: nothing,
  setFilters: nothing,
  clearFilters: nothing,
  refresh: nothing,
  loading: false,
  fetching: false,
  error: null,
}
const filter = (kind: (typeof filterKinds)[number], value?: string) =>
  drawn(
    <FilterDropdown
      kind={kind}
      title="班组"
      value={value}
      options={[{ value: '1', label: '钢筋一班' }]}
      tree={[{ value: '42', label: '湖北省' }]}
      onSearch={nothing}
      onReset={nothing}
    />,
  )

describe('filters', () => {
  test('[filter-kinds] there are fourteen, each with a control of its own', () => {
    expect(filterKinds).toEqual([
      'text',
      'single',
      'multi',
      'checkbox-empty',
      'time',
      'time-range',
      'date',
      'date-range',
      'datetime-range',
      'month',
      'year',
      'area-cascader',
      'tree-cascader',
      'numeric-range',
    ])
    // Ranges of days and of times differ only in the values chosen; the two cascaders only in the source of their tree.
    const alike = [
      ['date-range', 'datetime-range'],
      ['area-cascader', 'tree-cascader'],
    ]
    const shapes = new Map(filterKinds.map((kind) => [kind, filter(kind)]))
    for (const kind of filterKinds)
      for (const other of filterKinds)
        if (kind < other && !alike.some((pair) => pair.includes(kind) && pair.includes(other)))
          expect(shapes.get(kind), `${kind} and ${other}`).not.toBe(shapes.get(other))
  })

  test.each(filterKinds)('[filter-reset-search] %s offers 重置 and 搜索', (kind) => {
    const words = filter(kind)
      .match(/<button.*?<\/button>/g)
      ?.map((button) => button.replace(/<[^>]+>|\s/g, ''))
    expect(words?.slice(-2)).toEqual(['重置', '搜索'])
  })

  test('[filter-text-max] a text takes 50 characters', () => expect(filter('text')).toContain('maxLength="50"'))

  test('[filter-time-range-format] a range of times is written in hours and minutes', () => {
    expect([...filter('time-range', '08:05,17:30').matchAll(/value="([^"]*)"/g)].map(([, value]) => value)).toEqual(['08:05', '17:30'])
  })

  test('[constant-empty-sentinel] the empty option stands below the others where it is asked for', () => {
    expect(filter('checkbox-empty', '-9999')).toMatch(/钢筋一班.*空/)
    expect(filter('checkbox-empty', '-9999').match(/checked=""/g)).toHaveLength(1)
    expect(filter('multi')).not.toMatch(/空/)
  })
})

test('[pagination-layout] [pagination-sizes] total, sizes, previous, pages, next, jumper', () => {
  const text = drawn(<Pager list={list} />)
  const parts = ['共 1,234 条', '每页条数', '上一页', 'title="2"', '下一页', '跳至页码']
  const places = parts.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test.each([[null], [undefined], [''], ['--'], [[]]])('[table-empty-cell] a cell of %j shows two dashes', (value) => {
  const { render } = headed({ key: 'name', title: '名称', value: () => value }, list)
  expect(renderToStaticMarkup(render?.(undefined, {}, 0) as ReactNode).replace(/<[^>]+>/g, '')).toBe('--')
})

describe('video', () => {
  const box = (broken: boolean) =>
    drawn(<VideoBox src="/a/b/site.mp4" fileName="site.mp4" broken={broken} onBreak={nothing} onHide={nothing} />)
  test('[video-viewer-size] [constant-viewers] it measures 1200 by 675', () =>
    expect(box(false)).toMatch(/<video[^>]* width="1200" height="675"/))
  test('[video-viewer-controls] it plays by itself, shows controls and offers a download', () => {
    expect(box(false)).toMatch(/<video[^>]* controls="" autoPlay=""/)
    expect(box(false)).toMatch(/aria-label="下载"/)
  })
  test('[video-viewer-fallback] [error-video-unsupported] where it cannot be played, a text says so', () => {
    expect(box(false)).toMatch(/<video[^>]*>您的浏览器不支持播放视频<\/video>/)
    expect(box(true)).not.toMatch(/<video/)
    expect(box(true)).toContain('编码不支持，请下载后播放')
  })
})

test('a strip without an answer names its figures and claims nothing of them', () => {
  const items = [{ label: '未到', value: 0, unit: '人', remark: '没有人缺勤', tone: 'fine' as const, trend: [1, 2] }]
  const waiting = drawn(<FigureStrip loading items={items} />)
  expect(waiting).toContain('未到')
  for (const claim of ['没有人缺勤', '>0<', 'tone-fine', '>人<', '<svg']) expect([claim, waiting.includes(claim)]).toEqual([claim, false])
  expect(drawn(<FigureStrip items={items} />)).toContain('没有人缺勤')
})
