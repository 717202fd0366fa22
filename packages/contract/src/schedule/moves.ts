import { z } from 'zod'
import { day, filled, flag, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'

/** State of the plan as the baseline of the project. */
export const baseStates = { drafted: '0', submitted: '1', approved: '2' } as const
export type BaseState = (typeof baseStates)[keyof typeof baseStates]
export const baseStateNames: Readonly<Record<BaseState, string>> = { 0: '编制中', 1: '待监理批准', 2: '基准已批准' }

export const mostTasks = 500
export const mostReportPhotos = 9

const number = (label: string) => z.coerce.number({ error: `${label}应为数字` })
const weight = number('权重').min(0, '权重 0-100').max(100, '权重 0-100')
const percent = number('完成百分比').min(0, '完成百分比 0-100').max(100, '完成百分比 0-100')
const words = { planStart: day, planEnd: day }

/** What a task is planned as. */
export const taskFields = {
  name: filled(100, '任务名称'),
  ...words,
  weight,
  milestone: flag.default(false),
  critical: flag.default(false),
  /** The company that carries it out; null: the general contractor. */
  corpCode: nullable(ref('corporation')),
}
const changeFields = z.object({
  taskId: ref('scheduleTask'),
  ...words,
  name: filled(100, '任务名称').optional(),
  weight: weight.optional(),
  milestone: flag.optional(),
  critical: flag.optional(),
  corpCode: ref('corporation').optional(),
})
export type PlanChange = z.output<typeof changeFields>
const changes = z.array(changeFields).min(1, '请先修改计划').max(mostTasks, `一次最多修改 ${mostTasks} 项`)

/** What the site reports of one task. */
export const reportFields = {
  taskId: ref('scheduleTask'),
  percent,
  actualStart: nullable(day),
  actualEnd: nullable(day),
  reason: text(500, '原因').default(''),
  photos: z.array(text(400, '照片')).max(mostReportPhotos, `照片最多 ${mostReportPhotos} 张`).default([]),
}

const plans = { needs: 'inspection.scheduleEdit', acts: 'site', turn: 'site' } as const
const judges = { needs: 'inspection.scheduleApprove', acts: 'supervisor', turn: 'supervisor' } as const
const { drafted, submitted, approved } = baseStates
const why = text(500, '原因').min(5, '原因至少 5 个字')

/** Transitions of a project's plan. The version of `report` is that of the task. */
export const scheduleMoves = {
  plan: { ...plans, label: '修改计划', from: [drafted], to: null, asks: { changes }, unlogged: true },
  submitBaseline: { ...plans, label: '提交基准', from: [drafted], to: submitted, asks: { opinion: text(500, '说明').default('') } },
  approveBaseline: { ...judges, label: '批准基准', from: [submitted], to: approved, asks: { opinion: text(500, '意见').default('') } },
  returnBaseline: { ...judges, label: '退回', from: [submitted], to: drafted, asks: { opinion: why } },
  rebase: { ...plans, label: '变更基准', from: [approved], to: submitted, asks: { reason: why, changes } },
  report: { ...plans, label: '填报进度', from: [drafted, submitted, approved], to: null, asks: reportFields, unlogged: true },
} as const satisfies Readonly<Record<string, Move<BaseState>>>
export type ScheduleAction = keyof typeof scheduleMoves
