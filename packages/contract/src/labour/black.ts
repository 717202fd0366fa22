import { z } from 'zod'
import { checkIdNumber, checkName } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  checked,
  day,
  dayRange,
  filled,
  instant,
  nullable,
  numericRange,
  ofProject,
  paged,
  pageQuery,
  pointsTo,
  ref,
  several,
  text,
} from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { mayHoldNumber } from '../kit/private-query.ts'
import { area, dict } from '../settings/dict-field.ts'
import { blackMoves, blackScopes, longestYears } from './black-codes.ts'
import { across, fileLinks, fileRefs, whileIncomplete } from './model.ts'

/**
 * A black list keeps people out of sites and companies out of projects. An entry is proposed with facts, the one concerned is told and may
 * answer, somebody else decides, and it ends by itself, by repair or by an appeal. Whoever it holds for learns reason, days and issuer; the
 * story is for those who proposed, decide, or run the site it comes from.
 */

/** The project of scope 1, the area of scope 3. A company's own scope is the group's. */
const reachFields = { scopeProject: ref('project').nullish(), scopeArea: area('地区').nullish() }
const entryFields = {
  reason: filled(500, '说明').min(10, '说明至少 10 个字'),
  occurrenceDate: day,
  scope: dict('blacklistScope', '范围'),
  ...reachFields,
  sourceProject: ref('project').nullish(),
  startDate: day,
  endDate: day,
  files: fileRefs('依据材料').min(1, '请上传依据材料'),
}
/** The last day an entry may be given. */
export const latestEnd = (startDate: string): string => `${Number(startDate.slice(0, 4)) + longestYears}${startDate.slice(4)}`
function entryRules(
  b: {
    startDate: string
    endDate: string
    occurrenceDate: string
    scope: string
    scopeProject?: string | null | undefined
    scopeArea?: string | null | undefined
  },
  context: z.RefinementCtx,
) {
  const wrong = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (b.startDate && b.endDate && b.endDate <= b.startDate) wrong('endDate', '移出日期应晚于列入日期')
  if (b.startDate && b.endDate && b.endDate > latestEnd(b.startDate)) wrong('endDate', `最长 ${longestYears} 年`)
  if (b.startDate && b.occurrenceDate > b.startDate) wrong('occurrenceDate', '发生日期不能晚于列入日期')
  if (b.scope === blackScopes.project && !b.scopeProject) wrong('scopeProject', '请选择项目')
  if (b.scope === blackScopes.area && !b.scopeArea) wrong('scopeArea', '请选择地区')
}

const personFields = {
  idCardType: dict('idCardType', '证件类型').default('01'),
  name: checked(filled(50, '姓名'), checkName),
  reasonType: dict('blacklistReason', '原因'),
  notifiedTime: instant,
  ...entryFields,
}
function personRules(b: Parameters<typeof entryRules>[0] & { idCardType: string; idCardNumber?: string | null }, context: z.RefinementCtx) {
  entryRules(b, context)
  const problem = b.idCardNumber ? checkIdNumber(b.idCardType ?? '01', b.idCardNumber) : undefined
  if (problem) context.addIssue({ code: 'custom', path: ['idCardNumber'], message: problem })
}
export const laborBlackBody = z
  .object({ ...personFields, idCardNumber: filled(30, '证件号码') })
  .superRefine(across(personRules), whileIncomplete)
/** The number left out stays as it is: it is shown masked only. */
const laborBlackEdit = z
  .object({ ...personFields, idCardNumber: nullable(text(30, '证件号码')), version: z.number().int() })
  .superRefine(across(personRules), whileIncomplete)
const companyFields = {
  corpCode: ref('corporation'),
  reasonType: dict('corpBlacklistReason', '原因'),
  docNo: filled(100, '处罚或裁判文号'),
  decideOrg: filled(100, '认定机关'),
  ...entryFields,
}
export const companyBlackBody = z.object(companyFields).superRefine(across(entryRules), whileIncomplete)
const companyBlackEdit = z.object({ ...companyFields, version: z.number().int() }).superRefine(across(entryRules), whileIncomplete)

