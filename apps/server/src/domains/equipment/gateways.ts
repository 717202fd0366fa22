import { randomBytes } from 'node:crypto'
import * as calls from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode, requireProject } from '#kit/context'
import type { Tx } from '#kit/db'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, type Condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'

interface GatewayRow {
  id: string
  code: string | null
  name: string
  connectionType: string
  projectCode: string
  projectName: string
  status: string
  online: boolean
  ip: string | null
  lastSeen: Date | null
  devices: number
  devicesOnline: number
  refused24h: number
  remark: string | null
  createTime: Date
  version: number
}

const toGateway = (r: GatewayRow) => ({
  ...r,
  lastSeen: r.lastSeen ? formatInstant(r.lastSeen) : null,
  createTime: formatInstant(r.createTime),
})

const columns = sql`g.id, g.code, g.name, g.connection_type, g.project_code, p.name as project_name, g.status, g.online, g.ip, g.last_seen, g.remark, g.create_time, g.version,
  (select count(*)::int from device d where d.gateway_id = g.id) as devices,
  (select count(*)::int from device d join device_latest l on l.device_id = d.id where d.gateway_id = g.id and l.online) as devices_online,
  (select coalesce(sum(u.count), 0)::int from unregistered_device u where u.gateway_id = g.id and u.last_time > now() - interval '24 hours') as "refused24h"`

async function findGateways(db: Tx, where: Condition, order: ReturnType<typeof orderBy>, slice: { limit: number; offset: number }) {
  const { rows } = await sql<GatewayRow>`select ${columns} from gateway g join project p on p.project_code = g.project_code where ${where}
    order by ${order} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  return rows
}

const newSecret = () => randomBytes(16).toString('hex')

export async function getGatewayRow(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, id: string): Promise<GatewayRow> {
  const where = allOf(...equals('g.id', id), ...inProjects('g.project_code', projectsFor(ctx)))
  const [row] = await findGateways(ctx.db, where, sql`g.id`, { limit: 1, offset: 0 })
  return found(row, '网关')
}

export function gatewayRoutes(serve: Serve): void {
  serve(calls.listGateways, async ({ query }, ctx) => {
    const scope = inProjects('g.project_code', projectsFor(ctx, query.projectCode))
    const where = allOf(
      ...scope,
      ...contains('g.name', query.name),
      ...contains('g.code', query.code),
      ...anyOf('g.connection_type', query.connectionType),
      ...anyOf('g.status', query.status),
      ...equals('g.online', query.online),
    )
    const order = orderBy(
      query.sort,
      { name: 'g.name', code: 'g.code', online: 'g.online', status: 'g.status', lastSeen: 'g.last_seen', createTime: 'g.create_time' },
      'online',
      'g.id',
    )
    const rows = await findGateways(ctx.db, where, order, pageSlice(query))
    const total = await sql<{ n: number }>`select count(*)::int as n from gateway g where ${where}`.execute(ctx.db)
    const counts = await sql<{ online: number; offline: number; disabled: number }>`
      select count(*) filter (where g.online and g.status = '1')::int as online, count(*) filter (where not g.online and g.status = '1')::int as offline,
        count(*) filter (where g.status <> '1')::int as disabled from gateway g where ${allOf(...scope)}`.execute(ctx.db)
    return { list: rows.map(toGateway), total: total.rows[0]?.n ?? 0, counts: counts.rows[0] ?? { online: 0, offline: 0, disabled: 0 } }
  })

  serve(calls.getGateway, async ({ params }, ctx) => {
    const row = await getGatewayRow(ctx, params.id)
    const devices = await sql<{ id: string; name: string; deviceSn: string; family: string; online: boolean }>`
      select d.id, d.name, d.device_sn, d.family, coalesce(l.online, false) as online from device d left join device_latest l on l.device_id = d.id
      where d.gateway_id = ${row.id} order by d.name, d.id limit 1000`.execute(ctx.db)
    return {
      ...toGateway(row),
      clientId: `gw:${row.id}`,
      topics: {
        up: `site/v1/up/${row.id}/{deviceSn}/{telemetry|event|record|state|reply}`,
        down: `site/v1/down/${row.id}/{deviceSn}/command`,
      },
      deviceList: devices.rows,
    }
  })

  serve(calls.createGateway, async ({ body }, ctx) => {
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
    ctx.note(`新增网关 ${body.name}`, id)
    return { id, secret }
  })

  serve(calls.updateGateway, async ({ params, body }, ctx) => {
    const row = await getGatewayRow(ctx, params.id)
    if (body.version !== undefined && body.version !== row.version)
      throw new AppError('conflict', '网关已被他人修改，请刷新后再试', { version: row.version })
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
      sql`update gateway set name = ${body.name ?? row.name}, code = ${body.code === undefined ? row.code : body.code || null},
        project_code = ${body.projectCode ?? row.projectCode}, connection_type = ${body.connectionType ?? row.connectionType},
        remark = ${body.remark === undefined ? row.remark : body.remark}, secret = coalesce(${secret ? ctx.secrets.seal(secret) : null}::bytea, secret),
        update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1 where id = ${row.id}`.execute(
        ctx.db,
      ),
    )
    ctx.note(secret ? `更换网关密钥 ${row.name}` : `修改网关 ${row.name}`, row.id)
    return { id: row.id, ...(secret ? { secret } : {}) }
  })

  serve(calls.removeGateway, async ({ params }, ctx) => {
    const row = await getGatewayRow(ctx, params.id)
    if (row.devices > 0) throw new AppError('refused', `网关下还有 ${row.devices} 台设备，请先改绑或删除`)
    await sql`delete from gateway where id = ${row.id}`.execute(ctx.db)
    ctx.note(`删除网关 ${row.name}`, row.id)
  })

  serve(calls.switchGateway, async ({ body }, ctx) => {
    const row = await getGatewayRow(ctx, body.id)
    await sql`update gateway set status = ${body.status}, update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1
      where id = ${row.id} and status <> ${body.status}`.execute(ctx.db)
    ctx.note(`${body.status === '1' ? '启用' : '停用'}网关 ${row.name}`, row.id)
  })

  serve(calls.copyGateway, async ({ params }, ctx) => {
    const row = await getGatewayRow(ctx, params.id)
    const id = ctx.newId()
    const secret = newSecret()
    await insertGateway(ctx, {
      id,
      code: null,
      projectCode: row.projectCode,
      name: `${row.name} 副本`.slice(0, 100),
      connectionType: row.connectionType,
      secret,
      status: '0',
      remark: row.remark,
    })
    ctx.note(`复制网关 ${row.name}`, id)
    return { id, secret }
  })
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
