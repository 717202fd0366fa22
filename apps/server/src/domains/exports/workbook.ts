import { Readable } from 'node:stream'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer } from '#kit/context'
import { writeXlsxStream } from '#kit/sheet-write'
import type { ListExport } from './registry.ts'

export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The whole list in one response, for users who do not want to wait for the export centre. */
export async function workbook<Q, Row>(
  ctx: Context,
  definition: ListExport<Q, Row>,
  query: Q,
  name = `${definition.title}_${formatDay(ctx.clock.now())}`,
): Promise<FileAnswer> {
  const rows: (string | number)[][] = []
  for await (const row of definition.rows(ctx, query)) rows.push(definition.columns.map((c) => plain(c.value(row))))
  const sheet = { name: definition.title, columns: definition.columns.map(({ title, width = 16 }) => ({ header: title, width })) }
  const stream = writeXlsxStream(rows as never, sheet as never)
  return new FileAnswer(`${name}.xlsx`, xlsx, Readable.fromWeb(stream as never))
}

/** Text is stored in text cells, so no program interprets it as a formula. */
export const plain = (value: string | number | null | undefined) => (value === null || value === undefined ? '' : value)
