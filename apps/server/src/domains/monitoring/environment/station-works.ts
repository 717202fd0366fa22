import { dayMs } from '@zhugong/contract/kit/time'
import type { WorkKind } from '@zhugong/contract/monitoring/environment/environment-lists'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { Period } from '../shared/period.ts'

/** Longest plausible pour: limits a wrongly reported start. */
const longestPour = '24 hours'

/** Hourly counts of what machines and gates of a site recorded: a pour counts in every hour of its duration, other records in the hour they ended. */
export async function worksOf(db: Tx, projectCode: string, period: Period, now: number) {
  const [from, to] = [new Date(period.from), new Date(Math.min(period.to, now))]
  const { rows } = await sql<{ weekday: number; hour: number; kind: WorkKind; count: number }>`
    with told as (
      select r.ts, case r.record when 'pourRecord' then 'pour' when 'pileRecord' then 'pile' when 'workingCycle' then 'lift'
          else case r.data ->> 'vehicleType' when '1' then 'earth' when '2' then 'concrete' else 'vehicle' end end as kind,
        case when r.record = 'pourRecord' and r.data ->> 'startTime' ~ '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}'
          then least(r.ts, greatest((r.data ->> 'startTime')::timestamptz, r.ts - ${sql.lit(longestPour)}::interval)) else r.ts end as begun
      from device_record r join device d on d.id = r.device_id
      where r.project_code = ${projectCode} and r.ts >= ${from} and r.ts < ${to}
        and (r.record in ('accessRecord', 'pourRecord', 'pileRecord') or (r.record = 'workingCycle' and d.family = 'towerCrane')))
    select extract(dow from h at time zone 'Asia/Shanghai')::int as weekday, extract(hour from h at time zone 'Asia/Shanghai')::int as hour, kind, count(*)::int as count
    from told, generate_series(date_trunc('hour', begun), ts, interval '1 hour') h group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return { days: Math.max(1, Math.round((to.getTime() - from.getTime()) / dayMs)), hours: rows }
}
