import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { workFields, workMoves } from './moves.ts'
import { type SizeKey, sizeKeys } from './scale.ts'

const path = '/api/v1/oa/process/bigproject'
const view = 'supervision.view'

export const workRow = z.object({
  id: z.string(),
  code: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  /** Of the site. */
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  name: z.string(),
  category: z.string(),
  categoryName: z.string(),
  overScale: z.boolean(),
  riskLevel: z.string(),
  part: z.string(),
  /** Sizes in words. */
  size: z.string(),
  constructionCorp: z.string(),
  constructionName: z.string(),
  subName: z.string().nullable(),
  planStartDate: z.string(),
  planEndDate: z.string(),
  actualStartDate: z.string().nullable(),
  actualEndDate: z.string().nullable(),
  /** Keys of `workGaps`. */
  gaps: z.array(z.string()),
  /** Key of `monitorStates`; `none` for a work that has been accepted. */
  monitorState: z.string(),
  openRectify: z.number().int(),
  /** Why it stands on top; null when it does not. */
  grave: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  /** Days in the present state. */
  stateDays: z.number().int(),
  /** Waits for the caller. */
  mine: z.boolean(),
})
export type WorkRow = z.output<typeof workRow>

/** A site with devices of a pit or of formwork, and no registered work of that kind. */
const suspect = z.object({ projectCode: z.string(), projectName: z.string(), what: z.string(), devices: z.number().int() })

const counts = z.object({
  running: z.number().int(),
  overScale: z.number().int(),
  lacking: z.number().int(),
  alarming: z.number().int(),
})

export const listWorks = endpoint({
  method: 'GET',
  path,
  summary: '危大工程列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['mine', 'open', 'done']).optional(),
    name: text(50).optional(),
    category: several.optional(),
    overScale: flag.optional(),
    riskLevel: several.optional(),
    part: text(50).optional(),
    constructionName: text(50).optional(),
    planStartDate: dayRange.optional(),
    actualStartDate: dayRange.optional(),
    gaps: several.optional(),
    /** Lacks any paper. */
    lacking: flag.optional(),
    monitorState: several.optional(),
    openRectify: flag.optional(),
    state: several.optional(),
    sort: sortBy('urgency', 'riskLevel', 'planStartDate', 'stateDays'),
  }),
  response: paged(workRow).extend({ counts, suspects: z.array(suspect) }),
})

export const workList = listOf(listWorks, {
  feature: 'bigproject',
  columns: {
    code: '编号',
    projectName: '项目',
    name: '名称',
    category: '类别',
    overScale: '超规模',
    riskLevel: '风险等级',
    part: '部位',
    size: '规模',
    constructionName: '施工单位',
    planStartDate: '计划开始',
    actualStartDate: '实际开始',
    gaps: '缺项',
    monitorState: '监测',
    openRectify: '未闭合整改',
    state: '状态',
    stateDays: '在本状态天数',
  },
})

const stage = z.object({
  key: z.string(),
  title: z.string(),
  state: z.enum(['done', 'now', 'ahead', 'skipped']),
  byName: z.string().nullable(),
  /** yyyy-MM-dd HH:mm:ss. */
  at: z.string().nullable(),
  files: z.array(z.string()),
  missing: z.array(z.string()),
})
export type WorkStage = z.output<typeof stage>

/** An action that is the caller's turn and lacks something. */
const blocked = z.object({
  action: z.string(),
  label: z.string(),
  missing: z.array(z.object({ text: z.string(), link: z.string().nullable() })),
})

const sizes = z.object(
  Object.fromEntries(Object.keys(sizeKeys).map((key) => [key, z.number().nullable()])) as Record<SizeKey, z.ZodNullable<z.ZodNumber>>,
)

