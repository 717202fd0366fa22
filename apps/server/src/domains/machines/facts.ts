import { minuteMs } from '@zhugong/contract/kit/time'
import { type MachineFacts, registerDays, type Verdict, verdictOf } from '@zhugong/contract/machines/verdict'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Condition } from '#kit/list'
import { pick } from '#kit/pick'

/** A device that has sent nothing for this long is silent. */
const silentMs = 24 * 60 * minuteMs
/** A machine that has finished a working cycle within this time works. */
const workingMs = 30 * minuteMs

type Clocked = Pick<Context, 'clock'>

/** The facts of a stay as its row carries them, computed by the platform from dates, certificates, licences and telemetry. */
export interface FactColumns {
  overAge: boolean
  untested: boolean
  testOverdue: boolean
  unregisteredLate: boolean
  operators: number
  badOperators: number
  licensed: boolean | null
  iotState: 'online' | 'silent' | 'none'
  working: boolean
}

/**
 * Stays with their machine and the facts of the verdict, as rows of one list `s`. Every fact is defined here only: the verdict, the figures,
 * the filters and the order read these columns.
 */
export function everyStay(ctx: Clocked, within: Condition): RawBuilder<unknown> {
  const now = ctx.clock.now()
  const today = sql`${formatDay(now)}::date`
  const stands = sql`s.state <> '9'`
  return sql`(select s.*, m.record_no, m.device_type, m.name, m.model, m.manufacture_no, m.manufacturer, m.manufacture_date, m.owner_corp,
      m.rated_moment, m.hoist_class, m.age_limit, m.retire_date, m.appraised_until, m.appraisal_files, m.scrapped_at,
      extract(year from age(${today}, m.manufacture_date))::int as age_years,
      (${stands} and m.retire_date is not null and greatest(m.retire_date, coalesce(m.appraised_until, m.retire_date)) < ${today}) as over_age,
      (s.state in ('5', '6', '7') and s.inspect_date is null) as untested,
      (${stands} and coalesce(s.next_inspect_date < ${today}, false)) as test_overdue,
      (s.state = '5' and coalesce(s.accept_date + ${registerDays}::int < ${today}, false)) as unregistered_late,
      c.operators, c.bad_operators,
      case when s.install_corp is null then null else zg_lift_licence(s.install_corp, coalesce(s.install_date, ${today})) end as licensed,
      case when s.device_id is null then 'none' when coalesce(l.ts < ${new Date(now - silentMs)}::timestamptz, true) then 'silent' else 'online' end as iot_state,
      (s.state = '7' and exists (select from device_record r where r.device_id = s.device_id and r.record = 'workingCycle'
        and r.ts > ${new Date(now - workingMs)}::timestamptz)) as working
    from machine_stay s join special_machine m on m.id = s.machine_id
    left join device_latest l on l.device_id = s.device_id
    cross join lateral (select count(*)::int as operators, (count(*) filter (where k.ends is null or k.ends < ${today}))::int as bad_operators
      from zg_machine_crew(s.id, 'operator') k) c
    where ${within}) s`
}

const factsOf = (row: FactColumns & { state: string; scrappedAt: Date | null }): MachineFacts => ({
  ...pick(row, 'state', 'overAge', 'untested', 'testOverdue', 'unregisteredLate', 'operators', 'badOperators', 'licensed', 'working'),
  iot: row.iotState,
  scrapped: row.scrappedAt !== null,
})

export const verdictFor = (row: FactColumns & { state: string; scrappedAt: Date | null }): Verdict => verdictOf(factsOf(row))

/** How much of a stay is against the law, or contradicted by telemetry; 0 for nothing. The same facts as in the verdict. */
export const illegality = sql`((s.over_age)::int * 4 + (s.test_overdue)::int * 4 + (s.untested)::int * 4 + (s.unregistered_late)::int * 3
  + (s.state = '6' and s.operators = 0)::int * 2 + (s.bad_operators > 0)::int * 2 + (s.licensed is false)::int * 2 + (s.working)::int * 4
  + (s.state = '6' and s.iot_state = 'silent')::int + (s.state < '6' and s.iot_state = 'online' or s.state = '8' and s.iot_state = 'online')::int * 4)`
