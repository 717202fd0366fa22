import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, nullable, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { placeShown, planPicture } from '../places/pins.ts'
import { noticeFields, rectifyMoves } from './moves.ts'
import { penaltyRow } from './penalty.ts'
import { replyCounts, replyFilters, replyRow, replyTabs } from './reply-model.ts'

/** The side that issued a notice: an authority, or the site, its company or its supervisor. */
export const rectifyOrigins = ['gov', 'site'] as const
export type RectifyOrigin = (typeof rectifyOrigins)[number]

export const rectifyRow = z.object({
  id: z.string(),
  /** Number of the paper, drawn when it is issued; null for a draft. */
  code: z.string().nullable(),
  origin: z.enum(rectifyOrigins),
  projectCode: z.string(),
  projectName: z.string(),
  noticeType: z.string(),
  noticeTypeName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  level: z.string(),
  levelName: z.string(),
  sourceType: z.string(),
  sourceTypeName: z.string(),
  /** The record it comes from: its kind (a process type or `alarm`) and id; null when it was written without one. */
  sourceKind: z.string().nullable(),
  sourceId: z.string().nullable(),
  /** The first problem. */
  summary: z.string(),
  /** Where its problems are, from the building down; empty where the site has no tree of places. */
  placeNames: z.array(z.string()),
  problemCount: z.number().int(),
  passedCount: z.number().int(),
  corpCode: z.string(),
  corpName: z.string(),
  responsiblePerson: z.string(),
  issuerName: z.string(),
  issuerGroupName: z.string(),
  checkDate: z.string(),
  deadline: z.string(),
  /** Days past the deadline; 0 when on time or finished. */
  overdueDays: z.number().int(),
  receiveTime: z.string().nullable(),
  /** Taken as received: not signed for within 24 hours. */
  deemed: z.boolean(),
  /** How often it was returned. */
  returns: z.number().int(),
  extendCount: z.number().int(),
  /** Some reply was written down by the authority from paper. */
  proxied: z.boolean(),
  issueTime: z.string().nullable(),
  closeTime: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type RectifyRow = z.output<typeof rectifyRow>

const answer = z.object({
  round: z.number().int(),
  measure: z.string(),
  photos: z.array(z.string()),
  /** What contradicts each photograph (taken too early, off the site, used elsewhere); null: nothing. */
  photoNotes: z.array(z.string().nullable()),
  doneDate: z.string().nullable(),
  person: z.string().nullable(),
  byName: z.string(),
  at: z.string(),
  /** Still being written: seen by the responsible side alone. */
  draft: z.boolean(),
  /** Verdicts: null while nobody has decided. */
  reviewPassed: z.boolean().nullable(),
  reviewOpinion: z.string().nullable(),
  recheckPassed: z.boolean().nullable(),
  recheckOpinion: z.string().nullable(),
})
const line = z.object({
  id: z.string(),
  seq: z.number().int(),
  description: z.string(),
  part: z.string(),
  ...placeShown,
  /** Other problems found at this place before, the newest first. */
  earlier: z.array(z.object({ id: z.string(), origin: z.enum(rectifyOrigins), text: z.string(), at: z.string(), stateName: z.string() })),
  clause: z.string().nullable(),
  requirement: z.string(),
  person: z.string().nullable(),
  /** That person has left the site: the problem needs another one. */
  personLeft: z.boolean(),
  photos: z.array(z.string()),
  photoNotes: z.array(z.string().nullable()),
  /** What the finder said of it. */
  voices: z.array(z.string()),
  /** `open`: to be answered; `answered`: waits for a verdict; `passed`: closed. */
  state: z.enum(['open', 'answered', 'passed']),
  answers: z.array(answer),
  /** What a company to which the problem was passed on has answered; seen by the side that has to answer. */
  fromBelow: z.object({ measure: z.string(), photos: z.array(z.string()), byName: z.string(), corpName: z.string() }).nullable(),
})
export type RectifyLine = z.output<typeof line>
const extension = z.object({
  id: z.string(),
  until: z.string(),
  reason: z.string(),
  byName: z.string(),
  at: z.string(),
  /** Null: undecided. */
  agreed: z.boolean().nullable(),
  opinion: z.string().nullable(),
  decidedBy: z.string().nullable(),
})

/** One round of reply: who sent it, and what 监理 and the issuer decided. */
const round = z.object({
  round: z.number().int(),
  at: z.string(),
  byName: z.string(),
  groupName: z.string(),
  opinion: z.string().nullable(),
  /** Written down by the authority from paper, with the reason and the scans. */
  onBehalf: z.boolean(),
  reason: z.string().nullable(),
  scans: z.array(z.string()),
  reviewSheet: z.array(z.string()),
  reviewPassed: z.boolean().nullable(),
  reviewBy: z.string().nullable(),
  reviewAt: z.string().nullable(),
  recheckPassed: z.boolean().nullable(),
  recheckBy: z.string().nullable(),
  second: z.string().nullable(),
  onSite: z.boolean().nullable(),
  recheckAt: z.string().nullable(),
})
export type RectifyRound = z.output<typeof round>

export const rectifyDetail = rectifyRow.extend({
  majorClause: z.string().nullable(),
  /** The record it comes from, with the path of its page. */
  source: z
    .object({
      title: z.string(),
      page: z.string(),
      /** Where the notice itself is handled, with what its record asks for; null: on the page of all notices. */
      handling: z.string().nullable(),
    })
    .nullable(),
  /** In one sentence: whose turn it is, and since when. */
  waiting: z.string(),
  /** Passed only after a visit to the site. */
  mustVisit: z.boolean(),
  lines: z.array(line),
  /** The plans on which problems lie. */
  plans: z.array(planPicture),
  rounds: z.array(round),
  extensions: z.array(extension),
  /** Notices by which problems were passed on to subcontractors. */
  passedOn: z.array(
    rectifyRow.pick({ id: true, code: true, corpName: true, state: true, stateName: true, deadline: true, overdueDays: true }),
  ),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  /** Proposals of a penalty; drafts are known to the authority alone. */
  penalties: z.array(penaltyRow),
  /** What the caller may do now. */
  actions: z.array(allowedAction),
})
export type RectifyDetail = z.output<typeof rectifyDetail>

export const rectifyViews = ['safety-management.view', 'inspection.view', 'supervision.view'] as const
export const noticeTabs = ['mine', 'running', 'closed', 'issued'] as const
const noticeSorts = ['deadline', 'overdueDays', 'checkDate', 'returns', 'issueTime'] as const
export const noticeFilters = {
  tab: z.enum(noticeTabs).optional(),
  code: text(50).optional(),
  summary: text(50).optional(),
  /** A problem is at the place, or at a place in it. */
  place: pointsTo('sitePlace', text(64)).optional(),
  noticeType: several.optional(),
  category: several.optional(),
  level: several.optional(),
  sourceType: several.optional(),
  sourceKind: text(32).optional(),
  sourceId: pointsTo('siteCheck', text(64)).optional(),
  state: several.optional(),
  corpName: text(50).optional(),
  responsiblePerson: text(50).optional(),
  issuerName: text(50).optional(),
  issuerGroupName: text(50).optional(),
  checkDate: dayRange.optional(),
  deadline: dayRange.optional(),
  overdue: flag.optional(),
  /** Overdue by more than a week. */
  late: flag.optional(),
  dueToday: flag.optional(),
  returns: numericRange.optional(),
  receiveTime: flag.optional(),
  sort: sortBy(...noticeSorts),
}
export const noticeCounts = z.object({
  mine: z.number().int(),
  running: z.number().int(),
  overdue: z.number().int(),
  /** Overdue by more than a week. */
  late: z.number().int(),
  dueToday: z.number().int(),
  unsigned: z.number().int(),
  toReply: z.number().int(),
  toReview: z.number().int(),
  stops: z.number().int(),
})

const scope = {
  projectCode: pointsTo('project', text(64)).optional(),
  origin: z.enum(rectifyOrigins).optional(),
}

/** Notices, or with `view=reply` the rounds of reply to notices of authorities. */
export const rectifyLists = endpoint({
  method: 'GET',
  path: '/api/v2/oa/se/rectify/list',
  summary: '整改列表',
  needs: rectifyViews,
  answers: 'list',
  query: pageQuery.extend({
    ...scope,
    ...noticeFilters,
    ...replyFilters,
    view: z.literal('reply').optional(),
    tab: z.enum([...noticeTabs, ...replyTabs]).optional(),
    sort: sortBy(...noticeSorts, 'replyTime', 'waitDays', 'round'),
  }),
  response: paged(z.union([rectifyRow, replyRow])).extend({ counts: z.union([noticeCounts, replyCounts]) }),
})

export const listRectify = viewOf(rectifyLists, {
  query: pageQuery.extend({ ...scope, ...noticeFilters }),
  response: paged(rectifyRow).extend({ counts: noticeCounts }),
})

export const rectifyList = listOf(listRectify, {
  feature: 'rectify',
  columns: {
    code: '通知编号',
    projectName: '项目',
    noticeType: '通知类型',
    category: '类别',
    level: '等级',
    sourceType: '来源',
    summary: '问题',
    placeNames: '位置',
    problemCount: '闭合',
    corpName: '责任单位',
    responsiblePerson: '责任人',
    issuerGroupName: '下发机构',
    issuerName: '下发人',
    checkDate: '检查日期',
    receiveTime: '签收',
    deadline: '期限',
    overdueDays: '逾期天数',
    returns: '退回',
    extendCount: '延期',
    state: '状态',
  },
})

export const getRectify = endpoint({
  method: 'GET',
  path: '/api/v2/oa/se/rectify/:id',
  summary: '整改详情',
  needs: rectifyViews,
  params: z.object({ id: ref('rectify') }),
  response: rectifyDetail,
})

/** Companies of the project that can be ordered, and their people on site. */
export const rectifyPeople = endpoint({
  method: 'GET',
  path: '/api/v2/oa/se/rectify/people',
  summary: '整改责任单位与责任人',
  needs: rectifyViews,
  answers: 'object',
  query: z.object({ projectCode: pointsTo('project', text(64)) }),
  response: z.object({
    corps: z.array(z.object({ code: z.string(), name: z.string(), part: z.string(), people: z.array(z.string()) })),
  }),
})

export const newNotice = {
  id: pointsTo('rectify', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
  action: z.enum(['save', 'issue']),
  sourceKind: nullable(text(32, '来源记录类型')),
  sourceId: nullable(pointsTo('siteCheck', text(64, '来源记录'))),
  ...noticeFields,
}
export const madeNotice = z.object({ id: z.string(), code: z.string().nullable() })

/** Creates a draft, or issues at once. The device names the id, so that a repeated request creates nothing more. */
export const createRectify = endpoint({
  method: 'POST',
  path: '/api/v2/oa/se/rectify',
  summary: '新增整改',
  needs: rectifyMoves.issue.needs,
  acts: 'review',
  body: z.object({ projectCode: ref('project'), ...newNotice }),
  response: madeNotice,
})

export const changeRectify = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/se/rectify',
  summary: '修改整改',
  description: '按 action 办理：save、issue、sign、start、reply、jlPass、recheckPass 等；version 为读取时的版本。',
  needs: codesOfMoves(rectifyMoves),
  acts: 'own',
  actions: rightsOfMoves(rectifyMoves),
  body: moveBody(rectifyMoves, { id: ref('rectify') }),
})

/** How a site handles its own orders. */
export const rectifySetting = z.object({
  projectCode: z.string(),
  /** 监理 closes ordinary hazards of site orders with its review; without it the issuer rechecks. */
  supervisorCloses: z.boolean(),
  /** Null: never changed. */
  changedBy: z.string().nullable(),
  changedAt: z.string().nullable(),
  version: z.number().int(),
})
export const getRectifySetting = endpoint({
  method: 'GET',
  path: '/api/v2/oa/se/rectify/setting',
  summary: '整改设置',
  needs: rectifyViews,
  answers: 'object',
  query: z.object({ projectCode: ref('project') }),
  response: rectifySetting,
})
export const changeRectifySetting = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/se/rectify/setting',
  summary: '修改整改设置',
  needs: 'inspection.rectifyClose',
  acts: 'site',
  body: z.object({ projectCode: ref('project'), supervisorCloses: z.boolean(), version: z.number().int() }),
})
