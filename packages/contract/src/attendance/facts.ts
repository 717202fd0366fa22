import { z } from 'zod'
import { isRealDate } from '../kit/checks.ts'
import { day } from '../kit/fields.ts'
import { labourAlarmTypeCodes } from '../labour-alarms/codes.ts'

/*
 * What a worker's day is computed from, and what comes out of it.
 *
 * A gate tells that somebody passed. That is a fact: it is stored as it came and never changed. A day, a month, a presence rate
 * are computed from facts alone: passages, entry and exit of the person, the setting in force, the project's states and
 * approved corrections. Whoever has the same facts gets the same days, in whatever order the facts came.
 *
 * Instants are epoch milliseconds; a work day is a Shanghai date (yyyy-MM-dd) which begins at the day cut.
 */

/** 01 in, 02 out. */
export type Direction = '01' | '02'
export type QuarantineReason = 'clockAhead' | 'tooOld' | 'clockOffset' | 'outsideFence'

export const quarantineReasons: Record<QuarantineReason, string> = {
  clockAhead: '设备时间超前 5 分钟以上',
  tooOld: '早于接收 30 天以上',
  clockOffset: '设备时钟偏差 5 分钟以上',
  outsideFence: '围栏外未计',
}

export interface AttendanceEvent {
  id: string
  /** Null for a stranger. */
  workerId: string | null
  /** The device's clock. */
  time: number
  /** The server's clock. */
  receivedAt: number
  /** As received; null when the gate gave none. */
  direction: Direction | null
  /** Gate serial, `mobile:`+workerId, `manual:`+correction id. */
  gate: string
  /** Dictionary attendanceType. */
  type: string
  /** 0 = not let through. */
  pass: '0' | '1' | null
  /** 1 passed, 2 failed, 3 not judged. */
  live: '1' | '2' | '3' | null
  /** The gate's clock less the server's, where the gate states its clock. */
  clockOffsetMs: number | null
  /** A phone outside the geofence. */
  outsideFence: boolean
  recordId: string | null
  pictureHash: string | null
}

/** One row of projectWorker: half-open [entryTime, exitTime). */
export interface PlaceRow {
  entryTime: number
  exitTime: number | null
  /** When the person was made formal; null = never in this row. */
  formalFrom: number | null
  corpCode: string
  teamSysNo: string | null
}

export const correctionKinds = {
  add: '补卡',
  void: '误刷',
  direction: '更正方向',
  assign: '认领',
  release: '放行待核记录',
  leave: '请假',
  stopDay: '停工日',
  revoke: '撤销更正',
} as const
export type CorrectionKind = keyof typeof correctionKinds

/** Dictionary approvalState, 已通过. */
export const approvedState = '2'

export interface Correction {
  id: string
  kind: CorrectionKind
  /** Dictionary approvalState. */
  state: string
  requestedBy: string | null
  requestedAt: number
  approvedBy: string | null
  approvedAt: number | null
  /** The company approved besides: needed after the window. */
  byCompany: boolean
  /** An event's id; for `revoke` another correction's id. An event added by a correction bears the correction's id. */
  target: string | null
  /** Whom an added or claimed event belongs to; null = the person the facts are about. */
  workerId: string | null
  /** add: when; release: the right time, where the gate's was wrong. */
  time: number | null
  direction: Direction | null
  fromDay: string | null
  toDay: string | null
  /** release of a gate's whole period [fromTime, toTime] instead of one event: its times are moved by `shiftMs`. */
  gate: string | null
  fromTime: number | null
  toTime: number | null
  shiftMs: number | null
}

export interface GateRole {
  /** A gate that serves one direction only. */
  direction: Direction | null
  /** An inner gate proves presence and never pairs. */
  role: 'perimeter' | 'inner'
}

export interface ProjectState {
  /** Dictionary projectState: 003 under construction, 005 stopped. */
  state: string
  from: number
}

// ---------- time ----------

/**
 * A device's or a person's statement of time as epoch milliseconds, milliseconds cut off; undefined when it is none.
 * Without a zone it is Asia/Shanghai, fixed +08:00. `24:00:00` is the first second of the next date.
 */
