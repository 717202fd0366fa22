import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { stopFields, stopMoves } from './moves.ts'

export const stopRow = z.object({
  id: z.string(),
  /** `apply`: an application; `order`: a stop without one, ordered by a notice or older than this procedure. */
  kind: z.enum(['apply', 'order']),
  /** Number of the application, drawn when it is submitted, or of the notice that orders the stop; null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  type: z.string(),
  typeName: z.string(),
  reasonType: z.string().nullable(),
  reasonTypeName: z.string().nullable(),
  reason: z.string(),
  /** The applicant, or the authority that ordered the stop. */
  applyCorp: z.string(),
  stopDate: z.string().nullable(),
  planResumeDate: z.string().nullable(),
  /** Days the project has been stopped by it; null when it stops nothing. */
  stoppedDays: z.number().int().nullable(),
  /** Stops the project today. */
  stopping: z.boolean(),
  /** Days past the planned day of resumption while stopped; otherwise 0. */
  overdueDays: z.number().int(),
  /** The day the stop ended. */
  resumedDay: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  /** Days it has waited at the present step; null when it waits for nobody. */
  waitDays: z.number().int().nullable(),
  /** Waits for the caller. */
  mine: z.boolean(),
  /** The notice that orders the stop. */
  noticeId: z.string().nullable(),
})
export type StopRow = z.output<typeof stopRow>

const check = z.object({
  item: z.string(),
  name: z.string(),
  asks: z.string(),
  passed: z.boolean().nullable(),
  note: z.string().nullable(),
  photos: z.array(z.string()),
  /** What the officers found on site. */
  sitePassed: z.boolean().nullable(),
  siteNote: z.string().nullable(),
})
export type StopCheck = z.output<typeof check>

const decision = z.object({
  byName: z.string(),
  groupName: z.string(),
  at: z.string(),
  passed: z.boolean(),
  opinion: z.string().nullable(),
})

const line = z.object({
  label: z.string(),
  value: z.string(),
  /** The page that shows it; null without one. */
  link: z.string().nullable(),
  /** `block`: refuses the decision; `warn`: to be considered first. */
  level: z.enum(['info', 'warn', 'block']),
})
export type StopEffect = z.output<typeof line>

export const stopDetail = stopRow.extend({
  ongoingParts: z.string().nullable(),
  guardPersons: z.string().nullable(),
  affectAttendance: z.boolean(),
  checks: z.array(check),
  completeCert: z.array(z.string()),
  attachments: z.array(z.string()),
  applicantName: z.string(),
  submitTime: z.string().nullable(),
  checkDate: z.string().nullable(),
  officers: z.string().nullable(),
  audit: decision.nullable(),
  decided: decision.nullable(),
  /** Number of the 告知书; null until it is approved. */
  docCode: z.string().nullable(),
  /** 301 中止, 302 恢复, 303 终止. */
  docType: z.string(),
  prjStatus: z.string(),
  prjStatusName: z.string(),
  version: z.number().int(),
  /** In one sentence: whose turn it is, and since when. */
  waiting: z.string(),
  /** What approval changes, and what stands in its way. */
  effects: z.array(line),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  /** What the caller may do now. */
  actions: z.array(allowedAction),
  /** The caller may delete it. */
  removable: z.boolean(),
})
export type StopDetail = z.output<typeof stopDetail>

const path = '/api/v1/oa/process/stopapply'
const view = 'supervision.view'
const tabs = ['mine', 'running', 'closed'] as const

export const listStops = endpoint({
  method: 'GET',
  path,
  summary: '停复工申请列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(tabs).optional(),
    code: text(50).optional(),
    type: several.optional(),
    reasonType: several.optional(),
    applyCorp: text(50).optional(),
    stopDate: dayRange.optional(),
    planResumeDate: dayRange.optional(),
    stoppedDays: numericRange.optional(),
    state: several.optional(),
    waitDays: numericRange.optional(),
    /** Stops that hold today. */
    stopping: flag.optional(),
    /** Of these, past the planned day of resumption. */
    overdue: flag.optional(),
    /** Stops that ended this year. */
    resumed: flag.optional(),
    sort: sortBy('urgency', 'waitDays', 'stopDate', 'planResumeDate', 'stoppedDays'),
  }),
  response: paged(stopRow).extend({
    counts: z.object({
      mine: z.number().int(),
      stopping: z.number().int(),
      overdue: z.number().int(),
      resumed: z.number().int(),
    }),
  }),
})

export const stopList = listOf(listStops, {
  feature: 'stopapply',
  columns: {
    code: '编号',
    projectName: '项目',
    type: '申请类型',
    reasonType: '原因',
    applyCorp: '申请单位',
    stopDate: '停工日期',
    planResumeDate: '计划复工',
    stoppedDays: '已停天数',
    state: '状态',
    waitDays: '等待天数',
  },
})

export const getStop = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '停复工申请详情',
  needs: view,
  params: z.object({ id: ref('stopapply') }),
  query: ofProject,
  response: stopDetail,
})

const known = z.object({
  item: z.string(),
  /** What the platform knows about this group of conditions; null when it knows nothing. */
  fact: z.string().nullable(),
  ok: z.boolean().nullable(),
})

/** What the form starts from: the kinds the project's state allows, and what the platform knows of the site. */
export const stopStart = endpoint({
  method: 'GET',
  path: `${path}/start`,
  summary: '停复工申请的可选类型与平台已知情况',
  needs: view,
  answers: 'object',
  query: ofProject,
  response: z.object({
    projectCode: z.string(),
    projectName: z.string(),
    prjStatusName: z.string(),
    applyCorp: z.string().nullable(),
    /** Null: the caller's company may apply. Otherwise why not. */
    refusal: z.string().nullable(),
    types: z.array(z.object({ type: z.string(), name: z.string(), refusal: z.string().nullable() })),
    /** Stops that hold, the first one first. */
    stops: z.array(z.object({ id: z.string(), text: z.string(), noticeId: z.string().nullable(), planResumeDate: z.string().nullable() })),
    known: z.array(known),
    /** What stands in the way of ending the supervision. */
    open: z.array(line),
  }),
})
export type StopStart = NonNullable<(typeof stopStart)['types']>['out']

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createStop = endpoint({
  method: 'POST',
  path,
  summary: '新增停复工申请',
  needs: stopMoves.submit.needs,
  acts: 'site',
  query: ofProject,
  body: z.object({
    id: pointsTo('stopapply', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
    action: z.enum(['save', 'submit']),
    ...stopFields,
  }),
  response: z.object({ id: z.string(), code: z.string().nullable() }),
})

export const changeStop = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理停复工申请',
  description: '按 action 办理：save、submit、agree、reject、approve、arrange、saveCheck、pass、fail、withdraw；version 为读取时的版本。',
  needs: codesOfMoves(stopMoves),
  acts: 'own',
  actions: rightsOfMoves(stopMoves),
  params: z.object({ id: ref('stopapply') }),
  query: ofProject,
  body: moveBody(stopMoves, {}),
})

export const removeStop = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除停复工申请草稿',
  needs: stopMoves.submit.needs,
  acts: 'site',
  params: z.object({ id: ref('stopapply') }),
  query: ofProject,
})
