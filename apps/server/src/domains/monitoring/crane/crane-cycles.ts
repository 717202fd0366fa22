import type { Sort } from '@zhugong/contract/kit/list'
import type { cycleGroupings } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import type { findCycles as findCyclesCall } from '@zhugong/contract/monitoring/crane/crane-lists'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { type Condition, condition, contains, orderBy } from '#kit/list'
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
import { percentOf, rounded, todayStart } from '../shared/family.ts'
import type { DeviceScope, FilterOf } from '../shared/list-query.ts'
import { field, fieldContains, isTrue, numericField, within } from '../shared/record-fields.ts'
import { findKeyedRecords, type RecordFilter, recordsWhere, recordTables, toKeyedRecord } from '../shared/records.ts'

/** Cranes and lifts use the same record kind, so the family is checked. */
const ofCranes = condition(sql`d.family = 'towerCrane'`)
const moment = numericField('maxMomentPercent')
const overMoment = sql`coalesce(${numericField('overMomentCount')}, 0) > 0`

/** `driverSeen`: SQL of the driver's name as this user sees it. */
export type CycleFilter = FilterOf<typeof findCyclesCall> & { driverSeen?: RawBuilder<string> | undefined }

/** The cycles that list, groups, strip and export count. */
const cycleFilter = (f: CycleFilter): RecordFilter => ({
  record: 'workingCycle',
  ...pick(f, 'projects', 'deviceId', 'period'),
  where: [
    ofCranes,
    ...cycleConditions(f),
    ...fieldContains('cycleNo', f.cycleNo),
    ...contains('d.name', f.deviceName),
    ...(f.source ? [condition(sql`(${field('detectedBy')} is not distinct from 'platform') = ${f.source === 'platform'}`)] : []),
    ...within(seconds, f.durationSeconds),
    ...within(numericField('maxLoad'), f.maxLoad),
    ...within(numericField('maxLoadPercent'), f.maxLoadPercent),
    ...within(moment, f.maxMomentPercent),
    ...within(numericField('maxWindSpeed'), f.maxWindSpeed),
  ],
})
const cycleWhere = (f: CycleFilter): Condition => recordsWhere(cycleFilter(f))

export type CycleSort = Sort<'time' | 'startTime' | 'durationSeconds' | 'maxLoad' | 'maxMomentPercent'>

export async function findCycles(db: Tx, filter: CycleFilter, slice: { limit: number; offset: number }, sort: CycleSort | undefined) {
  const order = orderBy(
    sort,
    { time: 'r.ts!', startTime: 'r.ts!', durationSeconds: seconds, maxLoad: numericField('maxLoad'), maxMomentPercent: moment },
    '-startTime',
    'r.deviceId',
  )
  const { rows, total } = await findKeyedRecords(db, cycleFilter(filter), slice, order)
  return { list: rows.map((row) => ({ ...toKeyedRecord(row), version: row.fixVersion })), total }
}

/** Totals of the current day. */
export async function cyclesToday(db: Tx, scope: Omit<DeviceScope, 'period'>, now: number) {
  const { rows } = await sql<{ cycles: number; averageSeconds: number | null; overMoment: number; illegal: number }>`
    select count(*)::int as cycles, avg(${seconds}) as average_seconds, count(*) filter (where ${overMoment})::int as over_moment,
      count(*) filter (where ${isTrue('illegal')})::int as illegal
    from ${recordTables} where ${cycleWhere({ ...scope, period: { from: todayStart(now), to: now + 1 } })}`.execute(db)
  const { cycles = 0, averageSeconds, overMoment: over = 0, illegal = 0 } = rows[0] ?? {}
  return { cycles, averageSeconds: Math.round(averageSeconds ?? 0), overMoment: over, illegal }
}

export type CycleGrouping = (typeof cycleGroupings)[number] | 'day,device,driver'
const groupings: Record<CycleGrouping, Grouping> = {
  ...commonGroupings,
  class: tenths(moment),
  'weekday,hour': { key: sql`to_char(${local}, 'D')::int - 1 || '/' || ${hour}`, name: commonGroupings.hour.name },
}

interface CraneGroup extends CycleGroup {
  overMoment: number
  overWind: number
  maxMomentPercent: number | null
  averageSeconds: number | null
  hours: number
}

export async function cycleGroups(db: Tx, filter: CycleFilter, by: CycleGrouping) {
  const { rows } = await sql<CraneGroup>`
    select ${groupColumns(groupings[by], isTrue('illegal'))}, count(*) filter (where ${overMoment})::int as over_moment,
      count(*) filter (where ${isTrue('overWind')})::int as over_wind, max(${moment}) as max_moment_percent, avg(${seconds}) as average_seconds,
      count(distinct (r.device_id, date_trunc('hour', r.ts)))::int as hours
    from ${recordTables} where ${cycleWhere(filter)} ${groupTail}`.execute(db)
  const list = rows.map(({ hours, count, seconds: worked, ...r }) => ({
    ...r,
    cycles: count,
    illegalPercent: percentOf(r.illegal, count),
    averageSeconds: Math.round(r.averageSeconds ?? 0),
    workSeconds: Math.round(worked),
    perHour: hours > 0 ? rounded(count / hours) : null,
  }))
  return inGroupOrder(list, by, (one) => one.cycles)
}
