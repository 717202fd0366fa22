import { z } from 'zod'
import { day, filled, nullable, phoneText, pointsTo, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'
import { useKeys } from './place-rules.ts'

/** Dictionary fireAssessState. */
export type FireState = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
export const fireStates = {
  draft: '0',
  waiting: '1',
  refused: '2',
  accepted: '3',
  onSite: '4',
  recheck: '5',
  passed: '6',
  failed: '7',
  ended: '8',
  notDrawn: '9',
} as const satisfies Record<string, FireState>
/** Dictionary fireProjectKind. */
export const fireKinds = { special: '1', filing: '2', drawnFiling: '3' } as const
export const applyTypes: Readonly<Record<string, string>> = { 1: '首次', 2: '复评' }
/** The deadline runs in these. */
export const runningStates: readonly FireState[] = ['3', '4']

export const leastAssessors = 2
export const mostAssessors = 8
export const mostBuilds = 40
export const mostFirePhotos = 9
const mostMaterials = 30
const mostParts = 40

const amount = (label: string, most: number) =>
  nullable(
    z
      .number({ error: `${label}应为数字` })
      .min(0, `${label}不能为负`)
      .max(most, `${label}过大`),
  )
const floors = (label: string) =>
  z
    .number({ error: `请填写${label}` })
    .int(`${label}应为整数`)
    .min(0, `${label}不能为负`)
    .max(200, `${label}过大`)

/** A building of the application. */
export const buildFields = z.object({
  unitId: nullable(ref('unitProject')),
  name: filled(50, '单体名称'),
  use: z.enum(useKeys, { error: '请选择用途' }),
  structureType: nullable(dict('structureType', '结构类型')),
  fireRating: dict('fireRating', '耐火等级'),
  danger: dict('fireDanger', '火灾危险性'),
  useProperty: dict('fireUseProperty', '使用性质'),
  floorsUp: floors('地上层数'),
  floorsDown: floors('地下层数'),
  height: z.number({ error: '请填写高度' }).min(0, '高度不能为负').max(1_000, '高度过大'),
  length: amount('长度', 10_000),
  footprint: amount('占地面积', 1_000_000),
  areaUp: z.number({ error: '请填写地上面积' }).min(0, '地上面积不能为负').max(10_000_000, '地上面积过大'),
  areaDown: z.number({ error: '请填写地下面积' }).min(0, '地下面积不能为负').max(10_000_000, '地下面积过大'),
  /** Kinds of place that the applicant adds to those that follow from the thresholds. */
  addedPlaces: z.array(dict('firePlace', '重点场所')).max(20, '重点场所过多').default([]),
})
export type BuildFields = z.output<typeof buildFields>

/** 装修, 保温, 堆场储罐, 改变用途. */
export const partKinds = { decoration: '装修', insulation: '保温', storage: '储罐堆场', useChange: '改变用途' } as const
export type PartKind = keyof typeof partKinds
export const partFields = z.object({
  kind: z.enum(Object.keys(partKinds) as [PartKind, ...PartKind[]], { error: '类别不正确' }),
  /** 部位, 位置, 原用途. */
  place: filled(100, '部位'),
  /** 材料, 形式与储存物质, 现用途. */
  content: text(200, '说明').default(''),
  floor: text(50, '所在层').default(''),
  /** m², m³. */
  amount: amount('数量', 10_000_000),
  /** 燃烧性能. */
  grade: nullable(z.enum(['A', 'B1', 'B2'], { error: '燃烧性能不正确' })),
})

/** What the applicant writes. */
export const applyFields = {
  kind: z.enum(['1', '2'], { error: '请选择业务类型' }),
  contact: filled(64, '联系人'),
  tel: phoneText('电话', 16).min(5, '请填写电话'),
  isPart: z.boolean().default(false),
  designReviewNo: nullable(text(50, '消防设计审查意见书文号')),
  designReviewDate: nullable(day),
  licenseNo: filled(50, '施工许可证号'),
  builds: z.array(buildFields).min(1, '至少一个单体').max(mostBuilds, `单体最多 ${mostBuilds} 个`),
  parts: z.array(partFields).max(mostParts, `最多 ${mostParts} 行`).default([]),
  materials: z.array(text(400, '材料')).max(mostMaterials, `材料最多 ${mostMaterials} 件`).default([]),
}

export const assessorField = z.object({
  /** An account of the authority. */
  userId: nullable(ref('user')),
  expertId: nullable(ref('expert')),
  name: filled(50, '姓名'),
})
export type Assessor = z.output<typeof assessorField>

const apply = { needs: 'fire-acceptance.apply', acts: 'site', turn: 'applicant' } as const
const accept = { needs: 'fire-acceptance.accept', acts: 'site', turn: 'authority' } as const
const assign = { needs: 'fire-acceptance.assign', acts: 'site', turn: 'authority' } as const
const assess = { needs: 'fire-acceptance.assess', acts: 'site', turn: 'assessor' } as const
const leads = { needs: 'fire-acceptance.sign', acts: 'site', turn: 'authority' } as const
const opinion = (label: string, least = 4) => text(500, label).min(least, `${label}至少 ${least} 个字`)

/** Transitions of a case. `applicant`: the group of the 建设单位 that wrote it; `authority`: the one of the area; `assessor`: named for it. */
export const fireMoves = {
  save: { ...apply, label: '保存', from: ['0', '2'], to: null, asks: applyFields, unlogged: true },
  submit: { ...apply, label: '提交', from: ['0', '2'], to: '1', asks: applyFields },
  withdraw: { ...apply, label: '撤回', from: ['1'], to: '0', asks: {} },
  accept: { ...accept, label: '受理', from: ['1'], to: '3', asks: {} },
  refuse: {
    ...accept,
    label: '不予受理',
    from: ['1'],
    to: '2',
    asks: { noAcceptReason: dict('fireNoAcceptReason', '不予受理原因'), opinion: opinion('缺少或不符的材料') },
  },
  draw: { ...accept, label: '随机抽取', from: ['3'], to: ['3', '9'], asks: {} },
  assign: {
    ...assign,
    label: '派组',
    from: ['3', '4'],
    to: null,
    asks: {
      assessors: z.array(assessorField).max(mostAssessors, `评定人员最多 ${mostAssessors} 名`).default([]),
      /** Draws so many of the officers who may be assigned, instead of naming them. */
      drawn: nullable(z.number().int().min(leastAssessors, `评定人员至少 ${leastAssessors} 名`).max(mostAssessors)),
      assessDate: nullable(day),
    },
  },
  postpone: { ...assign, label: '改期', from: ['3', '4'], to: null, asks: { assessDate: day, opinion: opinion('改期原因') } },
  askPapers: { ...accept, label: '要求补正', from: ['3', '4'], to: null, asks: { opinion: opinion('须补正的材料') } },
  givePapers: {
    ...apply,
    label: '提交补正',
    from: ['3', '4'],
    to: null,
    asks: {
      opinion: opinion('补正说明'),
      materials: z.array(text(400, '材料')).min(1, '请附补正的材料').max(mostMaterials, `材料最多 ${mostMaterials} 件`),
    },
  },
  start: {
    ...assess,
    label: '开始评定',
    from: ['3'],
    to: '4',
    asks: {
      lng: z.number().min(-180).max(180).nullish(),
      lat: z.number().min(-90).max(90).nullish(),
      placeReason: nullable(text(200, '异常原因')),
    },
  },
  conclude: { ...assess, label: '提交评定', from: ['4'], to: null, asks: {} },
  sendBack: { ...leads, label: '退回补充', from: ['4'], to: null, asks: { opinion: opinion('退回原因') } },
  issue: {
    ...leads,
    label: '签发意见书',
    from: ['4'],
    to: ['6', '7'],
    asks: { opinion: opinion('评定意见'), remark: nullable(text(500, '不同意见')) },
  },
  recheck: {
    ...apply,
    label: '申请复评',
    from: ['7'],
    to: '5',
    asks: {
      proofs: z
        .array(
          z.object({
            /** Entry of the failed point. */
            pointId: pointsTo('firePoint', filled(64, '要点')),
            note: opinion('整改说明', 2),
            files: z.array(text(400, '照片')).min(1, '请附整改后的照片').max(mostFirePhotos, `照片最多 ${mostFirePhotos} 张`),
          }),
        )
        .min(1, '请逐条填写整改情况')
        .max(500, '要点过多'),
    },
  },
  acceptRecheck: { ...accept, label: '受理复评', from: ['5'], to: '4', asks: {} },
  terminate: {
    needs: ['fire-acceptance.apply', 'fire-acceptance.accept'],
    acts: 'site',
    turn: 'either',
    label: '终止',
    from: ['0', '1', '2', '3', '4', '5'],
    to: '8',
    asks: { opinion: opinion('终止原因') },
  },
} as const satisfies Record<string, Move<FireState>>
export type FireAction = keyof typeof fireMoves

/** Steps that the applicant learns of only by the signed opinion. */
export const internalSteps: readonly FireAction[] = ['start', 'conclude', 'sendBack', 'postpone']
/** Actions whose wording or fields are for one case at a time: the draw takes several, by its own call. */
const { draw: _draw, ...single } = fireMoves
export const singleMoves = single
