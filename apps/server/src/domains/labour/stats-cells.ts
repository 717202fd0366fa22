import { type RatioKey, ratioKeys } from '@zhugong/contract/labour/tables'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { add, cellsOf, type Measured, nothing, type Sum, shareOf } from './measures.ts'

export const pageOf = <T>(rows: readonly T[], query: { page: number; size: number }) => {
  const { limit, offset } = pageSlice(query)
  return { list: rows.slice(offset, offset + limit), total: rows.length }
}

type Range = { low?: number | undefined; high?: number | undefined } | undefined

export const within = (value: number | null, range: Range) =>
  !range || (value !== null && (range.low === undefined || value >= range.low) && (range.high === undefined || value <= range.high))

/** Filters on ratios are entered in percent. */
export const sharesWithin = (sum: Sum, query: Partial<Record<RatioKey, Range>>) =>
  ratioKeys.every((key) => {
    const share = shareOf(sum.pairs[key])
    return within(share === null ? null : share * 100, query[key])
  })

export const measuredCells = (now: Sum, before: Sum | undefined) => ({
  ...pick(now, 'onSite', 'workers', 'alarms'),
  ...cellsOf(now, before),
})

export function sorted<Row extends object>(
  rows: Row[],
  sort: string | undefined,
  fallback: string,
  value: (row: Row, key: string) => number | string | null,
): Row[] {
  const requested = sort ?? fallback
  const key = requested.replace(/^-/, '')
  const turn = requested.startsWith('-') ? -1 : 1
  return rows.sort((a, b) => {
    const [x, y] = [value(a, key), value(b, key)]
    if (x === y) return 0
    if (x === null) return 1
    if (y === null) return -1
    return (typeof x === 'string' || typeof y === 'string' ? String(x).localeCompare(String(y), 'zh') : x - y) * turn
  })
}

export const numberAt = (row: object, key: string): number | string | null => {
  const value = (row as Record<string, unknown>)[key]
  if (value && typeof value === 'object' && 'whole' in value) return shareOf(value as { part: number; whole: number })
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

/** Sums a month's rows by a key. */
export function sumsBy(rows: readonly Measured[], keyOf: (m: Measured) => string | undefined): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const m of rows) {
    const key = keyOf(m)
    if (key !== undefined) sums.set(key, add(sums.get(key) ?? nothing(), m))
  }
  return sums
}
