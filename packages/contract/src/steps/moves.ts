import { z } from 'zod'
import { day, filled, instant, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { drawnImage } from '../kit/signatures.ts'
import { pin } from '../places/pins.ts'
import { dict } from '../settings/dict-field.ts'
import { stepKinds, stepWorks } from './chain.ts'

/** 草稿, 待监理验收, 验收通过, 不合格, 已归档. */
export type StepState = '0' | '1' | '2' | '3' | '4'
export const stepStates: Readonly<Record<StepState, string>> = { 0: '草稿', 1: '待监理验收', 2: '验收通过', 3: '不合格', 4: '已归档' }
export const draftStep: StepState = '0'
export const failedStep: StepState = '3'

export const mostStepPhotos = 12
const mostCheckers = 6
const mostPoints = 20
const mostValue = 100_000

const photos = z.array(text(400, '照片')).max(mostStepPhotos, `照片最多 ${mostStepPhotos} 张`)

/** What was found at one point of the step. */
const pointInput = z.object({
  key: filled(30, '检查点'),
  /** Of a measured point. */
  value: nullable(z.number({ error: '请填写实测值' }).min(-mostValue, '实测值过小').max(mostValue, '实测值过大')),
  /** Of a point judged by eye. */
  fine: nullable(z.boolean()),
  note: nullable(text(200, '说明')),
  photos: z.array(text(400, '照片')).max(mostStepPhotos, `照片最多 ${mostStepPhotos} 张`).default([]),
})
export type PointInput = z.output<typeof pointInput>
const points = z.array(pointInput).max(mostPoints, '检查点过多')

/** What the order of a failed step needs. */
const orderFields = {
  /** Names; empty: whoever answers for the company. */
  person: nullable(text(50, '整改人')),
  /** Null: not needed, because everything passes. */
  deadline: nullable(day),
  problems: z.array(dict('qualityProblem', '质量通病')).max(5, '质量通病最多 5 个').default([]),
}

/** What the quality officer writes. */
export const stepFields = {
  work: z.enum(stepWorks.map((one) => one.code) as [string, ...string[]], { error: '请选择工序' }),
  kind: z.enum(Object.keys(stepKinds) as [string, ...string[]], { error: '请选择验收类别' }),
  placeId: ref('sitePlace'),
  pin: nullable(pin),
  part: filled(100, '部位'),
  corpCode: ref('corporation'),
  gang: nullable(text(50, '班组')),
  /** When the work of this step began. */
  begunAt: nullable(instant),
  /** Null: now. */
  checkTime: nullable(instant),
  /** Names; empty: the caller. */
  checkers: z.array(filled(50, '检查人')).max(mostCheckers, `检查人最多 ${mostCheckers} 名`).default([]),
  /** Of the whole; before it is covered. */
  photos: photos.default([]),
  remark: nullable(text(500, '检查情况')),
  points,
  ...orderFields,
}

const writes = { needs: 'safety-management.edit', acts: 'site', turn: 'author' } as const
const decides = { needs: 'safety-management.review', acts: 'supervisor', turn: 'supervisor' } as const

/** Transitions of an acceptance. `author`: the group that wrote it; `supervisor`: 监理. */
export const stepMoves = {
  save: { ...writes, label: '保存草稿', from: ['0'], to: null, asks: stepFields, unlogged: true },
  submit: { ...writes, label: '提交', from: ['0'], to: ['1', '2', '3'], asks: stepFields },
  accept: {
    ...decides,
    label: '同意验收',
    from: ['1'],
    to: '2',
    asks: { opinion: text(500, '验收意见'), signature: drawnImage },
  },
  refuse: {
    ...decides,
    label: '不同意验收',
    from: ['1'],
    to: '3',
    asks: {
      opinion: text(500, '问题').min(5, '问题至少 5 个字'),
      requirement: text(500, '整改要求').min(2, '请填写整改要求'),
      deadline: day,
    },
  },
  recheck: {
    ...writes,
    label: '复验',
    from: ['3'],
    to: ['1', '2', '3'],
    asks: { points, photos: photos.default([]), remark: nullable(text(500, '复验情况')) },
  },
  archive: { needs: 'safety-management.archive', acts: 'site', turn: 'site', label: '归档', from: ['2'], to: '4', asks: {} },
} as const satisfies Record<string, Move<StepState>>
export type StepAction = keyof typeof stepMoves
