import type { z } from 'zod'
import type { Context } from '#kit/context'

/** What a list needs to read its rows, for a request and for a background export alike. */
export type ListContext = Pick<Context, 'db' | 'scope' | 'codes' | 'projectCode' | 'group' | 'scopeChecks' | 'clock' | 'secrets' | 'user'>

export interface ExportColumn<Row> {
  key: string
  title: string
  width?: number
  value: (row: Row) => string | number | null | undefined
  /** In clear only with `export.sensitive` and a purpose; otherwise left out. */
  sensitive?: true
}

/** A list that can be exported: the same query, filters and scope as the list itself, row by row from a cursor. */
export interface ListExport<Query = unknown, Row = unknown> {
  feature: string
  title: string
  /** The permission code of the list itself. */
  needs: string
  query: z.ZodType<Query>
  columns: readonly ExportColumn<Row>[]
  rows(ctx: ListContext, query: Query): AsyncIterable<Row>
  count(ctx: ListContext, query: Query): Promise<number>
}

const registered = new Map<string, ListExport>()

export function registerExport<Query, Row>(definition: ListExport<Query, Row>): void {
  registered.set(definition.feature, definition as unknown as ListExport)
}
export const exportNamed = (feature: string): ListExport | undefined => registered.get(feature)
