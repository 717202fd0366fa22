/** State of a list as text in the address: filters, order, page. Pure; the hook is in list.ts. */

export const emptySentinel = '-9999'
export const filterTextMax = 50
export const pageSizes = [20, 30, 50, 100] as const

export const filterKinds = [
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
] as const
export type FilterKind = (typeof filterKinds)[number]

export interface ListState {
  page: number
  size: number
  sort: string | undefined
  /** By query parameter; several values as `a,b`, ranges as `from,to`. */
  filters: Record<string, string>
}

export interface ListDefaults {
  size: number
  sort: string | undefined
}

const reserved = new Set(['page', 'size', 'sort'])

const wholeFrom = (text: string | null, least: number, most: number): number | undefined => {
  if (text === null || !/^\d+$/.test(text)) return undefined
  const n = Number(text)
  return n >= least && n <= most ? n : undefined
}

/** `own` are parameters of the address that belong to the page, not to the list. */
export function listStateOf(search: string, defaults: ListDefaults, own: readonly string[] = []): ListState {
  const query = new URLSearchParams(search)
  const filters: Record<string, string> = {}
  for (const [name, value] of query) {
    if (!reserved.has(name) && !own.includes(name) && value !== '') filters[name] = value
  }
  return {
    page: wholeFrom(query.get('page'), 1, 1_000_000) ?? 1,
    size: wholeFrom(query.get('size'), 1, 1000) ?? defaults.size,
    sort: query.get('sort') ?? defaults.sort,
    filters,
  }
}

/** The shortest query string: default values are left out. */
export function searchOf(state: ListState, defaults: ListDefaults, keep: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(keep)
  for (const [name, value] of Object.entries(state.filters)) if (value !== '') query.set(name, value)
  if (state.sort && state.sort !== defaults.sort) query.set('sort', state.sort)
  if (state.size !== defaults.size) query.set('size', String(state.size))
  if (state.page !== 1) query.set('page', String(state.page))
  const text = query.toString()
  return text ? `?${text}` : ''
}

/** Any change of a filter returns to page 1. */
export function withFilter(state: ListState, name: string, value: string | undefined): ListState {
  const filters = { ...state.filters }
  if (value === undefined || value === '') delete filters[name]
  else filters[name] = value
  return { ...state, filters, page: 1 }
}

/** The first row of the page stays in view when the page size changes. */
export function withSize(state: ListState, size: number): ListState {
  const first = (state.page - 1) * state.size
  return { ...state, size, page: Math.floor(first / size) + 1 }
}

/** Cycles through ascending, descending and default order. */
export function nextSort(sort: string | undefined, key: string): string | undefined {
  if (sort === key) return `-${key}`
  return sort === `-${key}` ? undefined : key
}

export const serialOf = (page: number, size: number, rowIndex: number): number => (page - 1) * size + rowIndex + 1

/** The last existing page, for when rows were removed meanwhile. */
export const lastPage = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** Toggles an option of a multiple choice; the option "empty" excludes all others. */
export function toggleChoice(chosen: readonly string[], value: string): string[] {
  if (chosen.includes(value)) return chosen.filter((one) => one !== value)
  if (value === emptySentinel) return [emptySentinel]
  return [...chosen.filter((one) => one !== emptySentinel), value]
}

/** Removes everything but digits and dots. */
export const numericOnly = (text: string): string => text.replace(/[^0-9.]/g, '')

export interface Option {
  value: string
  label: string
  count?: number
}
export interface TreeOption {
  value: string
  label: string
  children?: TreeOption[]
}

export function treeLabel(tree: readonly TreeOption[], value: string): string | undefined {
  for (const node of tree) {
    if (node.value === value) return node.label
    const below = node.children && treeLabel(node.children, value)
    if (below) return `${node.label} / ${below}`
  }
  return undefined
}

/** Path of values to a node, for cascaders. */
export function treePath(tree: readonly TreeOption[], value: string): string[] | undefined {
  for (const node of tree) {
    if (node.value === value) return [value]
    const below = node.children && treePath(node.children, value)
    if (below) return [node.value, ...below]
  }
  return undefined
}

/** A filter's value as text, for its removable tag. */
export function filterWords(kind: FilterKind, value: string, options: readonly Option[] = [], tree: readonly TreeOption[] = []): string {
  const label = (one: string) => (one === emptySentinel ? '空' : (options.find((o) => o.value === one)?.label ?? one))
  switch (kind) {
    case 'single':
    case 'multi':
    case 'checkbox-empty':
      return value.split(',').map(label).join('、')
    case 'area-cascader':
    case 'tree-cascader':
      return treeLabel(tree, value) ?? value
    case 'time-range':
    case 'date-range':
    case 'datetime-range': {
      const [from = '', to = ''] = value.split(',')
      return from && to ? `${from} 至 ${to}` : from ? `${from} 起` : `至 ${to}`
    }
    case 'numeric-range': {
      const [low = '', high = ''] = value.split(',')
      return low && high ? `${low} 至 ${high}` : low ? `不小于 ${low}` : `不大于 ${high}`
    }
    default:
      return value
  }
}

/** Summary of the rows selected on all pages; the map holds the page on which each key was selected. */
export function selectionSummary(chosen: ReadonlyMap<string, number>, page: number): string {
  const byPage = new Map<number, number>()
  for (const at of chosen.values()) byPage.set(at, (byPage.get(at) ?? 0) + 1)
  if (byPage.size <= 1 && (byPage.has(page) || byPage.size === 0)) return ''
  return [...byPage]
    .sort(([a], [b]) => (a === page ? 1 : b === page ? -1 : a - b))
    .map(([at, count]) => (at === page ? `本页 ${count}` : `第 ${at} 页 ${count}`))
    .join('，')
}

export interface ColumnSetting {
  key: string
  shown: boolean
}

/** Applies the user's order and choice to the current columns: new columns appear at their place, removed ones are dropped. */
export function arrangeColumns<C extends { key: string; hidden?: boolean | undefined; locked?: boolean | undefined }>(
  columns: readonly C[],
  settings: readonly ColumnSetting[] | undefined,
): { column: C; shown: boolean }[] {
  const known = new Map(columns.map((column) => [column.key, column]))
  const arranged = (settings ?? []).filter((one) => known.has(one.key)).map((one) => ({ column: known.get(one.key)!, shown: one.shown }))
  for (const [index, column] of columns.entries()) {
    if (arranged.some((one) => one.column.key === column.key)) continue
    const before = columns[index - 1]
    const place = before ? arranged.findIndex((one) => one.column.key === before.key) + 1 : 0
    arranged.splice(place, 0, { column, shown: !column.hidden })
  }
  return arranged.map(({ column, shown }) => ({ column, shown: column.locked ? true : shown }))
}

/** Converts administrative divisions to options; levels that only repeat their parent (市辖区) are skipped. */
export interface AreaNode {
  code: string
  name: string
  children?: readonly AreaNode[] | undefined
}
export function areaOptions(nodes: readonly AreaNode[]): TreeOption[] {
  return nodes.flatMap(({ code: value, name: label, children: below }) => {
    if (below && /^(市辖区|县|省直辖县级行政区划|自治区直辖县级行政区划)$/.test(label)) return areaOptions(below)
    return [{ value, label, children: below && below.length > 0 ? areaOptions(below) : undefined }]
  })
}
