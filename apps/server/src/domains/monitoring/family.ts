import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { LinePoint } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, type Condition, equals, inProjects, pageSlice } from '#kit/list'
import {
  countReadings,
  type DeviceRow,
  familyRequired,
  findLine,
  findReadings,
  getDeviceRow,
  lastRecord,
  limitsOf,
  openAlarmsOf,
  type Period,
  type ReadingRow,
  toDeviceNow,
  toReading,
} from '../telemetry/views/public.ts'

export const dayMs = 86_400_000
const longest = { readings: 31 * dayMs, line: 400 * dayMs }

export interface PeriodQuery {
  startTime?: string | undefined
  endTime?: string | undefined
}

/** The asked period; without one the last so many hours. Throws AppError when it is turned round or too long. */
export function periodOf(query: PeriodQuery, now: number, usualMs: number, most: number): Period {
  const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now + 1
  const from = query.startTime ? (parseInstant(query.startTime) ?? to - usualMs) : to - usualMs
  if (from >= to) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (to - from > most) throw new AppError('invalidInput', `时间范围最多 ${Math.round(most / dayMs)} 天`, { field: 'startTime' })
  return { from, to }
}

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

export async function infoOf(ctx: Context, row: DeviceRow) {
  const [alarms, limits, record] = await Promise.all([openAlarmsOf(ctx.db, row.id), limitsOf(ctx.db, row), lastRecord(ctx.db, row)])
  return { ...toDeviceNow(row), alarms, limits, lastRecord: record, now: ctx.clock.now() }
}

export async function fileOf(ctx: Context, row: DeviceRow) {
  return {
    deviceId: row.id,
    deviceName: row.name,
    deviceSn: row.deviceSn,
    family: row.family,
    projectCode: row.projectCode,
    projectName: row.projectName,
    installPlace: row.installPlace,
    lng: row.lng,
    lat: row.lat,
    params: row.params,
    limits: await limitsOf(ctx.db, row),
  }
}

interface LineQuery extends PeriodQuery {
  deviceId: string
  metrics?: string[] | undefined
  points: number
}

/** A curve of one device; `only` keeps the readings of one cage or point, which the five-minute values do not tell apart. */
export async function lineOf(
  ctx: Context,
  family: string,
  query: LineQuery,
  usual: readonly string[],
  only?: Condition,
  usualMs = 3_600_000,
) {
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const kind = familyRequired(family)
  const metrics = (query.metrics?.length ? query.metrics : usual).filter((m) => kind.metric(m)).slice(0, 12)
  const period = periodOf(query, ctx.clock.now(), usualMs, only ? longest.readings : longest.line)
  const { list, bucketSeconds } = only
    ? await findFilteredLine(ctx.db, row.id, family, metrics, period, query.points, only)
    : await findLine(ctx.db, kind, row.id, metrics, period, query.points)
  return { row, list, total: list.length, bucketSeconds, period }
}

/** Rows read at a time: a few milliseconds, then others have their turn. */
const rowsAtOnce = 5_000
const mostFilteredRows = 500_000

async function* filteredReadings(db: Tx, deviceId: string, period: Period, only: Condition): AsyncGenerator<ReadingRow> {
  let after = sql``
  for (let left = mostFilteredRows; left > 0; left -= rowsAtOnce) {
    const { rows } = await sql<ReadingRow & { at: string }>`
      select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag, ts::text as at from telemetry t
      where device_id = ${deviceId} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and flag <> 2 and ${only} ${after}
      order by ts, seq limit ${rowsAtOnce}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = sql`and (ts, seq) > (${last.at}::timestamptz, ${last.seq}::bigint)`
  }
}

async function findFilteredLine(
  db: Tx,
  deviceId: string,
  family: string,
  metrics: readonly string[],
  period: Period,
  points: number,
  only: Condition,
): Promise<{ list: LinePoint[]; bucketSeconds: number }> {
  const bucketSeconds = Math.max(5, Math.ceil((period.to - period.from) / 1000 / points))
  const sums = new Map<number, { n: number; v: Map<string, [number, number, number, number]> }>()
  // Each reading is met once on its way from the database: a month of one point is some ten thousand rows.
  for await (const row of filteredReadings(db, deviceId, period, only)) {
    const at = row.ts.getTime()
    const bucket = at - (at % (bucketSeconds * 1000))
    let sum = sums.get(bucket)
    if (!sum) {
      sum = { n: 0, v: new Map() }
      sums.set(bucket, sum)
    }
    sum.n++
    const { values, quality } = toReading(family, row)
    for (const metric of metrics) {
      const value = values[metric]
      if (typeof value !== 'number' || quality?.[metric]) continue
      const so = sum.v.get(metric)
      if (so) {
        so[0] += value
        so[1] = Math.min(so[1], value)
        so[2] = Math.max(so[2], value)
        so[3]++
      } else sum.v.set(metric, [value, value, value, 1])
    }
  }
  const list = [...sums].flatMap(([time, { n, v }]): LinePoint[] =>
    v.size
      ? [{ time, n, v: Object.fromEntries([...v].map(([m, [s, low, high, k]]) => [m, [Number((s / k).toPrecision(7)), low, high]])) }]
      : [],
  )
  return { list, bucketSeconds }
}

interface ReadingsQuery extends PeriodQuery {
  deviceId?: string | undefined
  sort?: string | undefined
  page: number
  size: number
}

/** Readings of one device, newest first. Without a device there is nothing to show yet, and nothing wrong. */
export async function readingsOf(ctx: Context, family: string, query: ReadingsQuery, only?: Condition) {
  if (!query.deviceId) return { list: [], total: 0 }
  if (query.sort && query.sort.replace(/^-/, '') !== 'time') throw new AppError('invalidInput', '只能按时间排序', { field: 'sort' })
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
  const slice = { ...pageSlice(query), falling: query.sort !== 'time' }
  const { rows, total } = only
    ? await findFilteredReadings(ctx.db, row.id, period, slice, only)
    : { rows: await findReadings(ctx.db, row.id, period, slice), total: await countReadings(ctx.db, row.id, period) }
  return { list: rows.map((r) => ({ ...toReading(family, r), deviceId: row.id, deviceName: row.name })), total }
}

async function findFilteredReadings(
  db: Tx,
  deviceId: string,
  period: Period,
  slice: { limit: number; offset: number; falling: boolean },
  only: Condition,
) {
  const direction = slice.falling ? sql`desc` : sql`asc`
  const where = sql`device_id = ${deviceId} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and ${only}`
  const { rows } = await sql<ReadingRow>`
    select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry t where ${where}
    order by ts ${direction}, seq ${direction} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const count = await sql<{ n: number }>`select count(*)::int as n from telemetry t where ${where}`.execute(db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

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
