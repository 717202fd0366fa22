import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { vehicleTypeNames } from '@zhugong/contract/monitoring/gateway/passage-codes'
import * as calls from '@zhugong/contract/monitoring/gateway/vehicle-registry'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf, type ListContext, pagesOf } from '../../exports/registry.ts'

const passageDays = 30

interface Row extends Omit<calls.RegistryRow, 'lastTime' | 'createTime' | 'mayChange'> {
  lastTime: Date | null
  createTime: Date
}
type Query = ParsedFor<typeof calls.listRegistry>['query']

/** Registered and barred vehicles of a site. Gates and rules reload both every few minutes (`rules/plates.ts`). */
export function vehicleRegistryRoutes(serve: Serve): void {
  serve(calls.listRegistry, listRegistry)
  serve(calls.addRegistered, addRegistered)
  serve(calls.changeRegistered, changeRegistered)
  serve(calls.removeRegistered, removeRegistered)
}

const columnsAt = (
  now: number,
) => sql`g.id, g.project_code, p.name as project_name, g.kind, g.plate_no, g.vehicle_type, g.corp_name, g.permit_no,
  to_char(g.until_day, 'YYYY-MM-DD') as until_day, g.reason, coalesce(g.until_day < ${formatDay(now)}::date, false) as ended, g.create_time, g.create_by, g.update_by, g.version,
  coalesce(s.n, 0)::int as passages, s.last as last_time`
const tablesAt = (now: number) => sql`vehicle_registry g join project p on p.project_code = g.project_code left join lateral (
  select count(*) as n, max(r.ts) as last from record_now r where r.project_code = g.project_code and r.record = 'accessRecord'
    and r.ts > ${new Date(now - passageDays * dayMs)} and r.data ->> 'plateNo' = g.plate_no) s on true`

const toRow = ({ lastTime, createTime, ...row }: Row, mayChange: boolean): calls.RegistryRow => ({
  ...row,
  lastTime: lastTime?.getTime() ?? null,
  createTime: createTime.getTime(),
  mayChange,
})

