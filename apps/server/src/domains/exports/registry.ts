import { exportCodes } from '@zhugong/contract/exports/codes'
import type { ExportType } from '@zhugong/contract/exports/endpoints'
import { exportKeys, type List } from '@zhugong/contract/kit/list'
import type { z } from 'zod'
import type { Context } from '#kit/context'
import type { Pdf } from '#kit/pdf'

/** What a list needs to read its rows, for a request and for a background export alike. */
export type ListContext = Pick<Context, 'db' | 'scope' | 'codes' | 'projectCode' | 'group' | 'scopeChecks' | 'clock' | 'secrets' | 'user'>

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
  /** Which codes it asks for stands in the contract (`exportCodes`). */
  feature: string
  title: string
  query: z.ZodType<Query>
  columns: readonly ExportColumn<Row>[]
  rows(ctx: ListContext, query: Query): AsyncIterable<Row>
  count(ctx: ListContext, query: Query): Promise<number>
  /** Title lines above the table: what it is, of which site and day. */
  heading?: ((ctx: ListContext, query: Query) => Promise<readonly string[]>) | undefined
}

type Cell = string | number | null | undefined

/** What the export of a declared list adds to its contract. */
interface Source<Query, Row, Key extends string> {
  title: string
  /** Characters a column is wide; 16 where none is given. */
  widths?: Partial<Record<Key, number>>
  /** Columns that are always exported, because the page shows them outside the table. */
  always?: readonly Key[]
  /** Columns of the file that replace a combined column of the page. */
  apart?: Partial<Record<Key, readonly Key[]>>
  heading?: (ctx: ListContext, query: Query) => Promise<readonly string[]>
  rows(ctx: ListContext, query: Query): AsyncIterable<Row>
  count(ctx: ListContext, query: Query): Promise<number>
}

/** Keys of a row whose values can be written as they are. */
type Plain<Row> = { [K in keyof Row]-?: Row[K] extends Cell ? K : never }[keyof Row]

/** What the compiler says of a cell for which the list has no column. */
type Unlisted<Named extends string, Wanted extends string> = Readonly<
  Record<Exclude<Named, Wanted>, 'no such column in the contract: name it in listOf, or take this cell away'>
>

/**
 * What the compiler says of a column that neither the row nor a cell gives a value. Nothing is required while the row is unknown: the
 * compiler checks a call once before it has inferred the row from `rows`.
 */
type Missing<Row, Named extends string, Wanted extends string> = unknown extends Row
  ? unknown
  : Readonly<Record<Exclude<Wanted, Plain<Row> | Named>, 'the row has no value of this name that can be written: give the column a cell'>>

/** Cells for the columns that are not the row's own value of the same name. */
type CellsFor<Row, Named extends string, Wanted extends string> = Readonly<Record<Named, unknown>> &
  Readonly<Partial<Record<Wanted, (row: Row) => Cell>>> &
  Unlisted<Named, Wanted> &
  Missing<Row, Named, Wanted>

/**
 * A declared list as an export. A column is written by its entry in `cells`, or as the row's value of the same name; a column that has
 * neither does not compile. Throws where the list has no name as an export.
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

/** Makes a declared list an export. Throws at start-up as `registerExport` does. */
export function exportOf<In, Query, Listed, Row, Key extends string, Shown extends string, Named extends string>(
  list: List<In, { query: Query }, Listed, Key, Shown>,
  source: Source<Query, Row, Exclude<Key, Shown>>,
  cells: CellsFor<Row, Named, Exclude<Key, Shown>>,
): void {
  registerExport(listExportOf(list, source, cells))
}

const registered = new Map<string, ListExport>()

/** Throws at start-up for a list of which nobody has said who may export it. */
export function registerExport<Query, Row>(definition: ListExport<Query, Row>): void {
  if (!exportCodes(definition.feature)) throw new Error(`export ${definition.feature} has no codes`)
  registered.set(definition.feature, definition as unknown as ListExport)
}
export const exportNamed = (feature: string): ListExport | undefined => registered.get(feature)

/** What a document is drawn with: a list's context, and the pictures it shows. */
export interface PrintContext extends ListContext {
  /** The stored picture that a row in sight names, as JPEG or PNG; undefined where there is none of these. */
  picture(id: string | null): Promise<Buffer | undefined>
}

/** A document that is more than a table: a file of a person, badges, a proof. Drawn with the rights its owner has when it is made. */
export interface Print<Query = unknown> {
  /** Which codes it asks for stands in the contract (`exportCodes`). */
  feature: string
  title: string
  query: z.ZodType<Query>
  /** Throws AppError, with words for whoever asked, when it cannot be made. */
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

/** Where a list's rows and their number come from, when its page is read by pages. */
export const byPages = <Q extends { page: number; size: number }, Row>(read: ReadPage<Q, Row>) => ({
  rows: (ctx: ListContext, query: Q): AsyncIterable<Row> => pagesOf(query, async (q) => (await read(ctx, q)).list),
  count: async (ctx: ListContext, query: Q): Promise<number> => (await read(ctx, { ...query, page: 1, size: 1 })).total,
})

/** A page with each row made into what its cells are written from. */
export const shownAs =
  <Q, Row, Shown>(read: ReadPage<Q, Row>, shown: (row: Row) => Shown): ReadPage<Q, Shown> =>
  async (ctx, query) => {
    const { list, total } = await read(ctx, query)
    return { list: list.map(shown), total }
  }

/** The same of a table that is read whole. */
export const inOnePiece = <Q, Row>(read: (ctx: ListContext, query: Q) => Promise<readonly Row[]>) => ({
  async *rows(ctx: ListContext, query: Q): AsyncIterable<Row> {
    yield* await read(ctx, query)
  },
  count: async (ctx: ListContext, query: Q): Promise<number> => (await read(ctx, query)).length,
})

const prints = new Map<string, Print>()

/** Throws at start-up for a document of which nobody has said who may make it. */
export function registerPrint<Query>(print: Print<Query>): void {
  if (!exportCodes(print.feature)) throw new Error(`print ${print.feature} has no codes`)
  prints.set(print.feature, print as unknown as Print)
}

/** What can be made of a feature in a form: a list as either, a document of its own as a document. */
export function exportableAs(type: ExportType, feature: string): Pick<ListExport, 'feature' | 'title' | 'query'> | undefined {
  return (type === 'pdf' ? prints.get(feature) : undefined) ?? registered.get(feature)
}
export const printNamed = (feature: string): Print | undefined => prints.get(feature)
