import { z } from 'zod'
import { day, filled, nullable, pointsTo, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import type { RectifyState } from '../rectify/moves.ts'
import { dict } from '../settings/dict-field.ts'

/** Groups of causes: 人机料法环. */
export const causeGroups = ['man', 'machine', 'material', 'method', 'environment'] as const
export type CauseGroup = (typeof causeGroups)[number]
export const causeNames: Readonly<Record<CauseGroup, string>> = {
  man: '人',
  machine: '机',
  material: '料',
  method: '法',
  environment: '环',
}

/** Kinds of records that improvements come from: quality patrols, the authority's spot checks, points of measuring tasks. */
/** Kind of finding that failed measuring points are. */
export const measureSource = 'measure'
export const improvementSources: Readonly<Record<string, string>> = {
  qualityInspection: '检查',
  spotcheck: '抽查',
  [measureSource]: '实测',
}

/** States of an improvement that pages tell apart (dictionary rectifyState). */
export const improvementStates = { draft: '0', recheck: '5', closed: '7' } as const

export const mostFindings = 60
export const mostImprovementLines = 20
export const mostWhys = 5
/** Days after closing in which the same defect of the same company counts as coming again. */
export const recurrenceDays = 60

const finding = z.object({ kind: filled(32, '来源'), id: pointsTo('siteCheck', filled(64, '来源记录')) })
const cause = z.object({ group: z.enum(causeGroups, { error: '原因类别不正确' }), text: text(300, '原因').min(4, '原因至少 4 个字') })
const line = z.object({
  part: filled(100, '部位'),
  text: text(500, '整改内容').min(5, '整改内容至少 5 个字'),
  person: nullable(text(50, '责任人')),
})

/** What the quality engineer writes. */
export const improvementFields = {
  title: filled(80, '名称'),
  qualityProblem: dict('qualityProblem', '质量通病'),
  corpCode: ref('corporation'),
  findings: z.array(finding).min(1, '至少选择一个问题').max(mostFindings, `问题最多 ${mostFindings} 个`),
  causes: z.array(cause).min(1, '至少写一个原因').max(causeGroups.length, '每类原因写一条'),
  whys: z.array(filled(200, '追问')).max(mostWhys, `追问最多 ${mostWhys} 层`).default([]),
  lines: z.array(line).min(1, '至少写一项整改').max(mostImprovementLines, `整改最多 ${mostImprovementLines} 项`),
  prevention: text(1000, '预防措施').min(10, '预防措施至少 10 个字：工艺、交底、样板怎么改'),
  deadline: day,
  recheckAfter: day,
  /** Pass rate to reach, in percent. */
  targetRate: nullable(z.number().int('目标合格率为整数').min(1, '目标合格率 1-100').max(100, '目标合格率 1-100')),
}

const writes = { needs: 'inspection.rectifyIssue', acts: 'review', turn: 'author' } as const
const judges = { needs: 'inspection.rectifyClose', acts: 'review', turn: 'author' } as const
const opinion = text(500, '验证情况').min(5, '验证情况至少 5 个字')

/**
 * Transitions of an improvement. From its issue until it is closed it has the state of its notice. `author`: the group that wrote it.
 */
export const improvementMoves = {
  save: { ...writes, label: '保存草稿', from: ['0'], to: null, asks: improvementFields, unlogged: true },
  issue: { ...writes, label: '下发', from: ['0'], to: '1', asks: improvementFields },
  effective: { ...judges, label: '验证有效', from: ['7'], to: null, asks: { opinion } },
  ineffective: { ...judges, label: '验证无效', from: ['7'], to: null, asks: { opinion } },
} as const satisfies Record<string, Move<RectifyState>>
export type ImprovementAction = keyof typeof improvementMoves

/** Whether the stated cause only repeats the problem: said while it is written, not refused. */
export const repeatsProblem = (cause: string, problems: readonly string[]): boolean => {
  const bare = (words: string) => words.replace(/[\s，。、；：,.;:]/g, '')
  const said = bare(cause)
  return said.length > 0 && problems.some((one) => bare(one).includes(said) || said.includes(bare(one)))
}
