import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, month, paged, pageQuery, several, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { moment, person, project, results, unit } from './row-fields.ts'

export const statsScopes = ['corp', 'team', 'inPlace'] as const

export type StatsScope = (typeof statsScopes)[number]

const statsQuery = z.object({
  ...project,
  ...unit,
  date: day.optional(),
  startDate: day.optional(),
  endDate: day.optional(),
  workType: several.optional(),
  /** 20 workers, 10 managers: a list compares companies by one of them, because few managers and many workers are not comparable. */
  workRole: several.optional(),
  page: pageQuery.shape.page,
  size: pageQuery.shape.size,
})

const unitKey = {
  corpCode: z.string().nullable(),
  corpName: z.string().nullable(),
  teamSysNo: z.string().nullable(),
  teamName: z.string().nullable(),
}

const rate = z.number().nullable()
/** Days with an expected person (over a period: person-days), and those on which the person came: `rate` is arrived / expected. */
export const due = { expected: z.number().int(), arrived: z.number().int() }

const hourRow = z.object({
  ...unitKey,
  hours: z.array(z.object({ hour: z.string(), inCount: z.number().int(), outCount: z.number().int(), onDuty: z.number().int() })),
})

const tradeRow = z.object({
  ...unitKey,
  workType: z.string(),
  workTypeName: z.string().nullable(),
  inPlace: z.number().int(),
  attended: z.number().int(),
  personDays: z.number().int(),
  ...due,
  workHours: z.number(),
  rate,
})

const dayRow = z.object({
  ...unitKey,
  date: z.string(),
  inPlace: z.number().int(),
  ...due,
  attended: z.number().int(),
  entered: z.number().int(),
  workHours: z.number(),
  rate,
  late: z.number().int(),
  early: z.number().int(),
  missing: z.number().int(),
  absent: z.number().int(),
  leave: z.number().int(),
  stop: z.number().int(),
  night: z.number().int(),
  atClose: z.object({ attended: z.number().int(), workHours: z.number() }).nullable(),
})

const rankRow = z.object({
  rank: z.number().int(),
  code: z.string(),
  name: z.string().nullable(),
  ...unitKey,
  ...due,
  rate,
  days: z.number().int(),
  hours: z.number(),
  inPlace: z.number().int(),
  workers: z.number().int(),
  managers: z.number().int(),
  /** Hours per attendance day; null without one. */
  hoursADay: z.number().nullable(),
  /** Number of days longer than `overlongHours`. */
  overlong: z.number().int(),
  /** Percentage of attendance days based on a correction, and of those based on data that came more than 48 hours late. */
  correctedPercent: rate,
  latePercent: rate,
})

/** A longer day is a safety risk. */
export const overlongHours = 11

export const peopleRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  ...person,
  date: z.string(),
  firstIn: moment,
  lastOut: moment,
  workHours: z.number(),
  results,
  resultText: z.string(),
})

export const personStates = [
  'inPlace',
  'expected',
  'arrived',
  'attended',
  'entered',
  'onDuty',
  'late',
  'early',
  'missing',
  'absent',
  'leave',
  'night',
  'overlong',
  'lateData',
  'corrected',
] as const

export type PersonState = (typeof personStates)[number]

