import { randomBytes } from 'node:crypto'
import { type DockingMapping, type DockingRow, dockingRow } from '@zhugong/contract/equipment/docking-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { rowOf } from '#kit/row-of'

export interface Row {
  id: string
  code: string
  name: string
  vendor: string
  connType: string
  endpoint: string | null
  httpMethod: string
  authKind: string
  authName: string | null
  authSecret: Buffer | null
  tokenExpire: string | null
  scheduleMinutes: number
  mapping: DockingMapping
  modelMatch: Record<string, string>
  projectMatch: Record<string, string>
  sample: string | null
  remark: string | null
  enable: string
  lastRun: Date | null
  lastResult: string | null
  lastMessage: string | null
  rows: number | null
  failed24h: number
  matched: number
  unmatched: number
  createTime: Date
  version: number
}

export const columns = sql`g.id, g.code, g.name, g.vendor, g.conn_type, g.endpoint, g.http_method, g.auth_kind, g.auth_name, g.auth_secret, g.token_expire, g.schedule_minutes, g.mapping,
  g.model_match, g.project_match, g.sample, g.remark, g.enable, g.last_run, g.last_result, g.create_time, g.version, r.message as last_message, r.rows,
  s.failed as "failed24h", x.matched, x.unmatched`

export const tables = sql`gateway3rd g
  left join lateral (select message, rows from gateway3rd_run r where r.gateway_id = g.id and r.result not in ('waiting', 'running') order by r.at desc limit 1) r on true
  cross join lateral (select count(*)::int as failed from gateway3rd_run r where r.gateway_id = g.id and r.result = 'failed' and r.at > now() - interval '24 hours') s
  cross join lateral (select count(*) filter (where match_state = '1')::int as matched, count(*) filter (where match_state in ('2', '3'))::int as unmatched
    from external_device e where e.gateway_id = g.id) x`

export const toDocking = (r: Row): DockingRow =>
  rowOf(dockingRow, r, {
    lastRun: r.lastRun ? formatInstant(r.lastRun) : null,
    createTime: formatInstant(r.createTime),
  })

export async function getDockingRow(ctx: Pick<Context, 'db'>, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from ${tables} where g.id = ${id}`.execute(ctx.db)
  return found(rows[0], '第三方网关')
}

export const newKey = () => randomBytes(24).toString('base64url')

export const givenOr = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)

export function requireComplete(d: { connType: string; endpoint?: string | null | undefined }): void {
  if (d.connType === '3' && !d.endpoint) throw new AppError('invalidInput', '拉取方式请填写接口地址', { field: 'endpoint' })
}

export async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '对接编号已存在', { field: 'code' })
    throw error
  }
}

/** Days before the end of a credential from which a warning is shown. */
export const expiringDays = 14
