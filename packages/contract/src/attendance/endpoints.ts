import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { clockTime, day, dayRange, flag, month, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { attendanceSetting, rehearseInput, rehearseOutput } from './facts.ts'

const project = { projectCode: ref('project').optional() }
const unit = { corpCode: ref('corporation').optional(), teamSysNo: pointsTo('teamNo', text(20, '班组')).optional() }
const results = z.array(z.number().int().min(1).max(11))
const moment = z.string().nullable()
const part = z.object({ corpCode: z.string(), teamSysNo: z.string().nullable(), workHours: z.number(), attendDay: z.number().int() })

/** Who a row is about. */
const person = {
  workerId: z.string(),
  name: z.string(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamSysNo: z.string().nullable(),
  teamName: z.string().nullable(),
  workRole: z.string().nullable(),
  workType: z.string().nullable(),
  /** Trade, or post of a manager. */
  workTypeName: z.string().nullable(),
}

const closed = z.object({
  firstIn: moment,
  lastOut: moment,
  workHours: z.number(),
  attendDay: z.number().int(),
  results,
  recordCount: z.number().int(),
})

const dayFields = {
  workDay: z.string(),
  firstIn: moment,
  lastOut: moment,
  workHours: z.number(),
  attendDay: z.number().int(),
  results,
  /** The results in words. */
  resultText: z.string(),
  recordCount: z.number().int(),
  parts: z.array(part),
  expected: z.boolean(),
  /** An entry that may still find its exit. */
  pending: z.boolean(),
  settled: z.boolean(),
  /** Figures when the day settled, where late data or a correction changed them. */
  atClose: closed.nullable(),
  rulesVersion: z.string(),
  settingVersion: z.string(),
}

// ---- days
export const dailyRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  ...person,
  date: z.string(),
  ...dayFields,
  /** Inside at this moment; of the running work day only. */
  inside: z.boolean(),
  /** A correction of the day waits for its approval. */
  fixing: z.boolean(),
  /** Presence as [from, to] in minutes since the work day's midnight. */
  bar: z.array(z.tuple([z.number(), z.number()])).optional(),
  /** Of the person; only in lists of a day. */
  photo: moment.optional(),
})
export type DailyRow = z.infer<typeof dailyRow>

const dailyFilters = {
  ...project,
  ...unit,
  date: day.optional(),
  name: text(50).optional(),
  workerId: ref('worker').optional(),
  workType: several.optional(),
  workRole: several.optional(),
  results: several.optional(),
  workHours: numericRange.optional(),
  recordCount: numericRange.optional(),
  chip: z.enum(['wrong', 'absent', 'inside', 'came', 'keyAbsent', 'entered'], '筛选不正确').optional(),
  sort: sortBy('name', 'firstIn', 'lastOut', 'workHours', 'recordCount', 'teamName', 'corpName', 'date', 'workDay'),
}
export const listDaily = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/daily',
  summary: '日考勤',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend(dailyFilters),
  response: paged(dailyRow),
})
/** What a list of days tells of each; columns that say so only on screen or only in an export are among them. */
const dayColumns = {
  projectName: '项目',
  corpName: '单位',
  teamName: '班组',
  name: '姓名',
  workType: '工种/岗位',
  date: '日期',
  firstIn: '首次入场',
  lastOut: '末次出场',
  workHours: '工时',
  attendDay: '出勤日',
  bar: '在场时段',
  results: '结果',
  recordCount: '次数',
  closeHours: '日结时工时',
  closeResults: '日结时结果',
} as const
export const dailyList = listOf(listDaily, { feature: 'attendanceDaily', columns: dayColumns, onScreen: ['bar'] })
export const exportDaily = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/daily/export',
  summary: '导出日考勤',
  needs: 'attendance.export',
  answers: 'blob',
  query: pageQuery.extend(dailyFilters),
})

const unitCount = z.object({
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamSysNo: z.string().nullable(),
  teamName: z.string().nullable(),
  /** Where the team is; null for a company's people without one, who may be on several sites. */
  projectName: z.string().nullable(),
  due: z.number().int(),
  came: z.number().int(),
})
export const dailyCounts = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/daily/counts',
  summary: '日考勤汇总',
  needs: 'attendance.view',
  query: z.object({ ...project, date: day.optional() }),
  response: z.object({
    date: z.string(),
    /** The work day still runs. */
    running: z.boolean(),
    /** Nobody is due: every project of the scope keeps a rest day or stands still. */
    rest: z.boolean(),
    inPlace: z.number().int(),
    expected: z.number().int(),
    attended: z.number().int(),
    /** Percent over the projects that work on the day; null where none does. */
    rate: z.number().nullable(),
    inside: z.number().int(),
    wrong: z.number().int(),
    /** Due and without any record. */
    absent: z.number().int(),
    /** Those of them who hold a key post. */
    keyAbsent: z.number().int(),
    workHours: z.number(),
    units: z.array(unitCount),
    /** Gates that are silent: nobody should be blamed for what they did not send. */
    silentGates: z.array(z.object({ name: z.string(), projectName: z.string().nullable(), since: moment })),
    quarantined: z.number().int(),
  }),
})

