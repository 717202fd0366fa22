import { AppError } from '@zhugong/contract/kit/errors'
import { mostPileRows, type PileField, pileColumns } from '@zhugong/contract/monitoring/pile-register'
import { plainText } from '#kit/cell-text'
import type { Work } from '#kit/off-thread/messages'
import { readSheets } from '#kit/sheet-rows'
import { checkWorkbookParts } from '#kit/workbook-file'

export interface PileLine {
  /** As Excel counts. */
  row: number
  cells: Partial<Record<PileField, string>>
}
export interface PileSheet {
  lines: PileLine[]
  unknownColumns: string[]
}

const headingWithin = 10
const lastColumn = 'Z'

/** The piles of the first sheet as text. Refuses whatever is no plain workbook. */
export const work: Work<Uint8Array, PileSheet> = async (body) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file)
  const most = mostPileRows + headingWithin + 2
  const [sheet] = await readSheets(file, { sheets: [0], rows: most, lastColumn })
  const rows = sheet?.rows ?? []
  const at = rows.slice(0, headingWithin).findIndex((row) => row.some((cell) => fieldOf(plainText(cell)) === 'pileNo'))
  if (at < 0) throw new AppError('invalidInput', '没有找到表头，至少要有桩号、桩型和设计桩长三列，请使用导入模板', { field: 'file' })
  const titles = (rows[at] ?? []).map((cell) => plainText(cell))
  const keys = titles.map(fieldOf)
  const lines = rows.slice(at + 1).flatMap((cells, i): PileLine[] => {
    const read: PileLine['cells'] = {}
    for (const [n, key] of keys.entries()) {
      const text = key ? plainText(cells[n]) : ''
      if (key && text && !read[key]) read[key] = text
    }
    return Object.keys(read).length > 0 ? [{ row: at + i + 2, cells: read }] : []
  })
  if (lines.length > mostPileRows)
    throw new AppError('invalidInput', `一次最多导入 ${mostPileRows.toLocaleString('en-US')} 行，请分成几个文件`, { field: 'file' })
  return { lines, unknownColumns: titles.filter((title, i) => title !== '' && !keys[i]) }
}

/** A heading without its mark and unit: 设计桩长（m） is 设计桩长. */
const bare = (title: string) => title.replace(/[*＊\s]|[（(].*[)）]/g, '')
const fieldByTitle = new Map<string, PileField>(pileColumns.map((one) => [one.title, one.key]))
const fieldOf = (title: string): PileField | undefined => fieldByTitle.get(bare(title))
