import { type Family, storedOrder } from '@zhugong/contract/telemetry/families'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/db'
import { placeKeys } from '../readings/public.ts'

/** What of a reading's texts and flags is no place: a box may call a place anything, so that only what the catalogue knows is kept. */
const harmless = (family: Family): readonly string[] =>
  family.metrics.map((one) => one.key).filter((key) => !placeKeys(family.key).includes(key))

/**
 * Forgets where the wearers of devices of one family were between two moments: in the readings, in their five-minute values and in what was
 * heard last. That somebody was heard, and how, stays.
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
    // Each value in its place, and none where a place stood.
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
