import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, type Condition, condition, contains, equals, inProjects } from '#kit/list'
import { shanghaiDay } from '../shared/family.ts'
import type { DeviceScope } from '../shared/list-query.ts'
import { daySeconds } from '../shared/period.ts'
import { type Range, within } from '../shared/record-fields.ts'
import { seconds, unrecognised } from './records.ts'

interface MachineDayFilter extends DeviceScope {
  deviceName?: string | undefined
  projectName?: string | undefined
  day?: { from?: string | undefined; to?: string | undefined } | undefined
  reportPercent?: Range | undefined
  noDriverMinutes?: Range | undefined
}

/** What a family adds to the row of a machine's day. Columns and figures are select lists. */
interface FamilyDay {
  family: string
  /** Columns of the device `d`, selected as table `m`. */
  machine: RawBuilder<unknown>
  /** Figures of the five-minute values of a day, selected as table `t`. */
  readings?: RawBuilder<unknown>
  /** Figures of the cycles `r` of a day, selected as table `c`, and the tables they are read from. */
  cycles: { from: RawBuilder<unknown>; figures: RawBuilder<unknown> }
  /** Figures of the alarms of a day, selected as table `a`. */
  alarms?: RawBuilder<unknown>
  /** A further join on `m.id` and `day.day`. */
  join?: RawBuilder<unknown>
  /** Columns of the row from `m`, `t`, `c`, `a` and the join. */
  columns: RawBuilder<unknown>
  /** Conditions on the row `x`. */
  where: Condition[]
  order: RawBuilder<unknown>
}

/**
 * One row per machine in use and day, from the five-minute values, the cycles and the alarms. Common columns: `deviceId`, `deviceName`,
 * `projectCode`, `projectName`, `day`, `readings`, `reportPercent`, `alarmCount`, `noDriverMinutes`.
 */
export async function machineDays<Day>(
  db: Tx,
  f: MachineDayFilter,
  slice: { limit: number; offset: number },
  { family, machine, readings, cycles, alarms, join = sql``, columns, where, order }: FamilyDay,
): Promise<{ list: Day[]; total: number }> {
  const machines = allOf(
    ...equals('d.family', family),
    ...equals('d.status', '1'),
    ...equals('d.id', f.deviceId),
    ...inProjects('d.project_code', f.projects),
    ...contains('d.name', f.deviceName),
    ...contains('p.name', f.projectName),
  )
  const [from, to] = [new Date(f.period.from), new Date(f.period.to)]
  const select = (common: RawBuilder<unknown>, own: RawBuilder<unknown> | undefined) => (own ? sql`${common}, ${own}` : common)
  const { rows } = await sql<Day & { total: number }>`
    with m as materialized (
      select ${select(sql`d.id, d.name, d.project_code, p.name as project_name, d.interval_seconds`, machine)}
      from device d join project p on p.project_code = d.project_code where ${machines}),
    day as (
      select to_char(g, 'YYYY-MM-DD') as day from generate_series(
        (${from}::timestamptz at time zone 'Asia/Shanghai')::date, ((${to}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g),
    t as (
      select ${select(sql`device_id, ${shanghaiDay('ts')} as day, sum(n)::int as n`, readings)}
      from telemetry_5m where device_id in (select id from m) and ts >= ${from} and ts < ${to} group by 1, 2),
    c as (
      select ${select(
        sql`r.device_id, ${shanghaiDay('r.ts')} as day, count(*)::int as n, sum(${seconds}) filter (where ${unrecognised}) as unrecognised`,
        cycles.figures,
      )}
      from ${cycles.from}
      where r.record = 'workingCycle' and r.device_id in (select id from m) and r.ts >= ${from} and r.ts < ${to} group by 1, 2),
    a as (
      select ${select(sql`device_id, ${shanghaiDay('start_time')} as day, count(*)::int as n`, alarms)}
      from alarm where device_id in (select id from m) and start_time >= ${from} and start_time < ${to} and not simulated group by 1, 2),
    x as (
      select ${select(
        sql`m.id as device_id, m.name as device_name, m.project_code, m.project_name, day.day, coalesce(t.n, 0) as readings,
          least(100, round(coalesce(t.n, 0) * 100.0 * m.interval_seconds / ${daySeconds(sql`day.day`, from, to)}, 1))::float8 as report_percent,
          coalesce(a.n, 0) as alarm_count, round((coalesce(c.unrecognised, 0) / 60)::numeric, 1)::float8 as no_driver_minutes`,
        columns,
      )}
      from m cross join day
        left join t on t.device_id = m.id and t.day = day.day
        left join c on c.device_id = m.id and c.day = day.day
        left join a on a.device_id = m.id and a.day = day.day ${join})
    select x.*, count(*) over ()::int as total from x
    where ${allOf(
      ...(f.day?.from ? [condition(sql`x.day >= ${f.day.from.slice(0, 10)}`)] : []),
      ...(f.day?.to ? [condition(sql`x.day <= ${f.day.to.slice(0, 10)}`)] : []),
      ...within(sql`x.report_percent`, f.reportPercent),
      ...within(sql`x.no_driver_minutes`, f.noDriverMinutes),
      ...where,
    )}
    order by ${order}, day desc limit ${slice.limit} offset ${slice.offset}`.execute(db)
  return { list: rows.map(({ total: _total, ...row }) => row as unknown as Day), total: rows[0]?.total ?? 0 }
}
