import { type Family, storedOrder } from '@zhugong/contract/telemetry/families'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/db'
import { placeKeys } from '../readings/public.ts'

/** Metrics that are not locations. A device may send a location under any key, so `extra` retains only known metrics. */
const harmless = (family: Family): readonly string[] =>
  family.metrics.map((one) => one.key).filter((key) => !placeKeys(family.key).includes(key))

/**
 * Deletes the locations of devices of one family between two times: from readings, five-minute values and latest values. The rows
 * themselves and all other values remain.
 * @param from, to epoch milliseconds; `to` is exclusive.
 */
export async function forgetPlaces(db: Db, family: Family, deviceIds: readonly string[], from: number, to: number): Promise<void> {
  const order = storedOrder(family.key)
  const places = placeKeys(family.key)
  if (!order || places.length === 0 || deviceIds.length === 0) return
  const [ids, keys, known] = [[...deviceIds], [...places], [...harmless(family)]]
  const span = sql`device_id = any (${ids}) and ts >= ${new Date(from)} and ts < ${new Date(to)}`
  const without = (column: string): RawBuilder<unknown> => {
    const names = column === 'v' ? order.narrow : order.wide
    const at = sql.ref(column)
    // Keeps the array positions and sets the location values to null.
    return sql`(select array_agg(case when n = any (${names.flatMap((key, i) => (places.includes(key) ? [i + 1] : []))}::int[]) then null else x end order by n)
      from unnest(${at}) with ordinality as one(x, n))`
  }
  await sql`update telemetry set v = coalesce(${without('v')}, v), w = case when w is null then null else ${without('w')} end,
      extra = (select jsonb_object_agg(key, value) from jsonb_each(extra) where key = any (${known}))
    where ${span}`.execute(db)
  await sql`update telemetry_5m set v = v - ${keys}::text[] where ${span} and v ?| ${keys}::text[]`.execute(db)
  await sql`update device_latest set v = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(v) where key = any (${known})),
      held = held - ${keys}::text[]
    where ${span} and v ?| ${keys}::text[]`.execute(db)
}
