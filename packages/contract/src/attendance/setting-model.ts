import { z } from 'zod'
import { day } from '../kit/fields.ts'
import { restDates, restWeekdays, workDates } from '../kit/rest-days.ts'
import { labourAlarmTypeCodes } from '../labour-alarms/codes.ts'
import { tellChannels, tellRoles } from '../notify/telling.ts'

const clock = (label: string, last = '23:59') =>
  z
    .string(`${label}格式应为 HH:mm`)
    .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, `${label}格式应为 HH:mm`)
    .refine((v) => v <= last, `${label}不能晚于 ${last}`)

const range = (label: string, min: number, max: number) =>
  z.number(`${label}应为数字`).min(min, `${label}不能小于 ${min}`).max(max, `${label}不能大于 ${max}`)

const whole = (label: string, min: number, max: number) => range(label, min, max).refine(Number.isInteger, `${label}应为整数`)

const oneDecimal = (label: string, min: number, max: number) =>
  range(label, min, max).refine((v) => Math.abs(v * 10 - Math.round(v * 10)) < 1e-9, `${label}最多一位小数`)

const twoDecimals = (label: string, min: number, max: number) =>
  range(label, min, max).refine((v) => Math.abs(v * 100 - Math.round(v * 100)) < 1e-9, `${label}最多两位小数`)

const breakSpan = z
  .union(
    [
      z.tuple([clock('休息开始'), clock('休息结束', '24:00')]),
      z.object({ from: clock('休息开始'), to: clock('休息结束', '24:00') }).transform((v): [string, string] => [v.from, v.to]),
    ],
    '休息时段应为 [起, 止]',
  )
  .refine(([from, to]) => from !== to, '休息时段的起止不能相同')

/** Wall-clock breaks, which do not count as work; `to` at or before `from` is on the next date. */
const breakSpans = z.array(breakSpan).max(6, '休息时段最多 6 个')

const timeFields = {
  workStart: clock('上班时间'),
  workEnd: clock('下班时间', '24:00'),
  crossMidnight: z.boolean('跨零点应为是或否'),
  lateMinutes: whole('迟到宽限', 0, 120),
  earlyMinutes: whole('早退宽限', 0, 120),
  dayCut: clock('日切时间', '12:00'),
  minHours: oneDecimal('计出勤最少工时', 0, 12),
  repeatSeconds: whole('重复通行秒数', 0, 1800),
  maxSpanHours: range('最长配对小时', 1, 24),
  breaks: breakSpans,
  standardHours: oneDecimal('标准工时', 0, 12),
  supplementDays: whole('允许补录天数', 0, 7),
}

/** A shift overrides any of these fields; the others keep the value of the setting. */
export const shiftSchema = z.object({ ...timeFields, restDates }).partial()

export type Shift = z.output<typeof shiftSchema>

const teamShift = z.object({
  teamSysNo: z.string().min(1, '请选择班组').max(64),
  shift: z.string().min(1, '请选择班次').max(50),
  from: day,
})

const workTimes = (s: { workStart: string; workEnd: string; crossMidnight: boolean; dayCut: string }): string | undefined => {
  if (s.dayCut > s.workStart) return '日切时间不能晚于上班时间'
  if (s.workEnd > s.workStart) return undefined
  if (!s.crossMidnight) return '下班时间早于上班时间时须勾选跨零点'
  return s.dayCut < s.workEnd ? '跨零点班次的日切时间须在下班时间至 12:00 之间' : undefined
}

/**
 * The attendance setting of a project: how days are computed, and when somebody is notified. Each stored version is in force from a work
 * day.
 */
export const attendanceSetting = z
  .object({
    workStart: timeFields.workStart.default('07:00'),
    workEnd: timeFields.workEnd.default('18:00'),
    crossMidnight: timeFields.crossMidnight.default(false),
    lateMinutes: timeFields.lateMinutes.default(0),
    earlyMinutes: timeFields.earlyMinutes.default(0),
    dayCut: timeFields.dayCut.default('04:00'),
    minHours: timeFields.minHours.default(0),
    supplementDays: timeFields.supplementDays.default(3),
    repeatSeconds: timeFields.repeatSeconds.default(60),
    maxSpanHours: timeFields.maxSpanHours.default(16),
    breaks: timeFields.breaks.default([]),
    restDates: restDates.default([]),
    restWeekdays: restWeekdays.default([]),
    workDates: workDates.default([]),
    standardHours: timeFields.standardHours.default(0),
    keyPostRate: twoDecimals('关键岗位到岗率阈值', 0, 100).default(80),
    shifts: z.record(z.string().min(1).max(50), shiftSchema).default({}),
    teamShifts: z.array(teamShift).max(2000).default([]),
    autoExitDays: whole('连续未考勤建议退场天数', 0, 365).default(30),
    absentAlarmDays: whole('未考勤预警天数', 1, 365).default(7),
    ageMaleMax: whole('男性年龄上限', 18, 100).default(60),
    ageFemaleMax: whole('女性年龄上限', 18, 100).default(50),
    ageMin: whole('最小年龄', 18, 100).default(18),
    faceThreshold: whole('比对阈值', 60, 100).default(80),
    allowMobile: z.boolean('允许移动端打卡应为是或否').default(false),
    tellRoles: tellRoles(['劳务员', '项目管理员']),
    tellChannels,
    quietFrom: clock('免打扰开始').default('20:00'),
    quietTo: clock('免打扰结束').default('07:00'),
    alarmsOff: z
      .array(z.enum(labourAlarmTypeCodes, { error: '预警类型不正确' }))
      .max(20)
      .default([]),
  })
  .superRefine((s, context) => {
    const wrong = workTimes(s)
    if (wrong) context.addIssue({ code: 'custom', path: ['dayCut'], message: wrong })
    for (const [name, shift] of Object.entries(s.shifts)) {
      const wrongShift = workTimes({ ...s, ...given(shift) })
      if (wrongShift) context.addIssue({ code: 'custom', path: ['shifts', name], message: `班次“${name}”：${wrongShift}` })
    }
    s.teamShifts.forEach((t, i) => {
      if (!Object.hasOwn(s.shifts, t.shift))
        context.addIssue({ code: 'custom', path: ['teamShifts', i, 'shift'], message: `班次“${t.shift}”不存在` })
    })
  })

export type AttendanceSetting = z.output<typeof attendanceSetting>

/** Removes undefined values, because a key set to undefined would hide the setting's value. */
export const given = <T extends object>(v: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(v).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

export interface SettingVersion {
  version: string
  /** First work day of the version; the earliest version also applies to the days before. */
  effectiveFrom: string
  setting: AttendanceSetting
}
