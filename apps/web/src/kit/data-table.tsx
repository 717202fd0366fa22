import {
  CloseOutlined,
  ColumnHeightOutlined,
  DownloadOutlined,
  DownOutlined,
  FilterFilled,
  FilterOutlined,
  LeftOutlined,
  ReloadOutlined,
  RightOutlined,
  SearchOutlined,
  SettingOutlined,
} from '@ant-design/icons'
import { exportCodes } from '@zhugong/contract/exports/codes'
import type { Place } from '@zhugong/contract/kit/standing'
import { Button, Checkbox, Dropdown, Input, Pagination, Popover, Select, Table, type TableColumnType, Tooltip } from 'antd'
import {
  Fragment,
  type Key,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import { useAreaTree } from './area-tree.ts'
import { type Asked, useCanAll } from './can.tsx'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { thousands } from './format.ts'
import type { ListPage } from './list.ts'
import { ListContext } from './list-context.ts'
import {
  arrangeColumns,
  type ColumnSetting,
  type FilterKind,
  filterWords,
  type Option,
  pageSizes,
  selectionSummary,
  serialOf,
  type TreeOption,
} from './list-state.ts'
import { usePage } from './page.tsx'
import { prefNow, readPref, writePref } from './prefs.ts'

// Pickers and cascaders weigh more than the table: they come when the first filter opens.
const FilterDropdown = lazy(() => import('./filter-dropdown.tsx').then((file) => ({ default: file.FilterDropdown })))
const ExportDialog = lazy(() => import('./export.tsx').then((file) => ({ default: file.ExportDialog })))

export interface Column<Row> {
  /** Unique; also the query name of the filter, the sort field and the export column, unless given apart. */
  key: string
  title: string
  /** What the cell shows; empty reads `--`. */
  value: (row: Row, index: number) => ReactNode
  filter?: FilterKind
  filterKey?: string
  options?: readonly Option[]
  tree?: readonly TreeOption[]
  /** Sortable, by this field when a string. */
  sort?: boolean | string
  width?: number
  align?: 'left' | 'right' | 'center'
  fixed?: 'left' | 'right'
  /** Off until switched on in the column settings. */
  hidden?: boolean
  /** Cannot be switched off. */
  locked?: boolean
  /** May break into lines; otherwise cut with an ellipsis. */
  wrap?: boolean
}

export interface RowAction {
  label: string
  onClick?: () => unknown
  href?: string
  danger?: boolean
  /** Why it cannot be done now; shown as a tooltip. */
  disabled?: string | false | undefined
  /** Permission: an endpoint or a code. */
  needs?: Asked | string
}

export interface Selection<Row> {
  /** Counting word: 人, 台, 条. */
  unit?: string
  /** Buttons for what is selected, in the footer. */
  actions?: (rows: readonly Row[], clear: () => void) => ReactNode
  disabled?: (row: Row) => boolean
  onChange?: (rows: readonly Row[]) => void
}

export interface DataTableProps<Row> {
  list: ListPage<Row>
  columns: readonly Column<Row>[]
  rowKey?: keyof Row | ((row: Row) => string)
  /** At most two stand in the row, the rest under 更多. */
  actions?: (row: Row) => readonly (RowAction | false | undefined)[]
  /** What a row's actions are about; its `projectCode` and `corpCode` where it has them. */
  place?: (row: Row) => Place
  selection?: Selection<Row> | true
  /** Name of the list in exports; without it there is no export. */
  exportFeature?: string
  exportTitle?: string
  /** Columns with personal data that an export may show in clear, with a purpose. */
  exportSensitive?: boolean
  serial?: boolean
  /** Left in the toolbar, beside the actions of the ListShell. */
  toolbar?: ReactNode
  /** Quick search at the right: query name and what may be typed. */
  search?: { key: string; placeholder: string }
  /** Below 暂无数据: what to do next. */
  emptyHint?: ReactNode
  emptyAction?: ReactNode
  onRow?: (row: Row) => void
  rowClass?: (row: Row) => string
  expand?: (row: Row) => ReactNode
  /** A pinned row of sums, as cells by column key. */
  sums?: Readonly<Record<string, ReactNode>>
  unit?: string
  /** Key of the stored column settings; the page's name by default. */
  name?: string
  pager?: boolean
}

/** antd's names turned round by our paddings: large = rows of 32, middle = rows of 40. */
type Density = 'large' | 'middle'

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

function usePref<T>(key: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => prefNow<T>(key) ?? initial)
  useEffect(() => {
    let here = true
    void readPref<T>(key).then((stored) => here && stored !== undefined && setValue(stored))
    return () => {
      here = false
    }
  }, [key])
  return [
    value,
    (next) => {
      setValue(next)
      void writePref(key, next)
    },
  ]
}

