import { randomBytes } from 'node:crypto'
import type { ListenPorts } from '@zhugong/contract/equipment/gateway-endpoints'
import * as calls from '@zhugong/contract/equipment/gateway-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject, projectsFor, requireCode, requireProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, condition, contains, equals, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { Outgoing } from '#kit/outgoing'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { findChanges, noteChange } from './change-log.ts'
import { findPoll, pollProtocols, requireOutside, savePoll } from './gateway-poll.ts'
import { findGateways, type GatewayRow, gatewayTables, getGatewayRow, refused } from './gateway-store.ts'
import { findStation } from './station-detail.ts'
import { updateStation } from './station-update.ts'
import { copyStation, findStations, isStation, removeStation, switchStation } from './stations.ts'

const toGateway = (r: GatewayRow) => ({
  ...r,
  connType: calls.connTypeCodes[r.connectionType] ?? '1',
  lastSeen: r.lastSeen ? formatInstant(r.lastSeen) : null,
  createTime: formatInstant(r.createTime),
})

const newSecret = () => randomBytes(16).toString('hex')

export function gatewayRoutes(serve: Serve, outgoing: Outgoing, ports: ListenPorts): void {
  serve(calls.listGateways, listGateways)
  serve(calls.getGateway, getGateway(ports))
  // DNS resolution may be slow, so it runs before the transaction.
  const before = ({ body }: { body: { poll?: { host: string; port: number } | undefined } }) => requireOutside(outgoing, body.poll)
  serve(calls.createGateway, createGateway, { before })
  serve(calls.updateGateway, updateGateway, { before })

  serve(calls.removeGateway, removeGateway)
  serve(calls.switchGateway, switchGateway)
  serve(calls.copyGateway, copyGateway)
}

const createGateway: HandlerOf<typeof calls.createGateway> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const id = ctx.newId()
  const secret = newSecret()
  await insertGateway(ctx, {
    id,
    code: body.code || null,
    projectCode,
    name: body.name,
    connectionType: body.connectionType,
    secret,
    status: '1',
    remark: body.remark ?? null,
  })
  await savePoll(ctx, id, body.connectionType, body.poll, true)
  await noteChange(ctx, { subject: 'gateway', id, projectCode, act: '新增' })
  ctx.note(`新增网关 ${body.name}`, id)
  return { id, secret }
}

const updateGateway: HandlerOf<typeof calls.updateGateway> = async ({ params, body }, ctx) => {
  if (await isStation(ctx, params.id)) return updateStation(ctx, params.id, body)
  if (body.station || body.modelMatch || body.projectMatch) throw new AppError('refused', '只有 HJ 212 监测站有型号匹配与项目匹配')
  const row = await getGatewayRow(ctx, params.id)
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'gateway', { id: row.id }, '网关')
  if (body.projectCode && body.projectCode !== row.projectCode) {
    requireProject(ctx, body.projectCode)
    if (row.devices > 0) throw new AppError('refused', '网关下挂有设备，不能改到其他项目', { field: 'projectCode' })
  }
  if (body.connectionType && body.connectionType !== row.connectionType && row.devices > 0) {
    throw new AppError('refused', '网关下挂有设备，不能更改接入方式', { field: 'connectionType' })
  }
  let secret: string | undefined
  if (body.renewSecret) {
    requireCode(ctx, 'device-admin.secret')
    secret = newSecret()
  }
  await guarded(
    changeRow(ctx, 'gateway', {
      key: { id: row.id },
      version: row.version,
      noun: '网关',
      by: ctx.user.name,
      values: {
        name: body.name ?? row.name,
        code: body.code === undefined ? row.code : body.code || null,
        projectCode: body.projectCode ?? row.projectCode,
        connectionType: body.connectionType ?? row.connectionType,
        remark: body.remark === undefined ? row.remark : body.remark,
        secret: sql`coalesce(${secret ? ctx.secrets.seal(secret) : null}::bytea, secret)`,
      },
    }),
  )
  await savePoll(ctx, row.id, body.connectionType ?? row.connectionType, body.poll, false)
  await noteChange(ctx, {
    subject: 'gateway',
    id: row.id,
    projectCode: body.projectCode ?? row.projectCode,
    act: secret ? '更换密钥' : '修改',
  })
  ctx.note(secret ? `更换网关密钥 ${row.name}` : `修改网关 ${row.name}`, row.id)
  return { id: row.id, secret: secret || undefined }
}

