import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, filled, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { placeShown, planPicture } from '../places/pins.ts'
import { dict } from '../settings/dict-field.ts'
import { materialFields, materialMoves, quantity } from './moves.ts'
import { materialRuleFields } from './rules.ts'

const path = '/api/v1/oa/process/material'
const view = 'inspection.view'

/** What a batch waits for, or why it may not be used. */
export const materialSteps = {
  accept: '待验收',
  sample: '待取样',
  send: '待送检',
  report: '待报告',
  banned: '禁用批次',
  unweighed: '未过磅',
} as const

export const materialRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  name: z.string(),
  spec: z.string(),
  brand: z.string().nullable(),
  supplier: z.string(),
  batchNo: z.string().nullable(),
  quantity: z.number(),
  usedQuantity: z.number(),
  unit: z.string(),
  unitName: z.string(),
  arriveTime: z.string(),
  needRetest: z.boolean(),
  samplesDue: z.number().int(),
  samplesTaken: z.number().int(),
  reportNo: z.string().nullable(),
  /** Null: no report yet. */
  retestPassed: z.boolean().nullable(),
  /** Weighed against delivered, in thousandths; null without tickets. */
  deviation: z.number().nullable(),
  deviates: z.boolean(),
  ticketCount: z.number().int(),
  usable: z.boolean(),
  /** Why it may not be used; null when it may. */
  whyNot: z.string().nullable(),
  /** What it waits for; null when nothing. */
  step: z.enum(['accept', 'sample', 'send', 'report', 'banned']).nullable(),
  /** Days since it arrived, while it waits for acceptance or a report. */
  ageDays: z.number().int().nullable(),
  exited: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type MaterialRow = z.output<typeof materialRow>

const batchFilters = {
  step: z.enum(['accept', 'sample', 'send', 'report', 'banned', 'unweighed']).optional(),
  category: several.optional(),
  name: text(50).optional(),
  spec: text(50).optional(),
  batchNo: text(50).optional(),
  supplier: several.optional(),
  quantity: numericRange.optional(),
  arriveTime: dayRange.optional(),
  needRetest: flag.optional(),
  /** 1 合格, 2 不合格, 4 未出报告 (dictionary itemResult). */
  retestResult: several.optional(),
  deviates: flag.optional(),
  exited: flag.optional(),
  state: several.optional(),
  ageDays: numericRange.optional(),
}

const materialEventRow = z.object({
  id: z.string(),
  batchId: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  at: z.string(),
  action: z.string(),
  actionName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  name: z.string(),
  spec: z.string(),
  batchNo: z.string().nullable(),
  supplier: z.string(),
  quantity: z.number().nullable(),
  unitName: z.string(),
  part: z.string().nullable(),
  placeName: z.string().nullable(),
  weighId: z.string().nullable(),
  reportNo: z.string().nullable(),
  sampleNo: z.string().nullable(),
  result: z.string().nullable(),
  note: z.string().nullable(),
  operator: z.string(),
})
export type MaterialEventRow = z.output<typeof materialEventRow>

const stockRow = z.object({
  key: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  name: z.string(),
  spec: z.string(),
  unitName: z.string(),
  unit: z.string(),
  planned: z.number().nullable(),
  arrived: z.number(),
  accepted: z.number(),
  used: z.number(),
  left: z.number(),
  batches: z.number().int(),
  /** Sets of samples that the batches need, and that were taken. */
  samplesDue: z.number().int(),
  samplesTaken: z.number().int(),
})
export type StockRow = z.output<typeof stockRow>

const flowFilters = {
  at: dayRange.optional(),
  action: several.optional(),
  category: several.optional(),
  name: text(50).optional(),
  spec: text(50).optional(),
  batchNo: text(50).optional(),
  supplier: several.optional(),
  quantity: numericRange.optional(),
  weighed: flag.optional(),
  reportNo: text(50).optional(),
  result: text(50).optional(),
  operator: text(50).optional(),
  /** Events of batches that wait for their retest. */
  pending: flag.optional(),
  deviates: flag.optional(),
  /** A batch, sample or report number: every event of the batches that have it. */
  trace: text(50).optional(),
}
export const batchSorts = ['arriveTime', 'ageDays', 'quantity', 'name', 'category', 'deviation'] as const
export const flowSorts = ['at', 'quantity', 'name'] as const
export const stockSorts = ['name', 'arrived', 'used', 'left', 'category'] as const

