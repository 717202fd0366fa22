import { z } from 'zod'
import { day, nullable, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { projectStates } from '../organisation/codes.ts'

/** Kinds of application (dictionary stopApplyType): stop work, resume work, end the supervision (建质〔2014〕154号). */
export const stopTypes = { stop: '1', resume: '2', end: '3' } as const
export type StopType = (typeof stopTypes)[keyof typeof stopTypes]

/** States of an application (dictionary stopApplyState). */
export type StopState = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export const stopStates = {
  draft: '0',
  supervisor: '1',
  authority: '2',
  siteCheck: '3',
  passed: '4',
  rejected: '5',
  withdrawn: '6',
} as const
/** Submitted and undecided. */
export const runningStops: readonly StopState[] = ['1', '2', '3']

/** Project states in which each kind can be applied for. */
export const typeFrom: Readonly<Record<StopType, readonly string[]>> = {
  1: [projectStates.building],
  2: [projectStates.stopped],
  3: [projectStates.building, projectStates.finished, projectStates.accepted],
}

/** The six groups of the conditions for resuming work. */
export const resumeItems = [
  { item: '1', name: '人员培训', asks: '复工前安全教育和进场人员核对' },
  { item: '2', name: '起重机械', asks: '塔机、升降机检测和附着、基础复核' },
  { item: '3', name: '临时用电', asks: '配电箱、电缆、接地和漏电保护' },
  { item: '4', name: '脚手架与基坑', asks: '架体、支撑、基坑监测和临边防护' },
  { item: '5', name: '消防', asks: '消防水源、器材和动火条件' },
  { item: '6', name: '方案与交底', asks: '专项方案有效，复工交底到人' },
] as const
export const resumeItemName = (item: string): string => resumeItems.find((one) => one.item === item)?.name ?? item

export const mostPapers = 20
export const mostItemPhotos = 9
export const shortestReason = 10

const itemCode = z.enum(['1', '2', '3', '4', '5', '6'])
const photos = (max: number, label: string) => z.array(text(400, label)).max(max, `${label}最多 ${max} 个`)

/** One group of the resumption table, as the applicant fills it. */
const resumeCheck = z.object({
  item: itemCode,
  /** Null: not filled in yet. */
  passed: nullable(z.boolean()),
  note: nullable(text(500, '说明')),
  photos: photos(mostItemPhotos, '照片').default([]),
})

/** What the applicant writes. A draft may lack anything but its kind; what the kind requires is checked when it is submitted. */
export const stopFields = {
  type: z.enum(['1', '2', '3'], { error: '请选择申请类型' }),
  reasonType: nullable(text(4, '停工原因')),
  reason: text(1000, '详细原因').default(''),
  stopDate: nullable(day),
  planResumeDate: nullable(day),
  ongoingParts: nullable(text(2000, '在施部位及安全保障措施')),
  guardPersons: nullable(text(200, '值守人员')),
  affectAttendance: z.boolean().default(true),
  checks: z
    .array(resumeCheck)
    .max(resumeItems.length)
    .refine((rows) => new Set(rows.map((one) => one.item)).size === rows.length, '同一核查项只能填一次')
    .default([]),
  completeCert: photos(mostPapers, '竣工验收证明').default([]),
  attachments: photos(mostPapers, '附件').default([]),
}

/** What the officers found on site, group by group. */
const findings = z
  .array(z.object({ item: itemCode, passed: nullable(z.boolean()), note: nullable(text(500, '核查说明')) }))
  .max(resumeItems.length)
  .default([])
const opinion = text(500, '意见').default('')
const why = text(500, '驳回原因').min(5, '驳回原因至少 5 个字')

const applies = 'supervision.stopApply'
const audits = 'supervision.stopAudit'
const decides = 'supervision.stopDecide'

/**
 * Transitions of an application. `applicant`: the company of the owner (建设单位) that wrote it; `supervisor`: 监理 of the project;
 * `authority`: a government whose area the project lies in;
 * `judge`: 监理 or the authority, by the state.
 */
export const stopMoves = {
  save: { label: '保存草稿', from: ['0'], to: null, needs: applies, acts: 'site', turn: 'applicant', asks: stopFields, unlogged: true },
  // Without 监理 in the project it goes to the authority at once.
  submit: { label: '提交', from: ['0'], to: ['1', '2'], needs: applies, acts: 'site', turn: 'applicant', asks: stopFields },
  agree: { label: '监理同意', from: ['1'], to: '2', needs: audits, acts: 'supervisor', turn: 'supervisor', asks: { opinion } },
  // Whoever has it before him: 监理, then the authority.
  reject: { label: '驳回', from: ['1', '2'], to: '5', needs: [audits, decides], acts: 'review', turn: 'judge', asks: { opinion: why } },
  approve: { label: '同意', from: ['2'], to: '4', needs: decides, acts: 'site', turn: 'authority', asks: { opinion } },
  arrange: {
    label: '安排核查',
    from: ['2'],
    to: '3',
    needs: decides,
    acts: 'site',
    turn: 'authority',
    asks: {
      checkDate: day,
      officer: text(50, '核查人').min(1, '请填写核查人'),
      second: text(50, '第二名核查人').min(1, '请填写第二名核查人'),
    },
  },
  saveCheck: {
    label: '保存核查记录',
    from: ['3'],
    to: null,
    needs: decides,
    acts: 'site',
    turn: 'authority',
    asks: { findings },
    unlogged: true,
  },
  pass: { label: '核查通过', from: ['3'], to: '4', needs: decides, acts: 'site', turn: 'authority', asks: { findings, opinion } },
  fail: { label: '核查不通过', from: ['3'], to: '5', needs: decides, acts: 'site', turn: 'authority', asks: { findings, opinion: why } },
  /** An approved stop whose first day has not come. */
  cancel: {
    label: '取消停工',
    from: ['4'],
    to: '6',
    needs: decides,
    acts: 'site',
    turn: 'authority',
    asks: { opinion: text(500, '取消原因').min(5, '取消原因至少 5 个字') },
  },
  withdraw: { label: '撤回', from: ['1', '2'], to: '6', needs: applies, acts: 'site', turn: 'applicant', asks: {} },
} as const satisfies Record<string, Move<StopState>>
export type StopAction = keyof typeof stopMoves
