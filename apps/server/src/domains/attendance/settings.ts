import { type AttendanceSetting, attendanceSetting, type SettingVersion } from '@zhugong/contract/attendance/setting-model'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Tx } from '#kit/db'
import { refusalOf } from '#kit/request-input'
import { calendarFor } from '../access/public.ts'
import { markEverybody } from './dirty.ts'
import { affectedBySetting } from './engine/affected.ts'
import { computeDays } from './engine/day.ts'
import { addDays, dateOf } from './engine/time.ts'
import { calendarOf, versionOn } from './engine/work-day.ts'
import { findFacts, findVersions } from './facts-store.ts'

export async function settingOf(ctx: Context, projectCode: string, version: string | undefined) {
  const versions = await findVersions(ctx.db, projectCode)
  const today = calendarOf(versions, []).workDayOf(ctx.clock.now())
  const existing = (version && versions.find((v) => v.version === version)) || versionOn(versions, today)
  const { rows } = await sql<{ version: string; effectiveFrom: string; reason: string | null; createTime: Date; createBy: string | null }>`
    select id as version, effective_from, reason, create_time, create_by from attendance_setting where project_code = ${projectCode}
    order by effective_from desc, id desc`.execute(ctx.db)
  return {
    ...existing.setting,
    projectCode,
    version: existing.version,
    effectiveFrom: existing.effectiveFrom,
    earliest: (await firstOpenDay(ctx, projectCode)) ?? today,
    versions: rows.map((r) => ({ ...r, createTime: formatInstant(r.createTime) })),
    bodyCalendar: await bodyCalendar(ctx, projectCode),
  }
}

/** The working calendar of the groups above the site. A user of the site may adopt it; it never changes days by itself. */
async function bodyCalendar(ctx: Pick<Context, 'system'>, projectCode: string) {
  const { rows } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(ctx.system)
  return rows[0] ? calendarFor(ctx.system, rows[0].id) : null
}

