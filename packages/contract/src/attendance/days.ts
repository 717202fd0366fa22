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
  /** Inside at this moment; for the current work day only. */
  inside: z.boolean(),
  /** A correction of the day is waiting for approval. */
  fixing: z.boolean(),
  /** Presence as [from, to] in minutes since the work day's midnight. */
  bar: z.array(z.tuple([z.number(), z.number()])).optional(),
  /** Photo of the person; only in lists of a single day. */
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

/** Columns of lists of days. Columns marked so appear only on screen or only in an export. */
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
  /** Project of the team; null for people of a company without a team, who may be on several sites. */
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
    /** The work day has not ended yet. */
    running: z.boolean(),
    /** Nobody is expected: every project of the scope has a rest day or is suspended. */
    rest: z.boolean(),
    inPlace: z.number().int(),
    /** 应到 and 实到: `rate` is arrived / expected, null when nobody is expected. */
    expected: z.number().int(),
    attended: z.number().int(),
    /** People who came, expected or not. */
    came: z.number().int(),
    rate: z.number().nullable(),
    inside: z.number().int(),
    wrong: z.number().int(),
    /** Expected people without any record. */
    absent: z.number().int(),
    /** Those of them who hold a key post. */
    keyAbsent: z.number().int(),
    workHours: z.number(),
    units: z.array(unitCount),
    /** Gates that are offline: missing records may be the fault of the gate, not of the person. */
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
    /** For a requested month: rest days of the site of the person's newest stay. */
    restDates: z.array(z.string()),
    /** All attendance days ever, on all projects in scope. */
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
    /** Explanation of how the day was computed, line by line. */
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
    /** Whether the hash chain over these records is intact. */
    chain: z.object({ ok: z.boolean(), checked: z.number().int(), firstSeq: z.number().nullable(), lastSeq: z.number().nullable() }),
  }),
})