export function parseDeviceTime(v: string | number): number | undefined {
  if (typeof v === 'number' || /^\d{12,13}$/.test(v)) return wholeSecond(Number(v))
  const parts = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?$/i.exec(v.trim())
  if (!parts) return undefined
  const [, date, hour, minute, second = '00', zone = '+08:00'] = parts
  if (!isRealDate(date!)) return undefined
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (h > 24 || m > 59 || s > 59 || (h === 24 && (m > 0 || s > 0))) return undefined
  return Date.parse(`${date}T00:00:00Z`) + (h * 3600 + m * 60 + s) * 1000 - zoneMs(zone)
}

const zoneMs = (zone: string) => {
  if (zone === 'Z' || zone === 'z') return 0
  const digits = zone.replace(':', '')
  return (digits[0] === '-' ? -1 : 1) * (Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5))) * 60_000
}

/** Milliseconds are cut off before any rule. */
export const wholeSecond = (at: number): number | undefined => (Number.isFinite(at) ? Math.floor(at / 1000) * 1000 : undefined)

// ---------- setting ----------

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

/** Wall-clock times whose presence is no work; `to` at or before `from` lies on the next date. */
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

const restDates = z.array(day).max(400, '休息日过多')
/** Make-up days: worked although their weekday rests. */
const workDates = z.array(day).max(400, '调班工作日过多')
/** ISO weekdays, 1 = Monday to 7 = Sunday, each once. */
const restWeekdays = z
  .array(z.literal([1, 2, 3, 4, 5, 6, 7], '每周休息应为星期一至星期日'))
  .refine((days) => new Set(days).size === days.length, '每周休息重复')

/** A shift overrides any of these; what it leaves out is the setting's. */
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

/** The setting of a project: how days are counted, and when somebody is told. One stored version of it is in force from a work day on. */
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
    autoExitDays: whole('连续未考勤自动退场天数', 0, 365).default(30),
    absentAlarmDays: whole('未考勤预警天数', 1, 365).default(7),
    ageMaleMax: whole('男性年龄上限', 18, 100).default(60),
    ageFemaleMax: whole('女性年龄上限', 18, 100).default(50),
    ageMin: whole('最小年龄', 18, 100).default(18),
    faceThreshold: whole('比对阈值', 60, 100).default(80),
    allowMobile: z.boolean('允许移动端打卡应为是或否').default(false),
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

/** ISO weekday of a calendar date: 1 = Monday to 7 = Sunday. */
const isoWeekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** Whether nobody is due on a date: a rest date is named, or its weekday rests and nothing is made up on it. */
export const isRestDate = (s: Pick<AttendanceSetting, 'restDates' | 'restWeekdays' | 'workDates'>, date: string): boolean =>
  s.restDates.includes(date) || (s.restWeekdays.some((weekday) => weekday === isoWeekdayOf(date)) && !s.workDates.includes(date))

/** Only what a shift states: an optional key set to undefined must not hide the setting's value. */
export const given = <T extends object>(v: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(v).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> }

export interface SettingVersion {
  version: string
  /** First work day it is in force on; the earliest version holds before its own day too. */
  effectiveFrom: string
  setting: AttendanceSetting
}

// ---------- results ----------

export const dayResults = {
  1: '正常',
  2: '迟到',
  3: '早退',
  4: '缺卡',
  5: '缺勤',
  6: '请假',
  7: '加班',
  8: '停工',
  9: '夜班',
  10: '补传',
  11: '补录',
} as const
export type DayResult = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11

export interface DayPart {
  corpCode: string
  teamSysNo: string | null
  workHours: number
  attendDay: 0 | 1
}

export interface Day {
  workDay: string
  firstIn: number | null
  lastOut: number | null
  /** One decimal. */
  workHours: number
  attendDay: 0 | 1
  results: DayResult[]
  recordCount: number
  parts: DayPart[]
  rulesVersion: string
  settingVersion: string
  /** Name of the team's shift, null = the setting's own times. */
  shift: string | null
  expected: boolean
  /** The running work day is over. */
  closed: boolean
  /** Closed, and no entry can still find its exit. */
  settled: boolean
  /** An entry that may still find its exit. */
  pending: boolean
  leave: boolean
  stopped: boolean
  /** A key post had to be here (leave does not lessen it). */
  required: boolean
  /** Required, a day of attendance, and proven time. */
  present: boolean
  overtimeHours: number
}

