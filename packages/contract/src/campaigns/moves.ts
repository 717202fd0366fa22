import { z } from 'zod'
import { witnesses } from '../draw/file.ts'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { area, dict } from '../settings/dict-field.ts'

/** Dictionary provincePlanState. */
export type CampaignState = '0' | '1' | '2' | '3' | '4' | '5' | '6'
export const campaignStates = {
  draft: '0',
  issued: '1',
  locked: '2',
  checking: '3',
  mending: '4',
  finished: '5',
  cancelled: '6',
} as const
/** Issued, and neither finished nor cancelled. */
export const runningCampaigns: readonly CampaignState[] = ['1', '2', '3', '4']

/** How projects come into a campaign. */
export const drawModes = { 1: '指定', 2: '随机抽取' } as const
export const drawModeCodes = { named: '1', drawn: '2' } as const
/** Who rechecks what the notices of a campaign ask for. */
export const recheckers = { district: '委托属地', organiser: '本级复查' } as const
/** Levels (dictionary govLevel) that hold campaigns, and the check type (dictionary inspectType) of their checks. */
export const campaignLevels: Readonly<Record<string, string>> = { 2: '06', 3: '07' }
/** 整改复查（回头看）: a further look at a closed project. */
export const furtherLook = '08'

export const leastOfGroup = 2
const mostGroups = 20
const mostOfGroup = 10
const mostQuotas = 30
const mostSeats = 200
const mostSheets = 30
const mostNamed = 100
const shortestReason = 5
const shortestSummary = 20

const why = (label: string) => filled(500, label).min(shortestReason, `${label}至少 ${shortestReason} 个字`)

const member = z.object({
  /** Account of the organiser; an expert may have one too. */
  userId: nullable(ref('user')),
  expertId: nullable(ref('expert')),
  leader: z.boolean().default(false),
  disciplines: z.array(dict('checkDiscipline', '专业')).max(7, '专业重复').default([]),
})
export type MemberInput = z.output<typeof member>

const group = z.object({
  name: filled(30, '检查组名称'),
  areaCode: nullable(area('检查片区')),
  members: z.array(member).max(mostOfGroup, `每组最多 ${mostOfGroup} 人`).default([]),
})

export const quotaFields = z.object({
  areaCode: nullable(area('区划')),
  riskLevel: nullable(dict('riskLevel', '风险等级')),
  category: nullable(dict('projectCategory', '项目分类')),
  seats: z.coerce.number({ error: '请填写名额' }).int().min(1, '名额至少 1').max(mostSeats, `名额最多 ${mostSeats}`),
})

/** What an organiser writes. A draft may lack groups, quotas and sheets; they are asked for when it is issued. */
export const campaignFields = {
  name: filled(100, '督查名称'),
  level: z.enum(['2', '3'], { error: '请选择督查层级' }),
  startDate: day,
  endDate: day,
  surprise: z.boolean().default(false),
  drawMode: z.enum(['1', '2'], { error: '请选择抽取方式' }),
  deadlineDays: z.coerce.number({ error: '请填写整改期限' }).int().min(1, '整改期限 1 至 60 天').max(60, '整改期限 1 至 60 天').default(7),
  recheck: z.enum(['district', 'organiser'], { error: '请选择复查单位' }),
  groups: z.array(group).max(mostGroups, `检查组最多 ${mostGroups} 个`).default([]),
  quotas: z.array(quotaFields).max(mostQuotas, `名额最多 ${mostQuotas} 行`).default([]),
  sheets: z
    .array(z.object({ discipline: dict('checkDiscipline', '专业'), sheetCode: filled(8, '检查表') }))
    .max(mostSheets, `检查表最多 ${mostSheets} 张`)
    .refine((rows) => new Set(rows.map((one) => one.sheetCode)).size === rows.length, '检查表重复')
    .default([]),
}

const [edits, checks] = ['supervision.campaignEdit', 'supervision.campaignCheck']
const organiser = { needs: edits, acts: 'aside', turn: 'organiser' } as const

/**
 * Transitions of a campaign; all are the organiser's. The states 3 and 4 follow from its checks: the first that begins, the last that is
 * submitted. Nothing that was drawn can be drawn again: another run needs another list.
 */
export const campaignMoves = {
  save: { ...organiser, label: '存草稿', from: ['0'], to: null, asks: campaignFields, unlogged: true },
  issue: { ...organiser, label: '下发', from: ['0'], to: '1', asks: campaignFields },
  addProjects: {
    ...organiser,
    label: '指定加入',
    from: ['1'],
    to: null,
    asks: {
      projects: z.array(ref('project')).min(1, '请选择项目').max(mostNamed, `一次最多 ${mostNamed} 个项目`),
      reason: why('指定原因'),
    },
  },
  /** Freezes the pool; the seed is made only then. */
  freeze: { ...organiser, label: '冻结候选名单', from: ['1'], to: null, asks: { reason: nullable(text(500, '重抽原因')) } },
  draw: { ...organiser, label: '随机抽取', from: ['1'], to: null, asks: { witnesses } },
  assign: {
    ...organiser,
    label: '分组',
    from: ['1'],
    to: null,
    asks: {
      /** Empty: the product assigns whatever has no group yet, evenly and without conflicts. */
      tasks: z
        .array(z.object({ taskId: ref('campaignProject'), groupSeq: z.number().int().min(0) }))
        .max(mostSeats, '项目过多')
        .default([]),
    },
    unlogged: true,
  },
  lock: { ...organiser, label: '锁定名单', from: ['1'], to: '2', asks: {} },
  replace: {
    ...organiser,
    label: '替换项目',
    from: ['2', '3'],
    to: null,
    asks: { taskId: ref('campaignProject'), reason: why('替换原因') },
  },
  urge: { ...organiser, needs: [edits, checks], turn: 'leader', label: '催报', from: ['2', '3'], to: null, asks: {} },
  furtherLook: {
    ...organiser,
    label: '安排回头看',
    from: ['4', '5'],
    to: null,
    asks: { taskId: ref('campaignProject'), plannedDate: day },
  },
  finish: {
    ...organiser,
    label: '发布通报并完成',
    from: ['4'],
    to: '5',
    asks: { summary: filled(4000, '督查通报').min(shortestSummary, `督查通报至少 ${shortestSummary} 个字`) },
  },
  cancel: { ...organiser, label: '取消督查', from: ['0', '1', '2'], to: '6', asks: { opinion: why('取消原因') } },
} as const satisfies Record<string, Move<CampaignState>>
export type CampaignAction = keyof typeof campaignMoves

/** Reference to a campaign in the query of a page. */
export const planId = ref('campaign')
