import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import { daySeconds, type Period } from './period.ts'
import { field, numericField, type Range, within } from './record-fields.ts'

const shanghaiDay = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`

interface DayFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  deviceName?: string | undefined
  projectName?: string | undefined
  day?: { from?: string | undefined; to?: string | undefined } | undefined
  reportPercent?: Range | undefined
  cycles?: Range | undefined
  maxMomentPercent?: Range | undefined
  noDriverMinutes?: Range | undefined
}
type DaySort = 'reportPercent' | 'day' | 'cycles' | 'workHours' | 'maxMomentPercent' | 'alarmCount' | 'noDriverMinutes'

interface CraneDay {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  recordNo: string | null
  day: string
  readings: number
  reportPercent: number
  cycles: number
  workHours: number
  maxMomentPercent: number | null
  maxWindSpeed: number | null
  alarmCount: number
  graveCount: number
  lateCount: number
  noDriverMinutes: number
}

/** One row per crane and day: who really reports and works. From the five-minute values, the lifts and the alarms. */
export async function craneDays(
  db: Tx,
  f: DayFilter,
  slice: { limit: number; offset: number },
  sort: DaySort | `-${DaySort}` | undefined,
): Promise<{ list: CraneDay[]; total: number }> {
  const of = allOf(
    ...equals('d.family', 'towerCrane'),
    ...equals('d.status', '1'),
    ...equals('d.id', f.deviceId),
    ...inProjects('d.project_code', f.projects),
    ...contains('d.name', f.deviceName),
    ...contains('p.name', f.projectName),
  )
  const [from, to] = [new Date(f.period.from), new Date(f.period.to)]
  const seconds = numericField('durationSeconds')
  const order = orderBy(
    sort,
    {
      reportPercent: 'reportPercent',
      day: 'day',
      cycles: 'cycles',
      workHours: 'workHours',
      maxMomentPercent: 'maxMomentPercent',
      alarmCount: 'alarmCount',
      noDriverMinutes: 'noDriverMinutes',
    },
    'reportPercent',
    'deviceId',
  )
  const { rows } = await sql<CraneDay & { total: number }>`
    with crane as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, d.interval_seconds, d.special_record_no
      from device d join project p on p.project_code = d.project_code where ${of}),
    day as (
      select to_char(g, 'YYYY-MM-DD') as day from generate_series(
        (${from}::timestamptz at time zone 'Asia/Shanghai')::date, ((${to}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g),
    t as (
      select device_id, ${shanghaiDay('ts')} as day, sum(n)::int as n, max((v -> 'momentPercent' ->> 1)::float8) as moment, max((v -> 'windSpeed' ->> 1)::float8) as wind
      from telemetry_5m where device_id in (select id from crane) and ts >= ${from} and ts < ${to} group by 1, 2),
    c as (
      select r.device_id, ${shanghaiDay('r.ts')} as day, count(*)::int as n, sum(${seconds}) as seconds,
        sum(${seconds}) filter (where coalesce(${field('driverName')}, ${field('driverId')}, '') = '') as unrecognised,
        count(*) filter (where r.received_at > r.ts + interval '10 minutes')::int as late
      from device_record r where r.record = 'workingCycle' and r.device_id in (select id from crane) and r.ts >= ${from} and r.ts < ${to} group by 1, 2),
    a as (
      select device_id, ${shanghaiDay('start_time')} as day, count(*)::int as n, count(*) filter (where max_level <= 2)::int as grave
      from alarm where device_id in (select id from crane) and start_time >= ${from} and start_time < ${to} and not simulated group by 1, 2),
    x as (
      select crane.id as device_id, crane.name as device_name, crane.project_code, crane.project_name, crane.special_record_no as record_no, day.day,
        coalesce(t.n, 0) as readings, least(100, round(coalesce(t.n, 0) * 100.0 * crane.interval_seconds / ${daySeconds(sql`day.day`, from, to)}, 1))::float8 as report_percent,
        coalesce(c.n, 0) as cycles, round((coalesce(c.seconds, 0) / 3600)::numeric, 1)::float8 as work_hours, t.moment as max_moment_percent,
        t.wind as max_wind_speed, coalesce(a.n, 0) as alarm_count, coalesce(a.grave, 0) as grave_count, coalesce(c.late, 0) as late_count,
        round((coalesce(c.unrecognised, 0) / 60)::numeric, 1)::float8 as no_driver_minutes
      from crane cross join day
        left join t on t.device_id = crane.id and t.day = day.day
        left join c on c.device_id = crane.id and c.day = day.day
        left join a on a.device_id = crane.id and a.day = day.day)
    select x.*, count(*) over ()::int as total from x
    where ${allOf(
      ...(f.day?.from ? [condition(sql`x.day >= ${f.day.from.slice(0, 10)}`)] : []),
      ...(f.day?.to ? [condition(sql`x.day <= ${f.day.to.slice(0, 10)}`)] : []),
      ...within(sql`x.report_percent`, f.reportPercent),
      ...within(sql`x.cycles`, f.cycles),
      ...within(sql`x.max_moment_percent`, f.maxMomentPercent),
      ...within(sql`x.no_driver_minutes`, f.noDriverMinutes),
    )}
    order by ${order}, day desc limit ${slice.limit} offset ${slice.offset}`.execute(db)
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}