/** Checks that the project is visible. Needed if nothing is written, because then row-level security refuses nothing. */
async function requireSeen(ctx: Pick<Context, 'db'>, projectCode: string): Promise<void> {
  const seen = await ctx.db.selectFrom('project').select('projectCode').where('projectCode', '=', projectCode).executeTakeFirst()
  if (!seen) throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

/** First day the project's days are kept; earlier days were never computed. */
async function firstOpenDay(ctx: Pick<Context, 'db'>, projectCode: string): Promise<string | undefined> {
  const chain = await ctx.db.selectFrom('attendanceChain').select('daysFrom').where('projectCode', '=', projectCode).executeTakeFirst()
  return chain?.daysFrom ?? undefined
}

/** The setting in force on a day, with the changed fields applied and validated as a whole. */
function changed(versions: readonly SettingVersion[], day: string, body: Record<string, unknown>): AttendanceSetting {
  const base = versionOn(versions, day).setting
  const given = Object.fromEntries(Object.entries(body).filter(([key, value]) => key in base && value !== undefined))
  const parsed = attendanceSetting.safeParse({ ...base, ...given })
  if (!parsed.success) throw refusalOf(parsed.error)
  return parsed.data
}

/** Changes of days already shown require a reason. */
const leastReason = 2

/** A80: stores a new version from a work day on; only days from then on are recomputed. */
export async function saveVersion(
  ctx: Context,
  projectCode: string,
  body: Record<string, unknown> & { effectiveFrom?: string | undefined; reason?: string | undefined },
) {
  await requireSeen(ctx, projectCode)
  const versions = await findVersions(ctx.db, projectCode)
  const now = ctx.clock.now()
  const today = calendarOf(versions, []).workDayOf(now)
  const effectiveFrom = body.effectiveFrom ?? today
  const first = await firstOpenDay(ctx, projectCode)
  if (first && effectiveFrom < first) throw new AppError('refused', `生效日期不能早于 ${first}`, { field: 'effectiveFrom' })
  const setting = changed(versions, effectiveFrom, body)
  const current = versionOn(versions, effectiveFrom)
  if (JSON.stringify(current.setting) === JSON.stringify(setting)) {
    ctx.note('考勤设置没有变化', current.version)
    return { version: current.version, effectiveFrom: current.effectiveFrom, days: 0, changed: false }
  }
  const range =
    first && countsOtherwise(current.setting, setting)
      ? affectedBySetting(effectiveFrom, cutsOf(current.setting) !== cutsOf(setting), first, dateOf(now))
      : undefined
  if (range && (body.reason?.trim().length ?? 0) < leastReason)
    throw new AppError('invalidInput', `自 ${range.from} 起的考勤要重算，请填写调整原因（至少 ${leastReason} 个字）`, { field: 'reason' })
  const id = ctx.newId()
  await ctx.db
    .insertInto('attendanceSetting')
    .values({
      id,
      projectCode,
      effectiveFrom,
      value: JSON.stringify(setting),
      reason: body.reason || null,
      createTime: new Date(now),
      createBy: ctx.user.name,
    })
    .execute()
  if (effectiveFrom <= today) {
    await ctx.db
      .updateTable('project')
      .set({ attendanceStartTime: setting.workStart, attendanceEndTime: setting.workEnd })
      .where('projectCode', '=', projectCode)
      .execute()
  }
  const days = range ? await markEverybody(ctx.db, projectCode, range) : 0
  ctx.note(`考勤设置自 ${effectiveFrom} 起生效`, id)
  return { version: id, effectiveFrom, days, changed: true }
}

/** Fields that only control notifications and do not affect any day. */
const tellsOnly: readonly (keyof AttendanceSetting)[] = [
  'absentAlarmDays',
  'autoExitDays',
  'keyPostRate',
  'ageMaleMax',
  'ageFemaleMax',
  'ageMin',
  'alarmsOff',
  'tellRoles',
  'tellChannels',
  'quietFrom',
  'quietTo',
]
const countsOtherwise = (a: AttendanceSetting, b: AttendanceSetting) =>
  (Object.keys(a) as (keyof AttendanceSetting)[]).some(
    (key) => !tellsOnly.includes(key) && JSON.stringify(a[key]) !== JSON.stringify(b[key]),
  )

const cutsOf = (s: AttendanceSetting) => JSON.stringify([s.dayCut, Object.values(s.shifts).map((shift) => shift.dayCut), s.teamShifts])

interface Figures {
  attended: number
  late: number
  early: number
  missing: number
  absent: number
  workHours: number
}

/** The result of a day under a changed setting, from the same evaluator and facts. */
export async function tryOut(ctx: Context, projectCode: string, body: Record<string, unknown> & { date?: string | undefined }) {
  const versions = await findVersions(ctx.db, projectCode)
  const now = ctx.clock.now()
  const date = body.date ?? addDays(calendarOf(versions, []).workDayOf(now), -1)
  const setting = changed(versions, date, body)
  const { facts } = await findFacts(ctx.db, projectCode, { from: date, to: date }, now)
  const figures = { present: empty(), trial: empty() }
  let people = 0
  let different = 0
  for (const fact of facts.values()) {
    const [day] = computeDays(fact, date, date)
    const [other] = computeDays({ ...fact, versions: [{ version: 'trial', effectiveFrom: '0001-01-01', setting }] }, date, date)
    if (!day && !other) continue
    people++
    for (const [d, into] of [
      [day, figures.present],
      [other, figures.trial],
    ] as const) {
      if (!d) continue
      into.attended += d.attendDay
      into.late += Number(d.results.includes(2))
      into.early += Number(d.results.includes(3))
      into.missing += Number(d.results.includes(4))
      into.absent += Number(d.results.includes(5))
      into.workHours = Math.round((into.workHours + d.workHours) * 10) / 10
    }
    if (JSON.stringify([day?.results, day?.workHours]) !== JSON.stringify([other?.results, other?.workHours])) different++
  }
  return { date, people, ...figures, changed: different }
}
const empty = (): Figures => ({ attended: 0, late: 0, early: 0, missing: 0, absent: 0, workHours: 0 })

/** Deletes the attendance settings of a deleted project. */
export async function forgetSetting(db: Tx, projectCode: string): Promise<void> {
  await db.deleteFrom('attendanceSetting').where('projectCode', '=', projectCode).execute()
}
