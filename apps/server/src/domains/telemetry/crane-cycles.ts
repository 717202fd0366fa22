import type { cycleGroupings } from '@zhugong/contract/telemetry/endpoints'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { allOf, anywhere, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import { unknownDriver } from '../readings/public.ts'
import type { Period } from './period.ts'
import { field, fieldContains, fieldTrue, isTrue, numericField, type Range, within } from './record-fields.ts'
import { type RecordRow, recordKeySql, toRecord } from './records.ts'

/** Lifts share their record's name with the runs of lifters: only what a crane sent is one. */
const ofCranes = condition(sql`r.record = 'workingCycle' and d.family = 'towerCrane'`)
/** As they hold now: a person's blame, or its taking back, counts in every figure. */
const tables = sql`record_now r join device d on d.id = r.device_id join project p on p.project_code = r.project_code`
const seconds = numericField('durationSeconds')
const moment = numericField('maxMomentPercent')
const overMoment = sql`coalesce(${numericField('overMomentCount')}, 0) > 0`
const unrecognised = sql`coalesce(${field('driverName')}, ${field('driverId')}, '') = ''`

export interface CycleFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  cycleNo?: string | undefined
  driverName?: string | undefined
  /** The name as whoever asks reads it. */
  driverSeen?: RawBuilder<string> | undefined
  deviceName?: string | undefined
  illegal?: string | undefined
  source?: 'device' | 'platform' | undefined
  durationSeconds?: Range | undefined
  maxLoad?: Range | undefined
  maxLoadPercent?: Range | undefined
  maxMomentPercent?: Range | undefined
  maxWindSpeed?: Range | undefined
}

/** What every figure of lifts stands on: list, groups, strip and export. */
const cycleWhere = (f: CycleFilter) =>
  allOf(
    ofCranes,
    ...equals('r.device_id', f.deviceId),
    ...inProjects('r.project_code', f.projects),
    condition(sql`r.ts >= ${new Date(f.period.from)} and r.ts < ${new Date(f.period.to)}`),
    ...fieldContains('cycleNo', f.cycleNo),
    ...(f.driverName ? [condition(sql`${f.driverSeen ?? field('driverName')} ilike ${anywhere(f.driverName)}`)] : []),
    ...contains('d.name', f.deviceName),
    ...fieldTrue('illegal', f.illegal),
    ...(f.source ? [condition(sql`(${field('detectedBy')} is not distinct from 'platform') = ${f.source === 'platform'}`)] : []),
    ...within(seconds, f.durationSeconds),
    ...within(numericField('maxLoad'), f.maxLoad),
    ...within(numericField('maxLoadPercent'), f.maxLoadPercent),
    ...within(moment, f.maxMomentPercent),
    ...within(numericField('maxWindSpeed'), f.maxWindSpeed),
  )

type CycleSort = 'time' | 'startTime' | 'durationSeconds' | 'maxLoad' | 'maxMomentPercent'

