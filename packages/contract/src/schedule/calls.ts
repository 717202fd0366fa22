import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, nullable, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { scheduleMoves, taskFields } from './moves.ts'

export const schedulePath = '/api/v1/oa/process/schedule'
const view = 'inspection.view'
const edit = 'inspection.scheduleEdit'

export const scheduleRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpName: z.string(),
  phase: z.string().nullable(),
  phaseName: z.string().nullable(),
  planPercent: z.number(),
  percent: z.number(),
  delayDays: z.number().int(),
  finishDeviation: z.number().int(),
  late: z.number().int(),
  severe: z.number().int(),
  completeDate: z.string().nullable(),
  reportTime: z.string().nullable(),
  /** Dictionary scheduleState. */
  state: z.string(),
  stateName: z.string(),
  baseState: z.string(),
  baseStateName: z.string(),
  baseNo: z.number().int(),
  version: z.number().int(),
})
export type ScheduleRow = z.output<typeof scheduleRow>

const projectFilters = {
  projectName: text(50).optional(),
  phase: several.optional(),
  planPercent: numericRange.optional(),
  percent: numericRange.optional(),
  delayDays: numericRange.optional(),
  state: several.optional(),
  baseState: several.optional(),
  completeDate: dayRange.optional(),
  reportTime: dayRange.optional(),
  /** Whether anything was ever reported. */
  reported: flag.optional(),
  /** With an approved baseline, unfinished, and nothing reported for a week. */
  stale: flag.optional(),
}
const projectSorts = ['delayDays', 'planPercent', 'percent', 'completeDate', 'reportTime', 'projectName'] as const

export const taskRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  unitId: z.string().nullable(),
  unitName: z.string().nullable(),
  parentId: z.string().nullable(),
  wbs: z.string(),
  name: z.string(),
  leaf: z.boolean(),
  milestone: z.boolean(),
  critical: z.boolean(),
  weight: z.number(),
  /** Sum of the weights below where that is not 100. */
  weightSum: z.number().nullable(),
  planStart: z.string(),
  planEnd: z.string(),
  /** Dates of the approved baseline; null before the first. */
  baseStart: z.string().nullable(),
  baseEnd: z.string().nullable(),
  actualStart: z.string().nullable(),
  actualEnd: z.string().nullable(),
  planPercent: z.number(),
  percent: z.number(),
  delayDays: z.number().int(),
  delayReason: z.string().nullable(),
  phase: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string(),
  reportTime: z.string().nullable(),
  /** What a construction log has said since the last report; null: nothing new. */
  proposal: z.object({ percent: z.number(), day: z.string(), byName: z.string() }).nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type TaskRow = z.output<typeof taskRow>

/** Of the tasks that have none below them. */
export const taskTabs = { late: '滞后', severe: '严重滞后', unexplained: '滞后未说明', critical: '关键任务', running: '进行中' } as const
export type TaskTab = keyof typeof taskTabs
const taskFilters = {
  tab: z.enum(Object.keys(taskTabs) as [TaskTab, ...TaskTab[]]).optional(),
  unit: several.optional(),
  name: text(50).optional(),
  state: several.optional(),
}
const taskSorts = ['wbs', 'planStart', 'planEnd', 'delayDays', 'percent'] as const

export const scheduleFigures = z.object({
  planPercent: z.number(),
  percent: z.number(),
  delayDays: z.number().int(),
  finishDeviation: z.number().int(),
  planStart: z.string(),
  planEnd: z.string(),
})
const base = z.object({
  no: z.number().int(),
  reason: z.string().nullable(),
  submittedBy: z.string(),
  submittedAt: z.string(),
  approvedBy: z.string().nullable(),
  approvedAt: z.string().nullable(),
  opinion: z.string().nullable(),
  /** Tasks whose dates differ from the baseline before. */
  moved: z.number().int(),
})
export type ScheduleBase = z.output<typeof base>

