import { type ItemField, itemColumns, mostItemRows } from '@zhugong/contract/scoring/library-import'
import type { Work } from '#kit/off-thread/messages'
import { readLines, type SheetLine, type SheetLines } from '#kit/sheet-lines'

export type ItemLine = SheetLine<ItemField>
export type ItemSheet = SheetLines<ItemField>

/** The check items of the first worksheet as text. Throws unless the file is a plain workbook. */
export const work: Work<Uint8Array, ItemSheet> = (body) =>
  readLines(body, {
    columns: itemColumns,
    anchor: 'name',
    mostRows: mostItemRows,
    noHeading: '没有找到表头，至少要有划出分值的标准项、检查项和满分三列，请使用导入模板',
  })
