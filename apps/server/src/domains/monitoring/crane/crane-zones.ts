import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import * as calls from '@zhugong/contract/monitoring/crane/crane-zones'
import { markCraneCycle } from '@zhugong/contract/monitoring/record-fixes'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { blameCycle } from '../shared/blame.ts'

interface Row {
  id: string
  projectCode: string
  name: string
  kind: calls.CraneZone['kind']
  marginMeters: number
  points: [number, number][]
  fromTime: Date | null
  untilTime: Date | null
  createBy: string | null
  updateBy: string | null
  version: number
}
const columns = sql`z.id, z.project_code, z.name, z.kind, z.margin_meters, z.points, z.from_time, z.until_time, z.create_by, z.update_by, z.version`

const toZone = ({ fromTime, untilTime, ...row }: Row, now: number): calls.CraneZone => ({
  ...row,
  from: fromTime?.getTime() ?? null,
  until: untilTime?.getTime() ?? null,
  active: (fromTime?.getTime() ?? 0) <= now && now < (untilTime?.getTime() ?? Number.POSITIVE_INFINITY),
})

/** Zones of a site that users draw for cranes, and marks of violations. The clearance check reads the zones every minute (`clearance/sites.ts`). */
export function craneZoneRoutes(serve: Serve): void {
  serve(calls.listCraneZones, listCraneZones)
  serve(calls.createCraneZone, createCraneZone)
  serve(calls.updateCraneZone, updateCraneZone)
  serve(calls.removeCraneZone, removeCraneZone)
  serve(markCraneCycle, async (input, ctx) => {
    await blameCycle(ctx, input, { family: 'towerCrane', needs: 'tower-crane.view', thing: '吊装循环', one: '这一吊', called: '违章吊次' })
  })
}

const listCraneZones: HandlerOf<typeof calls.listCraneZones> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from crane_zone z
    where ${allOf(...inProjects('z.project_code', projectsFor(ctx, query.projectCode)))}
    order by z.project_code, z.name limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toZone(row, ctx.clock.now())), total: rows[0]?.total ?? 0 }
}

const createCraneZone: HandlerOf<typeof calls.createCraneZone> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  const span = spanOf(body)
  await requireFreeName(ctx, projectCode, body.name)
  const id = ctx.newId()
  await sql`insert into crane_zone (id, project_code, name, kind, margin_meters, points, from_time, until_time, create_time, create_by)
    values (${id}, ${projectCode}, ${body.name}, ${body.kind}, ${body.marginMeters}, ${JSON.stringify(body.points)}, ${span.from}, ${span.until},
      ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(ctx.db)
  ctx.note(`新增${calls.craneZoneKinds[body.kind]} ${body.name}`, id)
  return getZone(ctx, id, projectCode)
}

const updateCraneZone: HandlerOf<typeof calls.updateCraneZone> = async ({ params, query, body }, ctx) => {
  const zone = await getZone(ctx, params.id, query.projectCode)
  const span = spanOf(body)
  await requireFreeName(ctx, zone.projectCode, body.name, zone.id)
  await changeRow(ctx, 'craneZone', {
    key: { id: zone.id },
    version: body.version,
    noun: '区域',
    by: ctx.user.name,
    values: {
      ...pick(body, 'name', 'kind', 'marginMeters'),
      points: JSON.stringify(body.points),
      fromTime: span.from,
      untilTime: span.until,
    },
  })
  ctx.note(`修改${calls.craneZoneKinds[body.kind]} ${body.name}`, zone.id)
  return getZone(ctx, zone.id, zone.projectCode)
}

const removeCraneZone: HandlerOf<typeof calls.removeCraneZone> = async ({ params, query }, ctx) => {
  const zone = await getZone(ctx, params.id, query.projectCode)
  await sql`delete from crane_zone where id = ${zone.id}`.execute(ctx.db)
  ctx.note(`删除${calls.craneZoneKinds[zone.kind]} ${zone.name}`, zone.id)
}

async function getZone(ctx: Context, id: string, projectCode: string): Promise<calls.CraneZone> {
  const { rows } = await sql<Row>`select ${columns} from crane_zone z
    where ${allOf(...equals('z.id', id), ...inProjects('z.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return toZone(found(rows[0], '区域'), ctx.clock.now())
}

function spanOf({ from, until }: { from: string | null; until: string | null }): { from: Date | null; until: Date | null } {
  const at = (text: string | null) => (text === null ? null : new Date(parseInstant(text) ?? 0))
  const span = { from: at(from), until: at(until) }
  if (span.from && span.until && span.until <= span.from) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'until' })
  return span
}

async function requireFreeName(ctx: Context, projectCode: string, name: string, except = ''): Promise<void> {
  const { rows } = await sql`select 1 from crane_zone where project_code = ${projectCode} and name = ${name} and id <> ${except}`.execute(
    ctx.db,
  )
  if (rows.length > 0) throw new AppError('refused', '这个项目已有同名区域', { field: 'name' })
}
