import { AppError } from '@zhugong/contract/kit/errors'
import { readXlsx } from 'hucre/xlsx'
import type { Work } from '#kit/off-thread/messages'
import { checkWorkbookParts } from '#kit/workbook-file'

/** Rows and columns that are read of a sheet; more is asked for than is taken, so that too much is seen. */
export interface SheetWork {
  body: Uint8Array
  rows: number
}
const lastColumn = 'AZ'

/** Cells of the first sheet as text, row by row. Refuses whatever is no plain workbook. */
export const work: Work<SheetWork, string[][]> = async ({ body, rows }) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file)
  try {
    const book = await readXlsx(file, { sheets: [0], maxRows: rows, range: `A1:${lastColumn}${rows}` })
    return (book.sheets[0]?.rows ?? []).map((row) => row.map(cellText))
  } catch {
    throw new AppError('invalidInput', '文件不是有效的 Excel（.xlsx），请用 Excel 或 WPS 另存为 .xlsx 后上传', { field: 'file' })
  }
}

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return String(value).trim().slice(0, 200)
}
