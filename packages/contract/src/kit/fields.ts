import { z } from 'zod'
import { hasControlCharacters } from './characters.ts'
import type { Schema } from './endpoint.ts'
import { normalIdNumber, normalPhone, normalText } from './normal.ts'

z.config(z.locales.zhCN())

/** Tables whose rows belong to a tenant, and to which an id in a call refers. The isolation tests insert other tenants' ids by it. */
export type Subject =
  | 'project'
  | 'corporation'
  | 'government'
  | 'group'
  | 'user'
  | 'role'
  | 'tempRole'
  | 'sightRule'
  | 'adminGrant'
  | 'org'
  | 'member'
  | 'projectGroup'
  | 'projectCorp'
  | 'projectChange'
  | 'stateApply'
  | 'team'
  | 'projectTeam'
  | 'worker'
  | 'projectWorker'
  | 'campaign'
  | 'campaignProject'
  | 'certificate'
  | 'contract'
  | 'badRecord'
  | 'black'
  | 'workerImport'
  | 'device'
  | 'gateway'
  | 'alarm'
  | 'attendanceEvent'
  | 'correction'
  | 'labourAlarm'
  | 'tempAlarm'
  | 'export'
  | 'file'
  | 'todo'
  | 'trigger'
  | 'exec'
  | 'suppress'
  | 'siteNotice'
  | 'liftTest'
  | 'liftStop'
  | 'pileWork'
  | 'platformMove'
  | 'alarmReading'
  | 'nightPermit'
  | 'craneZone'
  | 'vehicleFence'
  | 'vehicleRegistry'
  | 'meterPrice'
  | 'meterMonth'
  | 'meterEntry'
  | 'videoMark'
  | 'videoWall'
  | 'pile'
  | 'videoPatrol'
  | 'sprayPlan'
  | 'offlineSpan'
  | 'factory'
  | 'brand'
  | 'model'
  | 'deviceRecord'
  | 'helmetGroup'
  | 'execLog'
  | 'duty'
  | 'linkageRun'
  | 'due'
  | 'repair'
  | 'message'
  | 'docking'
  | 'externalDevice'
  | 'openApp'
  | 'resume'
  | 'training'
  | 'trainingTask'
  | 'teamNo'
  | 'deviceSn'
  | 'app'
  | 'appGrant'
  | 'appCategory'
  | 'appPackage'
  | 'menu'
  | 'uiScheme'
  | 'uiRule'
  | 'reportPush'
  | 'reportSending'
  | 'material'
  | 'adminLink'
  | 'opening'
  | 'dockingPlatform'
  | 'dockingRecord'
  | 'dockingKey'
  | 'corpMaterial'
  | 'qualification'
  | 'appApply'
  | 'screenTemplate'
  | 'screenToken'
  | 'personRequest'
  | 'joinRequest'
  | 'selfEntry'
  | 'rectify'
  | 'rectifyLine'
  | 'siteCheck'
  | 'safetyMeasure'
  | 'stopapply'
  | 'manualsheet'
  | 'officerPlace'
  | 'checkSheet'
  | 'checkItem'
  | 'advice'
  | 'signature'
  | 'rectifyPenalty'
  | 'unitProject'
  | 'sitePlace'
  | 'sitePlan'
  | 'expert'
  | 'expertDraw'
  | 'expertSeat'
  | 'expertActivity'
  | 'activitySeat'
  | 'expertTrip'
  | 'expertScore'
  | 'bigproject'
  | 'spdevice'
  | 'deviceMaintain'
  | 'daycheck'
  | 'daycheckUnit'
  | 'checkplan'
  | 'checkplanVisit'
  | 'badAction'
  | 'qualityImprovement'
  | 'civilPoint'
  | 'civilVersion'
  | 'civilItem'
  | 'measureTemplate'
  | 'measureRule'
  | 'measureTask'
  | 'house'
  | 'materialBatch'
  | 'siteStep'
  | 'spotCheck'
  | 'themeCampaign'
  | 'scheduleTask'
  | 'policy'
  | 'announcement'
  | 'safetyLog'
  | 'constructionLog'
  | 'ownLog'
  | 'logBlock'
  | 'briefing'
  | 'briefingReceiver'
  | 'document'
  | 'travelPaper'
  | 'travelStop'
  | 'hazardSource'
  | 'workPermit'
  | 'machineDriver'
  | 'livingRoom'
  | 'roomStay'
  | 'libraryPaper'
  | 'fireCase'
  | 'fireBuild'
  | 'firePoint'
  | 'fireDraw'

/** An id (or natural key) of a tenant's row. `subject` tells the isolation tests which table it refers to. */
export const ref = (subject: Subject) =>
  z
    .string()
    .trim()
    .min(1, '请选择')
    .max(64, '编号过长')
    .regex(/^[\w:.@*-]+$/, '编号格式不正确')
    .meta({ subject })

/**
 * The project of a process item (`/oa/process/{type}`), required by every such call. `*` for lists over all visible projects, or for an
 * item that is identified by its id alone.
 */
export const ofProject = z.object({
  projectCode: z
    .string({ error: '请指明项目（projectCode），全部项目填 *' })
    .trim()
    .min(1, '请指明项目（projectCode），全部项目填 *')
    .max(64, '编号过长')
    .regex(/^[\w:.@*-]+$/, '编号格式不正确')
    .meta({ subject: 'project' }),
})

/**
 * Marks a field other than an id as referring to a tenant's row: a filter that may be empty or `*`, several ids in one parameter, a
 * sequence number.
 */
export const pointsTo = <T extends z.ZodType>(subject: Subject, schema: T): T => schema.meta({ subject })

