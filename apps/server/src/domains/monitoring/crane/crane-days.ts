import { type craneDay, craneDaySorts } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import type { findCraneDays } from '@zhugong/contract/monitoring/crane/crane-lists'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '#kit/db'
import { orderBy } from '#kit/list'
import { machineDays } from '../cycles/machine-days.ts'
import { seconds } from '../cycles/records.ts'
import { type FilterOf, type QueryOf, sameNames } from '../shared/list-query.ts'
import { within } from '../shared/record-fields.ts'

/** One row per crane and day. */
export const craneDays = (
  db: Tx,
  f: FilterOf<typeof findCraneDays>,
  slice: { limit: number; offset: number },
  sort: QueryOf<typeof findCraneDays>['sort'],
) =>
  machineDays<z.infer<typeof craneDay>>(db, f, slice, {
    family: 'towerCrane',
    machine: sql`d.special_record_no`,
    readings: sql`max((v -> 'momentPercent' ->> 1)::float8) as moment, max((v -> 'windSpeed' ->> 1)::float8) as wind`,
    cycles: {
      from: sql`device_record r`,
      figures: sql`sum(${seconds}) as seconds, count(*) filter (where r.received_at > r.ts + interval '10 minutes')::int as late`,
    },
    alarms: sql`count(*) filter (where max_level <= 2)::int as grave`,
    columns: sql`m.special_record_no as record_no, coalesce(c.n, 0) as cycles, round((coalesce(c.seconds, 0) / 3600)::numeric, 1)::float8 as work_hours,
        t.moment as max_moment_percent, t.wind as max_wind_speed, coalesce(a.grave, 0) as grave_count, coalesce(c.late, 0) as late_count`,
    where: [...within(sql`x.cycles`, f.cycles), ...within(sql`x.max_moment_percent`, f.maxMomentPercent)],
    order: orderBy(sort, sameNames(craneDaySorts), 'reportPercent', 'deviceId'),
  })
