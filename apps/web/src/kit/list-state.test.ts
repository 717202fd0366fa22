import { emptyOption, pageSizes } from '@zhugong/contract/kit/fields'
import { describe, expect, test } from 'vitest'
import * as l from './list-state.ts'

const defaults: l.ListDefaults = { size: 20, sort: '-createTime' }

describe('address', () => {
  test('an empty address is the default, and the other way round', () => {
    const state = l.listStateOf('', defaults)
    expect(state).toEqual({ page: 1, size: 20, sort: '-createTime', filters: {} })
    expect(l.searchOf(state, defaults)).toBe('')
  })
  test('state survives the way through the address', () => {
    const state: l.ListState = { page: 3, size: 50, sort: 'name', filters: { workType: '10,20', name: '田 光&明' } }
    expect(l.listStateOf(l.searchOf(state, defaults), defaults)).toEqual(state)
  })
  test('nonsense falls back', () => {
    expect(l.listStateOf('?page=-1&size=abc', defaults)).toMatchObject({ page: 1, size: 20 })
  })
  test("the page's own parameters are no filters", () => {
    expect(l.listStateOf('?id=7&name=a', defaults, ['id']).filters).toEqual({ name: 'a' })
  })
  test('a filter starts from page 1, a size keeps the first row in view', () => {
    const state = l.listStateOf('?page=3', defaults)
    expect(l.withFilter(state, 'name', 'x')).toMatchObject({ page: 1, filters: { name: 'x' } })
    expect(l.withFilter(l.withFilter(state, 'name', 'x'), 'name', '').filters).toEqual({})
    expect(l.withSize(state, 50).page).toBe(1)
    expect(l.withSize({ ...state, page: 6 }, 50).page).toBe(3)
  })
})

test.each([
  [undefined, 'name'],
  ['name', '-name'],
  ['-name', undefined],
  ['other', 'name'],
])('sort by name after %s', (before, after) => expect(l.nextSort(before, 'name')).toBe(after))

test('[table-serial-column] serial numbers go on over the pages', () => {
  expect(l.serialOf(1, 20, 0)).toBe(1)
  expect(l.serialOf(3, 20, 4)).toBe(45)
})

test.each([
  [['1', '2'], '-9999', ['-9999']],
  [['-9999'], '2', ['2']],
  [['1'], '2', ['1', '2']],
  [['1', '2'], '1', ['2']],
  [['-9999'], '-9999', []],
])('[filter-empty-option-clears] [filter-other-removes-empty] %j and %s make %j', (chosen, value, expected) =>
  expect(l.toggleChoice(chosen, value)).toEqual(expected),
)

test('[filter-numeric-chars] numeric ranges take digits and a dot', () => {
  expect(l.numericOnly('1a-2.5e')).toBe('12.5')
  expect(l.numericOnly('0123456789.+-eE，。 ￥%')).toBe('0123456789.')
})

const options = [
  { value: '10', label: '钢筋工' },
  { value: '20', label: '架子工' },
]
const tree = [{ value: '42', label: '湖北省', children: [{ value: '4202', label: '黄石市' }] }]
test.each<[l.FilterKind, string, string]>([
  ['multi', '10,20', '钢筋工、架子工'],
  ['checkbox-empty', '-9999', '空'],
  ['date-range', '2026-02-01,2026-11-20', '2026-02-01 至 2026-11-20'],
  ['date-range', '2026-02-01,', '2026-02-01 起'],
  ['date-range', ',2026-02-01', '至 2026-02-01'],
  ['numeric-range', '10,', '不小于 10'],
  ['numeric-range', '10,20', '10 至 20'],
  ['tree-cascader', '4202', '湖北省 / 黄石市'],
  ['text', '田', '田'],
])('%s %s reads %s', (kind, value, words) => expect(l.filterWords(kind, value, options, tree)).toBe(words))

test('selection over pages', () => {
  const chosen = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 2],
  ])
  expect(l.selectionSummary(chosen, 2)).toBe('第 1 页 2，本页 1')
  expect(l.selectionSummary(new Map([['a', 2]]), 2)).toBe('')
  expect(l.selectionSummary(new Map(), 2)).toBe('')
})

test('column settings outlive a change of columns', () => {
  const columns = [{ key: 'name', locked: true }, { key: 'age' }, { key: 'phone', hidden: true }, { key: 'team' }]
  const shown = (settings?: l.ColumnSetting[]) =>
    l.arrangeColumns(columns, settings).map((one) => (one.shown ? one.column.key : `-${one.column.key}`))
  expect(shown()).toEqual(['name', 'age', '-phone', 'team'])
  expect(
    shown([
      { key: 'team', shown: true },
      { key: 'name', shown: false },
      { key: 'gone', shown: true },
    ]),
  ).toEqual(['team', 'name', 'age', '-phone'])
})

test('areas leave out the levels that only repeat', () => {
  expect(
    l.areaOptions([
      { code: '11', name: '北京市', children: [{ code: '1101', name: '市辖区', children: [{ code: '110101', name: '东城区' }] }] },
    ]),
  ).toEqual([{ value: '11', label: '北京市', children: [{ value: '110101', label: '东城区' }] }])
})

test('[pagination-sizes] [page-size-options] [constant-empty-sentinel] [filter-text-max] what lists offer, the server alike', () => {
  expect(l.pageSizes).toEqual([20, 30, 50, 100])
  expect(pageSizes).toEqual(l.pageSizes)
  expect([l.emptySentinel, emptyOption]).toEqual(['-9999', '-9999'])
  expect(l.filterTextMax).toBe(50)
})
