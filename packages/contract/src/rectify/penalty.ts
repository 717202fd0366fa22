import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, ref, text } from '../kit/fields.ts'
import { allowedAction, codesOfMoves, type Move, moveBody, rightsOfMoves } from '../kit/process.ts'

/** States of a proposal of a penalty (监督文书 207): draft, issued, dropped. */
export type PenaltyState = '0' | '1' | '2'
export const penaltyStates = { draft: '0', issued: '1', dropped: '2' } as const
export const penaltyStateNames: Readonly<Record<string, string>> = { 0: '草稿', 1: '已出具', 2: '不予建议' }
/** 行政处罚建议书 in dictionary superviseDocType. */
export const penaltyDocType = '207'

/** What the officer writes. The amount is left to him: null proposes none. */
export const penaltyFields = {
  facts: text(3000, '违法事实').min(10, '违法事实至少 10 个字'),
  clause: filled(1000, '依据条款'),
  /** Whole yuan. */
  amountYuan: nullable(z.number({ error: '金额应为数字' }).int('金额为整数元').min(0, '金额不能为负').max(100_000_000, '金额过大')),
}

const officer = 'supervision.rectifyRecheck'
const head = 'supervision.penaltyIssue'

/** Transitions of a proposal. `issuer`: the authority that issued the notice. */
export const penaltyMoves = {
  save: {
    label: '保存草稿',
    from: ['0'],
    to: null,
    needs: [officer, head],
    acts: 'site',
    turn: 'issuer',
    asks: penaltyFields,
    unlogged: true,
  },
  issue: { label: '出具建议书', from: ['0'], to: '1', needs: head, acts: 'site', turn: 'issuer', asks: penaltyFields },
  drop: {
    label: '不予建议',
    from: ['0'],
    to: '2',
    needs: [officer, head],
    acts: 'site',
    turn: 'issuer',
    asks: { reason: text(500, '不予建议的原因').min(5, '原因至少 5 个字') },
  },
} as const satisfies Record<string, Move<PenaltyState>>
export type PenaltyAction = keyof typeof penaltyMoves

export const penaltyRow = z.object({
  id: z.string(),
  /** Drawn when it is issued. */
  code: z.string().nullable(),
  facts: z.string(),
  clause: z.string(),
  amountYuan: z.number().int().nullable(),
  state: z.string(),
  stateName: z.string(),
  createTime: z.string(),
  issueTime: z.string().nullable(),
  issuedBy: z.string().nullable(),
  dropReason: z.string().nullable(),
  version: z.number().int(),
  /** What the caller may do now. */
  actions: z.array(allowedAction),
})
export type PenaltyRow = z.output<typeof penaltyRow>

export const changePenalty = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/se/rectify/penalty/:id',
  summary: '办理行政处罚建议书',
  description: '按 action 办理：save、issue、drop；version 为读取时的版本。',
  needs: codesOfMoves(penaltyMoves),
  acts: 'site',
  actions: rightsOfMoves(penaltyMoves),
  params: z.object({ id: ref('rectifyPenalty') }),
  body: moveBody(penaltyMoves, {}),
})

/** What the print `rectifyPenalty` takes. */
export const penaltyPrint = z.object({ id: ref('rectifyPenalty') })