export interface MonthTotals {
  attendDays: number
  workHours: number
  late: number
  early: number
  missing: number
  absent: number
  leave: number
  overtime: number
  stop: number
  night: number
  lateData: number
  corrected: number
  overtimeHours: number
}

export interface KeyPostMonth {
  required: number
  present: number
  /** Days that would be enough. */
  needed: number
  /** Percent, two decimals; null when nothing was required. */
  rate: number | null
  below: boolean
}

// ---------- key posts ----------

/** Posts of dictionary managerPost marked `key`; `minPresence` in percent. A test compares it with the dictionary. */
export const keyPosts: Record<string, { minPresence: number }> = {
  '1001': { minPresence: 0 },
  '1004': { minPresence: 0 },
  '1009': { minPresence: 80 },
  '1011': { minPresence: 0 },
  '1016': { minPresence: 0 },
  '1017': { minPresence: 0 },
  '1018': { minPresence: 0 },
  '1022': { minPresence: 0 },
  '2001': { minPresence: 0 },
}

// ---------- rehearsal ----------

const time = z
  .string('时间格式应为 yyyy-MM-dd HH:mm:ss')
  .max(40)
  .refine((v) => parseDeviceTime(v) !== undefined, '时间格式应为 yyyy-MM-dd HH:mm:ss')
/** Imports know dates only, so an entry may be one. */
const dateOrTime = z
  .string('时间格式应为 yyyy-MM-dd HH:mm:ss')
  .max(40)
  .refine((v) => isRealDate(v) || parseDeviceTime(v) !== undefined, '时间格式应为 yyyy-MM-dd HH:mm:ss')
const workDay = z.preprocess((v) => (typeof v === 'string' && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(v) ? v.slice(0, 10) : v), day)
const identifier = z.union([z.string().min(1).max(100), z.number().int()]).transform(String)
const directionCode = z
  .enum(['01', '02', ''], '方向应为 01、02 或空')
  .nullish()
  .transform((v): Direction | null => v || null)
const yesNo = z.union([z.boolean(), z.number(), z.string()]).nullish()
const isYes = (v: boolean | number | string | null | undefined) =>
  v !== undefined && v !== null && !['', '0', 'false', 'no'].includes(String(v))
/** A gate's own modes are numbers; the dictionary's codes have three digits. */
const attendType = z
  .union([z.string().regex(/^(\d{3}|[1-5])$/, '通行方式应为三位字典码'), z.number().int().min(1).max(5)])
  .nullish()
  .transform((v) => (v === null || v === undefined ? '001' : (gateModes[Number(String(v).length === 1 ? v : 0)] ?? String(v))))

/** A gate's mode (刷脸 刷卡 人卡合一 人证比对 二维码) as dictionary attendanceType. */
export const gateModes: Record<number, string> = { 1: '001', 2: '006', 3: '006', 4: '005', 5: '010' }

const rehearsedEvent = z.object({
  id: identifier,
  time,
  receivedAt: time.nullish(),
  direction: directionCode,
  gate: z
    .string()
    .max(100)
    .nullish()
    .transform((v) => v ?? ''),
  type: attendType,
  pass: yesNo.transform((v): '0' | '1' | null => (v === undefined || v === null ? null : isYes(v) ? '1' : '0')),
  live: yesNo.transform((v): '1' | '2' | '3' | null => {
    if (v === undefined || v === null || v === '') return null
    return !isYes(v) || String(v) === '2' ? '2' : String(v) === '3' ? '3' : '1'
  }),
  clockOffsetMs: z
    .number()
    .nullish()
    .transform((v) => v ?? null),
  outsideFence: yesNo.transform(isYes),
  stranger: yesNo.transform(isYes),
})

const approvalStates: Record<string, string> = { 草稿: '0', 审批中: '1', 已通过: '2', 已驳回: '3', 已撤回: '4', 已转办: '5' }

const rehearsedCorrection = z.object({
  id: identifier,
  kind: z.enum(Object.keys(correctionKinds) as [CorrectionKind, ...CorrectionKind[]], '更正类型不正确'),
  state: z.union([z.string().max(20), z.number().int()]).transform((v) => approvalStates[String(v)] ?? String(v)),
  requestedBy: z.string().max(100).nullish(),
  requestedAt: time,
  approvedBy: z.string().max(100).nullish(),
  approvedAt: time.nullish(),
  byCompany: yesNo.transform(isYes),
  target: identifier.nullish(),
  time: time.nullish(),
  direction: directionCode,
  fromDay: workDay.nullish(),
  toDay: workDay.nullish(),
  gate: z.string().max(100).nullish(),
  fromTime: time.nullish(),
  toTime: time.nullish(),
  shiftMs: z.number().int().nullish(),
})

