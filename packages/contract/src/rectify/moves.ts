import { z } from 'zod'
import { voicesInput } from '../files/voices.ts'
import { day, filled, flag, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { refusal, servedTo, signing } from '../kit/signatures.ts'
import { placeFields } from '../places/pins.ts'
import { repairInput } from './repair.ts'

/** States of a notice (dictionary rectifyState). */
export type RectifyState = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8'
/** Rechecked and found mended; returned by a reviewer. */
export const [closedState, returnedState] = ['7', '6'] as const
export const closedStates: readonly RectifyState[] = ['7', '8']
/** Issued and not finished: only these can be overdue. */
export const runningStates: readonly RectifyState[] = ['1', '2', '3', '4', '5', '6']

export const mostLines = 50
export const mostPhotos = 9
export const mostExtensions = 2
/** Days until the deadline that a new notice proposes, by hiddenDangerLevel (1 一般, 2 重大). */
export const usualDays: Readonly<Record<string, number>> = { 1: 7, 2: 15 }
export const majorLevel = '2'
/** 全面停工整改通知书: stops the whole project until it is rechecked or revoked. */
export const fullStop = '4'
/** 局部 and 全面停工整改通知书 (dictionary rectifyNoticeType). */
export const stopNotices: readonly string[] = ['3', fullStop]
/** Whether an authority must go and see the site before it passes the reply: major hazards and stop-work notices. */
export const mustVisit = ({ origin, level, noticeType }: { origin: string; level: string; noticeType: string }): boolean =>
  origin === 'gov' && (level === majorLevel || stopNotices.includes(noticeType))
/** The third failed recheck is followed by the proposal of a penalty (监督文书 207). */
export const failuresToPenalty = 3

const photos = z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`)

const lineInput = z.object({
  description: text(500, '问题描述').min(5, '问题描述至少 5 个字'),
  part: text(100, '部位'),
  ...placeFields,
  clause: nullable(text(200, '条款')),
  requirement: filled(500, '整改要求'),
  person: nullable(text(50, '整改人')),
  photos: photos.default([]),
  voices: voicesInput,
})
export type LineInput = z.output<typeof lineInput>

/** What the issuer writes; a draft may be saved as often as needed. */
export const noticeFields = {
  corpCode: ref('corporation'),
  sourceType: filled(4, '来源'),
  noticeType: filled(2, '通知类型'),
  category: filled(4, '整改类别'),
  level: filled(2, '隐患等级'),
  majorClause: nullable(text(200, '重大隐患判定条款')),
  checkDate: day,
  deadline: day,
  responsiblePerson: filled(50, '整改责任人'),
  lines: z.array(lineInput).min(1, '至少写一个问题').max(mostLines, `一份通知最多 ${mostLines} 个问题`),
}

const answers = z.array(
  z.object({
    id: ref('rectifyLine'),
    measure: text(500, '整改措施'),
    photos,
    doneDate: nullable(day),
    person: nullable(text(50, '整改人')),
    /** Of a machine's defect: parts and people. */
    repair: nullable(repairInput),
  }),
)
const verdictLines = z.array(z.object({ id: ref('rectifyLine'), opinion: filled(500, '不合格原因') })).min(1, '请选择不合格的问题')
const opinion = text(500, '意见')
/** The second officer: an authority rechecks with two (supervision practice); a site signs alone. */
const second = nullable(text(50, '第二名复查人'))

const issues = ['supervision.rectifyIssue', 'inspection.rectifyIssue']
const rechecks = ['supervision.rectifyRecheck', 'inspection.rectifyClose']
const answered = { label: '提交回复', from: ['2', '3', '6'], to: ['4', '5'] } as const

/**
 * Transitions of a rectification notice, whatever its source. `issuer`: the group that issued it; `responsible`: the site and the company
 * addressed; `supervisor`: 监理 of the project.
 */
export const rectifyMoves = {
  save: { label: '保存草稿', from: ['0'], to: null, needs: issues, acts: 'review', turn: 'issuer', asks: noticeFields, unlogged: true },
  issue: { label: '下发', from: ['0'], to: '1', needs: issues, acts: 'review', turn: 'issuer', asks: noticeFields },
  sign: { label: '签收', from: ['1'], to: '2', needs: 'inspection.rectifySign', acts: 'own', turn: 'responsible', asks: signing },
  /** The officer has it signed on the spot, by whoever receives it there. */
  serve: { label: '当面送达', from: ['1'], to: '2', needs: issues, acts: 'review', turn: 'issuer', asks: servedTo },
  /** Counts as delivered: the officer and a witness of his group are named. */
  refuse: { label: '记录拒签', from: ['1'], to: '2', needs: issues, acts: 'review', turn: 'issuer', asks: refusal },
  start: { label: '开始整改', from: ['2'], to: '3', needs: 'inspection.rectifyReply', acts: 'own', turn: 'responsible', asks: {} },
  saveReply: {
    label: '保存回复',
    from: ['2', '3', '6'],
    to: null,
    needs: 'inspection.rectifyReply',
    acts: 'own',
    turn: 'responsible',
    asks: { lines: answers },
    unlogged: true,
  },
  /** Another person for a problem, for example because the former one has left the site. */
  assign: {
    label: '转派',
    from: ['1', '2', '3', '6'],
    to: null,
    needs: 'inspection.rectifyReply',
    acts: 'own',
    turn: 'responsible',
    asks: {
      lines: z
        .array(z.object({ id: ref('rectifyLine'), person: filled(50, '整改人') }))
        .min(1, '请选择要转派的问题')
        .max(mostLines, `一份通知最多 ${mostLines} 个问题`),
    },
  },
  reply: { ...answered, needs: 'inspection.rectifyReply', acts: 'own', turn: 'responsible', asks: { lines: answers, opinion } },
  /** The authority writes down what a site without an account answers on paper. With the signed sheet of 监理 it needs no review. */
  proxyReply: {
    label: '代录回复',
    from: ['2', '3', '6'],
    to: ['4', '5'],
    needs: 'supervision.rectifyProxy',
    acts: 'review',
    turn: 'issuer',
    asks: {
      lines: answers,
      opinion,
      reason: text(500, '代录原因').min(5, '代录原因至少 5 个字'),
      scans: photos.min(1, '请上传纸质整改报告的扫描件'),
      reviewSheet: photos.default([]),
    },
  },
  jlPass: {
    label: '监理通过',
    from: ['4'],
    // Closed at once where the site lets 监理 close its ordinary hazards.
    to: ['5', '7'],
    needs: 'inspection.rectifyReview',
    acts: 'supervisor',
    turn: 'supervisor',
    asks: { opinion },
  },
  jlReturn: {
    label: '监理退回',
    from: ['4'],
    to: '6',
    needs: 'inspection.rectifyReview',
    acts: 'supervisor',
    turn: 'supervisor',
    asks: { lines: verdictLines },
  },
  recheckPass: {
    label: '复查合格',
    from: ['5'],
    to: '7',
    needs: rechecks,
    acts: 'review',
    turn: 'issuer',
    asks: { opinion, second, onSite: flag.optional() },
  },
  recheckFail: {
    label: '复查不合格',
    from: ['5'],
    to: '6',
    needs: rechecks,
    acts: 'review',
    turn: 'issuer',
    asks: { lines: verdictLines, second, deadline: nullable(day) },
  },
  applyExtend: {
    label: '申请延期',
    from: ['1', '2', '3', '6'],
    to: null,
    needs: 'inspection.rectifyReply',
    acts: 'own',
    turn: 'responsible',
    asks: { until: day, reason: text(500, '延期理由').min(5, '延期理由至少 5 个字') },
  },
  decideExtend: {
    label: '审批延期',
    from: ['1', '2', '3', '4', '5', '6'],
    to: null,
    needs: ['supervision.rectifyExtend', 'inspection.rectifyClose'],
    acts: 'review',
    turn: 'issuer',
    asks: { agree: z.boolean(), opinion },
  },
  revoke: {
    label: '撤销',
    from: ['1', '2', '3'],
    to: '8',
    needs: ['supervision.rectifyRevoke', 'inspection.rectifyClose'],
    acts: 'review',
    turn: 'issuer',
    asks: { reason: text(500, '撤销原因').min(5, '撤销原因至少 5 个字') },
  },
  urge: { label: '催办', from: ['1', '2', '3', '6'], to: null, needs: issues, acts: 'review', turn: 'issuer', asks: {} },
} as const satisfies Record<string, Move<RectifyState>>
export type RectifyAction = keyof typeof rectifyMoves
