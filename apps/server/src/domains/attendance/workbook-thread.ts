import type { Work } from '#kit/off-thread/messages'
import { writeXlsx } from '#kit/sheet-write'

/** A worksheet without its rows. */
export interface WorkbookSheet {
  name: string
  columns: readonly { header: string; width: number }[]
}
/** Some rows of one sheet. */
export interface WorkbookPiece {
  sheet: number
  rows: readonly (readonly (string | number)[])[]
}

/** Writes a workbook of several sheets; tens of thousands of rows take half a second. */
export const work: Work<readonly WorkbookSheet[], Uint8Array, WorkbookPiece> = async (sheets, pieces) => {
  const filled = sheets.map(({ name, columns }) => ({
    name,
    columns: columns.map(({ width }) => ({ width })),
    rows: [columns.map(({ header }) => header)] as (string | number)[][],
    freezePane: { rows: 1 },
  }))
  for await (const { sheet, rows } of pieces) for (const row of rows) filled[sheet]?.rows.push([...row])
  return writeXlsx({ sheets: filled })
}