export const blackRow = z.object({
  id: z.string(),
  /** 姓名 or 企业名称; a person's masked where the story is not the caller's. */
  name: z.string(),
  idCardNumber: z.string().nullable(),
  corpCode: z.string().nullable(),
  docNo: z.string().nullable(),
  decideOrg: z.string().nullable(),
  reasonType: z.string(),
  reasonTypeName: z.string().nullable(),
  scope: z.string(),
  scopeName: z.string(),
  scopeCode: z.string(),
  sourceProject: z.string().nullable(),
  sourceProjectName: z.string().nullable(),
  /** Who proposed it, and who recognised it. */
  groupName: z.string(),
  issuer: z.string().nullable(),
  occurrenceDate: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  notifiedTime: z.string().nullable(),
  /** Until when the person may answer; nothing is decided before. */
  answerUntil: z.string().nullable(),
  status: z.string(),
  statusName: z.string().nullable(),
  /** Keeps people or companies out today. */
  effective: z.boolean(),
  /** Refused entries and passages at gates since it was recognised. */
  hits: z.number().int(),
  lastHit: z.string().nullable(),
  /** Projects where the person or company is in place, as far as the caller sees them. */
  inPlace: z.number().int(),
  /** Working days are not counted: full days since it came to its present state. */
  waitingDays: z.number().int(),
  /** The caller sees the whole of it. */
  full: z.boolean(),
  /** The caller's group proposed it. */
  own: z.boolean(),
  version: z.number().int(),
})
export type BlackRow = z.infer<typeof blackRow>

export const blackDetail = blackRow.extend({
  idCardType: z.string().nullable(),
  reason: z.string().nullable(),
  files: fileLinks,
  /** What the caller may do with it now. */
  moves: z.array(z.enum(Object.keys(blackMoves) as [keyof typeof blackMoves, ...(keyof typeof blackMoves)[]])),
  mayEdit: z.boolean(),
  mayAdjust: z.boolean(),
  /** Why deciding, appealing or repairing is not open yet, in words. */
  holdUps: z.array(z.string()),
  log: z.array(
    z.object({
      id: z.string(),
      time: z.number(),
      action: z.string(),
      to: z.string(),
      byName: z.string(),
      groupName: z.string(),
      opinion: z.string(),
      files: fileLinks,
    }),
  ),
  /** The projects it keeps out of, as far as the caller sees them, and where the person or company is now. */
  projects: z.array(z.object({ projectCode: z.string(), name: z.string(), inPlace: z.boolean() })),
  refusals: z.array(z.object({ time: z.string(), projectName: z.string(), way: z.string(), place: z.string() })),
  /** Earlier entries of the same person or company, and the person's bad records. */
  earlier: z.array(
    z.object({
      id: z.string(),
      reasonTypeName: z.string().nullable(),
      startDate: z.string(),
      endDate: z.string(),
      statusName: z.string().nullable(),
    }),
  ),
  badRecords: z.array(
    z.object({ id: z.string(), occurrenceDate: z.string(), typeName: z.string().nullable(), score: z.number().nullable() }),
  ),
  workerId: z.string().nullable(),
})
export type BlackDetail = z.infer<typeof blackDetail>

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
  /** Those the caller's own group proposed, in any state that is not ended. */
  own: z.number().int(),
  waiting: z.number().int(),
  oldestWaitingDays: z.number().int(),
  appealed: z.number().int(),
  ending: z.number().int(),
  /** In force and still in place somewhere the caller sees. */
  inPlace: z.number().int(),
  hitsThisMonth: z.number().int(),
  byReason: z.array(z.object({ code: z.string(), name: z.string(), effective: z.number().int(), all: z.number().int() })),
  /** Recognised and ended by month, the last twelve, oldest first. */
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

