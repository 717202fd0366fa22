import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, flag, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { moment, project, unit } from './row-fields.ts'

export const recordRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  workerId: z.string().nullable(),
  name: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  /** By the device's clock. */
  date: z.string(),
  receivedAt: z.string(),
  direction: z.string().nullable(),
  directionName: z.string().nullable(),
  attendType: z.string(),
  attendTypeName: z.string().nullable(),
  channel: z.string().nullable(),
  terminalCode: z.string(),
  sim: z.number().nullable(),
  live: z.string().nullable(),
  pass: z.string().nullable(),
  temperature: z.number().nullable(),
  source: z.string(),
  sourceName: z.string().nullable(),
  late: z.boolean(),
  /** Arrived more than 48 hours after its time. */
  lateData: z.boolean(),
  quarantine: z.string().nullable(),
  quarantineText: z.string().nullable(),
  flags: z.array(z.string()),
  duplicated: z.number().int(),
  hasPicture: z.boolean(),
  /** Position of the phone; null for gates. */
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  outsideFence: z.boolean(),
  /** Distance to the site's fence in metres, 0 inside it; null when position or fence is unknown. */
  fenceMetres: z.number().nullable(),
  /** Reasons to doubt a sign-in: `signInDoubts`. */
  doubts: z.array(z.string()),
  /** The picture that the gate took, for callers who may see pictures. */
  picture: moment,
  seq: z.number().int(),
  hash: z.string(),
  /** How the computation of the day used the record; only in a query for one person and day. */
  standing: z.string().nullable(),
  standingText: z.string().nullable(),
  countsOn: z.string().nullable(),
  inferred: z.boolean(),
  repeat: z.boolean(),
})

export type RecordRow = z.infer<typeof recordRow>

/** Reasons to doubt a sign-in by phone. A person decides; no record is deleted. */
export const signInDoubts = { score: '比对分低', outside: '围栏外', sameSpot: '多人同一定位' } as const

export type SignInDoubt = keyof typeof signInDoubts

const recordFilters = {
  ...project,
  ...unit,
  workerId: ref('worker').optional(),
  /** One work day if `workerId` is given; otherwise a range of the device's time. */
  date: dayRange.optional(),
  receivedAt: dayRange.optional(),
  name: text(50).optional(),
  direction: several.optional(),
  attendType: several.optional(),
  channel: text(50).optional(),
  terminalCode: text(50).optional(),
  sim: numericRange.optional(),
  source: several.optional(),
  late: flag.optional(),
  stranger: flag.optional(),
  quarantine: several.optional(),
  /** Held back until somebody releases them. */
  waiting: flag.optional(),
  suspicious: flag.optional(),
  seq: numericRange.optional(),
  sort: sortBy('date', 'time', 'receivedAt', 'seq', 'name'),
}

export const listRecords = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/record',
  summary: '考勤记录',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend(recordFilters),
  response: paged(recordRow),
})

const recordColumns = {
  projectName: '项目',
  name: '姓名',
  corpName: '单位',
  teamName: '班组',
  date: '时间',
  receivedAt: '到达',
  direction: '方向',
  attendType: '方式',
  channel: '通道',
  terminalCode: '设备',
  sim: '比对分',
  source: '来源',
  marks: '标记',
  quarantine: '待核',
  seq: '账本序号',
  hash: '账本哈希',
} as const

export const recordList = listOf(listRecords, {
  feature: 'attendanceRecord',
  columns: { picture: '抓拍', ...recordColumns },
  onScreen: ['picture'],
})

export const signInList = listOf(listRecords, {
  feature: 'signIn',
  columns: {
    picture: '照片',
    projectName: '项目',
    name: '姓名',
    corpName: '单位',
    teamName: '班组',
    date: '时间',
    direction: '方向',
    sim: '比对分',
    place: '距围栏 m',
    doubts: '可信',
    result: '受理',
    seq: '账本序号',
  },
  onScreen: ['picture'],
})

/** Figures above the list of records: for one calendar date, with the filters of the list. */
export const recordCounts = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/record/counts',
  summary: '考勤记录汇总',
  needs: 'attendance.view',
  query: z.object({ ...project, source: several.optional(), date: day.optional() }),
  response: z.object({
    date: z.string(),
    total: z.number().int(),
    people: z.number().int(),
    late: z.number().int(),
    suspicious: z.number().int(),
    stranger: z.number().int(),
    /** Held back and not released, of any date. */
    waiting: z.number().int(),
    outside: z.number().int(),
    keyPosts: z.number().int(),
    byType: z.array(z.object({ attendType: z.string(), name: z.string().nullable(), count: z.number().int() })),
    byHour: z.array(z.object({ hour: z.string(), inCount: z.number().int(), outCount: z.number().int() })),
    gates: z.array(z.object({ terminalCode: z.string(), channel: z.string().nullable(), count: z.number().int(), late: z.number().int() })),
    today: z.string(),
  }),
})
