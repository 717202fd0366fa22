import { ColumnHeightOutlined, DownloadOutlined, ReloadOutlined } from '@ant-design/icons'
import { exportCodes } from '@zhugong/contract/exports/codes'
import { exportKeys } from '@zhugong/contract/kit/list'
import type { Place } from '@zhugong/contract/kit/project-rights'
import { Button, Table, type TableColumnType, Tooltip } from 'antd'
import { type Key, lazy, type ReactNode, Suspense, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useAreaTree } from './area-tree.ts'
import { useCanAll } from './can.tsx'
import { ColumnSettings } from './column-settings.tsx'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import type { ListPage } from './list.ts'
import { ListContext } from './list-context.ts'
import { arrangeColumns, type ColumnSetting, serialOf } from './list-state.ts'
import { useNarrow } from './narrow.ts'
import { usePage } from './page.tsx'
import { Pager } from './pager.tsx'
import { PhoneRows } from './phone-rows.tsx'
import { usePref } from './pref-state.ts'
import { actionsWidth, type RowAction, RowActions } from './row-actions.tsx'
import { type Column, filterNameOf, fitting, headed, isNothing, sortNameOf, type Titled, widthOf } from './table-columns.tsx'
import { useDensity } from './table-density.ts'
import { FilterLine, type FilterWords } from './table-filter-line.tsx'
import { QuickSearch } from './table-filters.tsx'
import { type Selection, SelectionBar, useSelected } from './table-selection.tsx'

const ExportDialog = lazy(() => import('./export.tsx').then((file) => ({ default: file.ExportDialog })))

export interface DataTableProps<Row, Key extends string = string, Filter extends string = string, Name extends string = string> {
  list: ListPage<Row, Key, Filter, Name>
  columns: readonly Column<Row, Key, Filter, Name>[]
  rowKey?: keyof Row | ((row: Row) => string)
  /** At most two are shown in the row, the rest under 更多. */
  actions?: (row: Row) => readonly (RowAction | false | undefined)[]
  /** Project and company that a row's actions are about; by default the row's `projectCode` and `corpCode`. */
  place?: (row: Row) => Place
  selection?: Selection<Row> | true
  exportTitle?: string
  /** Adds a column of row numbers. */
  serial?: boolean
  /** Left side of the toolbar, beside the actions of the ListShell. */
  toolbar?: ReactNode
  /** Quick search at the right: name of the query parameter, and a placeholder that says what to type. */
  search?: { key: Filter; placeholder: string }
  /** Shown below 暂无数据: what to do next. */
  emptyHint?: ReactNode
  emptyAction?: ReactNode
  onRow?: (row: Row) => void
  rowClass?: (row: Row) => string
  filterWords?: FilterWords
  expand?: (row: Row) => ReactNode
  /** A pinned row of totals, as cells by column key. */
  sums?: Readonly<Partial<Record<Key, ReactNode>>>
  unit?: string
  /** Key of the stored column settings; by default the page's name. */
  name?: string
  pager?: boolean
}

function useHeight(): [React.RefObject<HTMLDivElement | null>, number, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState([320, 900] as [number, number])
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    // Hidden pages measure 0, so the last measured size is kept.
    const measure = () => element.clientHeight > 0 && setBox([element.clientHeight, element.clientWidth])
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, ...box]
}

/** Makes the table focusable when its rows contain nothing focusable, so that it can be scrolled by keyboard. */
function useReachable(table: React.RefObject<HTMLDivElement | null>, rows: readonly object[]): void {
  // The rows have been rendered when the effect runs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the result depends on the rows
  useEffect(() => {
    const inside = table.current?.querySelector<HTMLElement>('.ant-table-body')
    if (!inside) return
    if (inside.querySelector('a, button, input, [tabindex="0"]')) inside.removeAttribute('tabindex')
    else inside.tabIndex = 0
  }, [table, rows])
}

/** Rows of people and teams name their company. */
const placeOf = (row: object): Place => ({
  projectCode: 'projectCode' in row && typeof row.projectCode === 'string' ? row.projectCode : undefined,
  corpCode: 'corpCode' in row && typeof row.corpCode === 'string' ? row.corpCode : undefined,
})