export async function findCycles(
  db: Tx,
  filter: CycleFilter,
  slice: { limit: number; offset: number },
  sort: CycleSort | `-${CycleSort}` | undefined,
) {
  const where = cycleWhere(filter)
  const order = orderBy(
    sort,
    { time: 'r.ts!', startTime: 'r.ts!', durationSeconds: seconds, maxLoad: numericField('maxLoad'), maxMomentPercent: moment },
    '-startTime',
    'r.deviceId',
  )
  const { rows } = await sql<RecordRow & { key: string; fixVersion: number }>`
    select r.id, r.device_id, d.name as device_name, r.project_code, p.name as project_name, r.record, r.ts, r.received_at, r.data, r.fix_version,
      ${recordKeySql} as key
    from ${tables} where ${where} order by ${order}, r.id limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const count = await sql<{ n: number }>`select count(*)::int as n from ${tables} where ${where}`.execute(db)
  return { list: rows.map((row) => ({ ...toRecord(row), key: row.key, version: row.fixVersion })), total: count.rows[0]?.n ?? 0 }
}

/** The lifts of the running day, with the filter's machine and projects alone. */
export async function cyclesToday(db: Tx, projects: readonly string[] | undefined, deviceId: string | undefined, now: number) {
  const { rows } = await sql<{ cycles: number; averageSeconds: number | null; overMoment: number; illegal: number }>`
    select count(*)::int as cycles, avg(${seconds}) as average_seconds, count(*) filter (where ${overMoment})::int as over_moment,
      count(*) filter (where ${isTrue('illegal')})::int as illegal
    from ${tables} where ${cycleWhere({ projects, deviceId, period: { from: startOfDay(formatDay(now)), to: now + 1 } })}`.execute(db)
  const n = rows[0]
  return {
    cycles: n?.cycles ?? 0,
    averageSeconds: Math.round(n?.averageSeconds ?? 0),
    overMoment: n?.overMoment ?? 0,
    illegal: n?.illegal ?? 0,
  }
}

export type CycleGrouping = (typeof cycleGroupings)[number] | 'day,device,driver'

const local = sql`r.ts at time zone 'Asia/Shanghai'`
const tenth = sql`(floor(coalesce(${moment}, 0) / 10) * 10)::int`
const groupings: Record<CycleGrouping, { key: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  // Work nobody was recognised for is a row of its own.
  driver: {
    key: sql`coalesce(nullif(${field('driverId')}, ''), ${field('driverName')}, '')`,
    name: sql`coalesce(max(nullif(${field('driverName')}, '')), ${unknownDriver})`,
  },
  device: { key: sql`r.device_id`, name: sql`max(d.name)` },
  hour: { key: sql`to_char(${local}, 'HH24')`, name: sql`max(to_char(${local}, 'HH24') || ' 时')` },
  class: { key: sql`lpad(${tenth}::text, 3, '0')`, name: sql`max(${tenth}) || ' %'` },
  'day,device,driver': {
    key: sql`to_char(${local}, 'YYYY-MM-DD') || '/' || d.name || '/' || coalesce(nullif(${field('driverId')}, ''), ${field('driverName')}, '')`,
    name: sql`coalesce(max(nullif(${field('driverName')}, '')), ${unknownDriver})`,
  },
  day: { key: sql`to_char(${local}, 'YYYY-MM-DD')`, name: sql`max(to_char(${local}, 'YYYY-MM-DD'))` },
  'weekday,hour': {
    key: sql`to_char(${local}, 'D')::int - 1 || '/' || to_char(${local}, 'HH24')`,
    name: sql`max(to_char(${local}, 'HH24') || ' 时')`,
  },
}

/** A person, a crane, an hour: more rows than that are no comparison any more. */
const mostGroups = 2_000

export async function cycleGroups(db: Tx, filter: CycleFilter, by: CycleGrouping) {
  const { key, name } = groupings[by]
  const { rows } = await sql<{
    key: string
    name: string
    cycles: number
    overMoment: number
    overWind: number
    illegal: number
    maxMomentPercent: number | null
    averageSeconds: number | null
    workSeconds: number | null
    deviceNames: string[]
    projectCode: string | null
    days: number
    hours: number
    unrecognised: number
  }>`
    select ${key} as key, ${name} as name, count(*)::int as cycles, count(*) filter (where ${overMoment})::int as over_moment,
      count(*) filter (where ${isTrue('overWind')})::int as over_wind, count(*) filter (where ${isTrue('illegal')})::int as illegal,
      max(${moment}) as max_moment_percent, avg(${seconds}) as average_seconds, sum(${seconds}) as work_seconds,
      array_agg(distinct d.name) as device_names,
      case when count(distinct r.project_code) = 1 then max(r.project_code) end as project_code, count(distinct (${local})::date)::int as days,
      count(distinct (r.device_id, date_trunc('hour', r.ts)))::int as hours, count(*) filter (where ${unrecognised})::int as unrecognised
    from ${tables} where ${cycleWhere(filter)} group by 1 order by 1 limit ${mostGroups}`.execute(db)
  const list = rows.map(({ hours, ...r }) => ({
    ...r,
    illegalPercent: Math.round((r.illegal / r.cycles) * 1000) / 10,
    averageSeconds: Math.round(r.averageSeconds ?? 0),
    workSeconds: Math.round(r.workSeconds ?? 0),
    perHour: hours > 0 ? Math.round((r.cycles / hours) * 10) / 10 : null,
  }))
  return by === 'driver' || by === 'device'
    ? list.sort((a, b) => b.illegalPercent - a.illegalPercent || b.cycles - a.cycles || (a.key < b.key ? -1 : 1))
    : list
}
