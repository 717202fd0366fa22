import { z } from 'zod'
import { madePatrol, patrolCounts, patrolDetail, patrolFilters, patrolRow, patrolSorts } from '../checks/patrol.ts'
import { checkSeatRights } from '../checks/seats.ts'
import { mostZipPapers } from '../exports/endpoints.ts'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { codesOfSeats, signatureCall } from '../kit/signatures.ts'
import { pin, placeShown } from '../places/pins.ts'
import { itemResults } from '../scoring/score.ts'
import { civilFields, civilMoves, mostPointItems } from './moves.ts'
import { areaCodes } from './score.ts'

const path = '/api/v1/oa/process/civiConsInspection'
const view = 'inspection.view'

export const civilRow = patrolRow.extend({
  /** Frozen when submitted. */
  score: z.number().nullable(),
  /** Areas and items that did not fit. */
  areaNames: z.array(z.string()),
  failItems: z.array(z.string()),
  pointCount: z.number().int(),
  /** Some pictures of the points, the failed ones first. */
  pictures: z.array(z.string()),
  /** Dictionary checkResult; null for a draft. */
  conclusion: z.string().nullable(),
  conclusionName: z.string().nullable(),
  /** High scores in a row and nothing open: stands for 文明工地. */
  candidate: z.boolean(),
})
export type CivilRow = z.output<typeof civilRow>

const item = z.object({
  itemCode: z.string(),
  name: z.string(),
  maxScore: z.number(),
  rule: z.string().nullable(),
  /** An extra of the site or its company. */
  own: z.boolean(),
  result: z.enum(itemResults),
  resultName: z.string(),
  deduction: z.number(),
  note: z.string().nullable(),
})
export type CivilItemResult = z.output<typeof item>
const walked = z.object({
  pointId: z.string(),
  name: z.string(),
  area: z.string(),
  areaName: z.string(),
  ...placeShown,
  skipped: z.string().nullable(),
  note: z.string().nullable(),
  photos: z.array(z.string()),
  /** Of the walk before, at the same point, and its day. */
  before: z.array(z.string()),
  beforeDay: z.string().nullable(),
  /** Of the newest answers to its problems. */
  after: z.array(z.string()),
  score: z.number().nullable(),
  /** Problems of the point that are not closed. */
  open: z.number().int(),
  items: z.array(item),
})
export type WalkedPoint = z.output<typeof walked>

const civilDetail = patrolDetail.extend({
  ...civilRow.shape,
  points: z.array(walked),
  areas: z.array(z.object({ code: z.string(), name: z.string(), got: z.number(), full: z.number(), score: z.number().nullable() })),
  /** The standard that was in force when the walk began. */
  versionName: z.string(),
})
export type CivilDetail = z.output<typeof civilDetail>

export const listCivilChecks = endpoint({
  method: 'GET',
  path,
  summary: '文明施工检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...patrolFilters,
    /** With an item of the area that did not fit. */
    area: several.optional(),
    failItems: several.optional(),
    score: numericRange.optional(),
    conclusion: several.optional(),
    sort: sortBy(...patrolSorts, 'score'),
  }),
  response: paged(civilRow).extend({
    counts: z.object({
      ...patrolCounts,
      /** Of the last submitted walk, and how many in a row passed; of one site only. */
      lastScore: z.number().nullable(),
      inARow: z.number().int().nullable(),
    }),
  }),
})

export const civilList = listOf(listCivilChecks, {
  feature: 'civiConsInspection',
  columns: {
    code: '编号',
    projectName: '项目',
    checkTime: '检查时间',
    checkers: '检查人',
    pointCount: '点位',
    score: '得分',
    areaNames: '不符合区域',
    failItems: '不符合项',
    pictures: '照片',
    problemCount: '问题',
    deadline: '期限',
    overdueDays: '逾期天数',
    conclusion: '结论',
    state: '状态',
  },
  onScreen: ['pictures'],
})

