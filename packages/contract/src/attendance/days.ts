import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, month, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { recordRow } from './records.ts'
import { dayFields, moment, person, project, unit } from './row-fields.ts'

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
  chip: z.enum(['wrong', 'absent', 'inside', 'came', 'due', 'keyAbsent', 'entered'], '筛选不正确').optional(),
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
    /** 应到 and 实到: `rate` is the second of the first, null where nobody is expected. */
    expected: z.number().int(),
    attended: z.number().int(),
    /** Whoever came, expected or not. */
    came: z.number().int(),
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
    /** Of a month asked for: days of rest of the site of the newest stay. */
    restDates: z.array(z.string()),
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
    /** Pending corrections of the day. */
    fixes: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        kindName: z.string(),
        content: z.string(),
        requestedName: z.string().nullable(),
        requestedAt: z.string(),
      }),
    ),
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
