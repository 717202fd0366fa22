import { z } from 'zod'
import { officer } from '../daychecks/moves.ts'
import { day, filled, nullable, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'

/** States of a plan (dictionary checkPlanState). */
export type PlanState = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export const planStates = { draft: '0', waiting: '1', returned: '2', published: '3', running: '4', finished: '5', ended: '6' } as const
/** In force: the site has it. */
export const validPlans: readonly PlanState[] = ['3', '4']

export const leastSupervisors = 2
export const mostSupervisors = 10
export const mostRows = 12
export const mostTimes = 24
export const mostFocus = 20
export const mostFiles = 20
/** Days before a window in which the task of its visit is made. */
export const aheadDays = 7
export const shortestReason = 5

const frequency = z.object({
  phase: dict('projectPhase', '阶段'),
  times: z.number({ error: '次数应为数字' }).int('次数应为整数').min(1, '至少 1 次').max(mostTimes, `最多 ${mostTimes} 次`),
  from: day,
  to: day,
})

/** What the officer writes. */
export const planFields = {
  title: filled(100, '计划名称'),
  supervisors: z
    .array(officer)
    .min(leastSupervisors, `监督人员至少 ${leastSupervisors} 名`)
    .max(mostSupervisors, `监督人员最多 ${mostSupervisors} 名`)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, '监督人员重复'),
  startDate: day,
  endDate: day,
  frequency: z.array(frequency).min(1, '请填写抽查频次').max(mostRows, `最多 ${mostRows} 行`),
  frequencyReason: nullable(text(500, '频次说明')),
  mainContent: filled(4000, '主要监督内容'),
  measures: nullable(text(2000, '监督措施')),
  focus: z.array(filled(100, '重点部位')).max(mostFocus, `重点部位最多 ${mostFocus} 个`).default([]),
  disclosureDate: nullable(day),
  files: z.array(text(400, '附件')).max(mostFiles, `附件最多 ${mostFiles} 个`).default([]),
}

const edits = 'supervision.planEdit'
const approves = 'supervision.planApprove'
const why = (label: string) => text(500, label).min(shortestReason, `${label}至少 ${shortestReason} 个字`)
const own = { acts: 'site', turn: 'institution' } as const

/** Transitions of a plan. `institution`: the one that wrote it; `party`: whoever of the project receives it. */
export const planMoves = {
  save: { ...own, label: '保存草稿', from: ['0', '2'], to: null, needs: edits, asks: planFields, unlogged: true },
  submit: { ...own, label: '提交审批', from: ['0', '2'], to: '1', needs: edits, asks: planFields },
  approve: { ...own, label: '通过', from: ['1'], to: ['3', '4'], needs: approves, asks: { opinion: text(500, '意见').default('') } },
  reject: { ...own, label: '退回', from: ['1'], to: '2', needs: approves, asks: { opinion: why('退回意见') } },
  adjust: { ...own, label: '调整', from: ['3', '4'], to: '1', needs: edits, asks: { ...planFields, reason: why('调整原因') } },
  finish: { ...own, label: '完成', from: ['4'], to: '5', needs: edits, asks: {} },
  terminate: { ...own, label: '终止', from: ['3', '4'], to: '6', needs: edits, asks: { opinion: why('终止原因') } },
  receive: { label: '签收', from: ['3', '4'], to: null, needs: 'supervision.sheetSign', acts: 'review', turn: 'party', asks: {} },
} as const satisfies Record<string, Move<PlanState>>
export type PlanAction = keyof typeof planMoves

/** Text of a new plan by discipline (dictionary checkDiscipline). */
export const contentTemplates: Readonly<Record<string, { content: string; measures: string }>> = {
  1: {
    content:
      '1. 各方主体安全生产责任制和安全管理制度落实情况；\n2. 项目负责人、安全员、总监等关键岗位到岗履职；\n3. 危险性较大的分部分项工程方案编制、论证、交底和监测；\n4. 起重机械备案、检测、使用登记和维保；\n5. 脚手架、模板支架、临时用电、高处作业防护；\n6. 隐患排查治理和上次整改落实情况。',
    measures: '按 JGJ 59 抽查评分，发现隐患当场下发整改通知；重大隐患责令停工并复查；逾期不改的按程序移送处罚。',
  },
  2: {
    content:
      '1. 各方主体质量行为和质量管理体系运行情况；\n2. 工程实体质量和强制性标准执行情况；\n3. 原材料、构配件进场检验和见证取样；\n4. 隐蔽工程和分部工程验收程序；\n5. 质量控制资料完整性；\n6. 质量问题整改落实情况。',
    measures: '对关键部位实体抽测，对主要材料监督抽检；发现质量问题下发整改通知书并复查。',
  },
}
