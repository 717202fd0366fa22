import { FilterFilled, FilterOutlined } from '@ant-design/icons'
import type { FilterName, List, SortName } from '@zhugong/contract/kit/list'
import type { TableColumnType } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import type { ListPage } from './list.ts'
import type { FilterKind, Option, TreeOption } from './list-state.ts'

// Pickers and cascaders are larger than the table, so they are loaded when the first filter opens.
const FilterDropdown = lazy(() => import('./filter-dropdown.tsx').then((file) => ({ default: file.FilterDropdown })))

interface Look<Row> {
  /** Content of the cell; empty is shown as `--`. */
  value: (row: Row, index: number) => ReactNode
  /** Replaces the list's own title, where it depends on the data shown. */
  title?: string
  options?: readonly Option[] | undefined
  tree?: readonly TreeOption[] | undefined
  /** Minimum width in px; a header is never cut off. */
  width?: number
  align?: 'left' | 'right' | 'center'
  fixed?: 'left' | 'right'
  /** Off by default; the user can switch it on in the column settings. */
  hidden?: boolean | undefined
  /** Cannot be switched off, and is never hidden on a narrow screen. */
  locked?: boolean | undefined
  /** Hidden first on a narrow screen, after columns without values. */
  weak?: boolean | undefined
  /** Hidden last (state, role, validity, last seen). */
  keeps?: boolean | undefined
  /** May wrap; otherwise cut off with an ellipsis. */
  wrap?: boolean
}
/** The filter's query parameter: by default the column's key. */
type Filtering<Key extends string, Filter extends string> =
  | { filter?: undefined; filterKey?: undefined }
  | { key: Key & Filter; filter?: FilterKind | undefined; filterKey?: undefined }
  | { filter?: FilterKind | undefined; filterKey: Filter }
/** Sortable, by this name if one is given, else by the column's key. */
type Sorting<Key extends string, Name extends string> = { sort?: false | undefined } | { key: Key & Name; sort: true } | { sort: Name }

/** Display, filter and order of a list's column. Key, filter and order must be names of the list's contract, unless the list is untyped. */
export type Column<Row, Key extends string = string, Filter extends string = string, Name extends string = string> = Look<Row> & {
  /** A column of the list; also the default name of its filter and order. */
  key: Key
} & Filtering<Key, Filter> &
  Sorting<Key, Name>

/** With the title of its header. */
export type Titled<Row> = Column<Row> & { title: string }

/** The columns that a page of this list may show. */
export type ColumnOf<L> =
  L extends List<infer In, infer _Parsed, infer Row, infer Key, infer _Shown> ? Column<Row, Key, FilterName<In>, SortName<In>> : never

export const filterNameOf = (column: { key: string; filterKey?: string | undefined }): string => column.filterKey ?? column.key
export const sortNameOf = (column: { key: string; sort?: string | boolean | undefined }): string =>
  typeof column.sort === 'string' ? column.sort : column.key

const glyphPx = 14
const headPadding = 18
const sorterPx = 18
const filterPx = 26

/** Width of a text on one line in px: digits and Latin letters take 0.6 of a Chinese character. */
export const textPx = (text: string): number =>
  [...text].reduce((sum, glyph) => sum + (glyph.charCodeAt(0) < 0x2000 ? glyphPx * 0.6 : glyphPx), 0)

/** Width of a column: its own width, but at least that of its header. */
export function widthOf(column: Pick<Look<never>, 'width'> & { title: string; filter?: unknown; sort?: unknown }): number {
  const head = textPx(column.title) + headPadding + (column.sort ? sorterPx : 0) + (column.filter ? filterPx : 0)
  return Math.max(column.width ?? 110, Math.ceil(head))
}

type Fit = Pick<Look<never>, 'width' | 'locked' | 'weak' | 'keeps'> & { key: string; title: string }
const strengthOf = ({ weak, keeps }: Fit): number => (weak ? 1 : keeps ? 3 : 2)

/**
 * The columns that fit into `room` pixels. Hidden in this order: columns without values (`isEmpty`), weak ones, the last ones, then those
 * marked `keeps`; locked ones never.
 */
export function fitting<C extends Fit>(columns: readonly C[], room: number, isEmpty: (column: C) => boolean = () => false): C[] {
  let over = columns.reduce((sum, column) => sum + widthOf(column), 0) - room
  if (over <= 0) return [...columns]
  const strength = new Map(columns.map((column) => [column, isEmpty(column) ? 0 : strengthOf(column)]))
  const order = [...columns].reverse().sort((a, b) => (strength.get(a) ?? 0) - (strength.get(b) ?? 0))
  const gone = new Set<string>()
  for (const column of order) {
    if (over <= 0) break
    if (column.locked) continue
    gone.add(column.key)
    over -= widthOf(column)
  }
  return columns.filter((column) => !gone.has(column.key))
}

export function headed<Row extends object>(column: Titled<Row>, list: ListPage<Row>): TableColumnType<Row> {
  const filterKey = filterNameOf(column)
  const sortKey = sortNameOf(column)
  const active = list.filters[filterKey] !== undefined
  const align = column.align ?? 'left'
  return {
    key: column.key,
    title: column.title,
    align,
    className: [active && column.filter ? 'zg-filtered' : '', align === 'right' ? 'zg-right' : ''].join(' '),
    width: widthOf(column),
    fixed: column.fixed || undefined,
    ellipsis: column.wrap ? false : { showTitle: false },
    render: (_, row, index) => <Cell value={column.value(row, index)} />,
    ...(column.sort ? { sorter: true, sortOrder: list.sort === sortKey ? 'ascend' : list.sort === `-${sortKey}` ? 'descend' : null } : {}),
    ...(column.filter
      ? {
          filteredValue: active ? [list.filters[filterKey] ?? ''] : null,
          filterIcon: active ? (
            <FilterFilled aria-label={`已筛选${column.title}`} />
          ) : (
            <FilterOutlined aria-label={`筛选${column.title}`} />
          ),
          filterDropdownProps: { placement: 'bottomLeft' as const },
          filterDropdown: ({ close }) => (
            <Suspense fallback={<div className="zg-filter">加载中</div>}>
              <FilterDropdown
                kind={column.filter!}
                title={column.title}
                value={list.filters[filterKey]}
                options={column.options}
                tree={column.tree}
                onSearch={(value) => {
                  list.setFilter(filterKey, value)
                  close()
                }}
                onReset={() => {
                  list.setFilter(filterKey, undefined)
                  close()
                }}
              />
            </Suspense>
          ),
        }
      : {}),
  }
}

export const isNothing = (value: ReactNode): boolean =>
  value === null || value === undefined || value === '' || value === '--' || (Array.isArray(value) && value.length === 0)

function Cell({ value }: { value: ReactNode }) {
  if (isNothing(value)) return <span className="zg-2">--</span>
  if (typeof value === 'string' && value.length > 8) return <span title={value}>{value}</span>
  return <>{value}</>
}
