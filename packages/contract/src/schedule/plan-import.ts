import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject } from '../kit/fields.ts'
import { schedulePath } from './calls.ts'
import { mostTasks } from './moves.ts'

/** Columns of the sheet; a file names them in its heading, in any order. */
export const planColumns = [
  { key: 'wbs', title: '编号', required: true },
  { key: 'unit', title: '单体', required: false },
  { key: 'name', title: '任务名称', required: true },
  { key: 'planStart', title: '计划开始', required: true },
  { key: 'planEnd', title: '计划结束', required: true },
  { key: 'weight', title: '权重', required: false },
  { key: 'milestone', title: '里程碑', required: false },
  { key: 'critical', title: '关键', required: false },
  { key: 'corp', title: '责任单位', required: false },
] as const
export type PlanField = (typeof planColumns)[number]['key']
const fields = planColumns.map((one) => one.key) as [PlanField, ...PlanField[]]
export const mostPlanRows = mostTasks

const edit = 'inspection.scheduleEdit'

/** A workbook with the plan as it is, to be changed and completed. */
export const planTemplate = endpoint({
  method: 'GET',
  path: `${schedulePath}/template`,
  summary: '下载进度计划导入模板',
  needs: edit,
  query: ofProject,
  answers: 'blob',
})

const cellFault = z.object({ column: z.enum(fields), text: z.string() })
/**
 * A form with `file` (.xlsx, or XML of Microsoft Project) and `mode`: `check` reports errors cell by cell and stores nothing, `save` replaces
 * the plan by the whole file or does nothing. Tasks are recognised by their number within the unit; those that were reported stay.
 */
export const importPlan = endpoint({
  method: 'POST',
  path: `${schedulePath}/import`,
  summary: '导入进度计划',
  needs: edit,
  multipart: true,
  perMinute: 30,
  query: ofProject,
  response: z.object({
    rows: z.array(
      z.object({
        row: z.number().int(),
        values: z.partialRecord(z.enum(fields), z.string()),
        errors: z.array(cellFault),
        warnings: z.array(cellFault),
      }),
    ),
    counts: z.object({
      rows: z.number().int(),
      faulty: z.number().int(),
      fresh: z.number().int(),
      changed: z.number().int(),
      removed: z.number().int(),
    }),
    unknownColumns: z.array(z.string()),
  }),
})
