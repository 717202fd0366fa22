import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/vehicle/vehicle-fences'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'

const columns = sql`f.id, f.project_code, f.name, f.kind, f.points, f.from_minute, f.until_minute, f.remark, f.create_by, f.update_by, f.version`

/** Routes, dump sites and forbidden areas of a site's trucks. The rules reload them every minute (`clearance/sites.ts`). */
export function vehicleFenceRoutes(serve: Serve): void {
  serve(calls.listVehicleFences, listVehicleFences)
  serve(calls.createVehicleFence, createVehicleFence)
  serve(calls.updateVehicleFence, updateVehicleFence)
  serve(calls.removeVehicleFence, removeVehicleFence)
}

const listVehicleFences: HandlerOf<typeof calls.listVehicleFences> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<calls.VehicleFence & { total: number }>`
    select ${columns}, count(*) over ()::int as total from vehicle_fence f
    where ${allOf(...inProjects('f.project_code', projectsFor(ctx, query.projectCode)))}
    order by f.project_code, f.kind, f.name limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

type Body = Pick<calls.VehicleFence, 'kind' | 'fromMinute' | 'untilMinute'>
/** Only a forbidden area has hours. */
const hoursOf = ({ kind, fromMinute, untilMinute }: Body) =>
  kind === 'forbidden' ? { from: fromMinute, until: untilMinute } : { from: null, until: null }

const createVehicleFence: HandlerOf<typeof calls.createVehicleFence> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  await requireFreeName(ctx, projectCode, body.name)
  const id = ctx.newId()
  const { from, until } = hoursOf(body)
  await sql`insert into vehicle_fence (id, project_code, name, kind, points, from_minute, until_minute, remark, create_time, create_by)
    values (${id}, ${projectCode}, ${body.name}, ${body.kind}, ${JSON.stringify(body.points)}, ${from}, ${until}, ${body.remark},
      ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(ctx.db)
  ctx.note(`新增${calls.vehicleFenceKinds[body.kind]} ${body.name}`, id)
  return getFence(ctx, id, projectCode)
}

const updateVehicleFence: HandlerOf<typeof calls.updateVehicleFence> = async ({ params, query, body }, ctx) => {
  const fence = await getFence(ctx, params.id, query.projectCode)
  await requireFreeName(ctx, fence.projectCode, body.name, fence.id)
  const { from, until } = hoursOf(body)
  await changeRow(ctx, 'vehicleFence', {
    key: { id: fence.id },
    version: body.version,
    noun: '围栏',
    by: ctx.user.name,
    values: {
      ...pick(body, 'name', 'kind', 'remark'),
      points: JSON.stringify(body.points),
      fromMinute: from,
      untilMinute: until,
    },
  })
  ctx.note(`修改${calls.vehicleFenceKinds[body.kind]} ${body.name}`, fence.id)
  return getFence(ctx, fence.id, fence.projectCode)
}

const removeVehicleFence: HandlerOf<typeof calls.removeVehicleFence> = async ({ params, query }, ctx) => {
  const fence = await getFence(ctx, params.id, query.projectCode)
  await sql`delete from vehicle_fence where id = ${fence.id}`.execute(ctx.db)
  ctx.note(`删除${calls.vehicleFenceKinds[fence.kind]} ${fence.name}`, fence.id)
}

async function getFence(ctx: Context, id: string, projectCode: string): Promise<calls.VehicleFence> {
  const { rows } = await sql<calls.VehicleFence>`select ${columns} from vehicle_fence f
    where ${allOf(...equals('f.id', id), ...inProjects('f.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return found(rows[0], '车辆围栏')
}

async function requireFreeName(ctx: Context, projectCode: string, name: string, except = ''): Promise<void> {
  const { rows } =
    await sql`select 1 from vehicle_fence where project_code = ${projectCode} and name = ${name} and id <> ${except}`.execute(ctx.db)
  if (rows.length > 0) throw new AppError('refused', '这个项目已有同名围栏', { field: 'name' })
}

export interface Tip {
  name: string
  points: [number, number][]
}

/** Dump sites of a project. */
export async function dumpSitesOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Tip[]> {
  const { rows } =
    await sql<Tip>`select name, points from vehicle_fence where project_code = ${projectCode} and kind = 'dumpSites'`.execute(ctx.db)
  return rows
}