const device = z.object({
  id: z.string(),
  name: z.string(),
  family: z.string(),
  familyName: z.string(),
  /** Key of `monitorStates`. */
  state: z.string(),
  /** Epoch milliseconds of the last reading. */
  lastAt: z.number().nullable(),
  /** Labels of the alarms that are open. */
  alarms: z.array(z.string()),
  /** The live page of its family. */
  link: z.string().nullable(),
})
export type WorkDevice = z.output<typeof device>

const expert = z.object({ name: z.string(), workUnit: z.string(), role: z.string(), signed: z.boolean() })
const person = z.object({ name: z.string(), post: z.string() })

export const workDetail = workRow.extend({
  unitId: z.string().nullable(),
  unitName: z.string().nullable(),
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  sizes,
  subCorp: z.string().nullable(),
  planName: z.string().nullable(),
  planFiles: z.array(z.string()),
  planPassDate: z.string().nullable(),
  activityId: z.string().nullable(),
  reviewDate: z.string().nullable(),
  reviewResult: z.string().nullable(),
  reviewResultName: z.string().nullable(),
  reviewReport: z.string().nullable(),
  reviewConclusion: z.string().nullable(),
  experts: z.array(expert),
  revisionNote: z.string().nullable(),
  disclosureDate: z.string().nullable(),
  discloser: z.string().nullable(),
  disclosureText: z.string().nullable(),
  receivers: z.array(person),
  inspectors: z.array(person),
  warnPhotos: z.array(z.string()),
  monitorOrg: z.string().nullable(),
  monitorFiles: z.array(z.string()),
  needsMonitor: z.boolean(),
  devices: z.array(device),
  acceptDate: z.string().nullable(),
  acceptPhotos: z.array(z.string()),
  notices: z.array(
    z.object({ id: z.string(), code: z.string(), deadline: z.string(), stateName: z.string(), open: z.boolean(), link: z.string() }),
  ),
  version: z.number().int(),
  stages: z.array(stage),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
  blocked: z.array(blocked),
  /** The caller may delete it. */
  removable: z.boolean(),
})
export type WorkDetail = z.output<typeof workDetail>

export const getWork = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '危大工程详情',
  needs: view,
  params: z.object({ id: ref('bigproject') }),
  query: ofProject,
  response: workDetail,
})

/** Concluded reviews of over-scale plans of the project that no work has taken over yet, and the devices that could watch it. */
export const workChoices = endpoint({
  method: 'GET',
  path: `${path}/choices`,
  summary: '危大工程可引用的专家论证和监测设备',
  needs: workMoves.save.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    activities: z.array(
      z.object({ id: z.string(), code: z.string(), title: z.string(), date: z.string(), resultName: z.string(), signed: z.number().int() }),
    ),
    devices: z.array(z.object({ id: z.string(), name: z.string(), familyName: z.string() })),
    units: z.array(z.object({ id: z.string(), name: z.string() })),
    corps: z.array(z.object({ code: z.string(), name: z.string() })),
    people: z.array(z.object({ name: z.string(), post: z.string() })),
  }),
})

export const createWork = endpoint({
  method: 'POST',
  path,
  summary: '登记危大工程',
  needs: workMoves.save.needs,
  acts: 'own',
  query: ofProject,
  body: z.object(workFields),
  response: z.object({ id: z.string(), code: z.string() }),
})

export const changeWork = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理危大工程',
  description: '按 action 办理；version 为读取时的版本。方案、论证、交底、监测、验收的前置条件见详情的 blocked。',
  needs: codesOfMoves(workMoves),
  acts: 'own',
  actions: rightsOfMoves(workMoves),
  params: z.object({ id: ref('bigproject') }),
  query: ofProject,
  body: moveBody(workMoves, {}),
  /** The notice that the action has drafted or issued. */
  response: z.object({ noticeId: z.string().nullable() }),
})

export const removeWork = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除误登记的危大工程',
  needs: workMoves.save.needs,
  acts: 'own',
  params: z.object({ id: ref('bigproject') }),
  query: ofProject,
})
