import { mostPlanRows, type PlanField, planColumns } from '@zhugong/contract/schedule/plan-import'
import type { Work } from '#kit/off-thread/messages'
import { readLines, type SheetLines } from '#kit/sheet-lines'
import { looksLikeXml, readProjectXml } from './project-xml.ts'

export type PlanSheet = SheetLines<PlanField>

/** The tasks of a workbook or of an XML of Microsoft Project, as text. Throws unless the file is one of these. */
export const work: Work<Uint8Array, PlanSheet> = (body) => {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (looksLikeXml(file)) return { lines: readProjectXml(file), unknownColumns: [] }
  return readLines(body, {
    columns: planColumns,
    anchor: 'name',
    mostRows: mostPlanRows,
    noHeading: '没有找到表头，至少要有编号、任务名称、计划开始和计划结束四列，请使用导入模板',
  })
}
