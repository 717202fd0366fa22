import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject } from '../kit/fields.ts'
import { mostOwnItems } from './library.ts'

/** Columns of the sheet; a file names them in its heading, in any order. */
export const itemColumns = [
  { key: 'itemCode', title: '编码', required: false },
  { key: 'takenFrom', title: '划出分值的标准项', required: true },
  { key: 'name', title: '检查项', required: true },
  { key: 'maxScore', title: '满分', required: true },
  { key: 'clause', title: '条款', required: false },
  { key: 'rule', title: '扣分标准', required: false },
  { key: 'phrases', title: '常用问题', required: false },
] as const
export type ItemField = (typeof itemColumns)[number]['key']
const fields = itemColumns.map((one) => one.key) as [ItemField, ...ItemField[]]
export const mostItemRows = mostOwnItems

const path = '/api/v1/oa/process/checkItem'
const edit = 'inspection.itemsEdit'

/** A workbook with the group's own items, to be changed and completed, and the standard with what can still be taken of each item. */
export const itemTemplate = endpoint({
  method: 'GET',
  path: `${path}/template`,
  summary: '下载检查项导入模板',
  needs: edit,
  query: ofProject,
  answers: 'blob',
})

const cellFault = z.object({ column: z.enum(fields), text: z.string() })
/**
 * A form with `file` and `mode`: `check` reports errors cell by cell and stores nothing, `save` stores the whole file or nothing. A line with
 * a code makes a new revision of that item where it differs; a line without one is a new item.
 */
export const importCheckItems = endpoint({
  method: 'POST',
  path: `${path}/import`,
  summary: '导入检查项',
  needs: edit,
  acts: 'aside',
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
      revised: z.number().int(),
      unchanged: z.number().int(),
    }),
    unknownColumns: z.array(z.string()),
  }),
})
