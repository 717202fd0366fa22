import { mostPileRows, type PileField, pileColumns } from '@zhugong/contract/monitoring/pile/pile-register'
import type { Work } from '#kit/off-thread/messages'
import { readLines, type SheetLine, type SheetLines } from '#kit/sheet-lines'

export type PileLine = SheetLine<PileField>
export type PileSheet = SheetLines<PileField>

/** The piles of the first worksheet as text. Throws unless the file is a plain workbook. */
export const work: Work<Uint8Array, PileSheet> = (body) =>
  readLines(body, {
    columns: pileColumns,
    anchor: 'pileNo',
    mostRows: mostPileRows,
    noHeading: '没有找到表头，至少要有桩号、桩型和设计桩长三列，请使用导入模板',
  })
