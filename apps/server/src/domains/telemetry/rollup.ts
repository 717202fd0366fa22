import { type Family, families, storedOrder } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'

const bucketMs = 5 * 60_000
const floor = (ms: number) => ms - (ms % bucketMs)

/** Raw readings are deleted after this many days; five-minute values are kept. */
const keepRawDays = 180
const daysAhead = 7

/** Creates partitions for the next week, and for days whose readings are in the default partition. */
export async function makePartitions(pool: pg.Pool): Promise<void> {
  await pool.query(`select telemetry_make_day((now() at time zone 'UTC')::date + d) from generate_series(-1, $1::int) d`, [daysAhead])
  await pool.query(
    `select telemetry_make_day(day) from (select distinct (ts at time zone 'UTC')::date as day from telemetry_default
       where ts > now() - interval '31 days' and ts < now() + interval '2 days') d`,
  )
}

/** Drops whole days older than the limit. Returns the number of dropped partitions. */
export async function dropOldReadings(pool: pg.Pool, now: number): Promise<number> {
  const limit = new Date(now - keepRawDays * 86_400_000).toISOString().slice(0, 10)
  const { rows } = await pool.query<{ n: number }>('select telemetry_drop_before($1::date) as n', [limit])
  await pool.query(`delete from open_nonce where at < $1`, [new Date(now - 10 * 60_000)])
  return rows[0]?.n ?? 0
}

/** The five-minute intervals per device with new readings. */
export class DirtyBuckets {
  private readonly byBucket = new Map<number, Set<string>>()

  note(deviceId: string, time: number): void {
    const at = floor(time)
    const devices = this.byBucket.get(at)
    if (devices) devices.add(deviceId)
    else this.byBucket.set(at, new Set([deviceId]))
  }

  /** The intervals to recalculate. Ended intervals are removed; the current one remains, so that charts reach the present. */
  take(now: number): { from: number; devices: string[] }[] {
    const out: { from: number; devices: string[] }[] = []
    for (const [from, devices] of this.byBucket) {
      out.push({ from, devices: [...devices] })
      if (from + bucketMs <= now) this.byBucket.delete(from)
    }
    return out.sort((a, b) => a.from - b.from)
  }

  putBack(from: number, devices: readonly string[]): void {
    for (const id of devices) this.note(id, from)
  }
}

/**
 * Recalculates the five-minute values of devices from the raw readings, so that late readings are included. Values with a quality mark are
 * excluded.
 * @param from, to epoch milliseconds, `to` is exclusive.
 */
export async function rollUp(
  pool: pg.Pool,
  family: Family,
  deviceIds: readonly string[],
  from: number,
  to = from + bucketMs,
): Promise<void> {
  const order = storedOrder(family.key)
  if (!order || deviceIds.length === 0) return
  await pool.query(
    `insert into telemetry_5m (device_id, ts, n, v)
     select device_id, bucket, max(num)::int, jsonb_object_agg(name, jsonb_build_array(low, high, total, num))
     from (
       select t.device_id, date_bin('5 minutes', t.ts, 'epoch') as bucket, m.name,
         min(m.value) as low, max(m.value) as high, sum(m.value) as total, count(*) as num
       from telemetry t, lateral (
         select ($4::text[])[i] as name, t.v[i]::float8 as value from generate_subscripts(t.v, 1) i
         union all select ($5::text[])[i], t.w[i] from generate_subscripts(t.w, 1) i) m
       where t.device_id = any ($1) and t.ts >= $2 and t.ts < $3 and t.flag <> 2
         and m.value is not null and (t.quality is null or not t.quality ? m.name)
       group by t.device_id, bucket, m.name) x
     group by device_id, bucket
     on conflict (device_id, ts) do update set n = excluded.n, v = excluded.v`,
    [deviceIds, new Date(from), new Date(to), order.narrow, order.wide],
  )
}

/** Recalculates all values of a period: after seeding, or after a restart that may have lost pending intervals. */
export async function rollUpAll(pool: pg.Pool, from: number, to: number): Promise<void> {
  for (const family of families) {
    const { rows } = await pool.query<{ id: string }>('select id from device where family = $1', [family.key])
    if (rows.length)
      await rollUp(
        pool,
        family,
        rows.map((r) => r.id),
        floor(from),
        to,
      )
  }
}
