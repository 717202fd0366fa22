import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import { daySeconds, type Period, type Range, within } from '../telemetry/views/public.ts'
import { shanghaiDay } from './family.ts'
import { openDoorRuns, overPersons, unrecognised } from './lift-runs.ts'
import { numericField } from './records.ts'

interface DayFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  deviceName?: string | undefined
  projectName?: string | undefined
  day?: { from?: string | undefined; to?: string | undefined } | undefined
  reportPercent?: Range | undefined
  overPersonRuns?: Range | undefined
  doorOpenRuns?: Range | undefined
  noDriverMinutes?: Range | undefined
  expiryDays?: Range | undefined
}
type DaySort = 'reportPercent' | 'day' | 'runs' | 'overPersonRuns' | 'doorOpenRuns' | 'maxLoadPercent' | 'expiryDays'

interface LiftDay {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  cage: string
  day: string
  readings: number
  reportPercent: number
  alarmCount: number
  runs: number
  persons: number
  overPersonRuns: number
  maxLoadPercent: number | null
  doorOpenRuns: number
  noDriverMinutes: number
  safetyDeviceExpiry: string | null
  expiryDays: number | null
}

/** What is no date is none: the file of a device may hold anything. */
export const expiryOf = sql`(case when d.params ->> 'safetyDeviceExpiry' ~ '^\\d{4}-\\d{2}-\\d{2}' then left(d.params ->> 'safetyDeviceExpiry', 10) end)`

/** One row per lift and day: who reports and how it was run. From the five-minute values, the runs and the alarms. */
export async function liftDays(
  db: Tx,
  f: DayFilter,
  slice: { limit: number; offset: number },
  now: number,
  sort: DaySort | `-${DaySort}` | undefined,
): Promise<{ list: LiftDay[]; total: number }> {
  const of = allOf(
    ...equals('d.family', 'lifter'),
    ...equals('d.status', '1'),
    ...equals('d.id', f.deviceId),
    ...inProjects('d.project_code', f.projects),
    ...contains('d.name', f.deviceName),
    ...contains('p.name', f.projectName),
  )
  const [from, to, today] = [new Date(f.period.from), new Date(f.period.to), new Date(now)]
  const seconds = numericField('durationSeconds')
  const order = orderBy(
    sort,
    {
      reportPercent: 'reportPercent',
      day: 'day',
      runs: 'runs',
      overPersonRuns: 'overPersonRuns',
      doorOpenRuns: 'doorOpenRuns',
      maxLoadPercent: 'maxLoadPercent',
      expiryDays: 'expiryDays',
    },
    '-doorOpenRuns',
    'deviceId',
  )
  const { rows } = await sql<LiftDay & { total: number }>`
    with lift as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, d.interval_seconds, coalesce(d.params ->> 'cage', '0') as cage, ${expiryOf} as expiry
      from device d join project p on p.project_code = d.project_code where ${of}),
    day as (
      select to_char(g, 'YYYY-MM-DD') as day from generate_series(
        (${from}::timestamptz at time zone 'Asia/Shanghai')::date, ((${to}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g),
    t as (
      select device_id, ${shanghaiDay('ts')} as day, sum(n)::int as n from telemetry_5m
      where device_id in (select id from lift) and ts >= ${from} and ts < ${to} group by 1, 2),
    c as (
      select r.device_id, ${shanghaiDay('r.ts')} as day, count(*)::int as n, coalesce(sum(${numericField('maxPersonCount')}), 0)::int as persons,
        count(*) filter (where ${overPersons})::int as overs, max(${numericField('maxLoadPercent')}) as load,
        sum(${seconds}) filter (where ${unrecognised}) as unrecognised
      from record_now r join device d on d.id = r.device_id
      where r.record = 'workingCycle' and r.device_id in (select id from lift) and r.ts >= ${from} and r.ts < ${to} group by 1, 2),
    o as (select x.device_id, ${shanghaiDay('x.ts')} as day, count(*)::int as n from (${openDoorRuns(f)}) x group by 1, 2),
    a as (
      select device_id, ${shanghaiDay('start_time')} as day, count(*)::int as n
      from alarm where device_id in (select id from lift) and start_time >= ${from} and start_time < ${to} and not simulated group by 1, 2),
    x as (
      select lift.id as device_id, lift.name as device_name, lift.project_code, lift.project_name, lift.cage, day.day, coalesce(t.n, 0) as readings,
        least(100, round(coalesce(t.n, 0) * 100.0 * lift.interval_seconds / ${daySeconds(sql`day.day`, from, to)}, 1))::float8 as report_percent, coalesce(a.n, 0) as alarm_count,
        coalesce(c.n, 0) as runs, coalesce(c.persons, 0) as persons, coalesce(c.overs, 0) as over_person_runs, c.load as max_load_percent,
        coalesce(o.n, 0) as door_open_runs, round((coalesce(c.unrecognised, 0) / 60)::numeric, 1)::float8 as no_driver_minutes,
        lift.expiry as safety_device_expiry, lift.expiry::date - (${today}::timestamptz at time zone 'Asia/Shanghai')::date as expiry_days
      from lift cross join day
        left join t on t.device_id = lift.id and t.day = day.day
        left join c on c.device_id = lift.id and c.day = day.day
        left join o on o.device_id = lift.id and o.day = day.day
        left join a on a.device_id = lift.id and a.day = day.day)
    select x.*, count(*) over ()::int as total from x
    where ${allOf(
      ...(f.day?.from ? [condition(sql`x.day >= ${f.day.from.slice(0, 10)}`)] : []),
      ...(f.day?.to ? [condition(sql`x.day <= ${f.day.to.slice(0, 10)}`)] : []),
      ...within(sql`x.report_percent`, f.reportPercent),
      ...within(sql`x.over_person_runs`, f.overPersonRuns),
      ...within(sql`x.door_open_runs`, f.doorOpenRuns),
      ...within(sql`x.no_driver_minutes`, f.noDriverMinutes),
      ...within(sql`x.expiry_days`, f.expiryDays),
    )}
    order by ${order}, over_person_runs desc, day desc limit ${slice.limit} offset ${slice.offset}`.execute(db)
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}