// ---- one person
export const personalDays = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/personally',
  summary: '个人考勤',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend({
    ...project,
    workerId: ref('worker'),
    month: month.optional(),
    startDate: day.optional(),
    endDate: day.optional(),
    date: dayRange.optional(),
    results: several.optional(),
    workHours: numericRange.optional(),
    sort: sortBy('date', 'workDay', 'firstIn', 'lastOut', 'workHours'),
  }),
  response: paged(dailyRow).extend({
    worker: z
      .object({
        workerId: z.string(),
        name: z.string(),
        idCardMask: z.string().nullable(),
        photo: moment,
        stays: z.array(
          z.object({
            projectCode: z.string(),
            projectName: z.string(),
            corpName: z.string().nullable(),
            teamName: z.string().nullable(),
            workTypeName: z.string().nullable(),
            entryTime: z.string(),
            exitTime: moment,
          }),
        ),
      })
      .nullable(),
    totals: z.record(z.string(), z.number()),
    /** Attendance days of the last twelve months. */
    months: z.array(z.object({ month: z.string(), attendDays: z.number().int(), workHours: z.number() })),
    /** Days of attendance on all projects in scope, ever. */
    everDays: z.number().int(),
    keyPost: z
      .object({
        post: z.string(),
        postName: z.string(),
        required: z.number().int(),
        present: z.number().int(),
        needed: z.number().int(),
        rate: z.number().nullable(),
        below: z.boolean(),
      })
      .nullable(),
  }),
})
export const personalList = listOf(personalDays, { feature: 'attendancePerson', columns: dayColumns, onScreen: ['bar'] })

// ---- records
export const recordRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  workerId: z.string().nullable(),
  name: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  /** The device's time. */
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
  /** Where a phone was; null for gates. */
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  outsideFence: z.boolean(),
  /** Metres from the site's fence, 0 inside it; null where place or fence is not known. */
  fenceMetres: z.number().nullable(),
  /** What makes a sign-in doubtful: `signInDoubts`. */
  doubts: z.array(z.string()),
  /** The picture the gate took, for whoever may see pictures. */
  picture: moment,
  seq: z.number().int(),
  hash: z.string(),
  /** What the record came to in the day's reckoning; only where one person's day is asked for. */
  standing: z.string().nullable(),
  standingText: z.string().nullable(),
  countsOn: z.string().nullable(),
  inferred: z.boolean(),
  repeat: z.boolean(),
})
export type RecordRow = z.infer<typeof recordRow>

/** What speaks against a sign-in by phone; a person decides, nothing is thrown away. */
export const signInDoubts = { score: '比对分低', outside: '围栏外', sameSpot: '多人同一定位' } as const
export type SignInDoubt = keyof typeof signInDoubts

const recordFilters = {
  ...project,
  ...unit,
  workerId: ref('worker').optional(),
  /** One work day, together with `workerId`; otherwise a range of the device's time. */
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
/** Figures above the records: of one calendar date, by the conditions of the list. */
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

const span = z.object({ from: z.string(), to: moment, minutes: z.number(), countsOn: z.string() })
export const dayAccount = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/day',
  summary: '一日考勤的计算过程',
  needs: 'attendance.view',
  query: z.object({ ...project, workerId: ref('worker'), date: day }),
  response: z.object({
    day: dailyRow.nullable(),
    records: z.array(recordRow),
    pairs: z.array(span),
    /** The reckoning in words, line by line. */
    words: z.array(z.string()),
    setting: z.object({
      version: z.string(),
      effectiveFrom: z.string(),
      shift: z.string().nullable(),
      workStart: z.string(),
      workEnd: z.string(),
      dayCut: z.string(),
      lateMinutes: z.number(),
      earlyMinutes: z.number(),
      minHours: z.number(),
    }),
    /** Whether the chain over these records is sound. */
    chain: z.object({ ok: z.boolean(), checked: z.number().int(), firstSeq: z.number().nullable(), lastSeq: z.number().nullable() }),
  }),
})

