import { z } from 'zod'
import { isRealDate } from '../kit/checks.ts'
import { day } from '../kit/fields.ts'
import { type CorrectionKind, correctionKinds, type Direction } from './facts.ts'
import { monthSums } from './row-fields.ts'
import { attendanceSetting } from './setting-model.ts'
import { instantOf, parseDeviceTime } from './time.ts'

const time = z
  .string('时间格式应为 yyyy-MM-dd HH:mm:ss')
  .max(40)
  .refine((v) => parseDeviceTime(v) !== undefined, '时间格式应为 yyyy-MM-dd HH:mm:ss')

/** An entry may be a date without a time, because imports contain only dates. */
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

/** Accepts a gate's own mode number (1-6) or a three-digit code of dictionary attendanceType. */
const attendType = z
  .union([z.string().regex(/^(\d{3}|[1-6])$/, '通行方式应为三位字典码'), z.number().int().min(1).max(6)])
  .nullish()
  .transform((v) => (v === null || v === undefined ? '001' : (gateModes[Number(String(v).length === 1 ? v : 0)] ?? String(v))))

/** A gate's mode (刷脸 刷卡 人卡合一 人证比对 二维码 指纹) as dictionary attendanceType. */
export const gateModes: Record<number, string> = { 1: '001', 2: '006', 3: '006', 4: '005', 5: '010', 6: '003' }

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
    /** Later versions of the setting, each valid from a work day. */
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
              /** Undefined: formal from the day of entry. Null: never became formal. */
              formalFrom: dateOrTime.nullable().optional(),
              /** Suspensions from work; one without an end has not ended. */
              pauses: z
                .array(z.object({ from: dateOrTime, until: dateOrTime.nullish() }))
                .max(200)
                .default([]),
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
      results: z.array(z.number().int().min(1).max(12)),
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
  months: z.record(z.string(), z.object(monthSums)),
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
