import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, nullable, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'
import { half } from './draws.ts'
import { activityMoves, destination, reportDays, tripMoves } from './moves.ts'

const path = '/api/v1/oa/process/expertActivity'
const views = 'experts.view'

export const activityRow = z.object({
  id: z.string(),
  code: z.string(),
  date: z.string(),
  half,
  activityType: z.string(),
  typeName: z.string(),
  title: z.string(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  place: z.string(),
  drawId: z.string().nullable(),
  drawCode: z.string().nullable(),
  experts: z.number().int(),
  signed: z.number().int(),
  resultName: z.string().nullable(),
  /** A report is filed. */
  hasReport: z.boolean(),
  /** Experts who came and were scored. */
  scored: z.number().int(),
  organiserName: z.string(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type ActivityRow = z.output<typeof activityRow>

const counts = z.object({
  coming: z.number().int(),
  week: z.number().int(),
  unfiled: z.number().int(),
  done: z.number().int(),
})

export const listActivities = endpoint({
  method: 'GET',
  path,
  summary: '专家日常活动列表',
  needs: views,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    date: dayRange.optional(),
    activityType: several.optional(),
    title: text(50).optional(),
    projectName: text(50).optional(),
    hasReport: flag.optional(),
    state: several.optional(),
    sort: sortBy('date', 'code'),
  }),
  response: paged(activityRow).extend({ counts }),
})

export const activityList = listOf(listActivities, {
  feature: 'expertActivity',
  columns: {
    code: '编号',
    date: '日期',
    activityType: '类型',
    title: '名称',
    projectName: '项目',
    place: '地点',
    drawCode: '抽取编号',
    signed: '签到',
    resultName: '结论',
    hasReport: '报告',
    scored: '已评价',
    organiserName: '组织单位',
    state: '状态',
  },
})

const seat = z.object({
  id: z.string(),
  expertId: z.string(),
  name: z.string(),
  workUnit: z.string(),
  role: z.string(),
  signTime: z.string().nullable(),
  /** Cents; null for others than the organiser. */
  feeCents: z.number().int().nullable(),
  total: z.number().nullable(),
})
export type ActivitySeat = z.output<typeof seat>

export const activityDetail = activityRow.extend({
  content: z.string(),
  overScale: z.boolean(),
  noDrawReason: z.string().nullable(),
  conclusion: z.string().nullable(),
  report: z.string().nullable(),
  /** The caller's group organises it. */
  own: z.boolean(),
  /** Null while the caller may not see the names. */
  seats: z.array(seat).nullable(),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type ActivityDetail = z.output<typeof activityDetail>

export const getActivity = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '专家活动详情',
  needs: views,
  params: z.object({ id: ref('expertActivity') }),
  query: ofProject,
  response: activityDetail,
})

export const createActivity = endpoint({
  method: 'POST',
  path,
  summary: '新建专家活动',
  needs: 'experts.activity',
  acts: 'site',
  query: ofProject,
  body: z.object({
    /** A draw whose experts have accepted; then type, date and experts come from it. */
    drawId: nullable(ref('expertDraw')),
    noDrawReason: nullable(text(200, '未抽取原因')),
    activityType: dict('expertActivityType', '活动类型'),
    title: filled(100, '活动名称'),
    date: day,
    half,
    place: filled(100, '地点'),
    content: filled(1000, '内容').min(5, '内容至少 5 个字'),
    overScale: z.boolean().default(false),
    experts: z
      .array(z.object({ expert: ref('expert'), role: z.enum(['组长', '成员'], { error: '请选择角色' }).default('成员') }))
      .max(30, '专家最多 30 名')
      .default([]),
  }),
  response: z.object({ id: z.string() }),
})

export const changeActivity = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理专家活动',
  description: '按 action 办理：signIn、conclude、pay、finish、cancel；version 为读取时的版本。',
  needs: codesOfMoves(activityMoves),
  acts: 'aside',
  actions: rightsOfMoves(activityMoves),
  params: z.object({ id: ref('expertActivity') }),
  query: ofProject,
  body: moveBody(activityMoves, {}),
})

export const tripRow = z.object({
  id: z.string(),
  expertId: z.string(),
  expertName: z.string(),
  activityType: z.string(),
  typeName: z.string(),
  inviter: z.string(),
  destination: z.string(),
  destinationName: z.string(),
  content: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  days: z.number().int(),
  payer: z.string(),
  payerName: z.string(),
  report: z.string().nullable(),
  photos: z.array(z.string()),
  /** No report within ten days after the end. */
  reportLate: z.boolean(),
  opinion: z.string().nullable(),
  createBy: z.string(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
  actions: z.array(allowedAction),
})
export type TripRow = z.output<typeof tripRow>

export const listTrips = endpoint({
  method: 'GET',
  path: `${path}/out`,
  summary: '专家外出活动列表',
  needs: views,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    expertName: text(50).optional(),
    activityType: several.optional(),
    inviter: text(50).optional(),
    destination: several.optional(),
    startDate: dayRange.optional(),
    payer: several.optional(),
    /** Whether the report is there. */
    report: flag.optional(),
    /** The report is missing for more than ten days. */
    late: flag.optional(),
    state: several.optional(),
    sort: sortBy('startDate', 'days'),
  }),
  response: paged(tripRow).extend({
    counts: z.object({ waiting: z.number().int(), away: z.number().int(), late: z.number().int() }),
  }),
})

export const tripList = listOf(listTrips, {
  feature: 'expertTrip',
  columns: {
    expertName: '专家',
    activityType: '类型',
    inviter: '邀请/派遣单位',
    destination: '目的地',
    startDate: '起',
    endDate: '止',
    days: '天数',
    payer: '费用承担',
    report: '活动报告',
    state: '状态',
  },
})

export const createTrip = endpoint({
  method: 'POST',
  path: `${path}/out`,
  summary: '报备外出活动',
  description: `结束后 ${reportDays} 日内提交活动报告。`,
  needs: 'experts.activity',
  acts: 'aside',
  query: ofProject,
  body: z.object({
    expert: ref('expert'),
    activityType: dict('expertActivityType', '活动类型'),
    inviter: filled(100, '邀请/派遣单位'),
    destination,
    startDate: day,
    endDate: day,
    payer: z.enum(['1', '2', '3'], { error: '请选择费用承担' }),
    content: filled(1000, '内容').min(5, '内容至少 5 个字'),
  }),
  response: z.object({ id: z.string() }),
})

export const changeTrip = endpoint({
  method: 'PUT',
  path: `${path}/out/:id`,
  summary: '办理外出活动',
  description: '按 action 办理：pass、reject、extend、back、cancel；version 为读取时的版本。',
  needs: codesOfMoves(tripMoves),
  acts: 'aside',
  actions: rightsOfMoves(tripMoves),
  params: z.object({ id: ref('expertTrip') }),
  query: ofProject,
  body: moveBody(tripMoves, {}),
})
