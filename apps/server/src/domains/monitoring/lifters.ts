import * as calls from '@zhugong/contract/monitoring/machines'
import { type RawBuilder, sql } from 'kysely'
import { dayMs } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { type Condition, condition, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { type ReadingRow, toReading } from '../readings/public.ts'
import {
  type DeviceRow,
  fileOf,
  findDeviceRows,
  getDeviceRow,
  infoOf,
  latestOf,
  lineOf,
  periodOf,
  readingsOf,
  toDeviceNow,
  toRecord,
} from '../telemetry/views/public.ts'
import { dailyAlarmsOf } from './daily-alarms.ts'
import { daysUntil, deviceDays, percentOf, rounded, textOr, todayStart } from './family.ts'
import { field, fieldContains, fieldTrue, findKeyedRecords, isTrue, numericField, type RecordFilter, recordsWhere } from './records.ts'

const family = 'lifter'
const usualMetrics = ['height', 'loadPercent', 'personCount', 'speed', 'windSpeed']
/** A cage that has not spoken for this long is drawn without its own data. */
const cageWindow = sql`interval '15 minutes'`

const ofCage = (cage: string | undefined): Condition | undefined =>
  cage ? condition(sql`(t.extra ->> 'cage' = ${cage} or t.extra ->> 'cage' is null)`) : undefined

/** The newest reading of each cage of each device: one device may carry two. */
async function cagesOf(db: Tx, rows: readonly DeviceRow[]) {
  const readings = await sql<ReadingRow & { cage: string | null }>`
    select x.* from device_latest l, lateral (
      select distinct on (t.extra ->> 'cage') t.device_id, t.ts, t.seq, t.received_at, t.schema_ver, t.v, t.w, t.extra, t.quality, t.flag, t.extra ->> 'cage' as cage
      from telemetry t where t.device_id = l.device_id and t.ts <= l.ts and t.ts > l.ts - ${cageWindow} order by t.extra ->> 'cage', t.ts desc, t.seq desc) x
    where l.device_id = any (${rows.map((r) => r.id)})`.execute(db)
  return (row: DeviceRow) => {
    const own = readings.rows.filter((r) => r.deviceId === row.id)
    const expected =
      row.params.cageCount === '2' && !textOr(row.params.cage) ? ['1', '2'] : [textOr(row.params.cage) ?? own[0]?.cage ?? '0']
    const names = [...new Set([...expected, ...own.flatMap((r) => (r.cage ? [r.cage] : []))])].sort()
    return names.map((cage) => {
      const reading = own.find((r) => r.cage === cage) ?? (names.length === 1 ? own[0] : undefined)
      return { cage, latest: reading ? toReading(family, reading) : names.length === 1 ? latestOf(row) : null }
    })
  }
}

const dueOf = (row: Pick<DeviceRow, 'params'>, now: number) => {
  const safetyDeviceExpiry = textOr(row.params.safetyDeviceExpiry)
  return { safetyDeviceExpiry: safetyDeviceExpiry?.slice(0, 10) ?? null, expiryDays: daysUntil(safetyDeviceExpiry, now) }
}

const personsOf = numericField('maxPersonCount')
const ratedPersons = sql`(case when jsonb_typeof(d.params -> 'ratedPersons') = 'number' then (d.params ->> 'ratedPersons')::float8 else 9 end)`
const overPersons = sql`${personsOf} > ${ratedPersons}`
const isIllegal = isTrue('illegal')

const groupings: Record<string, { key: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  driver: { key: sql`coalesce(${field('driverId')}, '')`, name: sql`coalesce(max(${field('driverName')}), '未识别')` },
  device: { key: sql`r.device_id`, name: sql`max(d.name)` },
  hour: {
    key: sql`to_char(r.ts at time zone 'Asia/Shanghai', 'HH24')`,
    name: sql`max(to_char(r.ts at time zone 'Asia/Shanghai', 'HH24') || ' 时')`,
  },
  floor: {
    key: sql`coalesce(${field('startFloor')}, '?') || '>' || coalesce(${field('endFloor')}, '?')`,
    name: sql`max(coalesce(${field('startFloor')}, '?') || ' → ' || coalesce(${field('endFloor')}, '?') || ' 层')`,
  },
  'hour,floor': {
    key: sql`to_char(r.ts at time zone 'Asia/Shanghai', 'HH24') || '/' || coalesce(${field('endFloor')}, '?')`,
    name: sql`max(to_char(r.ts at time zone 'Asia/Shanghai', 'HH24') || ' 时 ' || coalesce(${field('endFloor')}, '?') || ' 层')`,
  },
}

async function runGroups(db: Tx, filter: RecordFilter, by: string) {
  const grouping = groupings[by] ?? groupings.device
  if (!grouping) return []
  const { rows } = await sql<{
    key: string
    name: string
    runs: number
    persons: number
    overPersonRuns: number
    overLoadRuns: number
    illegal: number
    maxLoadPercent: number | null
    averageSeconds: number | null
    meters: number | null
  }>`
    select ${grouping.key} as key, ${grouping.name} as name, count(*)::int as runs, coalesce(sum(${personsOf}), 0)::int as persons,
      count(*) filter (where ${overPersons})::int as over_person_runs, count(*) filter (where ${numericField('maxLoadPercent')} > 100)::int as over_load_runs,
      count(*) filter (where ${isIllegal})::int as illegal, max(${numericField('maxLoadPercent')}) as max_load_percent,
      avg(${numericField('durationSeconds')}) as average_seconds,
      sum(abs(coalesce(${numericField('endHeight')}, 0) - coalesce(${numericField('startHeight')}, 0))) as meters
    from device_record r join device d on d.id = r.device_id where ${recordsWhere(filter)} group by 1 order by 1 limit 2000`.execute(db)
  return rows
    .map(({ meters, averageSeconds, ...r }) => ({
      ...r,
      illegalPercent: percentOf(r.illegal, r.runs),
      averageSeconds: Math.round(averageSeconds ?? 0),
      kilometers: rounded((meters ?? 0) / 1000, 2),
    }))
    .sort((a, b) => (by === 'driver' || by === 'device' ? b.illegalPercent - a.illegalPercent || b.runs - a.runs : a.key < b.key ? -1 : 1))
}

async function today(ctx: Context, projects: readonly string[] | undefined, deviceId: string | undefined) {
  const filter = { record: 'workingCycle', projects, deviceId, period: { from: todayStart(ctx.clock.now()), to: ctx.clock.now() + 1 } }
  const { rows } = await sql<{ runs: number; persons: number; overPersons: number; illegal: number }>`
    select count(*)::int as runs, coalesce(sum(${personsOf}), 0)::int as persons, count(*) filter (where ${overPersons})::int as over_persons,
      count(*) filter (where ${isIllegal})::int as illegal
    from device_record r join device d on d.id = r.device_id where d.family = ${family} and ${recordsWhere(filter)}`.execute(ctx.db)
  return rows[0] ?? { runs: 0, persons: 0, overPersons: 0, illegal: 0 }
}

/** What the runs and doors of a lift say of a day. */
async function runDays(db: Tx, deviceIds: readonly string[], period: { from: number; to: number }) {
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const runs = await sql<{
    deviceId: string
    day: string
    runs: number
    persons: number
    overPersonRuns: number
    maxLoadPercent: number | null
    noDriverMinutes: number
  }>`
    select r.device_id, to_char(r.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as runs, coalesce(sum(${personsOf}), 0)::int as persons,
      count(*) filter (where ${overPersons})::int as over_person_runs, max(${numericField('maxLoadPercent')}) as max_load_percent,
      coalesce(sum(${numericField('durationSeconds')}) filter (where ${field('driverId')} is null), 0) / 60 as no_driver_minutes
    from device_record r join device d on d.id = r.device_id
    where r.device_id = any (${[...deviceIds]}) and r.record = 'workingCycle' and r.ts >= ${from} and r.ts < ${to} group by 1, 2`.execute(
    db,
  )
  const doors = await sql<{ deviceId: string; day: string; n: number }>`
    select device_id, to_char(start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as n from alarm
    where device_id = any (${[...deviceIds]}) and alarm_key = 'doorOpenRunning' and not simulated and start_time >= ${from} and start_time < ${to}
    group by 1, 2`.execute(db)
  const key = (r: { deviceId: string; day: string }) => `${r.deviceId}/${r.day}`
  const runsBy = new Map(runs.rows.map((r) => [key(r), r]))
  const doorsBy = new Map(doors.rows.map((r) => [key(r), r.n]))
  return (r: { deviceId: string; day: string }) => {
    const own = runsBy.get(key(r))
    return {
      runs: own?.runs ?? 0,
      persons: own?.persons ?? 0,
      overPersonRuns: own?.overPersonRuns ?? 0,
      maxLoadPercent: own?.maxLoadPercent ?? null,
      noDriverMinutes: rounded(own?.noDriverMinutes ?? 0),
      doorOpenRuns: doorsBy.get(key(r)) ?? 0,
    }
  }
}

export function lifterRoutes(serve: Serve): void {
  serve(calls.liftInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    return { ...(await infoOf(ctx, row)), cages: (await cagesOf(ctx.db, [row]))(row), ...dueOf(row, ctx.clock.now()) }
  })
  serve(calls.liftDevice, liftDevice)
  serve(calls.liftLine, async ({ query }, ctx) => {
    const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics, ofCage(query.cage))
    return { list, total, bucketSeconds }
  })
  serve(calls.liftStatus, liftStatus)
  serve(calls.liftRecords, liftRecords)
  serve(calls.liftCycles, liftCycles)
  serve(calls.liftDailyAlarms, ({ query }, ctx) => dailyAlarmsOf(ctx, family, query))
}