const batchCounts = z.object({
  accept: z.number().int(),
  sample: z.number().int(),
  report: z.number().int(),
  banned: z.number().int(),
  unweighed: z.number().int(),
})
const flowCounts = z.object({
  received: z.number().int(),
  retest: z.number().int(),
  exited: z.number().int(),
  deviates: z.number().int(),
})
const batchMore = {
  counts: batchCounts,
  categories: z.array(z.object({ code: z.string(), name: z.string(), count: z.number().int() })),
  suppliers: z.array(z.string()),
}
/** `monthStart`: the first day of the month that `received` counts. */
const flowMore = { counts: flowCounts, monthStart: z.string() }

/** Batches; with `view=flow` their events in time, with `view=stock` sums by name and specification. */
export const materialRecords = endpoint({
  method: 'GET',
  path,
  summary: '材料批次、流水与汇总',
  description: 'view=flow：流水；view=stock：按名称与规格汇总；不填：批次。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...batchFilters,
    ...flowFilters,
    view: z.enum(['flow', 'stock']).optional(),
    sort: sortBy('at', 'arriveTime', 'ageDays', 'quantity', 'name', 'category', 'deviation', 'arrived', 'used', 'left'),
  }),
  response: z.union([paged(materialRow).extend(batchMore), paged(materialEventRow).extend(flowMore), paged(stockRow)]),
})

export const listMaterials = viewOf(materialRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...batchFilters, sort: sortBy(...batchSorts) }),
  response: paged(materialRow).extend(batchMore),
})

export const materialList = listOf(listMaterials, {
  feature: 'material',
  columns: {
    projectName: '项目',
    category: '类别',
    name: '名称',
    spec: '规格',
    batchNo: '批号',
    supplier: '供应商',
    quantity: '数量',
    unitName: '单位',
    arriveTime: '进场时间',
    needRetest: '需复验',
    samplesTaken: '取样',
    retestResult: '复验',
    reportNo: '报告编号',
    deviation: '过磅偏差（‰）',
    ageDays: '等待天数',
    corpName: '收料单位',
    state: '结论',
  },
})

/** What came, was tested, used and left, in time; never edited. */
export const materialFlow = viewOf(materialRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...flowFilters, view: z.literal('flow'), sort: sortBy(...flowSorts) }),
  response: paged(materialEventRow).extend(flowMore),
})

export const materialFlowList = listOf(materialFlow, {
  feature: 'materialFlow',
  columns: {
    at: '时间',
    projectName: '项目',
    action: '事项',
    category: '类别',
    name: '名称',
    spec: '规格',
    batchNo: '批号',
    supplier: '供应商',
    quantity: '数量',
    unitName: '单位',
    part: '使用部位',
    weighId: '过磅',
    sampleNo: '样品编号',
    reportNo: '报告编号',
    result: '结论',
    operator: '经办人',
  },
})

/** Planned, arrived, accepted, used and left, by name and specification. */
export const materialStock = viewOf(materialRecords, {
  query: pageQuery.extend({
    ...ofProject.shape,
    view: z.literal('stock'),
    category: several.optional(),
    name: text(50).optional(),
    spec: text(50).optional(),
    sort: sortBy(...stockSorts),
  }),
  response: paged(stockRow),
})

export const materialStockList = listOf(materialStock, {
  feature: 'materialStock',
  columns: {
    projectName: '项目',
    category: '类别',
    name: '名称',
    spec: '规格',
    unitName: '单位',
    planned: '计划',
    arrived: '进场',
    accepted: '验收合格',
    used: '已用',
    left: '结存',
    batches: '批次',
    samplesDue: '应取样（组）',
    samplesTaken: '已取样（组）',
  },
})

