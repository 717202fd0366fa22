import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import type { Period } from './period.ts'

const hourMs = 3_600_000

/** Means of the running hour so far. */
export async function hourMeans(db: Tx, deviceId: string, now: number): Promise<Record<string, number>> {
  const from = now - (now % hourMs)
  const { rows } = await sql<{ metric: string; mean: number }>`
    select m.key as metric, sum((m.value ->> 2)::float8) / nullif(sum((m.value ->> 3)::float8), 0) as mean
    from telemetry_5m t, jsonb_each(t.v) m where t.device_id = ${deviceId} and t.ts >= ${new Date(from)} group by 1`.execute(db)
  return Object.fromEntries(rows.filter((r) => r.mean !== null).map((r) => [r.metric, Math.round(r.mean * 10) / 10]))
}

const dayFrom = 6
const nightFrom = 22

/** The noise limit in force and when it changes: the day ends at 22:00, the night at 6:00. */
export function noiseLimitAt(now: number) {
  const local = now + 8 * hourMs
  const midnight = local - (local % 86_400_000)
  const hour = (local - midnight) / hourMs
  const isDay = hour >= dayFrom && hour < nightFrom
  const alarm = familyOf('environment')?.alarm(isDay ? 'noiseDay' : 'noiseNight')
  const value = alarm?.condition.value ?? (isDay ? 70 : 55)
  const next = isDay ? nightFrom : hour < dayFrom ? dayFrom : dayFrom + 24
  return { value, period: isDay ? '昼间' : '夜间', until: midnight + next * hourMs - 8 * hourMs }
}

/** Means over five-minute values; limits of class 2 are what the hours are counted against. */
const limits: readonly { metric: string; over: number }[] = [
  { metric: 'pm10', over: 150 },
  { metric: 'pm25', over: 75 },
  { metric: 'tsp', over: 800 },
  { metric: 'noise', over: 70 },
]

const mean = (metric: string) => sql`sum((v -> ${metric}::text ->> 2)::float8) / nullif(sum((v -> ${metric}::text ->> 3)::float8), 0)`
const spanMean = (metric: string) => sql`(v -> ${metric}::text ->> 2)::float8 / nullif((v -> ${metric}::text ->> 3)::float8, 0)`

export async function environmentAnalysis(db: Tx, projects: readonly string[] | undefined, deviceId: string | undefined, period: Period) {
  const devices = sql`select d.id from device d where ${allOf(...equals('d.family', 'environment'), ...equals('d.id', deviceId), ...inProjects('d.project_code', projects))}`
  const where = sql`t.device_id in (${devices}) and t.ts >= ${new Date(period.from)} and t.ts < ${new Date(period.to)}`
  const local = sql`t.ts at time zone 'Asia/Shanghai'`
  const spans = Math.max(1, Math.floor((period.to - period.from) / 300_000))
  const byHour = await sql<{ weekday: number; hour: number; pm10: number | null; pm25: number | null; noise: number | null }>`
    select extract(dow from ${local})::int as weekday, extract(hour from ${local})::int as hour, ${mean('pm10')} as pm10, ${mean('pm25')} as pm25, ${mean('noise')} as noise
    from telemetry_5m t where ${where} group by 1, 2 order by 1, 2`.execute(db)
  const rose = await sql<{ direction: number; pm10: number; n: number }>`
    select (round(${spanMean('windDirection')} / 22.5)::int % 16) * 22.5 as direction, avg(${spanMean('pm10')}) as pm10, count(*)::int as n
    from telemetry_5m t where ${where} and v ? 'windDirection' and v ? 'pm10' group by 1 order by 1`.execute(db)
  const perDevice = await sql<Record<string, number | string | null>>`
    select d.id as key, d.name, p.name as project_name, ${mean('pm10')} as pm10_mean, ${mean('pm25')} as pm25_mean, ${mean('tsp')} as tsp_mean, ${mean('noise')} as noise_mean,
      ${sql.join(limits.map(({ metric, over }, i) => sql`count(*) filter (where ${spanMean(metric)} > ${over})::int as ${sql.ref(`over${i}`)}`))},
      count(t.ts)::int as spans
    from device d join project p on p.project_code = d.project_code
      left join telemetry_5m t on t.device_id = d.id and t.ts >= ${new Date(period.from)} and t.ts < ${new Date(period.to)}
    where d.id in (${devices}) group by d.id, d.name, p.name order by pm10_mean desc nulls last, d.id limit 500`.execute(db)
  const rows = perDevice.rows
  const tidy = (n: unknown) => (typeof n === 'number' ? Math.round(n * 10) / 10 : null)
  const validPercent = (n: unknown) => Math.min(100, Math.round((Number(n) / spans) * 1000) / 10)
  return {
    coverage: rows.length ? Math.round((rows.reduce((sum, r) => sum + validPercent(r.spans), 0) / rows.length) * 10) / 10 : 0,
    byHour: byHour.rows.map((r) => ({ weekday: r.weekday, hour: r.hour, pm10: tidy(r.pm10), pm25: tidy(r.pm25), noise: tidy(r.noise) })),
    rose: rose.rows.map((r) => ({ direction: Number(r.direction), pm10: tidy(r.pm10) ?? 0, n: r.n })),
    overHours: limits.map(({ metric }, i) => ({
      metric,
      hours: Math.round((rows.reduce((sum, r) => sum + Number(r[`over${i}`] ?? 0), 0) / 12) * 10) / 10,
    })),
    devices: rows.map((r) => ({
      key: String(r.key),
      name: String(r.name),
      projectName: String(r.projectName),
      pm10Mean: tidy(r.pm10Mean),
      pm25Mean: tidy(r.pm25Mean),
      tspMean: tidy(r.tspMean),
      noiseMean: tidy(r.noiseMean),
      overHours: Math.round((Number(r.over0 ?? 0) / 12) * 10) / 10,
      validPercent: validPercent(r.spans),
    })),
  }
}
