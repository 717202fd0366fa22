import { sprayDay } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { isRun, runData, runTables } from '../environment/spray-runs.ts'
import type { Period } from './period.ts'
import { offlinePeriods } from './power-off.ts'

const percent = (part: number, whole: number) => (whole > 0 ? Math.min(100, Math.round((part / whole) * 1000) / 10) : 0)

/** Share of a period in which each device of a family was online. */
export async function onlineShares(
  db: Tx,
  family: string,
  projects: readonly string[] | undefined,
  deviceId: string | undefined,
  period: Period,
  now: number,
) {
  const of = allOf(...equals('d.family', family), ...equals('d.id', deviceId), ...inProjects('d.project_code', projects))
  const [from, to] = [new Date(period.from), new Date(Math.min(period.to, now))]
  const { rows } = await sql<{
    deviceId: string
    deviceName: string
    projectCode: string
    projectName: string
    spans: number
    offlineSeconds: number | null
    online: boolean
  }>`
    with span as (${offlinePeriods(sql`select d.id from device d where ${of}`, from, to)})
    select d.id as device_id, d.name as device_name, d.project_code, p.name as project_name, coalesce(l.online, false) as online,
      count(s.device_id)::int as spans, sum(extract(epoch from s.ended - s.begun))::float8 as offline_seconds
    from device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
      left join span s on s.device_id = d.id and s.ended > s.begun
    where ${of} group by d.id, d.name, d.project_code, p.name, l.online order by offline_seconds desc nulls last, d.id limit 2000`.execute(
    db,
  )
  const length = (to.getTime() - from.getTime()) / 1000
  return rows.map(({ offlineSeconds, ...r }) => ({
    ...r,
    offlineSeconds: Math.round(offlineSeconds ?? 0),
    onlinePercent: percent(length - (offlineSeconds ?? 0), length),
  }))
}

/** Dust alarms. Overlapping ones are merged, so that time over several limits counts once. */
export const dustKeys = ['pm10Warning', 'pm10Alarm', 'pm10Site', 'pm25Alarm', 'tspHourly', 'tsp5min']

/** Per project and day: how long dust exceeded its limit, how much of that time was sprayed, and the water used. */
export async function sprayDays(db: Tx, projects: readonly string[] | undefined, period: Period, now: number) {
  const [from, to] = [new Date(period.from), new Date(Math.min(period.to, now))]
  const of = (column: string) => allOf(...inProjects(column, projects))
  const seconds = sql`case when jsonb_typeof(r.data -> 'durationSeconds') = 'number' then least((r.data ->> 'durationSeconds')::float8, 86400) else 0 end`
  const lasting = (range: ReturnType<typeof sql>) =>
    sql`coalesce((select sum(extract(epoch from upper(x) - lower(x))) from unnest(${range}) x), 0)::float8`
  const { rows } = await sql<{
    projectCode: string
    projectName: string
    areaCode: string
    day: string
    overSeconds: number
    sprayedSeconds: number
    runs: number
    manual: number
    waterVolume: number | null
    devices: number
    medianDelay: number | null
  }>`
    with site as (
      select p.project_code, p.name, p.area_code, (select count(*)::int from device d where d.project_code = p.project_code and d.family = 'sprayController' and d.status = '1') as devices
      from project p where ${of('p.project_code')} and exists (select 1 from device d where d.project_code = p.project_code and d.family in ('environment', 'sprayController'))),
    day as (
      select g::date as day, tstzmultirange(tstzrange(g::date::timestamp at time zone 'Asia/Shanghai', (g::date + 1)::timestamp at time zone 'Asia/Shanghai')) as span
      from generate_series((${from}::timestamptz at time zone 'Asia/Shanghai')::date, ((${to}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g),
    over as (
      select a.project_code, range_agg(tstzrange(a.start_time, greatest(a.start_time, coalesce(a.clear_time, ${to}::timestamptz)))) as spans from alarm a
      where ${of('a.project_code')} and a.family = 'environment' and a.alarm_key = any (${dustKeys}) and not a.simulated and a.start_time < ${to}
        and coalesce(a.clear_time, ${to}::timestamptz) > ${from} group by 1),
    run as (
      select r.project_code, r.ts, ${seconds} as seconds, r.ts - make_interval(secs => ${seconds}) as begun, ${runData} as data from ${runTables}
      where ${of('r.project_code')} and ${isRun} and r.ts >= ${from} and r.ts < ${to}),
    delay as (
      select a.project_code, (a.start_time at time zone 'Asia/Shanghai')::date as day,
        percentile_cont(0.5) within group (order by extract(epoch from w.begun - a.start_time) / 60) as minutes
      from alarm a, lateral (select min(run.begun) as begun from run where run.project_code = a.project_code and run.begun >= a.start_time
        and run.begun < coalesce(a.clear_time, ${to}::timestamptz)) w
      where ${of('a.project_code')} and a.family = 'environment' and a.alarm_key = any (${dustKeys}) and not a.simulated and w.begun is not null
        and a.start_time >= ${from} and a.start_time < ${to} group by 1, 2),
    sprayed as (select project_code, range_agg(tstzrange(ts - make_interval(secs => seconds), ts)) as spans from run where seconds > 0 group by 1)
    select s.project_code, s.name as project_name, s.area_code, s.devices, to_char(d.day, 'YYYY-MM-DD') as day,
      ${lasting(sql`o.spans * d.span`)} as over_seconds, ${lasting(sql`o.spans * d.span * w.spans`)} as sprayed_seconds,
      (select count(*)::int from run where run.project_code = s.project_code and run.ts <@ d.span) as runs,
      (select count(*)::int from run where run.project_code = s.project_code and run.ts <@ d.span and run.data ->> 'trigger' = 'manual') as manual,
      (select delay.minutes from delay where delay.project_code = s.project_code and delay.day = d.day) as median_delay,
      (select sum((run.data ->> 'waterVolume')::float8) from run where run.project_code = s.project_code and run.ts <@ d.span and jsonb_typeof(run.data -> 'waterVolume') = 'number') as water_volume
    from site s cross join day d left join over o on o.project_code = s.project_code left join sprayed w on w.project_code = s.project_code
    order by d.day desc, s.project_code limit 5000`.execute(db)
  return rows
    .map((r) =>
      rowOf(sprayDay, r, {
        areaName: areaName(r.areaCode),
        medianDelay: r.medianDelay === null ? null : Math.round(r.medianDelay * 10) / 10,
        hasSpray: r.devices > 0,
        overMinutes: Math.round(r.overSeconds / 60),
        sprayedMinutes: Math.round(r.sprayedSeconds / 60),
        /** Null on a day without exceedance. */
        responsePercent: r.overSeconds >= 60 ? percent(r.sprayedSeconds, r.overSeconds) : null,
        manualPercent: percent(r.manual, r.runs),
        waterVolume: Math.round((r.waterVolume ?? 0) * 100) / 100,
      }),
    )
    .sort((a, b) => (a.responsePercent ?? 101) - (b.responsePercent ?? 101) || (a.day < b.day ? 1 : -1))
}
