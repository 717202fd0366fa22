import { writeXlsx as write, writeXlsxStream as writeStream } from 'hucre/xlsx'

export type { WriteSheet } from 'hucre/xlsx'

/** Writes workbooks so that every text reads back unchanged. */

type Book = Parameters<typeof write>[0]
type StreamRows = Parameters<typeof writeStream>[0]

/** Escapes an underscore that begins an escape sequence: `_x0041_` in a cell would be read as the letter A (ECMA-376, ST_Xstring). */
const writtenText = (text: string): string => text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')

const writtenCell = <T>(cell: T): T => (typeof cell === 'string' ? (writtenText(cell) as T) : cell)

export const writeXlsx = (book: Book): ReturnType<typeof write> =>
  write({
    ...book,
    sheets: book.sheets.map((sheet) => (sheet.rows ? { ...sheet, rows: sheet.rows.map((row) => row.map(writtenCell)) } : sheet)),
  })

export function writeXlsxStream(rows: StreamRows, options: Parameters<typeof writeStream>[1]): ReturnType<typeof writeStream> {
  async function* written() {
    for await (const row of rows) yield Array.isArray(row) ? row.map(writtenCell) : row
  }
  return writeStream(written() as StreamRows, options)
}
