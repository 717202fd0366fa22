import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { sheetFields, sheetMoves } from './moves.ts'

/** How one of the three parties stands to a sheet. */
const partyState = z.enum(['open', 'signed', 'refused'])

export const sheetRow = z.object({
  id: z.string(),
  /** Number by institution, document and year, drawn when it is submitted; null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  docType: z.string(),
  docTypeName: z.string(),
  checkDate: z.string().nullable(),
  checkPart: z.string(),
  officers: z.array(z.string()),
  opinion: z.string().nullable(),
  opinionName: z.string().nullable(),
  owner: partyState,
  contractor: partyState,
  supervisor: partyState,
  /** Notices that were made from it, and those of them not closed. */
  rectifyCount: z.number().int(),
  rectifyOpen: z.number().int(),
  onPaper: z.boolean(),
  /** Days it has waited for the parties; null when it does not. */
  waitDays: z.number().int().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
  /** The caller may urge, file or void it. */
  actions: z.array(z.string()),
})
export type SheetRow = z.output<typeof sheetRow>

const problem = z.object({
  description: z.string(),
  clause: z.string().nullable(),
  corpCode: z.string().nullable(),
  corpName: z.string().nullable(),
  photos: z.array(z.string()),
})
const notice = z.object({ id: z.string(), code: z.string().nullable(), stateName: z.string(), closed: z.boolean() })

export const sheetDetail = sheetRow.omit({ actions: true }).extend({
  groupName: z.string(),
  /** The units of the three parties; null when the project has none. */
  ownerCorp: z.string().nullable(),
  contractorCorp: z.string().nullable(),
  supervisorCorp: z.string().nullable(),
  progress: z.string().nullable(),
  progressName: z.string().nullable(),
  content: z.string(),
  problems: z.array(problem),
  photos: z.array(z.string()),
  /** What contradicts each photograph (taken too early, off the site, used elsewhere); null: nothing. */
  photoNotes: z.array(z.string().nullable()),
  scans: z.array(z.string()),
  meetTime: z.string().nullable(),
  meetPlace: z.string().nullable(),
  persons: z.array(z.object({ name: z.string(), unit: z.string().nullable(), post: z.string().nullable() })),
  authorName: z.string(),
  submitTime: z.string().nullable(),
  voidReason: z.string().nullable(),
  notices: z.array(notice),
  /** In one sentence: who has to sign or to file it. */
  waiting: z.string(),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
  /** The caller may order a correction from it. */
  derivable: z.boolean(),
  /** The caller may delete the draft. */
  removable: z.boolean(),
})
export type SheetDetail = z.output<typeof sheetDetail>

const path = '/api/v1/oa/process/manualsheet'
const view = 'supervision.view'

export const listSheets = endpoint({
  method: 'GET',
  path,
  summary: '监督记录单列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['mine', 'signing', 'signed', 'archived']).optional(),
    code: text(50).optional(),
    docType: several.optional(),
    checkDate: dayRange.optional(),
    checkPart: text(50).optional(),
    officer: text(50).optional(),
    opinion: several.optional(),
    state: several.optional(),
    /** With a notice made from it. */
    rectify: flag.optional(),
    /** With a party that refused to sign. */
    refused: flag.optional(),
    /** Waiting for the parties for more than `lateDays` days. */
    late: flag.optional(),
    /** Filed in the present year. */
    filed: flag.optional(),
    sort: sortBy('checkDate', 'waitDays'),
  }),
  response: paged(sheetRow).extend({
    counts: z.object({ signing: z.number().int(), late: z.number().int(), signed: z.number().int(), filed: z.number().int() }),
  }),
})
/** Days after which a missing signature is late. */
export const lateDays = 3

export const sheetList = listOf(listSheets, {
  feature: 'manualsheet',
  columns: {
    code: '记录编号',
    projectName: '项目',
    docType: '文书类型',
    checkDate: '检查日期',
    checkPart: '检查部位',
    officers: '监督人员',
    opinion: '处理意见',
    signed: '三方签字',
    rectifyCount: '派生整改',
    state: '状态',
  },
})

export const getSheet = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '监督记录单详情',
  needs: view,
  params: z.object({ id: ref('manualsheet') }),
  query: ofProject,
  response: sheetDetail,
})

/** What the form starts from: the officers that can be named, and the units that a problem can be assigned to. */
export const sheetStart = endpoint({
  method: 'GET',
  path: `${path}/start`,
  summary: '监督记录单的可选监督人员与责任单位',
  needs: sheetMoves.save.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    projectCode: z.string(),
    projectName: z.string(),
    officers: z.array(z.string()),
    /** The caller, when he is one of them. */
    self: z.string().nullable(),
    corps: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
})
export type SheetStart = NonNullable<(typeof sheetStart)['types']>['out']

/** Creates a draft. The device names the id, so that a repeated request creates nothing more. */
export const createSheet = endpoint({
  method: 'POST',
  path,
  summary: '新增监督记录单草稿',
  needs: sheetMoves.save.needs,
  acts: 'site',
  query: ofProject,
  body: z.object({
    id: pointsTo('manualsheet', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    ...sheetFields,
  }),
  response: z.object({ id: z.string() }),
})

export const changeSheet = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理监督记录单',
  description: '按 action 办理：save、submit、urge、archive、void；version 为读取时的版本。签字与拒签见 signature。',
  needs: codesOfMoves(sheetMoves),
  acts: 'site',
  actions: rightsOfMoves(sheetMoves),
  params: z.object({ id: ref('manualsheet') }),
  query: ofProject,
  body: moveBody(sheetMoves, {}),
})

export const removeSheet = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除监督记录单草稿',
  needs: sheetMoves.save.needs,
  acts: 'site',
  params: z.object({ id: ref('manualsheet') }),
  query: ofProject,
})
