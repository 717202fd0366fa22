import type { ExportType } from '@zhugong/contract/exports/endpoints'

type Query = Readonly<Record<string, unknown>>
const isDay = (v: unknown): v is string => typeof v === 'string' && /^\d{4}-\d{2}-\d{2}/.test(v)
const isMonth = (v: unknown): v is string => typeof v === 'string' && /^\d{4}-\d{2}$/.test(v)
const dayOf = (text: string) => text.slice(0, 10)

/** The period of a list's query: a month, a day or a range; undefined if there is none, or more than one. */
export function periodOf(query: Query): string | undefined {
  if (isMonth(query.month)) return query.month
  const day = query.date ?? query.asOf
  if (isDay(day)) return dayOf(day)
  if (isDay(query.from) && isDay(query.to)) return between(query.from, query.to)
  const ranges = Object.values(query).flatMap((v) => {
    const [from, to, ...more] = typeof v === 'string' ? v.split(',') : []
    return isDay(from) && isDay(to) && more.length === 0 ? [between(from, to)] : []
  })
  return ranges.length === 1 ? ranges[0] : undefined
}
const between = (from: string, to: string) => (dayOf(from) === dayOf(to) ? dayOf(from) : `${dayOf(from)}至${dayOf(to)}`)

/** Query fields that are not filters: scope, sort order, page, and the period that is in the file name. */
const plain = ['page', 'size', 'sort', 'group', 'projectCode', 'view', 'tab', 'month', 'date', 'asOf', 'range', 'from', 'to', 'annex']
export const isFiltered = (query: Query): boolean =>
  Object.entries(query).some(
    ([key, v]) => !plain.includes(key) && v !== undefined && v !== null && v !== '' && !(Array.isArray(v) && v.length === 0),
  )

/** The file name contains the period of its content, or the date of the export if it has none. */
export const exportFileName = (title: string, query: Query, today: string, type: ExportType): string =>
  `${title}_${periodOf(query) ?? today}.${type}`
