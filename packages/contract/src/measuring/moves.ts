import { z } from 'zod'
import { day, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { mostAreas, mostPoints } from './rules.ts'

/** Dictionary measureTaskState. */
export type MeasureTaskState = '1' | '2' | '3' | '4' | '5' | '6'
export const taskStates = { assigned: '1', running: '2', own: '3', toFix: '4', toRetest: '5', done: '6' } as const

/** Areas of one request: a floor of a large template. */
export const mostAreasAtOnce = 600
export const mostPointPhotos = 3
const mostMeasured = 99_999_999
const value = z
  .number({ error: '实测值应为数字' })
  .min(-mostMeasured, '实测值过小')
  .max(mostMeasured, '实测值过大')
  .multipleOf(0.01, '最多两位小数')
const share = z.number().min(0, '位置超出平面图').max(1, '位置超出平面图')

/** The values of one area of a place: `values[0]` is point 1; null: not measured. */
export const measuredArea = z.object({
  placeId: ref('sitePlace'),
  /** The item of the task. */
  itemNo: z.number().int().min(1).max(1000),
  areaNo: z.number().int().min(1).max(mostAreas),
  designValue: nullable(value),
  values: z.array(value.nullable()).max(mostPoints, `一个测区最多 ${mostPoints} 个测点`),
  /** Photographs of burst points, by the number of the point. */
  photos: z
    .record(z.string().regex(/^\d{1,2}$/), z.array(text(400, '照片')).max(mostPointPhotos, `每点最多 ${mostPointPhotos} 张照片`))
    .default({}),
  pin: nullable(z.object({ planId: ref('sitePlan'), x: share, y: share })),
})
export type MeasuredArea = z.output<typeof measuredArea>

const areas = z.array(measuredArea).max(mostAreasAtOnce, `一次最多 ${mostAreasAtOnce} 个测区`).default([])
const instrumentNo = nullable(text(50, '仪器编号'))
/** New values of failed points; the others stay null. */
const retested = z.object({
  placeId: ref('sitePlace'),
  itemNo: z.number().int().min(1).max(1000),
  areaNo: z.number().int().min(1).max(mostAreas),
  values: z.array(value.nullable()).max(mostPoints),
})
export type RetestedArea = z.output<typeof retested>
const retests = z.array(retested).max(mostAreasAtOnce).default([])

const setup = { needs: 'inspection.measureSetup', acts: 'site', turn: 'site' } as const
const run = { needs: 'inspection.measureRun', acts: 'site', turn: 'measurer' } as const
const review = { needs: 'inspection.measureReview', acts: 'review', turn: 'reviewer' } as const

/**
 * Transitions of a measuring task. `site`: the site and the companies that run it; `measurer`: who the task names; `responsible`: the company
 * that did the work, and the site; `reviewer`: site, general contractor and 监理, but not who reported the mending.
 */
export const taskMoves = {
  reassign: {
    ...setup,
    label: '改派',
    from: ['1', '2'],
    to: null,
    asks: { memberId: ref('user'), deadline: nullable(day) },
  },
  start: { ...run, label: '开始测量', from: ['1'], to: '2', asks: {} },
  saveRecords: { ...run, label: '保存测点', from: ['2', '3'], to: null, asks: { areas, instrumentNo }, unlogged: true },
  submit: { ...run, label: '提交', from: ['2', '3'], to: ['6', '4'], asks: { areas, instrumentNo } },
  fix: {
    label: '提交整改',
    from: ['4'],
    to: '5',
    needs: ['inspection.measureRun', 'inspection.rectifyReply'],
    acts: 'own',
    turn: 'responsible',
    asks: {
      note: text(500, '整改情况').min(5, '整改情况至少 5 个字'),
      photos: z.array(text(400, '照片')).max(9, '照片最多 9 张').default([]),
    },
  },
  retest: { ...review, label: '复测', from: ['5'], to: ['6', '4'], asks: { retests, opinion: text(500, '意见').default('') } },
} as const satisfies Record<string, Move<MeasureTaskState>>
export type MeasureTaskAction = keyof typeof taskMoves
