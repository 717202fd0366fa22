import { AppError } from '@zhugong/contract/kit/errors'
import { type ImportCells, type ImportField, importColumns, mostImportRows, tooManyImportRows } from '@zhugong/contract/personnel/import'
import { plainText } from '#kit/cell-text'
import type { Work } from '#kit/off-thread/messages'
import { readSheets } from '#kit/sheet-rows'
import { checkWorkbookParts, type WorkbookLimits } from '#kit/workbook-file'

/** Ten thousand rows with all columns, each text different, and the same size again for formatting. */
const limits: WorkbookLimits = { inflatedBytes: 80 * 1024 * 1024, texts: 500_000 }
/** The heading may follow a title, the name of the author and a remark. */
const headingWithin = 20
/** A line with at least this many known titles is a heading. */
const fewestTitles = 3
const lastColumn = 'BZ'
/** Sheets searched in one file at most. */
const mostSheets = 20

export interface SheetLine {
  /** Row number as in Excel. */
  row: number
  cells: ImportCells
  hidden: boolean
}
export interface SheetRead {
  lines: SheetLine[]
  unknownColumns: string[]
  remarks: string[]
}
type Rows = readonly (readonly unknown[])[]

/** Reads the people of a workbook: the first visible sheet with a heading, row by row as text. Throws for anything but a plain workbook. */
export const work: Work<Uint8Array, SheetRead> = async (body) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file, limits)
  const rows = mostImportRows + headingWithin + 2
  const sheets = await readSheets(file, {
    sheets: (info, index) => !info.hidden && !info.veryHidden && index < mostSheets,
    rows,
    lastColumn,
  })
  const found = sheets.flatMap((sheet) => {
    const heading = headingOf(sheet.rows)
    return heading ? [{ sheet, heading }] : []
  })
  const first = found[0]
  if (!first) throw new AppError('invalidInput', '没有找到表头，至少要有姓名、证件号码和工种几列，请使用导入模板', { field: 'file' })
  const { sheet, heading } = first
  const lines = sheet.rows.slice(heading.below).flatMap((cells, i): SheetLine[] => {
    const index = heading.below + i
    const read = cellsOf(cells, heading.keys)
    return Object.keys(read).length ? [{ row: index + 1, cells: read, hidden: sheet.hidden.has(index) }] : []
  })
  if (lines.length > mostImportRows) throw new AppError('invalidInput', tooManyImportRows, { field: 'file' })
  const others = found.slice(1).map((one) => `“${one.sheet.name}”`)
  return {
    lines,
    unknownColumns: heading.unknown,
    remarks: others.length ? [`只读取了工作表“${sheet.name}”，${others.join('、')}里的人员没有读取，请另存为单独的文件`] : [],
  }
}

interface Heading {
  keys: readonly (ImportField | undefined)[]
  unknown: string[]
  /** Index of the first data line. */
  below: number
}

const bare = (title: string) => title.replace(/[\s*＊:：()（）]/g, '')
const keyByTitle = new Map(importColumns.flatMap((c) => [c.title, ...c.alias].map((title): [string, ImportField] => [bare(title), c.key])))

/** Finds the heading: one line of titles, or two of which the upper one groups the lower. */
function headingOf(rows: Rows): Heading | undefined {
  for (let at = 0; at < Math.min(rows.length, headingWithin); at++) {
    const single = titlesOf(rows[at] ?? [])
    if (known(single) < fewestTitles) continue
    const below = titlesOf(rows[at + 1] ?? [])
    const both = joined(single, below)
    const isDouble = known(both) > known(single)
    const titles = isDouble ? both : single
    const taken = new Set<ImportField>()
    const keys = titles.map((title) => {
      const key = keyByTitle.get(bare(title))
      if (!key || taken.has(key)) return undefined
      taken.add(key)
      return key
    })
    const unknown = titles.filter((title, i) => title && !keys[i] && !/^序号$/.test(bare(title)))
    return { keys, unknown: [...new Set(unknown)].slice(0, 50), below: at + (isDouble ? 2 : 1) }
  }
  return undefined
}
const titlesOf = (cells: readonly unknown[]) => cells.map((cell) => plainText(cell).slice(0, 30))
const known = (titles: readonly string[]) => new Set(titles.flatMap((title) => keyByTitle.get(bare(title)) ?? [])).size

function joined(upper: readonly string[], lower: readonly string[]): string[] {
  let group = ''
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, i) => {
    const [above = '', below = ''] = [upper[i], lower[i]]
    if (above) group = above
    if (!below) return above
    const whole = `${group}${below}`
    return keyByTitle.has(bare(whole)) ? whole : keyByTitle.has(bare(below)) ? below : above || whole
  })
}

function cellsOf(values: readonly unknown[], keys: Heading['keys']): ImportCells {
  const cells: ImportCells = {}
  for (const [i, key] of keys.entries()) {
    const text = key ? plainText(values[i]) : ''
    if (key && text) cells[key] = text
  }
  return cells
}
