import type { runGroupings } from '@zhugong/contract/monitoring/lift-live'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, anywhere, type Condition, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import { unknownDriver } from '../readings/public.ts'
import { type Period, type Range, within } from '../telemetry/views/public.ts'
import { percentOf, rounded } from './family.ts'
import {
  field,
  fieldAnyOf,
  fieldTrue,
  findKeyedRecords,
  isTrue,
  numericField,
  type RecordFilter,
  recordsWhere,
  recordTables,
  toKeyedRecord,
} from './records.ts'

/** Runs share their record's name with the lifts of cranes: only what a lifter sent is one. */
const ofLifters = condition(sql`r.device_id in (select id from device where family = 'lifter')`)
const persons = numericField('maxPersonCount')
const seconds = numericField('durationSeconds')
const loadPercent = numericField('maxLoadPercent')
const speed = numericField('maxSpeed')
const rated = (param: string) =>
  sql<number>`(case when jsonb_typeof(d.params -> ${sql.lit(param)}) = 'number' then (d.params ->> ${sql.lit(param)})::float8 end)`
/** Where nobody set how many may ride: what the rule of the family takes. */
const usualPersons = 9
const ratedPersons = sql`coalesce(${rated('ratedPersons')}, ${usualPersons})`
export const overPersons = sql`${persons} > ${ratedPersons}`
export const overLoad = sql`${loadPercent} > 100`
/** As the rule: a fifth above what the lift is built for. */
const overSpeed = sql`${speed} >= 1.2 * ${rated('ratedSpeed')}`
/** Nine tenths of persons or load: who waits below does not get in any more. */
export const full = sql`(${persons} >= 0.9 * ${ratedPersons} or ${loadPercent} >= 90)`
export const unrecognised = sql`coalesce(${field('driverName')}, ${field('driverId')}, '') = ''`
/** What a run is blamed for: its own word, too many or too much in it, a door open on the way. */
const illegal = (door: RawBuilder<unknown>) =>
  sql`(${isTrue('illegal')} or coalesce(${overPersons}, false) or coalesce(${overLoad}, false) or ${door})`
export const local = sql`r.ts at time zone 'Asia/Shanghai'`

/** Alarms of open doors end with the run they belong to, and a run is not longer than this. */
const longestRun = sql`interval '10 minutes'`

/** The runs in which a door stood open: alarms are few, so each looks for its run. */
export const openDoorRuns = (f: Pick<LiftRunFilter, 'projects' | 'deviceId' | 'period'>) => sql`
  select x.device_id, x.ts, x.id from alarm a, lateral (
    select r.device_id, r.ts, r.id from device_record r
    where r.device_id = a.device_id and r.record = 'workingCycle' and r.ts >= a.start_time and r.ts < a.start_time + ${longestRun}
    order by r.ts limit 1) x
  where a.family = 'lifter' and a.alarm_key = 'doorOpenRunning' and not a.simulated
    and a.start_time >= ${new Date(f.period.from)} and a.start_time < ${new Date(f.period.to)}
    and ${allOf(...equals('a.device_id', f.deviceId), ...inProjects('a.project_code', f.projects))} group by 1, 2, 3`

export interface LiftRunFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  cage?: string | undefined
  deviceName?: string | undefined
  driverName?: string | undefined
  /** The name as whoever asks reads it. */
  driverSeen?: RawBuilder<string> | undefined
  illegal?: string | undefined
  direction?: string[] | undefined
  startFloor?: Range | undefined
  endFloor?: Range | undefined
  durationSeconds?: Range | undefined
  maxLoadPercent?: Range | undefined
  maxPersonCount?: Range | undefined
  maxSpeed?: Range | undefined
  hour?: Range | undefined
}

const devicesNamed = (name: string | undefined): Condition[] => {
  const [named] = contains('name', name)
  return named ? [condition(sql`r.device_id in (select id from device where ${named})`)] : []
}

/** What every figure of runs stands on: list, groups, strip, analysis and file. */
export const runFilter = (f: LiftRunFilter): RecordFilter => ({
  record: 'workingCycle',
  projects: f.projects,
  deviceId: f.deviceId,
  period: f.period,
  where: [
    ofLifters,
    ...devicesNamed(f.deviceName),
    ...(f.driverName ? [condition(sql`${f.driverSeen ?? field('driverName')} ilike ${anywhere(f.driverName)}`)] : []),
    ...fieldTrue('illegal', f.illegal),
    ...fieldAnyOf('direction', f.direction),
    ...(f.cage ? [condition(sql`${field('cage')} = ${f.cage}`)] : []),
    ...within(numericField('startFloor'), f.startFloor),
    ...within(numericField('endFloor'), f.endFloor),
    ...within(seconds, f.durationSeconds),
    ...within(loadPercent, f.maxLoadPercent),
    ...within(persons, f.maxPersonCount),
    ...within(speed, f.maxSpeed),
    ...within(sql`extract(hour from ${local})`, f.hour),
  ],
})

type RunSort = 'startTime' | 'durationSeconds' | 'maxLoadPercent' | 'maxPersonCount' | 'maxSpeed'
export type RunOrder = RunSort | `-${RunSort}` | undefined

export async function findRuns(db: Tx, filter: LiftRunFilter, slice: { limit: number; offset: number }, sort: RunOrder) {
  const order = orderBy(
    sort,
    { startTime: 'r.ts!', durationSeconds: seconds, maxLoadPercent: loadPercent, maxPersonCount: persons, maxSpeed: speed },
    '-startTime',
    'r.deviceId',
  )
  const { rows, total } = await findKeyedRecords(db, runFilter(filter), slice, order)
  return { list: rows.map((row) => ({ ...toKeyedRecord(row), version: row.fixVersion })), total }
}