const settingVersion = z.object({ effectiveFrom: day, setting: attendanceSetting })

/** The body of POST /api/v1/attendance/rehearse: facts of one person, evaluated without storing anything. */
export const rehearseInput = z
  .object({
    setting: attendanceSetting.prefault({}),
    /** Later versions of the setting, each from a work day on. */
    versions: z.array(settingVersion).max(50).default([]),
    project: z
      .object({
        states: z
          .array(z.object({ state: z.string().regex(/^\d{3}$/, '项目状态应为三位字典码'), from: dateOrTime }))
          .max(500)
          .default([]),
      })
      .prefault({}),
    gates: z
      .record(
        z.string().max(100),
        z.object({ direction: directionCode, role: z.enum(['perimeter', 'inner'], '闸机作用应为 perimeter 或 inner').nullish() }),
      )
      .default({}),
    worker: z.object({
      workerId: z.string().min(1).max(64),
      post: z.string().max(20).nullish(),
      rows: z
        .array(
          z
            .object({
              entryTime: dateOrTime,
              exitTime: dateOrTime.nullish(),
              /** Left out: formal from the day of entry. Null: not made formal. */
              formalFrom: dateOrTime.nullable().optional(),
              corpCode: z
                .string()
                .max(64)
                .nullish()
                .transform((v) => v ?? ''),
              teamSysNo: z
                .string()
                .max(64)
                .nullish()
                .transform((v) => v ?? null),
            })
            .refine((r) => !r.exitTime || instantOf(r.exitTime) >= instantOf(r.entryTime), {
              path: ['exitTime'],
              message: '退场时间不能早于进场时间',
            }),
        )
        .max(200),
    }),
    events: z.array(rehearsedEvent).max(20_000, '记录最多 20000 条').default([]),
    corrections: z.array(rehearsedCorrection).max(2_000, '更正最多 2000 条').default([]),
    from: workDay,
    to: workDay,
    now: time,
  })
  .refine((v) => v.from <= v.to, { path: ['to'], message: '结束日期不能早于开始日期' })
  .refine((v) => Date.parse(v.to) - Date.parse(v.from) <= 365 * 86_400_000, { path: ['to'], message: '一次最多试算 366 天' })

/** Epoch milliseconds of a checked time or date. */
export const instantOf = (v: string): number => parseDeviceTime(isRealDate(v) ? `${v} 00:00:00` : v) ?? Number.NaN

export type RehearseInput = z.output<typeof rehearseInput>

const hourFigures = z.tuple([z.number().int(), z.number().int(), z.number().int()])

export const rehearseOutput = z.object({
  days: z.array(
    z.object({
      workDay: day,
      firstIn: z.string().nullable(),
      lastOut: z.string().nullable(),
      workHours: z.number(),
      attendDay: z.union([z.literal(0), z.literal(1)]),
      results: z.array(z.number().int().min(1).max(11)),
      recordCount: z.number().int(),
      parts: z.array(
        z.object({
          corpCode: z.string(),
          teamSysNo: z.string().nullable(),
          workHours: z.number(),
          attendDay: z.union([z.literal(0), z.literal(1)]),
        }),
      ),
    }),
  ),
  months: z.record(
    z.string(),
    z.object({
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
    }),
  ),
  keyPost: z.record(
    z.string(),
    z.object({
      required: z.number().int(),
      present: z.number().int(),
      needed: z.number().int(),
      rate: z.number().nullable(),
      below: z.boolean(),
    }),
  ),
  onDuty: z.boolean(),
  byHour: z.record(z.string(), z.record(z.string(), hourFigures)),
  quarantined: z.array(z.object({ id: z.string(), reason: z.enum(['clockAhead', 'tooOld', 'clockOffset', 'outsideFence']) })),
  refused: z.array(z.string()),
})
export type RehearseOutput = z.output<typeof rehearseOutput>
