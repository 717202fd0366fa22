import { AppError } from '@zhugong/contract/kit/errors'
import { emptyOption, parseInstant } from '@zhugong/contract/kit/fields'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Filters of list calls. Each returns no condition when its filter is not set, so that a list is `allOf(...contains(...), ...anyOf(...))`.
 * Columns are written by the store, never taken from the caller; values are always parameters.
 */
export type Condition = RawBuilder<SqlBool>

/** SQL of a list's own that says yes or no of a row, to stand among the filters. */
export const condition = (raw: RawBuilder<unknown>): Condition => raw as Condition

/** What `ilike` takes to find the part anywhere: its own signs stand for themselves. */
export const anywhere = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Text filter: the part anywhere, upper and lower case alike. Chinese and numbers know no case, and `like` takes a third of what `ilike` does:
 * 230 ms instead of 660 over the names of a million rows.
 */
export function contains(column: string, value: string | undefined): Condition[] {
  if (!value) return []
  const has = value.toLowerCase() === value.toUpperCase() ? sql`like` : sql`ilike`
  return [condition(sql`${sql.ref(column)} ${has} ${anywhere(value)}`)]
}

export function equals(column: string, value: string | number | boolean | undefined): Condition[] {
  return value === undefined || value === '' ? [] : [condition(sql`${sql.ref(column)} = ${value}`)]
}

/** Multi-choice filter; the empty option stands for rows without a value and excludes the others. */
export function anyOf(column: string, values: readonly string[] | undefined): Condition[] {
  if (!values?.length) return []
  if (values.includes(emptyOption)) return [condition(sql`(${sql.ref(column)} is null or ${sql.ref(column)}::text = '')`)]
  return [condition(sql`${sql.ref(column)} = any (${[...values]})`)]
}

/** Area filter: a province or city stands for everything below it. */
export function inAreas(column: string, values: readonly string[] | undefined): Condition[] {
  if (!values?.length) return []
  const likes = values.map((code) => condition(sql`${sql.ref(column)} like ${`${code.replace(/(00){1,2}$/, '').replace(/\D/g, '')}%`}`))
  return [condition(sql`(${sql.join(likes, sql` or `)})`)]
}

export function between(column: string, range: { low?: number | undefined; high?: number | undefined } | undefined): Condition[] {
  return [
    ...(range?.low === undefined ? [] : [condition(sql`${sql.ref(column)} >= ${range.low}::numeric`)]),
    ...(range?.high === undefined ? [] : [condition(sql`${sql.ref(column)} <= ${range.high}::numeric`)]),
  ]
}

const [leastInt, mostInt] = [-(2 ** 31), 2 ** 31 - 1]
/** Multi-choice filter on an integer column; what is no number a column can hold matches nothing. */
export function anyInt(column: string, values: readonly string[] | undefined): Condition[] {
  if (!values?.length) return []
  const known = values.map(Number).filter((n) => Number.isInteger(n) && n >= leastInt && n <= mostInt)
  return [condition(sql`${sql.ref(column)} = any (${known}::int[])`)]
}

/** Date-range filter on a date column: both days inclusive. */
export function daysBetween(column: string, range: { from?: string | undefined; to?: string | undefined } | undefined): Condition[] {
  return [
    ...(range?.from ? [condition(sql`${sql.ref(column)} >= ${range.from.slice(0, 10)}::date`)] : []),
    ...(range?.to ? [condition(sql`${sql.ref(column)} <= ${range.to.slice(0, 10)}::date`)] : []),
  ]
}

/** The same on an instant: a date alone stands for the whole day in Asia/Shanghai. */
export function instantsBetween(column: string, range: { from?: string | undefined; to?: string | undefined } | undefined): Condition[] {
  const at = (text: string, end: boolean) => {
    const start = parseInstant(text) ?? Number.NaN
    return new Date(end && text.length <= 10 ? start + 86_400_000 : start)
  }
  return [
    ...(range?.from ? [condition(sql`${sql.ref(column)} >= ${at(range.from, false)}`)] : []),
    ...(range?.to ? [condition(sql`${sql.ref(column)} ${range.to.length > 10 ? sql`<=` : sql`<`} ${at(range.to, true)}`)] : []),
  ]
}

/** Names the projects, as every list does beside row-level security; undefined means all. */
export function inProjects(column: string, projects: readonly string[] | undefined): Condition[] {
  if (!projects) return []
  // One project by equality: only then does an index (project, time) also give the order, 0.1 ms against 55 ms on 100,000 rows.
  return projects.length === 1 ? equals(column, projects[0]) : [condition(sql`${sql.ref(column)} = any (${[...projects]})`)]
}

interface Rows {
  limit(most: number): this
  offset(first: number): this
}
/** The page that a list's query asks for, of rows that kysely puts together: `rows.$call(pageOf(query))`. */
export const pageOf =
  ({ page, size }: { page: number; size: number }) =>
  <Q extends Rows>(rows: Q): Q =>
    rows.limit(size).offset((page - 1) * size)

export const allOf = (...conditions: Condition[]): Condition =>
  conditions.length ? condition(sql.join(conditions, sql` and `)) : condition(sql`true`)

/**
 * The order of a list: `sort` is a name of `columns`, `-` in front for falling; where the contract declares the names (`sortBy`), the map
 * has exactly these. The key makes the order total, so that pages neither repeat nor skip rows. Throws AppError when the list does not
 * sort by that name. A column is named, or worked out by SQL of the list's own. One named with a `!` at its end is never null: an index
 * gives the falling order only without `nulls last`.
 */
export function orderBy<S extends string>(
  sort: S | undefined,
  columns: Readonly<Record<Exclude<S, `-${string}`>, string | RawBuilder<unknown>>>,
  fallback: NoInfer<S>,
  key: string,
): RawBuilder<unknown> {
  const wanted: string = sort ?? fallback
  const falling = wanted.startsWith('-')
  const name = falling ? wanted.slice(1) : wanted
  // Own names only: `constructor` is a key of every object.
  const column = Object.hasOwn(columns, name) ? (columns as Readonly<Record<string, string | RawBuilder<unknown>>>)[name] : undefined
  if (!column) throw new AppError('invalidInput', `不能按“${name}”排序`, { field: 'sort' })
  const neverNull = typeof column === 'string' && column.endsWith('!')
  const by = typeof column === 'string' ? sql.ref(neverNull ? column.slice(0, -1) : column) : column
  const direction = !falling ? sql`asc` : neverNull ? sql`desc` : sql`desc nulls last`
  return sql`${by} ${direction}, ${sql.ref(key)} ${falling ? sql`desc` : sql`asc`}`
}

export const pageSlice = (query: { page: number; size: number }) => ({ limit: query.size, offset: (query.page - 1) * query.size })
