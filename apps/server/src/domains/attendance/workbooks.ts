import { type Context, FileAnswer } from '#kit/context'
import { offThread } from '#kit/off-thread/off-thread'
import { plain, workbook, xlsx } from '../exports/public.ts'
import type { ExportColumn } from '../exports/registry.ts'
import { runningDay } from './day-list.ts'
import { datesOfMonth } from './engine/month.ts'
import { monthColumns, monthlyExport } from './export-lists.ts'
import { annexColumns, findAnnex } from './month-annex.ts'
import type { WorkbookPiece, WorkbookSheet } from './workbook-thread.ts'

/**
 * A month's sheet as a workbook, named after project and month. Has the days of that month, with future ones empty; optionally with the
 * annex.
 */
export async function monthWorkbook(
  ctx: Context,
  requested: Parameters<typeof monthlyExport.rows>[1],
  annex: { projects: readonly string[] | undefined } | undefined,
): Promise<FileAnswer> {
  const today = await runningDay(ctx, requested.projectCode)
  const month = requested.month ?? today.slice(0, 7)
  const columns = monthColumns(datesOfMonth(month).length, (_, day) => `${month}-${String(day).padStart(2, '0')}` <= today)
  const project = requested.projectCode
    ? await ctx.db.selectFrom('project').select('name').where('projectCode', '=', requested.projectCode).executeTakeFirst()
    : undefined
  const name = `${monthlyExport.title}_${project?.name ?? '全部项目'}_${month}`
  const query = { ...requested, month }
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

/** Written in a worker thread, which receives the rows in pieces. */
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
