import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, ofProject, pointsTo, ref, text } from '../kit/fields.ts'
import { fireMoves, mostFirePhotos } from './moves.ts'

const path = '/api/v1/oa/process/fireAssessItem'
const newId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')

export const catalogueRow = z.object({
  code: z.string(),
  name: z.string(),
  level: z.enum(['A', 'B', 'C']).nullable(),
  table: z.string().nullable(),
  method: z.string(),
  needsValue: z.boolean(),
  applicable: z.array(z.string()),
  fullCheck: z.boolean(),
  enable: z.boolean(),
  seq: z.number().int(),
  local: z.boolean(),
})

const entry = z.object({
  id: z.string(),
  round: z.number().int(),
  itemCode: z.string(),
  checkPart: z.string(),
  result: z.enum(['1', '2', '3']),
  productFail: z.boolean(),
  designValue: z.string().nullable(),
  actualValue: z.string().nullable(),
  tolerance: z.number(),
  description: z.string().nullable(),
  changeReason: z.string().nullable(),
  photos: z.array(z.string()),
  byName: z.string(),
  at: z.string(),
})
export type FireEntry = z.output<typeof entry>

/** The points of one building with everything that was written, oldest first, in each round. */
export const fireItemsOf = endpoint({
  method: 'GET',
  path,
  summary: '单体的要点与评定记录',
  needs: 'fire-acceptance.view',
  answers: 'object',
  query: ofProject.extend({ assessmentId: ref('fireCase'), buildId: ref('fireBuild') }),
  response: z.object({
    round: z.number().int(),
    items: z.array(catalogueRow),
    entries: z.array(entry),
    subs: z.array(
      z.object({ round: z.number().int(), subCode: z.string(), total: z.number().int().nullable(), absentReason: z.string().nullable() }),
    ),
    /** Sub-items of a 复评; null: all. */
    only: z.array(z.string()).nullable(),
  }),
})
export type FireItems = NonNullable<(typeof fireItemsOf)['types']>['out']

/** Writes one point. The device makes the id: a repeated request writes nothing more. What was written before stays. */
export const writeFirePoint = endpoint({
  method: 'POST',
  path,
  summary: '记录一个评定要点',
  needs: fireMoves.conclude.needs,
  groupTypes: [1],
  query: ofProject,
  body: z.object({
    id: pointsTo('firePoint', newId),
    assessmentId: ref('fireCase'),
    buildId: ref('fireBuild'),
    itemCode: filled(6, '要点'),
    checkPart: filled(100, '抽查部位'),
    result: z.enum(['1', '2', '3'], { error: '请选择结果' }),
    productFail: z.boolean().default(false),
    designValue: nullable(text(50, '设计值')),
    actualValue: nullable(text(50, '实测值')),
    tolerance: z.number().min(0, '允许误差不能为负').max(100, '允许误差过大').default(5),
    description: nullable(text(500, '问题描述')),
    photos: z.array(text(400, '照片')).max(mostFirePhotos, `照片最多 ${mostFirePhotos} 张`).default([]),
    /** Why a point that was 不符合 is judged otherwise now. */
    changeReason: nullable(text(200, '更改原因')),
    /** By the device's clock; a point that waited without network is dated by it. */
    at: z.number().int().optional(),
  }),
  response: z.object({ id: z.string() }),
})
const mostPlaces = 10_000
/** Number of places of a sub-item, and why nothing of it applies. */
export const writeFireSub = endpoint({
  method: 'PUT',
  path,
  summary: '填写子项的总处数或不涉及原因',
  needs: fireMoves.conclude.needs,
  groupTypes: [1],
  query: ofProject,
  body: z.object({
    assessmentId: ref('fireCase'),
    buildId: ref('fireBuild'),
    subCode: filled(4, '子项'),
    total: nullable(z.number().int('总处数应为整数').min(0, '总处数不能为负').max(mostPlaces, '总处数过大')),
    absentReason: nullable(text(200, '不涉及原因')),
  }),
})
