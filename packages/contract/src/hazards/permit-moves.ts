import { z } from 'zod'
import { filled, instant, nullable, pointsTo, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { placeFields } from '../places/pins.ts'
import { mostHazardPhotos } from './moves.ts'
import { permitTypes } from './permit-rules.ts'

/** Dictionary workPermitState: 草稿, 待审批, 已批准, 作业中, 已关闭, 已驳回, 超时未关闭. */
export type PermitState = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export const permitStates: Readonly<Record<PermitState, string>> = {
  0: '草稿',
  1: '待审批',
  2: '已批准',
  3: '作业中',
  4: '已关闭',
  5: '已驳回',
  6: '超时未关闭',
}
/** Approved or running: these end by themselves. */
export const openPermits: readonly PermitState[] = ['2', '3']
export const overduePermit: PermitState = '6'
export const draftPermit: PermitState = '0'
export const closedPermit: PermitState = '4'
export const rejectedPermit: PermitState = '5'

export const mostWorkers = 30
const mostMeasures = 12
const mostGas = 1000
const photos = z.array(text(400, '照片')).max(mostHazardPhotos, `照片最多 ${mostHazardPhotos} 张`)
const proof = photos.min(1, '请附现场照片')

const measureInput = z.object({
  /** One of the measures of the type, by its place in the list. */
  seq: z.number().int().min(0).max(mostMeasures),
  done: z.boolean(),
  photos: photos.default([]),
})
const person = (label: string) =>
  pointsTo(
    'worker',
    z
      .string({ error: `请选择${label}` })
      .trim()
      .min(1, `请选择${label}`)
      .max(64, '编号过长'),
  )

/** What the applicant writes. */
export const permitFields = {
  type: z.enum(Object.keys(permitTypes) as [string, ...string[]], { error: '请选择作业类型' }),
  /** Of hot work. */
  level: nullable(text(10, '级别')),
  content: filled(200, '作业内容'),
  part: filled(100, '作业部位'),
  ...placeFields,
  corpCode: ref('corporation'),
  hazardId: nullable(ref('hazardSource')),
  startTime: instant,
  endTime: instant,
  workers: z.array(person('作业人员')).min(1, '请选择作业人员').max(mostWorkers, `作业人员最多 ${mostWorkers} 名`),
  guardianId: person('监护人'),
  /** The lifting machine and who drives it. */
  deviceId: nullable(ref('device')),
  driverId: nullable(ref('worker')),
  measures: z.array(measureInput).max(mostMeasures, '措施过多'),
}

const gasValue = (label: string) =>
  z
    .number({ error: `请填写${label}` })
    .min(0, `${label}不能为负`)
    .max(mostGas, `${label}过大`)
/** Readings of the instrument: %, %LEL, mg/m³, mg/m³. */
const gasFields = {
  oxygen: gasValue('氧含量'),
  combustible: gasValue('可燃气'),
  carbonMonoxide: gasValue('一氧化碳'),
  hydrogenSulfide: gasValue('硫化氢'),
  spot: filled(50, '检测点'),
  tester: filled(50, '检测人'),
}

const writes = { needs: 'safety-management.edit', acts: 'site', turn: 'author' } as const
const guards = { needs: 'safety-management.edit', acts: 'site', turn: 'site' } as const
const decides = { needs: 'safety-management.permitApprove', acts: 'site', turn: 'approver' } as const
const opinion = text(500, '意见')

/** Transitions of a work permit. `author`: the group that asked; `approver`: whoever decides on the site. The end is written by the product. */
export const permitMoves = {
  save: { ...writes, label: '保存草稿', from: ['0', '5'], to: '0', asks: permitFields, unlogged: true },
  submit: { ...writes, label: '提交', from: ['0', '5'], to: '1', asks: permitFields },
  approve: { ...decides, label: '批准', from: ['1'], to: '2', asks: { opinion } },
  reject: { ...decides, label: '驳回', from: ['1'], to: '5', asks: { opinion: opinion.min(4, '驳回意见至少 4 个字') } },
  gas: { ...guards, label: '登记气体检测', from: ['2', '3'], to: null, asks: gasFields },
  start: { ...guards, label: '开工确认', from: ['2'], to: '3', asks: { photos: photos.default([]) } },
  handover: {
    ...guards,
    label: '监护交接',
    from: ['3'],
    to: null,
    asks: { guardianId: person('接班监护人'), note: nullable(text(200, '交接情况')) },
  },
  extend: {
    ...guards,
    label: '申请延时',
    from: ['3'],
    to: null,
    asks: { extendTo: instant, opinion: text(200, '延时理由').min(4, '理由至少 4 个字') },
  },
  extendPass: { ...decides, label: '同意延时', from: ['3'], to: null, asks: { opinion } },
  extendRefuse: { ...decides, label: '不同意延时', from: ['3'], to: null, asks: { opinion: opinion.min(4, '意见至少 4 个字') } },
  finish: { ...guards, label: '动火结束', from: ['3', '6'], to: null, asks: { photos: proof } },
  close: { ...guards, label: '完工确认', from: ['2', '3', '6'], to: '4', asks: { photos, note: nullable(text(500, '完工情况')) } },
} as const satisfies Record<string, Move<PermitState>>
export type PermitAction = keyof typeof permitMoves