// ---- month
export const monthlyRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  ...person,
  month: z.string(),
  /** One text for each day of the month: see sheet.ts. */
  cells: z.array(z.string()),
  attendDays: z.number().int(),
  workHours: z.number(),
  late: z.number().int(),
  early: z.number().int(),
  missing: z.number().int(),
  absent: z.number().int(),
  leave: z.number().int(),
  overtime: z.number().int(),
  stop: z.number().int(),
  night: z.number().int(),
  lateData: z.number().int(),
  corrected: z.number().int(),
  overtimeHours: z.number(),
})
export type MonthlyRow = z.infer<typeof monthlyRow>
const monthlyFilters = {
  ...project,
  ...unit,
  month: month.optional(),
  name: text(50).optional(),
  workRole: several.optional(),
  results: several.optional(),
  /** Of the printed sheet: the paper that lies in the office. */
  paper: z.enum(['A3', 'A4'], '纸张应为 A3 或 A4').optional(),
}
export const listMonthly = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/monthly',
  summary: '月考勤',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend(monthlyFilters),
  response: paged(monthlyRow).extend({
    month: z.string(),
    today: z.string(),
    /** People with a day of attendance, for each day of the month, of all rows. */
    perDay: z.array(z.number().int()),
    restDates: z.array(z.string()),
    people: z.number().int(),
    attendDays: z.number().int(),
    workHours: z.number(),
    /** Cells with late data. */
    lateCells: z.number().int(),
    dayCut: z.string(),
    minHours: z.number(),
  }),
})
export const exportMonthly = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/monthly/export',
  summary: '导出月考勤',
  needs: 'attendance.export',
  answers: 'blob',
  query: pageQuery.extend(monthlyFilters),
})

// ---- setting
const settingAnswer = z.looseObject({
  projectCode: z.string(),
  version: z.string(),
  effectiveFrom: z.string(),
  /** The work day a new version can begin on at the earliest. */
  earliest: z.string(),
  versions: z.array(
    z.object({
      version: z.string(),
      effectiveFrom: z.string(),
      reason: z.string().nullable(),
      createTime: z.string(),
      createBy: z.string().nullable(),
    }),
  ),
})
export const getSetting = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/setting',
  summary: '获取考勤设置',
  needs: 'attendance.view',
  query: z.object({ ...project, part: text(20).optional(), version: text(64).optional() }),
  response: settingAnswer,
})

/** What a setting may be changed to; what is left out stays as it is in force. Checked as a whole by the server. */
const settingChange = z.looseObject({
  projectCode: ref('project').optional(),
  effectiveFrom: day.optional(),
  reason: text(200, '原因').optional(),
  workStart: clockTime.optional(),
  workEnd: clockTime.optional(),
  dayCut: clockTime.optional(),
})
export const saveSetting = endpoint({
  method: 'POST',
  path: '/api/v1/attendance/setting',
  summary: '保存考勤设置',
  largeBody: 'shifts of two thousand teams',
  needs: 'attendance.setting',
  body: settingChange,
  /** `changed` false: it says what is in force already, so no version was made and no day is counted anew. */
  response: z.object({ version: z.string(), effectiveFrom: z.string(), days: z.number().int(), changed: z.boolean() }),
})

const trialFigures = z.object({
  attended: z.number().int(),
  late: z.number().int(),
  early: z.number().int(),
  missing: z.number().int(),
  absent: z.number().int(),
  workHours: z.number(),
})
export const trySetting = endpoint({
  method: 'POST',
  path: '/api/v1/attendance/setting/trial',
  summary: '试算考勤设置',
  largeBody: 'shifts of two thousand teams',
  needs: 'attendance.setting',
  unaudited: '试算不改变任何数据',
  body: settingChange.extend({ date: day.optional() }),
  response: z.object({ date: z.string(), people: z.number().int(), present: trialFigures, trial: trialFigures, changed: z.number().int() }),
})

export const rehearseDays = endpoint({
  method: 'POST',
  path: '/api/v1/attendance/rehearse',
  summary: '试算考勤',
  largeBody: 'a year of passages',
  needs: 'attendance.view',
  unaudited: '试算不改变任何数据',
  body: rehearseInput,
  response: rehearseOutput,
})
export { attendanceSetting }

// ---- now and statistics
const roleCount = z.object({
  inPlace: z.number().int(),
  attended: z.number().int(),
  onDuty: z.number().int(),
  rate: z.number().nullable(),
})
export const realtimeOverview = endpoint({
  method: 'GET',
  path: '/api/v2/attendance/realtime/overview',
  summary: '实时考勤总览',
  needs: 'attendance.view',
  query: z.object(project),
  response: roleCount.extend({
    date: z.string(),
    at: z.string(),
    workers: roleCount,
    managers: roleCount,
    corps: z.array(roleCount.extend({ corpCode: z.string(), corpName: z.string().nullable() })),
    gates: z.object({ total: z.number().int(), online: z.number().int() }),
    passages: z.array(
      z.object({
        id: z.string(),
        projectCode: z.string(),
        workerId: z.string().nullable(),
        name: z.string(),
        corpName: z.string().nullable(),
        teamName: z.string().nullable(),
        date: z.string(),
        direction: z.string().nullable(),
        channel: z.string().nullable(),
        attendType: z.string(),
        late: z.boolean(),
      }),
    ),
    quarantined: z.number().int(),
  }),
})

