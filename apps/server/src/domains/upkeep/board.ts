import { dictName } from '@zhugong/contract/settings/dictionaries'
import { boardTypes, intervalOf, maintainDays, plannedMaintenance } from '@zhugong/contract/upkeep/due'
import { type BoardRow, boardRow, type machineBoard } from '@zhugong/contract/upkeep/inspections'
import { beforeShift } from '@zhugong/contract/upkeep/items'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'

type Raw = Omit<BoardRow, 'deviceTypeName' | 'stateName'>
type Viewer = Pick<Context, 'db' | 'clock' | 'scope' | 'scopeChecks'>

/** 第三方检测 on the board: its day is that of the machine's certificate. */
const test = '7'
const inUse = '6'

/**
 * Machines in use or suspended with the last check of every kind and the next, as rows of one list `s`. A check is late when its day has
 * passed; the one before the shift is late when the machine has worked today without it.
 */
function everyMachine(ctx: Pick<Context, 'clock'>, within: Condition): RawBuilder<unknown> {
  const day = formatDay(ctx.clock.now())
  const today = sql`${day}::date`
  const kinds = sql.join(boardTypes.map((type, i) => sql`(${i}::int, ${type}::text, ${intervalOf(type)}::int)`))
  return sql`(select s.id, s.project_code, p.name as project_name, m.name, m.model, m.device_type, s.position, u.corp_name as use_corp, s.maintain_corp,
      s.state, m.scrapped_at is not null as scrapped, w.working, b.cells, b.late, b.checked_today, k.day as maintained, n.due as maintain_due,
      (s.state = ${inUse} and n.due < ${today}) as maintain_late, (case when s.state = ${inUse} then greatest(${today} - n.due, 0) else 0 end) as maintain_late_days
    from machine_stay s join special_machine m on m.id = s.machine_id join project p on p.project_code = s.project_code
    join corporation u on u.corp_code = s.corp_code
    cross join lateral (select exists (select from device_record r where r.device_id = s.device_id and r.record = 'workingCycle'
      and r.ts >= ${new Date(startOfDay(day))}) as working) w
    cross join lateral (select coalesce(s.use_reg_date, (s.create_time at time zone 'Asia/Shanghai')::date) as day) since
    cross join lateral (
      select jsonb_agg(jsonb_build_object('type', t.type, 'last', l.day, 'lastId', l.check_id, 'result', l.result, 'due', x.due, 'late', y.late)
          order by t.n) as cells, bool_or(y.late) as late, coalesce(bool_or(l.day = ${today}) filter (where t.type in ('1', '2')), false) as checked_today
      from (values ${kinds}) t(n, type, days)
      left join lateral (select d.day, d.check_id, d.result, d.next_date from device_inspect d where d.stay_id = s.id and d.type = t.type
        order by d.day desc, d.check_id limit 1) l on true
      cross join lateral (select case when t.type = ${test} then s.next_inspect_date when t.days is null then null
        else coalesce(l.next_date, coalesce(l.day, since.day) + t.days) end as due) x
      cross join lateral (select s.state = ${inUse} and case when t.type = ${beforeShift} then w.working and coalesce(l.day < ${today}, true)
        else coalesce(x.due < ${today}, false) end as late) y) b
    left join lateral (select k.maintain_date as day, k.next_date from device_maintain k where k.stay_id = s.id and k.type = any (${[...plannedMaintenance]}::text[])
      and not exists (select from device_maintain j where j.corrects = k.id) order by k.maintain_date desc, k.id limit 1) k on true
    cross join lateral (select coalesce(k.next_date, coalesce(k.day, since.day) + ${maintainDays}::int) as due) n
    where ${within} and s.state in (${inUse}, '7')) s`
}

const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)

export const readBoard: HandlerOf<typeof machineBoard> = async ({ query }, ctx) => {
  const within = allOf(...inProjects('s.projectCode', projectsFor(ctx, query.projectCode)))
  const where = allOf(
    ...(query.late === undefined ? [] : [either(sql`s.late`)(query.late)]),
    ...(query.maintainLate === undefined ? [] : [either(sql`s.maintain_late`)(query.maintainLate)]),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Raw>`select s.* from ${everyMachine(ctx, within)} where ${where}
    order by s.late desc, s.maintain_late desc, s.state desc, s.project_name, s.name, s.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{
    total: number
  }>`select count(*)::int as total from ${everyMachine(ctx, within)} where ${where}`.execute(ctx.db)
  return {
    list: rows.map((row) =>
      rowOf(boardRow, row, {
        deviceTypeName: dictName('specialDeviceType', row.deviceType) ?? row.deviceType,
        stateName: dictName('deviceLifecycle', row.state) ?? row.state,
      }),
    ),
    total: counted[0]?.total ?? 0,
    counts: await boardCounts(ctx, within),
  }
}

async function boardCounts(ctx: Viewer, within: Condition) {
  const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`
  type Counts = { used: number; late: number; checkedToday: number; maintainLate: number }
  const { rows } = await sql<Counts>`select ${n(sql`s.state = ${inUse}`)} as used, ${n(sql`s.late`)} as late,
    ${n(sql`s.state = ${inUse} and s.checked_today`)} as checked_today, ${n(sql`s.maintain_late`)} as maintain_late from ${everyMachine(ctx, within)}`.execute(
    ctx.db,
  )
  return rows[0] ?? { used: 0, late: 0, checkedToday: 0, maintainLate: 0 }
}