/** The same five views for three scopes: one row per company, per team, or for all projects together. */
const statsOf = (scope: StatsScope, words: string) => {
  const common = { method: 'GET', needs: 'attendance.view', answers: 'list' } as const
  const path = `/api/v2/attendance/stats/${scope}` as const
  return {
    byHour: endpoint({ ...common, path: `${path}/byHour`, summary: `${words}考勤按小时统计`, query: statsQuery, response: paged(hourRow) }),
    byWorkType: endpoint({
      ...common,
      path: `${path}/byWorkType`,
      summary: `${words}考勤按工种统计`,
      query: statsQuery,
      response: paged(tradeRow),
    }),
    byDay: endpoint({ ...common, path: `${path}/byDay`, summary: `${words}考勤按日统计`, query: statsQuery, response: paged(dayRow) }),
    rank: endpoint({
      ...common,
      path: `${path}/rank`,
      summary: `${words}考勤排名`,
      query: statsQuery.extend({ by: z.enum(['rate', 'days', 'hours'], '排名依据应为 rate、days 或 hours').default('rate') }),
      response: paged(rankRow),
    }),
    queryperson: endpoint({
      ...common,
      path: `${path}/queryperson`,
      summary: `${words}考勤人员查询`,
      query: statsQuery.extend({
        state: z.enum(personStates, '人员状态不正确').default('inPlace'),
        name: text(50).optional(),
        /** 00-23: filters by people who were inside at the end of that hour (onDuty of `byHour`), instead of by a state. */
        hour: z
          .string()
          .regex(/^([01]\d|2[0-3])$/, '小时应为 00 至 23')
          .optional(),
      }),
      response: paged(peopleRow),
    }),
  }
}

export const corpStats = statsOf('corp', '单位')

export const teamStats = statsOf('team', '班组')

export const inPlaceStats = statsOf('inPlace', '在场')

export const statsByScope = { corp: corpStats, team: teamStats, inPlace: inPlaceStats }

const rankColumns = {
  rank: '名次',
  name: '单位',
  inPlace: '在册',
  workers: '工人',
  managers: '管理人员',
  days: '出勤人天',
  expected: '应到人天',
  arrived: '实到人天',
  rate: '出勤率 %',
  hours: '总工时',
  hoursADay: '人均日工时',
  overlong: '超时人天',
  correctedPercent: '补录占比 %',
  latePercent: '迟传占比 %',
} as const

export const unitRankList = listOf(corpStats.rank, {
  feature: 'attendanceUnit',
  columns: { ...rankColumns, change: '较上期' },
  onScreen: ['change'],
})

export const teamRankList = listOf(teamStats.rank, {
  feature: 'attendanceTeam',
  columns: { ...rankColumns, name: '班组', corpName: '单位', steady: '稳定率' },
  onScreen: ['steady'],
})

export const statsTypes = ['corp', 'team', 'worker', 'keyPost'] as const

const typeParams = z.object({ type: z.enum(statsTypes, '统计类型应为 corp、team、worker 或 keyPost') })

const typeQuery = z.object({ ...project, ...unit, month: month.optional(), startDate: day.optional(), endDate: day.optional() })

const totals = {
  inPlace: z.number().int(),
  personDays: z.number().int(),
  inPlaceDays: z.number().int(),
  ...due,
  workHours: z.number(),
  rate,
  late: z.number().int(),
  early: z.number().int(),
  missing: z.number().int(),
  absent: z.number().int(),
  leave: z.number().int(),
  lateData: z.number().int(),
  corrected: z.number().int(),
}

export const statsTotals = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/stats/:type',
  summary: '按类型考勤统计',
  needs: 'attendance.view',
  params: typeParams,
  query: typeQuery,
  response: z.object({ startDate: z.string(), endDate: z.string(), units: z.number().int(), ...totals }),
})

export const statsList = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/stats/list/:type',
  summary: '按类型考勤统计列表',
  needs: 'attendance.view',
  answers: 'list',
  params: typeParams,
  query: typeQuery.extend({ page: pageQuery.shape.page, size: pageQuery.shape.size, name: text(50).optional() }),
  response: paged(
    z.object({
      id: z.string(),
      code: z.string(),
      name: z.string().nullable(),
      ...unitKey,
      projectCode: z.string().nullable(),
      projectName: z.string().nullable(),
      ...totals,
      post: z.string().nullable(),
      postName: z.string().nullable(),
      required: z.number().int().nullable(),
      present: z.number().int().nullable(),
      needed: z.number().int().nullable(),
      /** Presence rate of a key post; null when nothing was required. */
      presence: rate,
      below: z.boolean().nullable(),
    }),
  ),
})