const id = z.object({ id: ref('black') })
export const getLaborBlack = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/laborBlack/:id',
  summary: '工人黑名单详情',
  needs: 'labour.view',
  params: id,
  query: ofProject,
  response: blackDetail,
})
export const getCompanyBlack = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/companyBlack/:id',
  summary: '企业黑名单详情',
  needs: 'labour.view',
  params: id,
  query: ofProject,
  response: blackDetail,
})

const proposed = z.object({ id: z.string() })
/** Whom one may list for which scope follows from the group: a site for itself and its contractor, a company for its own, an authority for its area. */
export const createLaborBlack = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/laborBlack',
  summary: '提出工人黑名单',
  needs: 'labour.black',
  acts: 'aside',
  query: ofProject,
  body: laborBlackBody,
  response: proposed,
})
export const createCompanyBlack = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/companyBlack',
  summary: '提出企业黑名单',
  needs: 'labour.black',
  acts: 'aside',
  query: ofProject,
  body: companyBlackBody,
  response: proposed,
})
/** Corrects what is not handed in yet, or was sent back. */
export const updateLaborBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/laborBlack/:id/entry',
  summary: '修改工人黑名单',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
  body: laborBlackEdit,
})
export const updateCompanyBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/companyBlack/:id/entry',
  summary: '修改企业黑名单',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
  body: companyBlackEdit,
})
/** What an entry would do, said before it is proposed. */
export const previewLaborBlack = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/laborBlack/preview',
  summary: '预览工人黑名单影响',
  needs: 'labour.black',
  acts: 'aside',
  unaudited: 'a look by POST, so that the number stays out of access logs',
  query: ofProject,
  body: z.object({
    idCardType: dict('idCardType', '证件类型').default('01'),
    idCardNumber: text(30, '证件号码').optional(),
    scope: dict('blacklistScope', '范围'),
    ...reachFields,
  }),
  response: z.object({
    projects: z.number().int(),
    /** Where the person is in place, as far as the caller sees. */
    presentAt: z.array(z.string()),
    /** An entry of the same reach that is still open. */
    entryId: z.string().nullable(),
    name: z.string().nullable(),
  }),
})

const scopeAndEnd = { endDate: day.optional(), scope: dict('blacklistScope', '范围').optional(), ...reachFields }
const act = {
  version: z.number().int(),
  opinion: text(500, '意见').default(''),
  files: fileRefs('附件', 6).default([]),
}
const actions = [...(Object.keys(blackMoves) as (keyof typeof blackMoves)[]), 'adjust'] as const
const moveBody = z.object({ action: z.enum(actions), ...act, ...scopeAndEnd })
const needsAll = ['labour.black', 'labour.blackAudit', 'labour.blackAppeal'] as const
/** One step. Which asks for which right stands in `blackMoves`. */
export const changeLaborBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/laborBlack/:id',
  summary: '办理工人黑名单',
  needs: needsAll,
  acts: 'aside',
  params: id,
  query: ofProject,
  body: moveBody,
})
export const changeCompanyBlack = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/companyBlack/:id',
  summary: '办理企业黑名单',
  needs: needsAll,
  acts: 'aside',
  params: id,
  query: ofProject,
  body: moveBody,
})
export const removeLaborBlack = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/laborBlack/:id',
  summary: '删除工人黑名单草稿',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
})
export const removeCompanyBlack = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/companyBlack/:id',
  summary: '删除企业黑名单草稿',
  needs: 'labour.black',
  acts: 'aside',
  params: id,
  query: ofProject,
})

/** What holds against somebody or a company, as everybody learns it whom it holds for. */
export const blackNotice = z.object({
  id: z.string(),
  reasonTypeName: z.string().nullable(),
  scopeName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  issuer: z.string(),
})
export type BlackNotice = z.infer<typeof blackNotice>
