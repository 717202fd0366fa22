import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

const path = '/api/v1/oa/process/document/goods'
const view = 'documents.view'

/** How the papers of a batch stand. */
export const evidenceNames = { full: '齐', missing: '缺', banned: '不得使用' } as const
export type Evidence = keyof typeof evidenceNames
const evidence = z.enum(Object.keys(evidenceNames) as [Evidence, ...Evidence[]])

export const goodsRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  name: z.string(),
  spec: z.string(),
  batchNo: z.string().nullable(),
  supplier: z.string(),
  quantity: z.number(),
  unitName: z.string(),
  arriveTime: z.string(),
  certCount: z.number().int(),
  needRetest: z.boolean(),
  reportNo: z.string().nullable(),
  /** Null: no report yet. */
  retestPassed: z.boolean().nullable(),
  usePart: z.string().nullable(),
  evidence,
  evidenceName: z.string(),
  /** Why it may not be used, or what is missing; null when nothing. */
  lacks: z.string().nullable(),
})
export type GoodsRow = z.output<typeof goodsRow>

export const listGoods = endpoint({
  method: 'GET',
  path,
  summary: '生产物资资料',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    category: several.optional(),
    name: text(50).optional(),
    spec: text(50).optional(),
    /** Of the batch, of a sample's seal or of a report. */
    batchNo: text(50).optional(),
    supplier: text(50).optional(),
    arriveTime: dayRange.optional(),
    evidence: several.optional(),
    sort: sortBy('arriveTime', 'name'),
  }),
  response: paged(goodsRow).extend({
    counts: z.object({ all: z.number().int(), banned: z.number().int(), missing: z.number().int() }),
  }),
})

export const goodsList = listOf(listGoods, {
  feature: 'documentGoods',
  columns: {
    category: '类别',
    name: '名称',
    spec: '规格',
    projectName: '项目',
    batchNo: '批号',
    supplier: '供应商',
    quantity: '数量',
    arriveTime: '进场时间',
    certCount: '合格证',
    retest: '复验报告',
    usePart: '使用部位',
    evidence: '资料',
  },
})

const file = z.object({ url: z.string(), name: z.string() })
const step = z.object({
  key: z.enum(['weigh', 'accept', 'sample', 'retest', 'use']),
  name: z.string(),
  state: z.enum(['done', 'waiting', 'none']),
  words: z.string(),
  files: z.array(file),
})
export type GoodsStep = z.output<typeof step>

/** A batch from the weighbridge to its place in the building, each step with its papers. */
export const getGoods = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '批次资料链',
  needs: view,
  params: z.object({ id: ref('materialBatch') }),
  query: ofProject,
  response: goodsRow.extend({ certs: z.array(file), steps: z.array(step), link: z.string() }),
})

/** All papers of a batch, in a folder for each step. */
export const zipGoods = endpoint({
  method: 'GET',
  path: `${path}/:id/zip`,
  summary: '下载批次资料',
  needs: view,
  answers: 'blob',
  perMinute: 10,
  params: z.object({ id: ref('materialBatch') }),
  query: ofProject,
})
