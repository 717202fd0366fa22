import { z } from 'zod'
import { filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'

/** States (dictionary feedbackState): unanswered, answered, closed. */
type AdviceState = '0' | '1' | '2'
export const unanswered: AdviceState = '0'
export const answered: AdviceState = '1'
/** 投诉举报 in dictionary feedbackType: hidden from whom it concerns, and its submitter from everybody. */
export const complaint = '3'

export const mostImages = 9
/** Days within which an item is to be answered. */
export const answerDays = 3
/** Days after an answer without a further question after which the item is closed. */
export const closeDays = 7

export const images = z.array(text(400, '图片')).max(mostImages, `图片最多 ${mostImages} 张`).default([])
export const adviceText = (label: string) => text(1000, label).min(5, `${label}至少 5 个字`)

/** How content the submitter is with the answer. */
export const satisfactions = { 3: '满意', 2: '一般', 1: '不满意' } as const
const satisfaction = nullable(z.coerce.number().int().min(1, '请选择满意度').max(3, '请选择满意度'))

const replies = 'supervision.adviceReply'
const submits = 'supervision.adviceSubmit'

/** Transitions of an item of advice. `addressee`: the group it is put to; `submitter`: who put it. */
export const adviceMoves = {
  reply: {
    label: '回复',
    from: ['0'],
    to: '1',
    needs: replies,
    acts: 'aside',
    turn: 'addressee',
    asks: { content: adviceText('回复'), images },
  },
  forward: {
    label: '转办',
    from: ['0'],
    to: null,
    needs: replies,
    acts: 'aside',
    turn: 'addressee',
    asks: { addressee: ref('group'), reason: filled(500, '转办原因') },
  },
  note: {
    label: '内部备注',
    from: ['0', '1', '2'],
    to: null,
    needs: replies,
    acts: 'aside',
    turn: 'addressee',
    asks: { content: filled(1000, '备注') },
    unlogged: true,
  },
  reask: {
    label: '追问',
    from: ['1'],
    to: '0',
    needs: submits,
    acts: 'aside',
    turn: 'submitter',
    asks: { content: adviceText('追问'), images },
  },
  close: { label: '关闭', from: ['1'], to: '2', needs: submits, acts: 'aside', turn: 'submitter', asks: { satisfaction } },
} as const satisfies Record<string, Move<AdviceState>>
export type AdviceAction = keyof typeof adviceMoves
