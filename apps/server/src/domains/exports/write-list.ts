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
/** Rows one worksheet can hold beside its header. */
const maxRows = 1_048_575
/** Above so many columns a sheet of A4 is too narrow. */
const mostOnA4 = 12

type Tell = (progress: number, rowsDone: number) => Promise<unknown>

/** A list with the query and the columns that were asked for. */
export interface Wanted {
  definition: ListExport
  columns: readonly ExportColumn<unknown>[]
  query: unknown
}

/** What was asked for in clear comes along whichever columns the page shows: no page shows it. */
export function wantedOf(definition: ListExport, request: Pick<ExportRequest, 'columns' | 'query' | 'sensitive'>): Wanted {
  const apartOf = new Map(definition.columns.map((c) => [c.key, c.apart]))
  const keys = request.columns?.flatMap((key) => apartOf.get(key) ?? [key])
  const columns = definition.columns.filter(
    (c) => !c.apart && (c.sensitive ? request.sensitive : c.always || !keys?.length || keys.includes(c.key)),
  )
  return { definition, columns, query: definition.query.parse(request.query) }
}

/** From a cursor to a file in constant memory; answers its rows. */
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

/** As a table on paper, its head on each page; answers its rows. Throws AppError when there are more than anybody prints. */
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

/** A text is a cell of type text, which no program takes for a formula, whatever it begins with. */
const plain = (value: string | number | null | undefined) => (value === null || value === undefined ? '' : value)
