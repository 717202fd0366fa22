import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

const path = '/api/v1/oa/process/document/bin'
const one = z.object({ id: ref('document') })

export const binRow = z.object({
  id: z.string(),
  projectCode: z.string().nullable(),
  name: z.string(),
  path: z.string(),
  isDir: z.boolean(),
  category: z.string(),
  categoryName: z.string(),
  /** Documents in it, itself included. */
  count: z.number().int(),
  size: z.number(),
  deletedBy: z.string(),
  deletedTime: z.string(),
  daysLeft: z.number().int(),
  actions: z.array(z.string()),
  version: z.number().int(),
})
export type BinRow = z.output<typeof binRow>

export const listBin = endpoint({
  method: 'GET',
  path,
  summary: '回收站',
  needs: ['documents.delete', 'documents.restore'],
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    name: text(100).optional(),
    category: several.optional(),
    deletedBy: text(50).optional(),
    deletedTime: dayRange.optional(),
    daysLeft: numericRange.optional(),
    /** Cleared within three days. */
    soon: z.enum(['true']).optional(),
    sort: sortBy('name', 'size', 'deletedTime', 'daysLeft'),
  }),
  response: paged(binRow).extend({ counts: z.object({ entries: z.number().int(), bytes: z.number(), soon: z.number().int() }) }),
})

export const binList = listOf(listBin, {
  feature: 'documentBin',
  columns: {
    name: '名称',
    path: '原位置',
    category: '类别',
    count: '内含',
    size: '大小',
    deletedBy: '删除人',
    deletedTime: '删除时间',
    daysLeft: '剩余天数',
  },
})

/** Deletes an entry of the bin for good. The name must be repeated. */
export const purgeDocument = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '彻底删除文档',
  needs: 'documents.purge',
  acts: 'own',
  params: one,
  query: ofProject.extend({ name: filled(200, '名称') }),
})

/** Empties the bin as the caller sees it; refused when it has another number of entries than the caller was shown. */
export const emptyBin = endpoint({
  method: 'DELETE',
  path,
  summary: '清空回收站',
  needs: 'documents.purge',
  acts: 'own',
  query: ofProject.extend({ count: z.coerce.number().int().min(1, '回收站是空的') }),
  response: z.object({ purged: z.number().int() }),
})
