import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'
import { spotReadings } from './readings.ts'

/** Dictionary spotCheckState: 草稿, 已抽检待报告, 合格, 不合格待处理, 处理中, 已闭合. */
export type SpotState = '0' | '1' | '2' | '3' | '4' | '5'
export const draftSpot: SpotState = '0'
export const awaitedSpot: SpotState = '1'
export const goodSpot: SpotState = '2'
export const badSpot: SpotState = '3'
export const handledSpot: SpotState = '4'

const fewestCheckers = 2
const mostCheckers = 6
export const mostSpotFiles = 9
const files = (label: string) => z.array(text(400, label)).max(mostSpotFiles, `${label}最多 ${mostSpotFiles} 个`)

/** What two checkers write on the site. */
export const spotFields = {
  kind: dict('spotCheckKind', '抽查对象'),
  part: filled(200, '部位/批次'),
  unitId: nullable(ref('unitProject')),
  placeId: nullable(ref('sitePlace')),
  /** Of a sampled material. */
  batchId: nullable(ref('materialBatch')),
  corpCode: ref('corporation'),
  checkDate: day,
  checkers: z
    .array(filled(50, '抽查人'))
    .min(fewestCheckers, `抽查人不少于 ${fewestCheckers} 名`)
    .max(mostCheckers, `抽查人最多 ${mostCheckers} 名`)
    .refine((names) => new Set(names).size === names.length, '抽查人不能重复'),
  method: filled(100, '检测方法'),
  designValue: text(100, '设计/标准值').default(''),
  readings: spotReadings,
  photos: files('照片').default([]),
}
/** What a sample needs on its way to the laboratory. */
const sampleFields = {
  sampleNo: filled(50, '样品编号'),
  labOrg: filled(100, '检测机构'),
  /** When the report is due. */
  labDue: day,
}
const reportFields = {
  reportNo: filled(50, '报告编号'),
  reportDate: day,
  actualValue: filled(100, '实测值'),
  passed: z.boolean({ error: '请选择结论' }),
  files: files('报告').min(1, '请上传检测报告'),
}

const writes = { needs: 'inspection.spotcheckEdit', acts: 'review', turn: 'checker' } as const
const reports = { needs: 'inspection.spotcheckReport', acts: 'review', turn: 'checker' } as const

/** Transitions of a spot check. `checker`: the group that checks. */
export const spotMoves = {
  save: { ...writes, label: '保存', from: ['0'], to: null, asks: spotFields, unlogged: true },
  submitOnSite: {
    ...writes,
    label: '现场出结果',
    from: ['0'],
    to: ['2', '3'],
    asks: {
      ...spotFields,
      /** Where nothing is computed: the value and verdict of the checkers. */
      actualValue: nullable(text(100, '实测值')),
      passed: nullable(z.boolean()),
    },
  },
  submitSample: { ...writes, label: '取样送检', from: ['0'], to: '1', asks: { ...spotFields, ...sampleFields } },
  report: { ...reports, label: '录入报告', from: ['1'], to: ['2', '3'], asks: reportFields },
  amend: {
    ...reports,
    label: '更改报告',
    from: ['2', '3'],
    to: ['2', '3'],
    asks: { ...reportFields, reason: text(200, '更改原因').min(5, '更改原因至少 5 个字') },
  },
  issue: {
    ...writes,
    label: '下发整改',
    from: ['3'],
    to: '4',
    asks: {
      handle: text(500, '处理要求').min(5, '处理要求至少 5 个字'),
      deadline: day,
      person: nullable(text(50, '整改人')),
    },
  },
  close: { ...reports, label: '复检', from: ['4'], to: ['4', '5'], asks: reportFields },
} as const satisfies Record<string, Move<SpotState>>
export type SpotAction = keyof typeof spotMoves