const liftDevice: HandlerOf<typeof calls.liftDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const { rows } = await findDeviceRows(ctx.db, family, [row.projectCode])
  return {
    ...(await fileOf(ctx, row)),
    ...dueOf(row, ctx.clock.now()),
    siblings: rows
      .filter((r) => r.id !== row.id && r.installPlace === row.installPlace && r.status === '1')
      .map((r) => ({ deviceId: r.id, name: r.name, cage: textOr(r.params.cage) ?? '0', online: r.online ?? false, latest: latestOf(r) })),
  }
}

const liftStatus: HandlerOf<typeof calls.liftStatus> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const projects = projectsFor(ctx, query.projectCode)
  const all = (await findDeviceRows(ctx.db, family, projects, query)).rows.filter((r) => r.status === '1')
  const { limit, offset } = pageSlice(query)
  const page = all.slice(offset, offset + limit)
  const cages = await cagesOf(ctx.db, page)
  const moving = (r: DeviceRow) => r.online && (r.v?.direction === '1' || r.v?.direction === '2')
  return {
    list: page.map((r) => ({ ...toDeviceNow(r), status: liftStatusOf(r), cages: cages(r), ...dueOf(r, now) })),
    total: all.length,
    running: all.filter(moving).length,
    stopped: all.filter((r) => r.online && !moving(r)).length,
    offline: all.filter((r) => !r.online).length,
    dueIn30Days: all.filter((r) => (dueOf(r, now).expiryDays ?? 999) <= 30).length,
  }
}

