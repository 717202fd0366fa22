import type { DustDetail, dustNow } from '@zhugong/contract/dustchecks/calls'
import type { DustEvidence } from '@zhugong/contract/dustchecks/items'
import { hourMs } from '@zhugong/contract/kit/time'
import { sprayRunOf } from '@zhugong/contract/telemetry/known-records'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { dust } from './kind.ts'

/** Hours of the curve before and after a check, and of the alarm that contradicts one. */
const curveHours = 6
const alarmHours = 1

const rate = (part: number, all: number) => (all === 0 ? null : Math.round((part / all) * 1000) / 10)

/** What the platform itself knows of a site at a moment: stations, washing and covering of vehicles, spray runs. */
export async function evidenceOf(ctx: Pick<Context, 'db'>, projectCode: string, at: number): Promise<DustEvidence> {
  const from = new Date(startOfDay(formatDay(at)))
  const until = new Date(at)
  type Station = { stations: number; online: number; pm10: number | null; windSpeed: number | null; humidity: number | null }
  const { rows: now } = await sql<Station>`select count(*)::int as stations, (count(*) filter (where l.online))::int as online,
      avg((l.v ->> 'pm10')::float8) filter (where l.online) as pm10, avg((l.v ->> 'windSpeed')::float8) filter (where l.online) as wind_speed,
      avg((l.v ->> 'humidity')::float8) filter (where l.online) as humidity
    from device d left join device_latest l on l.device_id = d.id where d.project_code = ${projectCode} and d.family = 'environment' and d.status = '1'`.execute(
    ctx.db,
  )
  const { rows: hour } = await sql<{
    pm10: number | null
  }>`select sum((t.v -> 'pm10' ->> 2)::float8) / nullif(sum((t.v -> 'pm10' ->> 3)::float8), 0) as pm10
    from telemetry_5m t where t.ts >= ${new Date(at - hourMs)} and t.ts < ${until} and t.device_id in
      (select d.id from device d where d.project_code = ${projectCode} and d.family = 'environment' and d.status = '1')`.execute(ctx.db)
  type Trucks = { cameras: number; left: number; washed: number; covered: number; judged: number }
  const { rows: trucks } =
    await sql<Trucks>`select (select count(*)::int from device d where d.project_code = ${projectCode} and d.family = 'truckAccess' and d.status = '1') as cameras,
      count(*)::int as left, (count(*) filter (where r.data ->> 'washed' = '1'))::int as washed,
      (count(*) filter (where r.data ->> 'covered' = '1'))::int as covered, (count(*) filter (where r.data ->> 'covered' in ('0', '1')))::int as judged
    from device_record r where r.project_code = ${projectCode} and r.record = 'accessRecord' and r.data ->> 'direction' = '1'
      and r.data ->> 'vehicleType' in ('1', '2', '3') and r.ts >= ${from} and r.ts < ${until}`.execute(ctx.db)
  type Sprays = { lines: number; runs: number; last: Date | null }
  const { rows: sprays } =
    await sql<Sprays>`select (select count(*)::int from device d where d.project_code = ${projectCode} and d.family = 'sprayController' and d.status = '1') as lines,
      count(*)::int as runs, max(r.ts) as last from device_record r where r.project_code = ${projectCode} and r.record = 'sprayRecord' and r.ts >= ${from} and r.ts < ${until}`.execute(
      ctx.db,
    )
  const station = now[0]
  const gate = trucks[0]
  const spray = sprays[0]
  const tidy = (value: number | null | undefined) => (value === null || value === undefined ? null : Math.round(value * 10) / 10)
  return {
    stations: station?.stations ?? 0,
    online: station?.online ?? 0,
    pm10: tidy(station?.pm10),
    pm10Hour: tidy(hour[0]?.pm10),
    windSpeed: tidy(station?.windSpeed),
    humidity: tidy(station?.humidity),
    left: gate && gate.cameras > 0 ? gate.left : null,
    washedRate: gate && gate.cameras > 0 ? rate(gate.washed, gate.left) : null,
    coveredRate: gate && gate.cameras > 0 ? rate(gate.covered, gate.judged) : null,
    sprayRuns: spray && spray.lines > 0 ? spray.runs : null,
    lastSpray: spray?.last ? formatInstant(spray.last) : null,
    alarms: await alarmsAround(ctx, projectCode, at),
  }
}

/** Alarms of the site's stations about dust within an hour of a moment. */
export async function alarmsAround(ctx: Pick<Context, 'db'>, projectCode: string, at: number): Promise<number> {
  const [from, until] = [new Date(at - alarmHours * hourMs), new Date(at + alarmHours * hourMs)]
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from alarm a where a.project_code = ${projectCode} and a.family = 'environment'
    and (a.metric in ('pm10', 'pm25', 'tsp') or a.alarm_key ~ '^(pm10|pm25|tsp)') and not a.simulated and a.start_time >= ${from} and a.start_time < ${until}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

/** PM10 and wind around a check; where the station said nothing, nothing is drawn. */
export async function curveOf(ctx: Pick<Context, 'db'>, projectCode: string, at: number): Promise<Pick<DustDetail, 'curve' | 'sprays'>> {
  const [from, until] = [new Date(at - curveHours * hourMs), new Date(at + curveHours * hourMs)]
  type Point = { at: Date; pm10: number | null; wind: number | null }
  const { rows } = await sql<Point>`select g.at, sum((t.v -> 'pm10' ->> 2)::float8) / nullif(sum((t.v -> 'pm10' ->> 3)::float8), 0) as pm10,
      sum((t.v -> 'windSpeed' ->> 2)::float8) / nullif(sum((t.v -> 'windSpeed' ->> 3)::float8), 0) as wind
    from generate_series(date_bin('5 minutes', ${from}::timestamptz, 'epoch'), ${until}::timestamptz, interval '5 minutes') g(at)
    left join telemetry_5m t on t.ts = g.at and t.device_id in
      (select d.id from device d where d.project_code = ${projectCode} and d.family = 'environment' and d.status = '1')
    group by g.at order by g.at`.execute(ctx.db)
  const { rows: runs } = await sql<{
    ts: Date
    data: Record<string, unknown>
  }>`select r.ts, r.data from device_record r where r.project_code = ${projectCode}
    and r.record = 'sprayRecord' and r.ts >= ${from} and r.ts < ${until} order by r.ts limit 200`.execute(ctx.db)
  const tidy = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
  return {
    curve: rows.map((one) => ({ at: one.at.getTime(), pm10: tidy(one.pm10), wind: tidy(one.wind) })),
    sprays: runs.map(({ ts, data }) => {
      const run = sprayRunOf({ time: ts.getTime(), data })
      return { from: run.startTime, to: run.endTime, trigger: run.trigger }
    }),
  }
}

/** The response counts on its day and the next one. */
export const readDustNow: HandlerOf<typeof dustNow> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const since = new Date(startOfDay(addDays(formatDay(ctx.clock.now()), -1)))
  const { rows } = await sql<{
    level: string | null
    day: string
  }>`select d.response_level as level, to_char(c.check_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
    from site_check c join dust_check d on d.check_id = c.id where c.kind = ${dust} and c.project_code = ${projectCode} and c.state <> '0'
      and c.check_time >= ${since} order by c.check_time desc, c.id limit 1`.execute(ctx.db)
  const last = rows[0]
  return {
    evidence: await evidenceOf(ctx, projectCode, ctx.clock.now()),
    responseLevel: last?.level ?? null,
    responseDay: last?.day ?? null,
  }
}
