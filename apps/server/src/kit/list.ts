import { AppError } from '@zhugong/contract/kit/errors'
import { emptyOption, parseInstant } from '@zhugong/contract/kit/fields'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Filters of list calls. Each returns no condition when its filter is not set, so that a list is `allOf(...contains(...), ...anyOf(...))`.
 * Column names come from the store, never from the caller; values are always parameters.
 */
export type Condition = RawBuilder<SqlBool>

/** Wraps a boolean SQL expression of a list as a filter condition. */
export const condition = (raw: RawBuilder<unknown>): Condition => raw as Condition

/** The `like` pattern that finds a text anywhere; its wildcards are escaped. */
export const anywhere = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/**
 * Text filter: finds the value anywhere, ignoring case. Values without case (Chinese, digits) use `like`, which takes a third of the time
 * of `ilike`: 230 ms instead of 660 ms over the names of a million rows.
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

/** Area filter: a province or city includes all areas below it. */
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
/** Multi-choice filter on an integer column; values outside the column's range match nothing. */
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

/** Date-range filter on an instant: a date without time means the whole day in Asia/Shanghai. */
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

/** Filters by project, in addition to row-level security; undefined means all. */
export function inProjects(column: string, projects: readonly string[] | undefined): Condition[] {
  if (!projects) return []
  // Compare one project by equality: only then can an index (project, time) also give the order. Measured on 100,000 rows: 0.1 ms against
  // 55 ms.
  return projects.length === 1 ? equals(column, projects[0]) : [condition(sql`${sql.ref(column)} = any (${[...projects]})`)]
}

interface Rows {
  limit(most: number): this
  offset(first: number): this
}
/** Applies limit and offset of the requested page to a kysely query: `rows.$call(pageOf(query))`. */
export const pageOf =
  ({ page, size }: { page: number; size: number }) =>
  <Q extends Rows>(rows: Q): Q =>
    rows.limit(size).offset((page - 1) * size)

export const allOf = (...conditions: Condition[]): Condition =>
  conditions.length ? condition(sql.join(conditions, sql` and `)) : condition(sql`true`)

/** How a query parameter is applied: a filter of this file with its column, a condition of the list, or elsewhere. */
type Filter<V> = readonly [filter: (column: string, value: V) => Condition[], column: string] | ((value: V) => Condition) | 'elsewhere'

/**
 * Builds the filters of a list from one map of its query parameters. A parameter added to the contract does not compile until the map has
 * it. Condition functions are called only for values that are set.
 */
export function filtersOf<Q extends object>(
  query: Q,
  filters: { readonly [K in Exclude<keyof Q, 'page' | 'size' | 'sort'>]-?: Filter<NonNullable<Q[K]>> },
): Condition {
  const given = query as Readonly<Record<string, unknown>>
  return allOf(
    ...Object.entries<Filter<never>>(filters).flatMap(([name, filter]) => {
      const value = given[name] as never
      if (filter === 'elsewhere' || value === undefined || value === '') return []
      return typeof filter === 'function' ? [filter(value)] : filter[0](filter[1], value)
    }),
  )
}

/**
 * Builds the order of a list. `sort` is a name of `columns`, with a leading `-` for descending order. When the contract declares the names
 * (`sortBy`), the map has exactly these. `key` makes the order total, so that pages neither repeat nor skip rows. A column is a name or an
 * SQL expression. A trailing `!` marks a column that is never null: an index gives descending order only without `nulls last`.
 * @throws AppError `invalidInput` when the list does not sort by that name
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
  // Own properties only: `constructor` is a key of every object.
  const column = Object.hasOwn(columns, name) ? (columns as Readonly<Record<string, string | RawBuilder<unknown>>>)[name] : undefined
  if (!column) throw new AppError('invalidInput', `不能按“${name}”排序`, { field: 'sort' })
  const neverNull = typeof column === 'string' && column.endsWith('!')
  const by = typeof column === 'string' ? sql.ref(neverNull ? column.slice(0, -1) : column) : column
  const direction = !falling ? sql`asc` : neverNull ? sql`desc` : sql`desc nulls last`
  return sql`${by} ${direction}, ${sql.ref(key)} ${falling ? sql`desc` : sql`asc`}`
}

export const pageSlice = (query: { page: number; size: number }) => ({ limit: query.size, offset: (query.page - 1) * query.size })
