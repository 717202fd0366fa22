import { z } from 'zod'
import { filled, instant, nullable, ref, text } from '../kit/fields.ts'
import { vehicleNumber } from '../kit/plate.ts'
import type { Move } from '../kit/process.ts'
import { drawnImage } from '../kit/signatures.ts'
import { placeFields } from '../places/pins.ts'
import { dict } from '../settings/dict-field.ts'

/** 待验收, then dictionary materialCheckResult: 合格入场, 待复验, 不合格退场, 让步接收. */
export type MaterialState = '0' | '1' | '2' | '3' | '4'
export const materialStates: Readonly<Record<MaterialState, string>> = {
  0: '待验收',
  1: '合格入场',
  2: '待复验',
  3: '不合格退场',
  4: '让步接收',
}
export const receivedMaterial: MaterialState = '0'
export const passedMaterial: MaterialState = '1'
export const retestedMaterial: MaterialState = '2'
export const rejectedMaterial: MaterialState = '3'

export const mostMaterialFiles = 9
export const mostTickets = 40
const mostQuantity = 99_999_999

const files = (label: string) => z.array(text(400, label)).max(mostMaterialFiles, `${label}最多 ${mostMaterialFiles} 个`)
const photos = files('照片')
export const quantity = z
  .number({ error: '请填写数量' })
  .positive('数量应大于 0')
  .max(mostQuantity, '数量过大')
  .refine((n) => Math.abs(n * 1000 - Math.round(n * 1000)) < 1e-6, '数量最多三位小数')

/** What the keeper writes when a batch arrives. */
export const materialFields = {
  category: dict('materialCategory', '材料类别'),
  name: filled(100, '材料名称'),
  spec: filled(100, '规格型号'),
  brand: nullable(text(100, '品牌/产地')),
  supplier: filled(100, '供应商'),
  /** Required for reinforcement, cement, waterproofing and cables. */
  batchNo: nullable(text(50, '批号')),
  quantity,
  unit: dict('materialUnit', '单位'),
  /** Null: now. */
  arriveTime: nullable(instant),
  /** The company that receives it. */
  corpCode: ref('corporation'),
  plateNo: nullable(vehicleNumber),
  usePart: nullable(text(200, '拟用部位')),
  certFiles: files('质量证明文件').min(1, '请上传质量证明文件（合格证、出厂检验报告）'),
  photos: photos.default([]),
  /** Tickets of the weighbridge. */
  tickets: z.array(ref('deviceRecord')).max(mostTickets, `一批最多关联 ${mostTickets} 张磅单`).default([]),
}

const keeps = { needs: 'inspection.materialReceive', acts: 'own', turn: 'responsible' } as const
const witnesses = { needs: 'inspection.materialWitness', acts: 'supervisor', turn: 'supervisor' } as const
const reason = text(500, '原因').min(5, '原因至少 5 个字')

/** Transitions of a batch. `responsible`: the site and the company that received it; `supervisor`: 监理. */
export const materialMoves = {
  accept: {
    ...witnesses,
    label: '验收',
    from: ['0'],
    to: ['1', '2', '3', '4'],
    asks: {
      result: dict('materialCheckResult', '验收结论'),
      opinion: text(500, '验收意见'),
      photos: photos.default([]),
      signature: drawnImage,
    },
  },
  sample: {
    ...keeps,
    label: '见证取样',
    from: ['2'],
    to: null,
    asks: {
      sampleNo: filled(50, '样品编号'),
      note: text(200, '取样部位与数量').min(2, '请填写取样部位与数量'),
      photos: photos.min(1, '请附封样照片'),
    },
  },
  send: {
    ...keeps,
    label: '送检',
    from: ['2'],
    to: null,
    asks: { labOrg: filled(100, '检测机构'), note: text(200, '备注').default('') },
  },
  report: {
    ...keeps,
    label: '录入复验报告',
    from: ['2'],
    to: ['1', '3'],
    asks: {
      reportNo: filled(50, '报告编号'),
      passed: z.boolean({ error: '请选择复验结论' }),
      values: text(500, '检测值').min(2, '请填写主要检测值'),
      files: files('复验报告').min(1, '请上传复验报告'),
    },
  },
  use: {
    ...keeps,
    label: '领用登记',
    from: ['1', '2', '4'],
    to: null,
    asks: { quantity, part: filled(200, '使用部位'), ...placeFields, team: nullable(text(50, '领用班组')) },
  },
  withdraw: {
    ...keeps,
    label: '退场',
    from: ['1', '2', '3', '4'],
    to: '3',
    asks: {
      plateNo: vehicleNumber,
      tickets: z.array(ref('deviceRecord')).max(mostTickets, `最多关联 ${mostTickets} 张磅单`).default([]),
      photos: photos.min(1, '请附退场照片'),
      note: text(200, '去向').min(2, '请填写退往何处'),
    },
  },
  correct: {
    ...keeps,
    label: '更正',
    from: ['0', '1', '2', '4'],
    to: null,
    asks: { quantity, spec: filled(100, '规格型号'), batchNo: nullable(text(50, '批号')), reason },
  },
  link: {
    ...keeps,
    label: '关联磅单',
    from: ['0', '1', '2', '4'],
    to: null,
    asks: { tickets: z.array(ref('deviceRecord')).min(1, '请选择磅单').max(mostTickets, `最多关联 ${mostTickets} 张磅单`) },
  },
} as const satisfies Record<string, Move<MaterialState>>
export type MaterialAction = keyof typeof materialMoves

/** Kinds of events of a batch, in the order of its life. */
export const materialEvents = {
  receive: '进场',
  accept: '进场验收',
  sample: '见证取样',
  send: '送检',
  report: '复验结果',
  use: '领用',
  block: '停用',
  release: '解除停用',
  withdraw: '退场',
  correct: '更正',
  link: '关联磅单',
} as const
export type MaterialEventKind = keyof typeof materialEvents
