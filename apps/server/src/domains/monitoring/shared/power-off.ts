import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'

/** How long before a period a machine may have been switched off, or gone offline, and still be so in it. */
const longestOff = sql`interval '60 days'`

/**
 * Periods in which machines were switched off: `device_id`, `begun`, `ended`. Each lasts from the power record until the next one, the next
 * reading or the return online. These periods do not count as missing data.
 */
export const poweredOff = (devices: RawBuilder<unknown>, from: Date, to: Date): RawBuilder<unknown> => sql`
  select device_id, min(greatest(ts, ${from}::timestamptz)) as begun, ended from (
    select f.device_id, f.ts, least(${to}::timestamptz, (select min(t.ts) from telemetry_5m t where t.device_id = f.device_id and t.ts > f.ts),
      (select min(e.ts) from device_event e where e.device_id = f.device_id and e.kind = 'online' and e.ts > f.ts),
      (select min(n.ts) from device_record n where n.device_id = f.device_id and n.record = 'powerEvent' and n.ts > f.ts and n.data ->> 'operation' = '1')) as ended
    from device_record f where f.record = 'powerEvent' and f.data ->> 'operation' = '0' and f.device_id in (${devices})
      and f.ts > ${from}::timestamptz - ${longestOff} and f.ts < ${to}::timestamptz) x
  where ended > ${from}::timestamptz group by device_id, ended`

/** Periods in which devices were offline, from their offline events: `device_id`, `begun`, `ended`, cut to the given period. */
export const offlinePeriods = (devices: RawBuilder<unknown>, from: Date, to: Date): RawBuilder<unknown> => sql`
  select e.device_id, greatest(coalesce(to_timestamp((e.data ->> 'since')::float8 / 1000), e.ts), ${from}::timestamptz) as begun,
    least(coalesce((select min(o.ts) from device_event o where o.device_id = e.device_id and o.kind = 'online' and o.ts > e.ts), ${to}::timestamptz), ${to}::timestamptz) as ended
  from device_event e where e.kind = 'offline' and e.ts < ${to}::timestamptz and e.ts > ${from}::timestamptz - ${longestOff} and e.device_id in (${devices})`

/** Switched-off seconds of all machines together, by day in Asia/Shanghai. */
export async function offSecondsByDay(db: Tx, devices: RawBuilder<unknown>, from: Date, to: Date): Promise<Map<string, number>> {
  const zone = sql`at time zone 'Asia/Shanghai'`
  const { rows } = await sql<{ day: string; seconds: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, sum(extract(epoch from least(o.ended ${zone}, day + interval '1 day') - greatest(o.begun ${zone}, day)))::float8 as seconds
    from (${poweredOff(devices, from, to)}) o
      cross join lateral generate_series(date_trunc('day', o.begun ${zone}), o.ended ${zone}, interval '1 day') day
    where o.ended ${zone} > day group by 1`.execute(db)
  return new Map(rows.map((row) => [row.day, row.seconds]))
}
