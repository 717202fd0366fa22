import { sql } from 'kysely'
import { addDays, dayMs, formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { longest, type PeriodQuery, periodOf } from '../telemetry/views/public.ts'

/** Midnight in Asia/Shanghai of the day that is now. */
export const todayStart = (now: number): number => startOfDay(formatDay(now))
export const shanghaiDay = (column: string) => sql<string>`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`

export const numberOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
      ? Number(value)
      : null
export const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const rounded = (n: number, digits = 1): number => Math.round(n * 10 ** digits) / 10 ** digits
export const percentOf = (part: number, whole: number): number => (whole > 0 ? rounded((part / whole) * 100) : 0)

/** Devices a grouped call speaks of. */
export const devicesWhere = (family: string, projects: readonly string[] | undefined, deviceId: string | undefined) =>
  allOf(...equals('d.family', family), ...equals('d.id', deviceId), ...inProjects('d.project_code', projects))

export interface DayRow {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  params: Record<string, unknown>
  day: string
  readings: number
  expected: number
  alarmCount: number
  total: number
}

/** One row per device and day, those that report least first: a quiet device must not look like a good one. */
export async function deviceDays(
  ctx: Context,
  family: string,
  query: { projectCode?: string | undefined; deviceId?: string | undefined; page: number; size: number } & PeriodQuery,
) {
  const period = periodOf(query, ctx.clock.now(), 7 * dayMs, longest.readings)
  const from = new Date(period.from)
  const to = new Date(period.to)
  const { rows } = await sql<DayRow>`
    with device_of as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, d.interval_seconds, d.params from device d join project p on p.project_code = d.project_code
      where ${devicesWhere(family, projectsFor(ctx, query.projectCode), query.deviceId)}),
    day as (
      select to_char(g, 'YYYY-MM-DD') as day from generate_series((${from}::timestamptz at time zone 'Asia/Shanghai')::date,
        ((${to}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g),
    r as (
      select device_id, ${shanghaiDay('ts')} as day, sum(n)::int as n from telemetry_5m
      where device_id in (select id from device_of) and ts >= ${from} and ts < ${to} group by 1, 2),
    a as (
      select device_id, ${shanghaiDay('start_time')} as day, count(*)::int as n from alarm
      where device_id in (select id from device_of) and start_time >= ${from} and start_time < ${to} and not simulated group by 1, 2)
    select o.id as device_id, o.name as device_name, o.project_code, o.project_name, o.params, day.day, coalesce(r.n, 0) as readings,
      86400 / o.interval_seconds as expected, coalesce(a.n, 0) as alarm_count, count(*) over ()::int as total
    from device_of o cross join day left join r on r.device_id = o.id and r.day = day.day left join a on a.device_id = o.id and a.day = day.day
    order by coalesce(r.n, 0) * o.interval_seconds, day.day desc, o.id limit ${query.size} offset ${(query.page - 1) * query.size}`.execute(
    ctx.db,
  )
  return {
    rows,
    total: rows[0]?.total ?? 0,
    period,
    view: (row: DayRow) => ({
      deviceId: row.deviceId,
      deviceName: row.deviceName,
      projectCode: row.projectCode,
      projectName: row.projectName,
      day: row.day,
      readings: row.readings,
      reportPercent: Math.min(100, percentOf(row.readings, Number(row.expected))),
      alarmCount: row.alarmCount,
    }),
  }
}

/** The last so many calendar days in Asia/Shanghai, oldest first. */
export function lastDays(now: number, days: number): string[] {
  const today = formatDay(now)
  return Array.from({ length: days }, (_, i) => addDays(today, i - days + 1))
}

/** Whole days from today to a date or an instant. */
export function daysUntil(date: string | null, now: number): number | null {
  const at = date ? Date.parse(date.length <= 10 ? `${date}T00:00:00+08:00` : date) : Number.NaN
  return Number.isNaN(at) ? null : Math.round((startOfDay(formatDay(at)) - todayStart(now)) / dayMs)
}
