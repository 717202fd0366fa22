import type { Sort } from '@zhugong/contract/kit/list'
import type { findLiftRuns } from '@zhugong/contract/monitoring/lift/lift-lists'
import type { liftRunSorts, runGroupings } from '@zhugong/contract/monitoring/lift/lift-live'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, type Condition, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import { pick } from '#kit/pick'
import {
  type CycleGroup,
  commonGroupings,
  cycleConditions,
  type Grouping,
  groupColumns,
  groupTail,
  hour,
  inGroupOrder,
  local,
  seconds,
  tenths,
} from '../cycles/records.ts'
import { percentOf, rounded } from '../shared/family.ts'
import type { DeviceScope, FilterOf } from '../shared/list-query.ts'
import { field, fieldAnyOf, isTrue, numericField, within } from '../shared/record-fields.ts'
import { findKeyedRecords, type RecordFilter, recordsWhere, recordTables, toKeyedRecord } from '../shared/records.ts'

/** Cranes and lifts use the same record kind, so the family is checked. */
const ofLifters = condition(sql`r.device_id in (select id from device where family = 'lifter')`)
const persons = numericField('maxPersonCount')
const loadPercent = numericField('maxLoadPercent')
const speed = numericField('maxSpeed')
const rated = (param: string) =>
  sql<number>`(case when jsonb_typeof(d.params -> ${sql.lit(param)}) = 'number' then (d.params ->> ${sql.lit(param)})::float8 end)`
/** Rated persons of a lift without the parameter; the family's rule uses the same value. */
const usualPersons = 9
const ratedPersons = sql`coalesce(${rated('ratedPersons')}, ${usualPersons})`
export const overPersons = sql`${persons} > ${ratedPersons}`
const overLoad = sql`${loadPercent} > 100`
/** As in the rule: 20 % above the rated speed. */
const overSpeed = sql`${speed} >= 1.2 * ${rated('ratedSpeed')}`
/** A cage counts as full at 90 % of the rated persons or load. */
const full = sql`(${persons} >= 0.9 * ${ratedPersons} or ${loadPercent} >= 90)`
/** Violations: marked in the record, too many persons, too much load, or a door open during the run. */
const illegal = sql`(${isTrue('illegal')} or coalesce(${overPersons}, false) or coalesce(${overLoad}, false) or door.id is not null)`

/** Longest run: an open-door alarm belongs to the first run that ends within this time. */
const longestRun = sql`interval '10 minutes'`

/** Runs with a door open. There are few alarms, so each one looks up its run. */
export const openDoorRuns = (f: DeviceScope) => sql`
  select x.device_id, x.ts, x.id from alarm a, lateral (
    select r.device_id, r.ts, r.id from device_record r
    where r.device_id = a.device_id and r.record = 'workingCycle' and r.ts >= a.start_time and r.ts < a.start_time + ${longestRun}
    order by r.ts limit 1) x
  where a.family = 'lifter' and a.alarm_key = 'doorOpenRunning' and not a.simulated
    and a.start_time >= ${new Date(f.period.from)} and a.start_time < ${new Date(f.period.to)}
    and ${allOf(...equals('a.device_id', f.deviceId), ...inProjects('a.project_code', f.projects))} group by 1, 2, 3`

/** Runs, each joined with `door` if a door was open in it. */
const runTables = (f: DeviceScope) =>
  sql`${recordTables} left join (${openDoorRuns(f)}) door on door.device_id = r.device_id and door.ts = r.ts and door.id = r.id`

/** `driverSeen`: SQL of the driver's name as this user sees it. */
export type LiftRunFilter = FilterOf<typeof findLiftRuns> & { driverSeen?: RawBuilder<string> | undefined }

const devicesNamed = (name: string | undefined): Condition[] => {
  const [named] = contains('name', name)
  return named ? [condition(sql`r.device_id in (select id from device where ${named})`)] : []
}

/** The runs that list, groups, strip, analysis and export count. */
const runFilter = (f: LiftRunFilter): RecordFilter => ({
  record: 'workingCycle',
  ...pick(f, 'projects', 'deviceId', 'period'),
  where: [
    ofLifters,
    ...devicesNamed(f.deviceName),
    ...cycleConditions(f),
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

export type RunOrder = Sort<(typeof liftRunSorts)[number]> | undefined

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

/** Totals of a period. */
export async function runTotals(db: Tx, filter: LiftRunFilter) {
  const { rows } = await sql<{ runs: number; persons: number; overPersons: number; illegal: number }>`
    select count(*)::int as runs, coalesce(sum(${persons}), 0)::int as persons, count(*) filter (where ${overPersons})::int as over_persons,
      count(*) filter (where ${illegal})::int as illegal
    from ${runTables(filter)} where ${recordsWhere(runFilter(filter))}`.execute(db)
  return rows[0] ?? { runs: 0, persons: 0, overPersons: 0, illegal: 0 }
}

export type RunGrouping = (typeof runGroupings)[number] | 'day' | 'day,device,driver' | 'quarter' | 'load'
const floor = (name: string) => sql`coalesce(${field(name)}, '?')`
const quarter = sql`to_char(date_bin('15 minutes', ${local}, timestamp '2000-01-01'), 'HH24:MI')`
const groupings: Record<RunGrouping, Grouping> = {
  ...commonGroupings,
  floor: {
    key: sql`${floor('startFloor')} || '>' || ${floor('endFloor')}`,
    name: sql`max(${floor('startFloor')} || ' → ' || ${floor('endFloor')} || ' 层')`,
  },
  'hour,floor': {
    key: sql`${hour} || '/' || ${floor('endFloor')}`,
    name: sql`max(${hour} || ' 时 ' || ${floor('endFloor')} || ' 层')`,
  },
  quarter: { key: quarter, name: sql`max(${quarter})` },
  load: tenths(loadPercent),
}

interface RunGroup extends CycleGroup {
  persons: number
  overPersonRuns: number
  overLoadRuns: number
  doorOpenRuns: number
  speedOver: number
  full: number
  maxLoadPercent: number | null
  meters: number
}

export async function runGroups(db: Tx, filter: LiftRunFilter, by: RunGrouping) {
  const { rows } = await sql<RunGroup>`
    select ${groupColumns(groupings[by], illegal)}, coalesce(sum(${persons}), 0)::int as persons,
      count(*) filter (where ${overPersons})::int as over_person_runs, count(*) filter (where ${overLoad})::int as over_load_runs,
      count(door.id)::int as door_open_runs, count(*) filter (where ${overSpeed})::int as speed_over, count(*) filter (where ${full})::int as full,
      max(${loadPercent}) as max_load_percent,
      sum(abs(coalesce(${numericField('endHeight')}, 0) - coalesce(${numericField('startHeight')}, 0))) as meters
    from ${runTables(filter)} where ${recordsWhere(runFilter(filter))} ${groupTail}`.execute(db)
  const list = rows.map(({ meters, seconds: ran, count, unrecognised, ...r }) => ({
    ...r,
    runs: count,
    noRecognitionRuns: unrecognised,
    hours: rounded(ran / 3600),
    illegalPercent: percentOf(r.illegal, count),
    averageSeconds: Math.round(ran / count),
    kilometers: rounded(meters / 1000, 2),
  }))
  return inGroupOrder(list, by, (one) => one.runs)
}
