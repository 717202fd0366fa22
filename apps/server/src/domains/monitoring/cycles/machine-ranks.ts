import { leastCoverage } from '@zhugong/contract/monitoring/analysis'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { rowMinutes } from '../shared/coverage.ts'
import { devicesInUse, ownerColumns } from '../shared/devices.ts'
import { percentOf, rounded } from '../shared/family.ts'
import type { DeviceScope } from '../shared/list-query.ts'
import { offlinePeriods, poweredOff } from '../shared/power-off.ts'

/** What a family adds to the ranking of its machines. Columns and figures are select lists. */
interface FamilyRank {
  family: string
  /** Columns of the device `d` and its project `p`, selected as table `m`. */
  machine: RawBuilder<unknown>
  /** Figures of the cycles `r`, selected as table `c`, and the tables they are read from. */
  cycles: { from: RawBuilder<unknown>; figures: RawBuilder<unknown> }
  /** Figures of the alarms, selected as table `a`. */
  alarms?: RawBuilder<unknown>
  /** A further join on `m.id`. */
  join?: RawBuilder<unknown>
  /** Columns of the row from `m`, `c`, `a` and the join. */
  columns: RawBuilder<unknown>
}

interface CommonRow {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  areaCode: string
  ownerCorpName: string | null
  modelName: string | null
  spans: number
  handledSeconds: number | null
  offlineSeconds: number
  poweredOffSeconds: number
}

/** More machines than a city has. */
const mostMachines = 5_000

/**
 * All machines in use of a family with their rates over a period. Time in which a machine was switched off is not expected to have data.
 * Machines with too little data are `doubtful`: they are listed but not ranked.
 */
export async function machineRanks<Own>(
  db: Tx,
  scope: DeviceScope,
  now: number,
  { family, machine, cycles, alarms, join = sql``, columns }: FamilyRank,
) {
  const [from, to] = [new Date(scope.period.from), new Date(Math.min(scope.period.to, now))]
  const machines = sql`select id from m`
  const { rows } = await sql<CommonRow & Own>`
    with m as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, p.area_code, ${ownerColumns}, ${machine}
      from device d join project p on p.project_code = d.project_code where d.id in (${devicesInUse(family, scope)})),
    t as (select device_id, count(*)::int as n from telemetry_5m where device_id in (${machines}) and ts >= ${from} and ts < ${to} group by 1),
    c as (
      select r.device_id, count(*)::int as n, ${cycles.figures} from ${cycles.from}
      where r.record = 'workingCycle' and r.device_id in (${machines}) and r.ts >= ${from} and r.ts < ${to} group by 1),
    a as (
      select device_id, avg(extract(epoch from handle_time - fire_time)) filter (where handle_time is not null)::float8 as handled${alarms ? sql`, ${alarms}` : sql``}
      from alarm where device_id in (${machines}) and alarm_key <> 'offline' and not simulated and start_time >= ${from} and start_time < ${to} group by 1),
    o as (select device_id, sum(greatest(0, extract(epoch from ended - begun)))::float8 as seconds from (${offlinePeriods(machines, from, to)}) x group by 1),
    w as (select device_id, sum(extract(epoch from ended - begun))::float8 as seconds from (${poweredOff(machines, from, to)}) x group by 1)
    select m.id as device_id, m.name as device_name, m.project_code, m.project_name, m.area_code, m.owner_corp_name, m.model_name,
      coalesce(t.n, 0) as spans, a.handled as handled_seconds, coalesce(o.seconds, 0) as offline_seconds, coalesce(w.seconds, 0) as powered_off_seconds,
      ${columns}
    from m left join t on t.device_id = m.id left join c on c.device_id = m.id left join a on a.device_id = m.id
      left join o on o.device_id = m.id left join w on w.device_id = m.id ${join}
    order by m.id limit ${mostMachines}`.execute(db)
  const length = (to.getTime() - from.getTime()) / 1000
  return rows.map(({ spans, handledSeconds, offlineSeconds, poweredOffSeconds, ...row }) => {
    const coverage = Math.min(100, percentOf(spans * rowMinutes * 60, length - poweredOffSeconds))
    return {
      ...(row as Omit<CommonRow, 'spans' | 'handledSeconds' | 'offlineSeconds' | 'poweredOffSeconds'> & Own),
      areaName: areaName(row.areaCode),
      coverage,
      doubtful: coverage < leastCoverage,
      handledHours: handledSeconds === null ? null : rounded(handledSeconds / 3600),
      onlinePercent: percentOf(length - Math.min(length, offlineSeconds), length),
      offlineHours: rounded(Math.min(length, offlineSeconds) / 3600),
      reportedMinutes: spans * rowMinutes,
    }
  })
}
