import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { mostPdfRows } from '@zhugong/contract/exports/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { writeXlsxStream } from '#kit/sheet-write'
import type { ExportColumn, ListContext, ListExport } from './registry.ts'
import type { ExportRequest } from './tables.ts'

const progressEveryRows = 2_000
/** Maximum rows of a worksheet, without the header. */
const maxRows = 1_048_575
/** With more columns, an A4 page is too narrow. */
const mostOnA4 = 12

type Tell = (progress: number, rowsDone: number) => Promise<unknown>

/** A list with the requested query and columns. */
export interface Wanted {
  definition: ListExport
  columns: readonly ExportColumn<unknown>[]
  query: unknown
}

/** The list with the requested columns. With unmasked values requested, sensitive columns are always included, since no page shows them. */
export function wantedOf(definition: ListExport, request: Pick<ExportRequest, 'columns' | 'query' | 'sensitive'>): Wanted {
  const apartOf = new Map(definition.columns.map((c) => [c.key, c.apart]))
  const keys = request.columns?.flatMap((key) => apartOf.get(key) ?? [key])
  const columns = definition.columns.filter(
    (c) => !c.apart && (c.sensitive ? request.sensitive : c.always || !keys?.length || keys.includes(c.key)),
  )
  return { definition, columns, query: definition.query.parse(request.query) }
}

/** Streams from a cursor to a file in constant memory. Returns the number of rows. */
export async function writeWorkbook({ definition, columns, query }: Wanted, ctx: ListContext, path: string, tell: Tell): Promise<number> {
  const total = Math.min(await definition.count(ctx, query), maxRows)
  let done = 0
  const heading = (await definition.heading?.(ctx, query)) ?? []
  async function* rows() {
    for (const line of heading) yield [line]
    if (heading.length) yield columns.map((c) => c.title)
    for await (const row of definition.rows(ctx, query)) {
      if (done >= maxRows) return
      done++
      if (done % progressEveryRows === 0) await tell(Math.min(99, Math.floor((done / Math.max(1, total)) * 100)), done)
      yield columns.map((c) => plain(c.value(row)))
    }
  }
  const sheet = {
    name: definition.title.slice(0, 31),
    columns: columns.map((c) => ({ header: heading.length ? undefined : c.title, width: c.width ?? 16 })),
    // Freeze the header rows.
    freezePane: { rows: heading.length + 1 },
  }
  const stream = writeXlsxStream(rows(), sheet as never)
  await pipeline(Readable.fromWeb(stream as never), createWriteStream(path, { mode: 0o640 }))
  return done
}

/** Writes the list as a PDF table with the heading on each page. Returns the number of rows. Throws AppError above the row limit. */
export async function writeDocument({ definition, columns, query }: Wanted, ctx: ListContext, path: string, tell: Tell): Promise<number> {
  const total = await definition.count(ctx, query)
  if (total > mostPdfRows) throw new AppError('refused', `打印最多 ${mostPdfRows} 行，现有 ${total} 行，请缩小范围或导出 Excel`)
  const [title = definition.title, ...facts] = (await definition.heading?.(ctx, query)) ?? []
  const pdf = new Pdf({
    title,
    subtitle: `${facts.map((fact) => `${fact}　`).join('')}${ctx.group.name}　${ctx.user.name}　${formatInstant(new Date(ctx.clock.now()))}　共 ${total} 条`,
    paper: columns.length > mostOnA4 ? 'A3' : 'A4',
    landscape: true,
  })
  const rows = await pdf.table(
    columns.map(({ title, width = 16, value }) => ({ title, width, value })),
    definition.rows(ctx, query),
  )
  await tell(99, rows)
  await pdf.writeTo(path)
  return rows
}

/** Text is written as a text cell, so that no program interprets it as a formula. */
const plain = (value: string | number | null | undefined) => (value === null || value === undefined ? '' : value)
