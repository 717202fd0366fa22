import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { placeFields } from '../places/pins.ts'
import { dict } from '../settings/dict-field.ts'
import { consequences, exposures, levels, likelihoods, type Step } from './levels.ts'

/** 草稿, 识别, 管控中, 已解除. */
export type HazardState = '0' | '1' | '2' | '3'
export const hazardStates: Readonly<Record<HazardState, string>> = { 0: '草稿', 1: '识别', 2: '管控中', 3: '已解除' }
export const draftHazard: HazardState = '0'
export const liftedHazard: HazardState = '3'
export const controlLevels: Readonly<Record<string, string>> = { 1: '公司', 2: '项目', 3: '班组' }

export const mostHazardPhotos = 9
const mostMeasures = 20
const mostKinds = 6
const mostDays = 365
const photos = z.array(text(400, '照片')).max(mostHazardPhotos, `照片最多 ${mostHazardPhotos} 张`).default([])

const stepOf = (steps: readonly Step[], label: string) =>
  z.number({ error: `请选择${label}` }).refine((value) => steps.some((one) => one.value === value), `${label}不在评价表中`)

/** What the safety officer writes about a hazard. */
export const hazardFields = {
  name: filled(60, '名称'),
  hazardSource: z.array(dict('hazardSource', '危险源类型')).min(1, '请选择危险源类型').max(mostKinds, `危险源类型最多 ${mostKinds} 个`),
  part: filled(100, '部位'),
  ...placeFields,
  corpCode: ref('corporation'),
  bigProjectId: nullable(ref('bigproject')),
  likelihood: stepOf(likelihoods, '发生可能性'),
  exposure: stepOf(exposures, '暴露频次'),
  consequence: stepOf(consequences, '后果'),
  riskLevel: z.enum(levels as unknown as ['1', '2', '3', '4'], { error: '请选择风险等级' }),
  /** Why the level is lower than the judgement asks, or than it was. */
  levelReason: nullable(text(200, '降低理由').min(4, '理由至少 4 个字')),
  controlLevel: z.enum(Object.keys(controlLevels) as [string, ...string[]], { error: '请选择管控层级' }),
  measures: z.array(filled(200, '控制措施')).min(1, '至少一条控制措施').max(mostMeasures, `控制措施最多 ${mostMeasures} 条`),
  responsible: filled(50, '责任人'),
  /** Days between two patrols. */
  checkEvery: z.number({ error: '请填写巡查频次' }).int('巡查频次为整天').min(1, '至少每天一次').max(mostDays, '巡查频次最长一年'),
  startDate: day,
  endDate: nullable(day),
}

const writes = { needs: 'safety-management.edit', acts: 'site', turn: 'author' } as const
const walks = { needs: 'safety-management.edit', acts: 'site', turn: 'site' } as const

/** Transitions of a hazard. `author`: the group that wrote it. */
export const hazardMoves = {
  save: { ...writes, label: '保存草稿', from: ['0'], to: null, asks: hazardFields, unlogged: true },
  submit: { ...writes, label: '提交', from: ['0'], to: '1', asks: hazardFields },
  change: { ...writes, label: '修改', from: ['1', '2'], to: null, asks: hazardFields },
  control: {
    ...walks,
    label: '措施落实',
    from: ['1'],
    to: '2',
    asks: { note: filled(500, '落实情况'), photos: photos.pipe(z.array(z.string()).min(1, '请附措施落实的照片')) },
  },
  patrol: {
    ...walks,
    label: '巡查登记',
    from: ['2'],
    to: null,
    asks: {
      result: z.enum(['1', '2'], { error: '请选择巡查结果' }),
      note: nullable(text(500, '巡查情况')),
      photos,
    },
  },
  lift: { ...writes, label: '解除', from: ['1', '2'], to: '3', asks: { opinion: text(500, '解除理由').min(4, '理由至少 4 个字') } },
} as const satisfies Record<string, Move<HazardState>>
export type HazardAction = keyof typeof hazardMoves
/** 正常, 发现问题. */
export const patrolResults: Readonly<Record<string, string>> = { 1: '正常', 2: '发现问题' }
export const patrolProblem = '2'
