import { AppError } from '@zhugong/contract/kit/errors'
import { mostPlanRows, type PlanField } from '@zhugong/contract/schedule/plan-import'
import { readXml } from 'hucre/xml'
import { plainText } from '#kit/cell-text'
import type { SheetLine } from '#kit/sheet-lines'

const mostBytes = 16 * 1024 * 1024
const refuse = (message: string): never => {
  throw new AppError('invalidInput', message, { field: 'file' })
}
const notAProject = '文件不是 Microsoft Project 的 XML，请在 Project 中另存为“XML 格式”后上传'
const projectNames = 'http://schemas.microsoft.com/project'
const yes = '1'

/** Whether a file is XML rather than a workbook. */
export const looksLikeXml = (body: Buffer): boolean => /^(?:\uFEFF)?\s*</.test(body.toString('utf8', 0, 64))

/**
 * The tasks of a project that Microsoft Project saved as XML, as lines of the plan. The summary of the whole project, empty and inactive tasks
 * are left out. The row is the task's ID in Project. @throws AppError `invalidInput`
 */
export function readProjectXml(body: Buffer): SheetLine<PlanField>[] {
  if (body.length > mostBytes) refuse(`文件过大，最多 ${mostBytes / 1024 / 1024} MB`)
  const xml = decoded(body)
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) refuse('文件含有实体定义，不能导入，请用 Project 重新保存后上传')
  const root = /<(?:\w+:)?Project\b[^>]*>/.exec(xml.slice(0, 4096))?.[0]
  if (!root?.includes(projectNames) || !/<\/(?:\w+:)?Project>\s*$/.test(xml)) refuse(notAProject)
  const tasks = tasksIn(xml)
  const lines = tasks.flatMap((task): SheetLine<PlanField>[] => {
    const value = (name: string) => plainText(task[name])
    const outline = value('OutlineNumber')
    if (value('IsNull') === yes || value('Active') === '0' || outline === '' || outline === '0') return []
    const cells: Record<PlanField, string> = {
      wbs: outline,
      unit: '',
      name: value('Name'),
      planStart: value('Start').slice(0, 10),
      planEnd: value('Finish').slice(0, 10),
      weight: '',
      milestone: value('Milestone') === yes ? '是' : '',
      critical: value('Critical') === yes ? '是' : '',
      corp: '',
    }
    return [{ row: Number(value('ID')) || 0, cells: Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== '')) }]
  })
  if (lines.length > mostPlanRows) refuse(`一个项目最多 ${mostPlanRows} 项任务，文件中有 ${lines.length} 项，请在 Project 中汇总后导出`)
  return lines
}

function tasksIn(xml: string): Record<string, unknown>[] {
  try {
    return readXml(xml, { rowTag: 'Task', stripNamespaces: true, maxRows: mostPlanRows * 4 }).data
  } catch {
    return refuse('文件已损坏，请在 Project 中重新保存后上传')
  }
}

function decoded(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return refuse('文件编码不是 UTF-8，请在 Project 中重新保存为 XML 后上传')
  }
}
