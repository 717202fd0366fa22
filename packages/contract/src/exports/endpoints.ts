import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { pageQuery, ref, text } from '../kit/fields.ts'

/** Status of an export: none, running, done, failed. */
export const exportStatus = { none: -1, failed: 0, done: 1, running: 2 } as const

/** Format of an export: a workbook, a document to print, or several documents in one archive. */
export const exportTypes = ['xlsx', 'pdf', 'zip'] as const
export type ExportType = (typeof exportTypes)[number]
/** Row limit of a document, because nobody prints more; a workbook may have more rows. */
export const mostPdfRows = 5_000
/** Papers of one archive: each is drawn with its photographs. */
export const mostZipPapers = 50
/** Ids of the records whose papers an archive holds. */
export const zipIds = <T extends z.ZodType>(id: T) => z.array(id).min(1, '请选择文书').max(mostZipPapers, `一次最多 ${mostZipPapers} 份`)

export const exportTask = z.object({
  id: z.string(),
  feature: z.string(),
  title: z.string(),
  /** Contains the period or the export date, and the format. */
  fileName: z.string(),
  /** Whether filters were applied. */
  filtered: z.boolean(),
  exportStatus: z.number().int(),
  /** Signed for this session and valid for five minutes: request it just before opening it. */
  exportUrl: z.string().nullable(),
  progress: z.number().int(),
  rows: z.number().int(),
  bytes: z.number().int(),
  message: z.string(),
  createTime: z.string(),
  expireTime: z.string().nullable(),
})
export type ExportTask = z.infer<typeof exportTask>

/**
 * The caller's exports of the last 7 days; with `feature` the newest export of that list is returned also as `exportStatus`, `fileName`,
 * `exportUrl`.
 */
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
 * Starts an export of a list with the list's own filters, or of a document without a list. `feature` is its name. Refused when an export is
 * already running, or when a document would have more than `mostPdfRows` rows.
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
/**
 * Downloads a finished export by the signed URL of `listExports`, which is valid for five minutes and only for the session that requested
 * it.
 */
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
