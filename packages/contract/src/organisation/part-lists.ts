import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Projects of a company with its figures there; and projects in the scope of a government, with the rule that includes each. */

export const ofCompany = z.object({
  id: z.string(),
  projectCode: z.string(),
  name: z.string(),
  corpType: z.string(),
  corpTypeName: z.string().nullable(),
  parentCorpName: z.string().nullable(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  prjStatus: z.string(),
  prjStatusName: z.string().nullable(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  /** 万元 */
  contractAmount: z.number().nullable(),
  ownPeople: z.number().int(),
  /** Percentage of expected people who came in the last seven days; null if nobody was expected. */
  attendanceRate: z.number().nullable(),
})
export const companyProjects = endpoint({
  method: 'GET',
  path: '/api/v1/oa/corporation/setting/projects',
  summary: '企业参建项目',
  needs: 'corporation.view',
  answers: 'list',
  query: pageQuery.extend({
    corpCode: pointsTo('corporation', text(64)).optional(),
    name: text(50).optional(),
    corpType: several.optional(),
    areaCode: several.optional(),
    prjStatus: several.optional(),
    entryTime: dayRange.optional(),
    contractAmount: numericRange.optional(),
    ownPeople: numericRange.optional(),
    sort: sortBy('running', 'name', 'entryTime', 'exitTime', 'contractAmount', 'ownPeople', 'attendanceRate'),
  }),
  response: paged(ofCompany).extend({
    figures: z.object({ building: z.number().int(), people: z.number().int(), left: z.number().int() }),
  }),
})
export const companyProjectList = listOf(companyProjects, {
  feature: 'companyProject',
  columns: {
    name: '项目',
    corpType: '参建角色',
    parentCorpName: '发包单位',
    areaCode: '所在地',
    prjStatus: '状态',
    entryTime: '进场',
    exitTime: '退场',
    contractAmount: '合同（万元）',
    ownPeople: '本企业在场',
    attendanceRate: '本企业出勤率（%）',
  },
})

export const scopeSources = { auto: '区划自动', added: '手工增加', removed: '手工移出', above: '上级指派' } as const
const ofBody = z.object({
  projectCode: z.string(),
  name: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  prjStatus: z.string(),
  prjStatusName: z.string().nullable(),
  source: z.string(),
  sourceName: z.string(),
  superviseOrgName: z.string().nullable(),
  superviseNo: z.string().nullable(),
  /** Also in the scope of another government, to which it was added manually. */
  otherGov: z.string().nullable(),
  since: z.string().nullable(),
  reason: z.string().nullable(),
})
export type BodyProject = z.infer<typeof ofBody>
export const bodyProjects = endpoint({
  method: 'GET',
  path: '/api/v1/oa/government/setting/projects',
  summary: '机构管辖项目',
  needs: 'government.view',
  groupTypes: [0, 1],
  answers: 'list',
  query: pageQuery.extend({
    govCode: pointsTo('government', text(64)).optional(),
    name: text(50).optional(),
    areaCode: several.optional(),
    prjStatus: several.optional(),
    source: several.optional(),
    sort: sortBy('name', 'areaCode', 'prjStatus', 'source', 'since'),
  }),
  response: paged(ofBody).extend({
    /** The platform may add projects to a government's scope beyond its area. */
    mayChange: z.boolean(),
    figures: z.object({ reach: z.number().int(), byHand: z.number().int(), shared: z.number().int(), unnumbered: z.number().int() }),
  }),
})
export const bodyProjectList = listOf(bodyProjects, {
  feature: 'bodyProject',
  columns: {
    name: '项目',
    areaCode: '所在地',
    prjStatus: '状态',
    source: '来源',
    superviseOrgName: '监督机构',
    superviseNo: '监督登记号',
    otherGov: '其他监管机构',
    since: '纳入时间',
    reason: '原因',
  },
})
/** For the platform: adds a project, removes one, or restores the default by area. */
export const changeBodyScope = endpoint({
  method: 'POST',
  path: '/api/v1/oa/government/setting/scope',
  summary: '调整机构管辖项目',
  needs: 'government.edit',
  acts: 'aside',
  groupTypes: [0],
  body: z.object({
    govCode: ref('government'),
    projectCode: ref('project'),
    action: z.enum(['add', 'remove', 'restore'], { error: '请选择增加、移出或恢复' }),
    reason: filled(200, '原因').min(2, '原因至少 2 个字'),
  }),
})
