import { exportCodes } from '@zhugong/contract/exports/codes'
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
  /** Which codes it asks for stands in the contract (`exportCodes`). */
  feature: string
  title: string
  query: z.ZodType<Query>
  columns: readonly ExportColumn<Row>[]
  rows(ctx: ListContext, query: Query): AsyncIterable<Row>
  count(ctx: ListContext, query: Query): Promise<number>
}

const registered = new Map<string, ListExport>()

/** Throws at start-up for a list of which nobody has said who may export it. */
export function registerExport<Query, Row>(definition: ListExport<Query, Row>): void {
  if (!exportCodes(definition.feature)) throw new Error(`export ${definition.feature} has no codes`)
  registered.set(definition.feature, definition as unknown as ListExport)
}
export const exportNamed = (feature: string): ListExport | undefined => registered.get(feature)
