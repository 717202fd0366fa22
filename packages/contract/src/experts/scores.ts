import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { reason } from './moves.ts'

const path = '/api/v1/oa/process/expertEvaluate'
const [views, evaluates] = ['experts.view', 'experts.evaluate']

/** The five lines, each 0 to 20. */
export const scoreLines = {
  presence: '出席守时',
  skill: '专业水平',
  opinion: '意见质量',
  fairness: '公正独立',
  discipline: '纪律',
} as const
export type ScoreLine = keyof typeof scoreLines
export const lineNames = Object.keys(scoreLines) as ScoreLine[]
export const mostOfLine = 20
/** A line outside these asks for a sentence. */
const plainLines = { from: 12, to: 18 }
/** Days after an activity within which it is to be scored. */
export const scoreDays = 7
/** Scored activities below which a year has no grade. */
export const leastTimes = 2

const line = (label: string) =>
  z.coerce
    .number({ error: `请为${label}打分` })
    .int()
    .min(0, `${label} 0 至 20 分`)
    .max(mostOfLine, `${label} 0 至 20 分`)
const lines = {
  presence: line(scoreLines.presence),
  skill: line(scoreLines.skill),
  opinion: line(scoreLines.opinion),
  fairness: line(scoreLines.fairness),
  discipline: line(scoreLines.discipline),
}
const fiveOut = z.object({ presence: z.number(), skill: z.number(), opinion: z.number(), fairness: z.number(), discipline: z.number() })

/** Whether the five lines need a sentence, because one is low or high. */
export const needsSentence = (given: Partial<Record<ScoreLine, number | null>>): boolean =>
  lineNames.some((name) => {
    const value = given[name]
    return value !== undefined && value !== null && (value < plainLines.from || value > plainLines.to)
  })

export const pendingRow = z.object({
  /** The seat to score. */
  id: z.string(),
  activityId: z.string(),
  title: z.string(),
  date: z.string(),
  expertName: z.string(),
  role: z.string(),
  signed: z.boolean(),
  dueDate: z.string(),
  late: z.boolean(),
})
export type PendingRow = z.output<typeof pendingRow>

export const listPendingScores = endpoint({
  method: 'GET',
  path: `${path}/pending`,
  summary: '待评价专家',
  needs: evaluates,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, title: text(50).optional(), expertName: text(50).optional(), sort: sortBy('date') }),
  response: paged(pendingRow),
})
export const pendingList = listOf(listPendingScores, {
  columns: { title: '活动', date: '日期', expertName: '专家', role: '角色', dueDate: '评价期限' },
})

export const yearRow = z.object({
  /** The expert. */
  id: z.string(),
  rank: z.number().int(),
  name: z.string(),
  specialties: z.array(z.string()),
  specialtyNames: z.array(z.string()),
  times: z.number().int(),
  meanScore: z.number().nullable(),
  score: z.number().nullable(),
  grade: z.string().nullable(),
  /** 次数不足 below two scored activities. */
  gradeName: z.string(),
  lastYear: z.number().nullable(),
  /** Two years in a row without a pass. */
  warn: z.boolean(),
  /** Away activities without report, as a fact. */
  missingReports: z.number().int(),
})
export type YearRow = z.output<typeof yearRow>

export const listYearScores = endpoint({
  method: 'GET',
  path,
  summary: '专家年度评价',
  needs: views,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    year: z.coerce.number().int().min(2020).max(2199).optional(),
    name: text(50).optional(),
    specialties: several.optional(),
    meanScore: numericRange.optional(),
    grade: several.optional(),
    sort: sortBy('score', 'times', 'meanScore', 'name'),
  }),
  response: paged(yearRow).extend({
    year: z.number().int(),
    /** When and by whom the year was settled; null: it is open, or the caller sees only own scores. */
    frozen: z.object({ at: z.string(), by: z.string() }).nullable(),
    /** The caller's group keeps the library, so all scores count; others see their own. */
    own: z.boolean(),
    pending: z.number().int(),
  }),
})
export const yearList = listOf(listYearScores, {
  feature: 'expertEvaluate',
  columns: {
    rank: '名次',
    name: '姓名',
    specialties: '专业',
    times: '参加次数',
    meanScore: '活动均分',
    score: '得分',
    grade: '等级',
    lastYear: '上年得分',
    missingReports: '缺报告',
    warn: '预警',
  },
})

export const giveScore = endpoint({
  method: 'POST',
  path,
  summary: '评价专家',
  needs: evaluates,
  acts: 'aside',
  query: ofProject,
  body: z.object({ seat: ref('activitySeat'), ...lines, sentence: nullable(text(500, '评语')) }),
  response: z.object({ id: z.string() }),
})

export const freezeYear = endpoint({
  method: 'POST',
  path: `${path}/year`,
  summary: '年度结算',
  needs: 'experts.review',
  acts: 'aside',
  groupTypes: [1],
  query: ofProject,
  body: z.object({ year: z.coerce.number().int().min(2020, '年份不正确').max(2199, '年份不正确') }),
  response: z.object({ experts: z.number().int() }),
})

const scored = z.object({
  id: z.string(),
  title: z.string(),
  date: z.string(),
  /** Null in the expert's copy. */
  organiserName: z.string().nullable(),
  total: z.number(),
  lines: fiveOut,
  sentence: z.string().nullable(),
  /** The value before its last correction; null: never corrected. */
  before: z.number().nullable(),
  correctedBy: z.string().nullable(),
  correctReason: z.string().nullable(),
  canCorrect: z.boolean(),
})
export type Scored = z.output<typeof scored>

export const evaluation = z.object({
  id: z.string(),
  name: z.string(),
  photo: z.string().nullable(),
  workUnit: z.string(),
  specialtyNames: z.array(z.string()),
  validEnd: z.string().nullable(),
  year: z.number().int(),
  years: z.array(z.object({ year: z.number().int(), score: z.number().nullable(), gradeName: z.string() })),
  meanScore: z.number().nullable(),
  score: z.number().nullable(),
  gradeName: z.string(),
  frozen: z.boolean(),
  /** Means of the five lines; null without a score. */
  lines: fiveOut.nullable(),
  /** Means of the same specialties. */
  fieldLines: fiveOut.nullable(),
  scores: z.array(scored),
  missingReports: z.number().int(),
  appeals: z.array(z.object({ id: z.string(), text: z.string(), byName: z.string(), time: z.string() })),
  own: z.boolean(),
})
export type Evaluation = z.output<typeof evaluation>

export const getEvaluation = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '专家评价详情',
  needs: views,
  params: z.object({ id: ref('expert') }),
  query: ofProject.extend({ year: z.coerce.number().int().min(2020).max(2199).optional() }),
  response: evaluation,
})

/** Both values stay; whoever gave the score does not correct it. */
export const correctScore = endpoint({
  method: 'PUT',
  path: `${path}/score/:id`,
  summary: '更正评价',
  needs: 'experts.review',
  acts: 'aside',
  groupTypes: [1],
  params: z.object({ id: ref('expertScore') }),
  query: ofProject,
  body: z.object({ ...lines, reason: reason('更正原因') }),
})

export const appealScore = endpoint({
  method: 'POST',
  path: `${path}/:id/appeal`,
  summary: '登记评价申诉',
  needs: 'experts.review',
  acts: 'aside',
  groupTypes: [1],
  params: z.object({ id: ref('expert') }),
  query: ofProject,
  body: z.object({ year: z.coerce.number().int().min(2020).max(2199), text: filled(1000, '申诉内容').min(5, '申诉内容至少 5 个字') }),
})