const id = z.object({ id: ref('siteCheck') })

export const getCivilCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '文明施工检查详情',
  needs: view,
  params: id,
  query: ofProject,
  response: civilDetail,
})

/** The records of several walks in one archive: what a site applies for 文明工地 with. */
export const civilZip = z.object({ ids: z.array(ref('siteCheck')).min(1, '请选择检查').max(mostZipPapers, `一次最多 ${mostZipPapers} 份`) })

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createCivilCheck = endpoint({
  method: 'POST',
  path,
  summary: '新增文明施工检查',
  needs: civilMoves.submit.needs,
  acts: 'review',
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...civilFields,
  }),
  response: madePatrol,
})

export const changeCivilCheck = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改文明施工检查',
  description: '按 action 办理：save、submit；version 为读取时的版本。',
  needs: codesOfMoves(civilMoves),
  acts: 'review',
  actions: rightsOfMoves(civilMoves),
  params: id,
  query: ofProject,
  body: moveBody(civilMoves, {}),
  response: madePatrol,
})

export const removeCivilCheck = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除文明施工检查草稿',
  needs: civilMoves.save.needs,
  acts: 'review',
  params: id,
  query: ofProject,
})

export const signCivilCheck = signatureCall({
  path,
  noun: '文明施工检查',
  needs: codesOfSeats(...Object.values(checkSeatRights)),
  params: id,
})

const point = z.object({
  id: z.string(),
  name: z.string(),
  area: z.string(),
  areaName: z.string(),
  ...placeShown,
  seq: z.number().int(),
  /** As the standard in force and the extras of the site have them now. */
  items: z.array(item.omit({ result: true, resultName: true, deduction: true, note: true })),
  /** Pictures of the last walk here. */
  last: z.array(z.string()),
  lastDay: z.string().nullable(),
})
export type CivilPoint = z.output<typeof point>

/** The fixed points of a site in the order of the walk, with what is judged at each now. */
export const listCivilPoints = endpoint({
  method: 'GET',
  path: `${path}/points`,
  summary: '文明施工检查点位',
  needs: view,
  answers: 'object',
  query: ofProject,
  response: z.object({ versionName: z.string(), points: z.array(point), items: point.shape.items }),
})

/** Sets a new point on the plan while walking. Its items are those of its area unless they are chosen. */
export const createCivilPoint = endpoint({
  method: 'POST',
  path: `${path}/points`,
  summary: '新增文明施工检查点位',
  needs: civilMoves.save.needs,
  acts: 'review',
  query: ofProject,
  body: z.object({
    id: pointsTo('civilPoint', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    name: filled(60, '点位名称'),
    area: z.enum(areaCodes, { error: '请选择区域' }),
    placeId: nullable(ref('sitePlace')),
    pin: nullable(pin),
    /** Codes of the library; empty: all items of the area. */
    items: z.array(filled(32, '检查项')).max(mostPointItems, `每个点位最多 ${mostPointItems} 项`).default([]),
  }),
  response: z.object({ id: z.string() }),
})

/** Takes a point out of the walk; earlier walks keep it. */
export const removeCivilPoint = endpoint({
  method: 'DELETE',
  path: `${path}/points/:id`,
  summary: '停用文明施工检查点位',
  needs: civilMoves.save.needs,
  acts: 'review',
  params: z.object({ id: ref('civilPoint') }),
  query: ofProject,
})

/** The same spot over the months. */
export const compareCivilPoint = endpoint({
  method: 'GET',
  path: `${path}/points/:id`,
  summary: '文明施工同点位对比',
  needs: view,
  params: z.object({ id: ref('civilPoint') }),
  query: ofProject,
  response: z.object({
    name: z.string(),
    walks: z.array(
      z.object({
        checkId: z.string(),
        code: z.string().nullable(),
        day: z.string(),
        photos: z.array(z.string()),
        failItems: z.array(z.string()),
        skipped: z.string().nullable(),
      }),
    ),
  }),
})
