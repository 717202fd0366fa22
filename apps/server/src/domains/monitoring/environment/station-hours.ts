import { stationHour } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { Period } from '../shared/period.ts'
import { hasDay } from './noise-limit.ts'

/** Five-minute values required for a valid hourly mean: 45 minutes (HJ 212 systems, JJF practice). */
const leastSpans = 9
const spanMinutes = 5

/** Hourly limits: ambient air class 2 for PM (GB 3095-2012), TSP by construction stage, site noise by day and night (GB 12523-2011). μg/m³ and dB. */
export const hourLimits = { pm10: 150, pm25: 75, tsp: { earthwork: 800, structure: 700 }, noise: { day: 70, night: 55 } } as const

export interface StationScope {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
}

export const stationsOf = (s: StationScope) =>
  sql`select d.id from device d where ${allOf(
    ...equals('d.family', 'environment'),
    ...equals('d.status', '1'),
    ...equals('d.id', s.deviceId),
    ...inProjects('d.project_code', s.projects),
  )}`

export interface StationHour {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  areaCode: string
  params: Record<string, unknown>
  time: Date
  spans: number
  pm10: number | null
  pm10Low: number | null
  pm10Max: number | null
  pm25: number | null
  tsp: number | null
  noise: number | null
  windSpeed: number | null
  windDirection: number | null
  temperature: number | null
  humidity: number | null
  /** For an hour at night: the permit that covers it. */
  permitNo: string | null
}

const mean = (metric: string) => sql`sum((t.v -> ${metric}::text ->> 2)::float8) / nullif(sum((t.v -> ${metric}::text ->> 3)::float8), 0)`
const spanMean = (metric: string) => sql`(t.v -> ${metric}::text ->> 2)::float8 / nullif((t.v -> ${metric}::text ->> 3)::float8, 0)`
const rad = sql`radians(${spanMean('windDirection')})`

/** Hourly means of stations, shared by list, chart, figures and export; noise as energy mean, wind direction as vector mean. */
export async function stationHours(
  db: Tx,
  scope: StationScope,
  slice?: { limit: number; offset: number; falling: boolean },
): Promise<StationHour[]> {
  const hour = sql`date_trunc('hour', t.ts)`
  const { rows } = await sql<Omit<StationHour, 'permitNo'>>`
    select t.device_id, max(d.name) as device_name, max(d.project_code) as project_code, max(p.name) as project_name, max(p.area_code) as area_code,
      (array_agg(d.params))[1] as params, ${hour} as time, count(*)::int as spans, ${mean('pm10')} as pm10,
      min((t.v -> 'pm10' ->> 0)::float8) as pm10_low, max((t.v -> 'pm10' ->> 1)::float8) as pm10_max, ${mean('pm25')} as pm25, ${mean('tsp')} as tsp,
      10 * log(nullif(avg(power(10::float8, ${spanMean('noise')} / 10)), 0)) as noise, ${mean('windSpeed')} as wind_speed,
      mod((degrees(atan2(avg(sin(${rad})), avg(cos(${rad})))) + 360)::numeric, 360)::float8 as wind_direction, ${mean('temperature')} as temperature, ${mean('humidity')} as humidity
    from telemetry_5m t join device d on d.id = t.device_id join project p on p.project_code = d.project_code
    where t.device_id in (${stationsOf(scope)}) and t.ts >= ${new Date(scope.period.from)} and t.ts < ${new Date(scope.period.to)}
    group by t.device_id, ${hour} order by ${hour} ${slice?.falling === false ? sql`asc` : sql`desc`}, t.device_id
    ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(db)
  const permits = await permitsIn(db, scope)
  return rows.map((row) => ({ ...row, permitNo: permitOf(permits, row.projectCode, row.time) }))
}

interface Permit {
  projectCode: string
  permitNo: string
  fromTime: Date
  untilTime: Date
}
/** Night permits that overlap a period. */
async function permitsIn(db: Tx, { projects, period }: StationScope): Promise<Permit[]> {
  const { rows } = await sql<Permit>`select n.project_code, n.permit_no, n.from_time, n.until_time from night_permit n
    where n.void_at is null and n.from_time < ${new Date(period.to)} and n.until_time > ${new Date(period.from)}
      and ${allOf(...inProjects('n.project_code', projects))} order by n.from_time desc`.execute(db)
  return rows
}
const permitOf = (permits: readonly Permit[], projectCode: string, time: Date): string | null =>
  hasDay(time.getTime())
    ? null
    : (permits.find((one) => one.projectCode === projectCode && one.fromTime <= time && time < one.untilTime)?.permitNo ?? null)

export async function countStationHours(db: Tx, scope: StationScope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct (t.device_id, date_trunc('hour', t.ts)))::int as n from telemetry_5m t
    where t.device_id in (${stationsOf(scope)}) and t.ts >= ${new Date(scope.period.from)} and t.ts < ${new Date(scope.period.to)}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

export const isValidHour = (hour: Pick<StationHour, 'spans'>): boolean => hour.spans >= leastSpans

type Metric = 'pm10' | 'pm25' | 'tsp' | 'noise'
export const limitOfHour = (metric: Metric, hour: Pick<StationHour, 'time' | 'params'>): number => {
  if (metric === 'pm10' || metric === 'pm25') return hourLimits[metric]
  if (metric === 'tsp') return hourLimits.tsp[hour.params.stage === 'earthwork' ? 'earthwork' : 'structure']
  return hourLimits.noise[hasDay(hour.time.getTime()) ? 'day' : 'night']
}
const metrics: readonly Metric[] = ['pm10', 'pm25', 'tsp', 'noise']
/** Metrics whose hourly mean exceeds the limit; none for an invalid hour. */
export const overIn = (hour: StationHour): Metric[] =>
  isValidHour(hour) ? metrics.filter((metric) => (hour[metric] ?? Number.NEGATIVE_INFINITY) > limitOfHour(metric, hour)) : []

const tidy = (n: number | null) => (n === null ? null : Math.round(n * 10) / 10)
export const toStationHour = (r: StationHour) =>
  rowOf(stationHour, r, {
    id: `${r.deviceId}-${r.time.getTime()}`,
    time: r.time.getTime(),
    minutes: Math.min(60, r.spans * spanMinutes),
    pm10: tidy(r.pm10),
    pm10Max: tidy(r.pm10Max),
    pm25: tidy(r.pm25),
    tsp: tidy(r.tsp),
    noise: tidy(r.noise),
    windSpeed: tidy(r.windSpeed),
    windDirection: tidy(r.windDirection),
    temperature: tidy(r.temperature),
    humidity: tidy(r.humidity),
    over: overIn(r) as string[],
  })
