import { ColumnHeightOutlined, DownloadOutlined, ReloadOutlined } from '@ant-design/icons'
import { exportCodes } from '@zhugong/contract/exports/codes'
import { exportKeys } from '@zhugong/contract/kit/list'
import type { Place } from '@zhugong/contract/kit/standing'
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
  /** At most two stand in the row, the rest under 更多. */
  actions?: (row: Row) => readonly (RowAction | false | undefined)[]
  /** What a row's actions are about; its `projectCode` and `corpCode` where it has them. */
  place?: (row: Row) => Place
  selection?: Selection<Row> | true
  exportTitle?: string
  /** A column of running numbers in front. */
  serial?: boolean
  /** Left in the toolbar, beside the actions of the ListShell. */
  toolbar?: ReactNode
  /** Quick search at the right: query name and what may be typed. */
  search?: { key: Filter; placeholder: string }
  /** Below 暂无数据: what to do next. */
  emptyHint?: ReactNode
  emptyAction?: ReactNode
  onRow?: (row: Row) => void
  rowClass?: (row: Row) => string
  filterWords?: FilterWords
  expand?: (row: Row) => ReactNode
  /** A pinned row of sums, as cells by column key. */
  sums?: Readonly<Partial<Record<Key, ReactNode>>>
  unit?: string
  /** Key of the stored column settings; the page's name by default. */
  name?: string
  pager?: boolean
}

function useHeight(): [React.RefObject<HTMLDivElement | null>, number, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState([320, 900] as [number, number])
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    // Hidden pages measure 0; they keep what they had.
    const measure = () => element.clientHeight > 0 && setBox([element.clientHeight, element.clientWidth])
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, ...box]
}

/** Rows without anything to press are scrolled by the keys all the same: then the table itself takes them. */
function useReachable(table: React.RefObject<HTMLDivElement | null>, rows: readonly object[]): void {
  // The rows are drawn by then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, another answer
  useEffect(() => {
    const inside = table.current?.querySelector<HTMLElement>('.ant-table-body')
    if (!inside) return
    if (inside.querySelector('a, button, input, [tabindex="0"]')) inside.removeAttribute('tabindex')
    else inside.tabIndex = 0
  }, [table, rows])
}

/** Rows of people and teams name the company they belong to. */
const placeOf = (row: object): Place => ({
  projectCode: 'projectCode' in row && typeof row.projectCode === 'string' ? row.projectCode : undefined,
  corpCode: 'corpCode' in row && typeof row.corpCode === 'string' ? row.corpCode : undefined,
})

export function DataTable<Row extends object, Key extends string, Filter extends string, Name extends string>(
  props: DataTableProps<Row, Key, Filter, Name>,
) {
  // Inside, names are texts: what they may be has been asked where the table was written.
  return <FreeTable<Row> {...(props as unknown as DataTableProps<Row>)} />
}

const chromePx = { serial: 56, selection: 40, expand: 48, scrollbar: 8 }

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
  // Whoever arranged the columns has them all, and scrolls where they are too many.
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
  // The quick search may be a column's filter; show one chip.
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
  // What a narrow screen has no room for is taken along all the same.
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
            // Gone with the press: over the dialog it would take its Escape.
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
              y: Math.max(80, height - (density === 'large' ? 31 : 39) - (props.sums ? 32 : 0)),
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
                ? () => (
                    <Sums
                      columns={[
                        ...(props.expand ? [{ key: '+' }] : []),
                        ...(props.selection ? [{ key: '!' }] : []),
                        ...antColumns.map((column) => ({ key: String(column.key), align: column.align })),
                      ]}
                      sums={props.sums ?? {}}
                    />
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
      // Of what opens over the page (a menu, a dialog) React tells the row too, though it lies outside it.
      if (!event.currentTarget.contains(target)) return
      // A click that ends a selection of text, or hits a control, is no click on the row.
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

interface SumsProps {
  columns: readonly { key: string; align?: 'left' | 'center' | 'right' | 'start' | 'end' | 'justify' | 'match-parent' | undefined }[]
  sums: Readonly<Record<string, ReactNode>>
}

function Sums({ columns, sums }: SumsProps) {
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
