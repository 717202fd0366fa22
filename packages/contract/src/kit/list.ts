import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Sort order: `name` ascending, `-name` descending. */
export type Sort<Name extends string> = Name | `-${Name}`

/**
 * The `sort` parameter of a list's query. The server's map from these names to SQL (`orderBy`) does not compile if a name is missing or
 * unknown. Nor does a page column that sorts by another name.
 */
export function sortBy<const Name extends string>(...names: readonly Name[]) {
  const all = names.flatMap((name) => [name, `-${name}`]) as Sort<Name>[]
  return z.enum(all as [Sort<Name>, ...Sort<Name>[]], { error: (issue) => `不能按“${String(issue.input).slice(0, 60)}”排序` }).optional()
}

type QueryOf<In> = In extends { query?: infer Q } ? NonNullable<Q> : never
/** The sort names that a query declares. */
export type SortName<In> = QueryOf<In> extends { sort?: infer S } ? Exclude<S, undefined | `-${string}`> & string : never
/** The filter names of a query: all parameters but paging and sort. */
export type FilterName<In> = Exclude<keyof QueryOf<In>, 'page' | 'size' | 'sort'> & string

interface Definition<Key extends string, Shown extends string, Sensitive extends string> {
  /** Title of every column by key, in the order of the export. A page selects from them and renders each. */
  columns: Readonly<Record<Key, string>>
  /** Name of the list's export; without it the list cannot be exported. The codes it requires are in `exports/codes.ts`. */
  feature?: string
  /** Columns that are displayed but not exported: a picture, a button. */
  onScreen?: readonly Shown[]
  /** Columns that are exported only with `export.sensitive` and a stated purpose. */
  sensitive?: readonly Sensitive[]
}

/** A declared list: its call, its columns, and which of them are exported. */
export interface List<In = unknown, Parsed = unknown, Row = unknown, Key extends string = string, Shown extends string = string> {
  readonly call: Endpoint<In, Parsed, { list: Row[]; total: number }>
  readonly columns: Readonly<Record<Key, string>>
  readonly feature: string | undefined
  readonly onScreen: readonly Shown[]
  readonly sensitive: readonly string[]
}

/** Declares the columns of a list. The result gives types to the page's table and the server's export. */
export function listOf<In, Parsed, Row, const Key extends string, const Shown extends Key = never, const Sensitive extends Key = never>(
  call: Endpoint<In, Parsed, { list: Row[]; total: number }>,
  { columns, feature, onScreen = [], sensitive = [] }: Definition<Key, Shown, Sensitive>,
): List<In, Parsed, Row, Key, Shown> {
  return { call, columns, feature, onScreen, sensitive }
}

/** The exported columns of a list. */
export const exportKeys = <Key extends string, Shown extends string>(
  list: Pick<List<unknown, unknown, unknown, Key, Shown>, 'columns' | 'onScreen'>,
): Exclude<Key, Shown>[] =>
  (Object.keys(list.columns) as Key[]).filter((key): key is Exclude<Key, Shown> => !(list.onScreen as readonly string[]).includes(key))
