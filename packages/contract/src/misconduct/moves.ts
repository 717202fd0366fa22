import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { fileRefs } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import type { BadState } from './codes.ts'
import { leastAppealDays, leastMonths, mostAppealDays, mostMonths, mostPoints, proposedAppealDays } from './codes.ts'

const mostFiles = 20
const score = z.coerce.number({ error: '扣分应为数字' }).min(0, '扣分不能为负').max(mostPoints, `扣分最多 ${mostPoints} 分`)
const evidence = (label: string) => fileRefs(label, mostFiles)

/** What the proposer writes. A draft may lack what submitting requires. */
export const badFields = {
  targetType: z.enum(['1', '2', '3', '4'], { error: '请选择对象' }),
  /** Id of the person, team or expert, or the code of the company. */
  target: filled(64, '对象'),
  type: filled(4, '行为类别'),
  level: dict('actionLevel', '严重程度'),
  degree: dict('actionDegree', '认定级别'),
  occurrenceDate: nullable(day),
  fact: text(2000, '事实').default(''),
  basis: text(500, '认定依据').default(''),
  score,
  source: z.enum(['1', '2', '3', '4', '9']).default('9'),
  /** The notice that it comes from. */
  rectifyId: nullable(ref('rectify')),
  files: evidence('证据').default([]),
  /** The proposer has seen similar records and finds that this is another fact. */
  apart: z.boolean().default(false),
}

const proposes = ['inspection.badPropose', 'experts.misconduct'] as const
const decides = ['inspection.badDecide', 'experts.misconduct'] as const
const answers = ['inspection.badAppeal', 'experts.misconduct'] as const
const opinion = text(500, '意见').default('')
const why = (label: string) => text(500, label).min(5, `${label}至少 5 个字`)

/**
 * Transitions of a record (dictionary misconductState). `proposer`: the group that wrote it; `decider`: the authority or company that it is
 * put to; `judge`: that one, or an authority above it; `party`: the target's company or site, of an expert the library.
 */
export const badMoves = {
  save: {
    label: '保存草稿',
    from: ['0', '3'],
    to: null,
    needs: proposes,
    acts: 'review',
    turn: 'proposer',
    asks: badFields,
    unlogged: true,
  },
  submit: { label: '提交', from: ['0', '3'], to: '1', needs: proposes, acts: 'review', turn: 'proposer', asks: badFields },
  /** A draft of the system that the officer does not follow. */
  drop: { label: '不采纳', from: ['0'], to: '3', needs: proposes, acts: 'review', turn: 'proposer', asks: { opinion: why('不采纳原因') } },
  withdraw: { label: '撤回', from: ['1'], to: '0', needs: proposes, acts: 'review', turn: 'proposer', asks: {} },
  decide: {
    label: '认定',
    from: ['1'],
    to: '2',
    needs: decides,
    acts: 'site',
    turn: 'decider',
    asks: {
      opinion,
      level: dict('actionLevel', '严重程度'),
      score,
      months: z.coerce
        .number({ error: '请填写公示月数' })
        .int('公示月数应为整数')
        .min(leastMonths, `公示 ${leastMonths} 至 ${mostMonths} 个月`)
        .max(mostMonths, `公示 ${leastMonths} 至 ${mostMonths} 个月`),
      appealDays: z.coerce
        .number({ error: '请填写申诉期限' })
        .int('申诉期限应为整数')
        .min(leastAppealDays, `申诉期限 ${leastAppealDays} 至 ${mostAppealDays} 天`)
        .max(mostAppealDays, `申诉期限 ${leastAppealDays} 至 ${mostAppealDays} 天`)
        .default(proposedAppealDays),
    },
  },
  reject: { label: '驳回', from: ['1'], to: '3', needs: decides, acts: 'site', turn: 'decider', asks: { opinion: why('驳回原因') } },
  /** The party signs for the decision: the publication begins. */
  receive: { label: '签收', from: ['2'], to: null, needs: answers, acts: 'own', turn: 'party', asks: {} },
  /** The decision was served on paper: with proof of the day on which it was received. */
  serve: {
    label: '登记送达',
    from: ['2'],
    to: null,
    needs: decides,
    acts: 'site',
    turn: 'decider',
    asks: { receiver: filled(50, '收件人'), receiveDate: day, files: evidence('送达回证').min(1, '请上传送达回证') },
  },
  appeal: {
    label: '申诉',
    from: ['2'],
    to: '4',
    needs: answers,
    acts: 'own',
    turn: 'party',
    asks: { reason: text(1000, '申诉理由').min(10, '申诉理由至少 10 个字'), files: evidence('申诉材料').default([]) },
  },
  uphold: { label: '维持', from: ['4'], to: '2', needs: decides, acts: 'site', turn: 'judge', asks: { opinion: why('维持理由') } },
  cancel: { label: '撤销', from: ['4'], to: '7', needs: decides, acts: 'site', turn: 'judge', asks: { opinion: why('撤销理由') } },
  applyRepair: {
    label: '申请信用修复',
    from: ['2'],
    to: null,
    needs: answers,
    acts: 'own',
    turn: 'party',
    asks: { reason: text(1000, '整改情况').min(10, '整改情况至少 10 个字'), files: evidence('整改证明').min(1, '请上传整改证明') },
  },
  repair: { label: '通过修复', from: ['2'], to: '5', needs: decides, acts: 'site', turn: 'decider', asks: { opinion } },
  refuseRepair: {
    label: '不予修复',
    from: ['2'],
    to: null,
    needs: decides,
    acts: 'site',
    turn: 'decider',
    asks: { opinion: why('不予修复原因') },
  },
} as const satisfies Record<string, Move<BadState>>
export type BadAction = keyof typeof badMoves