/** Free text of at most `max` characters: trimmed, no control characters. */
export const text = (max: number, label = '内容') =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? `请填写${label}` : `${label}应为文字`) })
    .trim()
    .max(max, `${label}最多 ${max} 个字`)
    .refine((v) => !hasControlCharacters(v), `${label}含有不可见的控制字符`)

/** Text that is stored and searched in one spelling: `normalise` is applied first, so that pasted invisible characters do no harm. */
export const normalised = (max: number, label: string, normalise: (text: string) => string) =>
  z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? `请填写${label}` : `${label}应为文字`) })
    .overwrite(normalise)
    .max(max, `${label}最多 ${max} 个字`)
    .refine((v) => !hasControlCharacters(v), `${label}含有不可见的控制字符`)

/** A phone number, converted to its canonical form. */
export const phoneText = (label: string, max = 50) => normalised(max, label, normalPhone)
/** An identity number of any document type, in canonical form. */
export const idNumberText = (label = '证件号码', max = 30) => normalised(max, label, normalIdNumber)
/** A device's serial number, in canonical form. */
export const serialText = (label = '序列号', max = 64) => normalised(max, label, normalText)

/** Required text. */
export const filled = (max: number, label = '内容') => text(max, label).min(1, `请填写${label}`)

export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, '日期格式应为 yyyy-MM-dd')
  .refine(isRealDay, '日期不存在')
export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式应为 yyyy-MM')
  .refine((v) => isRealDay(`${v}-01`), '月份不存在')
export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, '时刻格式应为 HH:mm')
/** yyyy-MM-dd HH:mm:ss in Asia/Shanghai, or ISO 8601 with offset, or epoch milliseconds as text. */
export const instant = z
  .string()
  .max(40)
  .refine((v) => parseInstant(v) !== undefined, '时间格式应为 yyyy-MM-dd HH:mm:ss')

/** Years accepted: documents and birthdays go back this far, and no deadline is later. PostgreSQL has no year 0. */
const years = { from: 1900, to: 2199 }

function isRealDay(v: string): boolean {
  const at = new Date(`${v}T00:00:00Z`)
  const year = Number(v.slice(0, 4))
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(v) && year >= years.from && year <= years.to
}

/**
 * Epoch milliseconds of an `instant`; a time without a zone is in Asia/Shanghai (fixed +08:00). Undefined for a day that does not exist.
 */
export function parseInstant(v: string): number | undefined {
  if (/^\d{12,14}$/.test(v)) return Number(v) < Date.UTC(years.to + 1, 0) ? Number(v) : undefined
  if (!/^\d{4}-\d{2}-\d{2}(?!\d)/.test(v) || !isRealDay(v.slice(0, 10))) return undefined
  const local = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?))?$/.exec(v)
  const at = local ? Date.parse(`${local[1]}T${local[2] ?? '00:00:00'}+08:00`) : Date.parse(v)
  return Number.isNaN(at) ? undefined : at
}

export const pageSizes = [20, 30, 50, 100] as const
/** Largest page size. Device selection lists request "all" with 999999; other lists return at most this many rows. */
export const maxPageSize = 1000

/** Page parameters of a list. The sort order is declared per list (`sortBy`). */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1, '页码从 1 开始').max(1_000_000).default(1),
  size: z.coerce
    .number()
    .int()
    .min(1)
    .max(999_999)
    .default(20)
    .transform((n) => Math.min(n, maxPageSize)),
})

/** Several codes in one query parameter: `a,b,c` or repeated. */
export const several = z
  .union([z.string(), z.array(z.string())])
  .transform((v) => (Array.isArray(v) ? v : v.split(',')).map((s) => s.trim()).filter(Boolean))
  .refine((v) => v.length <= 200 && v.every((s) => s.length <= 64 && !hasControlCharacters(s)), '选项过多或过长')

/** A numeric range filter: `10,20`; either side may be empty. */
export const numericRange = z
  .string()
  .max(60)
  .regex(/^-?[\d.]*,-?[\d.]*$/, '数值范围格式应为 最小,最大')
  .transform((v) => {
    const [low, high] = v.split(',')
    return { low: low ? Number(low) : undefined, high: high ? Number(high) : undefined }
  })
  .refine((v) => !Number.isNaN(v.low ?? 0) && !Number.isNaN(v.high ?? 0), '数值范围格式应为 最小,最大')

/** A date range filter: `2026-01-01,2026-01-31`; either side may be empty. */
export const dayRange = z
  .string()
  .max(60)
  .transform((v, context) => {
    const [from = '', to = ''] = v.split(',')
    for (const part of [from, to]) {
      if (!part || (/^\d{4}-/.test(part) && parseInstant(part) !== undefined)) continue
      const looksRight = /^\d{4}-\d{2}-\d{2}/.test(part)
      context.addIssue({ code: 'custom', message: looksRight ? `日期 ${part.slice(0, 20)} 不存在` : '日期范围格式应为 起,止' })
      return z.NEVER
    }
    return { from: from || undefined, to: to || undefined }
  })

/** Value of the option "empty" in a multiple-choice filter: rows without a value. */
export const emptyOption = '-9999'

export const paged = <T extends Schema>(row: T) => z.object({ list: z.array(row), total: z.number().int() })

export const flag = z.union([z.boolean(), z.enum(['true', 'false', '1', '0']).transform((v) => v === 'true' || v === '1')])

type Check = (value: string) => string | undefined
/** A text field validated by one of the checks of `kit/checks`; an empty text is valid. */
export const checked = (schema: z.ZodType<string>, check: Check) =>
  schema.superRefine((value: string, context) => {
    const problem = value ? check(value) : undefined
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** An empty or missing value becomes null, as for a cleared form field. */
export const nullable = <T extends z.ZodType>(schema: T) =>
  z.preprocess((v) => (v === '' || v === undefined ? null : v), schema.nullable()).default(null as never)
