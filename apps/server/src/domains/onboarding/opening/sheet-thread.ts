import { AppError } from '@zhugong/contract/kit/errors'
import { mostOpeningRows, type OpeningSheet, openingColumns, openingSheets } from '@zhugong/contract/onboarding/openings'
import { plainText } from '#kit/cell-text'
import type { Work } from '#kit/off-thread/messages'
import { readSheets } from '#kit/sheet-rows'
import { checkWorkbookParts, type WorkbookLimits } from '#kit/workbook-file'

const limits: WorkbookLimits = { inflatedBytes: 20 * 1024 * 1024, texts: 50_000 }
/** The heading may follow a title and a remark. */
const headingWithin = 10
const lastColumn = 'AZ'
const mostSheets = 20

export interface OpeningLine {
  sheet: OpeningSheet
  /** Row number as in Excel. */
  line: number
  cells: Record<string, string>
}

const bare = (title: string) => title.replace(/[\s*＊:：()（）]/g, '')

/** The rows of the sheets 机构 and 项目 as text. Throws for anything but a plain workbook with at least one of them. */
export const work: Work<Uint8Array, OpeningLine[]> = async (body) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file, limits)
  const rows = mostOpeningRows + headingWithin + 2
  const sheets = await readSheets(file, {
    sheets: (info, index) => !info.hidden && !info.veryHidden && index < mostSheets,
    rows,
    lastColumn,
  })
  const lines = (Object.keys(openingSheets) as OpeningSheet[]).flatMap((sheet) => {
    const found = sheets.find((one) => one.name.trim() === openingSheets[sheet])
    return found ? linesOf(sheet, found.rows) : []
  })
  if (lines.length > mostOpeningRows) throw new AppError('invalidInput', `一次最多 ${mostOpeningRows} 行，请分成几份`, { field: 'file' })
  if (lines.length === 0) throw new AppError('invalidInput', '“机构”和“项目”工作表里没有要开通的行，请使用开通模板', { field: 'file' })
  return lines
}

function linesOf(sheet: OpeningSheet, rows: readonly (readonly unknown[])[]): OpeningLine[] {
  const byTitle = new Map(openingColumns[sheet].map((column) => [bare(column.title), column.key]))
  const at = rows.slice(0, headingWithin).findIndex((cells) => cells.filter((cell) => byTitle.has(bare(plainText(cell)))).length > 1)
  if (at < 0) return []
  const keys = (rows[at] ?? []).map((cell) => byTitle.get(bare(plainText(cell))))
  return rows.slice(at + 1).flatMap((values, i): OpeningLine[] => {
    const cells = Object.fromEntries(keys.flatMap((key, c) => (key && plainText(values[c]) ? [[key, plainText(values[c])]] : [])))
    return Object.keys(cells).length ? [{ sheet, line: at + i + 2, cells }] : []
  })
}
