import { z } from 'zod'
import { checkProblem } from '../checks/problems.ts'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { inspectionDetail } from '../scoring/inspections.ts'
import { grades } from '../scoring/score.ts'
import { checkSources, dayCheckMoves, dayTaskFields } from './moves.ts'

const path = '/api/v1/oa/process/daycheck'
const view = 'supervision.view'
const assigns = dayCheckMoves.assign.needs

export const dayCheckRow = z.object({
  id: z.string(),
  /** Drawn when it is submitted. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  /** Of the site. */
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  inspectType: z.string(),
  inspectTypeName: z.string(),
  discipline: z.array(z.string()),
  disciplineNames: z.array(z.string()),
  /** yyyy-MM-dd. */
  plannedDate: z.string(),
  /** Check-in; the planned day before. */
  checkTime: z.string(),
  checkers: z.array(z.string()),
  checkerGroupName: z.string(),
  progress: z.string().nullable(),
  progressName: z.string().nullable(),
  unitCount: z.number().int(),
  doneCount: z.number().int(),
  score: z.number().nullable(),
  grade: z.enum(grades).nullable(),
  gradeName: z.string().nullable(),
  conclusion: z.string().nullable(),
  conclusionName: z.string().nullable(),
  /** Notices of it that are not closed, and all. */
  openRectify: z.number().int(),
  allRectify: z.number().int(),
  /** Notices of any source that are open on the site. */
  siteRectify: z.number().int(),
  locationAbnormal: z.boolean(),
  /** Planned for a day before today and not begun. */
  overdue: z.boolean(),
  /** Begun long ago and not submitted. */
  stale: z.boolean(),
  /** The caller is one of its officers. */
  mine: z.boolean(),
  surprise: z.boolean(),
  planId: z.string().nullable(),
  campaignId: z.string().nullable(),
  campaignGroup: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type DayCheckRow = z.output<typeof dayCheckRow>

const filters = {
  tab: z.enum(['mine', 'today', 'running', 'open']).optional(),
  code: text(50).optional(),
  inspectType: several.optional(),
  discipline: several.optional(),
  checkDate: dayRange.optional(),
  checkers: text(50).optional(),
  progress: several.optional(),
  score: numericRange.optional(),
  grade: several.optional(),
  conclusion: several.optional(),
  locationAbnormal: flag.optional(),
  state: several.optional(),
  planId: pointsTo('checkplan', z.string().max(64)).optional(),
  campaignId: pointsTo('daycheck', text(64)).optional(),
}

export const listDayChecks = endpoint({
  method: 'GET',
  path,
  summary: '日常检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, ...filters, sort: sortBy('urgency', 'checkDate', 'score', 'openRectify') }),
  response: paged(dayCheckRow).extend({
    counts: z.object({
      /** Planned for today or before and not submitted. */
      today: z.number().int(),
      running: z.number().int(),
      open: z.number().int(),
      /** Mean score of the checks submitted this month; null without one. */
      monthScore: z.number().nullable(),
    }),
  }),
})

export const dayCheckList = listOf(listDayChecks, {
  feature: 'daycheck',
  columns: {
    code: '编号',
    projectName: '项目',
    inspectType: '检查类型',
    discipline: '专业',
    checkDate: '检查时间',
    checkers: '检查人员',
    progress: '形象进度',
    unitCount: '单体',
    score: '得分',
    grade: '评定等级',
    conclusion: '结论',
    openRectify: '整改',
    locationAbnormal: '签到异常',
    state: '状态',
  },
})

const unit = z.object({
  id: z.string(),
  seq: z.number().int(),
  unitId: z.string().nullable(),
  name: z.string(),
  part: z.string().nullable(),
  structureTypeName: z.string().nullable(),
  height: z.number().nullable(),
  floorsUp: z.number().nullable(),
  phaseName: z.string().nullable(),
  /** Items judged, and all that apply. */
  judged: z.number().int(),
  items: z.number().int(),
  wrong: z.number().int(),
  done: z.boolean(),
  doneBy: z.string().nullable(),
  savedBy: z.string().nullable(),
  savedAt: z.string().nullable(),
  version: z.number().int(),
  sheets: z.array(inspectionDetail.shape.sheets.element),
})
export type DayCheckUnit = z.output<typeof unit>

/** What was found at an item in the last visit before. */
const lastFinding = z.object({
  itemCode: z.string(),
  unitName: z.string(),
  note: z.string().nullable(),
  deduction: z.number(),
  photos: z.array(z.string()),
  day: z.string(),
})
export type LastFinding = z.output<typeof lastFinding>

const presence = z.object({
  post: z.string(),
  postName: z.string(),
  name: z.string().nullable(),
  state: z.enum(['in', 'out', 'never', 'vacant']),
  at: z.string().nullable(),
})
export type DayCheckPresence = z.output<typeof presence>

const notice = z.object({
  id: z.string(),
  code: z.string().nullable(),
  noticeTypeName: z.string(),
  corpName: z.string(),
  deadline: z.string(),
  state: z.string(),
  stateName: z.string(),
  issueTime: z.string().nullable(),
  replyTime: z.string().nullable(),
  closeTime: z.string().nullable(),
  returns: z.number().int(),
})
export type DayCheckNotice = z.output<typeof notice>

export const dayCheckDetail = dayCheckRow.extend({
  checkerIds: z.array(z.string()),
  template: z.array(z.string()).nullable(),
  visitId: z.string().nullable(),
  source: z.object({ kind: z.string(), id: z.string() }).nullable(),
  checkIn: z
    .object({
      at: z.string(),
      byName: z.string(),
      lng: z.number().nullable(),
      lat: z.number().nullable(),
      outsideM: z.number().int().nullable(),
      abnormalReason: z.string().nullable(),
      photos: z.array(z.string()),
      /** Minutes from check-in to submission; null before. */
      stayMinutes: z.number().int().nullable(),
    })
    .nullable(),
  presence: z.array(presence),
  units: z.array(unit),
  categories: inspectionDetail.shape.categories,
  /** Why it has this grade; as it stands while it is running. */
  reason: z.string(),
  /** Mean score of submitted checks in the district this year; null without one. */
  districtMean: z.number().nullable(),
  previous: z.object({ id: z.string(), checkTime: z.string(), score: z.number().nullable() }).nullable(),
  lastFindings: z.array(lastFinding),
  summary: z.string().nullable(),
  problems: z.array(checkProblem),
  notices: z.array(notice),
  /** Codes of the sheets that the caller may write now; null: all of them. In a campaign each discipline writes its own. */
  writable: z.array(z.string()).nullable(),
  disciplinesDone: z.array(z.object({ discipline: z.string(), byName: z.string(), at: z.string() })),
  submitTime: z.string().nullable(),
  remark: z.object({ text: z.string(), byName: z.string(), at: z.string() }).nullable(),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type DayCheckDetail = z.output<typeof dayCheckDetail>

export const getDayCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '日常检查详情',
  needs: view,
  params: z.object({ id: ref('daycheck') }),
  query: ofProject,
  response: dayCheckDetail,
})

/** What a task starts from: officers of the caller's institution, sheets that fit the site, and what is known of it. */
export const dayCheckStart = endpoint({
  method: 'GET',
  path: `${path}/start`,
  summary: '日常检查的检查人员、建议检查表与项目已知情况',
  needs: [assigns, ...dayCheckMoves.checkIn.needs],
  answers: 'object',
  query: ofProject.extend({ discipline: several.optional() }),
  response: z.object({
    projectCode: z.string(),
    projectName: z.string(),
    officers: z.array(z.object({ id: z.string(), name: z.string() })),
    sheets: z.array(
      z.object({ code: z.string(), name: z.string(), whole: z.boolean(), proposed: z.boolean(), why: z.string().nullable() }),
    ),
    units: z.array(z.object({ id: z.string(), name: z.string(), phaseName: z.string().nullable() })),
    facts: z.array(z.object({ label: z.string(), value: z.string(), link: z.string().nullable(), level: z.enum(['info', 'warn']) })),
  }),
})
export type DayCheckStart = NonNullable<(typeof dayCheckStart)['types']>['out']

/** Plans a check. The device names the id, so that a repeated request creates nothing more. */
export const createDayCheck = endpoint({
  method: 'POST',
  path,
  summary: '安排日常检查',
  needs: assigns,
  groupTypes: [1],
  query: ofProject,
  body: z.object({
    id: pointsTo('daycheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
    ...dayTaskFields,
    planId: ref('checkplan').nullish(),
    visitId: ref('checkplanVisit').nullish(),
    /** The record that asks for it: a complaint, a notice, an application to resume. */
    sourceKind: z.enum(checkSources, { error: '来源不正确' }).optional(),
    sourceId: pointsTo('siteCheck', text(64, '来源')).optional(),
    surprise: z.boolean().default(false),
  }),
  response: z.object({ id: z.string() }),
})

export const changeDayCheck = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理日常检查',
  description:
    '按 action 办理：assign、cancel、checkIn、addUnit、save、saveUnit、submitDiscipline、submit、remark；version 为读取时的版本，saveUnit 为该单体的版本；actKey 由设备生成，重复提交只办一次。',
  needs: codesOfMoves(dayCheckMoves),
  acts: 'site',
  actions: rightsOfMoves(dayCheckMoves),
  largeBody: '提交时带多个手写签名',
  params: z.object({ id: ref('daycheck') }),
  query: ofProject,
  body: moveBody(dayCheckMoves, {}),
})

export const removeDayCheckUnit = endpoint({
  method: 'DELETE',
  path: `${path}/task/:taskId`,
  summary: '移出受检单体',
  needs: dayCheckMoves.addUnit.needs,
  groupTypes: [1],
  params: z.object({ taskId: ref('daycheckUnit') }),
  query: ofProject,
})

/** Checks of one week by officer, for the calendar. */
export const dayCheckWeek = endpoint({
  method: 'GET',
  path: `${path}/week`,
  summary: '一周检查日历',
  needs: view,
  groupTypes: [0, 1],
  answers: 'object',
  query: ofProject.extend({ monday: day }),
  response: z.object({ checks: z.array(dayCheckRow) }),
})
