import { dayMs } from '@zhugong/contract/kit/time'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type * as contract from '@zhugong/contract/upkeep/inspections'
import { type InspectionRow, inspectionRow } from '@zhugong/contract/upkeep/inspections'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import {
  allOf,
  anyOf,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { deviceInspect, type Inspection } from './inspect-kind.ts'

export type RawInspection = Inspection & { projectName: string; stopped: boolean }
type Query = Partial<NonNullable<(typeof contract.listMachineChecks)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock' | 'user'>

const running = sql`c.state = any (${[...runningStates]}::text[])`
/** The machine stands still because of the check. */
const stopped = sql`(d.suspended_at is not null and d.released_at is null)`
const today = (ctx: Pick<Context, 'clock'>) => {
  const from = startOfDay(formatDay(ctx.clock.now()))
  return sql`(c.check_time >= ${new Date(from)} and c.check_time < ${new Date(from + dayMs)})`
}
const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)
const has = (array: string, value: string) =>
  condition(sql`exists (select from unnest(${sql.ref(array)}) as one where ${allOf(...contains('one', value))})`)

/** Conditions of the list and of its export. */
export function inspectConditions(ctx: Viewer, query: Query): Condition {
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = { open: running, own: sql`c.checker_id = ${ctx.user.id}` }
  return allOf(
    ...equals('c.kind', deviceInspect),
    ...inProjects('c.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      machineId: (value) => allOf(...equals('d.stayId', value)),
      machineName: [contains, 'd.machineName'],
      deviceType: [anyOf, 'd.deviceType'],
      type: [anyOf, 'd.type'],
      checkDate: [instantsBetween, 'c.checkTime'],
      checkOrg: [contains, 'd.checkOrg'],
      checkers: (value) => has('c.checkers', value),
      result: [anyOf, 'd.result'],
      failItems: (value) => has('d.failItems', value),
      nextDate: [daysBetween, 'd.nextDate'],
      state: [anyOf, 'c.state'],
      today: either(today(ctx)),
      stopped: either(stopped),
    }),
  )
}

const order = (sort: Query['sort']) =>
  orderBy(sort, { checkDate: 'c.checkTime!', nextDate: 'd.nextDate', deadline: 'c.deadline' }, '-checkDate', 'c.id')

const from = sql`site_check c join device_inspect d on d.check_id = c.id`

export async function readInspections(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<RawInspection[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawInspection>`select d.*, c.*, p.name as project_name, ${stopped} as stopped from ${from}
    join project p on p.project_code = c.project_code where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows
}

export async function countInspections(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function inspectCounts(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`
  const { rows } = await sql<{ today: number; open: number; stopped: number }>`select ${n(today(ctx))} as today, ${n(running)} as open,
    ${n(stopped)} as stopped from ${from} where ${inspectConditions(ctx, { projectCode })}`.execute(ctx.db)
  return rows[0] ?? { today: 0, open: 0, stopped: 0 }
}

export function toInspection(ctx: Pick<Context, 'clock'>, r: RawInspection): InspectionRow {
  const late = r.deadline === null ? 0 : Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(r.deadline)) / dayMs)
  return rowOf(inspectionRow, r, {
    code: r.code ?? '',
    machineId: r.stayId,
    deviceTypeName: dictName('specialDeviceType', r.deviceType) ?? r.deviceType,
    typeName: dictName('deviceInspectType', r.type) ?? r.type,
    checkDate: formatInstant(r.checkTime),
    resultName: dictName('deviceInspectResult', r.result) ?? r.result,
    overdueDays: runningStates.some((state) => state === r.state) ? Math.max(0, late) : 0,
    stateName: dictName('rectifyState', r.state) ?? r.state,
  })
}

/** One check as a row of the list. */
export async function inspectionFor(
  ctx: Viewer & Pick<Context, 'db'>,
  id: string,
  projectCode?: string,
): Promise<RawInspection | undefined> {
  const [row] = await readInspections(
    ctx,
    allOf(...equals('c.kind', deviceInspect), ...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx, projectCode))),
    {},
  )
  return row
}

/** The check of the same kind of the same machine before this one. */
export async function previousOf(ctx: Pick<Context, 'db'>, row: Pick<Inspection, 'id' | 'stayId' | 'type' | 'checkTime'>) {
  const { rows } =
    await sql<Inspection>`select d.*, c.* from ${from} where d.stay_id = ${row.stayId} and d.type = ${row.type} and c.id <> ${row.id}
    and c.check_time < ${row.checkTime} and c.state <> '0' order by c.check_time desc limit 1`.execute(ctx.db)
  return rows[0]
}
