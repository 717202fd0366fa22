import { exportCodes } from '@zhugong/contract/exports/codes'
import type { ExportType } from '@zhugong/contract/exports/endpoints'
import { exportKeys, type List } from '@zhugong/contract/kit/list'
import type { z } from 'zod'
import type { Context, Rights } from '#kit/context'
import type { Pdf } from '#kit/pdf'

/**
 * What a list needs to read its rows, for a request and for a background export alike. `principal`: the caller's rights with the projects
 * to which they are limited; `codes` are those valid in the whole scope.
 */
export type ListContext = Pick<
  Context,
  'db' | 'scope' | 'codes' | 'projectCode' | 'group' | 'scopeChecks' | 'clock' | 'secrets' | 'user'
> & {
  principal: Rights
}

export interface ExportColumn<Row> {
  key: string
  title: string
  width?: number
  value: (row: Row) => string | number | null | undefined
  /** Always exported: the page shows it in its header instead of a column. */
  always?: true
  /** In clear only with `export.sensitive` and a purpose; otherwise left out. */
  sensitive?: true
  /** Columns of the file that replace this one, which the page shows combined in one cell. */
  apart?: readonly string[]
}

/** A list that can be exported: the same query, filters and scope as the list itself, row by row from a cursor. */
export interface ListExport<Query = unknown, Row = unknown> {
  /** The permission codes for a feature are in the contract (`exportCodes`). */
  feature: string
  title: string
  query: z.ZodType<Query>
  columns: readonly ExportColumn<Row>[]
  rows(ctx: ListContext, query: Query): AsyncIterable<Row>
  count(ctx: ListContext, query: Query): Promise<number>
  /** Title lines above the table, for example list, site and day. */
  heading?: ((ctx: ListContext, query: Query) => Promise<readonly string[]>) | undefined
}

type Cell = string | number | null | undefined

/** What an export adds to the contract of a declared list. */
interface Source<Query, Row, Key extends string> {
  title: string
  /** Column widths in characters; 16 by default. */
  widths?: Partial<Record<Key, number>>
  /** Columns that are always exported, because the page shows them outside the table. */
  always?: readonly Key[]
  /** Columns of the file that replace a combined column of the page. */
  apart?: Partial<Record<Key, readonly Key[]>>
  heading?: (ctx: ListContext, query: Query) => Promise<readonly string[]>
  rows(ctx: ListContext, query: Query): AsyncIterable<Row>
  count(ctx: ListContext, query: Query): Promise<number>
}

/** Keys of a row whose values can be written directly. */
type Plain<Row> = { [K in keyof Row]-?: Row[K] extends Cell ? K : never }[keyof Row]

/** Compile error for a cell without a column in the list. */
type Unlisted<Named extends string, Wanted extends string> = Readonly<
  Record<Exclude<Named, Wanted>, 'no such column in the contract: name it in listOf, or take this cell away'>
>

/**
 * Compile error for a column without a value in the row or in `cells`. Requires nothing while the row type is unknown: the compiler checks
 * a call once before it has inferred the row from `rows`.
 */
type Missing<Row, Named extends string, Wanted extends string> = unknown extends Row
  ? unknown
  : Readonly<Record<Exclude<Wanted, Plain<Row> | Named>, 'the row has no value of this name that can be written: give the column a cell'>>

/** Cells for the columns that are not a value of the row with the same name. */
type CellsFor<Row, Named extends string, Wanted extends string> = Readonly<Record<Named, unknown>> &
  Readonly<Partial<Record<Wanted, (row: Row) => Cell>>> &
  Unlisted<Named, Wanted> &
  Missing<Row, Named, Wanted>

/**
 * The export of a declared list. A column is written by its entry in `cells`, or as the row's value of the same name; a column without
 * either does not compile. Throws if the list has no export name.
 */
export function listExportOf<In, Query, Listed, Row, Key extends string, Shown extends string, Named extends string>(
  list: List<In, { query: Query }, Listed, Key, Shown>,
  { title, widths = {}, always = [], apart = {}, heading, rows, count }: Source<Query, Row, Exclude<Key, Shown>>,
  cells: CellsFor<Row, Named, Exclude<Key, Shown>>,
): ListExport<Query, Row> {
  if (!list.feature) throw new Error(`the list of ${list.call.path} has no name as an export`)
  const widthOf: Partial<Record<string, number>> = widths
  const apartOf: Partial<Record<string, readonly string[]>> = apart
  const cellOf = cells as Partial<Record<string, (row: Row) => Cell>>
  return {
    feature: list.feature,
    title,
    query: list.call.schemas.query as z.ZodType<Query>,
    columns: exportKeys(list).map((key) => ({
      key,
      title: list.columns[key],
      width: widthOf[key] ?? 16,
      value: cellOf[key] ?? ((row: Row) => (row as Record<string, Cell>)[key]),
      apart: apartOf[key],
      always: always.includes(key) ? (true as const) : undefined,
      sensitive: list.sensitive.includes(key) ? (true as const) : undefined,
    })),
    rows,
    count,
    heading,
  }
}

