import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'
import { planFields, planMoves } from './moves.ts'

const path = '/api/v1/oa/process/checkplan'
const view = 'supervision.view'
const edits = planMoves.save.needs
const year = z.coerce.number().int().min(2000, '年度不正确').max(2100, '年度不正确')

export const planRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  title: z.string(),
  discipline: z.string(),
  disciplineName: z.string(),
  year: z.number().int(),
  /** 1 to 4; null for readers of the site. */
  riskLevel: z.number().int().nullable(),
  supervisors: z.array(z.string()),
  startDate: z.string(),
  endDate: z.string(),
  /** Null for readers of the site, like everything about visits. */
  doneCount: z.number().int().nullable(),
  planCount: z.number().int().nullable(),
  missedCount: z.number().int().nullable(),
  nextWindow: z.string().nullable(),
  nextVisitId: z.string().nullable(),
  versionNo: z.number().int(),
  /** The project is stopped: its visits wait. */
  paused: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type PlanRow = z.output<typeof planRow>

export const listPlans = endpoint({
  method: 'GET',
  path,
  summary: '监督计划列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['mine', 'valid', 'missed']).optional(),
    code: text(50).optional(),
    title: text(50).optional(),
    riskLevel: several.optional(),
    discipline: several.optional(),
    year: year.optional(),
    supervisors: text(50).optional(),
    startDate: dayRange.optional(),
    nextWindow: dayRange.optional(),
    doneCount: numericRange.optional(),
    state: several.optional(),
    sort: sortBy('urgency', 'nextWindow', 'startDate', 'riskLevel'),
  }),
  response: paged(planRow).extend({
    counts: z.object({
      /** Sites under construction in the scope. */
      building: z.number().int(),
      /** Of these without a plan in force. */
      unplanned: z.number().int(),
      /** Visits whose window ends this month, and those of them that were held. */
      monthDue: z.number().int(),
      monthDone: z.number().int(),
      missed: z.number().int(),
    }),
  }),
})

export const planList = listOf(listPlans, {
  feature: 'checkplan',
  columns: {
    code: '计划编号',
    projectName: '项目',
    title: '计划名称',
    riskLevel: '风险等级',
    discipline: '监督专业',
    year: '年度',
    supervisors: '监督人员',
    startDate: '起止',
    doneCount: '已检/应检',
    nextWindow: '下次检查窗口',
    state: '状态',
  },
})

const cell = z.object({
  /** 1 to 12. */
  month: z.number().int(),
  planned: z.number().int(),
  done: z.number().int(),
  missed: z.number().int(),
})
export type MatrixCell = z.output<typeof cell>
export const matrixRow = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaName: z.string().nullable(),
  riskLevel: z.number().int().nullable(),
  planId: z.string().nullable(),
  supervisors: z.array(z.string()),
  paused: z.boolean(),
  cells: z.array(cell),
})
export type MatrixRow = z.output<typeof matrixRow>

/** Sites under construction with their visits by month; with `unplanned` only those without a plan in force. */
export const planMatrix = endpoint({
  method: 'GET',
  path: `${path}/matrix`,
  summary: '监督计划年度矩阵',
  needs: view,
  groupTypes: [0, 1],
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    year,
    discipline: dict('checkDiscipline', '专业').optional(),
    unplanned: z.enum(['true', 'false']).optional(),
    projectName: text(50).optional(),
  }),
  response: paged(matrixRow),
})

const riskLine = z.object({ label: z.string(), value: z.string(), level: z.number().int() })
export const planRisk = endpoint({
  method: 'GET',
  path: `${path}/risk`,
  summary: '项目风险等级及其依据',
  needs: view,
  groupTypes: [0, 1],
  answers: 'object',
  query: ofProject,
  response: z.object({
    projectCode: z.string(),
    projectName: z.string(),
    phase: z.string().nullable(),
    phaseName: z.string().nullable(),
    level: z.number().int(),
    reason: z.string(),
    lines: z.array(riskLine),
    officers: z.array(z.object({ id: z.string(), name: z.string() })),
    /** The plans of the project that are not terminated. */
    plans: z.array(z.object({ id: z.string(), title: z.string(), discipline: z.string(), year: z.number().int(), state: z.string() })),
  }),
})

