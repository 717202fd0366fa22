import { AppError } from '@zhugong/contract/kit/errors'
import { plainText } from './cell-text.ts'
import { readSheets } from './sheet-rows.ts'
import { checkWorkbookParts } from './workbook-file.ts'

export interface SheetLine<K extends string> {
  /** Row number as in Excel, from 1. */
  row: number
  cells: Partial<Record<K, string>>
}
export interface SheetLines<K extends string> {
  lines: SheetLine<K>[]
  unknownColumns: string[]
}
interface Wanted<K extends string> {
  /** A file names them in its heading, in any order. */
  columns: readonly { key: K; title: string }[]
  /** The column by which the heading is found. */
  anchor: K
  mostRows: number
  /** Said when there is no heading. */
  noHeading: string
}

const headingWithin = 10
const lastColumn = 'Z'
const inField = { field: 'file' }
/** A heading without asterisk and unit: 设计桩长（m） is 设计桩长. */
const bare = (title: string) => title.replace(/[*＊\s]|[（(].*[)）]/g, '')

/**
 * Lines of the first worksheet below its heading, as text; empty ones are left out. For worker threads (`off-thread`).
 * @throws AppError `invalidInput` unless the file is a plain workbook with a heading and at most `mostRows` lines
 */
export async function readLines<K extends string>(
  body: Uint8Array,
  { columns, anchor, mostRows, noHeading }: Wanted<K>,
): Promise<SheetLines<K>> {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file)
  const fieldByTitle = new Map(columns.map((one) => [one.title, one.key]))
  const fieldOf = (title: string): K | undefined => fieldByTitle.get(bare(title))
  const [sheet] = await readSheets(file, { sheets: [0], rows: mostRows + headingWithin + 2, lastColumn })
  const rows = sheet?.rows ?? []
  const at = rows.slice(0, headingWithin).findIndex((row) => row.some((cell) => fieldOf(plainText(cell)) === anchor))
  if (at < 0) throw new AppError('invalidInput', noHeading, inField)
  const titles = (rows[at] ?? []).map((cell) => plainText(cell))
  const keys = titles.map(fieldOf)
  const lines = rows.slice(at + 1).flatMap((cells, i): SheetLine<K>[] => {
    const read: SheetLine<K>['cells'] = {}
    for (const [n, key] of keys.entries()) {
      const text = key ? plainText(cells[n]) : ''
      if (key && text && !read[key]) read[key] = text
    }
    return Object.keys(read).length > 0 ? [{ row: at + i + 2, cells: read }] : []
  })
  if (lines.length > mostRows)
    throw new AppError('invalidInput', `一次最多导入 ${mostRows.toLocaleString('en-US')} 行，请分成几个文件`, inField)
  return { lines, unknownColumns: titles.filter((title, i) => title !== '' && !keys[i]) }
}
