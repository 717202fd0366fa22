import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'

/** What is asked of whoever receives a paper. */
export const requirements = { read: '1', forward: '2', fill: '3' } as const
export const requirementNames = { 1: '阅知', 2: '转发', 3: '填报' } as const
export const requirementCodes = ['1', '2', '3'] as const
export type Requirement = (typeof requirementCodes)[number]

/** Of one paper with one recipient. */
export type StopState = '0' | '1' | '2' | '3' | '4' | '5'
export const stopStates = { unread: '0', toForward: '1', toSubmit: '2', submitted: '3', returned: '4', done: '5' } as const
export const stopStateNames: Readonly<Record<StopState, string>> = {
  0: '待阅',
  1: '待转发',
  2: '待报',
  3: '已报',
  4: '退回',
  5: '已办结',
}
/** States in which the recipient has something to do. */
export const openStates: readonly StopState[] = ['0', '1', '2', '4']

export const mostRecipients = 500
export const mostRequired = 20
export const mostTravelFiles = 20
/** A paper is chased once in this many hours. */
export const urgeHours = 4

const files = (label: string) => z.array(filled(500, label)).max(mostTravelFiles, `${label}最多 ${mostTravelFiles} 个`)
const groups = z.array(ref('group')).min(1, '请选择下发单位').max(mostRecipients, `一次最多 ${mostRecipients} 个单位`)

export const paperFields = {
  title: filled(100, '标题'),
  requirement: z.enum(requirementCodes, { error: '请选择办理要求' }),
  content: nullable(text(2000, '内容')),
  /** What a submission has to contain. */
  required: z.array(filled(60, '应报材料')).max(mostRequired, `应报材料最多 ${mostRequired} 项`).default([]),
  deadline: nullable(day),
  files: files('附件').default([]),
  to: groups,
}

const own = { needs: 'documents.upload', acts: 'aside', turn: 'recipient' } as const
const issuer = { needs: 'documents.share', acts: 'aside', turn: 'sender' } as const

export const travelMoves = {
  read: { ...own, label: '签阅', from: ['0'], to: ['1', '2', '5'], asks: {} },
  forward: {
    ...own,
    needs: 'documents.share',
    label: '转发',
    from: ['1', '2', '4', '5'],
    to: ['2', '4', '5'],
    asks: { to: groups, remark: nullable(text(500, '说明')), deadline: nullable(day) },
  },
  submit: {
    ...own,
    label: '上报',
    from: ['2', '4'],
    to: '3',
    asks: { files: files('上报材料').min(1, '请上传上报材料'), note: nullable(text(500, '说明')) },
  },
  accept: { ...issuer, label: '接收', from: ['3'], to: '5', asks: {} },
  return: { ...issuer, label: '退回', from: ['3'], to: '4', asks: { opinion: filled(500, '退回原因') } },
} as const satisfies Record<string, Move<StopState>>
export type TravelAction = keyof typeof travelMoves
