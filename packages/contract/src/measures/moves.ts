import { z } from 'zod'
import { seriesKinds } from '../checks/security-check.ts'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'

/** States of a measure: 草稿, 实施中, 已归档. */
export type MeasureState = '0' | '1' | '2'
export const measureStates: Readonly<Record<MeasureState, string>> = { 0: '草稿', 1: '实施中', 2: '已归档' }
export const draftMeasure: MeasureState = '0'
export const runningMeasure: MeasureState = '1'
export const archivedMeasure: MeasureState = '2'

export const mostMeasurePhotos = 9
/** 100 million yuan, in cents. */
const mostCost = 10_000_000_000

const photos = z.array(text(400, '照片')).max(mostMeasurePhotos, `照片最多 ${mostMeasurePhotos} 张`)

/** What the safety officer writes. */
export const measureFields = {
  name: filled(100, '措施名称'),
  /** Dictionary hazardSource. */
  hazardSource: dict('hazardSource', '针对危险源'),
  /** Dictionary riskLevel. */
  riskLevel: dict('riskLevel', '风险等级'),
  /** Where it applies; null: on the whole site. */
  placeId: nullable(ref('sitePlace')),
  content: text(2000, '措施内容').min(10, '措施内容至少 10 个字：做什么、谁来做、做到何时'),
  corpCode: ref('corporation'),
  responsible: filled(50, '责任人'),
  startDate: day,
  endDate: day,
  /** Cents. */
  cost: nullable(z.number().int('措施费精确到分').min(0, '措施费不能为负').max(mostCost, '措施费过大')),
  /** The repeated problems that the measure stands against; both or neither. */
  seriesBy: nullable(z.enum(seriesKinds)),
  seriesKey: nullable(text(500, '频发问题')),
  /** How it looked before. */
  photos: photos.default([]),
  vouchers: z.array(text(400, '费用凭证')).max(mostMeasurePhotos, `费用凭证最多 ${mostMeasurePhotos} 个`).default([]),
}

const writes = { needs: 'inspection.riskEdit', acts: 'site', turn: 'author' } as const

/** Transitions of a measure. `author`: the group that wrote it; `responsible`: the site and the company addressed; `supervisor`: 监理. */
export const measureMoves = {
  save: { ...writes, label: '保存草稿', from: ['0'], to: null, asks: measureFields, unlogged: true },
  submit: { ...writes, label: '提交', from: ['0'], to: '1', asks: measureFields },
  implement: {
    label: '上传落实照片',
    from: ['1'],
    to: null,
    needs: 'inspection.rectifyReply',
    acts: 'own',
    turn: 'responsible',
    asks: { photos: photos.min(1, '请附落实后照片'), note: text(500, '落实情况').min(5, '落实情况至少 5 个字') },
  },
  extend: {
    ...writes,
    label: '延长',
    from: ['1'],
    to: null,
    asks: { until: day, reason: text(500, '延长理由').min(5, '延长理由至少 5 个字') },
  },
  archive: {
    label: '归档',
    from: ['1'],
    to: '2',
    needs: 'inspection.rectifyReview',
    acts: 'supervisor',
    turn: 'supervisor',
    asks: { opinion: text(500, '意见') },
  },
} as const satisfies Record<string, Move<MeasureState>>
export type MeasureAction = keyof typeof measureMoves
