import { z } from 'zod'
import { witnesses } from '../draw/file.ts'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { fileRef, fileRefs } from '../labour/model.ts'
import { area } from '../settings/dict-field.ts'
import { mobile, registerFields } from './model.ts'

export const reason = (label = '原因') => filled(500, label).min(2, `${label}至少 2 个字`)

/** Dictionary expertState. */
export const expertStates = { draft: '0', waiting: '1', listed: '2', rejected: '3', paused: '4', removed: '5', ended: '6' } as const
type ExpertState = (typeof expertStates)[keyof typeof expertStates]
export const mostTermYears = 5

const [edits, reviews, draws] = ['experts.edit', 'experts.review', 'experts.draw']

const { idCardNumber: _fixed, ...kept } = registerFields

/** Transitions of an expert's file. `library`: the authority that keeps it. */
export const expertMoves = {
  // The identity number is fixed from the first saving on; an empty phone keeps the stored one.
  save: {
    label: '修改',
    from: ['0', '2', '3', '4'],
    to: null,
    needs: edits,
    acts: 'aside',
    turn: 'library',
    asks: { ...kept, phone: nullable(mobile) },
  },
  submit: { label: '提交审核', from: ['0', '3'], to: '1', needs: edits, acts: 'aside', turn: 'library', asks: {} },
  pass: {
    label: '通过',
    from: ['1'],
    to: '2',
    needs: reviews,
    acts: 'aside',
    turn: 'library',
    asks: {
      years: z.coerce.number().int().min(1, '聘期 1 至 5 年').max(mostTermYears, '聘期 1 至 5 年').default(3),
      opinion: nullable(text(500)),
    },
  },
  reject: { label: '驳回', from: ['1'], to: '3', needs: reviews, acts: 'aside', turn: 'library', asks: { opinion: reason('驳回原因') } },
  suspend: { label: '暂停', from: ['2'], to: '4', needs: reviews, acts: 'aside', turn: 'library', asks: { opinion: reason('暂停原因') } },
  resume: { label: '恢复', from: ['4'], to: '2', needs: reviews, acts: 'aside', turn: 'library', asks: { opinion: reason('恢复原因') } },
  renew: {
    label: '续聘',
    from: ['2', '6'],
    to: '2',
    needs: reviews,
    acts: 'aside',
    turn: 'library',
    asks: { years: z.coerce.number().int().min(1, '聘期 1 至 5 年').max(mostTermYears, '聘期 1 至 5 年').default(3) },
  },
  remove: {
    label: '出库',
    from: ['2', '4', '6'],
    to: '5',
    needs: reviews,
    acts: 'aside',
    turn: 'library',
    asks: { opinion: reason('出库原因') },
  },
  accept: { label: '同意专业变更', from: ['2'], to: null, needs: reviews, acts: 'aside', turn: 'wish', asks: {} },
  refuse: {
    label: '驳回专业变更',
    from: ['2'],
    to: null,
    needs: reviews,
    acts: 'aside',
    turn: 'wish',
    asks: { opinion: reason('驳回原因') },
  },
} as const satisfies Record<string, Move<ExpertState>>
export type ExpertAction = keyof typeof expertMoves

export const drawStates = { 0: '待抽取', 1: '邀请中', 2: '已确定', 3: '已取消' } as const
export type DrawState = '0' | '1' | '2' | '3'
export const drawCodes = { frozen: '0', calling: '1', full: '2', cancelled: '3' } as const
export const replyStates = {
  invited: '待答复',
  accepted: '同意',
  refused: '拒绝',
  silent: '无应答',
  standby: '候补',
  passed: '回避或已占用',
} as const
export type ReplyState = keyof typeof replyStates

/** Transitions of a draw. `organiser`: who froze it; `caller`: who may see the names before the meeting. */
export const drawMoves = {
  draw: { label: '抽取', from: ['0'], to: ['1'], needs: draws, acts: 'aside', turn: 'organiser', asks: { witnesses } },
  reply: {
    label: '登记答复',
    from: ['1', '2'],
    to: ['1', '2'],
    needs: draws,
    acts: 'aside',
    turn: 'caller',
    asks: { seat: ref('expertSeat'), answer: z.enum(['accepted', 'refused'], { error: '请选择答复' }), note: nullable(text(200)) },
  },
  next: {
    label: '顺延',
    from: ['1', '2'],
    to: ['1', '2'],
    needs: draws,
    acts: 'aside',
    turn: 'caller',
    asks: { seat: ref('expertSeat'), note: reason('顺延原因') },
  },
  cancel: {
    label: '取消',
    from: ['0', '1', '2'],
    to: '3',
    needs: draws,
    acts: 'aside',
    turn: 'organiser',
    asks: { note: reason('取消原因') },
  },
} as const satisfies Record<string, Move<DrawState>>
export type DrawAction = keyof typeof drawMoves