const listGateways: HandlerOf<typeof calls.listGateways> = async ({ query }, ctx) => {
  // Stations that connect by themselves are devices, but this page lists them as gateways.
  if (query.connType?.length === 1 && query.connType[0] === '6') return findStations(ctx, query)
  const types = query.connType?.length
    ? Object.keys(calls.connTypeCodes).filter((type) => query.connType?.includes(calls.connTypeCodes[type] ?? ''))
    : undefined
  const scope = inProjects('g.project_code', projectsFor(ctx, query.projectCode))
  const where = allOf(
    ...scope,
    ...contains('g.name', query.name),
    ...contains('g.code', query.code),
    ...anyOf('g.connection_type', query.connectionType),
    ...(types ? [condition(sql`g.connection_type = any (${types})`)] : []),
    ...contains('p.name', query.projectName),
    ...anyOf('g.status', query.status ?? query.enable),
    ...equals('g.online', query.online),
    ...instantsBetween('seen.at', query.lastSeen),
    ...(query.refused24h?.low === undefined ? [] : [condition(sql`${refused} >= ${query.refused24h.low}`)]),
    ...(query.refused24h?.high === undefined ? [] : [condition(sql`${refused} <= ${query.refused24h.high}`)]),
  )
  const order = orderBy(
    query.sort,
    {
      name: 'g.name',
      code: 'g.code',
      projectName: 'p.name',
      online: 'g.online',
      status: 'g.status',
      lastSeen: 'seen.at',
      createTime: 'g.create_time',
    },
    'online',
    'g.id',
  )
  const rows = await findGateways(ctx.db, where, order, pageSlice(query))
  const total = await sql<{
    n: number
  }>`select count(*)::int as n from ${gatewayTables} where ${where}`.execute(ctx.db)
  const counts = await sql<{ online: number; offline: number; disabled: number; refused: number }>`
      select count(*) filter (where g.online and g.status = '1')::int as online, count(*) filter (where not g.online and g.status = '1')::int as offline,
        count(*) filter (where g.status <> '1')::int as disabled, count(*) filter (where ${refused} > 0)::int as refused from gateway g where ${allOf(...scope)}`.execute(
    ctx.db,
  )
  const n = counts.rows[0] ?? { online: 0, offline: 0, disabled: 0, refused: 0 }
  return { list: rows.map(toGateway), total: total.rows[0]?.n ?? 0, counts: { ...n, unmatched: 0, unitsMissing: 0, badFrames: 0 } }
}

const getGateway =
  (ports: ListenPorts): HandlerOf<typeof calls.getGateway> =>
  async ({ params }, ctx) => {
    if (await isStation(ctx, params.id)) return { ...(await findStation(ctx, params.id)), ports }
    const row = await getGatewayRow(ctx, params.id)
    const devices = await sql<{ id: string; name: string; deviceSn: string; family: string; online: boolean; ts: Date | null }>`
      select d.id, d.name, d.device_sn, d.family, coalesce(l.online, false) as online, l.ts from device d left join device_latest l on l.device_id = d.id
      where d.gateway_id = ${row.id} order by d.name, d.id limit 1000`.execute(ctx.db)
    return {
      ...toGateway(row),
      clientId: `gw:${row.id}`,
      topics: {
        up: `site/v1/up/${row.id}/{deviceSn}/{telemetry|event|record|state|reply}`,
        down: `site/v1/down/${row.id}/{deviceSn}/command`,
      },
      deviceList: devices.rows.map(({ ts, ...d }) => ({ ...d, lastTime: ts?.getTime() ?? null })),
      ports,
      poll: await findPoll(ctx, row.id),
      hours: await findHours(ctx, row.id),
      changes: await findChanges(ctx.db, 'gateway', row.id),
    }
  }

