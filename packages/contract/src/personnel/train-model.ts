import { z } from 'zod'
import { day, dayRange, filled, instant, nullable, numericRange, ref, several, text } from '../kit/fields.ts'
import { fileRefs } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'

/** Kinds of training with a column of their own, in the order in which a worker takes them (dictionary trainingType). */
export const trainColumns = {
  entry: { type: '003002', title: '入场教育' },
  company: { type: '003101', title: '公司级' },
  project: { type: '003102', title: '项目级' },
  team: { type: '003103', title: '班组级' },
  resume: { type: '003104', title: '复工' },
  special: { type: '003105', title: '专项' },
} as const
export type TrainColumn = keyof typeof trainColumns
/** Minimum hours of the three levels (建筑业企业职工安全培训教育暂行规定 第六条、第八条). */
export const leastHours: Readonly<Record<string, number>> = { '003101': 15, '003102': 15, '003103': 20 }
/** Safety education is repeated every year. */
export const trainedDays = 365
/** Training that must be repeated within this many days is highlighted. */
export const trainSoonDays = 30

/** Entry training and three-level training are equivalent: either is sufficient. */
export const entryTypes: readonly string[] = ['003002', '003101', '003102', '003103']

/** `covered`: an equivalent training is on record. `none`: nothing is on record. */
export const trainMark = z.object({
  state: z.enum(['passed', 'failed', 'due', 'covered', 'none']),
  date: z.string().nullable(),
  hours: z.number(),
})
export type TrainMark = z.infer<typeof trainMark>
export const trainFilters = {
  entryTrained: text(5).optional(),
  /** Kinds of training that the person lacks. */
  lack: several.optional(),
  lastTrain: dayRange.optional(),
  trainHours: numericRange.optional(),
  /** Has passed a gate since entry: 1, or not: 0. */
  passedGate: z.enum(['1', '0']).optional(),
}
export const trainRow = z.object({
  /** Id of the stay. */
  id: z.string(),
  workerId: z.string(),
  name: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  entryTime: z.string(),
  entryTrained: z.boolean(),
  marks: z.record(z.string(), trainMark),
  hours: z.number(),
  lastTrain: z.string().nullable(),
  lastPass: z.string().nullable(),
})
export type TrainRow = z.infer<typeof trainRow>

const signWays = ['gate', 'card', 'list'] as const
export type SignWay = (typeof signWays)[number]
export const signWayNames: Readonly<Record<SignWay, string>> = { gate: '闸机', card: '刷卡', list: '点名' }
/** Signing in begins so many minutes before the session. */
export const signInAheadMinutes = 60
/** Longer sessions continue on the next days: nobody sits longer on one. */
export const longestSitting = 8

/** `planned`: still to come; `due`: its time has come, and results are missing. */
export const sessionStates = { planned: '待开始', due: '待登记', closed: '已登记', cancelled: '已取消' } as const
export type SessionState = keyof typeof sessionStates

const mark = {
  projectWorkerId: ref('projectWorker'),
  score: z.coerce.number().min(0, '成绩为 0-100').max(100, '成绩为 0-100').nullable().default(null),
  /** Null: no result yet. */
  passed: z.boolean().nullable().default(null),
}
const sessionFields = {
  trainingType: dict('trainingType', '培训类型'),
  name: filled(100, '培训名称'),
  trainer: filled(50, '培训人'),
  startTime: instant,
  duration: z.coerce.number({ error: '请填写学时' }).min(0.5, '学时为 0.5-72').max(72, '学时为 0.5-72'),
  address: nullable(text(200, '地点')),
  content: filled(2000, '培训内容'),
  files: fileRefs('签到表和照片').default([]),
}
const people = z.array(z.object(mark)).min(1, '请选择参训人员').max(500, '一次最多 500 人')
/** A plan may name its people later. */
const planned = z.array(z.object(mark)).max(500, '一次最多 500 人')
/** When closing, either all people have results or none yet. */
function allMarked(b: { workers: readonly { passed: boolean | null }[]; close: boolean }, context: z.RefinementCtx) {
  if (!b.close) return
  if (b.workers.length === 0) context.addIssue({ code: 'custom', path: ['workers'], message: '请选择参训人员' })
  b.workers.forEach((w, i) => {
    if (w.passed === null) context.addIssue({ code: 'custom', path: ['workers', i, 'passed'], message: '请填写考核结果，或先不登记成绩' })
  })
}
export const sessionBody = z
  .object({
    corpCode: ref('corporation'),
    ...sessionFields,
    workers: planned,
    close: z.boolean().default(true),
    /** The proposal that it was made from. */
    sourceKey: nullable(text(80, '计划来源')),
  })
  .superRefine(allMarked)
