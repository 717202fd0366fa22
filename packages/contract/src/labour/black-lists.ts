import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, numericRange, ofProject, paged, pageQuery, pointsTo, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { mayHoldNumber } from '../kit/private-query.ts'
import { blackRow } from './black-model.ts'

const views = ['effective', 'todo', 'waiting', 'appeal', 'ended', 'own'] as const

export type BlackView = (typeof views)[number]

const query = pageQuery.extend({
  ...ofProject.shape,
  view: z.enum(views).optional(),
  reasonType: several.optional(),
  scope: several.optional(),
  status: several.optional(),
  source: pointsTo('project', text(64)).optional(),
  startDate: dayRange.optional(),
  endDate: dayRange.optional(),
  waitingDays: numericRange.optional(),
  /** Number of visible projects where the person or company currently is. */
  inPlace: numericRange.optional(),
  sort: sortBy('name', 'startDate', 'endDate', 'waitingDays', 'hits'),
})

export const listLaborBlack = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/laborBlack',
  summary: '工人黑名单',
  needs: 'labour.view',
  answers: 'list',
  query: query.extend({ q: mayHoldNumber(text(50).optional()) }),
  response: paged(blackRow),
})

export const laborBlackList = listOf(listLaborBlack, {
  feature: 'laborBlack',
  columns: {
    name: '姓名',
    idCardNumber: '证件号码',
    reasonType: '原因',
    scope: '范围',
    source: '来源项目',
    groupName: '提出单位',
    issuer: '认定单位',
    startDate: '列入日期',
    endDate: '移出日期',
    answerUntil: '申辩截止',
    status: '状态',
    waitingDays: '待办天数',
    hits: '拦截次数',
    lastHit: '最近拦截',
    inPlace: '在场项目',
  },
})

export const listCompanyBlack = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/companyBlack',
  summary: '企业黑名单',
  needs: 'labour.view',
  answers: 'list',
  query: query.extend({ q: text(50).optional(), corpCode: pointsTo('corporation', text(50)).optional() }),
  response: paged(blackRow),
})

export const companyBlackList = listOf(listCompanyBlack, {
  feature: 'companyBlack',
  columns: {
    name: '企业名称',
    corpCode: '统一社会信用代码',
    reasonType: '原因',
    docNo: '文号',
    decideOrg: '认定机关',
    scope: '范围',
    occurrenceDate: '认定日期',
    startDate: '列入日期',
    endDate: '移出日期',
    status: '状态',
    inPlace: '在场项目数',
    hits: '拦截次数',
  },
})

const figures = z.object({
  effective: z.number().int(),
  /** Entries that the caller's own group proposed and that have not ended. */
  own: z.number().int(),
  waiting: z.number().int(),
  oldestWaitingDays: z.number().int(),
  appealed: z.number().int(),
  ending: z.number().int(),
  /** In force, while the person or company is still at a project the caller sees. */
  inPlace: z.number().int(),
  hitsThisMonth: z.number().int(),
  byReason: z.array(z.object({ code: z.string(), name: z.string(), effective: z.number().int(), all: z.number().int() })),
  /** Entries recognised and ended in each of the last twelve months, oldest first. */
  byMonth: z.array(z.object({ month: z.string(), listed: z.number().int(), ended: z.number().int(), hits: z.number().int() })),
  byGroup: z.array(z.object({ name: z.string(), count: z.number().int() })),
})

export const laborBlackFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/laborBlack/figures',
  summary: '工人黑名单概况',
  needs: 'labour.view',
  query: ofProject,
  response: figures,
})

export const companyBlackFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/companyBlack/figures',
  summary: '企业黑名单概况',
  needs: 'labour.view',
  query: ofProject,
  response: figures,
})