const ticketShown = z.object({
  weighId: z.string(),
  direction: z.enum(['in', 'out']),
  billNo: z.string(),
  plateNo: z.string(),
  weighedAt: z.string(),
  gross: z.number().nullable(),
  tare: z.number().nullable(),
  net: z.number().nullable(),
  actual: z.number().nullable(),
  bill: z.number().nullable(),
})

export const materialDetail = materialRow.extend({
  usePart: z.string().nullable(),
  plateNo: z.string().nullable(),
  certFiles: z.array(z.string()),
  photos: z.array(z.string()),
  checkedBy: z.string().nullable(),
  labOrg: z.string().nullable(),
  blockedReason: z.string().nullable(),
  tickets: z.array(ticketShown),
  /** Thousandths that the category accepts. */
  tolerance: z.number().int(),
  /** Sets of samples, uses and everything else that happened, in time. */
  events: z.array(
    materialEventRow.pick({ id: true, at: true, action: true, actionName: true, quantity: true, part: true, sampleNo: true }).extend({
      reportNo: z.string().nullable(),
      result: z.string().nullable(),
      note: z.string().nullable(),
      operator: z.string(),
      team: z.string().nullable(),
      files: z.array(z.string()),
      /** What contradicts each file that is a photograph; null: nothing. */
      fileNotes: z.array(z.string().nullable()),
      ...placeShown,
    }),
  ),
  plans: z.array(planPicture),
  spotChecks: z.array(z.object({ id: z.string(), label: z.string(), checkDate: z.string(), stateName: z.string(), failed: z.boolean() })),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type MaterialDetail = z.output<typeof materialDetail>

const id = z.object({ id: ref('materialBatch') })

export const getMaterial = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '材料批次详情',
  needs: view,
  params: id,
  query: ofProject,
  response: materialDetail,
})

const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

/** Registers a batch. The device names the id, so that a repeated request registers nothing more. */
export const receiveMaterial = endpoint({
  method: 'POST',
  path,
  summary: '材料进场登记',
  needs: 'inspection.materialReceive',
  acts: 'own',
  query: ofProject,
  body: z.object({ id: pointsTo('materialBatch', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')), ...materialFields }),
  response: made,
})

export const changeMaterial = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理材料批次',
  description: '按 action 办理：accept、sample、send、report、use、withdraw、correct、link；version 为读取时的版本。',
  needs: codesOfMoves(materialMoves),
  acts: 'answer',
  actions: rightsOfMoves(materialMoves),
  params: id,
  query: ofProject,
  body: moveBody(materialMoves, {}),
  response: made,
})

const rule = z.object({
  category: z.string(),
  categoryName: z.string(),
  needRetest: z.boolean(),
  perQuantity: z.number().nullable(),
  unit: z.string().nullable(),
  unitName: z.string().nullable(),
  tolerance: z.number().int(),
  /** Set by the site; otherwise the usual rule. */
  own: z.boolean(),
})
export type MaterialRuleRow = z.output<typeof rule>

export const materialRules = endpoint({
  method: 'GET',
  path: `${path}/rules`,
  summary: '材料取样与过磅规则',
  needs: view,
  answers: 'list',
  query: ofProject,
  response: z.object({ list: z.array(rule), total: z.number().int() }),
})

export const saveMaterialRule = endpoint({
  method: 'PUT',
  path: `${path}/rules`,
  summary: '设置材料取样与过磅规则',
  description: '只影响此后进场的批次。',
  needs: ['inspection.materialReceive', 'inspection.materialWitness'],
  acts: 'review',
  query: ofProject,
  body: z.object(materialRuleFields),
})

/** How much of a material the works need, for comparison with what came. */
export const saveMaterialPlan = endpoint({
  method: 'PUT',
  path: `${path}/plan`,
  summary: '设置材料计划量',
  needs: 'inspection.materialReceive',
  query: ofProject,
  body: z.object({
    category: dict('materialCategory', '材料类别'),
    name: filled(100, '材料名称'),
    spec: filled(100, '规格型号'),
    unit: dict('materialUnit', '单位'),
    planned: quantity,
  }),
})
