import { randomBytes } from 'node:crypto'
import type * as calls from '@zhugong/contract/equipment/docking-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { allOf, anyOf, condition, contains, filtersOf, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { noteChange } from './change-log.ts'
import { registerDevice } from './device-write.ts'
import type { Row } from './docking-store.ts'
import { getModelRecord } from './models.ts'

export interface Match {
  externalId: string
  deviceId?: string | undefined
  create?: { modelId: string; projectCode: string; name?: string | undefined } | undefined
  enabled?: boolean | undefined
  release?: boolean | undefined
}

export async function matchExternal(ctx: Context, row: Row, match: Match): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
    externalId: string
    externalName: string | null
    deviceSn: string | null
    deviceId: string | null
  }>`
    select id, external_id, external_name, device_sn, device_id from external_device where gateway_id = ${row.id} and external_id = ${match.externalId}`.execute(
    ctx.db,
  )
  const external = found(rows[0], '第三方设备')
  if (match.enabled !== undefined) {
    await sql`update external_device set enabled = ${match.enabled} where id = ${external.id}`.execute(ctx.db)
    ctx.note(`${match.enabled ? '启用' : '停用'}第三方设备 ${external.externalId}`, row.id)
    return undefined
  }
  if (match.release) {
    await sql`update external_device set device_id = null, match_state = '2' where id = ${external.id}`.execute(ctx.db)
    ctx.note(`取消匹配 ${external.externalId}`, row.id)
    return undefined
  }
  const deviceId = match.create ? await makeDevice(ctx, row, external, match.create) : await adoptDevice(ctx, row, match.deviceId ?? '')
  await sql`update external_device set device_id = ${deviceId}, match_state = '1', last_error = null where id = ${external.id}`.execute(
    ctx.db,
  )
  await noteChange(ctx, {
    subject: 'docking',
    id: row.id,
    act: '匹配设备',
    detail: [{ label: external.externalName ?? external.externalId, before: null, after: external.externalId }],
  })
  ctx.note(`匹配第三方设备 ${external.externalId}`, deviceId)
  return deviceId
}

