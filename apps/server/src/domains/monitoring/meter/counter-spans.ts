import { storedOrder } from '@zhugong/contract/telemetry/families'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { Period } from '../shared/period.ts'
import { meterKinds } from './meter-kinds.ts'
import { type CounterReading, type CounterRun, type CounterSpan, splitAtFalls, withoutMisread } from './usage.ts'

const bucketMs = 5 * 60_000
/** Margin read around a split interval: neighbouring readings reveal misreadings at its edges. */
const aroundMs = 3_600_000

/** Intervals are aligned to midnight in Asia/Shanghai. */
const bucketOf = (stepMs: number) =>
  sql<Date>`date_bin(make_interval(secs => ${stepMs / 1000}), t.ts, '2000-01-01T00:00:00+08:00'::timestamptz)`
export const at = (metric: string, place: number): RawBuilder<number> =>
  sql<number>`(t.v -> ${sql.lit(metric)} ->> ${sql.lit(place)})::float8`

export interface SpanRow extends CounterSpan {
  deviceId: string
  means: Record<string, number | null>
  /** Number of manual readings in the interval. */
  reads: number
}

interface SpanQuery {
  devices: readonly string[]
  family: 'electricMeter' | 'waterMeter'
  counter: string
  stepMs: number
  period: Period
}

/** Origin of the intervals of `bucketOf`. */
const stepsFrom = Date.parse('2000-01-01T00:00:00+08:00')
const stepOf = (time: number, stepMs: number): number => time - ((((time - stepsFrom) % stepMs) + stepMs) % stepMs)

/** A manual entry of a meter. */
interface Entry {
  deviceId: string
  time: number
  kind: 'reading' | 'change'
  /** Null for a register that was not read. */
  reading: number | null
  startReading: number | null
}

/** Manual entries of meters. A manual reading above the meter's later value is wrong and ignored, unless the register restarted near zero. */
async function entriesOf(db: Tx, { devices, family, counter, period }: SpanQuery): Promise<Entry[]> {
  const { rows } = await sql<Omit<Entry, 'time'> & { at: Date }>`
    select e.device_id, e.at, e.kind, e.reading, e.start_reading from meter_entry e
    left join lateral (select ${at(counter, 0)} as low from telemetry_5m t where t.device_id = e.device_id and t.ts >= e.at and t.v ? ${counter}
      order by t.ts limit 1) n on e.kind = 'reading'
    where e.device_id = any (${[...devices]}) and e.at >= ${new Date(period.from)} and e.at < ${new Date(period.to)} and e.void_at is null
      and (n.low is null or n.low >= e.reading or n.low <= e.reading * ${sql.lit(begunAnew)} or exists (select 1 from meter_entry c
        where c.device_id = e.device_id and c.kind = 'change' and c.void_at is null and c.at > e.at))
    order by e.device_id, e.at`.execute(db)
  const entries = rows.map(({ at: moment, ...row }) => ({ ...row, time: moment.getTime() }))
  if (counter === meterKinds[family].counter) return entries
  return entries.filter((one) => one.kind === 'change').map((one) => ({ ...one, reading: null, startReading: null }))
}
const begunAnew = 0.02

/** Earlier ratios by device, each with the time until which it applied. */
type Ratios = ReadonlyMap<string, readonly { until: number; ratio: number }[]>
async function ratiosOf(db: Tx, { devices, family }: SpanQuery): Promise<Ratios> {
  if (family !== 'electricMeter') return new Map()
  const { rows } = await sql<{
    deviceId: string
    at: Date
    ratio: number
  }>`select e.device_id, e.at, e.prev_ratio as ratio from meter_entry e
    where e.device_id = any (${[...devices]}) and e.prev_ratio is not null and e.void_at is null order by e.device_id, e.at`.execute(db)
  return Map.groupBy(
    rows.map((row) => ({ deviceId: row.deviceId, until: row.at.getTime(), ratio: row.ratio })),
    (row) => row.deviceId,
  )
}
const ratioAt = (ratios: Ratios, deviceId: string, time: number): number | undefined =>
  ratios.get(deviceId)?.find((one) => one.until > time)?.ratio