const conditionsOf = (ctx: ListContext, query: Query): Condition =>
  allOf(
    ...inProjects('g.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('g.kind', query.kind),
    ...contains('g.plate_no', query.plateNo),
    ...contains('g.corp_name', query.corpName),
    ...contains('g.permit_no', query.permitNo),
    ...anyOf('g.vehicle_type', query.vehicleType),
    ...daysBetween('g.until_day', query.untilDay),
    ...(query.ended === undefined
      ? []
      : [condition(sql`coalesce(g.until_day < ${formatDay(ctx.clock.now())}::date, false) = ${query.ended}`)]),
  )

async function registryPage(ctx: ListContext, query: Query) {
  const now = ctx.clock.now()
  const { limit, offset } = pageSlice(query)
  const order = orderBy(
    query.sort,
    { plateNo: 'g.plate_no', untilDay: 'g.until_day', lastTime: sql`s.last`, createTime: 'g.create_time!' },
    '-createTime',
    'g.id',
  )
  const { rows } = await sql<Row & { total: number }>`
    select ${columnsAt(now)}, count(*) over ()::int as total from ${tablesAt(now)} where ${conditionsOf(ctx, query)} order by ${order} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

const listRegistry: HandlerOf<typeof calls.listRegistry> = async ({ query }, ctx) => {
  const { rows, total } = await registryPage(ctx, query)
  const { rows: counts } = await sql<{ known: number; black: number; ended: number }>`
    select count(*) filter (where kind = 'known')::int as known, count(*) filter (where kind = 'black' and coalesce(until_day >= ${formatDay(ctx.clock.now())}::date, true))::int as black,
      count(*) filter (where kind = 'known' and until_day < ${formatDay(ctx.clock.now())}::date)::int as ended
    from vehicle_registry g where ${allOf(...inProjects('g.project_code', projectsFor(ctx, query.projectCode)))}`.execute(ctx.db)
  return {
    list: rows.map((row) => toRow(row, mayChange(ctx, row.projectCode))),
    total,
    counts: counts[0] ?? { known: 0, black: 0, ended: 0 },
  }
}

const mayChange = (ctx: Context, projectCode: string): boolean =>
  ctx.codes.has('vehicle-access.registry') && mayAct(ctx, calls.changeRegistered.acts, { projectCode })

async function getRegistered(ctx: Context, id: string, projectCode: string): Promise<Row> {
  const now = ctx.clock.now()
  const { rows } = await sql<Row>`select ${columnsAt(now)} from ${tablesAt(now)}
    where ${allOf(...equals('g.id', id), ...inProjects('g.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return found(rows[0], '登记车辆')
}

async function requireFreePlate(ctx: Context, projectCode: string, kind: calls.RegistryKind, plateNo: string, except = ''): Promise<void> {
  const { rows } = await sql`select 1 from vehicle_registry
    where project_code = ${projectCode} and kind = ${kind} and plate_no = ${plateNo} and id <> ${except}`.execute(ctx.db)
  if (rows.length > 0) throw new AppError('refused', `${plateNo} 已在${calls.registryKinds[kind]}中`, { field: 'plateNo' })
}

const addRegistered: HandlerOf<typeof calls.addRegistered> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireFreePlate(ctx, projectCode, body.kind, body.plateNo)
  const id = ctx.newId()
  await sql`insert into vehicle_registry (id, project_code, kind, plate_no, vehicle_type, corp_name, permit_no, until_day, reason, create_time, create_by)
    values (${id}, ${projectCode}, ${body.kind}, ${body.plateNo}, ${body.vehicleType}, ${body.corpName}, ${body.permitNo}, ${body.untilDay}, ${body.reason},
      ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(ctx.db)
  ctx.note(body.kind === 'black' ? `${body.plateNo} 列入车辆黑名单：${body.reason}` : `登记车辆 ${body.plateNo}`, id)
  return toRow(await getRegistered(ctx, id, projectCode), true)
}

const changeRegistered: HandlerOf<typeof calls.changeRegistered> = async ({ params, query, body }, ctx) => {
  const row = await getRegistered(ctx, params.id, query.projectCode)
  // A ban cannot be changed into a registration, nor the reverse.
  if (row.kind !== body.kind) throw new AppError('refused', '登记车辆与黑名单不能互相改，请移出后重新登记', { field: 'kind' })
  await requireFreePlate(ctx, row.projectCode, body.kind, body.plateNo, row.id)
  await changeRow(ctx, 'vehicleRegistry', {
    key: { id: row.id },
    version: body.version,
    noun: '登记',
    by: ctx.user.name,
    values: {
      ...pick(body, 'plateNo', 'vehicleType', 'corpName', 'permitNo', 'untilDay', 'reason'),
    },
  })
  ctx.note(`修改${calls.registryKinds[row.kind]} ${row.plateNo}${row.plateNo === body.plateNo ? '' : ` 为 ${body.plateNo}`}`, row.id)
  return toRow(await getRegistered(ctx, row.id, row.projectCode), true)
}

const removeRegistered: HandlerOf<typeof calls.removeRegistered> = async ({ params, query }, ctx) => {
  const row = await getRegistered(ctx, params.id, query.projectCode)
  await sql`delete from vehicle_registry where id = ${row.id}`.execute(ctx.db)
  ctx.note(`${row.plateNo} 移出${calls.registryKinds[row.kind]}：${query.reason}`, row.id)
}

export function registerRegistryExport(): void {
  exportOf(
    calls.registryList,
    {
      title: '登记与黑名单车辆',
      widths: { projectName: 28, corpName: 28, reason: 36, lastTime: 20, createTime: 20 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await registryPage(ctx, q)).rows.map((row) => toRow(row, false))),
      count: async (ctx, query) => (await registryPage(ctx, { ...query, page: 1, size: 1 })).total,
    },
    {
      vehicleType: (r) => (r.vehicleType === null ? null : (vehicleTypeNames[r.vehicleType] ?? r.vehicleType)),
      ended: (r) => (r.ended ? '已到期' : '有效'),
      lastTime: (r) => (r.lastTime === null ? null : formatInstant(r.lastTime)),
      createTime: (r) => formatInstant(r.createTime),
    },
  )
}