const removeGateway: HandlerOf<typeof calls.removeGateway> = async ({ params }, ctx) => {
  if (await isStation(ctx, params.id)) {
    await removeStation(ctx, params.id)
    return undefined
  }
  const row = await getGatewayRow(ctx, params.id)
  if (row.devices > 0) throw new AppError('refused', `网关下还有 ${row.devices} 台设备，请先改绑或删除`)
  await sql`delete from gateway where id = ${row.id}`.execute(ctx.db)
  ctx.note(`删除网关 ${row.name}`, row.id)
  return undefined
}

const switchGateway: HandlerOf<typeof calls.switchGateway> = async ({ body }, ctx) => {
  if (await isStation(ctx, body.id)) {
    await switchStation(ctx, body.id, body.status)
    return undefined
  }
  const row = await getGatewayRow(ctx, body.id)
  if (row.status !== body.status)
    await changeRow(ctx, 'gateway', {
      key: { id: row.id },
      version: row.version,
      noun: '网关',
      by: ctx.user.name,
      values: { status: body.status },
    })
  if (row.connectionType in pollProtocols)
    await sql`update poll_gateway set enabled = ${body.status === '1'} where id = ${row.id}`.execute(ctx.db)
  await noteChange(ctx, { subject: 'gateway', id: row.id, projectCode: row.projectCode, act: body.status === '1' ? '启用' : '停用' })
  ctx.note(`${body.status === '1' ? '启用' : '停用'}网关 ${row.name}`, row.id)
  return undefined
}

const copyGateway: HandlerOf<typeof calls.copyGateway> = async ({ params }, ctx) => {
  if (await isStation(ctx, params.id)) return copyStation(ctx, params.id)
  const row = await getGatewayRow(ctx, params.id)
  const id = ctx.newId()
  const secret = newSecret()
  await insertGateway(ctx, {
    id,
    code: null,
    ...pick(row, 'projectCode', 'connectionType', 'remark'),
    name: `${row.name} 副本`.slice(0, 100),
    secret,
    status: '0',
  })
  await sql`insert into poll_gateway (id, protocol, host, port, interval_seconds, timeout_ms, enabled)
      select ${id}, protocol, host, port, interval_seconds, timeout_ms, false from poll_gateway where id = ${row.id}`.execute(ctx.db)
  await noteChange(ctx, { subject: 'gateway', id, projectCode: row.projectCode, act: `由 ${row.name} 复制` })
  ctx.note(`复制网关 ${row.name}`, id)
  return { id, secret }
}

/** Readings through the gateway per hour over seven days, for its uptime band. */
export async function findHours(ctx: Context, gatewayId: string) {
  const { rows } = await sql<{ hour: Date; readings: number; devices: number }>`
    select date_trunc('hour', t.ts) as hour, sum(t.n)::int as readings, count(distinct t.device_id)::int as devices from telemetry_5m t
    where t.device_id in (select id from device where gateway_id = ${gatewayId}) and t.ts > ${new Date(ctx.clock.now() - 7 * 86_400_000)} group by 1 order by 1`.execute(
    ctx.db,
  )
  return rows.map((r) => ({ ...r, hour: r.hour.getTime() }))
}

interface NewGateway {
  id: string
  code: string | null
  projectCode: string
  name: string
  connectionType: string
  secret: string
  status: string
  remark: string | null
}

async function insertGateway(ctx: Context, g: NewGateway): Promise<void> {
  await guarded(
    sql`insert into gateway (id, code, project_code, name, connection_type, secret, status, remark, create_time, create_by)
      values (${g.id}, ${g.code}, ${g.projectCode}, ${g.name}, ${g.connectionType}, ${ctx.secrets.seal(g.secret)}, ${g.status}, ${g.remark}, ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(
      ctx.db,
    ),
  )
}

async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '网关编号已存在', { field: 'code' })
    throw error
  }
}