export const activityStates = { 1: '待召开', 2: '进行中', 3: '待归档', 4: '已完成', 5: '已取消' } as const
export type ActivityState = '1' | '2' | '3' | '4' | '5'
/** Fewest signed-in experts for the conclusion of a review of an over-scale work (危险性较大的分部分项工程, 超规模). */
export const leastReviewers = 5
/** 专项方案论证 in dictionary expertActivityType. */
export const planReview = '1'
const activity = 'experts.activity'

export const activityMoves = {
  signIn: {
    label: '签到',
    from: ['1', '2'],
    to: '2',
    needs: activity,
    acts: 'aside',
    turn: 'organiser',
    asks: { seat: ref('activitySeat'), phone: mobile },
  },
  conclude: {
    label: '录入结论',
    from: ['2', '3'],
    to: '3',
    needs: activity,
    acts: 'aside',
    turn: 'organiser',
    asks: {
      result: z.enum(['passed', 'changed', 'failed', 'done'], { error: '请选择结论' }),
      conclusion: filled(1000, '结论').min(5, '结论至少 5 个字'),
      report: nullable(fileRef),
    },
  },
  pay: {
    label: '登记酬劳',
    from: ['3', '4'],
    to: null,
    needs: activity,
    acts: 'aside',
    turn: 'organiser',
    asks: {
      fees: z
        .array(
          z.object({ seat: ref('activitySeat'), feeCents: z.coerce.number().int().min(0, '酬劳不能为负').max(10_000_000, '酬劳过大') }),
        )
        .max(50),
    },
  },
  finish: { label: '完成归档', from: ['3'], to: '4', needs: activity, acts: 'aside', turn: 'organiser', asks: {} },
  cancel: {
    label: '取消活动',
    from: ['1', '2'],
    to: '5',
    needs: activity,
    acts: 'aside',
    turn: 'organiser',
    asks: { note: reason('取消原因') },
  },
} as const satisfies Record<string, Move<ActivityState>>
export type ActivityAction = keyof typeof activityMoves
export const activityResults = { passed: '通过', changed: '修改后通过', failed: '不通过', done: '已完成' } as const

export const tripStates = { 0: '待审批', 1: '已批准', 2: '已驳回', 3: '已销假', 4: '已取消' } as const
export type TripState = '0' | '1' | '2' | '3' | '4'
/** Days after the end within which the report is due. */
export const reportDays = 10

export const tripMoves = {
  pass: { label: '批准', from: ['0'], to: '1', needs: reviews, acts: 'aside', turn: 'library', asks: { opinion: nullable(text(500)) } },
  reject: { label: '驳回', from: ['0'], to: '2', needs: reviews, acts: 'aside', turn: 'library', asks: { opinion: reason('驳回原因') } },
  extend: {
    label: '延期',
    from: ['1'],
    to: null,
    needs: reviews,
    acts: 'aside',
    turn: 'library',
    asks: { endDate: day, opinion: reason('延期原因') },
  },
  back: {
    label: '销假',
    from: ['1'],
    to: '3',
    needs: activity,
    acts: 'aside',
    turn: 'library',
    asks: { report: filled(1000, '活动报告').min(5, '活动报告至少 5 个字'), photos: fileRefs('照片', 9).default([]) },
  },
  cancel: {
    label: '取消',
    from: ['0', '1'],
    to: '4',
    needs: activity,
    acts: 'aside',
    turn: 'library',
    asks: { opinion: reason('取消原因') },
  },
} as const satisfies Record<string, Move<TripState>>
export type TripAction = keyof typeof tripMoves
export const payers = { 1: '邀请单位', 2: '派遣单位', 3: '本人' } as const
export const destination = area('目的地')