/** The counter by device and interval, split where it fell or the meter was replaced, with the means of the other metrics. */
export async function counterSpans(db: Tx, query: SpanQuery, metrics: readonly string[] = []): Promise<SpanRow[]> {
  const { devices, counter, stepMs, period } = query
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
  const entered = Map.groupBy(await entriesOf(db, query), (one) => one.deviceId)
  const ratios = await ratiosOf(db, query)
  const runs = new Map<string, CounterRun[]>()
  for (const deviceId of new Set([...fallen.keys(), ...entered.keys()])) {
    const entries = entered.get(deviceId) ?? []
    const steps = new Set([
      ...(fallen.get(deviceId) ?? []).map((row) => row.bucket.getTime()),
      ...entries.map((one) => stepOf(one.time, stepMs)),
    ])
    for (const [time, own] of await splitSteps(db, query, deviceId, [...steps], entries, ratios)) runs.set(`${deviceId}/${time}`, own)
  }
  const shown = rows.map(
    ({ bucket, fell: _, ...row }): SpanRow => ({
      ...row,
      time: bucket.getTime(),
      runs: runs.get(`${row.deviceId}/${bucket.getTime()}`),
      reads: 0,
      ratio: ratioAt(ratios, row.deviceId, bucket.getTime()),
    }),
  )
  return entered.size === 0 ? shown : withEntered(shown, entered, runs, stepMs)
}

/** Marks intervals with manual entries, and adds intervals that have only those. */
function withEntered(
  reported: readonly SpanRow[],
  entered: ReadonlyMap<string, readonly Entry[]>,
  runs: ReadonlyMap<string, readonly CounterRun[]>,
  stepMs: number,
): SpanRow[] {
  const all = new Map(reported.map((row) => [`${row.deviceId}/${row.time}`, row]))
  for (const [deviceId, entries] of entered) {
    for (const [time, own] of Map.groupBy(entries, (one) => stepOf(one.time, stepMs))) {
      const key = `${deviceId}/${time}`
      const of = runs.get(key) ?? []
      const [low, high] = [Math.min(...of.map((run) => run.first)), Math.max(...of.map((run) => run.last))]
      const row = all.get(key) ?? (of.length > 0 ? { deviceId, time, low, high, runs: of, means: {}, reads: 0 } : undefined)
      const reads = own.filter((one) => one.kind === 'reading').length
      if (row) all.set(key, { ...row, reads, entered: reads < own.length ? 'change' : 'reading' })
    }
  }
  return [...all.values()].sort((a, b) => (a.deviceId === b.deviceId ? a.time - b.time : a.deviceId < b.deviceId ? -1 : 1))
}

interface Five {
  time: number
  low: number
  high: number
}

