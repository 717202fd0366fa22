import { type Family, storedOrder } from '@zhugong/contract/telemetry/families'
import type { LinePoint } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { ReadingRow } from '../../readings/public.ts'
import type { Period } from './period.ts'

/** Longer curves use the five-minute values: 0.6 ms instead of 6 ms. */
const rawUpToMs = 6 * 3_600_000
const shortest = 5

/** Readings of one device, newest or oldest first. */
export async function findReadings(
  db: Tx,
  deviceId: string,
  period: Period,
  page: { limit: number; offset: number; falling: boolean },
): Promise<ReadingRow[]> {
  const direction = page.falling ? sql`desc` : sql`asc`
  const { rows } = await sql<ReadingRow>`
    select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry
    where device_id = ${deviceId} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)}
    order by ts ${direction}, seq ${direction} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

export async function countReadings(db: Tx, deviceId: string, period: Period): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from telemetry where device_id = ${deviceId} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** A curve of at most `points` points: mean, minimum and maximum of each interval, good values only. */
export async function findLine(
  db: Tx,
  family: Family,
  deviceId: string,
  metrics: readonly string[],
  period: Period,
  points: number,
): Promise<{ list: LinePoint[]; bucketSeconds: number }> {
  const length = Math.max(1, period.to - period.from)
  const raw = length <= rawUpToMs
  const wanted = length / 1000 / points
  const bucketSeconds = raw ? Math.max(shortest, Math.ceil(wanted)) : Math.max(300, Math.ceil(wanted / 300) * 300)
  const order = storedOrder(family.key)
  const places = metrics.flatMap((metric) => {
    const narrow = order?.narrow.indexOf(metric) ?? -1
    const wide = order?.wide.indexOf(metric) ?? -1
    return narrow >= 0 ? [{ metric, column: 'v', place: narrow + 1 }] : wide >= 0 ? [{ metric, column: 'w', place: wide + 1 }] : []
  })
  if (places.length === 0) return { list: [], bucketSeconds }
  const from = new Date(period.from)
  const to = new Date(period.to)
  const bucket = sql`date_bin(make_interval(secs => ${bucketSeconds}), ts, 'epoch')`
  const parts = places.map(({ metric, column, place }, i) => {
    if (raw) {
      const value = sql`${sql.ref(column)}[${sql.lit(place)}]::float8`
      const good = sql`filter (where quality is null or not quality ? ${metric})`
      return sql`avg(${value}) ${good} as ${sql.ref(`a${i}`)}, min(${value}) ${good} as ${sql.ref(`l${i}`)}, max(${value}) ${good} as ${sql.ref(`h${i}`)}`
    }
    const at = (n: number) => sql`(v -> ${metric}::text ->> ${sql.lit(n)})::float8`
    return sql`sum(${at(2)}) / nullif(sum(${at(3)}), 0) as ${sql.ref(`a${i}`)}, min(${at(0)}) as ${sql.ref(`l${i}`)}, max(${at(1)}) as ${sql.ref(`h${i}`)}`
  })
  const { rows } = await sql<Record<string, unknown>>`
    select ${bucket} as bucket, ${raw ? sql`count(*)::int` : sql`sum(n)::int`} as n, ${sql.join(parts)}
    from ${sql.table(raw ? 'telemetry' : 'telemetry_5m')}
    where device_id = ${deviceId} and ts >= ${from} and ts < ${to} ${raw ? sql`and flag <> 2` : sql``}
    group by 1 order by 1`.execute(db)
  const list = rows.flatMap((row): LinePoint[] => {
    const v: LinePoint['v'] = {}
    for (const [i, { metric }] of places.entries()) {
      const mean = row[`a${i}`]
      if (typeof mean === 'number') v[metric] = [tidy(mean), tidy(row[`l${i}`] as number), tidy(row[`h${i}`] as number)]
    }
    return Object.keys(v).length ? [{ time: (row.bucket as Date).getTime(), n: row.n as number, v }] : []
  })
  return { list, bucketSeconds }
}

const tidy = (n: number) => Number(n.toPrecision(7))
