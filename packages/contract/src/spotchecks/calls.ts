import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { spotFields, spotMoves } from './moves.ts'
import { spotReadings } from './readings.ts'

const path = '/api/v1/spotcheck'
const view = 'inspection.view'
/** Without a project: all that the caller sees. */
const scoped = { projectCode: ofProject.shape.projectCode.default('*') }

export const spotRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  kind: z.string(),
  kindName: z.string(),
  test: z.string(),
  testName: z.string(),
  part: z.string(),
  unitId: z.string().nullable(),
  unitName: z.string().nullable(),
  batchId: z.string().nullable(),
  supplier: z.string().nullable(),
  checkDate: z.string(),
  checkers: z.array(z.string()),
  checkerGroupName: z.string(),
  method: z.string(),
  designValue: z.string(),
  actualValue: z.string().nullable(),
  sampleNo: z.string().nullable(),
  labOrg: z.string().nullable(),
  labDue: z.string().nullable(),
  /** Days that the report is late; 0 when it is not. */
  lateDays: z.number().int(),
  reportNo: z.string().nullable(),
  /** Dictionary itemResult: 1 合格, 2 不合格; null: no report yet. */
  result: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type SpotRow = z.output<typeof spotRow>

export const listSpotChecks = endpoint({
  method: 'GET',
  path,
  summary: '质量抽查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...scoped,
    tab: z.enum(['todo', 'awaited', 'failed', 'closed']).optional(),
    code: text(50).optional(),
    kind: several.optional(),
    part: text(50).optional(),
    unit: several.optional(),
    batchId: pointsTo('materialBatch', text(64)).optional(),
    supplier: text(50).optional(),
    corpName: text(50).optional(),
    checkDate: dayRange.optional(),
    checkers: text(50).optional(),
    method: text(50).optional(),
    sampleNo: text(50).optional(),
    labOrg: text(50).optional(),
    reported: flag.optional(),
    late: flag.optional(),
    result: several.optional(),
    state: several.optional(),
    sort: sortBy('urgency', 'checkDate', 'labDue', 'kind'),
  }),
  response: paged(spotRow).extend({
    counts: z.object({
      awaited: z.number().int(),
      late: z.number().int(),
      failed: z.number().int(),
      todo: z.number().int(),
      /** Percent of the finished ones that passed at first; null without any. */
      passRate: z.number().nullable(),
    }),
    /** Suppliers by failures, the worst first. */
    ranking: z.array(z.object({ supplier: z.string(), checks: z.number().int(), failed: z.number().int() })),
  }),
})

export const spotCheckList = listOf(listSpotChecks, {
  feature: 'spotcheck',
  columns: {
    code: '编号',
    projectName: '项目',
    kind: '抽查对象',
    part: '部位/批次',
    unitName: '单体',
    checkDate: '抽查日期',
    checkers: '抽查人',
    checkerGroupName: '抽查单位',
    method: '检测方法',
    designValue: '标准值',
    actualValue: '实测值',
    sampleNo: '样品编号',
    labOrg: '检测机构',
    labDue: '报告期限',
    reportNo: '报告编号',
    supplier: '供应商',
    corpName: '责任单位',
    result: '结论',
    state: '状态',
  },
})

export const spotDetail = spotRow.extend({
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  readings: spotReadings,
  /** The calculation from the readings, line by line. */
  calculation: z.array(z.string()),
  photos: z.array(z.string()),
  handle: z.string().nullable(),
  batch: z.object({ id: z.string(), words: z.string(), blocked: z.boolean() }).nullable(),
  reports: z.array(
    z.object({
      id: z.string(),
      stage: z.enum(['first', 'changed', 'again']),
      stageName: z.string(),
      reportNo: z.string(),
      labOrg: z.string(),
      reportDate: z.string(),
      actualValue: z.string(),
      passed: z.boolean(),
      reason: z.string().nullable(),
      files: z.array(z.string()),
      byName: z.string(),
      at: z.string(),
    }),
  ),
  /** Floors above a failed one, which wait for it. */
  waitingFloors: z.array(z.string()),
  notice: z
    .object({
      id: z.string(),
      code: z.string().nullable(),
      link: z.string(),
      stateName: z.string(),
      deadline: z.string(),
      closed: z.boolean(),
    })
    .nullable(),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type SpotDetail = z.output<typeof spotDetail>

export const getSpotCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '质量抽查详情',
  needs: view,
  params: z.object({ id: ref('spotCheck') }),
  response: spotDetail,
})

const made = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })
const ownId = pointsTo('spotCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确'))
const { submitOnSite, submitSample } = spotMoves
const first = { id: ownId, projectCode: ofProject.shape.projectCode }

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createSpotCheck = endpoint({
  method: 'POST',
  path,
  summary: '新增质量抽查',
  needs: spotMoves.save.needs,
  acts: 'review',
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('save'), ...first, ...spotFields }),
    z.object({ action: z.literal('submitOnSite'), ...first, ...submitOnSite.asks }),
    z.object({ action: z.literal('submitSample'), ...first, ...submitSample.asks }),
  ]),
  response: made,
})

export const changeSpotCheck = endpoint({
  method: 'PUT',
  path,
  summary: '修改质量抽查',
  description: '按 action 办理：save、submitOnSite、submitSample、report、amend、issue、close；version 为读取时的版本。',
  needs: codesOfMoves(spotMoves),
  acts: 'review',
  actions: rightsOfMoves(spotMoves),
  body: moveBody(spotMoves, { id: ref('spotCheck') }),
  response: made,
})

export const removeSpotCheck = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除质量抽查草稿',
  needs: spotMoves.save.needs,
  acts: 'review',
  params: z.object({ id: ref('spotCheck') }),
})
