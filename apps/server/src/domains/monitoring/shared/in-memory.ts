import type { Range } from './record-fields.ts'

/** For lists calculated from several tables, at most a few thousand rows, which are filtered, sorted and paged in memory. */
export const inRange = (value: number | null, range: Range | undefined): boolean =>
  range === undefined ||
  (range.low === undefined && range.high === undefined) ||
  (value !== null && value >= (range.low ?? Number.NEGATIVE_INFINITY) && value <= (range.high ?? Number.POSITIVE_INFINITY))

/** Sorts rows: a name for ascending, `-name` for descending. Rows without a value come last in both cases. */
export function sorted<Row, Name extends string>(
  rows: readonly Row[],
  sort: Name | `-${Name}`,
  values: Readonly<Record<Name, (row: Row) => number | string | null>>,
): Row[] {
  const falling = sort.startsWith('-')
  const value = values[(falling ? sort.slice(1) : sort) as Name]
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
    return x === y ? 0 : (x < y ? -1 : 1) * (falling ? -1 : 1)
  })
}

export const cut = <Row>(rows: readonly Row[], { page, size }: { page: number; size: number }): { list: Row[]; total: number } => ({
  list: rows.slice((page - 1) * size, page * size),
  total: rows.length,
})

/** A province or city includes all areas below it, like `inAreas` in SQL. */
export const inAreaOf = (areaCode: string, values: readonly string[] | undefined): boolean =>
  !values?.length || values.some((one) => areaCode.startsWith(one.replace(/(00){1,2}$/, '').replace(/\D/g, '')))

interface Owned {
  areaCode: string
  ownerCorpName: string | null
  modelName: string | null
}
export const ownedAs = (
  row: Owned,
  requested: { areaCode?: string[] | undefined; ownerCorpName?: string | undefined; modelName?: string | undefined },
): boolean =>
  inAreaOf(row.areaCode, requested.areaCode) &&
  saysOf(row.ownerCorpName ?? '', requested.ownerCorpName) &&
  saysOf(row.modelName ?? '', requested.modelName)

export const saysOf = (text: string, part: string | undefined): boolean => part === undefined || part === '' || text.includes(part)

interface Ranked extends Owned {
  deviceName: string
  projectName: string
  /** The data is implausible: the row is shown but not ranked. */
  doubtful: boolean
}

interface RankQuery {
  page: number
  size: number
  deviceName?: string | undefined
  projectName?: string | undefined
  areaCode?: string[] | undefined
  ownerCorpName?: string | undefined
  modelName?: string | undefined
  doubtful?: string | undefined
}

/** A page of a ranking: the matching machines in order, with the number of all that can be ranked. */
export function rankPage<Row extends Ranked, Name extends string>(
  all: readonly Row[],
  query: RankQuery,
  order: { sort: Name | `-${Name}`; values: Readonly<Record<Name, (row: Row) => number | string | null>> },
  fits: (row: Row) => boolean,
): { list: Row[]; total: number; ranked: number; doubtful: number } {
  const wanted = all.filter(
    (one) =>
      saysOf(one.deviceName, query.deviceName) &&
      saysOf(one.projectName, query.projectName) &&
      ownedAs(one, query) &&
      (query.doubtful === undefined || one.doubtful === (query.doubtful === '1')) &&
      fits(one),
  )
  const doubtful = all.filter((one) => one.doubtful).length
  return { ...cut(sorted(wanted, order.sort, order.values), query), ranked: all.length - doubtful, doubtful }
}
