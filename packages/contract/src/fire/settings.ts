import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { placeFields, placeRule } from './place-rules.ts'
import { catalogueRow } from './points.ts'

const view = 'fire-acceptance.view'
const edits = 'fire-acceptance.catalogue'
const itemPath = '/api/v1/oa/process/fireItem'
const placePath = '/api/v1/oa/process/firePlace'

const itemRow = catalogueRow.extend({
  projectName: z.string(),
  subName: z.string(),
  /** Cases whose catalogue has the point, and open ones among them. */
  used: z.number().int(),
  open: z.number().int(),
  /** It differs from the delivered one. */
  changed: z.boolean(),
})
export type FireItemRow = z.output<typeof itemRow>
export const listFireItems = endpoint({
  method: 'GET',
  path: itemPath,
  summary: '消防验收事项',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    branch: text(4).optional(),
    itemCode: text(6).optional(),
    name: text(50).optional(),
    level: text(10).optional(),
    applicable: text(2).optional(),
    enable: z.enum(['1', '2']).optional(),
    /** Changed or added by the authority. */
    changed: z.enum(['true']).optional(),
  }),
  response: paged(itemRow).extend({
    /** 0: as delivered. */
    version: z.number().int(),
    versionName: z.string(),
    levels: z.object({ A: z.number().int(), B: z.number().int(), C: z.number().int() }),
    branches: z.array(
      z.object({ code: z.string(), name: z.string(), table: z.string().nullable(), points: z.number().int(), fullCheck: z.boolean() }),
    ),
  }),
})
export const fireItemList = listOf(listFireItems, {
  feature: 'fireItem',
  columns: {
    code: '编码',
    name: '要点',
    projectName: '项目',
    subName: '子项',
    level: '重要程度',
    method: '检查方法',
    needsValue: '设计/实测',
    applicable: '适用场所',
    fullCheck: '全数检查',
    enable: '启用',
    used: '使用次数',
  },
})
/** Changes or adds one point, or the full check of a sub-item; this makes the next version of the authority's catalogue. */
export const changeFireItem = endpoint({
  method: 'PUT',
  path: itemPath,
  summary: '修改消防验收事项',
  description: '每次修改产生新版本；进行中的评定沿用开始时的版本。交付要点的编码与重要程度不能修改。',
  needs: edits,
  acts: 'aside',
  groupTypes: [0, 1],
  query: ofProject,
  body: z.object({
    version: z.number().int(),
    /** Of a new point: its sub-item, four digits. */
    code: text(6, '编码').min(4, '请选择要点或子项'),
    name: nullable(text(100, '名称')),
    level: nullable(z.enum(['A', 'B', 'C'], { error: '重要程度不正确' })),
    method: text(200, '检查方法').default(''),
    needsValue: z.boolean().default(false),
    applicable: z.array(text(2, '场所')).max(40).default([]),
    fullCheck: z.boolean().default(false),
    enable: z.boolean().default(true),
    seq: z.number().int().min(0).max(9_999).optional(),
  }),
  response: z.object({ version: z.number().int(), code: z.string(), open: z.number().int() }),
})

const placeRow = placeRule.extend({
  condition: z.string(),
  cases: z.number().int(),
  local: z.boolean(),
  changed: z.boolean(),
  version: z.number().int(),
})
export type FirePlaceRow = z.output<typeof placeRow>
export const listFirePlaces = endpoint({
  method: 'GET',
  path: placePath,
  summary: '消防验收场所',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, name: text(50).optional() }),
  response: paged(placeRow).extend({ projectNames: z.array(z.object({ code: z.string(), name: z.string() })) }),
})
export const firePlaceList = listOf(listFirePlaces, {
  feature: 'firePlace',
  columns: {
    code: '编码',
    name: '场所',
    condition: '条件',
    special: '特殊建设工程',
    projects: '适用项目',
    cases: '评定数',
    enable: '启用',
  },
})
/** Changes a kind of place, or adds one. */
export const changeFirePlace = endpoint({
  method: 'PUT',
  path: placePath,
  summary: '修改消防验收场所',
  needs: edits,
  acts: 'aside',
  groupTypes: [0, 1],
  query: ofProject,
  body: z.object({
    code: filled(2, '编码').regex(/^\d{2}$/, '编码为两位数字'),
    /** -1: a new one. */
    version: z.number().int(),
    ...placeFields,
  }),
  response: z.object({ version: z.number().int() }),
})
