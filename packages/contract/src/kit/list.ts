import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** What a list may be sorted by: a name for rising, `-name` for falling. */
export type Sort<Name extends string> = Name | `-${Name}`

/**
 * The `sort` of a list's query. The names are the contract's: the server's map from them to SQL does not compile when one is missing or
 * too many (`orderBy`), nor does a column of a page that sorts by another.
 */
export function sortBy<const Name extends string>(...names: readonly Name[]) {
  const all = names.flatMap((name) => [name, `-${name}`]) as Sort<Name>[]
  return z.enum(all as [Sort<Name>, ...Sort<Name>[]], { error: (issue) => `不能按“${String(issue.input).slice(0, 60)}”排序` }).optional()
}

type QueryOf<In> = In extends { query?: infer Q } ? NonNullable<Q> : never
/** The names a list sorts by, as its query declares them. */
export type SortName<In> = QueryOf<In> extends { sort?: infer S } ? Exclude<S, undefined | `-${string}`> & string : never
/** The names a list may be filtered by: all of its query but paging and order. */
export type FilterName<In> = Exclude<keyof QueryOf<In>, 'page' | 'size' | 'sort'> & string

interface Definition<Key extends string, Shown extends string, Sensitive extends string> {
  /** Every column there is, its title by its key, in the order of an export. A page chooses from them and says how each looks. */
  columns: Readonly<Record<Key, string>>
  /** The list's name as an export; without it the list cannot be taken along. Who may do it stands in `exports/codes.ts`. */
  feature?: string
  /** Columns that only a screen can show: a picture, a button. */
  onScreen?: readonly Shown[]
  /** Columns that an export shows only with `export.sensitive` and a purpose. */
  sensitive?: readonly Sensitive[]
}

/** A list as server and web know it: its call, its columns, and what of it an export holds. */
export interface List<In = unknown, Parsed = unknown, Row = unknown, Key extends string = string, Shown extends string = string> {
  readonly call: Endpoint<In, Parsed, { list: Row[]; total: number }>
  readonly columns: Readonly<Record<Key, string>>
  readonly feature: string | undefined
  readonly onScreen: readonly Shown[]
  readonly sensitive: readonly string[]
}

/** Declares what columns a list has. The same value types the page's table and the server's export. */
export function listOf<In, Parsed, Row, const Key extends string, const Shown extends Key = never, const Sensitive extends Key = never>(
  call: Endpoint<In, Parsed, { list: Row[]; total: number }>,
  { columns, feature, onScreen = [], sensitive = [] }: Definition<Key, Shown, Sensitive>,
): List<In, Parsed, Row, Key, Shown> {
  return { call, columns, feature, onScreen, sensitive }
}

/** The columns of a list that its export holds. */
export const exportKeys = <Key extends string, Shown extends string>(
  list: Pick<List<unknown, unknown, unknown, Key, Shown>, 'columns' | 'onScreen'>,
): Exclude<Key, Shown>[] =>
  (Object.keys(list.columns) as Key[]).filter((key): key is Exclude<Key, Shown> => !(list.onScreen as readonly string[]).includes(key))
