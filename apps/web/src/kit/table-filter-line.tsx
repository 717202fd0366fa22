import { thousands } from './format.ts'
import type { ListPage } from './list.ts'
import { filterWords, type TreeOption } from './list-state.ts'
import { filterNameOf, type Titled } from './table-columns.tsx'
import { FilterTag } from './table-filters.tsx'

/** How filters are told that no column shows: the title, and words by value. */
export type FilterWords = Readonly<Record<string, { title: string; words: Readonly<Record<string, string>> }>>

/** The site a list was narrowed to by a link: the name as its rows have it. */
function siteWords(rows: readonly object[], projectCode: string) {
  const row = rows.find((one) => 'projectCode' in one && one.projectCode === projectCode)
  const name = row && 'projectName' in row && typeof row.projectName === 'string' ? row.projectName : projectCode
  return { title: '项目', words: { [projectCode]: name } }
}

/** A filter value without a label is shown only if it is readable text, not an id or code. */
export const plainWords = (value: string): string => (/\p{Script=Han}|^\d{4}-\d{2}/u.test(value) ? value : '已选')

interface FilterLineProps<Row extends object> {
  list: ListPage<Row>
  /** Columns that are filtered by. */
  active: readonly Titled<Row>[]
  /** The filter of the quick search, where something is searched for. */
  searched: string | undefined
  /** Filters that no column shows. */
  others: readonly string[]
  words: FilterWords | undefined
  rows: readonly Row[]
  areaTree: readonly TreeOption[]
  unit: string
}

/** Under which conditions the rows were sought: each can be taken away, and all at once. */
export function FilterLine<Row extends object>({ list, active, searched, others, words, rows, areaTree, unit }: FilterLineProps<Row>) {
  const tag = (key: string, title: string, told: string) => (
    <FilterTag key={key} title={title} words={told} onRemove={() => list.setFilter(key, undefined)} />
  )
  return (
    <div className="zg-filterline">
      <span className="zg-2">筛选条件</span>
      {active.map((column) => {
        const key = filterNameOf(column)
        const tree = column.tree ?? (column.filter === 'area-cascader' ? areaTree : [])
        return tag(key, column.title, filterWords(column.filter!, list.filters[key] ?? '', column.options, tree))
      })}
      {searched !== undefined && tag(searched, '搜索', list.filters[searched] ?? '')}
      {others.map((key) => {
        const value = list.filters[key] ?? ''
        const said = words?.[key] ?? (key === 'projectCode' ? siteWords(rows, value) : undefined)
        return tag(key, said?.title ?? '其他条件', said?.words[value] ?? plainWords(value))
      })}
      <button type="button" className="zg-bare zg-link" onClick={list.clearFilters}>
        清空
      </button>
      <span className="right">
        符合 {list.loading || list.error ? '--' : thousands(list.total)} {unit}
      </span>
    </div>
  )
}
