import { AppError } from '@zhugong/contract/kit/errors'
import { type ReadOptions, readXlsx } from 'hucre/xlsx'
import { lostDigits, plainText } from './cell-text.ts'

/** Numbers with more digits than this lose precision in Excel. */
const exactDigits = 15
const lastRow = 1_048_576
/** A number format such as 00000000: leading zeros mean an identifier, not a quantity. */
const zeros = /^0{2,}$/

interface SheetWindow {
  sheets: NonNullable<ReadOptions['sheets']>
  /** Number of rows to read; content below them is refused, naming its row. */
  rows: number
  lastColumn: string
}

interface SheetRows {
  name: string
  rows: readonly (readonly unknown[])[]
  hidden: ReadonlySet<number>
}

/**
 * Reads the sheets of a workbook with their cells as Excel shows them. Lost digits are marked, and no row is dropped silently.
 * @throws AppError `invalidInput` when the file is not a workbook or has content below the window
 */
export async function readSheets(file: Buffer, { sheets, rows, lastColumn }: SheetWindow): Promise<SheetRows[]> {
  const read = (options: ReadOptions) =>
    readXlsx(file, { sheets, ...options }).catch(() => {
      throw new AppError('invalidInput', '文件不是有效的 Excel（.xlsx），请用 Excel 或 WPS 另存为 .xlsx 后上传', { field: 'file' })
    })
  const book = await read({ maxRows: rows, range: `A1:${lastColumn}${rows}`, readStyles: true })
  const below = await read({ range: `A${rows + 1}:${lastColumn}${lastRow}` })
  for (const sheet of below.sheets) {
    const at = sheet.rows.findIndex((row) => row?.some((cell) => plainText(cell) !== ''))
    if (at >= 0)
      throw new AppError('invalidInput', `工作表“${sheet.name}”第 ${at + 1} 行超出了读取范围（前 ${rows} 行），请删去空行或分成几个文件`, {
        field: 'file',
      })
  }
  return book.sheets.map((sheet) => ({
    name: sheet.name,
    rows: sheet.rows.map((row, r) => row.map((value, c) => shown(value, sheet.cells?.get(`${r},${c}`)?.style?.numFmt))),
    hidden: new Set([...(sheet.rowDefs ?? [])].flatMap(([index, def]) => (def.hidden ? [index] : []))),
  }))
}

function shown(value: unknown, format: string | undefined): unknown {
  if (typeof value !== 'number') return value
  if (Math.abs(value) >= 10 ** exactDigits) return `${lostDigits}${value}`
  return format && zeros.test(format) && Number.isInteger(value) && value >= 0 ? String(value).padStart(format.length, '0') : value
}