/** Splits the given intervals of a device into runs without a fall. */
async function splitSteps(
  db: Tx,
  query: SpanQuery,
  deviceId: string,
  steps: readonly number[],
  entries: readonly Entry[],
  ratios: Ratios,
): Promise<[time: number, runs: CounterRun[]][]> {
  const { counter, stepMs } = query
  const { rows } = await sql<{ ts: Date; low: number; high: number }>`
    select distinct t.ts, ${at(counter, 0)} as low, ${at(counter, 1)} as high from telemetry_5m t join unnest(${steps.map((s) => new Date(s))}::timestamptz[]) s(at)
      on t.ts >= s.at - make_interval(secs => ${aroundMs / 1000}) and t.ts < s.at + make_interval(secs => ${(stepMs + aroundMs) / 1000})
    where t.device_id = ${deviceId} and t.v ? ${counter} order by t.ts`.execute(db)
  const fives = rows.map((row): Five => ({ time: row.ts.getTime(), low: row.low, high: row.high }))
  const odd = fives.flatMap((five, i) => (isOdd(five, fives[i - 1], fives[i + 1]) ? [five.time] : []))
  const changes = entries.filter((one) => one.kind === 'change')
  const raw = Map.groupBy(await rawReadings(db, query, deviceId, odd), (one) => one.time - (one.time % bucketMs))
  const readings = fives.flatMap(
    (five, i) => raw.get(five.time) ?? sidesOf(endsOf(five, fives[i - 1], fives[i + 1]), changes.find(isWithin(five.time, bucketMs))),
  )
  // Each meter is handled separately: the next meter's values are not misreadings of the one before.
  const bounds = [-Infinity, ...changes.map((one) => one.time), Infinity]
  const meters = bounds.slice(1).map((to, i) => {
    const from = bounds[i] as number
    const own = withoutMisread(readings.filter((one) => one.time >= from && one.time < to))
    const begun = entries.flatMap(({ time, startReading: value }) => (value !== null && time === from ? [{ time, value }] : []))
    const read = entries.flatMap(({ time, reading: value }) => (value !== null && time > from && time <= to ? [{ time, value }] : []))
    // Sorted by time only: equal times keep their order, which encodes a fall within an interval.
    return { from, readings: [...begun, ...own, ...read].sort((a, b) => a.time - b.time) }
  })
  return steps.map((step) => [
    step,
    meters.flatMap(({ from, readings: all }) => {
      const ratio = ratioAt(ratios, deviceId, Math.max(from, step))
      const own = splitAtFalls(all.filter(isWithin(step, stepMs))).map((run): CounterRun => ({ ...run, ratio }))
      return own.map((run, i): CounterRun => (i === 0 && from >= step && from < step + stepMs ? { ...run, isNewMeter: true } : run))
    }),
  ])
}

const isWithin =
  (start: number, lengthMs: number) =>
  ({ time }: { time: number }): boolean =>
    time >= start && time < start + lengthMs

/** Five-minute intervals with a replacement of which only low and high are known: each value belongs to the meter it is nearer to. */
function sidesOf(ends: readonly CounterReading[], change: Entry | undefined): CounterReading[] {
  if (change?.reading == null || change.startReading === null) return [...ends]
  const { reading, startReading, time } = change
  return ends.map(({ time: begun, value }) => ({
    value,
    time: begun === time || Math.abs(value - startReading) < Math.abs(value - reading) ? time : time - 1,
  }))
}

const isOdd = (five: Five, before: Five | undefined, after: Five | undefined): boolean =>
  (before !== undefined && five.low < before.high) || (after !== undefined && five.high > after.low)

/** Low and high of an interval without raw readings, ordered by the neighbouring intervals. */
function endsOf(five: Five, before: Five | undefined, after: Five | undefined): CounterReading[] {
  const low = { time: five.time, value: five.low }
  const high = { time: five.time, value: five.high }
  const falls = before !== undefined && five.low < before.high
  if (falls && after !== undefined && after.low < five.high && five.high >= before.high) return [high, low]
  return falls && five.high >= before.high ? [high] : [low, high]
}

/** Raw good readings of the counter within the given five-minute intervals; empty if they are past retention. */
async function rawReadings(db: Tx, { family, counter }: SpanQuery, deviceId: string, starts: readonly number[]): Promise<CounterReading[]> {
  const place = (storedOrder(family)?.wide.indexOf(counter) ?? -1) + 1
  if (place === 0 || starts.length === 0) return []
  const { rows } = await sql<{ ts: Date; value: number }>`
    select t.ts, t.w[${sql.lit(place)}] as value from unnest(${starts.map((s) => new Date(s))}::timestamptz[]) s(at)
      join telemetry t on t.ts >= s.at and t.ts < s.at + make_interval(secs => ${bucketMs / 1000})
    where t.device_id = ${deviceId} and t.flag <> 2 and t.w[${sql.lit(place)}] is not null and (t.quality is null or not t.quality ? ${counter})
    order by t.ts, t.seq`.execute(db)
  return rows.map((row) => ({ time: row.ts.getTime(), value: row.value }))
}