/** Rows of people and teams name the company they belong to. */
const placeOf = (row: object): Place => ({
  ...('projectCode' in row && typeof row.projectCode === 'string' ? { projectCode: row.projectCode } : {}),
  ...('corpCode' in row && typeof row.corpCode === 'string' ? { corpCode: row.corpCode } : {}),
})

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { list, columns, serial = true, search, unit = '条' } = props
  const page = usePage()
  const name = props.name ?? page.entry.name
  const { actions } = useContext(ListContext)
  const mayDo = useCanAll()
  const [settings, setSettings] = usePref<ColumnSetting[] | undefined>(`columns:${name}`, undefined)
  const [density, setDensity] = usePref<Density>(`density:${name}`, 'large')
  const [exporting, setExporting] = useState(false)
  const [body, height, width] = useHeight()
  const areaTree = useAreaTree(
    columns.some((column) => column.filter === 'area-cascader' && list.filters[column.filterKey ?? column.key] !== undefined),
  )

  const keyOfRow = (row: Row): string => {
    const { rowKey = 'id' as keyof Row } = props
    return typeof rowKey === 'function' ? rowKey(row) : String(row[rowKey])
  }
  const { chosen, choose, clear, onlyChosen, setOnlyChosen } = useSelected(list, keyOfRow, props.selection)
  const arranged = useMemo(() => arrangeColumns(columns, settings), [columns, settings])
  const shown = arranged.filter((one) => one.shown).map((one) => one.column)
  const rows = onlyChosen ? [...chosen.values()].map((one) => one.row) : list.rows

  const antColumns: TableColumnType<Row>[] = shown.map((column) => headed(column, list))
  if (serial) {
    antColumns.unshift({
      key: '#',
      title: '序号',
      width: 56,
      align: 'right',
      render: (_, _row, index) => <span className="zg-2">{onlyChosen ? index + 1 : serialOf(list.page, list.size, index)}</span>,
    })
  }
  if (props.actions) {
    const { actions: rowActions, place = placeOf } = props
    antColumns.push({
      key: '%',
      title: '操作',
      width: 96,
      fixed: 'right',
      render: (_, row) => (
        <RowActions
          items={rowActions(row).filter(
            (one): one is RowAction => Boolean(one) && (!(one as RowAction).needs || mayDo((one as RowAction).needs!, place(row))),
          )}
        />
      ),
    })
  }
  const needed = shown.reduce((sum, column) => sum + (column.width ?? 110), serial ? 96 : 40) + (props.actions ? 96 : 0)
  const active = columns.filter((column) => column.filter && list.filters[column.filterKey ?? column.key] !== undefined)
  const searched = search && list.filters[search.key] !== undefined
  const otherFilters = Object.keys(list.filters).filter(
    (key) => key !== search?.key && !columns.some((column) => column.filter && (column.filterKey ?? column.key) === key),
  )
  const filtered = active.length > 0 || searched || otherFilters.length > 0
  const virtual = rows.length >= 100
  const { emptyHint, emptyAction } = props

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
          <ColumnSettings arranged={arranged} onChange={setSettings} onDefault={() => setSettings(undefined)} active={page.active} />
          <Tooltip title="刷新">
            <Button type="text" icon={<ReloadOutlined spin={list.fetching} />} aria-label="刷新" onClick={list.refresh} />
          </Tooltip>
          {props.exportFeature && (
            <Tooltip title="导出">
              <Button
                type="text"
                icon={<DownloadOutlined />}
                aria-label="导出"
                disabled={!exportCodes(props.exportFeature)?.every((code) => mayDo(code))}
                onClick={() => setExporting(true)}
              />
            </Tooltip>
          )}
        </div>
      </div>
      {filtered && (
        <div className="zg-filterline">
          <span className="zg-2">筛选条件</span>
          {active.map((column) => {
            const key = column.filterKey ?? column.key
            const tree = column.tree ?? (column.filter === 'area-cascader' ? areaTree : [])
            return (
              <FilterTag
                key={key}
                title={column.title}
                words={filterWords(column.filter!, list.filters[key] ?? '', column.options, tree)}
                onRemove={() => list.setFilter(key, undefined)}
              />
            )
          })}
          {searched && (
            <FilterTag title="搜索" words={list.filters[search.key] ?? ''} onRemove={() => list.setFilter(search.key, undefined)} />
          )}
          {otherFilters.map((key) => (
            <FilterTag key={key} title="其他条件" words={list.filters[key] ?? ''} onRemove={() => list.setFilter(key, undefined)} />
          ))}
          <button type="button" className="zg-bare zg-link" onClick={list.clearFilters}>
            清空
          </button>
          <span className="right">
            符合 {thousands(list.total)} {unit}
          </span>
        </div>
      )}
      <div className="zg-table-body" ref={body}>
        {list.loading ? (
          <TableSkeleton columns={Math.min(8, shown.length + 1)} />
        ) : list.error ? (
          <ErrorPanel error={list.error} retry={list.refresh} />
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
            {...(props.expand ? { expandable: { expandedRowRender: props.expand } } : {})}
            {...(props.onRow ? { onRow: (row) => rowHandlers(() => props.onRow?.(row)) } : {})}
            {...(props.selection
              ? {
                  rowSelection: {
                    columnWidth: 40,
                    selectedRowKeys: [...chosen.keys()],
                    preserveSelectedRowKeys: true,
                    onChange: (keys: Key[]) => choose(keys.map(String)),
                    getCheckboxProps: (row: Row) => ({
                      disabled: props.selection !== true && (props.selection?.disabled?.(row) ?? false),
                      'aria-label': `选择第 ${rows.indexOf(row) + 1} 行`,
                    }),
                  },
                }
              : {})}
            {...(props.sums
              ? {
                  summary: () => (
                    <Sums
                      keys={[...(props.selection ? ['!'] : []), ...antColumns.map((column) => String(column.key))]}
                      sums={props.sums ?? {}}
                    />
                  ),
                }
              : {})}
            onChange={(_pager, _filters, sorter) => {
              const one = Array.isArray(sorter) ? sorter[0] : sorter
              const field = String(one?.columnKey ?? '')
              const column = columns.find((c) => c.key === field)
              const key = typeof column?.sort === 'string' ? column.sort : field
              list.setSort(one?.order ? (one.order === 'descend' ? `-${key}` : key) : undefined)
            }}
            locale={{
              emptyText: filtered ? (
                <Empty small text="暂无数据" hint={`没有符合 ${active.length + otherFilters.length + (searched ? 1 : 0)} 个条件的记录`}>
                  <Button onClick={list.clearFilters}>清空筛选</Button>
                </Empty>
              ) : (
                <Empty hint={emptyHint}>{emptyAction}</Empty>
              ),
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
          {!onlyChosen && <Pager list={list} unit={unit} />}
        </div>
      )}
      {exporting && props.exportFeature && (
        <Suspense>
          <ExportDialog
            feature={props.exportFeature}
            title={props.exportTitle ?? page.entry.title}
            query={list.query}
            columns={shown.map((column) => column.key)}
            total={list.total}
            sensitive={props.exportSensitive ?? false}
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
      // A click that ends a selection of text, or hits a control, is no click on the row.
      if (String(getSelection() ?? '') || (event.target as Element).closest('a,button,input,label')) return
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

function headed<Row extends object>(column: Column<Row>, list: ListPage<Row>): TableColumnType<Row> {
  const filterKey = column.filterKey ?? column.key
  const sortKey = typeof column.sort === 'string' ? column.sort : column.key
  const active = list.filters[filterKey] !== undefined
  const align = column.align ?? 'left'
  return {
    key: column.key,
    title: column.title,
    align,
    className: [active && column.filter ? 'zg-filtered' : '', align === 'right' ? 'zg-right' : ''].join(' '),
    ...(column.width ? { width: column.width } : {}),
    ...(column.fixed ? { fixed: column.fixed } : {}),
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

function Cell({ value }: { value: ReactNode }) {
  if (value === null || value === undefined || value === '' || value === '--' || (Array.isArray(value) && value.length === 0))
    return <span className="zg-2">--</span>
  if (typeof value === 'string' && value.length > 8) return <span title={value}>{value}</span>
  return <>{value}</>
}

function Sums({ keys, sums }: { keys: readonly string[]; sums: Readonly<Record<string, ReactNode>> }) {
  return (
    <Table.Summary fixed>
      <Table.Summary.Row className="zg-sum">
        {keys.map((key, index) => (
          <Table.Summary.Cell key={key} index={index}>
            {sums[key] ?? (key === '#' ? '合计' : '')}
          </Table.Summary.Cell>
        ))}
      </Table.Summary.Row>
    </Table.Summary>
  )
}

function useSelected<Row>(list: ListPage<Row>, keyOfRow: (row: Row) => string, selection: Selection<Row> | true | undefined) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, { row: Row; page: number }>>(new Map())
  const [onlyChosen, setOnlyChosen] = useState(false)
  const change = (next: ReadonlyMap<string, { row: Row; page: number }>) => {
    setChosen(next)
    if (next.size === 0) setOnlyChosen(false)
    if (selection && selection !== true) selection.onChange?.([...next.values()].map((one) => one.row))
  }
  return {
    chosen,
    onlyChosen,
    setOnlyChosen,
    clear: () => change(new Map()),
    choose: (keys: readonly string[]) => {
      const here = new Map(list.rows.map((row) => [keyOfRow(row), row]))
      const next = new Map<string, { row: Row; page: number }>()
      for (const key of keys) {
        const known = chosen.get(key)
        const row = here.get(key)
        if (known) next.set(key, known)
        else if (row) next.set(key, { row, page: list.page })
      }
      change(next)
    },
  }
}

/** Up to two actions in the row, the rest under 更多. */
export function RowActions({ items }: { items: readonly RowAction[] }) {
  const visible = items.length > 2 ? items.slice(0, 1) : items
  const rest = items.length > 2 ? items.slice(1) : []
  return (
    <span className="zg-cell-actions">
      {visible.map((item) => (
        <Fragment key={item.label}>{actionControl(item)}</Fragment>
      ))}
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((item) => ({
              key: item.label,
              danger: item.danger ?? false,
              disabled: Boolean(item.disabled),
              title: item.disabled || '',
              label: item.href ? <Link to={item.href}>{item.label}</Link> : item.label,
              onClick: () => void item.onClick?.(),
            })),
          }}
        >
          <button type="button" className="zg-bare zg-link">
            更多
          </button>
        </Dropdown>
      )}
    </span>
  )
}

function actionControl(item: RowAction): ReactNode {
  if (item.href && !item.disabled) return <Link to={item.href}>{item.label}</Link>
  const button = (
    <button
      type="button"
      className={`zg-bare zg-link ${item.danger ? 'zg-link-danger' : ''}`}
      disabled={Boolean(item.disabled)}
      onClick={() => void item.onClick?.()}
    >
      {item.label}
    </button>
  )
  return item.disabled ? <Tooltip title={item.disabled}>{button}</Tooltip> : button
}

function FilterTag({ title, words, onRemove }: { title: string; words: string; onRemove: () => void }) {
  return (
    <span className="tag">
      <span title={words}>
        {title}：{words}
      </span>
      <button type="button" className="zg-bare" aria-label={`移除筛选 ${title}`} onClick={onRemove}>
        <CloseOutlined style={{ fontSize: 10 }} />
      </button>
    </span>
  )
}

function QuickSearch({
  placeholder,
  value,
  onSearch,
}: {
  placeholder: string
  value: string | undefined
  onSearch: (value: string | undefined) => void
}) {
  const [word, setWord] = useState(value ?? '')
  useEffect(() => setWord(value ?? ''), [value])
  return (
    <Input
      style={{ width: 190, marginRight: 8 }}
      prefix={<SearchOutlined />}
      allowClear
      maxLength={50}
      placeholder={placeholder}
      aria-label={placeholder}
      value={word}
      onChange={(event) => {
        setWord(event.target.value)
        if (event.target.value === '') onSearch(undefined)
      }}
      onPressEnter={() => onSearch(word.trim() || undefined)}
    />
  )
}

function SelectionBar(props: {
  chosen: ReadonlyMap<string, { page: number }>
  page: number
  unit: string
  only: boolean
  setOnly: (only: boolean) => void
  clear: () => void
  children: ReactNode
}) {
  const where = selectionSummary(new Map([...props.chosen].map(([key, one]) => [key, one.page])), props.page)
  return (
    <>
      <span>
        已选 <b style={{ color: 'var(--primary)' }}>{props.chosen.size}</b> {props.unit}
        {where && <span className="zg-2">（{where}）</span>}
      </span>
      <button type="button" className="zg-bare zg-link" onClick={() => props.setOnly(!props.only)}>
        {props.only ? '返回列表' : '查看已选'}
      </button>
      <button type="button" className="zg-bare zg-link" onClick={props.clear}>
        取消选择
      </button>
      {props.children}
    </>
  )
}

/** Total, sizes, previous, pages, next, jumper: in this order, which antd's own pager does not keep. */
export function Pager({
  list,
  unit = '条',
}: {
  list: Pick<ListPage<unknown>, 'page' | 'size' | 'total' | 'setPage' | 'setSize'>
  unit?: string
}) {
  const [jump, setJump] = useState('')
  const last = Math.max(1, Math.ceil(list.total / list.size))
  const sizes = pageSizes.some((size) => size === list.size) ? pageSizes : [...pageSizes, list.size].sort((a, b) => a - b)
  const go = () => {
    if (jump) list.setPage(Math.min(last, Math.max(1, Number(jump))))
    setJump('')
  }
  return (
    <nav className="pager" aria-label="分页">
      <span className="zg-nowrap">
        共 {thousands(list.total)} {unit}
      </span>
      <Select
        style={{ width: 96 }}
        value={list.size}
        aria-label="每页条数"
        options={sizes.map((size) => ({ value: size, label: `${size} 条/页` }))}
        onChange={(size) => list.setSize(size)}
      />
      <Pagination
        current={list.page}
        pageSize={list.size}
        total={list.total}
        showSizeChanger={false}
        showLessItems
        onChange={(at) => list.setPage(at)}
        itemRender={(_, type, element) =>
          type === 'prev' ? (
            <button type="button" className="ant-pagination-item-link" aria-label="上一页">
              <LeftOutlined />
            </button>
          ) : type === 'next' ? (
            <button type="button" className="ant-pagination-item-link" aria-label="下一页">
              <RightOutlined />
            </button>
          ) : (
            element
          )
        }
      />
      <span className="zg-nowrap">
        跳至{' '}
        <Input
          inputMode="numeric"
          style={{ width: 48 }}
          maxLength={7}
          value={jump}
          onChange={(event) => setJump(event.target.value.replace(/\D/g, ''))}
          onPressEnter={go}
          onBlur={go}
          aria-label="跳至页码"
        />{' '}
        页
      </span>
    </nav>
  )
}

function ColumnSettings<Row>({
  arranged,
  onChange,
  onDefault,
  active,
}: {
  arranged: readonly { column: Column<Row>; shown: boolean }[]
  onChange: (settings: ColumnSetting[]) => void
  onDefault: () => void
  active: boolean
}) {
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState<{ column: Column<Row>; shown: boolean }[]>([])
  const [dragged, setDragged] = useState<number>()
  const move = (from: number, to: number) => {
    if (to < 0 || to >= draft.length) return
    const next = [...draft]
    const [one] = next.splice(from, 1)
    if (one) next.splice(to, 0, one)
    setDraft(next)
  }
  const panel = (
    <div style={{ width: 252 }}>
      <div style={{ maxHeight: 340, overflow: 'auto' }}>
        {draft.map(({ column, shown }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: dragging has the arrow buttons as its keyboard way.
          <div
            key={column.key}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => {
              event.preventDefault()
              if (dragged !== undefined && dragged !== index) {
                move(dragged, index)
                setDragged(index)
              }
            }}
            onDragEnd={() => setDragged(undefined)}
            style={{ display: 'flex', alignItems: 'center', gap: 8, height: 28, cursor: 'grab' }}
          >
            <Checkbox
              checked={shown}
              disabled={column.locked ?? false}
              onChange={(event) => setDraft(draft.map((one, i) => (i === index ? { ...one, shown: event.target.checked } : one)))}
            >
              {column.title}
            </Checkbox>
            <span style={{ marginLeft: 'auto', display: 'flex', gap: 8 }}>
              <button type="button" className="zg-bare zg-2" aria-label={`上移 ${column.title}`} onClick={() => move(index, index - 1)}>
                ↑
              </button>
              <button type="button" className="zg-bare zg-2" aria-label={`下移 ${column.title}`} onClick={() => move(index, index + 1)}>
                ↓
              </button>
            </span>
          </div>
        ))}
      </div>
      <div style={{ display: 'flex', gap: 8, paddingTop: 8, marginTop: 8, borderTop: '1px solid var(--line)' }}>
        <button
          type="button"
          className="zg-bare zg-link"
          style={{ marginRight: 'auto' }}
          onClick={() => {
            onDefault()
            setOpen(false)
          }}
        >
          恢复默认
        </button>
        <Button size="small" onClick={() => setOpen(false)}>
          取消
        </Button>
        <Button
          size="small"
          type="primary"
          onClick={() => {
            onChange(draft.map((one) => ({ key: one.column.key, shown: one.shown })))
            setOpen(false)
          }}
        >
          确定
        </Button>
      </div>
    </div>
  )
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open && active}
      onOpenChange={(next) => {
        if (next) setDraft(arranged.map((one) => ({ ...one })))
        setOpen(next)
      }}
      title={`列设置  显示 ${draft.filter((one) => one.shown).length} / ${draft.length}`}
      content={panel}
    >
      <Tooltip title="列设置">
        <Button type="text" icon={<SettingOutlined />} aria-label="列设置" />
      </Tooltip>
    </Popover>
  )
}

/** 更多 for a toolbar: what is used less often. */
export function MoreMenu({ items, label = '更多' }: { items: readonly RowAction[]; label?: string }) {
  const mayDo = useCanAll()
  const allowed = items.filter((item) => !item.needs || mayDo(item.needs))
  if (allowed.length === 0) return null
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: allowed.map((item) => ({
          key: item.label,
          danger: item.danger ?? false,
          disabled: Boolean(item.disabled),
          title: item.disabled || '',
          label: item.href ? <Link to={item.href}>{item.label}</Link> : item.label,
          onClick: () => void item.onClick?.(),
        })),
      }}
    >
      <Button>
        {label} <DownOutlined />
      </Button>
    </Dropdown>
  )
}
