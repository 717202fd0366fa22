import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { fileRefs } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { isWorkCategory, type SizeKey, sizeKeys } from './scale.ts'

/** States of a dangerous work (dictionary bigProjectState). */
export type WorkState = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
export const workStates = {
  known: '0',
  planning: '1',
  audit: '2',
  review: '3',
  failed: '4',
  ready: '5',
  running: '6',
  accepting: '7',
  accepted: '8',
  closed: '9',
} as const
/** Not accepted: what is still to be done on the site. */
export const openWorks: readonly WorkState[] = ['0', '1', '2', '3', '4', '5', '6', '7']
/** Being carried out or carried out and not accepted: these keep a project from ending its supervision. */
export const runningWorks: readonly WorkState[] = ['6', '7']
export const everyState: readonly WorkState[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Papers that a work in its state should have and lacks. */
export const workGaps = { plan: '方案', review: '论证', disclosure: '交底', monitor: '监测', sign: '验收牌' } as const
export type WorkGap = keyof typeof workGaps
export const monitorStates = { normal: '正常', alarm: '告警', offline: '离线', none: '无' } as const
export type MonitorState = keyof typeof monitorStates

/** Conclusions of the experts, as their activity records them. */
export const reviewResults = { passed: '通过', changed: '修改后通过', failed: '不通过' } as const
export type ReviewResult = keyof typeof reviewResults

export const mostFiles = 20
export const mostPeople = 100
const mostDevices = 20

const size = z.coerce.number({ error: '应为数字' }).min(0, '不能为负').max(1_000_000, '数值过大')
const sizeShape = Object.fromEntries(Object.keys(sizeKeys).map((key) => [key, nullable(size)])) as unknown as Record<
  SizeKey,
  ReturnType<typeof nullable<typeof size>>
>

/** What identifies a work. */
export const workFields = {
  name: filled(200, '危大工程名称'),
  category: dict('hazardCategory', '类别').refine(isWorkCategory, '请选择到第二级类别'),
  /** May be raised above what category and sizes say, never lowered. */
  overScale: z.boolean().default(false),
  riskLevel: dict('riskLevel', '风险等级'),
  unitId: nullable(ref('unitProject')),
  placeId: nullable(ref('sitePlace')),
  part: filled(200, '工程部位'),
  sizes: z.object(sizeShape),
  constructionCorp: ref('corporation'),
  subCorp: nullable(ref('corporation')),
  planStartDate: day,
  planEndDate: day,
  /** Of a work that had begun before it was registered here. */
  actualStartDate: nullable(day),
}

const person = z.object({ name: filled(50, '姓名'), post: filled(50, '岗位或班组') })
const inspector = z.object({ name: filled(50, '姓名'), post: z.enum(['安全员', '监理'], { error: '请选择岗位' }) })

const opinion = text(500, '意见').default('')
const why = (label: string) => text(500, label).min(5, `${label}至少 5 个字`)
const [edits, audits, watches] = ['supervision.bigEdit', 'supervision.bigAudit', 'supervision.bigSupervise']
const builds = { needs: edits, acts: 'own', turn: 'builder' } as const
const judges = { needs: audits, acts: 'supervisor', turn: 'supervisor' } as const
const oversees = { needs: watches, acts: 'site', turn: 'authority' } as const

/**
 * Transitions of a dangerous work (住建部令第37号). `builder`: the site, its general contractor and the company that carries the work out;
 * `supervisor`: 监理 of the project; `authority`: a government whose area the project lies in.
 */
export const workMoves = {
  save: { label: '保存', from: ['0', '1'], to: null, ...builds, asks: workFields },
  plan: { label: '编制方案', from: ['0'], to: '1', ...builds, asks: {} },
  savePlan: {
    label: '保存方案',
    from: ['1'],
    to: null,
    ...builds,
    asks: { planName: filled(200, '专项方案名称'), planFiles: fileRefs('专项方案', mostFiles).min(1, '请上传专项方案') },
  },
  submit: { label: '提交审核', from: ['1'], to: '2', ...builds, asks: {} },
  pass: { label: '审查通过', from: ['2'], to: ['5', '3'], ...judges, asks: { opinion } },
  return: { label: '退回', from: ['2'], to: '1', ...judges, asks: { opinion: why('退回原因') } },
  /** Takes over what the experts concluded; 修改后通过 leaves it at 3 until the revision is signed. */
  review: { label: '引用论证结论', from: ['3'], to: ['5', '4', '3'], ...builds, asks: { activityId: ref('expertActivity') } },
  revise: {
    label: '提交方案修改',
    from: ['3'],
    to: null,
    ...builds,
    asks: { note: why('修改说明'), planFiles: fileRefs('修改后的方案', mostFiles).min(1, '请上传修改后的方案') },
  },
  passRevised: { label: '修改审查通过', from: ['3'], to: '5', ...judges, asks: { opinion } },
  redo: { label: '重新编制', from: ['4'], to: '1', ...builds, asks: {} },
  prepare: {
    label: '保存实施准备',
    from: ['5'],
    to: null,
    ...builds,
    asks: {
      disclosureDate: nullable(day),
      discloser: nullable(text(50, '交底人')),
      disclosureText: nullable(text(2000, '交底内容')),
      receivers: z.array(person).max(mostPeople, `接受交底人最多 ${mostPeople} 人`).default([]),
      inspectors: z.array(inspector).max(mostPeople).default([]),
      warnPhotos: fileRefs('公告牌和警示标志照片', mostFiles).default([]),
    },
  },
  monitor: {
    label: '保存监测',
    from: ['5', '6'],
    to: null,
    ...builds,
    asks: {
      monitorOrg: nullable(text(100, '第三方监测单位')),
      monitorFiles: fileRefs('监测方案', mostFiles).default([]),
      deviceIds: z.array(ref('device')).max(mostDevices, `监测设备最多 ${mostDevices} 台`).default([]),
    },
  },
  start: { label: '开始实施', from: ['5'], to: '6', ...builds, asks: { actualStartDate: day } },
  finish: { label: '实施完成', from: ['6'], to: '7', ...builds, asks: { actualEndDate: day } },
  saveAccept: {
    label: '保存验收资料',
    from: ['7'],
    to: null,
    ...builds,
    asks: { acceptDate: day, acceptPhotos: fileRefs('验收标识牌照片', mostFiles).min(1, '请上传验收标识牌照片') },
  },
  accept: { label: '验收合格', from: ['7'], to: '8', ...judges, asks: { opinion } },
  /** Back to work, with a notice of rectification. */
  reject: {
    label: '验收不合格',
    from: ['7'],
    to: '6',
    ...judges,
    asks: { opinion: why('不合格原因'), requirement: why('整改要求'), responsiblePerson: filled(50, '整改责任人'), deadline: day },
  },
  close: { label: '销项', from: ['8'], to: '9', ...builds, asks: { opinion } },
  superviseNote: { label: '监督意见', from: everyState, to: null, ...oversees, asks: { opinion: why('监督意见') } },
  /** Drafts a partial stop notice for the officer to complete; the site learns of it when it is issued. */
  requireStop: { label: '要求停止实施', from: ['5', '6', '7'], to: null, ...oversees, asks: { opinion: why('原因') }, unlogged: true },
} as const satisfies Record<string, Move<WorkState>>
export type WorkAction = keyof typeof workMoves
