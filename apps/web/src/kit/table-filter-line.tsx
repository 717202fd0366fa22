import { thousands } from './format.ts'
import type { ListPage } from './list.ts'
import { filterWords, type TreeOption } from './list-state.ts'
import { filterNameOf, type Titled } from './table-columns.tsx'
import { FilterTag } from './table-filters.tsx'

/** Title and value texts of filters that have no column. */
export type FilterWords = Readonly<Record<string, { title: string; words: Readonly<Record<string, string>> }>>

/** The project a link has filtered the list by; its name is taken from the rows. */
function siteWords(rows: readonly object[], projectCode: string) {
  const row = rows.find((one) => 'projectCode' in one && one.projectCode === projectCode)
  const name = row && 'projectName' in row && typeof row.projectName === 'string' ? row.projectName : projectCode
  return { title: '项目', words: { [projectCode]: name } }
}

/** A filter value without a label is shown only if it is readable text, not an id or code. */
export const plainWords = (value: string): string => (/\p{Script=Han}|^\d{4}-\d{2}/u.test(value) ? value : '已选')

interface FilterLineProps<Row extends object> {
  list: ListPage<Row>
  /** Columns with an active filter. */
  active: readonly Titled<Row>[]
  /** The quick search's filter, if it is set. */
  searched: string | undefined
  /** Active filters without a column. */
  others: readonly string[]
  words: FilterWords | undefined
  rows: readonly Row[]
  areaTree: readonly TreeOption[]
  unit: string
}

/** The active filters as tags; each can be removed, or all at once. */
export function FilterLine<Row extends object>({ list, active, searched, others, words, rows, areaTree, unit }: FilterLineProps<Row>) {
  const tag = (key: string, title: string, reported: string) => (
    <FilterTag key={key} title={title} words={reported} onRemove={() => list.setFilter(key, undefined)} />
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
