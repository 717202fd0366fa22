import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { pin, planPicture } from '../places/pins.ts'
import { stepFields, stepMoves } from './moves.ts'

const path = '/api/v1/oa/process/qualityP'
const view = 'safety-management.view'

export const stepRow = z.object({
  id: z.string(),
  /** Null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  unitName: z.string().nullable(),
  placeId: z.string(),
  placeName: z.string(),
  part: z.string(),
  work: z.string(),
  workName: z.string(),
  item: z.string(),
  itemName: z.string(),
  kind: z.string(),
  kindName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  gang: z.string().nullable(),
  checkTime: z.string(),
  checkers: z.array(z.string()),
  /** Dictionary itemResult: 1 合格, 2 不合格; null for a draft. */
  result: z.string().nullable(),
  /** Passed without a recheck. */
  firstPass: z.boolean(),
  round: z.number().int(),
  problems: z.array(z.string()),
  problemNames: z.array(z.string()),
  /** The work began before the step before it was accepted. */
  early: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type StepRow = z.output<typeof stepRow>

/** Whether a link of the chain is done: `none`: nothing recorded; `blocked`: failed, and what follows waits. */
const cell = z.object({
  work: z.string(),
  kind: z.string(),
  state: z.enum(['none', 'waiting', 'passed', 'blocked', 'early']),
  id: z.string().nullable(),
})
const floorRow = z.object({ placeId: z.string(), name: z.string(), blocked: z.boolean(), cells: z.array(cell) })
export type StepFloor = z.output<typeof floorRow>

const filters = {
  tab: z.enum(['todo', 'waiting', 'failed', 'draft']).optional(),
  code: text(50).optional(),
  /** Units of the works. */
  unit: several.optional(),
  part: text(50).optional(),
  /** The place, or a place in it. */
  place: pointsTo('sitePlace', text(64)).optional(),
  /** Works of the chain. */
  step: several.optional(),
  kind: several.optional(),
  checkTime: dayRange.optional(),
  checkers: text(50).optional(),
  result: several.optional(),
  qualityProblem: several.optional(),
  state: several.optional(),
}
const sorts = ['checkTime', 'code', 'part'] as const
const counts = z.object({
  todo: z.number().int(),
  waiting: z.number().int(),
  failed: z.number().int(),
  /** Percent of the accepted and failed ones that passed the first time; null without any. */
  firstPass: z.number().nullable(),
})
const rank = z.array(z.object({ code: z.string(), name: z.string(), count: z.number().int() }))
const gridMore = { unit: z.object({ id: z.string(), name: z.string() }).nullable() }

/** Acceptances of steps; with `view=grid` the floors of a unit by step. */
export const stepRecords = endpoint({
  method: 'GET',
  path,
  summary: '工序验收列表',
  description: 'view=grid：一个单体（unit）的楼层 × 工序。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, ...filters, view: z.literal('grid').optional(), sort: sortBy(...sorts) }),
  response: z.union([paged(stepRow).extend({ counts, rank }), paged(floorRow).extend(gridMore)]),
})

export const listSteps = viewOf(stepRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...filters, sort: sortBy(...sorts) }),
  response: paged(stepRow).extend({ counts, rank }),
})

export const stepGrid = viewOf(stepRecords, {
  query: pageQuery.extend({ ...ofProject.shape, view: z.literal('grid'), unit: several.optional() }),
  response: paged(floorRow).extend(gridMore),
})

export const stepList = listOf(listSteps, {
  feature: 'qualityP',
  columns: {
    code: '编号',
    projectName: '项目',
    unitName: '单体',
    part: '部位',
    placeName: '位置',
    workName: '工序',
    kind: '类别',
    itemName: '子分部',
    corpName: '责任单位',
    gang: '班组',
    checkTime: '检查时间',
    checkers: '检查人',
    result: '结论',
    problems: '质量通病',
    state: '状态',
  },
})

const point = z.object({
  key: z.string(),
  name: z.string(),
  limit: z.string(),
  unit: z.string().nullable(),
  value: z.number().nullable(),
  passed: z.boolean(),
  note: z.string().nullable(),
  photos: z.array(z.string()),
})

const link = z.object({
  work: z.string(),
  kind: z.string(),
  name: z.string(),
  /** Null: nothing recorded. */
  id: z.string().nullable(),
  code: z.string().nullable(),
  checkTime: z.string().nullable(),
  stateName: z.string(),
  accepted: z.boolean(),
  failed: z.boolean(),
  early: z.boolean(),
  current: z.boolean(),
})

export const stepDetail = stepRow.extend({
  pin: pin.nullable(),
  plans: z.array(planPicture),
  begunAt: z.string().nullable(),
  acceptedAt: z.string().nullable(),
  photos: z.array(z.string()),
  photoNotes: z.array(z.string().nullable()),
  remark: z.string().nullable(),
  person: z.string().nullable(),
  deadline: z.string().nullable(),
  /** The newest round first. */
  rounds: z.array(z.object({ round: z.number().int(), at: z.string(), byName: z.string(), points: z.array(point) })),
  chain: z.array(link),
  notice: z
    .object({ id: z.string(), code: z.string().nullable(), stateName: z.string(), deadline: z.string(), closed: z.boolean() })
    .nullable(),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type StepDetail = z.output<typeof stepDetail>

const id = z.object({ id: ref('siteStep') })

export const getStep = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '工序验收详情',
  needs: view,
  params: id,
  query: ofProject,
  response: stepDetail,
})

const made = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createStep = endpoint({
  method: 'POST',
  path,
  summary: '新建工序验收',
  needs: stepMoves.submit.needs,
  query: ofProject,
  body: z.object({
    id: pointsTo('siteStep', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...stepFields,
  }),
  response: made,
})

export const changeStep = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理工序验收',
  description: '按 action 办理：save、submit、accept、refuse、recheck、archive；version 为读取时的版本。',
  needs: codesOfMoves(stepMoves),
  acts: 'review',
  actions: rightsOfMoves(stepMoves),
  params: id,
  query: ofProject,
  body: moveBody(stepMoves, {}),
  response: made,
})

export const removeStep = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除工序验收草稿',
  needs: stepMoves.save.needs,
  params: id,
  query: ofProject,
})

/** What may be accepted next at a place. */
export const nextSteps = endpoint({
  method: 'GET',
  path: `${path}/next`,
  summary: '部位的工序链与下一道工序',
  needs: stepMoves.submit.needs,
  answers: 'object',
  query: ofProject.extend({ placeId: pointsTo('sitePlace', text(64)) }),
  response: z.object({
    chain: z.array(link),
    /** The first link that is not accepted; null when all are. */
    next: z.object({ work: z.string(), kind: z.string(), name: z.string() }).nullable(),
    /** Why nothing may be accepted now. */
    locked: z.string().nullable(),
  }),
})