/** `head` is null where nothing is planned, or for a company that sees only its own tasks. */
const taskMore = {
  projectName: z.string(),
  today: z.string(),
  head: z
    .object({
      version: z.number().int(),
      state: z.string(),
      stateName: z.string(),
      baseNo: z.number().int(),
      reason: z.string().nullable(),
      actions: z.array(allowedAction),
      timeline: z.array(logLine),
      bases: z.array(base),
    })
    .nullable(),
  mayPlan: z.boolean(),
  figures: scheduleFigures.nullable(),
  counts: z.object({ late: z.number().int(), severe: z.number().int(), unexplained: z.number().int() }),
  curve: z.array(z.object({ day: z.string(), plan: z.number(), actual: z.number().nullable() })),
  stops: z.array(z.object({ from: z.string(), until: z.string().nullable(), reason: z.string() })),
  units: z.array(z.object({ id: z.string(), name: z.string() })),
  corps: z.array(z.object({ code: z.string(), name: z.string() })),
}

const taskAnswer = paged(taskRow).extend(taskMore)
export type ScheduleTasks = z.output<typeof taskAnswer>

const projectCounts = z.object({
  late: z.number().int(),
  severe: z.number().int(),
  stale: z.number().int(),
  waiting: z.number().int(),
})

/** The plans of projects; with `view=tasks` the tasks of one with its curve. */
export const scheduleRecords = endpoint({
  method: 'GET',
  path: schedulePath,
  summary: '进度计划',
  description: 'view=tasks：一个项目的任务、基准版本与 S 曲线；不填：各项目的进度。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...projectFilters,
    ...taskFilters,
    view: z.literal('tasks').optional(),
    sort: sortBy(...projectSorts, 'wbs', 'planStart', 'planEnd'),
  }),
  response: z.union([paged(scheduleRow).extend({ counts: projectCounts }), taskAnswer]),
})

export const listSchedules = viewOf(scheduleRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...projectFilters, sort: sortBy(...projectSorts) }),
  response: paged(scheduleRow).extend({ counts: projectCounts }),
})

export const scheduleList = listOf(listSchedules, {
  feature: 'schedule',
  columns: {
    projectName: '项目',
    projectCode: '项目编码',
    corpName: '总包单位',
    phase: '形象进度',
    planPercent: '计划 %',
    percent: '实际 %',
    delayDays: '滞后天数',
    finishDeviation: '预计竣工偏差（天）',
    late: '滞后任务',
    severe: '严重滞后任务',
    completeDate: '计划竣工',
    reportTime: '最近填报',
    state: '状态',
    baseState: '基准',
  },
})

export const listScheduleTasks = viewOf(scheduleRecords, {
  query: pageQuery.extend({ ...ofProject.shape, ...taskFilters, view: z.literal('tasks'), sort: sortBy(...taskSorts) }),
  response: taskAnswer,
})

export const scheduleTaskList = listOf(listScheduleTasks, {
  feature: 'scheduleTask',
  columns: {
    wbs: '编号',
    unitName: '单体',
    name: '任务',
    corpName: '责任单位',
    weight: '权重',
    milestone: '里程碑',
    critical: '关键',
    planStart: '计划开始',
    planEnd: '计划结束',
    baseStart: '基准开始',
    baseEnd: '基准结束',
    actualStart: '实际开始',
    actualEnd: '实际结束',
    planPercent: '计划 %',
    percent: '实际 %',
    delayDays: '滞后天数',
    delayReason: '滞后原因',
    reportTime: '最近填报',
    state: '状态',
  },
})

export const scheduleMade = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

/** Adds a task to the plan of a project; the first one begins the plan. */
export const createScheduleTask = endpoint({
  method: 'POST',
  path: schedulePath,
  summary: '新增进度任务',
  needs: edit,
  query: ofProject,
  body: z.object({ ...taskFields, unitId: nullable(ref('unitProject')), parentId: nullable(ref('scheduleTask')) }),
  response: scheduleMade,
})

export const changeSchedule = endpoint({
  method: 'PUT',
  path: schedulePath,
  summary: '办理进度计划',
  description:
    '按 action 办理：plan、submitBaseline、approveBaseline、returnBaseline、rebase、report；version 为读取时的版本，report 时为任务的版本。',
  needs: codesOfMoves(scheduleMoves),
  acts: 'review',
  actions: rightsOfMoves(scheduleMoves),
  largeBody: '一次修改最多 500 项任务',
  query: ofProject,
  body: moveBody(scheduleMoves, {}),
  response: scheduleMade,
})

export const removeScheduleTask = endpoint({
  method: 'DELETE',
  path: `${schedulePath}/task/:taskId`,
  summary: '删除进度任务',
  description: '连同其下级任务；已填报的不能删除。',
  needs: edit,
  params: z.object({ taskId: ref('scheduleTask') }),
  query: ofProject,
})
