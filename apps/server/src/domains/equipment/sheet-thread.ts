import { plainText } from '#kit/cell-text'
import type { Work } from '#kit/off-thread/messages'
import { readSheets } from '#kit/sheet-rows'
import { checkWorkbookParts } from '#kit/workbook-file'

/** Rows and columns read from a sheet: more than allowed, so that an excess is detected. */
export interface SheetWork {
  body: Uint8Array
  rows: number
}
const lastColumn = 'AZ'

/** Cells of the first sheet as text, row by row. Throws for anything but a plain workbook. */
export const work: Work<SheetWork, string[][]> = async ({ body, rows }) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file)
  const [sheet] = await readSheets(file, { sheets: [0], rows, lastColumn })
  return (sheet?.rows ?? []).map((row) => row.map(plainText))
}
