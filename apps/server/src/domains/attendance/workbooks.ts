import { Readable } from 'node:stream'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer } from '#kit/context'
import { offThread } from '#kit/off-thread/off-thread'
import { writeXlsxStream } from '#kit/sheet-write'
import type { ExportColumn, ListExport } from '../exports/registry.ts'
import { runningDay } from './day-list.ts'
import { datesOfMonth } from './engine/month.ts'
import { monthColumns, monthlyExport } from './export-lists.ts'
import { annexColumns, findAnnex } from './month-annex.ts'
import type { WorkbookPiece, WorkbookSheet } from './workbook-thread.ts'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A month's sheet: named after its project and month, with the days the month has, and nothing in those to come; with what lies behind its marks where that is asked for. */
export async function monthWorkbook(
  ctx: Context,
  asked: Parameters<typeof monthlyExport.rows>[1],
  annex: { projects: readonly string[] | undefined } | undefined,
): Promise<FileAnswer> {
  const today = await runningDay(ctx, asked.projectCode)
  const month = asked.month ?? today.slice(0, 7)
  const columns = monthColumns(datesOfMonth(month).length, (_, day) => `${month}-${String(day).padStart(2, '0')}` <= today)
  const project = asked.projectCode
    ? await ctx.db.selectFrom('project').select('name').where('projectCode', '=', asked.projectCode).executeTakeFirst()
    : undefined
  const name = `${monthlyExport.title}_${project?.name ?? '全部项目'}_${month}`
  const query = { ...asked, month }
  if (!annex) return workbook(ctx, { ...monthlyExport, columns }, query, name)
  const lines = await findAnnex(ctx, query, annex.projects)
  return twoSheets(ctx, `${name}_含附表`, [
    { name: monthlyExport.title, columns, rows: monthlyExport.rows(ctx, query) },
    { name: '附表', columns: annexColumns, rows: lines },
  ])
}

interface SheetOf<Row> {
  name: string
  columns: readonly ExportColumn<Row>[]
  rows: AsyncIterable<Row> | Iterable<Row>
}
const piece = 500
const workbookMs = 30_000

/** Written in a thread, which is told the rows piece by piece. */
async function twoSheets<A, B>(ctx: Context, name: string, [first, second]: readonly [SheetOf<A>, SheetOf<B>]): Promise<FileAnswer> {
  async function* pieces() {
    yield* piecesOf(first, 0)
    yield* piecesOf(second, 1)
  }
  const sheets = [first, second].map((sheet): WorkbookSheet => ({ name: sheet.name, columns: sheet.columns.map(toHead) }))
  const body = await offThread.run<Uint8Array>(new URL('./workbook-thread.ts', import.meta.url), sheets, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: workbookMs,
    tooLong: '附表数据量过大，请按单位或班组分别导出',
    pieces: pieces(),
  })
  return new FileAnswer(`${name}.xlsx`, xlsx, Buffer.from(body))
}

async function* piecesOf<Row>({ columns, rows }: SheetOf<Row>, sheet: number): AsyncIterable<WorkbookPiece> {
  let lines: (string | number)[][] = []
  for await (const row of rows) {
    lines.push(columns.map((c) => plain(c.value(row))))
    if (lines.length < piece) continue
    yield { sheet, rows: lines }
    lines = []
  }
  yield { sheet, rows: lines }
}

const toHead = ({ title, width = 16 }: { title: string; width?: number }) => ({ header: title, width })

/** The whole list at once, for those who do not want to wait at the export centre. */
export async function workbook<Q, Row>(
  ctx: Context,
  definition: ListExport<Q, Row>,
  query: Q,
  name = `${definition.title}_${formatDay(ctx.clock.now())}`,
): Promise<FileAnswer> {
  const rows: (string | number)[][] = []
  for await (const row of definition.rows(ctx, query)) rows.push(definition.columns.map((c) => plain(c.value(row))))
  const sheet = { name: definition.title, columns: definition.columns.map(toHead) }
  const stream = writeXlsxStream(rows as never, sheet as never)
  return new FileAnswer(`${name}.xlsx`, xlsx, Readable.fromWeb(stream as never))
}

/** A text is a cell of type text, which no program takes for a formula, whatever it begins with. */
const plain = (value: string | number | null | undefined) => (value === null || value === undefined ? '' : value)
