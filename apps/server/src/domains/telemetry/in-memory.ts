import type { Range } from './record-fields.ts'

/** A list whose rows are worked out of several tables at once, at most some thousands: filtered, ordered and cut here. */
export const inRange = (value: number | null, range: Range | undefined): boolean =>
  range === undefined ||
  (range.low === undefined && range.high === undefined) ||
  (value !== null && value >= (range.low ?? Number.NEGATIVE_INFINITY) && value <= (range.high ?? Number.POSITIVE_INFINITY))

/** `sort` as lists ask for it: a name for rising, `-name` for falling. What has no value stands last either way. */
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

/** A province or city stands for everything below it, as `inAreas` says it to the database. */
export const inAreaOf = (areaCode: string, values: readonly string[] | undefined): boolean =>
  !values?.length || values.some((one) => areaCode.startsWith(one.replace(/(00){1,2}$/, '').replace(/\D/g, '')))

interface Owned {
  areaCode: string
  ownerCorpName: string | null
  modelName: string | null
}
export const ownedAs = (
  row: Owned,
  asked: { areaCode?: string[] | undefined; ownerCorpName?: string | undefined; modelName?: string | undefined },
): boolean =>
  inAreaOf(row.areaCode, asked.areaCode) &&
  saysOf(row.ownerCorpName ?? '', asked.ownerCorpName) &&
  saysOf(row.modelName ?? '', asked.modelName)

export const saysOf = (text: string, part: string | undefined): boolean => part === undefined || part === '' || text.includes(part)

interface Ranked extends Owned {
  deviceName: string
  projectName: string
  /** Its data cannot be believed: it is shown, not ranked. */
  doubtful: boolean
}

interface AskedRanks {
  page: number
  size: number
  deviceName?: string | undefined
  projectName?: string | undefined
  areaCode?: string[] | undefined
  ownerCorpName?: string | undefined
  modelName?: string | undefined
  doubtful?: string | undefined
}

/** A page of a ranking: the machines that are asked for, in order, and how many of all can be ranked. */
export function rankPage<Row extends Ranked, Name extends string>(
  all: readonly Row[],
  asked: AskedRanks,
  order: { sort: Name | `-${Name}`; values: Readonly<Record<Name, (row: Row) => number | string | null>> },
  fits: (row: Row) => boolean,
): { list: Row[]; total: number; ranked: number; doubtful: number } {
  const wanted = all.filter(
    (one) =>
      saysOf(one.deviceName, asked.deviceName) &&
      saysOf(one.projectName, asked.projectName) &&
      ownedAs(one, asked) &&
      (asked.doubtful === undefined || one.doubtful === (asked.doubtful === '1')) &&
      fits(one),
  )
  const doubtful = all.filter((one) => one.doubtful).length
  return { ...cut(sorted(wanted, order.sort, order.values), asked), ranked: all.length - doubtful, doubtful }
}
