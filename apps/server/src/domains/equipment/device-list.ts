import type * as calls from '@zhugong/contract/equipment/endpoints'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, inProjects, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { veilFor } from '../readings/public.ts'
import { findChecks } from './device-facts.ts'
import { findReviews } from './device-flow.ts'
import { findHealth } from './device-health.ts'
import {
  badFrames,
  type DeviceListRow,
  deviceColumns,
  deviceTables,
  deviceWhere,
  familyKeysOf,
  onlineShare,
  toDevice,
} from './device-view.ts'
import { soundFrameResults } from './frame-words.ts'
import { hasDueSoon, machinesInUse, machinesOnline } from './in-use.ts'

export const deviceSorts = {
  name: 'd.name',
  deviceSn: 'd.device_sn',
  family: 'd.family',
  projectName: 'p.name',
  online: 'l.online',
  lastTime: 'l.ts',
  openLevel: 'open_level',
  dueDate: 'd.due_date',
  status: 'd.status',
  createTime: 'd.create_time',
  applyTime: 'd.apply_time',
  auditTime: 'd.audit_time',
  gatewayName: 'g.name',
  modelName: 'd.model_name',
  badFrames24h: 'bad_frames',
  onlinePercent30d: 'online_share',
} as const

export const lostDays = 7

/** Totals over all visible devices of the requested project and families, ignoring the other filters. */
export async function countDevices(
  ctx: Context,
  query: { projectCode?: string | undefined; family?: string[] | undefined; category?: string[] | undefined; type?: string[] | undefined },
  wants: ReadonlySet<string>,
) {
  const now = ctx.clock.now()
  const where = allOf(
    ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
    ...anyOf('d.family', familyKeysOf(query.family, query.category, query.type)),
  )
  const whole = await sql<{ all: number; inUse: number; online: number; dueSoon: number; lost7d: number; waiting: number }>`
    select count(*)::int as all, ${machinesInUse} as in_use, ${machinesOnline} as online,
      count(*) filter (where ${hasDueSoon(formatDay(now))})::int as due_soon,
      count(*) filter (where d.status = '1' and coalesce(l.received_at, d.create_time) < ${new Date(now - lostDays * 86_400_000)})::int as "lost7d",
      count(*) filter (where d.status = '0' or d.pending is not null)::int as waiting
    from device d left join device_latest l on l.device_id = d.id where ${where}`.execute(ctx.db)
  const wire = wants.has('health')
    ? await sql<{ badFrames: number; unregistered: number }>`
        select (select count(distinct f.device_id)::int from device_frame f join device d on d.id = f.device_id where ${where} and f.time > ${new Date(now - 86_400_000)}
            and not f.result = any (${[...soundFrameResults]})) as bad_frames,
          (select count(distinct identifier)::int from unregistered_device where not ignored and identifier is distinct from gateway_id) as unregistered`.execute(
        ctx.db,
      )
    : undefined
  const n = whole.rows[0] ?? { all: 0, inUse: 0, online: 0, dueSoon: 0, lost7d: 0, waiting: 0 }
  return { ...n, offline: n.inUse - n.online, badFrames: wire?.rows[0]?.badFrames ?? 0, unregistered: wire?.rows[0]?.unregistered ?? 0 }
}

export const listDevices: HandlerOf<typeof calls.listDevices> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const wants = new Set(query.with ?? [])
  const where = deviceWhere(ctx, query, soundFrameResults)
  const order = query.sort
    ? orderBy(query.sort, deviceSorts, 'name', 'd.id')
    : wants.has('health')
      ? sql`bad_frames desc, l.ts nulls first, d.id`
      : query.auditState?.includes('0')
        ? sql`coalesce(d.apply_time, d.create_time), d.id`
        : sql`open_level nulls last, coalesce(l.online, false), d.name, d.id`
  const sorted = query.sort?.replace('-', '')
  const extra = [
    ...(wants.has('health') || sorted === 'badFrames24h' ? [sql`, ${badFrames(now, soundFrameResults)} as bad_frames`] : []),
    ...(wants.has('online30') || sorted === 'onlinePercent30d' ? [sql`, ${onlineShare(now)} as online_share`] : []),
  ]
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<
    DeviceListRow & { onlineShare?: number | null }
  >`select ${deviceColumns}${sql.join(extra, sql``)} from ${deviceTables} where ${where}
    order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ total: number }>`select count(*)::int as total from ${deviceTables} where ${where}`.execute(ctx.db)
  const counts = await countDevices(ctx, query, wants)
  const ids = rows.map((r) => r.id)
  const health = wants.has('health') ? await findHealth(ctx, ids) : undefined
  const checks = wants.has('checks') ? await findChecks(ctx, ids) : undefined
  const reviews = wants.has('checks') ? await findReviews(ctx, ids) : undefined
  const veil = await veilFor(ctx, rows)
  return {
    list: rows.map((r) => ({
      ...toDevice(r, veil, wants.has('latest')),
      health: health?.get(r.id),
      checks: checks?.get(r.id),
      review: reviews?.get(r.id),
      onlinePercent30d: wants.has('online30') ? (r.onlineShare ?? null) : undefined,
    })),
    total: total.rows[0]?.total ?? 0,
    counts,
  }
}

export const pickDevices: HandlerOf<typeof calls.pickDevices> = async ({ query }, ctx) => {
  const where = deviceWhere(ctx, { projectCode: query.projectCode, family: query.family, category: query.category, name: query.name })
  const { rows } = await sql<{ id: string; name: string; deviceSn: string; family: string; projectCode: string; online: boolean }>`
    select d.id, d.name, d.device_sn, d.family, d.project_code, coalesce(l.online, false) as online
    from device d left join device_latest l on l.device_id = d.id where ${where} order by d.name, d.id limit 20000`.execute(ctx.db)
  return { list: rows, total: rows.length }
}
