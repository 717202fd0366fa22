import { dictName } from '@zhugong/contract/settings/dictionaries'
import { plannedMaintenance } from '@zhugong/contract/upkeep/due'
import type * as contract from '@zhugong/contract/upkeep/maintenance'
import { type MaintenanceRow, maintenanceRow } from '@zhugong/contract/upkeep/maintenance-row'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { linksOf } from '../files/public.ts'
import { deviceInspect } from './inspect-kind.ts'
import type { Maintenance } from './maintain-kind.ts'

export type RawMaintenance = Maintenance & {
  projectName: string
  deviceId: string | null
  overdueDays: number
  correctedBy: string | null
  turning: boolean
  reused: boolean
}
type Query = Partial<NonNullable<(typeof contract.listMaintenance)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock'>

const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)
const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
const planned = sql`${[...plannedMaintenance]}::text[]`
const correctedBy = sql`(select j.id from device_maintain j where j.corrects = k.id)`

/** The linked machine finished working cycles while it was worked on. */
const turning = sql`(k.start_at is not null and exists (select from device_record r join machine_stay s on s.device_id = r.device_id
  where s.id = k.stay_id and r.record = 'workingCycle' and r.ts > k.start_at and r.ts < coalesce(k.end_at, k.start_at)))`
/** A photograph stood in another record before. */
const reused = sql`exists (select from photo_use u where u.object_id = k.id and u.reused_kind is not null)`
const doubtful = sql`(${turning} or ${reused})`
const withParts = sql`(k.parts <> '[]'::jsonb)`
const thisMonth = (ctx: Pick<Context, 'clock'>) =>
  sql`(k.maintain_date >= date_trunc('month', ${today(ctx)})::date and k.maintain_date < (date_trunc('month', ${today(ctx)}) + interval '1 month')::date)`
/** Days past the next maintenance, of the newest planned job of a machine in use; 0 for the others. */
const overdueDays = (ctx: Pick<Context, 'clock'>) => sql`case when k.type = any (${planned}) and k.next_date < ${today(ctx)}
  and exists (select from machine_stay s where s.id = k.stay_id and s.state = '6')
  and not exists (select from device_maintain j where j.stay_id = k.stay_id and j.type = any (${planned}) and (j.maintain_date, j.id) > (k.maintain_date, k.id))
  then ${today(ctx)} - k.next_date else 0 end`

/** Conditions of the list and of its export. */
export function maintainConditions(ctx: Viewer, query: Query): Condition {
  return allOf(
    ...inProjects('k.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      machineId: (value) => allOf(...equals('k.stayId', value)),
      machineName: [contains, 'k.machineName'],
      type: [anyOf, 'k.type'],
      maintainDate: [daysBetween, 'k.maintainDate'],
      maintainCorp: [contains, 'k.maintainCorp'],
      maintainers: (value) =>
        condition(
          sql`exists (select from jsonb_to_recordset(k.maintainers) as one(name text) where ${allOf(...contains('one.name', value))})`,
        ),
      parts: either(withParts),
      result: [anyOf, 'k.result'],
      nextDate: [daysBetween, 'k.nextDate'],
      overdueDays: ({ low, high }) =>
        allOf(
          ...(low === undefined ? [] : [condition(sql`${overdueDays(ctx)} >= ${low}::numeric`)]),
          ...(high === undefined ? [] : [condition(sql`${overdueDays(ctx)} <= ${high}::numeric`)]),
        ),
      month: either(thisMonth(ctx)),
      doubtful: either(doubtful),
    }),
  )
}

const order = (ctx: Viewer, sort: Query['sort']) =>
  orderBy(sort, { maintainDate: 'k.maintainDate!', nextDate: 'k.nextDate', overdueDays: overdueDays(ctx) }, '-maintainDate', 'k.id')

export async function readMaintenance(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<RawMaintenance[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } =
    await sql<RawMaintenance>`select k.*, p.name as project_name, (select s.device_id from machine_stay s where s.id = k.stay_id) as device_id,
      ${overdueDays(ctx)} as overdue_days, ${correctedBy} as corrected_by, ${turning} as turning, ${reused} as reused
    from device_maintain k join project p on p.project_code = k.project_code where ${where} order by ${order(ctx, sort)} ${page}`.execute(
      ctx.db,
    )
  return rows
}

export async function countMaintenance(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from device_maintain k where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function maintainCounts(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`
  const { rows } = await sql<{ month: number; parts: number; doubtful: number }>`select ${n(thisMonth(ctx))} as month,
      ${n(sql`${thisMonth(ctx)} and ${withParts}`)} as parts, ${n(doubtful)} as doubtful
    from device_maintain k where ${maintainConditions(ctx, { projectCode })}`.execute(ctx.db)
  return rows[0] ?? { month: 0, parts: 0, doubtful: 0 }
}

const clock = (at: Date | null) => at && formatInstant(at).slice(11, 16)

export function toMaintenance(ctx: Pick<Context, 'secrets' | 'clock'>, r: RawMaintenance): MaintenanceRow {
  return rowOf(maintenanceRow, r, {
    machineId: r.stayId,
    deviceTypeName: dictName('specialDeviceType', r.deviceType) ?? r.deviceType,
    typeName: dictName('deviceMaintainType', r.type) ?? r.type,
    startTime: clock(r.startAt),
    endTime: clock(r.endAt),
    maintainers: r.maintainers.map(({ name, certNo, certEnd, verified }) => ({ name, certNo, certEnd, verified })),
    parts: r.parts.map(({ certificates, ...one }) => ({ ...one, certificates: linksOf(ctx, certificates) })),
    resultName: dictName('deviceInspectResult', r.result) ?? r.result,
    doubts: [...(r.turning ? ['维保时段设备有作业循环'] : []), ...(r.reused ? ['照片曾在其他记录使用'] : [])],
    noticeId: r.rectifyId,
  })
}

export async function maintenanceFor(
  ctx: Viewer & Pick<Context, 'db'>,
  id: string,
  projectCode?: string,
): Promise<RawMaintenance | undefined> {
  const where = allOf(...equals('k.id', id), ...inProjects('k.projectCode', projectsFor(ctx, projectCode)))
  const [row] = await readMaintenance(ctx, where, {})
  return row
}

/** Repairs written from the replies to the notices of a check, the newest first. */
export async function repairsOf(ctx: Viewer & Pick<Context, 'db' | 'secrets'>, checkId: string): Promise<MaintenanceRow[]> {
  const where = condition(
    sql`k.rectify_id in (select r.id from rectify r where r.source_kind = ${deviceInspect} and r.source_id = ${checkId})`,
  )
  return (await readMaintenance(ctx, where, {})).map((row) => toMaintenance(ctx, row))
}
