import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { paperFields, requirementCodes, travelMoves } from './travel-moves.ts'

const path = '/api/v1/oa/process/document/travel'
const view = 'documents.view'

export const travelTabs = { issued: '下发', received: '收到', tasks: '收集任务', reports: '上报' } as const
export type TravelTab = keyof typeof travelTabs
const tab = z.enum(Object.keys(travelTabs) as [TravelTab, ...TravelTab[]])

/** How far a paper has come on one level below. */
const level = z.object({ name: z.string(), done: z.number().int(), all: z.number().int() })

export const travelRow = z.object({
  /** The paper. */
  id: z.string(),
  title: z.string(),
  fromName: z.string(),
  issueTime: z.string(),
  requirement: z.enum(requirementCodes),
  requirementName: z.string(),
  deadline: z.string().nullable(),
  /** Some recipient, or the caller, is past the deadline. */
  late: z.boolean(),
  progress: z.array(level),
  /** Of the caller's own stop; null for papers that it issued. */
  stopId: z.string().nullable(),
  state: z.string().nullable(),
  stateName: z.string().nullable(),
})
export type TravelRow = z.output<typeof travelRow>

export const listTravel = endpoint({
  method: 'GET',
  path,
  summary: '分级资料列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: tab.default('received'),
    title: text(50).optional(),
    fromName: text(50).optional(),
    issueTime: dayRange.optional(),
    requirement: several.optional(),
    deadline: dayRange.optional(),
    state: several.optional(),
    /** Past its deadline, and something is missing. */
    late: z.enum(['true']).optional(),
    sort: sortBy('issueTime', 'deadline', 'title'),
  }),
  response: paged(travelRow).extend({
    counts: z.object({ open: z.number().int(), late: z.number().int(), returned: z.number().int(), behind: z.number().int() }),
  }),
})

export const travelList = listOf(listTravel, {
  feature: 'documentTravel',
  columns: {
    title: '标题',
    fromName: '下发单位',
    issueTime: '下发时间',
    requirement: '办理要求',
    deadline: '截止日期',
    progress: '办理进度',
    state: '我的状态',
  },
})

const file = z.object({ url: z.string(), name: z.string() })
const round = z.object({
  no: z.number().int(),
  files: z.array(file),
  note: z.string().nullable(),
  byName: z.string(),
  at: z.string(),
  /** Null: nobody has judged it yet. */
  passed: z.boolean().nullable(),
  opinion: z.string().nullable(),
})
const stop = z.object({
  id: z.string(),
  toName: z.string(),
  state: z.string(),
  stateName: z.string(),
  remark: z.string().nullable(),
  deadline: z.string().nullable(),
  late: z.boolean(),
  readAt: z.string().nullable(),
  rounds: z.array(round),
  version: z.number().int(),
  actions: z.array(allowedAction),
})
export type TravelStop = z.output<typeof stop>

export const travelDetail = travelRow.extend({
  content: z.string().nullable(),
  required: z.array(z.string()),
  files: z.array(file),
  /** The caller's own, with its history; null for the issuer. */
  own: stop.extend({ timeline: z.array(logLine) }).nullable(),
  /** To whom the caller's group has sent it. */
  below: z.array(stop),
  canUrge: z.boolean(),
  /** When the recipients can be chased again; null: now. */
  urgedUntil: z.string().nullable(),
})
export type TravelDetail = z.output<typeof travelDetail>

const ofPaper = z.object({ id: ref('travelPaper') })
const newId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')

export const getTravel = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '分级资料详情',
  needs: view,
  params: ofPaper,
  query: ofProject,
  response: travelDetail,
})

/** The groups of the next level, to which the caller's group may send. */
export const travelTargets = endpoint({
  method: 'GET',
  path: `${path}/targets`,
  summary: '可下发单位',
  needs: 'documents.share',
  query: ofProject,
  response: z.object({ list: z.array(z.object({ id: z.string(), name: z.string(), type: z.number().int() })) }),
})

export const issueTravel = endpoint({
  method: 'POST',
  path,
  summary: '下发资料',
  needs: 'documents.share',
  acts: 'aside',
  query: ofProject,
  body: z.object({ id: pointsTo('travelPaper', newId), ...paperFields }),
  response: z.object({ id: z.string(), recipients: z.number().int() }),
})

export const changeTravel = endpoint({
  method: 'PUT',
  path: `${path}/stops/:id`,
  summary: '办理分级资料',
  description: '按 action 办理：read、forward、submit、accept、return；version 为读取时的版本。',
  needs: codesOfMoves(travelMoves),
  acts: 'aside',
  actions: rightsOfMoves(travelMoves),
  params: z.object({ id: ref('travelStop') }),
  query: ofProject,
  body: moveBody(travelMoves, {}),
  response: z.object({ id: z.string(), version: z.number().int(), state: z.string() }),
})

/** Reminds those of the next level who still have something to do. */
export const urgeTravel = endpoint({
  method: 'POST',
  path: `${path}/:id/urge`,
  summary: '催办分级资料',
  needs: 'documents.share',
  acts: 'aside',
  params: ofPaper,
  query: ofProject,
  response: z.object({ told: z.number().int() }),
})

/** What was submitted, in a folder for each unit. */
export const zipTravel = endpoint({
  method: 'GET',
  path: `${path}/:id/zip`,
  summary: '汇总下载上报材料',
  needs: view,
  answers: 'blob',
  perMinute: 10,
  params: ofPaper,
  query: ofProject,
})