export type SessionBody = z.output<typeof sessionBody>
/** Each action accepts its own fields only. */
export const sessionChange = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('edit'), version: z.number().int(), ...sessionFields }),
  z.strictObject({ action: z.literal('add'), version: z.number().int(), workers: people }),
  z.strictObject({ action: z.literal('mark'), version: z.number().int(), workers: people, close: z.boolean().default(false) }),
  /** A result corrected after closing, stored beside the previous one. `losing`: stays that the page named as losing their right of entry. */
  z.strictObject({
    action: z.literal('correct'),
    version: z.number().int(),
    workers: people,
    reason: text(200, '更正原因').min(2, '请填写更正原因（至少 2 个字）'),
    losing: z.array(ref('projectWorker')).max(500, '人员过多').default([]),
  }),
  /** Who came: by the gates of the day, by a card that was read, or ticked. */
  z.strictObject({
    action: z.literal('signIn'),
    version: z.number().int(),
    way: z.enum(signWays),
    workers: z.array(ref('projectWorker')).max(500, '一次最多 500 人').default([]),
    card: nullable(text(50, '卡号')),
  }),
  z.strictObject({
    action: z.literal('retest'),
    version: z.number().int(),
    projectWorkerId: ref('projectWorker'),
    date: day,
    score: mark.score,
    passed: z.boolean({ error: '请选择补考结果' }),
  }),
  z.strictObject({
    action: z.literal('cancel'),
    version: z.number().int(),
    reason: text(200, '取消原因').min(2, '请填写取消原因（至少 2 个字）'),
  }),
])
export type SessionChange = z.output<typeof sessionChange>

export const participant = z.object({
  id: z.string(),
  projectWorkerId: z.string(),
  workerId: z.string(),
  name: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  score: z.number().nullable(),
  passed: z.boolean().nullable(),
  signedAt: z.string().nullable(),
  signWay: z.enum(signWays).nullable(),
  retestAt: z.string().nullable(),
  retestScore: z.number().nullable(),
  /** May enter the site. */
  entryTrained: z.boolean(),
  /** Has left the site. */
  left: z.boolean(),
  changes: z.array(
    z.object({
      time: z.string(),
      by: z.string(),
      from: z.object({ score: z.number().nullable(), passed: z.boolean().nullable() }),
      to: z.object({ score: z.number().nullable(), passed: z.boolean().nullable() }),
      reason: z.string().optional(),
    }),
  ),
})
export const sessionRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  trainingType: z.string(),
  typeName: z.string().nullable(),
  name: z.string(),
  trainer: z.string(),
  startTime: z.string(),
  duration: z.number(),
  address: z.string().nullable(),
  people: z.number().int(),
  passed: z.number().int(),
  closed: z.boolean(),
  state: z.enum(Object.keys(sessionStates) as [SessionState, ...SessionState[]]),
  /** Signed in. */
  attended: z.number().int(),
  /** Failed and not passed since. */
  retest: z.number().int(),
  /** Names of the gangs. */
  teams: z.array(z.string()),
  version: z.number().int(),
})
export type SessionRow = z.infer<typeof sessionRow>
export const sessionDetail = sessionRow.extend({
  content: z.string(),
  files: z.array(z.string()),
  cancelReason: z.string().nullable(),
  sourceKey: z.string().nullable(),
  workers: z.array(participant),
})
export type SessionDetail = z.infer<typeof sessionDetail>
