import { sql } from 'kysely'
import { type Context, found, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, type Condition, equals, inProjects, type orderBy } from '#kit/list'

export interface GatewayRow {
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
  msgPerMin: number | null
}

/** A gateway's last activity is its newest message; its own column is set only on connect and disconnect. */
export const gatewayTables = sql`gateway g join project p on p.project_code = g.project_code
  cross join lateral (select greatest(g.last_seen, max(l.received_at)) as at from device d join device_latest l on l.device_id = d.id where d.gateway_id = g.id) seen`
/** Messages per minute over the last ten minutes, from the frame log. */
const messages = sql`(select round(count(*) / 10.0, 1)::float8 from device_frame f where f.gateway_id = g.id and f.time > now() - interval '10 minutes' and f.direction = 'up') as msg_per_min`
const columns = sql`g.id, g.code, g.name, g.connection_type, g.project_code, p.name as project_name, g.status, g.online, g.ip, seen.at as last_seen, g.remark, g.create_time, g.version, ${messages},
  (select count(*)::int from device d where d.gateway_id = g.id) as devices,
  (select count(*)::int from device d join device_latest l on l.device_id = d.id where d.gateway_id = g.id and l.online) as devices_online,
  (select coalesce(sum(u.count), 0)::int from unregistered_device u where u.gateway_id = g.id and u.last_time > now() - interval '24 hours') as "refused24h"`
export const refused = sql`(select coalesce(sum(u.count), 0) from unregistered_device u where u.gateway_id = g.id and u.last_time > now() - interval '24 hours')`

export async function findGateways(db: Tx, where: Condition, order: ReturnType<typeof orderBy>, slice: { limit: number; offset: number }) {
  const { rows } = await sql<GatewayRow>`select ${columns} from ${gatewayTables} where ${where}
    order by ${order} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  return rows
}

export async function getGatewayRow(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, id: string): Promise<GatewayRow> {
  const where = allOf(...equals('g.id', id), ...inProjects('g.project_code', projectsFor(ctx)))
  const [row] = await findGateways(ctx.db, where, sql`g.id`, { limit: 1, offset: 0 })
  return found(row, '网关')
}