export function DataTable<Row extends object, Key extends string, Filter extends string, Name extends string>(
  props: DataTableProps<Row, Key, Filter, Name>,
) {
  // Column names are plain strings inside; their types were checked where the table was written.
  return <FreeTable<Row> {...(props as unknown as DataTableProps<Row>)} />
}

const chromePx = { serial: 56, selection: 40, expand: 48, scrollbar: 8, sums: 36 }

function FreeTable<Row extends object>(props: DataTableProps<Row>) {
  const { list, serial = false, search, unit = '条' } = props
  const page = usePage()
  const name = props.name ?? page.entry.name
  const { actions } = useContext(ListContext)
  const mayDo = useCanAll()
  const [settings, setSettings] = usePref<ColumnSetting[] | undefined>(`columns:${name}`, undefined)
  const [density, setDensity] = useDensity(name)
  const [exporting, setExporting] = useState(false)
  const [body, height, width] = useHeight()
  const onPhone = useNarrow()
  const columns = useMemo(
    () => props.columns.map((column): Titled<Row> => ({ ...column, title: column.title ?? list.of?.columns[column.key] ?? '' })),
    [props.columns, list.of],
  )
  const areaTree = useAreaTree(
    columns.some((column) => column.filter === 'area-cascader' && list.filters[filterNameOf(column)] !== undefined),
  )

  const keyOfRow = (row: Row): string => {
    const { rowKey = 'id' as keyof Row } = props
    return typeof rowKey === 'function' ? rowKey(row) : String(row[rowKey])
  }
  const { chosen, choose, clear, onlyChosen, setOnlyChosen } = useSelected(list, keyOfRow, props.selection)
  const arranged = useMemo(() => arrangeColumns(columns, settings), [columns, settings])
  const rows = onlyChosen ? [...chosen.values()].map((one) => one.row) : list.rows
  useReachable(body, rows)
  const { actions: rowActions, place = placeOf } = props
  const allowed = (row: Row) =>
    (rowActions?.(row) ?? []).filter(
      (one): one is RowAction => Boolean(one) && (!(one as RowAction).needs || mayDo((one as RowAction).needs!, place(row))),
    )
  const forActions = rowActions ? actionsWidth(rows.map(allowed)) : 0
  const around =
    (serial ? chromePx.serial : 0) + (props.selection ? chromePx.selection : 0) + (props.expand ? chromePx.expand : 0) + forActions
  const isEmptyHere = (column: Titled<Row>) => rows.length > 0 && rows.every((row, index) => isNothing(column.value(row, index)))
  const wanted = arranged.filter((one) => one.shown).map((one) => one.column)
  // Users who arranged the columns get all of them, with horizontal scrolling if they do not fit.
  const shown = settings ? wanted : fitting(wanted, width - around - chromePx.scrollbar, isEmptyHere)

  const antColumns: TableColumnType<Row>[] = shown.map((column) => headed(column, list))
  if (serial) {
    antColumns.unshift({
      key: '#',
      title: '序号',
      width: chromePx.serial,
      align: 'right',
      render: (_, _row, index) => <span className="zg-2">{onlyChosen ? index + 1 : serialOf(list.page, list.size, index)}</span>,
    })
  }
  if (rowActions)
    antColumns.push({
      key: '%',
      title: '操作',
      width: forActions,
      fixed: 'right',
      render: (_, row) => <RowActions items={allowed(row)} />,
    })
  const needed = shown.reduce((sum, column) => sum + widthOf(column), around)
  // The quick search may be a column's filter too; show one tag for both.
  const active = columns.filter(
    (column) => column.filter && filterNameOf(column) !== search?.key && list.filters[filterNameOf(column)] !== undefined,
  )
  const searched = search && list.filters[search.key] !== undefined
  const otherFilters = Object.keys(list.filters).filter(
    (key) => key !== search?.key && !list.tabs.includes(key) && !columns.some((column) => column.filter && filterNameOf(column) === key),
  )
  const filtered = active.length > 0 || searched || otherFilters.length > 0
  const virtual = rows.length >= 100
  const { emptyHint, emptyAction } = props
  const nothing = filtered ? (
    <Empty small text="暂无数据" hint={`没有符合 ${active.length + otherFilters.length + (searched ? 1 : 0)} 个条件的记录`}>
      <Button onClick={list.clearFilters}>清空筛选</Button>
    </Empty>
  ) : (
    <Empty hint={emptyHint}>{emptyAction}</Empty>
  )
  const isFixed = (row: Row): boolean =>
    props.selection !== undefined && props.selection !== true && (props.selection.disabled?.(row) ?? false)
  const feature = list.of?.feature
  const keys: readonly string[] = list.of ? exportKeys(list.of) : []
  // Columns that do not fit on a narrow screen are exported nevertheless.
  const exportable = wanted.map((column) => column.key).filter((key) => keys.includes(key))

  return (
    <div className="zg-table">
      <div className="zg-toolbar">
        {actions}
        {props.toolbar}
        <div className="right">
          {search && <QuickSearch {...search} value={list.filters[search.key]} onSearch={(value) => list.setFilter(search.key, value)} />}
          <Tooltip title={density === 'large' ? '行高 32，改为 40' : '行高 40，改为 32'}>
            <Button
              type="text"
              icon={<ColumnHeightOutlined />}
              aria-label="行高"
              onClick={() => setDensity(density === 'middle' ? 'large' : 'middle')}
            />
          </Tooltip>
          <ColumnSettings
            arranged={arranged}
            narrow={wanted.length - shown.length}
            onChange={setSettings}
            onDefault={() => setSettings(undefined)}
            active={page.active}
          />
          <Tooltip title="刷新">
            <Button type="text" icon={<ReloadOutlined spin={list.fetching} />} aria-label="刷新" onClick={list.refresh} />
          </Tooltip>
          {feature && (
            // The tooltip is removed on click: above the dialog it would catch the dialog's Escape key.
            <Tooltip title={exporting ? '' : '导出'}>
              <Button
                type="text"
                icon={<DownloadOutlined />}
                aria-label="导出"
                disabled={!exportCodes(feature)?.every((code) => mayDo(code))}
                onClick={() => setExporting(true)}
              />
            </Tooltip>
          )}
        </div>
      </div>
      {filtered && (
        <FilterLine
          list={list}
          active={active}
          searched={searched ? search.key : undefined}
          others={otherFilters}
          words={props.filterWords}
          rows={rows}
          areaTree={areaTree}
          unit={unit}
        />
      )}
      <div className="zg-table-body" ref={body}>
        {list.loading ? (
          <TableSkeleton columns={Math.min(8, shown.length + 1)} />
        ) : list.error ? (
          <ErrorPanel error={list.error} retry={list.refresh} />
        ) : onPhone ? (
          <PhoneRows
            rows={rows}
            columns={wanted}
            keyOf={keyOfRow}
            actions={rowActions && allowed}
            onRow={props.onRow}
            rowClass={props.rowClass}
            select={
              props.selection && {
                chosen: new Set(chosen.keys()),
                disabled: isFixed,
                toggle: (key) => choose(chosen.has(key) ? [...chosen.keys()].filter((one) => one !== key) : [...chosen.keys(), key]),
              }
            }
            fetching={list.fetching}
            empty={nothing}
          />
        ) : (
          <Table<Row>
            size={density}
            rowKey={keyOfRow}
            columns={antColumns}
            dataSource={rows as Row[]}
            pagination={false}
            showSorterTooltip={false}
            virtual={virtual}
            scroll={{
              x: virtual ? Math.max(needed, width) : needed > width ? needed : '100%',
              y: Math.max(80, height - (density === 'large' ? 31 : 39) - (props.sums ? chromePx.sums : 0)),
            }}
            rowClassName={props.rowClass ?? ''}
            expandable={props.expand ? { expandedRowRender: props.expand } : undefined}
            onRow={props.onRow ? (row) => rowHandlers(() => props.onRow?.(row)) : undefined}
            rowSelection={
              props.selection
                ? {
                    columnWidth: 40,
                    selectedRowKeys: [...chosen.keys()],
                    preserveSelectedRowKeys: true,
                    onChange: (keys: Key[]) => choose(keys.map(String)),
                    getCheckboxProps: (row: Row) => ({
                      disabled: isFixed(row),
                      'aria-label': `选择第 ${rows.indexOf(row) + 1} 行`,
                    }),
                  }
                : undefined
            }
            summary={
              props.sums
                ? () =>
                    sumsRow(
                      [
                        ...(props.expand ? [{ key: '+' }] : []),
                        ...(props.selection ? [{ key: '!' }] : []),
                        ...antColumns.map((column) => ({ key: String(column.key), align: column.align })),
                      ],
                      props.sums ?? {},
                    )
                : undefined
            }
            onChange={(_pager, _filters, sorter) => {
              const one = Array.isArray(sorter) ? sorter[0] : sorter
              const field = String(one?.columnKey ?? '')
              const column = columns.find((c) => c.key === field)
              const key = column ? sortNameOf(column) : field
              list.setSort(one?.order ? (one.order === 'descend' ? `-${key}` : key) : undefined)
            }}
            locale={{
              emptyText: nothing,
            }}
          />
        )}
      </div>
      {(props.pager ?? true) && (
        <div className="zg-table-footer">
          {props.selection && chosen.size > 0 && (
            <SelectionBar
              chosen={chosen}
              page={list.page}
              unit={(props.selection !== true && props.selection.unit) || unit}
              only={onlyChosen}
              setOnly={setOnlyChosen}
              clear={clear}
            >
              {props.selection !== true &&
                props.selection.actions?.(
                  [...chosen.values()].map((one) => one.row),
                  clear,
                )}
            </SelectionBar>
          )}
          {!onlyChosen && !list.loading && <Pager list={list} unit={unit} compact={chosen.size > 0} />}
        </div>
      )}
      {exporting && feature && (
        <Suspense>
          <ExportDialog
            feature={feature}
            title={props.exportTitle ?? page.entry.title}
            query={list.query}
            columns={exportable}
            total={list.total}
            sensitive={(list.of?.sensitive.length ?? 0) > 0}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function rowHandlers(open: () => void) {
  return {
    tabIndex: 0,
    style: { cursor: 'pointer' },
    onClick: (event: React.MouseEvent) => {
      const target = event.target as Element
      // React bubbles events of overlays (a menu, a dialog) to the row, although their elements lie outside it.
      if (!event.currentTarget.contains(target)) return
      // A click that ends a text selection, or hits a control, does not open the row.
      if (String(getSelection() ?? '') || target.closest('a,button,input,label')) return
      open()
    },
    onKeyDown: (event: React.KeyboardEvent<HTMLElement>) => {
      if (event.target !== event.currentTarget) return
      if (event.key === 'Enter') open()
      const next =
        event.key === 'ArrowDown'
          ? event.currentTarget.nextElementSibling
          : event.key === 'ArrowUp'
            ? event.currentTarget.previousElementSibling
            : null
      if (next instanceof HTMLElement) {
        event.preventDefault()
        next.focus()
      }
    },
  }
}

/** The row of totals. antd pins it only if the summary is its own element, not a component that wraps it. */
function sumsRow(
  columns: readonly { key: string; align?: TableColumnType['align'] }[],
  sums: Readonly<Record<string, ReactNode>>,
): ReactNode {
  return (
    <Table.Summary fixed>
      <Table.Summary.Row className="zg-sum">
        {columns.map(({ key, align }, index) => (
          <Table.Summary.Cell key={key} index={index} align={align === 'right' || align === 'center' ? align : undefined}>
            {sums[key] ?? (key === '#' ? '合计' : '')}
          </Table.Summary.Cell>
        ))}
      </Table.Summary.Row>
    </Table.Summary>
  )
}
