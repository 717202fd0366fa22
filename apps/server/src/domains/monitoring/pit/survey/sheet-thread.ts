import { AppError } from '@zhugong/contract/kit/errors'
import { mostSurveyRows, type SurveyField, surveyColumns } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { plainText } from '#kit/cell-text'
import type { Work } from '#kit/off-thread/messages'
import { readSheets } from '#kit/sheet-rows'
import { checkWorkbookParts } from '#kit/workbook-file'

export interface SurveyLine {
  /** Row number as in Excel, from 1. */
  row: number
  cells: Partial<Record<SurveyField, string>>
}
export interface SurveySheet {
  lines: SurveyLine[]
  unknownColumns: string[]
}

const headingWithin = 10
const lastColumn = 'Z'
/** Columns of the template that only inform the reader. */
const said: readonly string[] = ['监测项目', '单位', '上次值', '上次时间']

/** The readings of the first worksheet as text. Throws unless the file is a plain workbook. */
export const work: Work<Uint8Array, SurveySheet> = async (body) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  checkWorkbookParts(file)
  const most = mostSurveyRows + headingWithin + 2
  const [sheet] = await readSheets(file, { sheets: [0], rows: most, lastColumn })
  const rows = sheet?.rows ?? []
  const at = rows.slice(0, headingWithin).findIndex((row) => row.some((cell) => fieldOf(plainText(cell)) === 'pointCode'))
  if (at < 0) throw new AppError('invalidInput', '没有找到表头，至少要有测点编号、测量时间和累计值三列，请使用导入模板', { field: 'file' })
  const titles = (rows[at] ?? []).map((cell) => plainText(cell))
  const keys = titles.map(fieldOf)
  const unknownColumns = titles.filter((title, i) => title !== '' && !keys[i] && !said.includes(bare(title)))
  const lines = rows.slice(at + 1).flatMap((cells, i): SurveyLine[] => {
    const read = cellsOf(cells, keys)
    // Template lines without a measurement are skipped.
    return read.value || read.time || read.valueY ? [{ row: at + i + 2, cells: read }] : []
  })
  if (lines.length > mostSurveyRows)
    throw new AppError('invalidInput', `一次最多导入 ${mostSurveyRows.toLocaleString('en-US')} 行，请分成几个文件`, { field: 'file' })
  return { lines, unknownColumns }
}

/** A heading without asterisk and unit: 深度（m） is 深度. */
const bare = (title: string) => title.replace(/[*＊\s]|[（(].*[)）]/g, '')
const fieldByTitle = new Map<string, SurveyField>(surveyColumns.map((one) => [one.title, one.key]))
const fieldOf = (title: string): SurveyField | undefined => fieldByTitle.get(bare(title))

function cellsOf(values: readonly unknown[], keys: readonly (SurveyField | undefined)[]): SurveyLine['cells'] {
  const cells: SurveyLine['cells'] = {}
  for (const [i, key] of keys.entries()) {
    const text = key ? textOf(values[i]) : ''
    if (key && text && !cells[key]) cells[key] = text
  }
  return cells
}

/** A date cell is wall-clock time without a zone; seconds are kept, because the time identifies the reading. */
const textOf = (value: unknown): string =>
  value instanceof Date ? (Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 19).replace('T', ' ')) : plainText(value)