const liftRecords: HandlerOf<typeof calls.liftRecords> = async ({ query }, ctx) => {
  if (query.groupBy !== 'day') return readingsOf(ctx, family, query, ofCage(query.cage))
  const days = await deviceDays(ctx, family, query)
  const runs = await runDays(
    ctx.db,
    days.rows.map((r) => r.deviceId),
    days.period,
  )
  return {
    list: days.rows.map((r) => ({ ...days.view(r), cage: textOr(r.params.cage) ?? '0', ...runs(r), ...dueOf(r, ctx.clock.now()) })),
    total: days.total,
  }
}

const liftCycles: HandlerOf<typeof calls.liftCycles> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const filter: RecordFilter = {
    record: 'workingCycle',
    projects,
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 7 * dayMs, 100 * dayMs),
    where: [
      condition(sql`r.device_id in (select id from device where family = ${family})`),
      ...fieldContains('driverName', query.driverName),
      ...fieldTrue('illegal', query.illegal),
      ...(query.cage ? [condition(sql`${field('cage')} = ${query.cage}`)] : []),
    ],
  }
  const counts = await today(ctx, projects, query.deviceId)
  const slice = pageSlice(query)
  if (query.groupBy) {
    const groups = await runGroups(ctx.db, filter, query.groupBy)
    return { list: groups.slice(slice.offset, slice.offset + slice.limit), total: groups.length, today: counts }
  }
  const { rows, total } = await findKeyedRecords(ctx.db, filter, slice)
  return { list: rows.map(toRecord), total, today: counts }
}

/** The family's own words: 停止, 上行, 下行, 报警, 故障. */
function liftStatusOf(row: DeviceRow): string {
  if (!row.online) return '0'
  if (Object.values(row.quality ?? {}).includes('fault')) return '5'
  if (row.openLevel !== null) return '4'
  return row.v?.direction === '1' ? '2' : row.v?.direction === '2' ? '3' : '1'
}
