import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { pageQuery, ref, text } from '../kit/fields.ts'

/** Status of an export: none, running, done, failed. */
export const exportStatus = { none: -1, failed: 0, done: 1, running: 2 } as const

/** What an export becomes: a workbook, or a document to be printed. */
export const exportTypes = ['xlsx', 'pdf'] as const
export type ExportType = (typeof exportTypes)[number]
/** A document of more rows nobody prints; the workbook takes them. */
export const mostPdfRows = 5_000

export const exportTask = z.object({
  id: z.string(),
  feature: z.string(),
  title: z.string(),
  /** Contains the period or the export date, and the format. */
  fileName: z.string(),
  /** Whether filters were applied. */
  filtered: z.boolean(),
  exportStatus: z.number().int(),
  /** Signed for this session, for five minutes: read it right before it is opened. */
  exportUrl: z.string().nullable(),
  progress: z.number().int(),
  rows: z.number().int(),
  bytes: z.number().int(),
  message: z.string(),
  createTime: z.string(),
  expireTime: z.string().nullable(),
})
export type ExportTask = z.infer<typeof exportTask>

/** Own exports of the last 7 days; with `feature` the newest one of that list stands in front as `exportStatus`, `fileName`, `exportUrl`. */
export const listExports = endpoint({
  method: 'GET',
  path: '/api/v1/export',
  summary: '导出任务',
  needs: 'self',
  query: pageQuery.extend({ feature: text(60).optional(), exportType: text(20).optional() }),
  response: z.object({
    exportStatus: z.number().int(),
    fileName: z.string(),
    exportUrl: z.string().nullable(),
    list: z.array(exportTask),
    total: z.number().int(),
  }),
})
/**
 * Starts an export of a list with the list's own filters, or of a document that has no list. `feature` is its name; refused when one is
 * running already, and as a document above `mostPdfRows` rows.
 */
export const submitExport = endpoint({
  method: 'POST',
  path: '/api/v1/export',
  summary: '提交导出',
  needs: 'export.run',
  acts: 'aside',
  body: z.object({
    feature: text(60),
    exportType: z.enum(exportTypes).default('xlsx'),
    columns: z.array(text(60)).max(200).optional(),
    query: z.record(z.string(), z.unknown()).default({}),
    sensitive: z.boolean().default(false),
    purpose: text(200).optional(),
  }),
  response: z.object({ id: z.string(), exportStatus: z.number().int() }),
})
/** A finished export by the signed address of the list above, which holds five minutes for the session it was given to. */
export const downloadExport = endpoint({
  method: 'GET',
  path: '/api/v1/export/:id/file',
  summary: '下载导出文件',
  needs: 'public',
  answers: 'blob',
  perMinute: 60,
  params: z.object({ id: ref('export') }),
  query: z.object({ expires: text(20), sign: text(80) }),
})
