import { storedOrder } from '@zhugong/contract/telemetry/families'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { Period } from '../telemetry/views/public.ts'
import { type CounterReading, type CounterSpan, splitAtFalls, withoutMisread } from './usage.ts'

const bucketMs = 5 * 60_000
/** Beside a span that is split: what was misread at its edge is known by what stands around it. */
const aroundMs = 3_600_000

/** Steps of the day begin at midnight in Asia/Shanghai. */
const bucketOf = (stepMs: number) =>
  sql<Date>`date_bin(make_interval(secs => ${stepMs / 1000}), t.ts, '2000-01-01T00:00:00+08:00'::timestamptz)`
export const at = (metric: string, place: number): RawBuilder<number> =>
  sql<number>`(t.v -> ${sql.lit(metric)} ->> ${sql.lit(place)})::float8`

export interface SpanRow extends CounterSpan {
  deviceId: string
  means: Record<string, number | null>
}

interface Asked {
  devices: readonly string[]
  family: 'electricMeter' | 'waterMeter'
  counter: string
  stepMs: number
  period: Period
}

/** The counter by device and step, split where it fell, and the means of what else the meter sends. */
export async function counterSpans(db: Tx, asked: Asked, metrics: readonly string[] = []): Promise<SpanRow[]> {
  const { devices, counter, stepMs, period } = asked
  const means = metrics.length
    ? sql`jsonb_build_object(${sql.join(metrics.flatMap((m) => [sql.lit(m), sql`sum(${at(m, 2)}) / nullif(sum(${at(m, 3)}), 0)`]))})`
    : sql`'{}'::jsonb`
  const { rows } = await sql<{
    deviceId: string
    bucket: Date
    low: number
    high: number
    fell: boolean
    means: Record<string, number | null>
  }>`
    select t.device_id, ${bucketOf(stepMs)} as bucket, min(t.low) as low, max(t.high) as high, bool_or(t.low < t.before or t.high > t.after) as fell, ${means} as means
    from (select t.device_id, t.ts, t.v, ${at(counter, 0)} as low, ${at(counter, 1)} as high,
        lag(${at(counter, 1)}) over (partition by t.device_id order by t.ts) as before, lead(${at(counter, 0)}) over (partition by t.device_id order by t.ts) as after
      from telemetry_5m t where t.device_id = any (${[...devices]}) and t.ts >= ${new Date(period.from)} and t.ts < ${new Date(period.to)} and t.v ? ${counter}) t
    group by 1, 2 order by 1, 2`.execute(db)
  const fallen = Map.groupBy(
    rows.filter((row) => row.fell === true),
    (row) => row.deviceId,
  )
  const runs = new Map<string, CounterSpan['runs']>()
  for (const [deviceId, list] of fallen) {
    const steps = list.map((row) => row.bucket.getTime())
    for (const [time, own] of await splitSteps(db, asked, deviceId, steps)) runs.set(`${deviceId}/${time}`, own)
  }
  return rows.map(({ bucket, fell: _, ...row }) => ({
    ...row,
    time: bucket.getTime(),
    runs: runs.get(`${row.deviceId}/${bucket.getTime()}`),
  }))
}

interface Five {
  time: number
  low: number
  high: number
}

/** The stretches without a fall of some steps of a device. */
async function splitSteps(
  db: Tx,
  asked: Asked,
  deviceId: string,
  steps: readonly number[],
): Promise<[time: number, runs: CounterSpan['runs']][]> {
  const { counter, stepMs } = asked
  const { rows } = await sql<{ ts: Date; low: number; high: number }>`
    select distinct t.ts, ${at(counter, 0)} as low, ${at(counter, 1)} as high from telemetry_5m t join unnest(${steps.map((s) => new Date(s))}::timestamptz[]) s(at)
      on t.ts >= s.at - make_interval(secs => ${aroundMs / 1000}) and t.ts < s.at + make_interval(secs => ${(stepMs + aroundMs) / 1000})
    where t.device_id = ${deviceId} and t.v ? ${counter} order by t.ts`.execute(db)
  const fives = rows.map((row): Five => ({ time: row.ts.getTime(), low: row.low, high: row.high }))
  const odd = fives.flatMap((five, i) => (isOdd(five, fives[i - 1], fives[i + 1]) ? [five.time] : []))
  const raw = Map.groupBy(await rawReadings(db, asked, deviceId, odd), (one) => one.time - (one.time % bucketMs))
  const readings = withoutMisread(fives.flatMap((five, i) => raw.get(five.time) ?? endsOf(five, fives[i - 1], fives[i + 1])))
  return steps.map((step) => [step, splitAtFalls(readings.filter((one) => one.time >= step && one.time < step + stepMs))])
}

const isOdd = (five: Five, before: Five | undefined, after: Five | undefined): boolean =>
  (before !== undefined && five.low < before.high) || (after !== undefined && five.high > after.low)

/** Where the raw readings are gone: the least and the greatest, in the order that what stands around them tells. */
function endsOf(five: Five, before: Five | undefined, after: Five | undefined): CounterReading[] {
  const low = { time: five.time, value: five.low }
  const high = { time: five.time, value: five.high }
  const falls = before !== undefined && five.low < before.high
  if (falls && after !== undefined && after.low < five.high && five.high >= before.high) return [high, low]
  return falls && five.high >= before.high ? [high] : [low, high]
}

/** The counter as it came within some five minutes, good readings alone; nothing where they are dropped by age. */
async function rawReadings(db: Tx, { family, counter }: Asked, deviceId: string, starts: readonly number[]): Promise<CounterReading[]> {
  const place = (storedOrder(family)?.wide.indexOf(counter) ?? -1) + 1
  if (place === 0 || starts.length === 0) return []
  const { rows } = await sql<{ ts: Date; value: number }>`
    select t.ts, t.w[${sql.lit(place)}] as value from unnest(${starts.map((s) => new Date(s))}::timestamptz[]) s(at)
      join telemetry t on t.ts >= s.at and t.ts < s.at + make_interval(secs => ${bucketMs / 1000})
    where t.device_id = ${deviceId} and t.flag <> 2 and t.w[${sql.lit(place)}] is not null and (t.quality is null or not t.quality ? ${counter})
    order by t.ts, t.seq`.execute(db)
  return rows.map((row) => ({ time: row.ts.getTime(), value: row.value }))
}
