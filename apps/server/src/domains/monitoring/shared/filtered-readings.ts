import type { LinePoint } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { Condition } from '#kit/list'
import { type ReadingRow, toReading } from '../../readings/public.ts'
import type { Period } from './period.ts'

/** Rows per query: a few milliseconds, so that other requests are not delayed. */
const rowsAtOnce = 5_000
const mostFilteredRows = 500_000

async function* filteredReadings(db: Tx, deviceId: string, period: Period, only: Condition): AsyncGenerator<ReadingRow> {
  let after = sql``
  for (let left = mostFilteredRows; left > 0; left -= rowsAtOnce) {
    const { rows } = await sql<ReadingRow & { at: string }>`
      select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag, ts::text as at from telemetry t
      where device_id = ${deviceId} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and flag <> 2 and ${only} ${after}
      order by ts, seq limit ${rowsAtOnce}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = sql`and (ts, seq) > (${last.at}::timestamptz, ${last.seq}::bigint)`
  }
}

/** A curve of the readings that match `only`, from raw rows, because the five-minute values do not distinguish cages and points. */
export async function findFilteredLine(
  db: Tx,
  deviceId: string,
  family: string,
  metrics: readonly string[],
  period: Period,
  points: number,
  only: Condition,
): Promise<{ list: LinePoint[]; bucketSeconds: number }> {
  const bucketSeconds = Math.max(5, Math.ceil((period.to - period.from) / 1000 / points))
  const sums = new Map<number, { n: number; v: Map<string, [number, number, number, number]> }>()
  // Rows are processed as they are read: a month of one point is tens of thousands of rows.
  for await (const row of filteredReadings(db, deviceId, period, only)) {
    const at = row.ts.getTime()
    const bucket = at - (at % (bucketSeconds * 1000))
    let sum = sums.get(bucket)
    if (!sum) {
      sum = { n: 0, v: new Map() }
      sums.set(bucket, sum)
    }
    sum.n++
    const { values, quality } = toReading(family, row)
    for (const metric of metrics) {
      const value = values[metric]
      if (typeof value !== 'number' || quality?.[metric]) continue
      const so = sum.v.get(metric)
      if (so) {
        so[0] += value
        so[1] = Math.min(so[1], value)
        so[2] = Math.max(so[2], value)
        so[3]++
      } else sum.v.set(metric, [value, value, value, 1])
    }
  }
  const list = [...sums].flatMap(([time, { n, v }]): LinePoint[] =>
    v.size
      ? [{ time, n, v: Object.fromEntries([...v].map(([m, [s, low, high, k]]) => [m, [Number((s / k).toPrecision(7)), low, high]])) }]
      : [],
  )
  return { list, bucketSeconds }
}

/** Readings that match `only`, with their number. */
export async function findFilteredReadings(
  db: Tx,
  deviceId: string,
  period: Period,
  slice: { limit: number; offset: number; falling: boolean },
  only: Condition,
) {
  const direction = slice.falling ? sql`desc` : sql`asc`
  const where = sql`device_id = ${deviceId} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and ${only}`
  const { rows } = await sql<ReadingRow>`
    select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry t where ${where}
    order by ts ${direction}, seq ${direction} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const count = await sql<{ n: number }>`select count(*)::int as n from telemetry t where ${where}`.execute(db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}