const frequency = z.object({ phase: z.string(), phaseName: z.string(), times: z.number().int(), from: z.string(), to: z.string() })
const visit = z.object({
  id: z.string(),
  seq: z.number().int(),
  phaseName: z.string(),
  windowStart: z.string(),
  windowEnd: z.string(),
  /** planned, due, done, missed or paused. */
  mark: z.enum(['planned', 'due', 'done', 'missed', 'paused']),
  check: z
    .object({
      id: z.string(),
      code: z.string().nullable(),
      checkers: z.array(z.string()),
      stateName: z.string(),
      score: z.number().nullable(),
    })
    .nullable(),
})
export type PlanVisit = z.output<typeof visit>
const change = z.object({ label: z.string(), before: z.string(), after: z.string() })
const planVersion = z.object({
  versionNo: z.number().int(),
  reason: z.string().nullable(),
  approveName: z.string(),
  approveAt: z.string(),
  /** Against the version before. */
  changes: z.array(change),
})

export const planDetail = planRow.extend({
  supervisorIds: z.array(z.string()),
  mainContent: z.string(),
  measures: z.string().nullable(),
  focus: z.array(z.string()),
  disclosureDate: z.string().nullable(),
  frequencyReason: z.string().nullable(),
  files: z.array(z.string()),
  reason: z.string().nullable(),
  opinion: z.string().nullable(),
  authorGroupName: z.string(),
  submitName: z.string().nullable(),
  approveName: z.string().nullable(),
  approveAt: z.string().nullable(),
  /** Printable: it has been approved. */
  published: z.boolean(),
  frequency: z.array(frequency),
  visits: z.array(visit),
  versions: z.array(planVersion),
  receipts: z.array(z.object({ groupName: z.string(), name: z.string(), at: z.string() })),
  openNotices: z.array(z.object({ id: z.string(), code: z.string().nullable() })),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type PlanDetail = z.output<typeof planDetail>

export const getPlan = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '监督计划详情',
  needs: view,
  params: z.object({ id: ref('checkplan') }),
  query: ofProject,
  response: planDetail,
})

const id = pointsTo('checkplan', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional()

/** Creates a draft, or submits at once. */
export const createPlan = endpoint({
  method: 'POST',
  path,
  summary: '新增监督计划',
  needs: edits,
  groupTypes: [1],
  query: ofProject,
  body: z.object({
    id,
    action: z.enum(['save', 'submit']),
    discipline: dict('checkDiscipline', '监督专业'),
    year,
    ...planFields,
  }),
  response: z.object({ id: z.string() }),
})

const mostGenerated = 100
const generated = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  riskLevel: z.number().int(),
  reason: z.string(),
  phaseName: z.string().nullable(),
  least: z.number().int(),
  times: z.number().int(),
})
export type GeneratedPlan = z.output<typeof generated>
/** Drafts by risk level for the projects that have no plan: a preview with `dryRun`, then the chosen ones with their visits. */
export const generatePlans = endpoint({
  method: 'POST',
  path: `${path}/generate`,
  summary: '按风险等级生成监督计划',
  needs: edits,
  groupTypes: [1],
  query: ofProject,
  body: z.object({
    dryRun: z.boolean(),
    discipline: dict('checkDiscipline', '监督专业'),
    year,
    supervisors: planFields.supervisors,
    rows: z
      .array(z.object({ projectCode: ref('project'), times: z.number().int().min(1).max(24) }))
      .max(mostGenerated, `一次最多生成 ${mostGenerated} 份`)
      .default([]),
  }),
  response: z.object({ rows: z.array(generated), created: z.number().int(), more: z.number().int() }),
})

export const changePlan = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理监督计划',
  description: '按 action 办理：save、submit、approve、reject、adjust、finish、terminate、receive；version 为读取时的版本。',
  needs: codesOfMoves(planMoves),
  acts: 'review',
  actions: rightsOfMoves(planMoves),
  params: z.object({ id: ref('checkplan') }),
  query: ofProject,
  body: moveBody(planMoves, {}),
})

export const removePlan = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除监督计划草稿',
  needs: edits,
  groupTypes: [1],
  params: z.object({ id: ref('checkplan') }),
  query: ofProject,
})

export const removePlanVisit = endpoint({
  method: 'DELETE',
  path: `${path}/task/:taskId`,
  summary: '删除未来的检查任务',
  needs: edits,
  groupTypes: [1],
  params: z.object({ taskId: ref('checkplanVisit') }),
  query: ofProject.extend({ reason: filled(200, '原因') }),
})

/** The printed plan (101, 107). */
export const planPrint = z.object({ id: ref('checkplan') })
