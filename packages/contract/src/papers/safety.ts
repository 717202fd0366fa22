import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, month, nullable, ofProject, paged, pageQuery, pointsTo, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { type DutySource, type DutyState, dutyCodes, dutySources, dutyStates } from './duties.ts'
import { paperFiles } from './moves.ts'

const path = '/api/v1/oa/process/document/safety'
const view = 'documents.view'
const upload = 'documents.upload'
/** The site and the companies that run it keep its papers; an authority reads them. */
const keeps = { needs: upload, groupTypes: [2, 3] } as const
const source = z.enum(Object.keys(dutySources) as [DutySource, ...DutySource[]], { error: '请选择记录' })
const state = z.enum(Object.keys(dutyStates) as [DutyState, ...DutyState[]])
const file = z.object({ url: z.string(), name: z.string() })

export const dutyRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  duty: z.string(),
  period: z.string(),
  group: z.string(),
  groupName: z.string(),
  item: z.string(),
  rhythm: z.string(),
  rhythmName: z.string(),
  due: z.string(),
  /** Whole days from today; negative: past. */
  left: z.number().int(),
  state,
  stateName: z.string(),
  source,
  sourceName: z.string(),
  /** The record that filed itself, or its list. */
  link: z.string().nullable(),
  filedBy: z.string().nullable(),
  filedAt: z.string().nullable(),
  late: z.boolean(),
  files: z.array(file),
  /** The uploaded paper or link, while the caller may take it back. */
  paperId: z.string().nullable(),
  reason: z.string().nullable(),
  /** An obligation rather than a paper that ends. */
  owed: z.boolean(),
})
export type DutyRow = z.output<typeof dutyRow>

const tab = z.enum(['owed', 'filed', 'overdue', 'soon'])
const counts = z.object({
  owed: z.number().int(),
  filed: z.number().int(),
  /** Percent with one decimal; null while nothing is owed. */
  rate: z.number().nullable(),
  overdue: z.number().int(),
  soon: z.number().int(),
})
export type DutyCounts = z.output<typeof counts>

/** The obligations of one project. */
export const listSafety = endpoint({
  method: 'GET',
  path,
  summary: '安全资料',
  description: '一个项目的应归资料；month 决定 days 的月份，不填为近 31 日。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: tab.optional(),
    group: several.optional(),
    item: text(50).optional(),
    rhythm: several.optional(),
    due: dayRange.optional(),
    state: z.enum(Object.keys(dutyStates) as [DutyState, ...DutyState[]]).optional(),
    source: several.optional(),
    month: month.optional(),
    sort: sortBy('due', 'group'),
  }),
  response: paged(dutyRow).extend({
    counts,
    days: z.array(z.object({ day: z.string(), owed: z.number().int(), filed: z.number().int() })),
    since: z.string(),
    sinceReason: z.string().nullable(),
    /** The caller is the manager of this site. */
    manages: z.boolean(),
  }),
})

export const safetyList = listOf(listSafety, {
  feature: 'documentSafety',
  columns: {
    group: '类别',
    item: '资料',
    rhythm: '频次',
    due: '应归日期',
    left: '剩余天数',
    state: '状态',
    source: '来源',
    filedBy: '归档人',
    filedAt: '归档时间',
    reason: '说明',
  },
})

const duty = z.enum(dutyCodes, { error: '请选择资料' })
const key = { duty, period: filled(64, '期次') }

export const createSafetyPaper = endpoint({
  method: 'POST',
  path,
  summary: '上传安全资料',
  ...keeps,
  query: ofProject,
  body: z.object({
    ...key,
    name: filled(100, '资料名称'),
    files: paperFiles,
    /** The last valid day of a paper that ends. */
    validEnd: nullable(day),
  }),
  response: z.object({ id: z.string() }),
})

export const mostLinked = 50
/** One record that stands for several obligations. */
export const linkSafetyRecord = endpoint({
  method: 'POST',
  path: `${path}/link`,
  summary: '关联安全记录',
  ...keeps,
  query: ofProject,
  body: z.object({
    items: z.array(z.object(key)).min(1, '请选择应归资料').max(mostLinked, `一次最多 ${mostLinked} 项`),
    source,
    refId: filled(64, '记录'),
  }),
  response: z.object({ linked: z.number().int() }),
})

export const listSafetyRecords = endpoint({
  method: 'GET',
  path: `${path}/records`,
  summary: '可关联的安全记录',
  needs: upload,
  answers: 'list',
  query: ofProject.extend({ keyword: text(50).optional() }),
  response: paged(z.object({ source, sourceName: z.string(), id: z.string(), name: z.string(), date: z.string() })),
})

/** Only the manager of the site: a company or an authority does not. */
const manages = { needs: 'safety-management.review', groupTypes: [3] } as const

export const exemptDuty = endpoint({
  method: 'PUT',
  path: `${path}/exempt`,
  summary: '免除应归资料',
  ...manages,
  query: ofProject,
  body: z.object({ ...key, exempt: z.boolean(), reason: text(200, '原因').min(5, '原因至少 5 个字') }),
})

/** From which day obligations are counted: earlier papers are on paper. */
export const setSafetySince = endpoint({
  method: 'PUT',
  path: `${path}/since`,
  summary: '设置资料起算日',
  ...manages,
  query: ofProject,
  body: z.object({ since: day, reason: text(200, '原因').min(5, '原因至少 5 个字') }),
})

export const monthPrint = z.object({ projectCode: pointsTo('project', filled(64, '项目')), month })