export const statsScopes = ['corp', 'team', 'inPlace'] as const
export type StatsScope = (typeof statsScopes)[number]
const statsQuery = z.object({
  ...project,
  ...unit,
  date: day.optional(),
  startDate: day.optional(),
  endDate: day.optional(),
  workType: several.optional(),
  /** 20 workers, 10 managers: units of five managers and of two hundred workers are not compared in one list. */
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
  workHours: z.number(),
  rate,
})
const dayRow = z.object({
  ...unitKey,
  date: z.string(),
  inPlace: z.number().int(),
  expected: z.number().int(),
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
  rate,
  days: z.number().int(),
  hours: z.number(),
  inPlace: z.number().int(),
  workers: z.number().int(),
  managers: z.number().int(),
  /** Hours of a day of attendance; null without one. */
  hoursADay: z.number().nullable(),
  /** Days of more than `overlongHours`. */
  overlong: z.number().int(),
  /** Percent of the days of attendance that rest on a correction, and on data that came more than 48 hours late. */
  correctedPercent: rate,
  latePercent: rate,
})
/** A day longer than this is a matter of safety, not of diligence. */
export const overlongHours = 11
const peopleRow = z.object({
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

/** The same five views of three scopes: a row per company, per team, or of the projects as one. */
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
        /** 00-23: who was inside as that hour of the one day ended (onDuty of `byHour`), instead of a state. */
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
      /** Rate of a key post; null when nothing was required. */
      presence: rate,
      below: z.boolean().nullable(),
    }),
  ),
})

// ---- ledger
const finding = z.object({
  projectCode: z.string(),
  day: z.string().nullable(),
  seq: z.number().int().nullable(),
  toSeq: z.number().int().nullable(),
  row: z.string().nullable(),
  kind: z.string(),
  kindName: z.string(),
  note: z.string(),
})
const ledgerQuery = z.object({ ...project, from: day.optional(), to: day.optional() })
export const verifyLedger = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/ledger/verify',
  summary: '校验考勤账本',
  needs: 'attendance.verify',
  query: ledgerQuery,
  response: z.object({
    projectCode: z.string(),
    ok: z.boolean(),
    entries: z.number().int(),
    lastSeq: z.number().int(),
    lastHash: z.string(),
    roots: z.number().int(),
    /** Copies the caller's group keeps and that were compared. */
    copies: z.number().int(),
    findings: z.array(finding),
    checkedAt: z.string(),
    words: z.string(),
  }),
})
const rootRow = z.object({
  date: z.string(),
  count: z.number().int(),
  firstSeq: z.number().int().nullable(),
  lastSeq: z.number().int().nullable(),
  lastHash: z.string(),
  merkleRoot: z.string(),
  prevRoot: z.string().nullable(),
  projectCode: z.string(),
  hash: z.string(),
  /** The copy of the caller's own group, if it keeps one. */
  deliveredAt: moment,
  copyHash: z.string().nullable(),
})
export const ledgerRoots = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/ledger/roots',
  summary: '考勤账本日根值',
  needs: 'attendance.verify',
  answers: 'list',
  query: ledgerQuery.extend({ page: pageQuery.shape.page, size: pageQuery.shape.size }),
  response: paged(rootRow),
})
export const ledgerProof = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/ledger/proof',
  summary: '个人考勤证明',
  needs: 'attendance.verify',
  query: ledgerQuery.extend({ workerId: ref('worker') }),
  response: z.object({
    projectCode: z.string(),
    workerId: z.string(),
    rulesVersion: z.string(),
    entries: z.array(
      z.object({
        canonical: z.string(),
        previousHash: z.string(),
        hash: z.string(),
        date: z.string(),
        index: z.number().int(),
        path: z.array(z.string()),
      }),
    ),
    roots: z.array(
      z.object({
        count: z.number().int(),
        date: z.string(),
        firstSeq: z.number().int().nullable(),
        lastHash: z.string(),
        lastSeq: z.number().int().nullable(),
        merkleRoot: z.string(),
        prevRoot: z.string().nullable(),
        projectCode: z.string(),
      }),
    ),
    days: z.array(z.object({ ...dayFields, date: z.string() })),
    /** Entries of dates that are not closed yet: they have no root to stand under. */
    pending: z.number().int(),
    /** The first personal number the proof begins with. */
    fromWorkerSeq: z.number().int().nullable(),
  }),
})