/** The application that a docking uses to store readings for one project's devices. */
export async function applicationFor(ctx: Context, row: Row, projectCode: string): Promise<string> {
  const name = `对接 ${row.code}`
  const known = await sql<{
    id: string
  }>`select id from open_app where is_internal and name = ${name} and project_code = ${projectCode}`.execute(ctx.db)
  if (known.rows[0]) return known.rows[0].id
  const id = randomBytes(8).toString('hex')
  await sql`insert into open_app (id, name, project_code, secret, families, is_internal, create_time, create_by)
    values (${id}, ${name}, ${projectCode}, ${ctx.secrets.seal(randomBytes(16).toString('hex'))}, '{}', true, ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(
    ctx.db,
  )
  return id
}

export async function makeDevice(
  ctx: Context,
  row: Row,
  external: { externalId: string; externalName: string | null; deviceSn: string | null },
  create: { modelId: string; projectCode: string; name?: string | undefined },
): Promise<string> {
  const model = await getModelRecord(ctx.db, create.modelId)
  const clean = (text: string) => text.replace(/[^\w.:-]/g, '-').slice(0, 64)
  const made = await registerDevice(
    ctx,
    {
      name: create.name || external.externalName || external.externalId,
      deviceSn:
        external.deviceSn && /^[\w.:-]{3,64}$/.test(external.deviceSn) ? external.deviceSn : clean(`${row.code}-${external.externalId}`),
      projectCode: create.projectCode,
      family: model.family,
      modelId: model.id,
      access: { protocol: 'http', appId: await applicationFor(ctx, row, create.projectCode) },
      params: {},
    },
    { source: '2', origin: '4' },
  )
  return made.id
}

export async function adoptDevice(ctx: Context, row: Row, id: string): Promise<string> {
  const { rows } = await sql<{
    id: string
    name: string
    protocol: string
    projectCode: string
    access: { appId?: string }
    taken: string | null
  }>`
    select d.id, d.name, d.protocol, d.project_code, d.access, (select x.external_id from external_device x where x.device_id = d.id limit 1) as taken
    from device d where d.id = ${id}`.execute(ctx.db)
  const device = found(rows[0], '设备')
  if (device.taken) throw new AppError('refused', `${device.name} 已与 ${device.taken} 匹配，请先取消`, { field: 'match.deviceId' })
  if (device.protocol !== 'http')
    throw new AppError('refused', `${device.name} 不是 HTTP 接入，不能由第三方平台上报`, { field: 'match.deviceId' })
  if (!device.access.appId) {
    const access = JSON.stringify({ ...device.access, protocol: 'http', appId: await applicationFor(ctx, row, device.projectCode) })
    await changeRow(ctx, 'device', { key: { id }, version: null, by: ctx.user.name, noun: '设备', values: { access } })
  }
  await sql`update device set source = '2' where id = ${id}`.execute(ctx.db)
  return device.id
}

/** Recomputes what unmatched devices lack, after a change of the mapping. */
export async function recheckMatches(ctx: Context, id: string): Promise<void> {
  await sql`update external_device x set match_state = case when x.external_model is not null and g.model_match ? x.external_model and x.external_project is not null
      and not g.project_match ? x.external_project then '3' else '2' end
    from gateway3rd g where g.id = x.gateway_id and x.gateway_id = ${id} and x.device_id is null and x.match_state in ('2', '3')`.execute(
    ctx.db,
  )
}

type ExternalQuery = ParsedFor<typeof calls.listExternalDevices>['query']

/** External devices whose serial number another external device has too. */
const conflict = condition(
  sql`(x.device_sn is not null and exists (select 1 from external_device y where y.device_sn = x.device_sn and y.id <> x.id))`,
)

const externalWhere = (query: ExternalQuery) =>
  allOf(
    ...(query.conflict ? [conflict] : []),
    filtersOf(query, {
      externalId: [contains, 'x.external_id'],
      externalName: [contains, 'x.external_name'],
      deviceName: [contains, 'd.name'],
      projectName: [contains, 'p.name'],
      matchState: [anyOf, 'x.match_state'],
      lastSync: [instantsBetween, 'x.last_sync'],
      lastError: [contains, 'x.last_error'],
      gatewayId: (value) => condition(sql`x.gateway_id = ${value}`),
      conflict: 'elsewhere',
    }),
  )

/** Without a requested order, devices that need a user's action come first. */
const externalOrder = (query: ExternalQuery) =>
  query.sort
    ? orderBy(
        query.sort,
        {
          externalId: 'x.external_id',
          externalName: 'x.external_name',
          matchState: 'x.match_state',
          lastSync: 'x.last_sync',
          deviceName: 'd.name',
        },
        'externalId',
        'x.id',
      )
    : sql`case x.match_state when '2' then 0 when '3' then 1 when '4' then 2 else 3 end, x.last_sync nulls first, x.id`

const from = sql`external_device x join gateway3rd g on g.id = x.gateway_id left join device d on d.id = x.device_id left join project p on p.project_code = d.project_code`

interface ExternalRow {
  id: string
  gatewayId: string
  gatewayName: string
  externalId: string
  externalName: string | null
  externalProject: string | null
  externalModel: string | null
  deviceSn: string | null
  matchState: string
  enabled: boolean
  deviceId: string | null
  deviceName: string | null
  projectName: string | null
  lastSync: Date | null
  lastError: string | null
  conflictWith: { externalId: string; gatewayName: string }[]
  suggestion: { deviceId: string; name: string; projectName: string } | null
}

async function countExternal(db: Context['db']) {
  const { rows } = await sql<{ matched: number; waiting: number; gone: number; failed: number; conflicts: number }>`
    select count(*) filter (where x.match_state = '1')::int as matched, count(*) filter (where x.match_state in ('2', '3'))::int as waiting,
      count(*) filter (where x.match_state = '4')::int as gone, count(*) filter (where x.last_error is not null and x.match_state = '1')::int as failed,
      count(*) filter (where ${conflict})::int as conflicts from external_device x`.execute(db)
  return rows[0] ?? { matched: 0, waiting: 0, gone: 0, failed: 0, conflicts: 0 }
}

export const listExternalDevices: HandlerOf<typeof calls.listExternalDevices> = async ({ query }, ctx) => {
  const where = externalWhere(query)
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<ExternalRow>`select x.id, x.gateway_id, g.name as gateway_name, x.external_id, x.external_name, x.external_project, x.external_model, x.device_sn, x.match_state, x.enabled, x.device_id,
      d.name as device_name, p.name as project_name, x.last_sync, x.last_error,
      coalesce((select jsonb_agg(jsonb_build_object('externalId', y.external_id, 'gatewayName', h.name)) from external_device y join gateway3rd h on h.id = y.gateway_id
        where x.device_sn is not null and y.device_sn = x.device_sn and y.id <> x.id), '[]'::jsonb) as conflict_with,
      case when x.device_id is null then (select jsonb_build_object('deviceId', s.id, 'name', s.name, 'projectName', q.name) from device s join project q on q.project_code = s.project_code
        where (s.device_sn = x.device_sn or s.device_sn = x.external_id or (s.name = x.external_name and s.protocol = 'http'))
          and not exists (select 1 from external_device z where z.device_id = s.id) order by (s.device_sn = x.device_sn) desc nulls last, s.id limit 1) end as suggestion
    from ${from} where ${where} order by ${externalOrder(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
  return {
    list: rows.map((r) => ({
      ...r,
      lastSync: r.lastSync ? formatInstant(r.lastSync) : null,
      lagMinutes: r.lastSync ? Math.max(0, Math.round((ctx.clock.now() - r.lastSync.getTime()) / 60_000)) : null,
    })),
    total: total.rows[0]?.n ?? 0,
    counts: await countExternal(ctx.db),
  }
}
