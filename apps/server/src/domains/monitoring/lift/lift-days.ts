import type { findLiftDays } from '@zhugong/contract/monitoring/lift/lift-lists'
import { type liftDay, liftDaySorts } from '@zhugong/contract/monitoring/lift/lift-live'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '#kit/db'
import { orderBy } from '#kit/list'
import { machineDays } from '../cycles/machine-days.ts'
import { shanghaiDay } from '../shared/family.ts'
import { type FilterOf, type QueryOf, sameNames } from '../shared/list-query.ts'
import { numericField, within } from '../shared/record-fields.ts'
import { openDoorRuns, overPersons } from './lift-runs.ts'

/** SQL of the date on which the safety device expires; null unless it is a valid date. */
export const expiryOf = sql`(case when d.params ->> 'safetyDeviceExpiry' ~ '^\\d{4}-\\d{2}-\\d{2}' then left(d.params ->> 'safetyDeviceExpiry', 10) end)`

/** One row per lift and day. */
export const liftDays = (
  db: Tx,
  f: FilterOf<typeof findLiftDays>,
  slice: { limit: number; offset: number },
  now: number,
  sort: QueryOf<typeof findLiftDays>['sort'],
) =>
  machineDays<z.infer<typeof liftDay>>(db, f, slice, {
    family: 'lifter',
    machine: sql`coalesce(d.params ->> 'cage', '0') as cage, ${expiryOf} as expiry`,
    cycles: {
      from: sql`record_now r join device d on d.id = r.device_id`,
      figures: sql`coalesce(sum(${numericField('maxPersonCount')}), 0)::int as persons, count(*) filter (where ${overPersons})::int as overs,
          max(${numericField('maxLoadPercent')}) as load`,
    },
    join: sql`left join (select x.device_id, ${shanghaiDay('x.ts')} as day, count(*)::int as n from (${openDoorRuns(f)}) x group by 1, 2) o
      on o.device_id = m.id and o.day = day.day`,
    columns: sql`m.cage, coalesce(c.n, 0) as runs, coalesce(c.persons, 0) as persons, coalesce(c.overs, 0) as over_person_runs, c.load as max_load_percent,
        coalesce(o.n, 0) as door_open_runs, m.expiry as safety_device_expiry,
        m.expiry::date - (${new Date(now)}::timestamptz at time zone 'Asia/Shanghai')::date as expiry_days`,
    where: [
      ...within(sql`x.over_person_runs`, f.overPersonRuns),
      ...within(sql`x.door_open_runs`, f.doorOpenRuns),
      ...within(sql`x.expiry_days`, f.expiryDays),
    ],
    order: sql`${orderBy(sort, sameNames(liftDaySorts), '-doorOpenRuns', 'deviceId')}, over_person_runs desc`,
  })