/** Registers a declared list as an export. Throws at start-up, like `registerExport`. */
export function exportOf<In, Query, Listed, Row, Key extends string, Shown extends string, Named extends string>(
  list: List<In, { query: Query }, Listed, Key, Shown>,
  source: Source<Query, Row, Exclude<Key, Shown>>,
  cells: CellsFor<Row, Named, Exclude<Key, Shown>>,
): void {
  registerExport(listExportOf(list, source, cells))
}

const registered = new Map<string, ListExport>()

/** Registers an export. Throws at start-up if the feature has no permission codes. */
export function registerExport<Query, Row>(definition: ListExport<Query, Row>): void {
  if (!exportCodes(definition.feature)) throw new Error(`export ${definition.feature} has no codes`)
  registered.set(definition.feature, definition as unknown as ListExport)
}
export const exportNamed = (feature: string): ListExport | undefined => registered.get(feature)

/** Context for drawing a document: a list's context, and access to stored pictures. */
export interface PrintContext extends ListContext {
  /** A stored picture that a visible row refers to, as JPEG or PNG; undefined if there is none in these formats. */
  picture(id: string | null): Promise<Buffer | undefined>
}

/** A printable document, such as a person's file, badges or a proof. Drawn with the rights its owner has at that time. */
export interface Print<Query = unknown> {
  /** The permission codes for a feature are in the contract (`exportCodes`). */
  feature: string
  title: string
  query: z.ZodType<Query>
  /** For an archive of several: parses its query to those of the single papers. */
  several?: z.ZodType<readonly Query[]>
  /** Throws AppError, with a message for the user, if it cannot be drawn. */
  draw(ctx: PrintContext, query: Query): Promise<Pdf>
}

const slice = 1_000
/** Reads a list page by page: the same query and order as the list itself. */
export async function* pagesOf<Q extends { page: number; size: number }, Row>(
  query: Q,
  read: (query: Q) => Promise<readonly Row[]>,
): AsyncIterable<Row> {
  for (let page = 1; ; page++) {
    const rows = await read({ ...query, page, size: slice })
    yield* rows
    if (rows.length < slice) return
  }
}

type ReadPage<Q, Row> = (ctx: ListContext, query: Q) => Promise<{ list: readonly Row[]; total: number }>

/** Rows and count of a list that is read page by page. */
export const byPages = <Q extends { page: number; size: number }, Row>(read: ReadPage<Q, Row>) => ({
  rows: (ctx: ListContext, query: Q): AsyncIterable<Row> => pagesOf(query, async (q) => (await read(ctx, q)).list),
  count: async (ctx: ListContext, query: Q): Promise<number> => (await read(ctx, { ...query, page: 1, size: 1 })).total,
})

/** A page reader with each row converted to what its cells need. */
export const shownAs =
  <Q, Row, Shown>(read: ReadPage<Q, Row>, shown: (row: Row) => Shown): ReadPage<Q, Shown> =>
  async (ctx, query) => {
    const { list, total } = await read(ctx, query)
    return { list: list.map(shown), total }
  }

/** Rows and count of a list that is read in one query. */
export const inOnePiece = <Q, Row>(read: (ctx: ListContext, query: Q) => Promise<readonly Row[]>) => ({
  async *rows(ctx: ListContext, query: Q): AsyncIterable<Row> {
    yield* await read(ctx, query)
  },
  count: async (ctx: ListContext, query: Q): Promise<number> => (await read(ctx, query)).length,
})

const prints = new Map<string, Print>()

/** Registers a document. Throws at start-up if the feature has no permission codes. */
export function registerPrint<Query>(print: Print<Query>): void {
  if (!exportCodes(print.feature)) throw new Error(`print ${print.feature} has no codes`)
  prints.set(print.feature, print as unknown as Print)
}

/** The export of a feature in a file type: for PDF its document if there is one, else its list; for an archive its document. */
export function exportableAs(type: ExportType, feature: string): Pick<ListExport, 'feature' | 'title' | 'query'> | undefined {
  const print = prints.get(feature)
  if (type === 'zip') return print?.several && { feature, title: print.title, query: print.several }
  return (type === 'pdf' ? print : undefined) ?? registered.get(feature)
}
export const printNamed = (feature: string): Print | undefined => prints.get(feature)