/** The runs of a period in one row. */
export async function runTotals(db: Tx, filter: LiftRunFilter) {
  const { rows } = await sql<{ runs: number; persons: number; overPersons: number; illegal: number }>`
    with door as (${openDoorRuns(filter)})
    select count(*)::int as runs, coalesce(sum(${persons}), 0)::int as persons, count(*) filter (where ${overPersons})::int as over_persons,
      count(*) filter (where ${illegal(sql`door.id is not null`)})::int as illegal
    from ${recordTables} left join door on door.device_id = r.device_id and door.ts = r.ts and door.id = r.id
    where ${recordsWhere(runFilter(filter))}`.execute(db)
  return rows[0] ?? { runs: 0, persons: 0, overPersons: 0, illegal: 0 }
}

export type RunGrouping = (typeof runGroupings)[number] | 'day' | 'day,device,driver' | 'quarter' | 'load'
const floor = (name: string) => sql`coalesce(${field(name)}, '?')`
const tenth = sql`(floor(coalesce(${loadPercent}, 0) / 10) * 10)::int`
const quarter = sql`to_char(date_bin('15 minutes', ${local}, timestamp '2000-01-01'), 'HH24:MI')`
const groupings: Record<RunGrouping, { key: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  // Runs nobody was recognised for are a row of their own.
  driver: {
    key: sql`coalesce(nullif(${field('driverId')}, ''), ${field('driverName')}, '')`,
    name: sql`coalesce(max(nullif(${field('driverName')}, '')), ${unknownDriver})`,
  },
  device: { key: sql`r.device_id`, name: sql`max(d.name)` },
  hour: { key: sql`to_char(${local}, 'HH24')`, name: sql`max(to_char(${local}, 'HH24') || ' 时')` },
  floor: {
    key: sql`${floor('startFloor')} || '>' || ${floor('endFloor')}`,
    name: sql`max(${floor('startFloor')} || ' → ' || ${floor('endFloor')} || ' 层')`,
  },
  'hour,floor': {
    key: sql`to_char(${local}, 'HH24') || '/' || ${floor('endFloor')}`,
    name: sql`max(to_char(${local}, 'HH24') || ' 时 ' || ${floor('endFloor')} || ' 层')`,
  },
  'day,device,driver': {
    key: sql`to_char(${local}, 'YYYY-MM-DD') || '/' || d.name || '/' || coalesce(nullif(${field('driverId')}, ''), ${field('driverName')}, '')`,
    name: sql`coalesce(max(nullif(${field('driverName')}, '')), ${unknownDriver})`,
  },
  day: { key: sql`to_char(${local}, 'YYYY-MM-DD')`, name: sql`max(to_char(${local}, 'YYYY-MM-DD'))` },
  quarter: { key: quarter, name: sql`max(${quarter})` },
  load: { key: sql`lpad(${tenth}::text, 3, '0')`, name: sql`max(${tenth}) || ' %'` },
}

/** A person, a lift, a pair of floors: more rows than that are no comparison any more. */
const mostGroups = 2_000

export async function runGroups(db: Tx, filter: LiftRunFilter, by: RunGrouping) {
  const { key, name } = groupings[by]
  const { rows } = await sql<{
    key: string
    name: string
    deviceNames: string[]
    projectCode: string | null
    days: number
    runs: number
    seconds: number | null
    persons: number
    overPersonRuns: number
    overLoadRuns: number
    doorOpenRuns: number
    speedOver: number
    noRecognitionRuns: number
    full: number
    illegal: number
    maxLoadPercent: number | null
    meters: number | null
  }>`
    with door as (${openDoorRuns(filter)})
    select ${key} as key, ${name} as name, array_agg(distinct d.name) as device_names,
      case when count(distinct r.project_code) = 1 then max(r.project_code) end as project_code, count(distinct (${local})::date)::int as days,
      count(*)::int as runs, sum(${seconds}) as seconds, coalesce(sum(${persons}), 0)::int as persons,
      count(*) filter (where ${overPersons})::int as over_person_runs, count(*) filter (where ${overLoad})::int as over_load_runs,
      count(door.id)::int as door_open_runs, count(*) filter (where ${overSpeed})::int as speed_over,
      count(*) filter (where ${unrecognised})::int as no_recognition_runs, count(*) filter (where ${full})::int as full,
      count(*) filter (where ${illegal(sql`door.id is not null`)})::int as illegal, max(${loadPercent}) as max_load_percent,
      sum(abs(coalesce(${numericField('endHeight')}, 0) - coalesce(${numericField('startHeight')}, 0))) as meters
    from ${recordTables} left join door on door.device_id = r.device_id and door.ts = r.ts and door.id = r.id
    where ${recordsWhere(runFilter(filter))} group by 1 order by 1 limit ${mostGroups}`.execute(db)
  const list = rows.map(({ meters, seconds: spent, ...r }) => ({
    ...r,
    hours: rounded((spent ?? 0) / 3600),
    illegalPercent: percentOf(r.illegal, r.runs),
    averageSeconds: Math.round((spent ?? 0) / Math.max(1, r.runs)),
    kilometers: rounded((meters ?? 0) / 1000, 2),
  }))
  return by === 'driver' || by === 'device'
    ? list.sort((a, b) => b.illegalPercent - a.illegalPercent || b.runs - a.runs || (a.key < b.key ? -1 : 1))
    : list
}
