import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { clockTime, day, ref, text } from '../kit/fields.ts'
import { restDays } from '../kit/rest-days.ts'
import { rehearseInput, rehearseOutput } from './rehearsal.ts'
import { project } from './row-fields.ts'

const settingAnswer = z.looseObject({
  projectCode: z.string(),
  version: z.string(),
  effectiveFrom: z.string(),
  /** The earliest work day on which a new version can begin. */
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
  /** The working calendar that applies from above the site, and whose it is; null in `fromName` means ordinary weekends. */
  bodyCalendar: z.object({ value: restDays, fromName: z.string().nullable() }).nullable(),
})

export const getSetting = endpoint({
  method: 'GET',
  path: '/api/v1/attendance/setting',
  summary: '获取考勤设置',
  needs: 'attendance.view',
  query: z.object({ ...project, part: text(20).optional(), version: text(64).optional() }),
  response: settingAnswer,
})

/** The changes of a setting; fields left out keep their current value. The server validates the result as a whole. */
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
  /** `changed` is false when the values are already in force: no version is created and no day is recomputed. */
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
